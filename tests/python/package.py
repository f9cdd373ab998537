"""Where the Python package, the library and the programs under test are: the release build's, or $SKIRMISHD."""

import logging
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGE = os.path.join(ROOT, "proto", "python")
RELEASE = os.path.join(ROOT, "build", "release")

os.environ.setdefault("SKIRMISH_LIBRARY", os.path.join(RELEASE, "lib", "libskirmish.so.0"))
os.environ.setdefault("SKIRMISHD", os.path.join(RELEASE, "bin", "skirmishd"))
for folder in (PACKAGE, os.path.join(ROOT, "tests", "e2e")):
    if folder not in sys.path:
        sys.path.insert(0, folder)

logging.getLogger("asyncio").setLevel(logging.ERROR)  # not how long a callback took
