"""What must occur in a long comparison of racers, and how to find it in a turn."""

from endings import ENDING_OUTCOMES

EXPECTED = {
    "verdict": (
        "not_your_turn (own_turn)", "out_of_bounds (in_bounds)", "wall (wall)", "occupied (player)",
        "trail (trail)", "crosses_trail (diagonal)", "blocked (teleport)", "must_move (must_move)",
        "nothing_here (present)", "inventory_full (room)", "not_carried (carried)", "grenade_here (free_square)",
        "bad_direction (direction)",
    ),
    "event": (
        "moved", "teleported", "picked_up", "placed", "launched", "disc_hit", "exploded", "power_failed",
        "powered_out", "turn_passed", "trapped", "finished",
    ),
    "outcome": (
        "0 finished", "1 finished", "0 trapped", "1 trapped", "0 unmoved", "1 unmoved", "draw_turn_limit",
        *ENDING_OUTCOMES,
    ),
    "situation": (
        "several commands played", "turn passed: actions_used", "turn passed: ended", "turn passed: power_failure",
        "turn passed: penalty", "turn passed: skipped", "turn passed: timeout", "both passed over",
        "the turn came back", "hit itself", "hit through a teleporter", "a disc caught in a loop",
        "a disc dark on its way", "a charged disc far off", "a disc landed at once", "exploded in the dark",
        "exploded twice", "powered out at the source", "powered out at both ends", "powered out on the last action",
        "a grenade armed", "trapped after moving", "trapped as the turn began", "finished with the last action",
        "no turn passed on at the limit", "random failures", "own trail let it through",
    ),
}


def find_situations(request, expected):
    """Yields the name of each notable situation of a turn that was not refused."""
    if "commands" not in request or "state" not in request:
        return
    before, after = request["state"], expected["state"]
    events = {kind: [event for event in expected["events"] if event["kind"] == kind] for kind in EXPECTED["event"]}
    if sum(verdict["verdict"] == "ok" for given in expected["verdicts"] for verdict in given) > 1:
        yield "several commands played"
    yield from find_passing_situations(request, expected, before, after, events)
    for event in events["launched"]:
        yield from find_disc_situations(before, event, events)
    yield from find_step_situations(before, after, expected, events)


def find_passing_situations(request, expected, before, after, events):
    for event in events["turn_passed"]:
        yield "turn passed: " + event["why"]
    if len(events["turn_passed"]) > 2:
        yield "both passed over"
    if events["turn_passed"] and before["active"] == after["active"]:
        yield "the turn came back"
    if 0 < request["params"].get("failure_permille", 50) < 1000 and events["power_failed"]:
        yield "random failures"
    if expected["outcome"] is not None and after["actions_left"] == 0:
        yield ("finished with the last action" if expected["outcome"]["reason"] == "finished"
               else "no turn passed on at the limit")
    for event in events["trapped"]:
        yield "trapped after moving" if after["moved"] else "trapped as the turn began"


def find_disc_situations(before, event, events):
    path = event["path"]
    hops = sum(max(abs(one[0] - other[0]), abs(one[1] - other[1])) != 1 for one, other in zip(path, path[1:]))
    if any(hit["seat"] == event["seat"] for hit in events["disc_hit"]):
        yield "hit itself"
    elif events["disc_hit"] and hops:
        yield "hit through a teleporter"
    if len({tuple(cell) for cell in path}) < len(path) - 1 and not events["disc_hit"]:
        yield "a disc caught in a loop"
    if len(path) == 1:
        yield "a disc landed at once"
    if event["item"] == "charged_disc" and len(path) > 6:
        yield "a charged disc far off"
    if event["item"] == "disc" and not events["disc_hit"] and before["failures"] and 1 < len(path) < 5:
        yield "a disc dark on its way"


def find_step_situations(before, after, expected, events):
    sources = [event["from"] for event in events["teleported"]]
    if any(event["actions_lost"] == 4 for event in events["exploded"]):
        yield "exploded in the dark"
    if len(events["exploded"]) > 1:
        yield "exploded twice"
    if any(event["at"] in sources for event in events["powered_out"]):
        yield "powered out at the source"
    if len(events["powered_out"]) > 1:
        yield "powered out at both ends"
    if events["powered_out"] and before["actions_left"] == 1:
        yield "powered out on the last action"
    active = [[item["at"] for item in state["items"] if item.get("state") == "active"] for state in (before, after)]
    if len(active[1]) > len(active[0]):
        yield "a grenade armed"
    own = before["racers"][before["active"]]
    old = [entry["at"] for entry in own["trail"] if own["performed"] - entry["action"] == 2]
    if events["moved"] and events["moved"][0]["to"] in old:
        yield "own trail let it through"
