"""The package is typed: mypy finds nothing."""

import os
import subprocess
import tempfile
import unittest

from package import PACKAGE


class Types(unittest.TestCase):
    def mypy(self, *files):
        with tempfile.TemporaryDirectory() as cache:
            return subprocess.run(["/usr/bin/mypy", "--strict", "--python-version", "3.9", "--cache-dir", cache,
                                   *files], cwd=PACKAGE, capture_output=True, text=True, check=False)

    def test_mypy_finds_nothing(self):
        done = self.mypy("skirmish")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_callers_get_its_types(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "caller.py")
            with open(path, "w", encoding="ascii") as file:
                file.write("from skirmish import Client\nClient(7)\n")
            done = self.mypy(path, os.path.join(PACKAGE, "skirmish"))
            self.assertIn('expected "str"', done.stdout)


if __name__ == "__main__":
    unittest.main()
