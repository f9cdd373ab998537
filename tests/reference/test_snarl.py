#!/usr/bin/env python3
"""Cases for the snarl reference itself: a wrong reference would make the comparison useless."""

import random
import unittest

import generate_snarl
import snarl
from chance import Stream

LAYOUT = {"#": 0, "+": 2}


def level(*rows, **others):
    """Drawn: one room; A-D heroes, z and g adversaries in reading order, k key, x exit."""
    found = {letter: [[row, column] for row, line in enumerate(rows) for column, tile in enumerate(line)
                      if tile == letter] for letter in "ABCDkx"}
    adversaries = [{"kind": {"z": "zombie", "g": "ghost"}[tile], "at": [row, column]}
                   for row, line in enumerate(rows) for column, tile in enumerate(line) if tile in "zg"]
    return {"rooms": [{"origin": [0, 0], "bounds": {"rows": len(rows), "columns": len(rows[0])},
                       "layout": [[LAYOUT.get(tile, 1) for tile in line] for line in rows]}],
            "hallways": [],
            "objects": [{"type": kind, "position": point} for kind, letter in (("key", "k"), ("exit", "x"))
                        for point in found[letter]],
            "starts": {"heroes": [point for letter in "ABCD" for point in found[letter]],
                       "adversaries": adversaries}, **others}


def resolve(levels, commands=None, heroes=1, **members):
    options = {name: members.pop(name) for name in list(members) if name in snarl.DEFAULTS}
    request = {"ruleset": "snarl", "params": {"heroes": list("ABCD"[:heroes]), "levels": levels, **options}, **members}
    if commands is not None:
        request["commands"] = commands
    return snarl.resolve(request)


def move(x, y, **others):
    return {"kind": "move", "to": [x, y], **others}


STAY = {"kind": "move", "to": None}


def words(answer):
    return [[(verdict["verdict"], verdict.get("check")) for verdict in given] for given in answer["verdicts"]]


def kinds(answer):
    return [event["kind"] for event in answer["events"]]


class Moves(unittest.TestCase):
    SMALL = level("######", "#A.#x#", "#.#..#", "#....+", "######")

    def verdict(self, x, y):
        return words(resolve([self.SMALL], [[move(x, y)]], adversaries="idle"))[0][0]

    def test_verdicts_of_heroes(self):
        self.assertEqual(self.verdict(1, 3), ("ok", None))
        self.assertEqual(self.verdict(2, 1), ("ok", None))
        self.assertEqual(self.verdict(2, 2), ("not_traversable", "tile"))
        self.assertEqual(self.verdict(3, 1), ("not_traversable", "tile"))
        self.assertEqual(self.verdict(3, 2), ("too_far", "distance"))
        self.assertEqual(self.verdict(1, -1), ("too_far", "distance"))
        self.assertEqual(self.verdict(0, 1), ("not_traversable", "tile"))

    def test_verdicts_of_adversaries(self):
        room = level("######", "#A.x.#", "#...z+", "#..gz#", "######")
        first = resolve([room], [[STAY], []], mode="versus")
        self.assertEqual(first["state"]["active"], {"unit": "zombie-1"})
        for command, expected in ((move(5, 2), ("door", "door")), (move(4, 3), ("occupied", "interaction")),
                                  (move(4, 4), ("too_far", "distance")), (STAY, ("must_move", "must_move")),
                                  (move(3, 2), ("ok", None))):
            answer = resolve([room], [[], [command]], mode="versus", state=first["state"], turn=1)
            self.assertEqual(words(answer)[1][0], expected)

    def test_key_then_exit_on_arrival(self):
        room = level("#####", "#Akx#", "#####")
        answer = resolve([room], [[move(2, 1), move(3, 1)]])
        self.assertEqual(kinds(answer), ["moved", "took_key", "moved", "exited", "level_ended", "game_ended"])
        self.assertEqual(answer["outcome"], {"winner": 0, "reason": "won"})
        self.assertEqual(answer["turn"], 2)

    def test_a_locked_exit_is_told_each_time_but_not_in_version_1(self):
        room = level("#####", "#Ax##", "#.k##", "#####")
        for version, told in ((1, []), (2, ["exit_locked"])):
            answer = resolve([room], [[move(2, 1), STAY]], version=version)
            self.assertEqual(kinds(answer), ["moved", *told, *told])

    def test_an_adversary_comes_before_key_and_exit(self):
        room = level("#####", "#Az##", "##x##")
        room["objects"].append({"type": "key", "position": [1, 2]})
        answer = resolve([room], [[move(2, 1)]], adversaries="idle")
        self.assertEqual(kinds(answer), ["moved", "expelled", "level_ended", "game_ended"])
        self.assertEqual(answer["outcome"], {"winner": None, "reason": "lost"})


class Passing(unittest.TestCase):
    def test_adversaries_of_the_server_follow_the_last_hero(self):
        room = level("######", "#AB.x#", "#....#", "#...z#", "######")
        first = resolve([room], [[STAY], []], heroes=2)
        self.assertEqual((kinds(first), first["owing"]), ([], [1]))
        second = resolve([room], [[], [STAY]], heroes=2, state=first["state"], turn=1)
        self.assertEqual(second["events"], [{"kind": "moved", "unit": "zombie-1", "from": [4, 3], "to": [4, 2]}])
        self.assertEqual((second["state"]["round"], second["owing"]), (2, [0]))

    def test_the_round_limit(self):
        room = level("######", "#A..x#", "######")
        answer = resolve([room, room], [[STAY]], round_limit=1)
        self.assertEqual([event.get("by", event.get("why")) for event in answer["events"][:2]],
                         ["round_limit", "round_limit"])
        self.assertEqual(answer["outcome"]["reason"], "lost")

    def test_who_leaves_comes_first(self):
        room = level("######", "#AB.x#", "######")
        answer = resolve([room], [[move(1, 1)], [{"kind": "resign"}]], heroes=2)
        self.assertEqual(words(answer), [[("ok", None)], [("ok", None)]])
        self.assertEqual((answer["turn"], answer["owing"]), (2, [0]))

    def test_all_leave(self):
        room = level("######", "#AB.x#", "######")
        answer = resolve([room], [[{"kind": "resign"}], [{"kind": "abandon"}]], heroes=2)
        self.assertEqual(answer["outcome"], {"winner": None, "reason": "lost"})
        self.assertEqual(answer["turn"], 2)


class Levels(unittest.TestCase):
    def test_each_fault_is_one(self):
        good = level("######", "#A..x#", "######")
        self.assertIsNone(snarl.check_level(good, 1, 1))
        for change in ({"objects": []}, {"objects": good["objects"] * 2}, {"rooms": good["rooms"] * 2},
                       {"hallways": [{"from": [1, 1], "to": [1, 2], "waypoints": []}]},
                       {"starts": {"heroes": []}}, {"starts": {"heroes": [[0, 0]]}},
                       {"starts": {"heroes": [[1, 1]], "adversaries": [{"kind": "ghost", "at": [1, 1]}]}}):
            self.assertIsNotNone(snarl.check_level({**good, **change}, 1, 1), change)

    def test_numbers_of_adversaries(self):
        room = level("########", "#......#", "#x.....#", "########")
        del room["starts"]
        found = [len(snarl.Level(room, number, 1).adversaries) for number in range(1, 8)]
        self.assertEqual(found, [1, 2, 3, 4, 5, 6, 7])
        self.assertEqual([name for name, _, _ in snarl.Level(room, 5, 1).adversaries],
                         ["zombie-1", "zombie-2", "zombie-3", "ghost-1", "ghost-2"])

    def test_random_levels_are_sound(self):
        rng = random.Random(5)
        for _ in range(30):
            self.assertIsNone(snarl.check_params(generate_snarl.make_params(rng)))


class Chance(unittest.TestCase):
    def test_the_generator_is_chacha20(self):
        """RFC 8439, 2.3.2, with its nonce's words as turn and label."""
        stream = Stream(bytes(range(32)).hex(), 0x4a000000, 0)
        stream.blocks = 1
        stream.tail = (0x09000000, 0x4a000000, 0)
        self.assertEqual([stream.next() for _ in range(4)], [0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3])

    def test_bounds_are_kept(self):
        stream = Stream("00" * 8, 3, 1)
        self.assertEqual({stream.below(3) for _ in range(100)}, {0, 1, 2})


if __name__ == "__main__":
    unittest.main()
