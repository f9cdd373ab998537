#!/usr/bin/env python3
"""Cases for the reference itself: a wrong reference would make the comparison useless."""

import copy
import random
import unittest

import chance
import generate_racers
import racers
from generate import make_broken

PARAMS = {"rows": 10, "cols": 10, "failure_permille": 0}
ITEMS = {"g": "grenade", "d": "disc", "c": "charged_disc"}


def cell(text):
    return [int(part) for part in text.split(",")]


def make_racer(seat, at, performed=0, trail="", carried="", debt=0, skip=0):
    """A trail is "3,3@5 2,3@4~": squares with the action at which they were left, ~ for a hop."""
    entries = [{"at": cell(word.split("@")[0]), "action": int(word.split("@")[1].rstrip("~")), "hop": word[-1] == "~"}
               for word in trail.split()]
    return {"seat": seat, "at": cell(at), "debt": debt, "skip": skip, "performed": performed,
            "carried": [ITEMS[letter] for letter in carried], "trail": entries}


def make_state(host, guest=("9,0", {}), walls="", items="", teleporters="", failures="", active=0, left=3, moved=False):
    return {
        "walls": [cell(word) for word in walls.split()], "starts": [[0, 9], [9, 0]],
        "active": active, "actions_left": left, "moved": moved,
        "racers": [make_racer(0, host[0], **host[1]), make_racer(1, guest[0], **guest[1])],
        "items": [{"kind": "grenade", "at": cell(word), "state": "active"} for word in items.split()],
        "teleporters": [dict(zip(("at", "to"), map(cell, word.split(">")))) for word in teleporters.split()],
        "failures": [{"at": cell(word), "turns_left": 3} for word in failures.split()],
    }


def make_command(word):
    """A direction moves, -de launches a disc east, -g places a grenade, +d picks up a disc."""
    if word in racers.DIRECTIONS:
        return {"kind": "move", "dir": word}
    if word[0] in "+-":
        more = {"dir": word[2:]} if len(word) > 2 else {}
        return {"kind": "pick_up" if word[0] == "+" else "use", "item": ITEMS[word[1]], **more}
    return {"kind": "end_turn", "confirm": True} if word == "end!" else {"kind": word}


def play(state, words, turn=5, **params):
    commands = [[], []]
    commands[state["active"]] = [make_command(word) for word in words.split()]
    return racers.resolve({"ruleset": "racers", "params": {**PARAMS, **params}, "state": state, "turn": turn,
                           "commands": commands})


def say(answer):
    """Verdicts of the active seat, and events in short form."""
    verdicts = [verdict["verdict"] for given in answer["verdicts"] for verdict in given]
    events = []
    for event in answer["events"]:
        tail = event.get("why") or event.get("path") or event.get("actions_lost") or event.get("to") or ""
        events.append(("%s %s" % (event["kind"], str(tail).replace(" ", ""))).strip())
    return " ".join(verdicts), "; ".join(events)


# state, commands, verdicts, events
CASES = {
    "one step": (make_state(("4,4", {})), "n", "ok", "moved [4,3]"),
    "off the grid": (make_state(("0,4", {})), "w", "out_of_bounds", ""),
    "a wall": (make_state(("4,4", {}), walls="4,3"), "n", "wall", ""),
    "the other": (make_state(("4,4", {}), ("4,3", {})), "n", "occupied", ""),
    "own trail, k - j = 2": (make_state(("4,4", {"performed": 5, "trail": "5,5@5 4,5@4"})), "s", "trail", ""),
    "own trail, k - j = 3": (make_state(("4,4", {"performed": 5, "trail": "5,4@5 5,5@4 4,5@3"})), "s", "ok",
                             "moved [4,5]"),
    "the other's trail, K - j = 2": (
        make_state(("4,4", {}), ("6,4", {"performed": 5, "trail": "6,5@5 5,4@4 4,3@3"})), "n", "trail", ""),
    "across head and newest": (make_state(("4,5", {}), ("5,5", {"performed": 1, "trail": "4,4@1"})), "ne",
                               "crosses_trail", ""),
    "across a hop": (make_state(("4,5", {}), ("5,5", {"performed": 1, "trail": "4,4@1~"})), "ne", "ok", "moved [5,4]"),
    "across own second and third": (make_state(("5,4", {"performed": 3, "trail": "6,5@3 5,5@2 4,4@1"})), "sw", "ok",
                                    "moved [4,5]"),
    "unmoved": (make_state(("4,4", {})), "end_turn", "must_move", ""),
    "unmoved with one left": (make_state(("4,4", {"carried": "g"}), left=1), "-g", "must_move", ""),
    "a grenade": (make_state(("4,4", {}), items="4,3"), "n", "ok",
                  "moved [4,3]; exploded 3; turn_passed penalty"),
    "a grenade in the dark": (make_state(("4,4", {}), items="4,3", failures="4,2"), "n", "ok",
                              "moved [4,3]; exploded 4; turn_passed penalty"),
    "the dark": (make_state(("4,4", {}), failures="4,2"), "n", "ok",
                 "moved [4,3]; powered_out; turn_passed power_failure"),
    "a disc": (make_state(("2,4", {"carried": "d"})), "-de", "ok", "launched [[2,4],[3,4],[4,4],[5,4],[6,4]]"),
    "a disc into the dark": (make_state(("2,4", {"carried": "d"}), failures="7,4"), "-de", "ok",
                             "launched [[2,4],[3,4],[4,4],[5,4],[6,4]]"),
    "a disc through the dark": (make_state(("2,4", {"carried": "d"}), failures="5,4"), "-de", "ok",
                                "launched [[2,4],[3,4],[4,4],[5,4]]"),
    "a disc in a loop": (
        make_state(("1,7", {"carried": "d"}), teleporters="2,7>2,4 2,4>2,7 3,4>2,4"), "-de", "ok",
        "launched [[1,7],[2,7],[2,4],[3,4],[2,4],[3,4],[2,4]]"),
    "itself": (make_state(("4,4", {"carried": "d"}), teleporters="5,4>3,4 3,4>5,4"), "-de", "ok",
               "launched [[4,4],[5,4],[3,4],[4,4]]; disc_hit; turn_passed penalty"),
    "a teleporter in the dark": (
        make_state(("4,4", {}), teleporters="4,3>8,8 8,8>4,3", failures="4,2", items="8,8"), "n", "ok",
        "moved [4,3]; powered_out; teleported [8,8]; exploded 3; turn_passed power_failure"),
    "a teleporter onto itself": (make_state(("4,4", {}), teleporters="4,3>4,4 4,4>4,3"), "n", "blocked", ""),
    "both owe": (make_state(("4,4", {"debt": 3}), ("9,5", {"debt": 3}), left=1), "n", "ok",
                 "moved [4,3]; turn_passed actions_used; turn_passed penalty; turn_passed penalty"),
    "the finish": (make_state(("8,0", {}), ("5,5", {}), items="9,0", failures="9,0", left=1), "e", "ok",
                   "moved [9,0]; finished"),
    "trapped": (make_state(("0,1", {}), walls="1,0 1,1 1,2"), "n s", "ok match_over", "moved [0,0]; trapped"),
}


class Rules(unittest.TestCase):
    def test_cases(self):
        for label, (state, words, verdicts, events) in CASES.items():
            with self.subTest(label):
                answer = play(state, words)
                self.assertNotIn("error", answer)
                self.assertEqual(say(answer), (verdicts, events))

    def test_penalties_are_carried_over(self):
        answer = play(make_state(("4,4", {}), ("9,5", {"debt": 7}), left=1), "n")
        self.assertEqual([racer["debt"] for racer in answer["state"]["racers"]], [0, 4])
        answer = play(make_state(("4,4", {"debt": 2}), ("9,5", {"skip": 1}), items="4,3"), "n")
        self.assertEqual(answer["state"]["racers"][0]["debt"], 0)
        self.assertEqual((answer["state"]["active"], answer["owing"]), (1, [1]))

    def test_unmoved_loses_and_timeouts_do_not(self):
        answer = play(make_state(("4,4", {})), "end!")
        self.assertEqual(answer["outcome"], {"winner": 1, "reason": "unmoved"})
        answer = play(make_state(("4,4", {})), "timeout")
        self.assertEqual((answer["outcome"], answer["state"]["racers"][0]["performed"]), (None, 3))

    def test_a_finished_state_passes_no_turn_on(self):
        answer = play(make_state(("4,4", {}), left=1), "n", turn=9, turn_limit=10)
        self.assertEqual(answer["outcome"], {"winner": None, "reason": "draw_turn_limit"})
        self.assertEqual((answer["state"]["active"], answer["state"]["actions_left"], answer["turn"]), (0, 0, 10))


class Chance(unittest.TestCase):
    def test_the_block_function_is_that_of_the_rfc(self):
        """RFC 8439, 2.3.2."""
        key = [int.from_bytes(bytes(range(i, i + 4)), "little") for i in range(0, 32, 4)]
        block = chance.make_block((*chance.CONSTANTS, *key, 1, 0x09000000, 0x4A000000, 0))
        self.assertEqual(block[:4], [0xE4E7F110, 0x15593BD1, 0x1FDD0F50, 0xC47120A3])
        self.assertEqual(block[-1], 0x4E3C50A2)


class Generated(unittest.TestCase):
    def test_every_breaker_breaks(self):
        broken = set()
        for number in range(120):
            match = generate_racers.Match("breakers/%d" % number)
            request = match.make_request()
            request.update(state=match.make_state(), commands=[[], []])
            self.assertIsNone(racers.check_request(request))
            for breaker in generate_racers.BREAKERS:
                spoilt = copy.deepcopy(request)
                try:
                    breaker(random.Random(number), spoilt)
                except (IndexError, KeyError):
                    continue
                broken.add(breaker)
                with self.subTest(breaker=breaker.__name__, number=number):
                    self.assertIn("error", racers.resolve(spoilt))
        self.assertEqual(broken, set(generate_racers.BREAKERS))

    def test_broken_requests_are_refused(self):
        for number in range(100):
            match = generate_racers.Match("broken/%d" % number)
            request = {**match.make_request(), "state": match.make_state(), "commands": [[], []]}
            self.assertIn("error", racers.resolve(make_broken(match.rng, request, match.breakers())))


if __name__ == "__main__":
    unittest.main()
