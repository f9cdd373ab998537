"""The racers ruleset's documents and examples."""

import json
import re
import unittest
from pathlib import Path

from skirmish import answer, run

FOLDER = Path(__file__).resolve().parents[2] / "common" / "rules" / "racers"


def blocks():
    """The JSON blocks of the README: params, state, commands, events."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", text, re.S)]


class Documents(unittest.TestCase):
    def test_the_readmes_params_state_and_commands_are_accepted(self):
        params, state, commands, _ = blocks()
        got = answer({"ruleset": "racers", "params": params, "state": state, "turn": 3, "commands": commands})
        self.assertEqual([verdict["verdict"] for verdict in got["verdicts"][0]],
                         ["ok", "ok", "not_your_turn", "not_your_turn", "not_your_turn"])

    def test_the_readme_shows_every_event_with_all_its_members(self):
        schema = json.loads(run("schema", "racers").stdout)
        kinds = {}
        for variant in schema["event"]["oneOf"]:
            members = variant["properties"]
            kinds[members["kind"]["const"]] = set(members)
        self.assertEqual({event["kind"]: set(event) for event in blocks()[3]}, kinds)

    def test_the_readme_names_every_check_verdict_and_stage(self):
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        schema = json.loads(run("schema", "racers").stdout)
        shared = {"match_over", "wrong_turn", "unknown_unit", "not_your_unit", "multiple_commands", "ok"}
        for name in {*schema["checks"], *schema["stages"], *schema["verdicts"], *schema["reasons"]} - shared:
            with self.subTest(name=name):
                self.assertIn("`%s`" % name, text)

    def test_examples_are_accepted(self):
        params = json.loads((FOLDER / "examples" / "mirror.json").read_text(encoding="utf-8"))
        got = answer({"ruleset": "racers", "params": params})
        self.assertIsNone(got["outcome"])
        got = answer((FOLDER / "examples" / "first-turn.json").read_bytes())
        self.assertEqual([verdict["verdict"] for verdict in got["verdicts"][0]], ["ok"] * 3)

    def test_the_mirrored_board_is_the_same_from_both_sides(self):
        params = json.loads((FOLDER / "examples" / "mirror.json").read_text(encoding="utf-8"))
        board, last = params["board"], params["rows"] - 1

        def turned(cell):
            return [last - cell[0], last - cell[1]]

        self.assertEqual(board["starts"], [turned(cell) for cell in reversed(board["starts"])])
        for name in ("walls", "items", "teleporters"):
            def turn(thing):
                if isinstance(thing, list):
                    return turned(thing)
                return {key: turned(value) if isinstance(value, list) else value for key, value in thing.items()}
            with self.subTest(name=name):
                self.assertEqual(sorted(map(json.dumps, board[name])),
                                 sorted(json.dumps(turn(thing)) for thing in board[name]))


if __name__ == "__main__":
    unittest.main()
