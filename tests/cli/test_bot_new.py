"""`skirmish bot new`: what it writes is an example of the package that plays, and no file is overwritten."""

import os
import subprocess
import sys
import tempfile
import unittest

from skirmish import PROGRAM, TIME_LIMIT_S

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


class BotNew(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def new(self, *arguments):
        return subprocess.run([os.path.abspath(PROGRAM), "bot", "new", *arguments], cwd=self.folder, text=True,
                              capture_output=True, timeout=TIME_LIMIT_S, check=False)

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_it_writes_a_bot_with_its_name_and_says_how_to_start_it(self):
        for option, name, check in ((), "mine.py", [sys.executable, "-m", "py_compile"]), \
                (("--js",), "mine.mjs", ["node", "--check"]):
            done = self.new("mine", *option)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{name} plays tactics.\n", done.stdout)
            self.assertIn(f" {name} ", done.stdout)
            with open(self.path(name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("mine plays tactics", text)
            self.assertNotIn("my_bot", text)
            self.assertTrue(os.access(self.path(name), os.X_OK))
            subprocess.run([*check, self.path(name)], check=True, timeout=TIME_LIMIT_S)

    def test_the_python_bot_runs(self):
        self.new("mine")
        done = subprocess.run([sys.executable, self.path("mine.py"), "--rulesets"], text=True, capture_output=True,
                              env={"PYTHONPATH": os.path.join(ROOT, "proto", "python")}, timeout=TIME_LIMIT_S,
                              check=False)
        self.assertEqual(done.stdout, "tactics\n", done.stderr)

    def test_a_file_that_exists_is_not_changed(self):
        with open(self.path("mine.py"), "w", encoding="ascii") as file:
            file.write("precious")
        done = self.new("mine", "--python")
        self.assertEqual(done.returncode, 1)
        self.assertIn("mine.py: File exists", done.stderr)
        with open(self.path("mine.py"), encoding="ascii") as file:
            self.assertEqual(file.read(), "precious")

    def test_what_is_wrong_is_said(self):
        for words, arguments in (("takes a name", ()), ("takes a name", ("a", "b")), ("a name has 1 to 64", ("a b",)),
                                 ("a name has 1 to 64", ("a/",)), ("exclude each other", ("a", "--js", "--python"))):
            done = self.new(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)
        done = self.new("no/such/folder/mine")
        self.assertEqual(done.returncode, 1)
        self.assertIn("No such file or directory", done.stderr)


if __name__ == "__main__":
    unittest.main()
