"""What the documents print is what the program says."""

import re
import unittest
from pathlib import Path

from skirmish import run

ROOT = Path(__file__).resolve().parents[2]


class Readme(unittest.TestCase):
    def test_the_first_taste_gets_the_printed_answer(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        request = re.search(r"<<'TURN'\n(.*?)\nTURN\n", text, re.S).group(1)
        printed = re.search(r"with line breaks added:\n\n```\n(.*?)\n```", text, re.S).group(1)
        answered = run("resolve", stdin=request).stdout.decode()
        # "..." stands for what is left out; the rest must be there in that order.
        parts = [part for part in re.sub(r"\s+", "", printed).split("...") if part]
        self.assertGreater(len(parts), 2)
        place = 0
        for part in parts:
            with self.subTest(part=part):
                found = answered.find(part.lstrip(","), place)
                self.assertGreaterEqual(found, place, answered)
                place = found + len(part)

    def test_every_command_it_names_exists(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        named = re.findall(r"^build/bin/skirmish ([a-z ]+?)(?: --help)? +#", text, re.M)
        self.assertTrue(named)
        for words in named:
            with self.subTest(words=words):
                self.assertEqual(run(*words.split()).returncode, 0)


if __name__ == "__main__":
    unittest.main()
