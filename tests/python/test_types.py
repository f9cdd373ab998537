"""The package is typed: mypy finds nothing in it, and finds what a caller does wrong."""

import os
import subprocess
import tempfile
import unittest

from package import PACKAGE

CALLER = """from skirmish import Client
Client(7)
"""


class Types(unittest.TestCase):
    def test_mypy_finds_only_what_the_caller_does_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "caller.py")
            with open(path, "w", encoding="ascii") as file:
                file.write(CALLER)
            done = subprocess.run(["/usr/bin/mypy", "--strict", "--python-version", "3.9", "--cache-dir", folder,
                                   "--no-error-summary", "skirmish", path], cwd=PACKAGE, capture_output=True,
                                  text=True, check=False)
        self.assertRegex(done.stdout, r'\A\S*caller\.py:2: error: .* expected "str"  \[arg-type\]\n\Z', done.stderr)


if __name__ == "__main__":
    unittest.main()
