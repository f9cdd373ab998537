"""What the program prints about each ruleset: names, default params, schemas."""

import json
import re
import unittest
from pathlib import Path

import jsonschema

from skirmish import answer, run

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
PARTS = ("params", "state", "view", "command", "event")


def listed():
    return re.findall(r"(?m)^([a-z]+) +version \d+ ", run("rulesets").stdout.decode())


class Rulesets(unittest.TestCase):
    def schemas(self, ruleset):
        document = json.loads(run("schema", ruleset).stdout)
        return {part: jsonschema.Draft202012Validator(document[part]) for part in PARTS}

    def test_the_rulesets_are_those_in_the_readme(self):
        self.assertLessEqual({"halma", "tactics"}, set(listed()))

    def test_schemas_are_valid_and_default_params_fit_them_and_are_accepted(self):
        for ruleset in listed():
            with self.subTest(ruleset=ruleset):
                schemas = self.schemas(ruleset)
                for part in PARTS:
                    schemas[part].check_schema(schemas[part].schema)
                params = json.loads(run("params", ruleset).stdout)
                schemas["params"].validate(params)
                given = answer({"ruleset": ruleset, "params": params})
                schemas["state"].validate(given["state"])
                self.assertIsNone(given["outcome"])

    def test_every_golden_match_fits_the_schemas(self):
        files = sorted(GOLDEN.glob("*.jsonl"))
        self.assertTrue(files)
        for path in files:
            with self.subTest(path=path.name):
                head, *turns = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
                schemas = self.schemas(head["ruleset"])
                schemas["params"].validate(head["params"])
                for turn in turns:
                    for command in sum(turn["commands"], []):
                        schemas["command"].validate(command)
                    for event in turn["answer"]["events"]:
                        schemas["event"].validate(event)
                    schemas["state"].validate(turn["answer"]["state"])

    def test_halmas_checks_are_listed_in_their_order(self):
        self.assertEqual(json.loads(run("schema", "halma").stdout)["checks"], [
            "single_command", "own_unit", "path_shape", "path_in_bounds", "path_steps",
            "jump_over_piece", "damaged_jump", "landing_free"])

    def test_params_that_halma_refuses_do_not_fit_its_schemas(self):
        schemas = self.schemas("halma")
        for part, value in (("params", {"size": 5}), ("params", {"pieces": [[[0, 0]]]}),
                            ("params", {"rows": 9}), ("command", {"kind": "move", "unit": "a1"}),
                            ("command", {"kind": "move", "unit": "a1", "path": [[0]]}),
                            ("command", {"kind": "jump", "unit": "a1", "path": [[0, 0]]}),
                            ("state", {"units": [], "faults": [0]})):
            with self.subTest(part=part, value=value):
                with self.assertRaises(jsonschema.ValidationError):
                    schemas[part].validate(value)

    def test_halma_params_without_a_board_use_the_default_one(self):
        default = json.loads(run("params", "halma").stdout)
        self.assertEqual(answer({"ruleset": "halma", "params": {}}),
                         answer({"ruleset": "halma", "params": default}))

    def test_a_path_of_any_excessive_length_gets_a_verdict(self):
        for length, check in ((256, None), (257, "path_shape"), (5000, "path_shape")):
            path = [[2, 14], [0, 14]] * (length // 2) + [[2, 14]] * (length % 2)
            given = answer({"ruleset": "halma",
                            "params": {"pieces": [[[0, 14], [1, 14]], [[17, 17]]]},
                            "commands": [[{"unit": "a1", "kind": "move", "path": path}], []]})
            self.assertEqual(given["verdicts"][0][0].get("check"), check, length)


if __name__ == "__main__":
    unittest.main()
