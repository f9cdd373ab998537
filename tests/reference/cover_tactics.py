"""What must occur in a long comparison of tactics, and how to find it in a turn."""

from endings import ENDING_OUTCOMES

EXPECTED = {
    "verdict": (
        "unknown_unit (own_unit)", "not_your_unit (own_unit)", "wrong_phase (phase)",
        "multiple_commands (single_command)", "out_of_bounds (move_in_bounds)",
        "out_of_bounds (attack_in_bounds)", "out_of_bounds (place_in_bounds)",
        "out_of_pattern (move_in_pattern)", "out_of_pattern (attack_in_pattern)",
        "not_start_row (start_rows)", "same_target (same_target)", "occupied (occupied)",
        "bounced (bounce)",
    ),
    "event": ("placed", "bounced", "moved", "attacked", "hit", "died"),
    "outcome": (
        "0 eliminated", "1 eliminated", "draw_eliminated", "draw_turn_limit", *ENDING_OUTCOMES,
    ),
    "situation": (
        "several bounces", "self-hit", "friendly fire", "mutual kill", "hit of 0 damage",
        "empty area", "hit after a bounce", "hit after a move", "placed on another's cell",
        "placement refused as occupied",
    ),
}


def find_situations(request, expected):
    """Yields the name of each notable situation of a turn that was not refused."""
    if "commands" in request:
        yield from find_placement_situations(request, expected)
        yield from find_battle_situations(request, expected["events"])


def find_placement_situations(request, expected):
    units = request["state"]["units"] if "state" in request else request["params"]["units"]
    stood_on = {tuple(unit["at"]): unit["id"] for unit in units}
    for event in expected["events"]:
        if event["kind"] == "placed" and stood_on.get(tuple(event["at"]), event["unit"]) != event["unit"]:
            yield "placed on another's cell"
    for commands, verdicts in zip(request["commands"], expected["verdicts"]):
        for command, verdict in zip(commands, verdicts):
            if command["kind"] == "place" and verdict["verdict"] == "occupied":
                yield "placement refused as occupied"


def find_battle_situations(request, events):
    seat_of = {unit["id"]: unit["seat"] for unit in request["params"]["units"]}
    of_kind = {kind: [event for event in events if event["kind"] == kind] for kind in EXPECTED["event"]}
    bounced = {unit for event in of_kind["bounced"] for unit in event["units"]}
    moved = {event["unit"] for event in of_kind["moved"]}
    died = {event["unit"] for event in of_kind["died"]}
    hit_by = {event["unit"]: set(event["by"]) for event in of_kind["hit"]}
    if len(of_kind["bounced"]) > 1:
        yield "several bounces"
    if any(not event["cells"] for event in of_kind["attacked"]):
        yield "empty area"
    if any(event["damage"] == 0 for event in of_kind["hit"]):
        yield "hit of 0 damage"
    for unit, attackers in hit_by.items():
        if unit in attackers:
            yield "self-hit"
        if any(attacker != unit and seat_of[attacker] == seat_of[unit] for attacker in attackers):
            yield "friendly fire"
        if unit in died and any(attacker != unit and attacker in died and unit in hit_by[attacker]
                                for attacker in attackers):
            yield "mutual kill"
        if unit in bounced:
            yield "hit after a bounce"
        if unit in moved:
            yield "hit after a move"
