#!/usr/bin/env python3
"""Replays a finished match of a server and plots it: replay.py http://127.0.0.1:7777/ MATCH FILE.svg

The match is played again from its seed and commands, and every hash is compared. The picture shows how
many hit points each side of tactics had; of other rulesets, how many things each side had on the board.
"""
import json
import sys
import urllib.request

from skirmish import SPECTATOR, Game

# %% Everything that the server knows about the match: a header, and a line per turn.
url, match, out = sys.argv[1].rstrip("/"), sys.argv[2], sys.argv[3]
lines, after = [], ""
while after is not None:
    with urllib.request.urlopen(f"{url}/api/v1/matches/{match}/replay?limit=1000{after}") as answer:
        header, *turns = [json.loads(line) for line in answer]
    lines += turns
    after = None if header["next"] is None else f"&after={header['next']}"

# %% Play it again.
game = Game(header["ruleset"], header["params"], version=header["version"], slots=128)
game.reset(seed=bytes.fromhex(header["seed"]))


def strength(seat):
    """Of one side, as a spectator sees it."""
    things = [each for part in game.view(SPECTATOR).values() if isinstance(part, list)
              for each in part if isinstance(each, dict) and each.get("seat") == seat]
    return sum(each.get("health", 1) for each in things)


curves = [[strength(seat)] for seat in range(game.seats)]
for line in lines:
    game.step(line["commands"])
    if game.hash() != line["hash"]:
        sys.exit(f"turn {line['turn']}: the hash is {game.hash()}, the server says {line['hash']}")
    for seat, curve in enumerate(curves):
        curve.append(strength(seat))
print(f"match {match}: {header['ruleset']}, {len(lines)} turns; every hash holds")

# %% Plot it.
WIDTH, HEIGHT, EDGE, COLOURS = 640, 320, 30, ("#1f77b4", "#d62728", "#2ca02c", "#9467bd")
most = max(max(curve) for curve in curves) or 1


def point(turn, value):
    x = EDGE + (WIDTH - 2 * EDGE) * turn / max(1, len(lines))
    return f"{x:.1f},{HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * value / most:.1f}"


with open(out, "w", encoding="utf-8") as file:
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
          f'font-size="12"><rect width="100%" height="100%" fill="white"/>', file=file)
    for seat, curve in enumerate(curves):
        points = " ".join(point(turn, value) for turn, value in enumerate(curve))
        print(f'<polyline fill="none" stroke="{COLOURS[seat]}" stroke-width="2" points="{points}"/>'
              f'<text x="{EDGE + 80 * seat}" y="18" fill="{COLOURS[seat]}">seat {seat}</text>', file=file)
    print(f'<text x="{EDGE}" y="{HEIGHT - 8}">turn 0 to {len(lines)}; at most {most}</text></svg>', file=file)
