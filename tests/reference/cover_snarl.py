"""What must occur in a long comparison of snarl, and how to find it in a turn."""

from endings import ENDING_OUTCOMES

EXPECTED = {
    "verdict": (
        "not_your_turn (own_turn)", "too_far (distance)", "not_traversable (tile)", "door (door)",
        "occupied (interaction)", "must_move (must_move)",
    ),
    "event": (
        "moved", "took_key", "exited", "expelled", "relocated", "level_ended", "level_started", "game_ended",
        "exit_locked",
    ),
    "outcome": (
        "0 won", "1 won", "2 won", "lost", "1 lost", "draw_equal", *ENDING_OUTCOMES,
    ),
    "situation": (
        "expelled by walking into it", "expelled by being caught", "expelled by the round limit",
        "level ended left", "level ended lost", "level ended round_limit", "any: taken along",
        "back after an expulsion", "resigned and the match goes on", "everybody resigned", "several leave at once",
        "left with others' commands", "several turns of one seat", "several adversaries moved", "adversary stays",
        "exited by staying", "two expelled in one turn", "starts left to chance", "zombie on a door",
        "four heroes", "one hero", "versus", "idle", "placed in the next level at random",
        "several steps at once", "version 1: a locked exit is not told",
    ),
}


def find_situations(request, expected):
    """Yields the name of each notable situation of a turn that was not refused."""
    params = request["params"]
    yield from find_kinds(params)
    if request.get("version") == 1 and is_on_locked_exit(request, expected):
        yield "version 1: a locked exit is not told"
    if "commands" in request:
        yield from find_expulsions(request, expected)
        yield from find_levels(request, expected)
        yield from find_leavings(request, expected)
        yield from find_moves(request, expected)


def is_on_locked_exit(request, expected):
    """Whether a hero has moved onto a locked exit."""
    state = expected["state"]
    return not state["exit_unlocked"] and any(
        event["kind"] == "moved" and event["to"] == state["exit"] and event["unit"] in request["params"]["heroes"]
        for event in expected["events"])


def find_kinds(params):
    if len(params["heroes"]) in (1, 4):
        yield "one hero" if len(params["heroes"]) == 1 else "four heroes"
    if params.get("mode") == "versus":
        yield "versus"
    if params.get("adversaries") == "idle":
        yield "idle"
    if "adversaries" not in params["levels"][0].get("starts", {}):
        yield "starts left to chance"


def find_expulsions(request, expected):
    expelled = [event for event in expected["events"] if event["kind"] == "expelled"]
    moved = {event["unit"]: event["to"] for event in expected["events"] if event["kind"] == "moved"}
    if len(expelled) > 1:
        yield "two expelled in one turn"
    for event in expelled:
        if event["by"] == "round_limit":
            yield "expelled by the round limit"
        elif moved.get(event["unit"]) == event["at"]:
            yield "expelled by walking into it"
        elif moved.get(event["by"]) == event["at"]:
            yield "expelled by being caught"


def find_levels(request, expected):
    before = {hero["id"]: hero["status"] for hero in request.get("state", {}).get("heroes", [])}
    after = {hero["id"]: hero["status"] for hero in expected["state"]["heroes"]}
    kinds = [event["kind"] for event in expected["events"]]
    for event in expected["events"]:
        if event["kind"] == "level_ended":
            yield "level ended " + event["why"]
        if event["kind"] == "level_started":
            number = event["level"]
            if "adversaries" not in request["params"]["levels"][number - 1].get("starts", {}):
                yield "placed in the next level at random"
    if "level_started" in kinds:
        if any(before.get(name) == "expelled" and status == "active" for name, status in after.items()):
            yield "back after an expulsion"
        if request["params"].get("level_end") == "any" and kinds.count("exited") == 1 and len(after) > 1:
            yield "any: taken along"


def find_leavings(request, expected):
    if request["params"].get("mode") == "versus":
        return
    left = [seat for seat, given in enumerate(request["commands"]) for index, command in enumerate(given)
            if command["kind"] in ("resign", "abandon") and expected["verdicts"][seat][index]["verdict"] == "ok"]
    moves = [seat for seat, given in enumerate(request["commands"]) for index, command in enumerate(given)
             if command["kind"] == "move" and expected["verdicts"][seat][index]["verdict"] == "ok"]
    if left and expected["outcome"] is None:
        yield "resigned and the match goes on"
    if len(left) > 1:
        yield "several leave at once"
    if left and moves:
        yield "left with others' commands"
    if left and all(hero["status"] == "resigned" for hero in expected["state"]["heroes"]):
        yield "everybody resigned"


def find_moves(request, expected):
    names = request["params"]["heroes"]
    moved = [event["unit"] for event in expected["events"] if event["kind"] == "moved"]
    accepted = sum(verdict["verdict"] == "ok" for given in expected["verdicts"] for verdict in given)
    if accepted > 1:
        yield "several turns of one seat"
    if any(event["kind"] == "moved" and event["unit"] not in names
           and abs(event["from"][0] - event["to"][0]) + abs(event["from"][1] - event["to"][1]) > 1
           for event in expected["events"]):
        yield "several steps at once"
    if len({unit for unit in moved if unit not in names}) > 1:
        yield "several adversaries moved"
    if any(event["kind"] == "exited" and event["unit"] not in moved for event in expected["events"]):
        yield "exited by staying"
    active = request.get("state", {}).get("active", {}).get("unit")
    if active is not None and active not in names and accepted == 1 and active not in moved:
        yield "adversary stays"
    if any(adversary["kind"] == "zombie" and tile_of(expected, request, adversary["at"]) == 2
           for adversary in expected["state"]["adversaries"]):
        yield "zombie on a door"


def tile_of(expected, request, at):
    """The layout's number for a cell of the level, or None outside all rooms."""
    for room in request["params"]["levels"][expected["state"]["level"] - 1]["rooms"]:
        row, column = at[1] - room["origin"][0], at[0] - room["origin"][1]
        if 0 <= row < room["bounds"]["rows"] and 0 <= column < room["bounds"]["columns"]:
            return room["layout"][row][column]
    return None
