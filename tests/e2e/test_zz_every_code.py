"""Comes last: every code that the server may answer with was provoked by some test before."""

import os
import re
import sys
import unittest

from client import provoked
from daemon import ROOT


class EveryCode(unittest.TestCase):

    def test_every_error_code_was_provoked(self):
        folder = os.path.dirname(os.path.realpath(__file__))
        modules = {name[:-3] for name in os.listdir(folder)
                   if name.startswith("test_") and name.endswith(".py")}
        if not modules <= set(sys.modules):
            self.skipTest("only together with all others")
        with open(os.path.join(ROOT, "proto", "errors.h"), encoding="utf-8") as file:
            codes = set(re.findall(r'X\(ERROR_\w+,\s*"(\w+)"', file.read()))
        self.assertGreater(len(codes), 30)
        self.assertEqual(provoked & codes, codes)


if __name__ == "__main__":
    unittest.main()
