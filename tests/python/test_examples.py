"""The examples of the Python package and of proto/js run, and do what they say."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

import package
from daemon import TIME_LIMIT_S, Daemon

EXAMPLES = os.path.join(package.PACKAGE, "examples")
ENVIRONMENT = {**os.environ, "PYTHONPATH": package.PACKAGE}


def run(*words, **how):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, env=ENVIRONMENT,
                          timeout=TIME_LIMIT_S, check=False, **how)


def blocks():
    """The examples of the README, by the name that they import first."""
    with open(os.path.join(package.PACKAGE, "README.md"), encoding="utf-8") as file:
        found = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    return {re.search(r"from skirmish import (.*)", block).group(1): block for block in found}


class Readme(unittest.TestCase):
    def test_every_example_runs(self):
        with Daemon() as daemon:
            for name, block, words, wanted in (
                    ("Bot", "Bot", ("--url", daemon.url(), "--against", "random", "--params", '{"turn_limit":3}'),
                     r"match 1: seat 0\nmatch 1: (won|lost|nobody won) \(\w+\)\n"),
                    ("Client", "Client", (), r"keep this token.*\n\{.*'reason': .*\}\n"),
                    ("Game", "RUNNING, Game, Referee", (),
                     r"\[.*\]\nwaits for seats \[0, 1\]\nturn \d+ outcome \d+ hash [0-9a-f]{16}\n"),
                    ("parallel_env", "parallel_env", (), r"\{'seat_0': -?\d.0, 'seat_1': -?\d.0\}\n")):
                with self.subTest(name):
                    code = blocks()[block].replace("ws://127.0.0.1:7777/", daemon.url())
                    done = run(sys.executable, "-c", code, *words)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertRegex(done.stdout, f"^{wanted}$")


class Examples(unittest.TestCase):
    def test_the_bot_is_short_and_beats_random(self):
        with open(os.path.join(EXAMPLES, "bot.py"), encoding="utf-8") as file:
            lines = [line for line in file if line.strip() and not line.lstrip().startswith(("#", '"""'))]
        self.assertLessEqual(len(lines), 15)
        with Daemon("--frames-per-second", "1000", "--frames-burst", "1000") as daemon:
            done = run(sys.executable, os.path.join(EXAMPLES, "bot.py"), "--url", daemon.url(), "--against", "random",
                       "--games", "5")
            self.assertEqual(done.returncode, 0, done.stderr)
            won, = re.findall(r"won (\d) of 5", done.stdout)
            self.assertGreaterEqual(int(won), 2, done.stdout)
            self.replay(daemon)

    def replay(self, daemon):
        """The match that was just played, as a picture."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "match.svg")
            done = run(sys.executable, os.path.join(EXAMPLES, "replay.py"), daemon.url().replace("ws:", "http:"), "1",
                       path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"match 1: tactics, \d+ turns; every hash holds")
            root = ElementTree.parse(path).getroot()
            lines = root.findall(".//{http://www.w3.org/2000/svg}polyline")
            self.assertEqual(len(lines), 2)
            self.assertGreater(len(lines[0].get("points").split()), 3)

    def test_training_makes_the_policy_better(self):
        done = run(sys.executable, os.path.join(EXAMPLES, "train.py"), "--rounds", "8", "--seed", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        before, after = (float(share) for share in re.findall(r"wins +([\d.]+)%", done.stdout))
        self.assertGreater(after, before + 15, done.stdout)

    def test_the_service_in_javascript_answers(self):
        path = os.path.join(package.ROOT, "proto", "js", "examples", "service.mjs")
        with subprocess.Popen(["node", path, "0"], stdout=subprocess.PIPE, text=True) as process:
            self.addCleanup(process.kill)
            url = re.search(r"http://\S+", process.stdout.readline()).group(0)
            done = run(sys.executable, "-c", ASK, url)
            process.kill()
        self.assertEqual(json.loads(done.stdout or "null"),
                         [{"rulesets": ["tactics"]}, {"commands": [{"kind": "attack", "unit": "a", "target": [1, 1]}]}],
                         done.stderr)


ASK = """
import json, sys, urllib.request
question = {"view": {"seat": 0, "units": [{"id": "b", "seat": 1, "at": [1, 1]}]},
            "hints": [{"kind": "move", "unit": "a", "target": [0, 1]},
                      {"kind": "attack", "unit": "a", "target": [1, 1]}]}
print(json.dumps([json.load(urllib.request.urlopen(sys.argv[1])),
                  json.load(urllib.request.urlopen(sys.argv[1], json.dumps(question).encode()))]))
"""


if __name__ == "__main__":
    unittest.main()
