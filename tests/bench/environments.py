"""Steps per second of the Python package through ctypes, on one core: the default match of tactics."""

import os
import random
import sys
import time
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("SKIRMISH_LIBRARY", str(ROOT / "build" / "release" / "lib" / "libskirmish.so.0"))
sys.path.insert(0, str(ROOT / "proto" / "python"))

from skirmish import RUNNING, Batch, Game, parallel_env

MATCHES = 256
RECORDED = 64  # actions are drawn before the clock starts

# Steps per second.
GOALS = {"Game.step_rows, one match": 100000, "Batch with observations": 500000,
         "Batch with observations and masks": 250000}


def rate(step, seconds, each=1):
    """Calls step(number) for so many seconds of this process."""
    number, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(20):
            step(number)
            number += 1
    return number * each / (time.process_time() - began)


def batch_rate(masks, seconds):
    """Actions that the masks allow, as recorded before: the same for both."""
    chance = random.Random(1)
    with Batch("tactics", MATCHES) as batch:
        recorded = []
        for _ in range(RECORDED):
            for place in range(len(batch.actions)):
                mask = batch.masks[place * batch.game.actions:(place + 1) * batch.game.actions]
                at = chance.randrange(len(mask))
                batch.actions[place] = max(mask.find(1, at), 0)
            recorded.append(array("i", batch.actions))
            batch.step()
    with Batch("tactics", MATCHES, masks=masks) as batch:
        def step(number):
            batch.actions[:] = recorded[number % RECORDED]
            batch.step()

        return rate(step, seconds, MATCHES)


def game_rate(seconds):
    with Game("tactics") as game:
        actions = random.Random(1).choices(range(game.actions), k=2 * RECORDED)
        rows = [game.action_rows(array("i", actions[2 * i:2 * i + 2])) for i in range(RECORDED)]

        def step(number):
            game.step_rows(rows[number % RECORDED])
            if game.outcome() != RUNNING:
                game.reset(seed=number)

        return rate(step, seconds)


def env_rate(seconds):
    env = parallel_env("tactics")
    chance = random.Random(1)
    recorded = [{agent: chance.randrange(env.game.actions) for agent in env.possible_agents} for _ in range(RECORDED)]
    env.reset(seed=1)

    def step(number):
        env.step(recorded[number % RECORDED])
        if not env.agents:
            env.reset()

    try:
        return rate(step, seconds)
    finally:
        env.close()


def bench_environments(seconds):
    """Rows (label, steps per second)."""
    print("\nThe Python package: steps of the default match of tactics per second, on one core")
    rows = [("Game.step_rows, one match", game_rate(seconds)),
            ("parallel_env with observations and masks", env_rate(seconds)),
            ("Batch with observations", batch_rate(False, seconds)),
            ("Batch with observations and masks", batch_rate(True, seconds))]
    for label, value in rows:
        print("%-44s %12.0f" % (label, value), flush=True)
    return rows


def goals_of(rows):
    return [(f"steps per second: {label}", value, GOALS[label], value >= GOALS[label]) for label, value in rows
            if label in GOALS]
