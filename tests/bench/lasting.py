"""Turns of equal content, over a short and a long time: no unit dies, so every turn has the same bytes.

The daemon, the limit server, and the same server with a plain file instead of a database are measured
alternately, with other daemons if any are named.  Only ratios within one run mean anything.
"""

import contextlib
import math
import sqlite3
import statistics

from daemon import LONG_MATCH, like, ratios, spread
from servers import Server

# Goals: the last slice as a share of the first; turns/s as a share of the limit's; bytes that reach the
# disk as a multiple of the records'; delays as multiples of the limit's; turns/s beside a reader as a share
# of those alone.
LAST_GOAL = 0.9
SHARE_GOAL = 0.85
WRITTEN_GOAL = 3
P99_GOAL = 1.5
P50_GOAL = 1.2
READER_GOAL = 0.9

EQUAL = ("--peaceful", "--params", LONG_MATCH)
SAMPLE = 30000  # records whose sizes are read


def record_bytes(database):
    """The bytes of the records of one turn: texts and hashes, without numbers and overhead."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        size, turns = connection.execute(
            "SELECT sum(length(CAST(body AS BLOB)) + coalesce(length(command_id), 0) + length(kind) + length(hash)),"
            f" sum(kind = 'turn') FROM (SELECT * FROM record LIMIT {SAMPLE}, {SAMPLE})").fetchone()
        return size / turns if turns else float("nan")
    finally:
        connection.close()


@contextlib.contextmanager
def reading(database):
    """A reader that stays at what the database is now: the log cannot begin anew."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM match").fetchone()
    try:
        yield
    finally:
        connection.close()


def play(name, options, matches, seconds, slice_s, is_pinned, has_reader=False):
    """The result of one server, and the options that make others like it."""
    with (Server(name, *options, is_pinned=is_pinned) as server,
          reading(server.database) if has_reader else contextlib.nullcontext()):
        result = server.load("--matches", matches, "--seconds", seconds, "--slice", slice_s, *EQUAL)
        if not options:
            options = like(result, server.database)
            result["record_bytes"] = record_bytes(server.database)
    return result, options


def measure(names, matches, seconds, slice_s, repetitions, is_pinned=True):
    """{server: [result, ...]}; the first one is a daemon, whose bytes the limits send and store.

    Another begins in each repetition: the same program was 5 to 10 % slower as the first than as the last."""
    results = {name: [] for name in names}
    for i in range(repetitions):
        first = i % len(names)
        for name in (*names[first:], *names[:first]):
            list_of = results[name]
            if name not in ("limit", "file"):
                result, same = play(name, [], matches, seconds, slice_s, is_pinned)
            else:
                result, _ = play(name, same, matches, seconds, slice_s, is_pinned)
                result["record_bytes"] = results[names[0]][-1]["record_bytes"]
            list_of.append(result)
    return results


def median(list_of, name):
    return statistics.median(one[name] for one in list_of)


def last_by_first(slices):
    """The last slice as a share of the first; no number if the first had nothing."""
    return slices[-1] / slices[0] if slices[0] else math.nan


def lasts(result):
    return last_by_first(result["slices"])


def written(result):
    """Bytes sent to the disk as a multiple of the records'."""
    return result["written_per_turn"] / result["record_bytes"]


def print_row(name, list_of):
    threads = sorted(list_of[-1]["threads_us_per_turn"], reverse=True)[:2]
    print("  %-8s %28s turns/s  %5.1f us CPU (%s)  p50 %6.0f p99 %6.0f us  %6.0f B written (%.1fx)  load %3.0f%%" % (
        name, spread([one["turns_per_s"] for one in list_of]), median(list_of, "cpu_us_per_turn"),
        " + ".join("%.1f" % one for one in threads), median(list_of, "p50_us"), median(list_of, "p99_us"),
        median(list_of, "written_per_turn"), statistics.median(map(written, list_of)),
        100 * median(list_of, "load_cpu_share")))
    for one in list_of:
        if len(one["slices"]) > 1:
            print("           slices: %s turns/s, last/first %.2f; %s us CPU, %.2f" % (
                ", ".join("%.0f" % rate for rate in one["slices"]), lasts(one),
                ", ".join("%.1f" % cpu for cpu in one["slices_us_per_turn"]),
                last_by_first(one["slices_us_per_turn"])))


def bench_equal(names, counts, seconds, slice_s, repetitions, is_pinned=True):
    """Prints a table; {matches: results}."""
    print("\nTurns of equal content, %d x %g s, %s: median (least to most); CPU of the two busiest threads" % (
        repetitions, seconds, "a core each for server and load" if is_pinned else "nobody pinned"))
    everything = {}
    for matches in counts:
        results = everything[matches] = measure(names, matches, seconds, slice_s, repetitions, is_pinned)
        print("\n%d matches" % matches)
        for name, list_of in results.items():
            print_row(name, list_of)
        for name in names[1:]:
            print("  %s/%s: turns/s %s, CPU %s" % (
                names[0], name, spread(ratios(results[names[0]], results[name], "turns_per_s"), "%.2f"),
                spread(ratios(results[names[0]], results[name], "cpu_us_per_turn"), "%.2f")), flush=True)
    return everything


def goal(label, value, aim, is_least):
    return label, value, aim, value >= aim if is_least else value <= aim


def goals_of(everything, kind):
    """(label, value, goal, is met) of one table; `kind` says which."""
    goals = []
    for matches, results in everything.items():
        where = "%s, %d match%s" % (kind, matches, "" if matches == 1 else "es")
        daemon, limit = results["daemon"], results["limit"]
        if matches == 1:
            goals.append(goal("p50 as a multiple of the limit's, " + where,
                              statistics.median(ratios(daemon, limit, "p50_us")), P50_GOAL, False))
            continue
        goals.append(goal("turns/s as a share of the limit's, " + where,
                          statistics.median(ratios(daemon, limit, "turns_per_s")), SHARE_GOAL, True))
        goals.append(goal("bytes written per byte of record, " + where,
                          statistics.median(map(written, daemon)), WRITTEN_GOAL, False))
        if matches == 50:
            goals.append(goal("p99 as a multiple of the limit's, " + where,
                              statistics.median(ratios(daemon, limit, "p99_us")), P99_GOAL, False))
        if len(daemon[0]["slices"]) > 1:
            goals.append(goal("last slice as a share of the first, " + where,
                              statistics.median(map(lasts, daemon)), LAST_GOAL, True))
    return goals


def bench_reader(counts, seconds, slice_s):
    """Turns beside a reader that stays, and alone, by turns; the goals."""
    print("\nTurns of equal content, twice %g s, alone and beside a reader that stays" % seconds)
    goals = []
    for matches in counts:
        results = {"alone": [], "reader": []}
        for _ in range(2):
            for name, list_of in results.items():
                list_of.append(play("daemon", [], matches, seconds, slice_s, True, name == "reader")[0])
        print("\n%d matches" % matches)
        for name, list_of in results.items():
            print_row(name, list_of)
        goals.append(goal("turns/s beside a reader, of those alone, %d matches" % matches,
                          statistics.median(ratios(results["reader"], results["alone"], "turns_per_s")),
                          READER_GOAL, True))
    return goals
