"""The output shown in the documents is that of the program."""

import json
import re
import unittest
from pathlib import Path

from skirmish import run

ROOT = Path(__file__).resolve().parents[2]


class Readme(unittest.TestCase):
    """tests/fresh/readme runs the code blocks of both and compares their output."""

    def test_every_command_it_names_exists(self):
        pages = ("README.md", "proto/referee/README.md")
        text = "".join((ROOT / page).read_text(encoding="utf-8") for page in pages)
        named = set(re.findall(r"(?:build/bin/|`)skirmish ([a-z][a-z-]*)", text))
        self.assertLess({"play", "connect", "resolve", "query"}, named)
        for word in named:
            with self.subTest(word):
                self.assertEqual(run(word, "--help").returncode, 0)


class Rulesets(unittest.TestCase):
    """The examples and the READMEs under common/rules."""

    def answer(self, request):
        return json.loads(run("resolve", stdin=json.dumps(request)).stdout)

    def test_every_example_is_accepted(self):
        examples = sorted(ROOT.glob("common/rules/*/examples/*.json"))
        self.assertTrue(examples)
        for path in examples:
            with self.subTest(path=path.relative_to(ROOT)):
                example = json.loads(path.read_text(encoding="utf-8"))
                ruleset = path.parent.parent.name
                request = example if "ruleset" in example else {"ruleset": ruleset, "params": example}
                self.assertEqual(request["ruleset"], ruleset)
                self.assertNotIn("error", self.answer(request))

    def test_the_turn_in_halmas_readme_is_the_example_and_gets_the_printed_events(self):
        folder = ROOT / "common/rules/halma"
        text = (folder / "README.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```json\n(.*?)```", text, re.S)
        params, state, commands, events = [json.loads(block) for block in blocks]
        example = json.loads((folder / "examples/first-turn.json").read_text(encoding="utf-8"))
        self.assertEqual((state, commands), (example["state"], example["commands"]))
        self.assertEqual(self.answer(example)["events"], events)
        self.assertEqual(self.answer({**example, "params": params})["events"], events)


if __name__ == "__main__":
    unittest.main()
