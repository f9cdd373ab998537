"""What must occur in a long comparison of halma, and how to find it in a turn."""

import halma
from endings import ENDING_OUTCOMES

EXPECTED = {
    "verdict": (
        "multiple_commands (single_command)", "unknown_unit (own_unit)", "not_your_unit (own_unit)",
        "bad_path (path_shape)", "out_of_bounds (path_in_bounds)", "bad_path (path_steps)",
        "nothing_to_jump (jump_over_piece)", "damaged (damaged_jump)", "occupied (landing_free)",
    ),
    "event": ("not_enacted", "moved", "collided", "healed", "halmate"),
    "outcome": (
        "0 halmate", "1 halmate", "draw_both_halmate", "0 stalled", "1 stalled", "draw_turn_limit",
        *ENDING_OUTCOMES,
    ),
    "situation": (
        "held", "stepped", "one jump", "chain", "chain that crosses itself", "chain back to its start",
        "chain of 256", "path of 257", "held a shared square", "back onto a shared square", "left a shared square",
        "met on a destination", "collision of a damaged piece", "nobody collides on a shared square",
        "several healed", "halmate with an enemy's piece", "halmate of both in one turn", "full without an own piece",
        "both guilty", "missing", "missing beside a timeout", "a timeout beside a move", "a fault forgiven",
        "never stalls", "the last turn stalls", "the last turn mates",
    ),
}


def find_situations(request, expected):
    """Yields the name of each notable situation of a turn that was not refused."""
    if "commands" not in request:
        return
    params = halma.fill_in(request["params"])
    before = halma.Board(params, request.get("state", halma.first_state(params)))
    after = halma.Board(params, expected["state"])
    events = {kind: [event for event in expected["events"] if event["kind"] == kind] for kind in EXPECTED["event"]}
    for event in events["moved"]:
        yield from find_move_situations(before, event)
    yield from find_collision_situations(before, after, events)
    yield from find_guilt_situations(request, expected, before, events)
    yield from find_end_situations(params, after, expected, events)


def find_move_situations(before, event):
    path = [tuple(cell) for cell in event["path"]]
    start, end = path[0], path[-1]
    is_shared = sum(piece.at == start for piece in before.pieces.values()) == 2
    if len(path) == 2:
        leg = (start, end)
        yield "held" if halma.is_hold(leg) else "stepped" if halma.is_step(leg) else "one jump"
    else:
        yield "chain"
        if start in path[1:]:
            yield "chain back to its start"
        if len(set(path)) < len(path):
            yield "chain that crosses itself"
        if len(path) == 257:
            yield "chain of 256"
    if is_shared and end != start:
        yield "left a shared square"
    if is_shared and end == start:
        yield "held a shared square" if len(path) == 2 else "back onto a shared square"


def find_collision_situations(before, after, events):
    ends = [tuple(event["path"][-1]) for event in events["moved"]]
    if len(ends) == 2 and ends[0] == ends[1] and not events["collided"]:
        yield "nobody collides on a shared square"
    for event in events["collided"]:
        if any(event["at"] in cells for cells in after.params["destinations"]):
            yield "met on a destination"
        if any(before.pieces[unit].damage > 0 for unit in event["units"]):
            yield "collision of a damaged piece"
    if len(events["healed"]) > 1:
        yield "several healed"


def find_guilt_situations(request, expected, before, events):
    for event in events["not_enacted"]:
        if len(event["seats"]) == 2:
            yield "both guilty"
        for seat, reason in zip(event["seats"], event["reasons"]):
            if reason == "missing":
                yield "missing beside a timeout" if request["commands"][seat] else "missing"
    for given, verdicts in zip(request["commands"], expected["verdicts"]):
        kinds = [command["kind"] for command in given]
        if any(len(command.get("path", ())) == 257 and verdict.get("check") == "path_shape"
               for command, verdict in zip(given, verdicts)):
            yield "path of 257"
        if sorted(set(kinds)) == ["move", "timeout"] and events["moved"]:
            yield "a timeout beside a move"
    if events["moved"] and any(before.faults):
        yield "a fault forgiven"
    if events["not_enacted"] and before.params["stall_limit"] == 0 and max(expected["state"]["faults"]) > 5:
        yield "never stalls"


def find_end_situations(params, after, expected, events):
    for event in events["halmate"]:
        for seat in event["seats"]:
            cells = {tuple(cell) for cell in params["destinations"][seat]}
            own = {piece.at for piece in after.pieces.values() if piece.seat == seat}
            if cells - own:
                yield "halmate with an enemy's piece"
        if len(event["seats"]) == 2:
            yield "halmate of both in one turn"
    for seat in halma.SEATS:
        if not halma.is_halmate(after, seat) and all(after.somebody_at(tuple(cell))
                                                     for cell in params["destinations"][seat]):
            yield "full without an own piece"
    if expected["turn"] == params["turn_limit"] and expected["outcome"] is not None:
        if events["halmate"]:
            yield "the last turn mates"
        if events["not_enacted"] and expected["outcome"]["reason"] == "stalled":
            yield "the last turn stalls"
