#!/usr/bin/env python3
"""my_bot plays tactics: every unit attacks an enemy that it reaches, or else moves closer to one."""
from skirmish import Bot


def on_turn(view, hints):
    """`hints` has every command that is allowed; what is returned is played, at most one per unit."""
    enemies = [unit["at"] for unit in view["units"] if unit["seat"] != view["seat"]]
    chosen, cells = {}, []
    for hint in sorted(hints, key=lambda hint: (hint["kind"] != "attack", far(hint["target"], enemies))):
        is_useful = hint["kind"] == "move" or hint["target"] in enemies
        if is_useful and hint["unit"] not in chosen and hint["target"] not in cells:
            chosen[hint["unit"]] = hint
            cells.append(hint["target"])
    return list(chosen.values())


def far(cell, enemies):
    """How many steps the nearest enemy is away."""
    return min(max(abs(cell[0] - x), abs(cell[1] - y)) for x, y in enemies)


Bot(on_turn, "tactics").run()
