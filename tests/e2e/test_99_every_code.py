"""Runs last: every error code of the server was provoked by some other test."""

import contextlib
import os
import re
import sys
import unittest

from client import provoked
from daemon import ROOT


def modules():
    folder = os.path.dirname(os.path.realpath(__file__))
    return {name[:-3] for name in os.listdir(folder) if name.startswith("test_") and name.endswith(".py")}


def provoked_elsewhere():
    """By each module's last run in a process of its own."""
    codes = set()
    for module in modules():
        path = os.path.join(os.path.dirname(os.environ["PROVOKED"]), module)
        with contextlib.suppress(FileNotFoundError), open(path, encoding="ascii") as file:
            codes |= set(file.read().split())
    return codes


class EveryCode(unittest.TestCase):

    def test_every_error_code_was_provoked(self):
        if "PROVOKED" in os.environ:
            found = provoked_elsewhere()
        elif modules() <= set(sys.modules):
            found = provoked
        else:
            self.skipTest("only together with all others")
        with open(os.path.join(ROOT, "proto", "errors.h"), encoding="utf-8") as file:
            codes = set(re.findall(r'X\(ERROR_\w+,\s*"(\w+)"', file.read()))
        self.assertGreater(len(codes), 30)
        self.assertEqual(codes - found, set(), "no test provoked these")


if __name__ == "__main__":
    unittest.main()
