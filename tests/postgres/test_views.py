"""Every view, ready-made question and list over HTTP says the same on SQLite and on PostgreSQL, row by row.

The same rows are in both: matches of all rulesets by bots, and by people with bounces, refusals, draws,
replaced and withdrawn submissions, clocks, a resignation, a match that nobody joined, and a forgotten
player.
"""

import glob
import json
import os
import sqlite3
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from client import Case, attack, move  # noqa: E402
from daemon import PROGRAM, TIME_LIMIT_S, Daemon  # noqa: E402

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
SERVER = os.environ["POSTGRES"]
QUERIES = sorted(glob.glob(os.path.join(ROOT, "migrations", "queries", "*.sql")))
SNARL = json.dumps({"mode": "versus", "heroes": ["ada"]})
CLOCK = {"turn_ms": 600000, "bank_ms": 600000}

# Parents first.
TABLES = ("player", "match", "seat", "record", "chain", "standing", "beat", "origin", "rated_match", "ban",
          "admin_log", "pruned", "bot_call_log")


class SqliteDaemon(Daemon):
    def new_database(self):
        return self.path("test.db")


class SharedDaemon(Daemon):
    def __init__(self, address):
        self.address = address
        super().__init__("--node", "one")

    def new_database(self):
        return self.address


def psql(database, sql, **more):
    return subprocess.run(["psql", "-qAt", "-v", "ON_ERROR_STOP=1", "-h", SERVER, "-U", "skirmish", database],
                          input=sql, check=True, capture_output=True, text=True, **more).stdout


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"'\\x{value.hex()}'"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


def columns_of(database, table):
    rows = psql(database, f"SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' "
                          f"AND table_name = '{table}'")
    return rows.split()


def copy(path, database):
    """All rows of the file, as they are."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    lines = ["BEGIN;"]
    for table in TABLES:
        known = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
        columns = [name for name in columns_of(database, table) if name in known - {"owner"}]
        for row in db.execute(f"SELECT {', '.join(columns)} FROM {table}"):
            lines.append(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(map(literal, row))});")
    psql(database, "\n".join([*lines, "COMMIT;"]))


class Views(Case):
    options = ("--frames-per-second", "100000", "--frames-burst", "100000")
    starts = SqliteDaemon

    def skirmish(self, *arguments):
        done = subprocess.run([SKIRMISH, *arguments], capture_output=True, text=True, timeout=TIME_LIMIT_S,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def play_bots(self):
        for ruleset, params in (("tactics", None), ("halma", None), ("racers", None), ("snarl", SNARL)):
            how = [] if params is None else ["--params", params]
            self.skirmish("arena", "--url", self.daemon.url(), "--ruleset", ruleset, "--games", "3", *how,
                          "greedy", "random")

    async def play_people(self):
        for is_finished in (True, False):
            alice, bob, match = await self.pair(clock=CLOCK)
            await self.play(alice, bob, match, 0, [], [move("b1", 1, 1)])
            await alice.submit(match, 1, move("a1", 9, 9))
            await alice.submit(match, 1, move("a1", 1, 2), ready=False)
            await alice.get("withdrawn", "withdraw", match=match, turn=1, command_id="w")
            await alice.submit(match, 1, move("a1", 0, 2), move("a1", 2, 2), ready=True)
            await bob.submit(match, 1)
            await bob.expect("turn", match=match, turn=2)
            await alice.expect("turn", match=match, turn=2)
            await self.play(alice, bob, match, 2, [move("a1", 1, 2)], [move("b1", 1, 2)])
            if is_finished:
                await self.play(alice, bob, match, 3, [move("a1", 1, 2)], [])
                await self.play(alice, bob, match, 4, [attack("a1", 1, 1)], [])
                await bob.expect("over", match=match)

    async def draw(self):
        alice, bob, match = await self.pair()
        await alice.get("done", "offer_draw", match=match)
        await bob.get("done", "answer_draw", match=match, accept=True)
        await bob.expect("over", match=match)

    async def resign(self):
        alice, bob, match = await self.pair()
        await alice.get("done", "resign", match=match, command_id="r")
        await bob.expect("over", match=match)

    def answer(self, database, sql, *parameters):
        return self.skirmish("query", "--database", database, "--csv", "--rows", "0", sql, *parameters)

    async def test_say_the_same_on_both_databases(self):
        self.play_bots()
        await self.play_people()
        await self.draw()
        await self.resign()
        waiting = await self.player("Waiting")
        await waiting.create()
        path, player, playing, now = self.daemon.database, *(self.query(sql)[0][0] for sql in (
            "SELECT name FROM match_seat WHERE is_bot = 0 AND rating_after IS NOT NULL LIMIT 1",
            "SELECT name FROM match_seat WHERE result = 'running' LIMIT 1",
            "SELECT max(at) / 1000 FROM record"))
        self.daemon.stop()
        self.skirmish("player", "forget", "--database", path, "--yes", waiting.name)
        name = "views"
        psql("postgres", f"CREATE DATABASE {name}")
        shared = f"postgres://skirmish@/{name}?host={SERVER}"
        self.skirmish("migrate", "--database", shared)
        copy(path, name)
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        views = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")]
        self.assertEqual("".join(f"{view}\n" for view in views),
                         psql(name, "SELECT viewname FROM pg_views WHERE schemaname = 'public' ORDER BY 1"))
        self.assertGreater(len(views), 15)
        for view in views:
            with self.subTest(view=view):
                answers = [self.answer(database, f"SELECT * FROM {view}").splitlines() for database in (path, shared)]
                self.assertEqual(answers[0][0], answers[1][0])
                self.assertEqual(sorted(answers[0][1:]), sorted(answers[1][1:]))
        empty = []
        for file in QUERIES:
            question = os.path.splitext(os.path.basename(file))[0]
            with open(file, encoding="utf-8") as text:
                parameters = [f"player={playing if question == 'open' else player}"] \
                    if "-- needs player" in text.read() else []
            parameters += {"load": [f"now={now}"], "busiest": ["to=2100-01-01"]}.get(question, [])
            with self.subTest(question=question):
                answers = [self.answer(database, question, *parameters) for database in (path, shared)]
                self.assertEqual(answers[0], answers[1])
                if len(answers[0].splitlines()) < 2:
                    empty.append(question)
        self.assertLessEqual(set(empty), {"broken", "quarantined"})
        person = db.execute("SELECT id FROM player WHERE name = ?", (player,)).fetchone()[0]
        db.close()
        self.expect_same_answers(shared, person)

    def expect_same_answers(self, shared, person):
        """Over HTTP, too: lists, profiles and statistics."""
        self.daemon.start()
        with SharedDaemon(shared) as other:
            other.wait_until_ready()
            for path in ("matches?status=over&limit=200", f"players/{person}", "leaderboard?ruleset=tactics",
                         "statistics"):
                with self.subTest(path=path):
                    answers = [json.loads(daemon.get(f"/api/v1/{path}").body) for daemon in (self.daemon, other)]
                    for answer in answers:
                        answer.pop("at", None)
                    self.assertEqual(*answers)
            self.assertEqual(len(json.loads(other.get(f"/api/v1/players/{person}").body)["history"]), 1)
