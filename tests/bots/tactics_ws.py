#!/usr/bin/python3
"""A tactics bot over WebSocket: python3-websockets is all it needs.

    tactics_ws.py ws://127.0.0.1:7777/ NAME [MATCH]

Joins the match, or waits in the queue for one. Every unit attacks if it can, else it moves towards an enemy.
"""
import asyncio
import json
import random
import sys
import websockets


def choose(view, hints):
    """At most one command per unit, no two of them to one cell."""
    enemies = [unit["at"] for unit in view["units"] if unit["seat"] != view["seat"]]
    chosen, taken = {}, []

    def worth(hint):
        near = min(max(abs(hint["target"][i] - enemy[i]) for i in (0, 1)) for enemy in enemies)
        return 100 - near - random.random() if hint["kind"] != "attack" else 200 if near == 0 else -1

    for value, hint in sorted(((worth(hint), hint) for hint in hints), key=lambda pair: -pair[0]):
        attacks = hint["kind"] == "attack"
        if hint["unit"] not in chosen and value > 0 and (attacks or hint["target"] not in taken):
            chosen[hint["unit"]] = hint
            taken += [] if attacks else [hint["target"]]
    return list(chosen.values())


async def play(url, name, match=None):
    async with websockets.connect(url, subprotocols=["skirmish.v1"], max_size=None) as socket:
        async def send(kind, **members):
            nonlocal last
            await socket.send(last := json.dumps({"type": kind, **members}))
        seat = view = last = None
        await send("hello", protocol=1, name=name, bot=True)
        async for text in socket:
            frame = json.loads(text)
            kind, view = frame["type"], frame.get("view") or view
            if kind == "welcome":
                await (send("join", match=int(match)) if match else send("queue", ruleset="tactics"))
            elif kind == "joined":
                match, seat = frame["match"], frame["seat"]
            elif kind == "hints":
                await send("submit", match=match, turn=frame["turn"], command_id=f"t{frame['turn']}-"
                           f"{random.random()}", commands=choose(view, frame["commands"]))
            elif kind == "over":
                return print("won" if frame["winner"] == seat else "did not win", frame["reason"])
            elif kind == "error" and "retry_ms" not in frame:
                sys.exit(f"{frame['code']}: {frame['message']}")
            elif kind == "error":  # too fast, or the server is busy
                await asyncio.sleep(frame["retry_ms"] / 1000)
                await socket.send(last)
            elif seat in frame.get("turn_open", {}).get("owing", ()):
                await send("hints", match=match)

asyncio.run(play(*sys.argv[1:]))
