"""`pip install` of the package, without a network, into an environment that has nothing else of the checkout."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import package

PROGRAM = """
import json, os, skirmish
referee = skirmish.Referee()
folder = os.path.dirname(skirmish.__file__)
print(json.dumps([folder, sorted(os.listdir(folder)), [ruleset["name"] for ruleset in referee.rulesets()]]))
"""
MISSING = [name for name in ("ensurepip", "setuptools", "wheel") if importlib.util.find_spec(name) is None]


class Install(unittest.TestCase):
    @unittest.skipIf(MISSING, f"needs python3-venv, python3-setuptools and python3-wheel: no {', '.join(MISSING)}")
    def test_pip_installs_a_package_that_finds_the_library(self):
        with tempfile.TemporaryDirectory() as folder:
            source, place = os.path.join(folder, "source"), os.path.join(folder, "venv")
            shutil.copytree(package.PACKAGE, source,
                            ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
            python = os.path.join(place, "bin", "python")
            env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SKIRMISH_LIBRARY")}

            def run(*words, **more):
                return subprocess.run(words, cwd=folder, env={**env, **more}, capture_output=True, text=True,
                                      check=False)

            for words in ((sys.executable, "-m", "venv", "--system-site-packages", place),
                          (python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--quiet", source)):
                done = run(*words)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            done = run(python, "-c", PROGRAM, SKIRMISH_LIBRARY=os.environ["SKIRMISH_LIBRARY"])
            self.assertEqual(done.returncode, 0, done.stderr)
            where, files, rulesets = json.loads(done.stdout)
            self.assertTrue(where.startswith(os.path.realpath(place)), where)
            self.assertEqual(set(files) - {"__pycache__"}, set(os.listdir(os.path.join(source, "skirmish"))))
            self.assertEqual(rulesets, ["halma", "racers", "snarl", "tactics"])
            done = run(python, "-c", "import skirmish; skirmish.Referee('nothing.so')")
            self.assertIn("nothing.so cannot be loaded: set SKIRMISH_LIBRARY to the path of libskirmish.so",
                          done.stderr)


if __name__ == "__main__":
    unittest.main()
