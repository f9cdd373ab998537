#!/usr/bin/env python3
"""Cases for the reference itself: a wrong reference would make the comparison useless."""

import copy
import itertools
import random
import unittest

import generate_halma
import halma
from generate import make_broken


def cells(text):
    """"1,2 3,4" as a list of cells."""
    return [[int(part) for part in cell.split(",")] for cell in text.split()]


def make_params(host, guest, **others):
    """A board of 8 with pieces at these cells; destinations are far away."""
    return {"size": 8, "pieces": [cells(host), cells(guest)], "destinations": [[[7, 7]], [[7, 6]]], **others}


def make_commands(*texts):
    """One text per seat: "a1 2,3 4,5; timeout"."""
    return [[{"kind": text.strip()} if " " not in text.strip() else
             {"unit": text.split()[0], "kind": "move", "path": cells(" ".join(text.split()[1:]))}
             for text in given.split(";") if text.strip()] for given in texts]


def make_state(params, faults=(0, 0), **damages):
    state = halma.first_state(halma.fill_in(params))
    for unit in state["units"]:
        unit["damage"] = damages.get(unit["id"], 0)
    return {**state, "faults": list(faults)}


def resolve(params, host, guest, **others):
    return halma.resolve({"ruleset": "halma", "params": params, "commands": make_commands(host, guest), **others})


def places(answer):
    return {unit["id"]: tuple(unit["at"]) for unit in answer["state"]["units"]}


def damages(answer):
    return {unit["id"]: unit["damage"] for unit in answer["state"]["units"] if unit["damage"]}


class DefaultsTest(unittest.TestCase):
    def test_the_default_board_is_that_of_the_rules(self):
        state = halma.resolve({"ruleset": "halma", "params": {}})["state"]
        self.assertEqual([unit["id"] for unit in state["units"]],
                         ["%s%d" % (letter, number) for letter in "ab" for number in range(1, 13)])
        self.assertEqual([unit["at"] for unit in state["units"]][:4], [[0, 14], [1, 14], [2, 14], [0, 15]])
        self.assertEqual(state["units"][12]["at"], [15, 14])
        self.assertEqual(state["units"][-1]["at"], [17, 17])
        self.assertEqual(halma.DEFAULTS["destinations"][0][0], [15, 0])
        self.assertEqual([len(given) for given in halma.DEFAULTS["destinations"]], [9, 9])

    def test_every_breaker_of_the_generator_breaks_a_request(self):
        params = make_params("1,1 2,1 1,2", "5,5 6,5 5,6")
        request = {"ruleset": "halma", "params": params, "state": make_state(params), "turn": 3, "commands": [[], []]}
        self.assertNotIn("error", halma.resolve(request))
        for breaker in generate_halma.BREAKERS:
            for seed in range(40):
                with self.subTest(breaker.__name__, seed=seed):
                    self.assertIn("error", halma.resolve(make_broken(random.Random(seed), request, (breaker,))))


class VerdictTest(unittest.TestCase):
    # a1 has a2 beside it and b1 two squares further; a3 is alone, a4 and b3 are in one line, b2 is far away.
    PARAMS = make_params("1,1 2,1 6,1 4,4", "4,1 0,7 4,5 4,6")

    CASES = (
        ("a step", "a1 0,0", "ok"),
        ("holding", "a1 1,1", "ok"),
        ("one jump", "a1 3,1", "ok"),
        ("a chain over own and enemy", "a1 3,1 5,1 7,1", "ok"),
        ("a chain there and back", "a1 3,1 1,1", "ok"),
        ("a chain that ends where it was", "a1 3,1 1,1 3,1 1,1", "ok"),
        ("a chain of a jump and a step", "a1 3,1 3,2", "bad_path path_steps"),
        ("a chain of a jump and a hold", "a1 3,1 3,1", "bad_path path_steps"),
        ("two steps", "a3 6,2 6,3", "bad_path path_steps"),
        ("a knight's leap", "a1 2,3", "bad_path path_steps"),
        ("three squares", "a1 1,4", "bad_path path_steps"),
        ("no squares", "a1 ", "bad_path path_shape"),
        ("nobody in the middle", "a1 1,3", "nothing_to_jump jump_over_piece"),
        ("nobody in the second middle", "a1 3,1 3,3", "nothing_to_jump jump_over_piece"),
        ("onto somebody by a step", "a1 2,1", "occupied landing_free"),
        ("onto somebody over nobody", "a2 4,1", "nothing_to_jump jump_over_piece"),
        ("onto somebody over somebody", "a4 4,6", "occupied landing_free"),
        ("off the board at the end", "a1 3,1 3,-1", "out_of_bounds path_in_bounds"),
        ("off the board after a wrong leg", "a1 5,5 -1,0", "out_of_bounds path_in_bounds"),
        ("an enemy's piece", "b1 4,2", "not_your_unit own_unit"),
        ("nobody's piece", "a5 4,2", "unknown_unit own_unit"),
        ("256 squares", "a1 " + "3,1 1,1 " * 128, "ok"),
        ("257 squares", "a1 " + "3,1 1,1 " * 128 + "3,1", "bad_path path_shape"),
    )

    def test_each_case_gets_its_verdict(self):
        for label, text, expected in self.CASES:
            with self.subTest(label):
                unit, _, path = text.partition(" ")
                given = [[{"unit": unit, "kind": "move", "path": cells(path)}], make_commands("b2 0,6")[0]]
                answer = halma.resolve({"ruleset": "halma", "params": self.PARAMS, "commands": given})
                self.assertEqual(" ".join(answer["verdicts"][0][0].values()), expected)
                reasons = [event["reasons"] for event in answer["events"] if event["kind"] == "not_enacted"]
                self.assertEqual(reasons, [] if expected == "ok" else [[expected.split()[0]]])

    def test_a_damaged_piece_steps_but_does_not_jump(self):
        for path, expected in (("0,0", "ok"), ("1,1", "ok"), ("3,1", "damaged"), ("3,1 5,1", "damaged"),
                               ("1,3", "nothing_to_jump")):
            answer = resolve(self.PARAMS, "a1 " + path, "b2 0,6", state=make_state(self.PARAMS, a1=1))
            self.assertEqual(answer["verdicts"][0][0]["verdict"], expected, path)

    def test_exactly_one_command(self):
        cases = (
            ("a1 0,0; a2 2,2", ["multiple_commands"] * 2), ("a1 0,0; a1 0,0", ["multiple_commands"] * 2),
            ("a1 0,0; zz 0,0", ["multiple_commands"] * 2), ("a1 0,0; timeout", ["ok", "ok"]),
            ("timeout; timeout; a1 0,0", ["ok"] * 3),
        )
        for text, expected in cases:
            answer = resolve(self.PARAMS, text, "b2 0,6")
            self.assertEqual([verdict["verdict"] for verdict in answer["verdicts"][0]], expected, text)


class TurnTest(unittest.TestCase):
    PARAMS = make_params("1,1 2,1", "5,1 4,1")

    def test_one_missing_or_invalid_and_neither_moves(self):
        cases = (
            ("a1 0,0", "", [1], ["missing"], [0, 1]),
            ("a1 0,0", "timeout", [1], ["missing"], [0, 1]),
            ("a1 9,9", "b1 5,2", [0], ["out_of_bounds"], [1, 0]),
            ("", "", [0, 1], ["missing", "missing"], [0, 0]),
            ("a1 2,1", "b1 5,2; b2 4,2", [0, 1], ["occupied", "multiple_commands"], [0, 0]),
        )
        for host, guest, seats, reasons, faults in cases:
            with self.subTest(host=host, guest=guest):
                answer = resolve(self.PARAMS, host, guest)
                self.assertEqual(answer["events"], [{"kind": "not_enacted", "seats": seats, "reasons": reasons}])
                self.assertEqual(answer["state"]["faults"], faults)
                self.assertEqual(places(answer), places({"state": make_state(self.PARAMS)}))
                self.assertEqual(answer["turn"], 1)

    def test_collisions(self):
        cases = (
            ("both come", "a1 3,1", "b1 3,1", {}, [["a1", "b1"]], {"a1": 5, "b1": 5}),
            ("a square in between", "a1 3,1 1,1", "b1 3,1 5,1", {}, [], {}),
            ("different squares", "a1 3,1", "b1 6,1", {}, [], {}),
            ("one was damaged", "a2 3,1", "b1 3,1", {"a2": 1, "b2": 1}, [["a2", "b1"]], {"a2": 5, "b1": 5}),
        )
        for label, host, guest, before, collided, after in cases:
            with self.subTest(label):
                answer = resolve(self.PARAMS, host, guest, state=make_state(self.PARAMS, **before))
                units = [event["units"] for event in answer["events"] if event["kind"] == "collided"]
                self.assertEqual(units, collided)
                self.assertEqual(damages(answer), after)

    def test_two_that_share_a_square_stay_without_harm_and_part_without_harm(self):
        shared = make_state(self.PARAMS, a1=3, b1=1)
        for unit in shared["units"]:
            if unit["id"] in ("a1", "b1"):
                unit["at"] = [6, 6]
        for host, guest in (("a1 6,6", "b1 6,6"), ("a1 6,5", "b1 6,6"), ("a1 6,5", "b1 5,5"), ("a2 2,2", "b1 6,6")):
            answer = resolve(self.PARAMS, host, guest, state=shared)
            self.assertEqual(damages(answer), {"a1": 2}, host)
            self.assertEqual([event["unit"] for event in answer["events"] if event["kind"] == "healed"], ["b1"])
        third = resolve(self.PARAMS, "a1 6,5", "b2 6,6", state={**shared, "units": [
            {**unit, "at": [5, 5]} if unit["id"] == "b2" else unit for unit in shared["units"]]})
        self.assertEqual(third["verdicts"][1][0]["verdict"], "occupied")

    def test_a_piece_misses_exactly_five_enacted_turns_of_jumping(self):
        answer = resolve(self.PARAMS, "a1 3,1", "b1 3,1")
        missed = 0
        while True:
            jump = resolve(self.PARAMS, "a1 1,1", "b2 4,1", state=answer["state"], turn=answer["turn"])
            if jump["verdicts"][0][0]["verdict"] == "ok":
                break
            answer = resolve(self.PARAMS, "a2 2,1", "b2 4,1", state=answer["state"], turn=answer["turn"])
            missed += 1
        self.assertEqual(missed, 5)

    def test_faults_come_and_go(self):
        cases = (
            ([3, 2], "a1 0,0", "b1 6,1", [2, 1], None),
            ([0, 1], "a1 0,0", "b1 6,1", [0, 0], None),
            ([3, 2], "", "", [3, 2], None),
            ([3, 2], "", "b1 6,1", [4, 2], None),
            ([4, 2], "", "b1 6,1", [5, 2], {"winner": 1, "reason": "stalled"}),
            ([4, 4], "a1 0,0", "", [4, 5], {"winner": 0, "reason": "stalled"}),
            ([4, 4], "", "", [4, 4], None),
        )
        for before, host, guest, after, outcome in cases:
            with self.subTest(before=before, host=host, guest=guest):
                answer = resolve(self.PARAMS, host, guest, state=make_state(self.PARAMS, faults=before))
                self.assertEqual(answer["state"]["faults"], after)
                self.assertEqual(answer["outcome"], outcome)

    def test_a_stall_limit_of_0_is_none(self):
        params = {**self.PARAMS, "stall_limit": 0}
        answer = resolve(params, "", "b1 6,1", state=make_state(params, faults=[700, 3]))
        self.assertEqual((answer["state"]["faults"], answer["outcome"]), ([701, 3], None))


class EndTest(unittest.TestCase):
    def test_halmate(self):
        both = {"destinations": [cells("0,0 2,0"), cells("4,0 6,0")]}
        cases = (
            ("one seat", "0,0 1,1", "4,0 6,1", "a2 2,0", "b2 7,1", [0], {"winner": 0, "reason": "halmate"}),
            ("the other", "0,0 1,1", "4,0 6,1", "a2 2,1", "b2 6,0", [1], {"winner": 1, "reason": "halmate"}),
            ("both", "0,0 1,1", "4,0 6,1", "a2 2,0", "b2 6,0", [0, 1], {"winner": None, "reason": "draw_both_halmate"}),
            ("an enemy fills the rest", "1,1 7,7", "0,0 3,3", "a1 2,0", "b2 4,4", [0],
             {"winner": 0, "reason": "halmate"}),
            ("full, but not one is own", "7,7 7,6", "0,0 1,1", "a1 6,7", "b2 2,0", None, None),
            ("one is still free", "0,0 1,1", "4,0 6,1", "a2 2,1", "b2 7,1", None, None),
        )
        for label, host, guest, first, second, seats, outcome in cases:
            with self.subTest(label):
                answer = resolve(make_params(host, guest, **both), first, second)
                self.assertEqual(answer["outcome"], outcome)
                told = [event["seats"] for event in answer["events"] if event["kind"] == "halmate"]
                self.assertEqual(told, [] if seats is None else [seats])

    def test_the_turn_limit_comes_last(self):
        params = make_params("1,1", "5,5", destinations=[[[0, 0]], [[7, 7]]], turn_limit=9)
        cases = (
            (7, "a1 1,2", "b1 5,6", None),
            (8, "a1 1,2", "b1 5,6", "draw_turn_limit"),
            (8, "", "", "draw_turn_limit"),
            (8, "a1 0,0", "b1 5,6", "halmate"),
            (8, "resign", "b1 5,6", "resignation"),
        )
        for turn, host, guest, reason in cases:
            answer = resolve(params, host, guest, turn=turn)
            self.assertEqual(answer["outcome"] and answer["outcome"]["reason"], reason)

    def test_the_outcome_of_a_state_from_outside(self):
        params = make_params("0,0", "5,5", destinations=[[[0, 0]], [[7, 7]]])
        answer = halma.resolve({"ruleset": "halma", "params": params, "turn": 4})
        self.assertEqual((answer["outcome"], answer["owing"], answer["events"]),
                         ({"winner": 0, "reason": "halmate"}, [], []))
        answer = resolve(params, "a1 1,1", "b1 4,4")
        self.assertEqual(answer["verdicts"], [[{"verdict": "match_over"}]] * 2)


class RandomTest(unittest.TestCase):
    """Properties of every turn."""

    MATCHES = 300

    def turns(self):
        for number in range(self.MATCHES):
            match = generate_halma.Match("reference/%d" % number)
            request = match.first_request()
            while request is not None:
                answer = halma.resolve(request)
                if "error" in answer:
                    break
                yield number, request, answer
                request = match.next_request(answer)

    def test_a_request_is_not_changed(self):
        for number, request, answer in itertools.islice(self.turns(), 200):
            before = copy.deepcopy(request)
            self.assertEqual(halma.resolve(request), answer, number)
            self.assertEqual(request, before, number)

    def test_every_answered_state_is_valid_input(self):
        for number, request, answer in self.turns():
            self.assertIsNone(halma.check_state(answer["state"], halma.fill_in(request["params"])), number)

    def test_a_finished_match_does_not_change(self):
        for number, request, answer in self.turns():
            if answer["outcome"] is not None:
                again = halma.resolve({**request, "state": answer["state"], "turn": answer["turn"]})
                for member in ("turn", "state", "outcome"):
                    self.assertEqual(again[member], answer[member], number)


if __name__ == "__main__":
    unittest.main()
