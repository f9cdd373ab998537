"""Turns a second and CPU time a turn of every process: one daemon on SQLite, and 1, 2 and 3 nodes on PostgreSQL.

On a machine with few processors turns a second need not grow with the nodes; if CPU time a turn stays the same,
more machines play more turns.  Each node has the same number of matches, so that its groups of commits are alike.
"""

import json
import statistics
import subprocess
import sys

from servers import DAEMON, LOAD, ROOT, TIME_LIMIT_S, Server

sys.path.insert(0, str(ROOT / "tests" / "cluster"))

from cluster import Cluster  # noqa: E402

# CPU time a turn of all nodes and PostgreSQL together, with 3 nodes as a multiple of that with 1.
GROWTH_GOAL = 1.1
LONG_MATCH = '{"placement":false,"turn_limit":1000000}'


def measure_cluster(count, matches, seconds):
    """(turns a second, {process: CPU us a turn})"""
    with Cluster(DAEMON, count, is_direct=True) as cluster:
        cluster.start()
        names = [("node", node.process.pid) for node in cluster.nodes]
        names.append(("HAProxy", cluster.haproxy.process.pid))
        names += [("PostgreSQL", pid) for pid in cluster.postgres.pids()]
        pids = [word for _, pid in names for word in ("--pid", str(pid))]
        done = subprocess.run([str(LOAD), "--port", str(cluster.haproxy.port), "--matches", str(matches), "--seconds",
                               str(seconds), "--peaceful", "--params", LONG_MATCH, *pids],
                              capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"load against {count} nodes: {done.stderr}{done.stdout}{cluster.log()}")
    result = json.loads(done.stdout.splitlines()[-1])
    used = {}
    for (name, _), cpu_us in zip(names, [result["cpu_us_per_turn"], *result["others_us_per_turn"]]):
        used[name] = used.get(name, 0) + cpu_us
    used["load"] = result["load_cpu_share"] * 1e6 / result["turns_per_s"]
    return result["turns_per_s"], used


def measure_sqlite(matches, seconds):
    with Server("daemon", is_pinned=False) as server:
        result = server.load("--matches", matches, "--seconds", seconds, "--peaceful", "--params", LONG_MATCH)
    return result["turns_per_s"], {"node": result["cpu_us_per_turn"],
                                   "load": result["load_cpu_share"] * 1e6 / result["turns_per_s"]}


def bench_nodes(counts, matches, seconds, repetitions):
    """{label: (turns a second, {process: CPU us a turn})}, medians."""
    print("\nOne daemon on SQLite and nodes on PostgreSQL, %d matches per node; %d repetitions of %g s: medians" %
          (matches, repetitions, seconds))
    runs = {}
    for _ in range(repetitions):
        runs.setdefault("SQLite", []).append(measure_sqlite(matches, seconds))
        for count in counts:
            runs.setdefault("%d %s" % (count, "node" if count == 1 else "nodes"), []).append(
                measure_cluster(count, count * matches, seconds))
    found = {}
    for label, list_of in runs.items():
        used = {name: statistics.median(one.get(name, 0) for _, one in list_of)
                for name in ("node", "PostgreSQL", "HAProxy", "load")}
        found[label] = statistics.median(turns for turns, _ in list_of), used
        print("  %-8s %8.0f turns/s   CPU us a turn: nodes %6.1f  PostgreSQL %6.1f  HAProxy %6.1f  load %6.1f" %
              (label, found[label][0], *used.values()), flush=True)
    return found


def goals_of(found):
    def cpu(label):
        return found[label][1]["node"] + found[label][1]["PostgreSQL"]

    growth = cpu("3 nodes") / cpu("1 node")
    return [("CPU a turn with 3 nodes as a multiple of that with 1", growth, GROWTH_GOAL, growth <= GROWTH_GOAL)]
