#!/usr/bin/python3
"""Kills the daemon under load and checks that nothing is lost: tests/crash/rounds.py [option...]

  --rounds N       kills at random moments (20)
  --points N       kills at each named kill point (3)
  --from ROUND     begin with this one; rounds of the same seed have the same kinds and times
  --seed N         (SEED, else random)
  --control        the daemon acknowledges before it commits: losses must be found
  --matches N      at once, two connections each (50)

In each round the daemon is started, all clients resume their matches and play on, and it is killed: by
kill -9 at a random moment, or at a named point (server/kill_point.h).  Its files are copied
and read without it (reader.py): everything that clients saw as accepted until then must be there.
After the last round of each database all matches are played to their end.  Prints one line per round, a table,
and `N passed, N failed`.
"""

import argparse
import glob
import hashlib
import os
import random
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

from reader import Journal, Reader, Wrong, compare  # noqa: E402
from ports import free_port  # noqa: E402  reader.py knows where

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.join(ROOT, "build")
SKIRMISHD = os.path.join(BUILD, "crash", "bin", "skirmishd")
SKIRMISH = os.path.join(BUILD, "release", "bin", "skirmish")
LOAD = os.path.join(BUILD, "release", "tests", "load")
MIGRATIONS = sorted(glob.glob(os.path.join(ROOT, "migrations", "sqlite", "*.sql")))

TIME_LIMIT_S = 300  # against hanging only
ROUNDS_A_DATABASE = 25
PARAMS = '{"turn_limit":40}'
SHOWN_MAX = 10     # lines of what is wrong

# How many passes of a kill point there may be before the one that kills: few enough to be reached.
PASSES = {"before_commit": 150, "after_commit": 150, "resolving": 400, "snapshot": 20, "draining": 3,
          "migrating": 1 + 2 * (len(MIGRATIONS) - 1)}


def point_names():
    with open(os.path.join(ROOT, "server", "kill_point.h"), encoding="utf-8") as header:
        return re.findall(r'X\(KILL_\w+, "(\w+)"\)', header.read())


# ---- processes ----

class Server:
    """The daemon, always on the same file and the same port."""

    def __init__(self, folder, environment):
        self.database = os.path.join(folder, "rounds.db")
        self.log_path = os.path.join(folder, "daemon.log")
        self.port = free_port()
        self.environment = {**os.environ, **environment}
        self.process = None

    def start(self, kill=None):
        """Does not wait: clients reconnect by themselves."""
        environment = {**self.environment, **({"SK_KILL": kill} if kill else {})}
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [SKIRMISHD, "--port", str(self.port), "--metrics-port", "-1", "--database", self.database,
                 "--frames-per-second", "10000", "--frames-burst", "10000", "--snapshot-every", "8",
                 "--players-per-hour", "0", "--creates-per-minute", "0", "--matches-per-address", "0",
                 "--http-burst", "0", "--connects-per-second", "0", "--hello-timeout", "120s",
                 "--handshake-timeout", "120s"],
                stdout=log, stderr=log, env=environment)

    def has_died(self):
        return self.process.poll() is not None

    def wait_for_death(self):
        """Checks that it was killed by SIGKILL."""
        try:
            code = self.process.wait(TIME_LIMIT_S)
        except subprocess.TimeoutExpired:
            raise Wrong("the kill point was not reached") from None
        if code != -signal.SIGKILL:
            raise Wrong(f"the daemon ended with {code}:\n{self.last_log()}")

    def kill(self):
        if self.process is not None and not self.has_died():
            self.process.kill()
            self.process.wait()

    def stop(self):
        self.process.terminate()
        code = self.process.wait(TIME_LIMIT_S)
        if code != 0:
            raise Wrong(f"the daemon stopped with {code}:\n{self.last_log()}")

    def last_log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return "".join(log.readlines()[-20:])


class Players:
    """The load generator, which outlives all daemons."""

    def __init__(self, folder, port, matches, seed):
        self.path = os.path.join(folder, "journal")
        self.error_path = os.path.join(folder, "load.err")
        with open(self.path, "wb"), open(self.error_path, "wb") as errors:
            self.process = subprocess.Popen(
                [LOAD, "--port", str(port), "--matches", str(matches), "--seed", str(seed), "--journal",
                 self.path, "--params", PARAMS, "--think", "30", "--seconds", "100000", "--warmup", "0",
                 "--finish"],
                stdout=subprocess.DEVNULL, stderr=errors)

    def finish(self):
        """Plays all matches to their end."""
        self.process.send_signal(signal.SIGUSR1)
        try:
            code = self.process.wait(2 * TIME_LIMIT_S)
        except subprocess.TimeoutExpired:
            code = "nothing, it hangs"
        if code != 0:
            raise Wrong(f"not all matches went on to their end: load ended with {code}\n{self.errors()}")

    def errors(self):
        with open(self.error_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


# ---- an older database ----

def downgrade(path):
    """Reverts the database to the first migration."""
    older = path + ".older"
    with open(MIGRATIONS[0], "rb") as file:
        sql = file.read()
    database = sqlite3.connect(older, isolation_level=None)
    database.execute("CREATE TABLE schema_migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, "
                     "checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT")
    database.executescript(sql.decode())
    database.execute("INSERT INTO schema_migration VALUES (1, ?, ?, 0)",
                     (os.path.basename(MIGRATIONS[0]), hashlib.sha256(sql).hexdigest()))
    database.execute("ATTACH ? AS newer", (path,))
    database.execute("BEGIN")
    tables = database.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table' "
                              "AND name NOT IN ('schema_migration')").fetchall()
    for (table,) in tables:
        columns = [row[1] for row in database.execute(f"PRAGMA main.table_info({table})")]
        if table == "record":
            columns.insert(0, "rowid")
        names = ", ".join(columns)
        database.execute(f"DELETE FROM main.{table}")
        database.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM newer.{table}")
    database.execute("COMMIT")
    database.execute("DETACH newer")
    database.execute("PRAGMA main.journal_mode = WAL")
    database.close()
    for end in ("", "-wal", "-shm"):
        if os.path.exists(path + end):
            os.remove(path + end)
    os.rename(older, path)


# ---- rounds ----

class Plan:
    """The parameters of a round, from its number alone."""

    def __init__(self, seed, number, rounds, points):
        chance = random.Random(f"{seed}/{number}")
        names = point_names()
        self.number = number
        self.play_s = chance.uniform(0.05, 0.9)
        self.passes = None
        if number < rounds:
            self.kind = "random, early" if chance.random() < 0.25 else "random"
            self.early_s = chance.uniform(0, 0.6)
        else:
            self.kind = names[(number - rounds) % len(names)]
            self.passes = 1 + (number - rounds) // len(names) if PASSES[self.kind] <= points \
                else chance.randint(1, PASSES[self.kind])
            self.passes = min(self.passes, PASSES[self.kind])


class Figures:
    """Counts of the rounds of one kind."""

    def __init__(self):
        self.rounds = self.wrong = 0
        self.backs_s = []


class Database:
    """One database and its clients, over many kills."""

    def __init__(self, options, first_round, environment=None):
        self.folder = tempfile.mkdtemp(prefix="skirmish-rounds-")
        self.server = Server(self.folder, environment or {})
        self.reader = Reader(SKIRMISH)
        self.server.start()
        self.players = Players(self.folder, self.server.port, options.matches, options.seed + first_round)
        self.journal = Journal(self.players.path)
        self.client_count = 2 * options.matches
        self.began_s = time.monotonic()

    def close(self):
        self.server.kill()
        self.players.kill()
        self.journal.close()
        self.reader.close()
        shutil.rmtree(self.folder)

    def start(self, kill=None):
        self.server.start(kill)
        self.began_s = time.monotonic()

    def wait_for_players(self):
        """Waits until all clients are back or the daemon is gone; returns the seconds."""
        until_s = time.monotonic() + TIME_LIMIT_S
        while not self.server.has_died():
            self.journal.read()
            if len(self.journal.tokens) >= self.client_count and not self.journal.down:
                backs = [when for _, when in self.journal.backs if when / 1e6 > self.began_s]
                return max(backs) / 1e6 - self.began_s if backs else None
            if self.players.process.poll() is not None:
                raise Wrong(f"the load has ended:\n{self.players.errors()}")
            if time.monotonic() > until_s:
                raise Wrong(f"{len(self.journal.down)} of {len(self.journal.tokens)} clients are not back "
                            f"after {TIME_LIMIT_S} s\n{self.players.errors()}{self.server.last_log()}")
            time.sleep(0.005)
        return None

    def die(self, plan):
        """One round, until the daemon is dead; returns the seconds until all clients were back."""
        back_s = None
        if plan.kind == "migrating":
            downgrade(self.server.database)
        self.start(None if plan.passes is None else f"{plan.kind}:{plan.passes}")
        if plan.kind == "random, early":
            time.sleep(plan.early_s)
        else:
            back_s = self.wait_for_players()
        if plan.kind == "random":
            time.sleep(plan.play_s)
        if plan.kind == "draining":
            time.sleep(plan.play_s)
            self.server.process.terminate()
        if plan.passes is None:
            self.server.process.kill()
        self.server.wait_for_death()
        return back_s

    def verify(self):
        """Lists what is wrong."""
        copy = os.path.join(self.folder, "copy.db")
        for end in ("", "-wal", "-shm"):
            if os.path.exists(copy + end):
                os.remove(copy + end)
        for end in ("", "-wal"):
            if os.path.exists(self.server.database + end):
                shutil.copyfile(self.server.database + end, copy + end)
        self.journal.read()
        self.reader.read(copy)
        return compare(self.journal, self.reader)

    def finish(self):
        """Plays everything to the end, stops the daemon, and reads the whole file once more."""
        self.start()
        self.wait_for_players()
        self.players.finish()
        self.server.stop()
        wrong = self.verify()
        again = Reader(None)
        again.read(self.server.database)
        unfinished = [match.number for match in again.matches.values() if not match.is_over]
        wrong += [f"match {number} was begun and has not come to its end" for number in unfinished
                  if (number, 0) in self.journal.seats]
        return wrong


class Harness:

    def __init__(self, options):
        self.options = options
        self.figures = {}
        self.tests = {}  # by name: is it fine?
        self.accepted = self.shown = self.stored = self.unanswered = self.resolved = 0
        self.finished = self.records = self.snapshots = 0

    def note(self, test, label, wrong, text=""):
        for line in wrong[:SHOWN_MAX]:
            print(f"  {line}")
        if len(wrong) > SHOWN_MAX:
            print(f"  and {len(wrong) - SHOWN_MAX} more")
        print(f"{label}: {text}{'' if not wrong else 'WRONG'}", flush=True)
        self.tests[test] = self.tests.get(test, True) and not wrong

    def run_round(self, database, plan):
        figures = self.figures.setdefault(plan.kind, Figures())
        figures.rounds += 1
        before = len(database.journal.accepted), len(database.journal.shown)
        try:
            back_s = database.die(plan)
            wrong = database.verify()
        except Wrong as error:
            back_s, wrong = None, [str(error)]
        if back_s is not None:
            figures.backs_s.append(back_s)
        figures.wrong += bool(wrong)
        kind = plan.kind if plan.passes is None else f"{plan.kind}:{plan.passes}"
        after = len(database.journal.accepted), len(database.journal.shown)
        self.note(plan.kind, f"round {plan.number}, {kind}", wrong,
                  f"{after[0] - before[0]} accepted, {after[1] - before[1]} turns shown, all there"
                  + ("" if back_s is None else f"; clients back after {back_s:.2f} s"))
        return not wrong

    def run_database(self, plans):
        """Rounds on one database.  After a failed round the next one starts with a new database."""
        database = Database(self.options, plans[0].number)
        try:
            database.wait_for_players()
            database.server.kill()
            for at, plan in enumerate(plans):
                if not self.run_round(database, plan):
                    print(f"  to repeat it: tests/crash/rounds.py --seed {self.options.seed} --from "
                          f"{plans[0].number} --rounds {self.options.rounds} --points {self.options.points}")
                    return plans[at + 1:]
            try:
                wrong = database.finish()
            except Wrong as error:
                wrong = [str(error)]
            self.note("to the end", f"all matches of rounds {plans[0].number} to {plans[-1].number}", wrong,
                      f"{len(database.reader.heads)} played to their end")
            return []
        finally:
            self.add_up(database)
            database.close()

    def add_up(self, database):
        journal, reader = database.journal, database.reader
        self.accepted += len(journal.accepted)
        self.shown += len(journal.shown)
        self.stored += len(reader.submissions)
        self.unanswered += len(reader.submissions.keys() - journal.accepted.keys())
        self.resolved += reader.resolved
        self.finished += len(reader.heads)
        self.records += reader.records
        self.snapshots += reader.snapshots

    def run(self):
        options = self.options
        total = options.rounds + options.points * len(point_names())
        plans = [Plan(options.seed, number, options.rounds, options.points)
                 for number in range(options.begin, total)]
        while plans:
            left = self.run_database(plans[:ROUNDS_A_DATABASE])
            plans = left + plans[ROUNDS_A_DATABASE:]
        self.print_table()

    def print_table(self):
        print(f"\n{'death':<16} {'rounds':>7} {'wrong':>6} {'clients back: median':>21} {'slowest':>9}")
        for kind, figures in self.figures.items():
            backs = figures.backs_s
            times = f"{statistics.median(backs):>19.2f} s {max(backs):>7.2f} s" if backs else ""
            print(f"{kind:<16} {figures.rounds:>7} {figures.wrong:>6} {times}")
        print(f"{self.accepted} submissions accepted and {self.shown} turns shown: all looked for\n"
              f"{self.stored} submissions stored, {self.unanswered} of them never answered\n"
              f"{self.records} records in chains, {self.resolved} turns resolved again, {self.snapshots} "
              f"snapshots hashed, {self.finished} matches played to their end")


def lose_once(options, number):
    """One round of the control; returns the faults found."""
    chance = random.Random(f"{options.seed}/{number}")
    database = Database(options, number, {"SK_FAULT": "early_ack"})
    try:
        database.wait_for_players()
        time.sleep(chance.uniform(0.1, 0.5))
        database.server.kill()
        return database.verify()
    except Wrong as error:
        return [str(error)]
    finally:
        database.close()


def run_control(options):
    """The same with a daemon that acknowledges too early: this must be detected."""
    for number in range(options.rounds):
        wrong = lose_once(options, number)
        print(f"control {number}: {len(wrong)} losses", flush=True)
        if wrong:
            print(f"  {wrong[0]}\nacknowledged before committing: found\n1 passed, 0 failed")
            return 0
    print("acknowledged before committing: NOT FOUND, so a loss would not be either\n0 passed, 1 failed")
    return 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--points", type=int, default=3)
    parser.add_argument("--from", type=int, default=0, dest="begin")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED") or time.time()))
    parser.add_argument("--control", action="store_true")
    parser.add_argument("--matches", type=int, default=50)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    if options.control:
        return run_control(options)
    harness = Harness(options)
    harness.run()
    failed = list(harness.tests.values()).count(False)
    print(f"{len(harness.tests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
