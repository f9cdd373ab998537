"""Servers that are measured, and the load that measures them.

A server has the first core to itself and the load the second, as far as there are two.
"""

import json
import os
import re
import select
import socket
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "build" / "release"
DAEMON = BENCH / "bin" / "skirmishd"
LOAD = BENCH / "tests" / "load"

# The daemon's limits are for players; a bench is many of them from one address.
GENEROUS = ["--connections-max", "20000", "--connections-per-address", "0",
            "--frames-per-second", "100000", "--frames-burst", "100000"]

# Against hanging only.
TIME_LIMIT_S = 600


def on_core(core):
    return ["taskset", "-c", str(core)] if (os.cpu_count() or 1) > 1 else []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One of the servers on a database of its own; ended at the end of `with`."""

    def __init__(self, name, *options, before=(), database=None):
        self.name = name
        self.folder = tempfile.TemporaryDirectory(prefix="skirmish-bench-")
        self.database = Path(database or self.path("bench.db"))
        self.port = free_port()
        program = DAEMON if name == "daemon" else BENCH / "tests" / name
        words = [*on_core(0), *before, program, "--port", self.port, "--database", self.database,
                 *options]
        if name == "daemon":
            words += ["--metrics-port", "-1", *GENEROUS]
        with open(self.path("log"), "wb") as log:
            self.process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE,
                                            stderr=log, text=True)
        self.wait_until_listening()

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
        """Plays against it; the result."""
        words = [*on_core(1), LOAD, "--port", self.port, "--pid", self.process.pid, *options]
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
            raise RuntimeError("nothing happened in time")
        time.sleep(0.01)
