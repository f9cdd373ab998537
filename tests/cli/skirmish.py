"""Runs the program under test and exchanges JSON with it."""

import json
import os
import subprocess

PROGRAM = os.environ.get("SKIRMISH", "build/bin/skirmish")

# Generous: only against hanging, not a measure of speed.
TIME_LIMIT_S = 120


def run(*arguments, stdin=b""):
    """The finished process; output stays bytes because input may be any."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    return subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True,
                          timeout=TIME_LIMIT_S, check=False)


def answers(stdin):
    """The parsed answers of `skirmish resolve` and its exit status."""
    done = run("resolve", stdin=stdin)
    return [json.loads(line) for line in done.stdout.decode().splitlines()], done.returncode


def answer(request):
    """The answer to one request: an object, or bytes or text that are sent unchanged."""
    if isinstance(request, dict):
        request = json.dumps(request)
    given, status = answers(request)
    assert len(given) == 1, given
    assert status == (1 if "error" in given[0] else 0), (status, given[0])
    return given[0]


def small_params():
    """Two units per side on a small board: enough for most questions."""
    return {
        "rows": 5, "cols": 5, "start_rows": 2,
        "patterns": {"ring": {"rows": ["xxx", "x x", "xxx"]},
                     "blast": {"rows": ["ooo", "o o", "ooo"], "map": {"o": "plus"}},
                     "plus": {"rows": [" x ", "xxx", " x "]}},
        "models": {"archer": {"description": "shoots", "health": 20, "power": 7,
                              "move": ["ring"], "attack": ["blast"]}},
        "units": [{"id": "a1", "model": "archer", "seat": 0, "at": [1, 4]},
                  {"id": "a2", "model": "archer", "seat": 0, "at": [3, 4]},
                  {"id": "b1", "model": "archer", "seat": 1, "at": [1, 0]},
                  {"id": "b2", "model": "archer", "seat": 1, "at": [3, 0]}],
    }


def small_state():
    return {"phase": "play",
            "units": [{**unit, "health": 20} for unit in small_params()["units"]]}


def small_request(**members):
    return {"ruleset": "tactics", "params": small_params(), **members}
