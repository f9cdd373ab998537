#!/usr/bin/env python3
"""Learns to play racers better than chance: train.py [--rounds N] [--seed N]

The policy is as simple as can be: a weight for each action, whatever the board looks like. Each round
plays a batch of matches against a player who chooses at random, and makes the actions of the winner's
matches more likely, those of the others less (REINFORCE). The default takes about a minute.
"""
import argparse
import math
import random
from array import array

from skirmish import RUNNING, WON, Batch

MATCHES = 32
STEPS_MAX = 400
RATE = 0.3


def choose(mask, weights, chance):
    """One of the allowed actions, by its weight."""
    allowed = [action for action, bit in enumerate(mask) if bit and action > 0]
    if not allowed:
        return 0
    return chance.choices(allowed, [math.exp(weights[action]) for action in allowed])[0]


def play(batch, weights, chance):
    """Plays until every match was over once; (action counts, won) of each.  The learner has seat 0."""
    actions, seats = batch.mask_shape[2], batch.seats
    equal = [0.0] * actions
    counts = [[0] * actions for _ in range(batch.count)]
    results = [None] * batch.count
    batch.reset(chance.getrandbits(32))
    for _ in range(STEPS_MAX):
        for place in range(batch.count * seats):
            match, seat = divmod(place, seats)
            is_learner = seat == 0
            action = 0
            if results[match] is None:
                mask = batch.masks[place * actions:(place + 1) * actions]
                action = choose(mask, weights if is_learner else equal, chance)
                counts[match][action] += is_learner
            batch.actions[place] = action
        batch.step()
        for match, outcome in enumerate(batch.outcomes):
            if outcome != RUNNING and results[match] is None:
                results[match] = outcome == WON
        if None not in results:
            break
    return [(counts[match], bool(results[match])) for match in range(batch.count)]


def learn(weights, played):
    average = sum(won for _, won in played) / len(played)
    for counts, won in played:
        total = sum(counts[1:]) or 1
        for action, count in enumerate(counts):
            if action > 0 and count > 0:
                weights[action] += RATE * (won - average) * count / math.sqrt(total)


def wins(batch, weights, chance, rounds=4):
    played = [won for _ in range(rounds) for _, won in play(batch, weights, chance)]
    return 100 * sum(played) / len(played)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with Batch("racers", MATCHES) as batch:
        weights = [0.0] * batch.mask_shape[2]
        print(f"before: wins {wins(batch, weights, random.Random(0)):5.1f}%")
        for _ in range(options.rounds):
            learn(weights, play(batch, weights, chance))
        print(f"after {options.rounds} rounds: wins {wins(batch, weights, random.Random(0)):5.1f}%")
        kinds = batch.game.description["action"]["kinds"]
        for action in sorted(range(len(weights)), key=lambda action: -weights[action])[:3]:
            kind, *members = batch.game.action_rows(array("i", [action]))
            print(f"likes {kinds[kind - 1]['kind']} {members}")


if __name__ == "__main__":
    main()
