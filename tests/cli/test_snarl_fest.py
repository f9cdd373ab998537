"""snarl-fest: the course's questions about rooms, levels, states and whole games."""

import json
import os
import subprocess
import unittest

from skirmish import PROGRAM, TIME_LIMIT_S

FEST = os.path.join(os.path.dirname(PROGRAM), "snarl-fest")


def run(kind, text):
    return subprocess.run([FEST, kind], input=text.encode(), capture_output=True, timeout=TIME_LIMIT_S, check=False)


def ask(kind, *question):
    done = run(kind, json.dumps(question))
    assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
    return json.loads(done.stdout)


def room(row, column, *rows):
    """Drawn: # wall, . floor, + door."""
    return {"type": "room", "origin": [row, column], "bounds": {"rows": len(rows), "columns": len(rows[0])},
            "layout": [["#.+".index(tile) for tile in line] for line in rows]}


def hallway(start, end, *waypoints):
    return {"type": "hallway", "from": start, "to": end, "waypoints": list(waypoints)}


def key(row, column):
    return {"type": "key", "position": [row, column]}


def exit_at(row, column):
    return {"type": "exit", "position": [row, column]}


# A room in each corner, three of them joined by hallways.
WEST = room(2, 0, "#####", "#...#", "#...+", "##+##")
NORTH = room(0, 11, "######", "#....#", "+....#", "######")
SOUTH = room(9, 9, "##+##", "#...#", "#...#", "#####")
EAST = room(8, 20, "###", "#.#", "###")
HALLS = [hallway([4, 4], [2, 11], [4, 7], [2, 7]), hallway([5, 2], [9, 11], [7, 2], [7, 11])]


def level(*objects, rooms=(WEST, NORTH, SOUTH, EAST), halls=HALLS):
    return {"type": "level", "rooms": list(rooms), "hallways": list(halls), "objects": list(objects)}


def actor(kind, name, row, column):
    return {"type": kind, "name": name, "position": [row, column]}


class Rooms(unittest.TestCase):
    def test_neighbours_that_are_not_walls_can_be_reached(self):
        cases = (([4, 2], [[3, 2], [4, 1], [4, 3], [5, 2]]), ([3, 1], [[3, 2], [4, 1]]),
                 ([4, 4], [[4, 3]]), ([5, 2], [[4, 2]]), ([2, 0], []), ([2, 2], [[3, 2]]), ([5, 1], [[4, 1], [5, 2]]))
        for point, ways in cases:
            with self.subTest(point=point):
                self.assertEqual(ask("room", WEST, point), [
                    "Success: Traversable points from ", point, " in room at ", [2, 0], " are ", ways])

    def test_a_point_outside_the_room_is_reported(self):
        for point in ([1, 2], [6, 2], [4, 5], [4, -1], [-1, -1], [2147483647, 0]):
            with self.subTest(point=point):
                self.assertEqual(ask("room", WEST, point), ["Failure: Point ", point, " is not in room at ", [2, 0]])

    def test_a_room_of_one_tile_leads_nowhere(self):
        self.assertEqual(ask("room", room(7, 9, "."), [7, 9])[-1], [])


class Levels(unittest.TestCase):
    def expect(self, point, traversable, thing, kind, reachable):
        answer = ask("level", level(exit_at(1, 12), key(7, 5)), point)
        answer["reachable"].sort()
        self.assertEqual(answer, {"traversable": traversable, "object": thing, "type": kind,
                                  "reachable": sorted(reachable)})

    def test_each_tile_is_described(self):
        cases = (
            ("floor", [3, 1], True, None, "room", [[0, 11], [9, 9]]),
            ("a wall counts as room", [2, 0], False, None, "room", [[0, 11], [9, 9]]),
            ("so does a door", [4, 4], True, None, "room", [[0, 11], [9, 9]]),
            ("the exit", [1, 12], True, "exit", "room", [[2, 0]]),
            ("a key in a hallway", [7, 5], True, "key", "hallway", [[2, 0], [9, 9]]),
            ("the corner of a hallway", [2, 7], True, None, "hallway", [[0, 11], [2, 0]]),
            ("a room without a door", [9, 21], True, None, "room", []),
            ("void between", [6, 6], False, None, "void", []),
            ("void off the level", [-3, 99], False, None, "void", []),
            ("void as far as numbers go", [2147483647, -2147483648], False, None, "void", []),
        )
        for label, *expected in cases:
            with self.subTest(label):
                self.expect(*expected)

    def test_crossing_hallways_both_count(self):
        crossing = level(rooms=(WEST, NORTH, SOUTH), halls=[
            hallway([4, 4], [2, 11], [4, 8], [2, 8]), hallway([5, 2], [9, 11], [6, 2], [6, 6], [3, 6], [3, 8],
                                                              [7, 8], [7, 11])])
        answer = ask("level", crossing, [4, 8])
        self.assertEqual(sorted(answer["reachable"]), [[0, 11], [2, 0], [9, 9]])

    def test_a_hallway_back_to_the_same_room(self):
        ring = level(rooms=[room(2, 2, "#+#", "+.#", "###")],
                     halls=[hallway([2, 3], [3, 2], [1, 3], [1, 1], [3, 1])])
        self.assertEqual(ask("level", ring, [3, 3])["reachable"], [[2, 2]])
        self.assertEqual(ask("level", ring, [1, 2])["reachable"], [[2, 2]])

    def test_several_hallways_to_one_room_name_it_once(self):
        twice = level(rooms=(WEST, NORTH, SOUTH), halls=[*HALLS, hallway([5, 2], [9, 11], [8, 2], [8, 11])])
        self.assertEqual(sorted(ask("level", twice, [3, 1])["reachable"]), [[0, 11], [9, 9]])

    def test_types_may_be_missing_and_objects_too(self):
        bare = json.loads(json.dumps(level()))
        for part in (bare, *bare["rooms"], *bare["hallways"]):
            del part["type"]
        self.assertEqual(ask("level", bare, [1, 12])["object"], None)


def state(players, adversaries, locked, *objects):
    return {"type": "state", "level": level(*objects), "players": players, "adversaries": adversaries,
            "exit-locked": locked}


ADA, BOB = actor("player", "ada", 3, 1), actor("player", "Bob the 2nd \u00fc", 3, 3)
ZOE = actor("zombie", "zoe", 4, 1)


class States(unittest.TestCase):
    def before(self, locked=True, *objects):
        return state([ADA, BOB], [ZOE], locked, *(objects or (key(3, 2), exit_at(1, 12))))

    def test_an_unknown_player_is_reported(self):
        for name in ("eve", "zoe", "", "ADA"):
            with self.subTest(name=name):
                self.assertEqual(ask("state", self.before(), name, [3, 2]),
                                 ["Failure", "Player ", name, " is not a part of the game."])

    def test_nobody_plays(self):
        self.assertEqual(ask("state", state([], [], False, exit_at(1, 12)), "ada", [3, 2]),
                         ["Failure", "Player ", "ada", " is not a part of the game."])

    def test_a_tile_that_nobody_can_stand_on(self):
        for point in ([2, 0], [6, 6], [-1, 0], [3, 3]):
            with self.subTest(point=point):
                self.assertEqual(ask("state", self.before(), "ada", point),
                                 ["Failure", "The destination position ", point, " is invalid."])

    def test_a_plain_move_of_any_distance(self):
        for point in ([1, 14], [2, 7], [9, 21], [5, 2], [3, 1]):
            with self.subTest(point=point):
                after = {**self.before(), "players": [actor("player", "ada", *point), BOB]}
                self.assertEqual(ask("state", self.before(), "ada", point), ["Success", after])

    def test_the_key_is_taken(self):
        after = state([actor("player", "ada", 3, 2), BOB], [ZOE], False, exit_at(1, 12))
        self.assertEqual(ask("state", self.before(), "ada", [3, 2]), ["Success", after])

    def test_staying_on_the_key_takes_it(self):
        before = state([actor("player", "ada", 3, 2)], [], True, exit_at(1, 12), key(3, 2))
        after = state([actor("player", "ada", 3, 2)], [], False, exit_at(1, 12))
        self.assertEqual(ask("state", before, "ada", [3, 2]), ["Success", after])

    def test_the_locked_exit_is_a_tile_like_any_other(self):
        after = {**self.before(), "players": [actor("player", "ada", 1, 12), BOB]}
        self.assertEqual(ask("state", self.before(), "ada", [1, 12]), ["Success", after])

    def test_locked_without_a_key_is_still_locked(self):
        before = self.before(True, exit_at(1, 12))
        after = {**before, "players": [actor("player", "ada", 1, 12), BOB]}
        self.assertEqual(ask("state", before, "ada", [1, 12]), ["Success", after])

    def test_a_player_leaves_by_the_unlocked_exit(self):
        before = self.before(False, exit_at(1, 12))
        after = {**before, "players": [BOB]}
        self.assertEqual(ask("state", before, "ada", [1, 12]), ["Success", "Player ", "ada", " exited.", after])

    def test_unlocked_with_the_key_still_there(self):
        before = self.before(False)
        after = {**before, "players": [ADA]}
        self.assertEqual(ask("state", before, BOB["name"], [1, 12]),
                         ["Success", "Player ", BOB["name"], " exited.", after])

    def test_an_adversary_ejects(self):
        after = {**self.before(), "players": [BOB]}
        self.assertEqual(ask("state", self.before(), "ada", [4, 1]),
                         ["Success", "Player ", "ada", " was ejected.", after])

    def test_an_adversary_on_the_key_or_the_exit_ejects_first(self):
        for locked, thing in ((True, key(4, 1)), (False, exit_at(4, 1))):
            with self.subTest(thing=thing):
                before = self.before(locked, thing, exit_at(1, 12) if locked else key(1, 12))
                self.assertEqual(ask("state", before, "ada", [4, 1]),
                                 ["Success", "Player ", "ada", " was ejected.", {**before, "players": [BOB]}])

    def test_the_last_player_may_leave(self):
        before = state([ADA], [ZOE], False, exit_at(1, 12))
        self.assertEqual(ask("state", before, "ada", [4, 1])[-1]["players"], [])

    def test_an_object_may_lie_anywhere(self):
        before = self.before(True, key(6, 6), exit_at(2, 0))
        self.assertEqual(ask("state", before, "ada", [3, 2])[0], "Success")


def moves(*points):
    return [{"type": "move", "to": point} for point in points]


def play(names, positions, rounds, moves_of_each, *objects):
    final, trace = ask("manager", list(names), level(*objects), rounds, positions, moves_of_each)
    updates = [entry for entry in trace if len(entry) == 2]
    log = [(name, move["to"], word) for name, move, word in (entry for entry in trace if len(entry) == 3)]
    return final, trace, updates, log


def places(final):
    return {player["name"]: player["position"] for player in final["players"]}


class Managers(unittest.TestCase):
    def test_no_round_is_played(self):
        final, trace, updates, log = play(["ada"], [[3, 1]], 0, [moves([3, 2])], exit_at(1, 12))
        self.assertEqual((len(trace), log, places(final)), (1, [], {"ada": [3, 1]}))
        self.assertEqual(updates[0][1]["layout"], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 1],
                                                   [0, 0, 1, 1, 1], [0, 0, 0, 2, 0]])

    def test_rounds_are_used_up(self):
        _, _, updates, log = play(["ada", "bob"], [[3, 1], [3, 3]], 2,
                                  [moves([4, 1], [3, 1], [4, 1]), moves(None, [4, 3], [3, 3])], exit_at(1, 12))
        self.assertEqual(log, [("ada", [4, 1], "OK"), ("bob", None, "OK"), ("ada", [3, 1], "OK"),
                               ("bob", [4, 3], "OK")])
        self.assertEqual([name for name, _ in updates], ["ada", "bob"] * 5)

    def test_invalid_moves_are_logged_until_one_is_valid(self):
        _, _, updates, log = play(["ada"], [[3, 1]], 1,
                                  [moves([3, 0], [9, 9], [2, 2], [5, 1], [3, 3], [4, 2])], exit_at(1, 12))
        self.assertEqual(log, [("ada", [3, 0], "Invalid"), ("ada", [9, 9], "Invalid"), ("ada", [2, 2], "Invalid"),
                               ("ada", [5, 1], "Invalid"), ("ada", [3, 3], "OK")])
        self.assertEqual(len(updates), 2)

    def test_a_list_that_ends_with_invalid_moves_ends_the_game(self):
        final, trace, updates, log = play(["ada", "bob"], [[3, 1], [3, 3]], 9,
                                          [moves([3, 2]), moves([3, 2], [8, 8])], exit_at(1, 12))
        self.assertEqual(log, [("ada", [3, 2], "OK"), ("bob", [3, 2], "Invalid"), ("bob", [8, 8], "Invalid")])
        self.assertEqual(len(updates), 4)
        self.assertEqual(trace[-1][2], "Invalid")
        self.assertEqual(places(final), {"ada": [3, 2], "bob": [3, 3]})

    def test_more_rounds_than_moves(self):
        _, _, updates, log = play(["ada"], [[3, 1]], 99, [moves([3, 2], [3, 3])], exit_at(1, 12))
        self.assertEqual(len(log), 2)
        self.assertEqual(len(updates), 3)

    def test_no_moves_at_all(self):
        _, trace, updates, _ = play(["ada", "bob"], [[3, 1], [3, 3]], 9, [[], []], exit_at(1, 12))
        self.assertEqual((len(trace), len(updates)), (2, 2))

    def test_key_exit_and_eject_are_logged(self):
        final, _, updates, log = play(
            ["ada", "bob", "cyd"], [[3, 1], [3, 3], [1, 13], [1, 14]], 9,
            [moves([3, 2], [4, 3], [4, 3]), moves(None, None, None), moves([1, 12], [1, 12], [1, 12])],
            key(3, 2), exit_at(1, 12))
        self.assertEqual(log, [("ada", [3, 2], "Key"), ("bob", None, "OK"), ("cyd", [1, 12], "Exit"),
                               ("ada", [4, 3], "OK"), ("bob", None, "OK"), ("ada", [4, 3], "OK"), ("bob", None, "OK")])
        self.assertEqual([name for name, _ in updates[-4:]], ["ada", "bob"] * 2)
        self.assertEqual(final["exit-locked"], False)
        self.assertEqual(final["level"]["objects"], [exit_at(1, 12)])

    def test_a_player_waiting_on_the_locked_exit_leaves_once_it_is_unlocked(self):
        final, _, _, log = play(["ada", "bob"], [[1, 13], [3, 3]], 3,
                                [moves([1, 12], None, None), moves(None, [3, 2])], key(3, 2), exit_at(1, 12))
        self.assertEqual(log, [("ada", [1, 12], "OK"), ("bob", None, "OK"), ("ada", None, "OK"), ("bob", [3, 2], "Key"),
                               ("ada", None, "Exit")])
        self.assertEqual(places(final), {"bob": [3, 2]})

    def test_everybody_is_ejected(self):
        final, _, updates, log = play(["ada", "bob"], [[3, 1], [3, 3], [3, 2], [1, 13]], 9,
                                      [moves([3, 2]), moves([3, 2])], exit_at(1, 12))
        self.assertEqual(log, [("ada", [3, 2], "Eject"), ("bob", [3, 2], "Eject")])
        self.assertEqual([name for name, _ in updates], ["ada", "bob", "bob"])
        self.assertEqual(final["players"], [])
        self.assertEqual([adversary["position"] for adversary in final["adversaries"]], [[3, 2], [1, 13]])

    def test_an_update_shows_what_is_within_two_tiles(self):
        _, _, updates, _ = play(["ada", "bob", "cyd"], [[3, 1], [4, 3], [1, 14], [3, 3], [4, 1], [9, 21]], 0,
                                [[], [], []], exit_at(3, 2), key(5, 2))
        name, update = updates[0]
        self.assertEqual(name, "ada")
        self.assertEqual(update["position"], [3, 1])
        self.assertEqual(update["objects"], [exit_at(3, 2), key(5, 2)])
        self.assertEqual([(seen["type"] == "player", seen["position"]) for seen in update["actors"]],
                         [(True, [4, 3]), (False, [3, 3]), (False, [4, 1])])
        self.assertEqual(update["actors"][0]["name"], "bob")
        self.assertEqual(updates[2][1]["actors"], [])

    def test_without_a_key_the_exit_is_open(self):
        final, _, _, log = play(["ada"], [[1, 13]], 1, [moves([1, 12])], exit_at(1, 12))
        self.assertEqual(log, [("ada", [1, 12], "Exit")])
        self.assertEqual(final["exit-locked"], False)

    def test_names_are_any_text(self):
        final, _, updates, log = play(["x" * 80, "\u00e4 \"b\"\n"], [[3, 1], [3, 3]], 1, [moves(None), moves(None)],
                                      exit_at(1, 12))
        self.assertEqual([name for name, _ in updates], ["x" * 80, "\u00e4 \"b\"\n"] * 3)
        self.assertEqual(set(places(final)), {"x" * 80, "\u00e4 \"b\"\n"})

    def test_nobody_plays(self):
        final, trace, _, _ = play([], [[3, 1]], 5, [], exit_at(1, 12))
        self.assertEqual((final["players"], trace), ([], []))


class Programs(unittest.TestCase):
    def test_white_space_does_not_matter(self):
        text = json.dumps([WEST, [3, 1]], indent=7).replace(",", " \t,\r\n ")
        done = run("room", "\n\n  " + text + "\n \t\n")
        self.assertEqual(json.loads(done.stdout)[1], [3, 1])

    def test_input_that_cannot_be_answered_is_an_error(self):
        overlapping = level(exit_at(1, 12), rooms=(WEST, WEST))
        cases = (("room", ""), ("room", "{"), ("room", "[]"), ("room", "[{},[1,1]]"), ("room", json.dumps([WEST, [1]])),
                 ("room", json.dumps([WEST, ["a", 1]])), ("level", json.dumps([overlapping, [1, 1]])),
                 ("state", json.dumps([{}, "ada", [1, 1]])), ("manager", json.dumps([["ada"], level(), 1, [], []])))
        for kind, text in cases:
            with self.subTest(kind=kind, text=text[:40]):
                done = run(kind, text)
                self.assertEqual((done.returncode, done.stdout), (1, b""))
                self.assertTrue(done.stderr.startswith(b"snarl-fest: "), done.stderr)

    def test_an_unknown_question_is_explained(self):
        done = subprocess.run([FEST], capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"room|level|state|manager", done.stderr)
        self.assertEqual(subprocess.run([FEST, "--help"], capture_output=True, check=False).returncode, 0)


if __name__ == "__main__":
    unittest.main()
