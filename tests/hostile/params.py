"""Params that cost as much as the limits allow: to read, to compile, to show, to play."""

import json

FRAME_MAX = 262144 - 400  # of `create` and `queue`, without the other members


def size_of(params):
    return len(json.dumps(params, separators=(",", ":")))


def roster(side, patterns, attack, units=1):
    """tactics with this many patterns; the units of both seats are in the corners."""
    rows = min(64, max(side, 8))
    return {
        "rows": rows, "cols": rows, "placement": False, "start_rows": 1, "turn_limit": 1000,
        "patterns": {"step": {"rows": [" x ", "x x", " x "]}, **patterns},
        "models": {"m": {"health": 10000, "power": 0, "move": ["step"], "attack": attack}},
        "units": [{"id": f"{letter}{i}", "model": "m", "seat": seat, "at": [i, row]}
                  for seat, (letter, row) in enumerate((("a", rows - 1), ("b", 0))) for i in range(units)],
    }


def tactics_areas(count=225, side=33):
    """Patterns that all map their targets to one large area, and are mapped to themselves."""
    letters = [chr(code) for code in range(33, 127) if chr(code) not in "\"\\"][:81]
    patterns = {"area": {"rows": ["x" * side] * side}}
    patterns.update({f"p{i}": {"rows": ["ooo", "o o", "ooo"], "map": {"o": "area"}} for i in range(count)})
    for first in range(0, count, len(letters)):
        maps = {letter: f"p{min(count - 1, first + i)}" for i, letter in enumerate(letters)}
        patterns[f"top{first}"] = {"rows": ["".join(letters[9 * y:9 * y + 9]) for y in range(9)], "map": maps}
    return roster(side, patterns, ["top0"])


def tactics_wide():
    """As many bytes of patterns as fit a frame."""
    side = 31
    wide = {"rows": ["x" * side] * side}
    return roster(side, {f"p{i}": wide for i in range(230)}, ["p0"])


def tactics_crowded():
    """64 units per seat, each of which can hit much of a large board: long turns, long views."""
    area = {"rows": ["x" * 15] * 15}
    aim = {"rows": ["o" * 9] * 9, "map": {"o": "area"}}
    return roster(64, {"area": area, "aim": aim}, ["aim"], units=64)


def halma_large():
    """A board full of pieces."""
    size = 30
    mine = [[x, y] for y in range(size - 6, size) for x in range(10)]
    theirs = [[size - 1 - x, y] for x, y in mine]
    return {"size": size, "pieces": [mine, theirs], "turn_limit": 1000,
            "destinations": [[[size - 1 - x, size - 1 - y] for x, y in mine], [[x, size - 1 - y] for x, y in mine]]}


def racers_large():
    return {"rows": 64, "cols": 64, "failure_permille": 0}


def snarl_room(rows, columns):
    inside = [0] + [1] * (columns - 2) + [0]
    return {"type": "room", "origin": [0, 0], "bounds": {"rows": rows, "columns": columns},
            "layout": [[0] * columns, *([inside] * (rows - 2)), [0] * columns]}


def snarl_levels(count=32, rows=60, columns=60):
    """Large rooms, many levels."""
    level = {"type": "level", "rooms": [snarl_room(rows, columns)], "hallways": [],
             "objects": [{"type": "key", "position": [1, 3]}, {"type": "exit", "position": [rows - 2, columns - 2]}],
             "starts": {"heroes": [[1, 1]], "adversaries": []}}
    params = {"heroes": ["ada"], "levels": [level] * count}
    while size_of(params) > FRAME_MAX:
        params["levels"].pop()
    return params


def snarl_ghosts(side=200, count=64):
    """The largest level, full of ghosts that search all of it, and a hero in a cell that none can enter."""
    cell = {"type": "room", "origin": [0, side - 4], "bounds": {"rows": 3, "columns": 4},
            "layout": [[0] * 4, [0, 1, 1, 0], [0] * 4]}
    ghosts = [{"kind": "ghost", "at": [1 + 2 * (i // 60), 1 + 3 * (i % 60)]} for i in range(count)]
    level = {"type": "level", "rooms": [snarl_room(side, side - 4), cell], "hallways": [],
             "objects": [{"type": "key", "position": [1, side - 2]}, {"type": "exit", "position": [50, 50]}],
             "starts": {"heroes": [[1, side - 3]], "adversaries": ghosts}}
    return {"heroes": ["ada"], "levels": [level], "steps": {"ghost": 8}, "round_limit": 1000000}


def snarl_hallways(count=32):
    """Hallways that go back and forth as often as allowed, in as many levels as allowed."""
    room = {"type": "room", "origin": [0, 0], "bounds": {"rows": 3, "columns": 8},
            "layout": [[0] * 8, [0, 1, 1, 1, 1, 1, 1, 0], [0, 2, 0, 2, 0, 0, 0, 0]]}
    ways = [[4, 1], *([[4, 160], [4, 1]] * 30), [4, 3]]
    hallway = {"type": "hallway", "from": [2, 1], "to": [2, 3], "waypoints": ways}
    level = {"type": "level", "rooms": [room], "hallways": [hallway] * 10,
             "objects": [{"type": "key", "position": [1, 3]}, {"type": "exit", "position": [1, 5]}],
             "starts": {"heroes": [[1, 1]], "adversaries": []}}
    return {"heroes": ["ada"], "levels": [level] * count}


LARGE = {"tactics": tactics_crowded, "halma": halma_large, "racers": racers_large, "snarl": snarl_levels}
