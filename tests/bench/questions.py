"""Questions to the database: their time on many stored turns, and their effect on running turns.

Only ratios within one run mean anything on a shared machine.
"""

import contextlib
import math
import resource
import sqlite3
import statistics
import subprocess

from daemon import ratios, spread
from servers import BENCH, ROOT, TIME_LIMIT_S, Server

QUERIES = ROOT / "migrations" / "queries"
SKIRMISH = BENCH / "bin" / "skirmish"

# As server/store/question.h has it.
QUESTION_NICE = 15

# Of the load's matches, about.
TURNS_A_MATCH = 130

# A question over every command that is stored, asked again and again until its time is over.
ENDLESS = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
           "SELECT count(*) FROM n, match_command")

# The baseline of every question: counting the rows of the turns.
COUNT = "SELECT count(*) FROM record WHERE kind = 'turn'"


def cpu_of(database, question, *parameters):
    """Seconds of CPU of a process that asks it: other load affects these least."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(SKIRMISH), "query", "--database", str(database), "--time", str(TIME_LIMIT_S), question,
                    *parameters], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ask_all(database, repetitions):
    """(turns, the count's seconds, {question: seconds}), the least of the repetitions each."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    stored, = connection.execute(COUNT).fetchone()
    player, = connection.execute("SELECT name FROM player LIMIT 1").fetchone()
    now, = connection.execute("SELECT max(at) / 1000 FROM record").fetchone()
    connection.close()
    seconds = {}
    for path in sorted(QUERIES.glob("*.sql")):
        parameters = [f"now={now}"] if path.stem == "load" else []
        if "-- needs player" in path.read_text(encoding="utf-8"):
            parameters = [f"player={player}"]
        seconds[path.stem] = min(cpu_of(database, path.stem, *parameters) for _ in range(repetitions))
    return stored, min(cpu_of(database, COUNT) for _ in range(repetitions)), seconds


def multiply(database, copies):
    """Copies every match this many times; each copy's records follow the others, as if played later."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN")
    matches, = connection.execute("SELECT max(id) FROM match").fetchone()
    records, = connection.execute("SELECT max(id) FROM record").fetchone()
    for table, key in (("match", "id"), ("seat", "match"), ("chain", "match"), ("record", "match")):
        columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        order = " ORDER BY rowid" if table == "record" else ""
        for copy in range(1, copies):
            changed = {key: f"{key} + {copy * matches}", "code": "NULL", "rematch_of": "NULL"}
            names = ("previous", "last_record", "first_record", *(("id",) if table == "record" else ()))
            changed.update((name, f"{name} + {copy * records}") for name in names)
            connection.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT "
                               f"{', '.join(changed.get(name, name) for name in columns)} FROM {table} "
                               f"WHERE {key} <= {matches}{order}")
    connection.execute("COMMIT")
    connection.close()


def bench_questions(turns, copies, repetitions):
    """Every ready-made question on some turns and on `copies` times as many.

    Returns {question: multiple of the count} for the larger one, and how much the slowest grew by a turn.
    """
    with Server("daemon") as server:
        server.load("--matches", math.ceil(turns / TURNS_A_MATCH), "--turns", 1, "--seconds", TIME_LIMIT_S,
                    "--warmup", 0, "--finish")
        server.stop()
        few, few_plain, small = ask_all(server.database, repetitions)
        multiply(server.database, copies)
        many, plain, large = ask_all(server.database, repetitions)
    print("\nReady-made questions, seconds of CPU on %d and on %d stored turns; their rows alone are counted in "
          "%.2f and %.2f s" % (few, many, few_plain, plain))
    for name, seconds in sorted(large.items(), key=lambda item: -item[1]):
        print("  %-12s %8.2f %8.2f s  %7.1f times the count" % (name, small[name], seconds, seconds / plain),
              flush=True)
    slowest = max(large, key=large.get)
    return large, large[slowest] / small[slowest] * few / many


# A process that uses as much CPU and asks nothing.
BUSY = ["sh", "-c", "while :; do :; done"]


class Beside:
    """A process that runs during `with`."""

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
    """Turns alone, during a question, and beside a process that uses a core as the question does but not the
    database; measured alternately, on one database. Players pause a little, so that they do not use up the
    machine.
    """
    results = {"alone": [], "busy": [], "asking": []}
    with Server("daemon") as server:
        query = [SKIRMISH, "query", "--database", server.database, "--time", TIME_LIMIT_S, ENDLESS]
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
