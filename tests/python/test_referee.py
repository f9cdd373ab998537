"""The Python package on libskirmish: $SKIRMISH_LIBRARY, or the release build's."""

import glob
import json
import os
import unittest
from array import array

from package import ROOT

from skirmish import RUNNING, SPECTATOR, Game, Referee, SkirmishError


def golden(name):
    with open(os.path.join(ROOT, "tests", "golden", name), encoding="utf-8") as file:
        head, *turns = [json.loads(line) for line in file]
    return head, turns


class RefereeTest(unittest.TestCase):
    def setUp(self):
        self.referee = Referee()
        self.addCleanup(self.referee.close)

    def test_golden_matches_get_their_answers(self):
        for path in sorted(glob.glob(os.path.join(ROOT, "tests", "golden", "*.jsonl"))):
            head, turns = golden(os.path.basename(path))
            before = {}
            for turn in turns:
                found = self.referee.resolve({**head, **before, "commands": turn["commands"]})
                self.assertEqual(found, turn["answer"], path)
                before = {"state": found["state"], "turn": found["turn"]}

    def test_rulesets_have_schemas_and_params(self):
        names = [ruleset["name"] for ruleset in self.referee.rulesets()]
        self.assertIn("tactics", names)
        for name in names:
            self.assertEqual(self.referee.schema(name)["ruleset"], name)
            params = self.referee.params(name)
            self.assertEqual(self.referee.params(name, params), params)

    def test_an_error_says_what_is_wrong_and_where(self):
        with self.assertRaises(SkirmishError) as caught:
            self.referee.params("tactics", {"rows": 2})
        self.assertEqual((caught.exception.code, caught.exception.at), ("malformed", "/rows"))
        with self.assertRaises(SkirmishError) as caught:
            self.referee.resolve({"ruleset": "chess"})
        self.assertEqual(caught.exception.code, "unknown_ruleset")

    def test_hints_of_a_view_are_those_of_its_state(self):
        for ruleset in ("halma", "racers", "tactics"):
            request = {"ruleset": ruleset, "params": self.referee.params(ruleset)}
            hints = self.referee.hints(request, 0)
            self.assertEqual(hints["turn"], 0)
            view = self.referee.look(request, 0)
            self.assertEqual((view["seat"], self.referee.look(request, SPECTATOR)["seat"]), (0, None))
            self.assertEqual(self.referee.hints({**request, "view": view}, 0), hints)
            self.assertGreater(len(hints["commands"]), 0)

    def test_a_seat_that_is_none_is_refused(self):
        request = {"ruleset": "racers", "params": {}}
        with Game("racers") as game:
            for seat in (2, 254, 256, 257, 511, -1, -256, 2 ** 64, 0.5, "0", None):
                for call in (lambda: self.referee.look(request, seat), lambda: self.referee.hints(request, seat),
                             lambda: game.view(seat), lambda: game.hints(seat), lambda: game.hint_rows(seat, 1),
                             lambda: game.observe(seat), lambda: game.mask(seat), lambda: game.judge(seat, [])):
                    with self.assertRaises(SkirmishError) as caught:
                        call()
                    self.assertEqual(caught.exception.code, "malformed")

    def test_a_match_file_is_proven_turn_by_turn(self):
        with open(os.path.join(ROOT, "tests", "data", "snarl-version-1.jsonl"), "rb") as file:
            match = file.read()
        steps = list(self.referee.prove(match))
        self.assertEqual([step["step"] for step in steps], ["match", "start", *["turn"] * 6, "over"])
        with self.assertRaises(SkirmishError) as caught:
            list(self.referee.prove(match.replace(b'"turn":3,"seat":null', b'"turn":3,"seat":0')))
        error = caught.exception
        self.assertEqual((error.code, error.at, error.turn), ("differs", "/hash", 3))

    def test_a_closed_referee_is_not_used(self):
        self.referee.close()
        with self.assertRaises(ValueError):
            self.referee.rulesets()


class GameTest(unittest.TestCase):
    def test_a_golden_match_comes_to_its_hashes(self):
        head, turns = golden("tactics-own-roster.jsonl")
        with Game(head["ruleset"], head["params"], slots=8, count=2) as game, \
                Game(head["ruleset"], head["params"], slots=8) as other:
            game.reset(1, bytes.fromhex(head.get("seed", "")).ljust(32, b"\0"))
            for turn in turns:
                verdicts = game.step(turn["commands"], 1)
                self.assertEqual(verdicts, [[v["verdict"] for v in seat] for seat in turn["answer"]["verdicts"]])
                self.assertEqual(game.hash(1), turn["answer"]["hash"])
                other.load(game.save(1))
                self.assertEqual(other.hash(), game.hash(1))
                self.assertEqual(other.observe(0), game.observe(0, 1))
            self.assertNotEqual(game.outcome(1), RUNNING)
            self.assertEqual((game.outcome(0), game.turn(0)), (RUNNING, 0))

    def test_commands_are_judged_and_not_played(self):
        with Game("tactics", slots=2) as game:
            before, hint = game.hash(), game.hints(0)[0]
            self.assertEqual(game.judge(0, [hint]), ["ok"])
            self.assertNotEqual(game.judge(1, [hint]), ["ok"])
            self.assertEqual(game.judge(0, []), [])
            self.assertEqual(game.hash(), before)
            with self.assertRaises(SkirmishError):
                game.judge(2, [])

    def test_numbered_actions_are_played_in_a_batch(self):
        with Game("tactics", count=3) as game:
            chosen = array("i", [0] * (game.count * game.seats))
            for place in range(len(chosen)):
                mask = game.mask(place % game.seats, place // game.seats)
                self.assertEqual(sum(mask) - 1, len(game.hints(place % game.seats)))
                chosen[place] = mask.index(1, 1)
            seen = array("i", [0] * (game.count * game.seats * game.observation_width))
            outcomes = bytearray(game.count)
            self.assertEqual(game.step_all(game.action_rows(chosen), seen, outcomes), 0)
            self.assertEqual({game.hash(i) for i in range(3)}, {game.hash(0)})
            self.assertEqual(seen[-game.observation_width:], game.observe(game.seats - 1, 2))
            self.assertEqual(len(game.description["observation"]), game.observation_width)

    def test_wrong_input_raises_and_changes_nothing(self):
        with Game("tactics") as game:
            before = game.hash()
            bad = array("i", [99] * (game.seats * game.slots * game.action_width))
            for call, error in [(lambda: game.step_rows(bad), SkirmishError),
                                (lambda: game.step_all(bad), SkirmishError),
                                (lambda: game.step_all(bad[:1]), ValueError),
                                (lambda: game.step([[{"kind": "fly"}], []]), SkirmishError),
                                (lambda: game.step([[]]), ValueError),
                                (lambda: game.load(b"x" * 50), SkirmishError),
                                (lambda: game.reset(seed=b"short"), ValueError),
                                (lambda: game.view(7), SkirmishError),
                                (lambda: game.hash(1), IndexError),
                                (lambda: game.mask(7), SkirmishError)]:
                with self.assertRaises(error):
                    call()
            self.assertEqual(game.hash(), before)
            self.assertIsNone(game.view(SPECTATOR)["seat"])
        with self.assertRaises(ValueError):
            game.hash()
        with self.assertRaises(SkirmishError):
            Game("chess")

    def test_a_number_that_does_not_fit_is_not_taken_for_another(self):
        with Referee() as referee:
            calls = [(name, Game) for name in ("version", "count", "slots", "list_max")]
            calls += [("version", referee.schema), ("version", referee.params)]
            for name, call in calls:
                for number in (1 << 32, (1 << 32) + 1, -1):
                    with self.subTest(name, call=call, number=number), \
                            self.assertRaisesRegex(SkirmishError, f"^{name}: {number} "):
                        call("tactics", **{name: number})


if __name__ == "__main__":
    unittest.main()
