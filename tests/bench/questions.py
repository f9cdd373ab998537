"""Questions to the database: what they take on many stored turns, and what turns feel of them.

Only ratios within one run mean anything on a shared machine.
"""

import contextlib
import math
import sqlite3
import statistics
import subprocess
import time

from daemon import ratios, spread
from servers import BENCH, ROOT, TIME_LIMIT_S, Server

QUERIES = ROOT / "migrations" / "queries"

# As server/store/question.h has it.
QUESTION_NICE = 15

# Of the load's matches, about.
TURNS_A_MATCH = 130

# A question over every command that is stored, asked again and again until its time is over.
ENDLESS = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
           "SELECT count(*) FROM n, match_command")

# What every question is compared with: the rows of the turns, counted.
COUNT = "SELECT count(*) FROM record WHERE kind = 'turn'"


def timed(connection, sql, parameters):
    began = time.monotonic()
    rows = len(connection.execute(sql, parameters).fetchall())
    return time.monotonic() - began, rows


def fastest(connection, sql, parameters, repetitions):
    """(seconds, rows): the neighbours only ever make it slower."""
    return min(timed(connection, sql, parameters) for _ in range(repetitions))


def bench_questions(turns, repetitions):
    """Every ready-made question on a database with so many turns; the median as a multiple of the count."""
    with Server("daemon") as server:
        server.load("--matches", math.ceil(turns / TURNS_A_MATCH), "--turns", 1, "--seconds", TIME_LIMIT_S,
                    "--warmup", 0, "--finish")
        server.stop()
        connection = sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)
        player, = connection.execute("SELECT name FROM player LIMIT 1").fetchone()
        parameters = dict.fromkeys(("other", "ruleset", "now", "from", "to")) | {"player": player}
        plain, _ = fastest(connection, COUNT, {}, repetitions)
        stored, = connection.execute(COUNT).fetchone()
        matches, = connection.execute("SELECT count(*) FROM match").fetchone()
        print("\nReady-made questions on %d stored turns of %d matches; their rows alone are counted in %.1f ms" %
              (stored, matches, 1000 * plain))
        multiples = {}
        for path in sorted(QUERIES.glob("*.sql")):
            seconds, rows = fastest(connection, path.read_text(encoding="utf-8"), parameters, repetitions)
            multiples[path.stem] = seconds / plain
            print("  %-12s %9.1f ms  %7.1f times the count  %6d rows" % (
                path.stem, 1000 * seconds, multiples[path.stem], rows), flush=True)
        connection.close()
    return stored, multiples


# A process that takes as much of the machine and asks nothing.
BUSY = ["sh", "-c", "while :; do :; done"]


class Beside:
    """A process at its work for the time of a `with`."""

    def __init__(self, *words):
        self.process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        was_at_work = self.process.poll() is None
        self.process.kill()
        self.process.wait()
        if not was_at_work:
            raise RuntimeError("it ended before the turns did")


def bench_beside(matches, think_ms, seconds, repetitions):
    """Turns alone, beside a question, and beside a process that takes a core as the question does and has
    nothing to do with the database; by turns, on one database.

    Players think a little, so that the machine is not used up by them alone.
    """
    results = {"alone": [], "busy": [], "asking": []}
    with Server("daemon") as server:
        query = [BENCH / "bin" / "skirmish", "query", "--database", server.database, "--time", TIME_LIMIT_S, ENDLESS]
        words = {"busy": ["nice", "-n", QUESTION_NICE, *BUSY], "asking": query}
        server.load("--matches", matches, "--seconds", 1)
        for _ in range(repetitions):
            for name, list_of in results.items():
                with Beside(*words[name]) if name in words else contextlib.nullcontext():
                    list_of.append(server.load("--matches", matches, "--seconds", seconds, "--think", think_ms))
    print("\n%d matches, seats that think up to %d ms, for %g s alone, beside a busy process and beside a question; "
          "%d repetitions: median (least to most)" % (matches, think_ms, seconds, repetitions))
    for label, name in (("turns/s", "turns_per_s"), ("p50 us", "p50_us"), ("p99 us", "p99_us"),
                        ("us CPU/turn", "cpu_us_per_turn")):
        print("  %-12s %26s %26s %26s  asking / busy %s" % (
            label, *(spread([one[name] for one in list_of]) for list_of in results.values()),
            spread(ratios(results["asking"], results["busy"], name), "%.2f")), flush=True)
    return statistics.median(ratios(results["asking"], results["busy"], "p50_us"))
