"""The daemon compared with the limit server and bare libwebsockets; instructions, memory and growth.

Only ratios within one run mean anything on a shared machine.
"""

import sqlite3
import statistics
import time

from servers import Server, instructions

MATCHES = (1, 50, 500, 2000)

# Goals: share of the limit's turns per second; p99 from the last command to the turn at 50 matches, as a
# multiple of the limit's; instructions per turn; KiB per idle match.
SHARE_GOAL = 0.85
P99_GOAL = 1.5
INSTRUCTIONS_GOALS = {"all": 180000, "rules": 10000, "rest": 80000}
IDLE_KIB_GOAL = 9

# Where a part begins: what is below these functions is inside it.
PARTS = {
    "rules": ("sk_turn_resolve", "sk_turn_check", "sk_turn_hash"),
    "SHA-256": ("SHA256_Init", "SHA256_Update", "SHA256_Final"),
    "SQLite": ("sqlite3_step", "sqlite3_reset", "sqlite3_bind_int64", "sqlite3_bind_null", "sqlite3_bind_text",
               "sqlite3_bind_text64", "sqlite3_bind_blob64", "sqlite3_changes", "sqlite3_last_insert_rowid",
               "sqlite3_wal_checkpoint_v2"),
}


# ---- the daemon compared with the others ----

def like(result, database):
    """Options that make the others send and store what the daemon sent and stored."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        sizes = dict(connection.execute(
            "SELECT kind, avg(length(CAST(body AS BLOB))) FROM record GROUP BY kind"))
    finally:
        connection.close()
    turns = max(1, result["turns"])
    return ["--accepted-bytes", round(result["accepted_bytes"]),
            "--ready-bytes", round(result["ready_bytes"]),
            "--turn-bytes", round(result["turn_bytes"]),
            "--submission-record-bytes", round(sizes["submission"]),
            "--turn-record-bytes", round(sizes["turn"]),
            "--commands", result["commands_per_s"] * result["seconds"] / max(1, result["submissions"]),
            "--match-turns", round(turns / result["matches_over"]) if result["matches_over"] else 65535]


def spread(numbers, form="%.0f"):
    """median (least to most)"""
    return "%s (%s to %s)" % tuple(form % value for value in
                                   (statistics.median(numbers), min(numbers), max(numbers)))


def ratios(ours, theirs, name):
    return [a[name] / b[name] for a, b in zip(ours, theirs)]


def measure(matches, seconds, repetitions):
    """{server: [result, ...]}, measured alternately, so that other load affects all of them."""
    results = {"daemon": [], "limit": [], "echo": []}
    for _ in range(repetitions):
        same = []  # the daemon comes first; the others send and store as many bytes
        for name, list_of in results.items():
            with Server(name, *same) as server:
                list_of.append(server.load("--matches", matches, "--seconds", seconds))
                if name == "daemon":
                    same = like(list_of[-1], server.database)
    return results


def bench_servers(counts, seconds, repetitions):
    """Returns {matches: results}."""
    print("\nThe daemon, the limit server and a bare libwebsockets; %d repetitions of %g s: median "
          "(least to most)" % (repetitions, seconds))
    everything = {}
    for matches in counts:
        results = everything[matches] = measure(matches, seconds, repetitions)
        daemon, limit, echo = results["daemon"], results["limit"], results["echo"]
        print("\n%d matches" % matches)
        for name, list_of in results.items():
            print("  %-8s %34s turns/s  %28s us CPU/turn  p50 %6.0f  p99 %6.0f  p99.9 %6.0f us" % (
                name, spread([one["turns_per_s"] for one in list_of]),
                spread([one["cpu_us_per_turn"] for one in list_of], "%.1f"),
                *(statistics.median(one[p] for one in list_of)
                  for p in ("p50_us", "p99_us", "p999_us"))))
        print("  daemon/limit: turns/s %s, CPU %s, p99 %s" % (
            spread(ratios(daemon, limit, "turns_per_s"), "%.2f"),
            spread(ratios(limit, daemon, "cpu_us_per_turn"), "%.2f"),
            spread(ratios(daemon, limit, "p99_us"), "%.2f")))
        print("  daemon/echo: turns/s %s" % spread(ratios(daemon, echo, "turns_per_s"), "%.2f"),
              flush=True)
    return everything


def goals_of_servers(everything):
    """(label, value, goal, is met)"""
    goals = []
    for matches, results in everything.items():
        share = statistics.median(ratios(results["daemon"], results["limit"], "turns_per_s"))
        goals.append(("turns/s as a share of the limit's, whole matches, %d" % matches, share, SHARE_GOAL,
                      share >= SHARE_GOAL))
    p99 = statistics.median(ratios(everything[50]["daemon"], everything[50]["limit"], "p99_us"))
    return [*goals, ("p99 as a multiple of the limit's, whole matches, 50", p99, P99_GOAL, p99 <= P99_GOAL)]


# ---- instructions ----

def per_turn(few, many, *load_options):
    """{part: what each turn between `few` and `many` adds}; "all", and "rest" outside of the parts."""
    counts, results = zip(*(instructions("--turns", turns, *load_options) for turns in (few, many)))
    turns = results[1]["turns"] - results[0]["turns"]
    added = {part: sum(counts[1].get(name, 0) - counts[0].get(name, 0) for name in names) / turns
             for part, names in {"all": ("",), **PARTS}.items()}
    added["rest"] = added["all"] - sum(added[part] for part in PARTS)
    return added


LONG_MATCH = '{"placement":false,"turn_limit":1000000}'


def bench_instructions(few, many):
    """Returns the parts of a turn with every unit commanded."""
    print("\nInstructions per turn, both threads of the daemon (callgrind)")
    rows = [("every unit alive and moving, one match", ("--matches", 1)),
            ("every unit alive and moving, 20 matches", ("--matches", 20))]
    for label, options in rows:
        found = per_turn(few, many, "--peaceful", "--params", LONG_MATCH, *options)
        print("  %-42s %s" % (label, ", ".join("%s %.0f" % part for part in found.items())), flush=True)
    return found


def goals_of_instructions(found):
    return [("instructions of a turn, %s" % part, found[part], goal, found[part] <= goal)
            for part, goal in INSTRUCTIONS_GOALS.items()]


# ---- memory ----

def rss_kib(matches, seconds):
    with Server("daemon") as server:
        return server.load("--matches", matches, "--idle", "--warmup", 0,
                           "--seconds", seconds)["rss_kib"]


def bench_memory(few, many, seconds):
    """Returns KiB per idle match, including its two connections."""
    each = (rss_kib(many, seconds) - rss_kib(few, seconds)) / (many - few)
    print("\nMemory: %.1f KiB per idle match with its two connections (from %d to %d matches)" %
          (each, few, many), flush=True)
    return each


# ---- growth ----

def bench_long_matches(early, late, window):
    """Instructions of a match's late turns as a multiple of its early ones."""
    options = ("--peaceful", "--params", LONG_MATCH, "--matches", 1)
    first = per_turn(early, early + window, *options)["all"]
    last = per_turn(late, late + window, *options)["all"]
    print("\nA long match: turn %d costs %.0f instructions, turn %d %.0f: %.2f times as many" %
          (early, first, late, last, last / first), flush=True)
    return last / first


FILL = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
INSERT INTO match (ruleset, version, status, is_open, is_rated, seat_count, created_at, started_at,
                   ended_at, reason, seed, salt, settings, params)
SELECT 'tactics', 1, 'over', 1, 1, 2, i, i, i, 'draw_agreed', zeroblob(32), zeroblob(32), '{{}}',
       '{{}}' FROM n;
INSERT INTO seat (match, seat) SELECT id, s.column1 FROM match, (VALUES (0), (1)) s;
INSERT INTO record (id, previous, match, seq, epoch, turn, seat, command_id, kind, at, hash, body)
SELECT 6 * id - 6 + s.column1, nullif(6 * id - 7 + s.column1, 6 * id - 6), id, s.column1, 1,
       s.column1, s.column1 % 2, 'c' || s.column1, 'submission', id,
       zeroblob(32), '{{"commands":[],"verdicts":[],"ready":true}}'
FROM match, (VALUES (1), (2), (3), (4), (5), (6)) s;
INSERT INTO chain (match, last_seq, head, last_record, first_record)
SELECT id, 6, zeroblob(32), 6 * id, 6 * id - 5 FROM match;
"""


def filled(folder, count):
    """The path of a database with this many finished matches."""
    path = folder / ("%d.db" % count)
    with Server("daemon", database=path):
        pass  # makes the tables
    connection = sqlite3.connect(path)
    connection.executescript("PRAGMA synchronous = OFF;" + FILL.format(count=count))
    connection.close()
    return path


def bench_stored_matches(folder, few, many, seconds, repetitions):
    """A turn and a start with many stored matches, as multiples of those with few."""
    paths = {count: filled(folder, count) for count in (few, many)}
    turns = {few: [], many: []}
    starts = {few: [], many: []}
    for _ in range(repetitions):
        for count, path in paths.items():
            began = time.monotonic()
            with Server("daemon", database=path) as server:
                starts[count].append(time.monotonic() - began)
                turns[count].append(server.load("--matches", 50, "--seconds", seconds, "--finish"))
    print("\n%d matches stored instead of %d: CPU per turn %s times as much, a start %s times as long" %
          (many, few, spread(ratios(turns[many], turns[few], "cpu_us_per_turn"), "%.2f"),
           spread([a / b for a, b in zip(starts[many], starts[few])], "%.2f")), flush=True)
    return statistics.median(ratios(turns[many], turns[few], "cpu_us_per_turn"))
