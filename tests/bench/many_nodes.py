"""Turns a second and CPU time a turn: one daemon on SQLite, and 1, 2 and 3 nodes on PostgreSQL.

If CPU time a turn stays the same with more nodes, more machines play more turns.  It depends on how many records a
commit has, so nodes are compared while players think: each node then has the same turns a second, and the processors
have time left.  A second table has players who do not think; there the processes of more nodes wait for each other.
"""

import contextlib
import statistics
import subprocess
import sys
import time
from pathlib import Path

from servers import DAEMON, LOAD, ROOT, TIME_LIMIT_S, Server

sys.path.insert(0, str(ROOT / "tests" / "cluster"))

from cluster import Cluster, wait_until  # noqa: E402

# CPU time a turn of all nodes and PostgreSQL together, with 3 nodes as a multiple of that with 1.
GROWTH_GOAL = 1.1
THINK_MS = 500
WARMUP_S = 2
LONG_MATCH = '{"placement":false,"turn_limit":1000000}'
COUNTS = {"turns": "skirmish_turns_total", "records": "skirmish_store_records_total",
          "commits": "skirmish_store_commit_seconds_count"}


def load_options(matches, think_ms, seconds):
    return ["--matches", str(matches), "--seconds", str(seconds), "--peaceful", "--params", LONG_MATCH,
            "--think", str(think_ms)]


@contextlib.contextmanager
def players(cluster, matches, think_ms):
    """A load for each node, without a proxy in between."""
    loads = []
    try:
        for node in cluster.nodes:
            loads.append(subprocess.Popen(
                [str(LOAD), "--port", str(node.port), *load_options(matches, think_ms, TIME_LIMIT_S)],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
        wait_until(lambda: all(node.metrics().get("skirmish_node_matches") == matches for node in cluster.nodes),
                   "all matches are under way")
        time.sleep(WARMUP_S)
        yield
    finally:
        for load in loads:
            load.terminate()
        errors = "".join(load.communicate()[1] for load in loads)
    if any(load.returncode != 0 for load in loads):
        raise RuntimeError(f"load: {errors}{cluster.log()}")


def cpu_us(pids):
    """Of all their threads; what has ended meanwhile does not count."""
    total = 0
    for pid in pids:
        for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                total += int(path.read_text(encoding="ascii").split()[0]) / 1000
    return total


def used(cluster):
    return {"nodes": cpu_us(node.process.pid for node in cluster.nodes), "PostgreSQL": cpu_us(cluster.postgres.pids())}


def counted(cluster):
    metrics = [node.metrics() for node in cluster.nodes]
    return {name: sum(one[metric] for one in metrics) for name, metric in COUNTS.items()}


def measure_cluster(count, matches, think_ms, seconds):
    """What happened in a second.  Without matches, nobody plays."""
    with Cluster(DAEMON, count, is_direct=True) as cluster:
        cluster.start()
        with players(cluster, matches, think_ms) if matches > 0 else contextlib.nullcontext():
            before = {**counted(cluster), **used(cluster)}
            began = time.monotonic()
            time.sleep(seconds)
            after = {**used(cluster), **counted(cluster)}
            took = time.monotonic() - began
    return {name: (after[name] - before[name]) / took for name in before}


def measure_sqlite(matches, think_ms, seconds):
    with Server("daemon", is_pinned=False) as server:
        result = server.load(*load_options(matches, think_ms, seconds))
    return {"turns": result["turns_per_s"], "nodes": result["cpu_us_per_turn"] * result["turns_per_s"]}


def medians(runs):
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def cpu_per_turn(row):
    return (row["nodes"] + row.get("PostgreSQL", 0)) / row["turns"]


def show(label, row):
    cells = ["%8.0f turns/s" % row["turns"]]
    if "records" in row:
        cells.append("%6.1f records a commit" % (row["records"] / row["commits"]))
    cells += ["%s %6.1f" % (name, row[name] / row["turns"]) for name in ("nodes", "PostgreSQL") if name in row]
    print("  %-8s %s  CPU us a turn" % (label, "  ".join(cells)), flush=True)


def bench_players(counts, matches, think_ms, seconds, repetitions):
    """{nodes: medians}; 0 is SQLite."""
    print("\nOne daemon on SQLite and nodes on PostgreSQL, %d matches per node, players think up to %d ms; "
          "%d repetitions of %g s: medians" % (matches, think_ms, repetitions, seconds))
    runs = {}
    for _ in range(repetitions):
        runs.setdefault(0, []).append(measure_sqlite(matches, think_ms, seconds))
        for count in counts:
            runs.setdefault(count, []).append(measure_cluster(count, matches, think_ms, seconds))
    found = {count: medians(list_of) for count, list_of in runs.items()}
    for count, row in found.items():
        show("SQLite" if count == 0 else "%d node%s" % (count, "" if count == 1 else "s"), row)
    return found


def bench_idle(counts, seconds):
    print("\nNodes without players, CPU us a second")
    for count in counts:
        row = measure_cluster(count, 0, 0, seconds)
        print("  %d: nodes %6.0f  PostgreSQL %6.0f" % (count, row["nodes"], row["PostgreSQL"]), flush=True)


def bench_nodes(counts, matches, seconds, repetitions):
    """CPU time a turn with the most nodes, as a multiple of that with the fewest."""
    found = bench_players(counts, matches, THINK_MS, seconds, repetitions)
    bench_idle(counts, seconds)
    bench_players(counts, matches, 0, seconds, repetitions)
    return cpu_per_turn(found[counts[-1]]) / cpu_per_turn(found[counts[0]])


def goals_of(growth):
    return [("CPU a turn with 3 nodes as a multiple of that with 1", growth, GROWTH_GOAL, growth <= GROWTH_GOAL)]
