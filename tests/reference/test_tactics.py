#!/usr/bin/env python3
"""Cases for the reference itself: a wrong reference would make the comparison useless."""

import copy
import itertools
import random
import unittest

import generate_tactics
import tactics

RING = {"rows": ["xxx", "x x", "xxx"]}
FULL = {"rows": ["xxx", "xxx", "xxx"]}
FAR = {"rows": ["x" * 17] * 17}


def model(health=10, power=4, move=("far",), attack=("far",)):
    return {"description": "", "health": health, "power": power, "move": list(move),
            "attack": list(attack)}


def make_params(*units, patterns=None, models=None, **others):
    """Units are "a1 3 4": an id that begins with a (seat 0) or b (seat 1), x, y, and maybe a model."""
    params = {"patterns": {"far": FAR, **(patterns or {})},
              "models": {"plain": model(), **(models or {})}, "units": [], **others}
    for text in units:
        unit_id, x, y, *named = text.split()
        params["units"].append({"id": unit_id, "model": named[0] if named else "plain",
                                "seat": "ab".index(unit_id[0]), "at": [int(x), int(y)]})
    return params


def make_commands(texts):
    """Commands are "a1 move 3 4", under the seat that `texts` lists them for."""
    return [[{"kind": text} if " " not in text else
             {"unit": text.split()[0], "kind": text.split()[1],
              "target": [int(part) for part in text.split()[2:]]}
             for text in given] for given in texts]


def resolve(params, host=(), guest=(), **others):
    return tactics.resolve({"ruleset": "tactics", "params": params,
                            "commands": make_commands((host, guest)), **others})


def words(answer):
    return [[verdict["verdict"] for verdict in given] for given in answer["verdicts"]]


def checks(answer):
    return [[verdict.get("check") for verdict in given] for given in answer["verdicts"]]


def places(answer):
    return {unit["id"]: tuple(unit["at"]) for unit in answer["state"]["units"]}


def healths(answer):
    return {unit["id"]: unit["health"] for unit in answer["state"]["units"]}


def kinds(answer):
    return [event["kind"] for event in answer["events"]]


class PatternsTest(unittest.TestCase):
    PATTERNS = {
        "empty": {"rows": [" "]},
        "corners": {"rows": ["x x", "   ", "x x"]},
        "deep": {"rows": ["   ", "  I", "   "], "map": {"I": "line"}},
        "line": {"rows": [" x ", " x ", " x "]},
        "deeper": {"rows": ["   ", "  =", "   "], "map": {"=": "pair"}},
        "pair": {"rows": ["-  ", "   ", "-  "], "map": {"-": "flat"}},
        "flat": {"rows": ["   ", "xxx", "   "]},
        "asymmetric": {"rows": ["xxx", "xx ", "x  "]},
    }

    def board(self, name, seat):
        ids = ("a1", "b1") if seat == 0 else ("b1", "a1")
        params = make_params("%s 4 4 user" % ids[0], "%s 0 8" % ids[1], patterns=self.PATTERNS,
                             models={"user": model(attack=[name])})
        self.assertIsNone(tactics.check_params(params))
        params = {**tactics.DEFAULTS, **params}
        return tactics.Board(params, tactics.first_state(params)), ids[0]

    def test_a_pattern_offers_its_non_blank_cells_around_the_unit(self):
        cases = (
            ("empty", 0, set()),
            ("corners", 0, {(3, 3), (5, 3), (3, 5), (5, 5)}),
            ("deep", 0, {(5, 4)}),
            ("deeper", 0, {(5, 4)}),
            ("asymmetric", 0, {(3, 3), (4, 3), (5, 3), (3, 4), (4, 4), (3, 5)}),
            ("asymmetric", 1, {(5, 5), (4, 5), (3, 5), (5, 4), (4, 4), (5, 3)}),
            ("deep", 1, {(3, 4)}),
        )
        for name, seat, expected in cases:
            with self.subTest(name, seat=seat):
                board, unit = self.board(name, seat)
                self.assertEqual(set(board.targets(board.units[unit], name)), expected)

    def test_a_target_affects_the_area_it_is_mapped_to(self):
        cases = (
            ("empty", 0, (4, 3), None),
            ("empty", 0, (12332, -123), None),
            ("corners", 0, (3, 3), [(3, 3)]),
            ("corners", 0, (5, 5), [(5, 5)]),
            ("deep", 0, (5, 4), [(5, 3), (5, 4), (5, 5)]),
            ("deep", 0, (5, 5), None),
            ("deeper", 0, (5, 4), [(3, 3), (4, 3), (5, 3), (3, 5), (4, 5), (5, 5)]),
            ("deeper", 0, (5, 5), None),
            ("deep", 1, (3, 4), [(3, 3), (3, 4), (3, 5)]),
            ("deeper", 1, (3, 4), [(3, 3), (4, 3), (5, 3), (3, 5), (4, 5), (5, 5)]),
            ("deeper", 1, (5, 4), None),
        )
        for name, seat, target, expected in cases:
            with self.subTest(name, seat=seat, target=target):
                board, unit = self.board(name, seat)
                if expected is None:
                    self.assertFalse(board.can_target(board.units[unit], [name], target))
                else:
                    self.assertEqual(board.attack_cells(board.units[unit], target), expected)

    def test_an_area_is_turned_with_its_pattern(self):
        patterns = {"aim": {"rows": [" o ", "   ", "   "], "map": {"o": "hook"}},
                    "hook": {"rows": ["xx ", " x ", "   "]}}
        models = {"user": model(attack=["aim"])}
        for unit, target, expected in (("a1", (4, 3), [(3, 2), (4, 2), (4, 3)]),
                                       ("b1", (4, 5), [(4, 5), (4, 6), (5, 6)])):
            with self.subTest(unit):
                params = {**tactics.DEFAULTS, **make_params("%s 4 4 user" % unit, patterns=patterns, models=models)}
                board = tactics.Board(params, tactics.first_state(params))
                self.assertEqual(board.attack_cells(board.units[unit], target), expected)

    def test_bad_patterns_are_refused_each_with_its_reason(self):
        flat_missing = {name: self.PATTERNS[name] for name in ("deeper", "pair")}
        full = {"rows": ["x" * 63] * 63}
        four = {"rows": ["   ", " xx", " xx"], "map": {"x": "full"}}
        # One cell at (-32, -32), which the 64 x 64 of `four` does not hold.
        extra = {"rows": ["x" + " " * 62] + [" " * 63] * 62, "map": {"x": "step"}}
        both = {"rows": ["o" + " " * 62] + [" " * 63] * 30 + [" " * 31 + "x" + " " * 31] + [" " * 63] * 31,
                "map": {"x": "four", "o": "step"}}
        step = {"rows": ["x  ", "   ", "   "]}
        cases = (
            ("one row of two", {"p": {"rows": ["  "]}}, "not_square"),
            ("even", {"p": {"rows": ["  ", "  "]}}, "even_side"),
            ("second row longer", {"p": {"rows": [" ", "  "]}}, "ragged"),
            ("five rows of three", {"p": {"rows": ["   "] * 5}}, "not_square"),
            ("middle row short", {"p": {"rows": ["   ", "  ", "   "]}}, "ragged"),
            ("no rows", {"p": {"rows": []}}, "not_square"),
            ("side 63", {"p": full}, None),
            ("side 65", {"p": {"rows": ["x" * 65] * 65}}, "side_too_long"),
            ("tab", {"p": {"rows": ["\t"]}}, "not_printable"),
            ("letter with accent", {"p": {"rows": ["\u00e9"]}}, "not_printable"),
            ("tilde, the last printable", {"p": {"rows": ["~"]}}, None),
            ("delete", {"p": {"rows": ["\x7f"]}}, "not_printable"),
            ("mapped to nothing", {"deep": self.PATTERNS["deep"]}, "unknown_mapped_pattern"),
            ("mapped to nothing at second hand", flat_missing, "unknown_mapped_pattern"),
            ("mapped space", {"p": {"rows": [" "], "map": {" ": "q"}}, "q": RING}, "mapped_space"),
            ("mapped to itself", {"p": {"rows": ["x"], "map": {"x": "p"}}}, "mapping_cycle"),
            ("cycle of two", {"p": {"rows": ["x"], "map": {"x": "q"}}, "q": {"rows": ["x"], "map": {"x": "p"}}},
             "mapping_cycle"),
            ("same pattern twice, no cycle",
             {"p": {"rows": ["xo ", "   ", "   "], "map": {"x": "q", "o": "q"}}, "q": RING}, None),
            ("4096 cells", {"p": {"rows": ["x"], "map": {"x": "four"}}, "four": four, "full": full}, None),
            ("4097 cells", {"p": {"rows": ["x"], "map": {"x": "both"}}, "both": both, "four": four,
                            "full": full, "step": step}, "area_too_large"),
            ("one cell far out", {"p": {"rows": ["x"], "map": {"x": "extra"}}, "extra": extra, "step": step}, None),
            ("256 patterns", {"p%d" % number: RING for number in range(255)}, None),
            ("257 patterns", {"p%d" % number: RING for number in range(256)}, "too_many_patterns"),
        )
        for label, patterns, expected in cases:
            with self.subTest(label):
                self.assertEqual(tactics.check_params(make_params("a1 0 0", patterns=patterns)), expected)


class ParamsTest(unittest.TestCase):
    def test_bad_params_are_refused(self):
        many = ["a%d %d %d" % (number, number % 9, number // 9) for number in range(65)]
        cases = (
            ("rows 2", make_params(rows=2), "board_size"),
            ("rows 3", make_params(rows=3), None),
            ("cols 64", make_params(cols=64), None),
            ("cols 65", make_params(cols=65), "board_size"),
            ("unit off the board", make_params("a1 9 0"), "off_the_board"),
            ("double id", make_params("a1 0 0", "a1 1 0"), "double_id"),
            ("two on a cell", make_params("a1 0 0", "b1 0 0"), "two_on_a_cell"),
            ("64 units", make_params(*many[:64]), None),
            ("65 units", make_params(*many), "too_many_units"),
            ("unknown model", make_params("a1 0 0 ghost"), "unknown_model"),
            ("unknown pattern", make_params(models={"m": model(move=["none"])}), "unknown_pattern"),
            ("health 0", make_params(models={"m": model(health=0)}), "model_health"),
            ("health 10000", make_params(models={"m": model(health=10000)}), None),
            ("health 10001", make_params(models={"m": model(health=10001)}), "model_health"),
            ("power 0", make_params(models={"m": model(power=0)}), None),
            ("power 10001", make_params(models={"m": model(power=10001)}), "model_power"),
            ("64 models", make_params(models={"m%d" % number: model() for number in range(63)}), None),
            ("65 models", make_params(models={"m%d" % number: model() for number in range(64)}),
             "too_many_models"),
            ("in its rows", make_params("a1 0 6", "b1 0 2", placement=True), None),
            ("host outside its rows", make_params("a1 0 5", placement=True), "default_place"),
            ("guest outside its rows", make_params("b1 0 3", placement=True), "default_place"),
            ("outside, but no placement", make_params("a1 0 5", "b1 0 3"), None),
            ("rows touch", make_params(placement=True, rows=6), None),
            ("rows overlap", make_params(placement=True, rows=5), "start_rows_overlap"),
            ("overlap without placement", make_params(rows=5), None),
            ("unknown member", make_params(colour="red"), "unknown_member"),
        )
        for label, params, expected in cases:
            with self.subTest(label):
                self.assertEqual(tactics.check_params(params), expected)

    def test_every_breaker_of_the_generator_breaks_a_request(self):
        params = make_params("a1 0 0", "a2 1 0", "b1 0 8")
        state = tactics.first_state({**tactics.DEFAULTS, **params})
        request = {"ruleset": "tactics", "params": params, "state": state, "commands": [[], []]}
        self.assertIsNone(tactics.check_request(request))
        for breaker in generate_tactics.BREAKERS:
            for seed in range(12):
                with self.subTest(breaker.__name__, seed=seed):
                    broken = copy.deepcopy(request)
                    breaker(random.Random(seed), broken)
                    self.assertIsNotNone(tactics.check_request(broken))


class ChecksTest(unittest.TestCase):
    def check(self, params, host, guest, verdicts, **others):
        answer = resolve(params, host, guest, **others)
        self.assertEqual(words(answer), verdicts)
        return answer

    def test_commands_for_others_dead_and_unknown_units_are_refused_first(self):
        params = make_params("a1 0 0", "a2 1 0", "b1 0 8")
        state = tactics.first_state({**tactics.DEFAULTS, **params})
        del state["units"][1]
        answer = self.check(params, ["a2 move 3 3", "b1 move 3 4", "zz move 3 5"], [],
                            [["unknown_unit", "not_your_unit", "unknown_unit"], []], state=state)
        self.assertEqual(checks(answer), [["own_unit"] * 3, []])

    def test_nobody_can_cancel_an_enemys_command(self):
        answer = self.check(make_params("a1 0 0", "b1 0 8"), ["a1 move 1 0"], ["a1 move 2 0"],
                            [["ok"], ["not_your_unit"]])
        self.assertEqual(places(answer)["a1"], (1, 0))

    def test_a_wrong_phase_command_does_not_count_as_a_second_one(self):
        answer = self.check(make_params("a1 0 0", "b1 0 8"), ["a1 move 1 0", "a1 place 2 0"], [],
                            [["ok", "wrong_phase"], []])
        self.assertEqual(checks(answer), [[None, "phase"], []])

    def test_moves_and_attacks_of_one_unit_are_counted_together_invalid_ones_too(self):
        for second in ("a1 attack 3 3", "a1 move 1 0", "a1 move -7 99"):
            with self.subTest(second):
                self.check(make_params("a1 0 0", "b1 0 8"), ["a1 move 1 0", second], [],
                           [["multiple_commands"] * 2, []])

    def test_refused_duplicates_do_not_block_others(self):
        self.check(make_params("a1 0 0", "a2 1 0", "b1 0 8"), ["a1 move 2 2", "a1 move 2 2", "a2 move 2 2"], [],
                   [["multiple_commands", "multiple_commands", "ok"], []])

    def test_any_32_bit_target_gets_a_verdict(self):
        low, high = -(2 ** 31), 2 ** 31 - 1
        for x, y in itertools.product((low, -1, 0, 9, high), repeat=2):
            if (x, y) != (0, 0):
                with self.subTest(x=x, y=y):
                    for kind in ("move", "attack"):
                        answer = self.check(make_params("a1 4 4", "b1 0 8"), ["a1 %s %d %d" % (kind, x, y)], [],
                                            [["out_of_bounds"], []])
                        self.assertEqual(checks(answer)[0], [kind + "_in_bounds"])

    def test_targets_outside_of_the_patterns_are_refused(self):
        params = make_params("a1 4 4 short", "b1 0 8", patterns={"ring": RING},
                             models={"short": model(move=["ring"], attack=[])})
        self.check(params, ["a1 move 6 4"], [], [["out_of_pattern"], []])
        self.check(params, ["a1 attack 5 4"], [], [["out_of_pattern"], []])
        self.check(params, ["a1 move 4 4"], [], [["out_of_pattern"], []])
        self.check(params, ["a1 move 5 4"], [], [["ok"], []])

    def test_same_target_looks_only_at_moves_that_passed_so_far(self):
        params = make_params("a1 4 4 short", "a2 0 0", "b1 0 8", patterns={"ring": RING},
                             models={"short": model(move=["ring"])})
        self.check(params, ["a1 move 7 7", "a2 move 7 7"], [], [["out_of_pattern", "ok"], []])

    def test_attacks_may_share_a_target_with_anything(self):
        self.check(make_params("a1 4 4", "a2 0 0", "a3 1 0", "b1 0 8"),
                   ["a1 attack 3 3", "a2 attack 3 3", "a3 move 3 3"], [], [["ok", "ok", "ok"], []])

    def test_two_own_moves_and_one_enemys_to_a_cell_drop_the_pair_and_let_the_enemy_move(self):
        answer = self.check(make_params("a1 4 4", "a2 0 0", "b1 0 8"), ["a1 move 3 3", "a2 move 3 3"],
                            ["b1 move 3 3"], [["same_target", "same_target"], ["ok"]])
        self.assertEqual(places(answer), {"a1": (4, 4), "a2": (0, 0), "b1": (3, 3)})
        self.assertEqual(kinds(answer), ["moved"])

    def test_moves_to_an_occupied_cell_do_not_bounce(self):
        answer = self.check(make_params("a1 4 4", "a2 3 3", "b1 0 8"), ["a1 move 3 3", "a2 move 0 0"],
                            ["b1 move 3 3"], [["occupied", "ok"], ["occupied"]])
        self.assertEqual(checks(answer), [["occupied", None], ["occupied"]])
        self.assertEqual(kinds(answer), ["moved"])

    def test_swaps_rings_following_and_staying_are_refused(self):
        cases = (
            ("swap", ["a1 move 1 0", "a2 move 0 0"], ["occupied", "occupied"]),
            ("ring", ["a1 move 1 0", "a2 move 2 0", "a3 move 0 0"], ["occupied"] * 3),
            ("following", ["a1 move 1 0", "a2 move 5 5"], ["occupied", "ok"]),
            ("staying", ["a1 move 0 0"], ["occupied"]),
        )
        for label, commands, expected in cases:
            with self.subTest(label):
                self.check(make_params("a1 0 0", "a2 1 0", "a3 2 0", "b1 0 8"), commands, [], [expected, []])

    def test_a_swap_with_an_enemy_is_refused(self):
        self.check(make_params("a1 0 0", "b1 1 0"), ["a1 move 1 0"], ["b1 move 0 0"], [["occupied"], ["occupied"]])

    def test_moves_jump_over_everybody(self):
        self.check(make_params("a1 0 0", "a2 1 0", "b1 2 0"), ["a1 move 3 0"], [], [["ok"], []])

    def test_opposing_moves_to_one_cell_bounce_several_at_once(self):
        params = make_params("b1 0 8", "a2 1 0", "b2 1 8", "a1 0 0")
        answer = self.check(params, ["a1 move 3 3", "a2 move 5 5"], ["b1 move 5 5", "b2 move 3 3"],
                            [["bounced", "bounced"], ["bounced", "bounced"]])
        self.assertEqual(checks(answer), [["bounce"] * 2] * 2)
        self.assertEqual(answer["events"], [{"kind": "bounced", "units": ["a2", "b1"], "at": [5, 5]},
                                            {"kind": "bounced", "units": ["a1", "b2"], "at": [3, 3]}])
        self.assertEqual(places(answer), {"b1": (0, 8), "a2": (1, 0), "b2": (1, 8), "a1": (0, 0)})


class AttacksTest(unittest.TestCase):
    def test_an_attack_needs_nobody_at_its_target(self):
        answer = resolve(make_params("a1 0 0", "b1 0 8"), ["a1 attack 4 4"])
        self.assertEqual(answer["events"], [{"kind": "attacked", "unit": "a1", "target": [4, 4], "cells": [[4, 4]]}])

    def test_movement_comes_before_damage(self):
        cases = (
            ("moved away", ["a1 attack 0 8"], ["b1 move 1 8"], {"a1": 10, "a2": 10, "b1": 10}),
            ("moved in", ["a1 attack 3 3"], ["b1 move 3 3"], {"a1": 10, "a2": 10, "b1": 6}),
            ("bounced", ["a1 attack 0 8", "a2 move 3 3"], ["b1 move 3 3"], {"a1": 10, "a2": 10, "b1": 6}),
            ("bounced off the target", ["a1 attack 3 3", "a2 move 3 3"], ["b1 move 3 3"],
             {"a1": 10, "a2": 10, "b1": 10}),
        )
        for label, host, guest, expected in cases:
            with self.subTest(label):
                answer = resolve(make_params("a1 0 0", "a2 1 0", "b1 0 8"), host, guest)
                self.assertEqual(set(sum(words(answer), [])) - {"bounced"}, {"ok"})
                self.assertEqual(healths(answer), expected)

    def test_enemies_friends_and_the_attacker_itself_are_hit(self):
        patterns = {"wave": {"rows": ["o"], "map": {"o": "full"}}, "full": FULL}
        models = {"bomb": model(power=3, attack=["wave"])}
        answer = resolve(make_params("a1 0 0 bomb", "a2 1 0", "b1 1 1", "b2 2 2", patterns=patterns, models=models),
                         ["a1 attack 0 0"])
        self.assertEqual(answer["events"][0]["cells"], [[0, 0], [1, 0], [0, 1], [1, 1]])
        self.assertEqual(healths(answer), {"a1": 7, "a2": 7, "b1": 7, "b2": 10})

    def test_the_first_pattern_that_holds_the_target_gives_the_area(self):
        patterns = {"one": {"rows": [" x ", "   ", "   "]},
                    "two": {"rows": ["ooo", "   ", "   "], "map": {"o": "full"}},
                    "full": FULL}
        models = {"m": model(attack=["one", "two"])}
        params = make_params("a1 4 4 m", "b1 0 8", patterns=patterns, models=models)
        self.assertEqual(len(resolve(params, ["a1 attack 4 3"])["events"][0]["cells"]), 1)
        self.assertEqual(len(resolve(params, ["a1 attack 3 3"])["events"][0]["cells"]), 9)

    def test_a_cell_reached_twice_by_one_attack_counts_once(self):
        patterns = {"twice": {"rows": ["o"], "map": {"o": "pair"}},
                    "pair": {"rows": ["   ", "oo ", "   "], "map": {"o": "full"}},
                    "full": FULL}
        params = make_params("a1 4 4 m", "b1 5 4", patterns=patterns, models={"m": model(attack=["twice"])})
        answer = resolve(params, ["a1 attack 4 4"])
        self.assertEqual(len(answer["events"][0]["cells"]), 12)
        self.assertEqual(healths(answer)["b1"], 6)

    def test_damage_adds_up_and_events_are_in_the_order_of_params(self):
        answer = resolve(make_params("a2 0 0", "b1 0 8", "a1 1 0", "b2 8 8"), ["a1 attack 0 8", "a2 attack 0 8"])
        self.assertEqual([event["unit"] for event in answer["events"]], ["a2", "a1", "b1"])
        self.assertEqual(answer["events"][2],
                         {"kind": "hit", "unit": "b1", "by": ["a2", "a1"], "damage": 8, "health": 2})

    def test_the_dying_still_deal_their_damage_and_health_is_not_clamped(self):
        models = {"strong": model(power=13)}
        params = make_params("a1 0 0 strong", "b1 0 8 strong", models=models)
        answer = resolve(params, ["a1 attack 0 8"], ["b1 attack 0 0"])
        self.assertEqual(kinds(answer), ["attacked", "attacked", "hit", "hit", "died", "died"])
        self.assertEqual([event["health"] for event in answer["events"][2:4]], [-3, -3])
        self.assertEqual(answer["outcome"], {"winner": None, "reason": "draw_eliminated"})

    def test_power_zero_hits_without_damage_and_an_empty_area_hits_nobody(self):
        patterns = {"void": {"rows": ["o"], "map": {"o": "blank"}}, "blank": {"rows": [" "]}}
        models = {"weak": model(power=0), "lost": model(attack=["void"])}
        answer = resolve(make_params("a1 0 0 weak", "a2 3 3 lost", "b1 0 8", patterns=patterns, models=models),
                         ["a1 attack 0 8", "a2 attack 3 3"])
        self.assertEqual(answer["events"][1]["cells"], [])
        self.assertEqual(answer["events"][2:], [{"kind": "hit", "unit": "b1", "by": ["a1"], "damage": 0, "health": 10}])


class PlacementTest(unittest.TestCase):
    PARAMS = make_params("a1 0 8", "a2 1 8", "a3 2 8", "a4 3 8", "b1 0 0", "b2 1 0", placement=True)

    def test_placements_are_judged_until_nothing_changes(self):
        cases = (
            ("free cell", ["a1 place 5 6"], ["ok"]),
            ("own cell", ["a1 place 0 8"], ["ok"]),
            ("swap", ["a1 place 1 8", "a2 place 0 8"], ["ok", "ok"]),
            ("ring of three", ["a1 place 1 8", "a2 place 2 8", "a3 place 0 8"], ["ok"] * 3),
            ("chain to a free cell", ["a1 place 1 8", "a2 place 2 8", "a3 place 5 8"], ["ok"] * 3),
            ("chain to one who stays", ["a1 place 1 8", "a2 place 2 8", "a3 place 3 8"], ["occupied"] * 3),
            ("chain to one who leaves the rows", ["a1 place 1 8", "a2 place 2 8", "a3 place 2 5"],
             ["occupied", "occupied", "not_start_row"]),
            ("chain to one who leaves the board", ["a1 place 1 8", "a2 place 1 9"], ["occupied", "out_of_bounds"]),
            ("chain to one commanded twice", ["a1 place 1 8", "a2 place 5 8", "a2 place 6 8"],
             ["occupied", "multiple_commands", "multiple_commands"]),
            ("chain to one that shares its target", ["a1 place 1 8", "a2 place 5 8", "a3 place 5 8"],
             ["occupied", "same_target", "same_target"]),
            ("chain to one who stays on purpose", ["a1 place 1 8", "a2 place 1 8"], ["same_target"] * 2),
            ("ring beside a refused chain", ["a1 place 1 8", "a2 place 0 8", "a3 place 3 8"], ["ok", "ok", "occupied"]),
            ("chain into a ring is the same cell twice", ["a1 place 1 8", "a2 place 2 8", "a3 place 1 8"],
             ["same_target", "occupied", "same_target"]),
            ("enemy's rows", ["a1 place 5 0"], ["not_start_row"]),
            ("move in placement", ["a1 move 5 8", "a1 place 6 8"], ["wrong_phase", "ok"]),
        )
        for label, commands, expected in cases:
            for order in itertools.permutations(range(len(commands))):
                with self.subTest(label, order=order):
                    answer = resolve(self.PARAMS, [commands[index] for index in order], [])
                    self.assertEqual(words(answer)[0], [expected[index] for index in order])

    def test_an_enemy_in_the_own_rows_occupies_its_cell_even_when_placed_elsewhere(self):
        state = tactics.first_state({**tactics.DEFAULTS, **self.PARAMS})
        state["units"][4]["at"] = [5, 8]
        answer = resolve(self.PARAMS, ["a1 place 5 8"], ["b1 place 5 0"], state=state)
        self.assertEqual(words(answer), [["occupied"], ["ok"]])

    def test_the_checks_are_named(self):
        answer = resolve(self.PARAMS, ["a1 place 1 8", "a3 place 3 3", "a4 place 3 99"], [])
        self.assertEqual(checks(answer), [["occupied", "start_rows", "place_in_bounds"], []])

    def test_both_seats_are_placed_together_and_play_begins(self):
        answer = resolve(self.PARAMS, ["a2 place 0 8", "a1 place 1 8"], ["b2 place 8 2"])
        self.assertEqual(answer["turn"], 1)
        self.assertEqual(answer["state"]["phase"], "play")
        self.assertEqual(answer["events"], [{"kind": "placed", "unit": "a1", "at": [1, 8]},
                                            {"kind": "placed", "unit": "a2", "at": [0, 8]},
                                            {"kind": "placed", "unit": "b2", "at": [8, 2]}])
        self.assertEqual(places(answer), {"a1": (1, 8), "a2": (0, 8), "a3": (2, 8), "a4": (3, 8),
                                          "b1": (0, 0), "b2": (8, 2)})

    def test_the_placement_turn_counts_toward_the_limit(self):
        answer = resolve({**self.PARAMS, "turn_limit": 1}, ["a1 place 5 8"], [])
        self.assertEqual(places(answer)["a1"], (5, 8))
        self.assertEqual(answer["outcome"], {"winner": None, "reason": "draw_turn_limit"})

    def test_the_largest_possible_set_of_placements_is_accepted(self):
        """Compares with all subsets: the accepted ones are the largest set without a conflict."""
        rng = random.Random(1)
        for number in range(300):
            count = rng.randint(2, 6)
            cells = [(x, 8) for x in range(count + 1)]
            params = make_params(*("a%d %d 8" % (x, x) for x in range(count)), "b1 0 0", placement=True)
            targets = dict(zip(rng.sample(range(count), count), rng.sample(cells, count)))
            targets = {unit: cell for unit, cell in targets.items() if rng.random() < 0.8}
            largest = set()
            for size in range(len(targets) + 1):
                for chosen in itertools.combinations(targets, size):
                    stays = {(x, 8) for x in range(count) if x not in chosen}
                    if not stays & {targets[unit] for unit in chosen}:
                        largest |= set(chosen)
            with self.subTest(number):
                answer = resolve(params, ["a%d place %d %d" % (unit, *cell) for unit, cell in targets.items()], [])
                self.assertEqual({unit for unit, word in zip(targets, words(answer)[0]) if word == "ok"}, largest)


class EndingTest(unittest.TestCase):
    PARAMS = make_params("a1 0 0", "b1 0 8")

    def test_leaving_and_agreeing(self):
        move = "a1 move 1 0"
        won, lost = {"winner": 0}, {"winner": 1}
        cases = (
            ("host resigns", [move, "resign"], [], {**lost, "reason": "resignation"}, [["match_over", "ok"], []]),
            ("guest abandons", [move], ["timeout", "abandon"], {**won, "reason": "abandoned"},
             [["match_over"], ["match_over", "ok"]]),
            ("both resign", ["resign"], ["resign"], {"winner": None, "reason": "draw_resigned"}, [["ok"], ["ok"]]),
            ("one resigns, one abandons", ["resign"], ["abandon"], {"winner": None, "reason": "draw_resigned"},
             [["ok"], ["ok"]]),
            ("twice by one seat", ["resign", "resign"], [], {**lost, "reason": "resignation"},
             [["ok", "match_over"], []]),
            ("its own word comes before the host's", ["abandon", "resign"], [],
             {**lost, "reason": "resignation"}, [["match_over", "ok"], []]),
            ("draw agreed", ["agree_draw", move], ["timeout"], {"winner": None, "reason": "draw_agreed"},
             [["ok", "match_over"], ["match_over"]]),
            ("leaving comes before agreeing", ["agree_draw"], ["resign"], {**won, "reason": "resignation"},
             [["match_over"], ["ok"]]),
        )
        for label, host, guest, outcome, verdicts in cases:
            with self.subTest(label):
                answer = resolve(self.PARAMS, host, guest, turn=6)
                self.assertEqual(answer["outcome"], outcome)
                self.assertEqual(answer["state"]["outcome"], outcome)
                self.assertEqual(words(answer), verdicts)
                self.assertEqual(places(answer), {"a1": (0, 0), "b1": (0, 8)})
                self.assertEqual((answer["turn"], answer["events"], answer["owing"]), (7, [], []))

    def test_a_timeout_is_accepted_and_changes_nothing(self):
        answer = resolve(self.PARAMS, ["timeout", "a1 move 1 0"], ["timeout"])
        self.assertEqual(words(answer), [["ok", "ok"], ["ok"]])
        self.assertEqual((answer["turn"], answer["owing"], answer["outcome"]), (1, [0, 1], None))

    def test_the_outcome_is_computed_for_every_state(self):
        cases = (
            ("running", self.PARAMS, 199, None),
            ("turn limit", self.PARAMS, 200, {"winner": None, "reason": "draw_turn_limit"}),
            ("past the limit", self.PARAMS, 999, {"winner": None, "reason": "draw_turn_limit"}),
            ("nobody", make_params(), 0, {"winner": None, "reason": "draw_eliminated"}),
            ("only the guest", make_params("b1 0 0"), 0, {"winner": 1, "reason": "eliminated"}),
            ("elimination comes first", make_params("a1 0 0"), 200, {"winner": 0, "reason": "eliminated"}),
        )
        for label, params, turn, outcome in cases:
            with self.subTest(label):
                answer = tactics.resolve({"ruleset": "tactics", "params": params, "turn": turn})
                self.assertEqual(answer["outcome"], outcome)
                self.assertEqual(answer["state"].get("outcome"), outcome)
                self.assertEqual(answer["owing"], [0, 1] if outcome is None else [])
                self.assertEqual((answer["turn"], answer["verdicts"]), (turn, [[], []]))

    def test_commands_on_a_finished_state_get_match_over(self):
        first = tactics.first_state({**tactics.DEFAULTS, **self.PARAMS})
        carried = {"winner": 1, "reason": "abandoned"}
        cases = (
            ("at the limit", {"turn": 200}, {"winner": None, "reason": "draw_turn_limit"}),
            ("outcome in the state", {"turn": 3, "state": {**first, "outcome": carried}}, carried),
        )
        for label, others, outcome in cases:
            with self.subTest(label):
                answer = resolve(self.PARAMS, ["a1 move 1 0", "resign"], ["timeout", "zz move 0 0"], **others)
                self.assertEqual(answer["verdicts"], [[{"verdict": "match_over"}] * 2] * 2)
                self.assertEqual((answer["turn"], answer["outcome"]), (others["turn"], outcome))
                self.assertEqual(places(answer), {"a1": (0, 0), "b1": (0, 8)})

    def test_the_turn_limit_comes_after_everything_else(self):
        kill = make_params("a1 0 0 sure", "b1 0 8", models={"sure": model(power=10)}, turn_limit=5)
        self.assertEqual(resolve(kill, ["a1 attack 0 8"], turn=4)["outcome"], {"winner": 0, "reason": "eliminated"})
        self.assertEqual(resolve(kill, [], turn=4)["outcome"], {"winner": None, "reason": "draw_turn_limit"})
        self.assertEqual(resolve(kill, ["resign"], turn=4)["outcome"], {"winner": 1, "reason": "resignation"})

    def test_a_new_match_has_the_models_health_and_its_first_phase(self):
        for placement, name in ((False, "play"), (True, "placement")):
            params = make_params("a1 0 8", "b1 0 0", placement=placement)
            answer = tactics.resolve({"ruleset": "tactics", "params": params})
            self.assertEqual(answer["state"], {"phase": name, "units": [
                {"id": "a1", "model": "plain", "seat": 0, "at": [0, 8], "health": 10},
                {"id": "b1", "model": "plain", "seat": 1, "at": [0, 0], "health": 10}]})
            self.assertEqual((answer["turn"], answer["events"]), (0, []))


class Mirror:
    """Turns a request or an answer by 180 degrees and swaps the seats: the results must be equivalent."""

    def __init__(self, params):
        full = {**tactics.DEFAULTS, **params}
        self.cols, self.rows = full["cols"], full["rows"]

    def cell(self, cell):
        # An extreme has no mirror image in 32 bits; any cell far outside will do.
        return [min(max(side - 1 - part, -(2 ** 31)), 2 ** 31 - 1)
                for side, part in zip((self.cols, self.rows), cell)]

    def units(self, units):
        return [{**unit, "seat": 1 - unit["seat"], "at": self.cell(unit["at"])} for unit in units]

    def outcome(self, outcome):
        if outcome is None or outcome["winner"] is None:
            return outcome
        return {**outcome, "winner": 1 - outcome["winner"]}

    def state(self, state):
        mirrored = {**state, "units": self.units(state["units"])}
        if "outcome" in state:
            mirrored["outcome"] = self.outcome(state["outcome"])
        return mirrored

    def request(self, request):
        mirrored = {**request, "params": {**request["params"], "units": self.units(request["params"]["units"])}}
        if "state" in request:
            mirrored["state"] = self.state(request["state"])
        if "commands" in request:
            mirrored["commands"] = [[{**command, "target": self.cell(command["target"])}
                                     if "target" in command else command for command in given]
                                    for given in reversed(request["commands"])]
        return mirrored

    def event(self, event):
        mirrored = dict(event)
        for member in ("at", "from", "to", "target"):
            if member in event:
                mirrored[member] = self.cell(event[member])
        if event["kind"] == "attacked":
            mirrored["cells"] = sorted(map(self.cell, event["cells"]), key=lambda cell: (cell[1], cell[0]))
        if event["kind"] == "bounced":
            mirrored["units"] = event["units"][::-1]
        return mirrored

    def answer(self, answer):
        return {**answer, "verdicts": answer["verdicts"][::-1], "state": self.state(answer["state"]),
                "events": [self.event(event) for event in answer["events"]],
                "outcome": self.outcome(answer["outcome"])}


def by_cell(answer):
    """Bounces are in the order of the host's units, which another host changes."""
    events = sorted(answer["events"], key=lambda event: event["at"] if event["kind"] == "bounced" else [])
    return {**answer, "events": events}


class RandomTest(unittest.TestCase):
    """Properties of every turn."""

    MATCHES = 500

    def turns(self):
        for number in range(self.MATCHES):
            match = generate_tactics.Match("reference/%d" % number)
            request = match.first_request()
            while request is not None:
                answer = tactics.resolve(request)
                if "error" in answer:
                    break
                yield number, request, answer
                request = match.next_request(answer)

    def test_a_request_is_not_changed(self):
        for number, request, answer in itertools.islice(self.turns(), 300):
            before = copy.deepcopy(request)
            self.assertEqual(tactics.resolve(request), answer, number)
            self.assertEqual(request, before, number)

    def test_no_unit_shares_a_cell_gains_health_or_comes_back(self):
        for number, request, answer in self.turns():
            params = {**tactics.DEFAULTS, **request["params"]}
            before = {unit["id"]: unit for unit in request.get("state", tactics.first_state(params))["units"]}
            after = answer["state"]["units"]
            self.assertIsNone(tactics.check_state(answer["state"], params), number)
            for unit in after:
                self.assertLessEqual(unit["health"], before[unit["id"]]["health"], number)

    def test_arrival_order_does_not_matter(self):
        rng = random.Random(2)
        for number, request, answer in self.turns():
            leaving = {"resign", "abandon", "agree_draw"}
            if "commands" not in request or any(command["kind"] in leaving for given in request["commands"]
                                                for command in given):
                continue
            orders = [rng.sample(range(len(given)), len(given)) for given in request["commands"]]
            shuffled = {**request, "commands": [[given[index] for index in order] for given, order
                                                in zip(request["commands"], orders)]}
            verdicts = [[given[index] for index in order] for given, order in zip(answer["verdicts"], orders)]
            self.assertEqual(tactics.resolve(shuffled), {**answer, "verdicts": verdicts}, number)

    def test_the_seats_are_equivalent(self):
        for number, request, answer in self.turns():
            mirror = Mirror(request["params"])
            self.assertEqual(by_cell(tactics.resolve(mirror.request(request))), by_cell(mirror.answer(answer)), number)

    def test_a_finished_match_does_not_change(self):
        for number, request, answer in self.turns():
            if answer["outcome"] is not None:
                again = tactics.resolve({**request, "state": answer["state"], "turn": answer["turn"]})
                for member in ("turn", "state", "outcome"):
                    self.assertEqual(again[member], answer[member], number)


if __name__ == "__main__":
    unittest.main()
