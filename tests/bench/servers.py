"""The measured servers, and the load that measures them.

A server has the first core and the load the second, if there are two, unless both may run anywhere.
"""

import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from ports import free_port  # noqa: E402

BENCH = ROOT / "build" / "release"
DAEMON = BENCH / "bin" / "skirmishd"
LOAD = BENCH / "tests" / "load"

# The daemon's limits are for players; a bench is many of them from one address.
GENEROUS = ["--connections-max", "20000", "--connections-per-address", "0",
            "--frames-per-second", "100000", "--frames-burst", "100000", "--players-per-hour", "0",
            "--creates-per-minute", "0", "--matches-per-address", "0", "--http-burst", "0",
            "--connects-per-second", "0"]

# Only against hanging.
TIME_LIMIT_S = 600


# A server's program and options, by its name.
PROGRAMS = {"daemon": (DAEMON, "--metrics-port", "-1", *GENEROUS), "limit": (BENCH / "tests" / "limit",),
            "file": (BENCH / "tests" / "limit", "--plain-file"), "echo": (BENCH / "tests" / "echo",)}


def add_daemon(name, program):
    """Another skirmishd, to be measured beside this one."""
    PROGRAMS[name] = (program, *PROGRAMS["daemon"][1:])


class Server:
    """One of the servers with its own database; stopped at the end of `with`."""

    def __init__(self, name, *options, before=(), database=None, is_pinned=True):
        self.name = name
        self.is_pinned = is_pinned
        self.folder = tempfile.TemporaryDirectory(prefix="skirmish-bench-")
        self.database = Path(database or self.path("bench.db"))
        self.port = free_port()
        program, *its_options = PROGRAMS[name]
        words = [*self.on_core(0), *before, program, "--port", self.port, "--database", self.database,
                 *its_options, *options]
        with open(self.path("log"), "wb") as log:
            self.process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE,
                                            stderr=log, text=True)
        self.wait_until_listening()

    def on_core(self, core):
        return ["taskset", "-c", str(core)] if self.is_pinned and (os.cpu_count() or 1) > 1 else []

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def log(self):
        return Path(self.path("log")).read_text(encoding="utf-8")

    def wait_until_listening(self):
        ready, _, _ = select.select([self.process.stdout], [], [], TIME_LIMIT_S)
        line = self.process.stdout.readline() if ready else ""
        if "listening" not in line:
            self.stop()
            raise RuntimeError(f"{self.name} does not start: {self.log()}")

    def stop(self):
        self.process.terminate()
        self.process.wait(TIME_LIMIT_S)
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()
        self.folder.cleanup()

    def load(self, *options):
        """Runs the load against it; returns the result."""
        words = [*self.on_core(1), LOAD, "--port", self.port, "--pid", self.process.pid, *options]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                              timeout=TIME_LIMIT_S, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"load against {self.name}: {done.stderr}{done.stdout}{self.log()}")
        return json.loads(done.stdout.splitlines()[-1])


def instructions(*load_options):
    """What the daemon's process executes while it plays so: {function: inclusive count}.

    The whole process is "".  callgrind, so the same on every run but for how the two threads meet.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind")
        before = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        with Server("daemon", before=before) as server:
            result = server.load("--warmup", 0, "--seconds", TIME_LIMIT_S, *load_options)
            server.stop()
        text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", out],
                              check=True, capture_output=True, text=True).stdout
    counts = {}
    for line in text.splitlines():
        found = re.match(r"\s*([\d,]+) (?:\([ \d.]+%\) )?\s*(?:PROGRAM TOTALS|\S*:(\w+))", line)
        if found:
            counts.setdefault(found.group(2) or "", int(found.group(1).replace(",", "")))
    return counts, result


def wait_for(condition, seconds=TIME_LIMIT_S):
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise RuntimeError("timed out")
        time.sleep(0.01)
