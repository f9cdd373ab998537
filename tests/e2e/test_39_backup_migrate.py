"""Copies of a database in use, and databases of older programs."""

import os
import sqlite3
import subprocess
import tempfile
import threading
import unittest

from client import Case, attack, move, plain
from daemon import PROGRAM, TIME_LIMIT_S, Daemon

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")


def skirmish(*arguments):
    return subprocess.run([SKIRMISH, *arguments], capture_output=True, text=True,
                          timeout=TIME_LIMIT_S)


class Backup(Case):

    async def test_a_copy_of_a_database_in_use_is_whole_and_serves(self):
        alice, bob, match = await self.pair()
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [move("b1", 1, 1)])
        copy = self.daemon.path("copy.db")
        done = skirmish("backup", "--database", self.daemon.database, copy)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(name for name in os.listdir(self.daemon.folder.name)
                                if name.startswith("copy")), ["copy.db"])
        self.assertEqual(os.stat(copy).st_mode & 0o777, 0o600)
        self.assertEqual(skirmish("verify", "--database", copy, "--all").returncode, 0)
        # Later changes are not in the copy, and the daemon is not affected.
        await alice.submit(match, 1, attack("a1", 1, 1))
        await bob.submit(match, 1, move("b1", 2, 1))
        await alice.expect("over")
        database = sqlite3.connect(copy)
        self.assertEqual(database.execute("SELECT status FROM match WHERE id = ?",
                                          (match,)).fetchone(), ("running",))
        database.close()
        with Daemon("--database", copy) as other:
            other.wait_until_ready()
            self.assertIn(b"running", other.get(f"/api/v1/matches/{match}").body)

    async def test_copies_made_while_many_play_all_hold(self):
        pairs = [await self.pair() for _ in range(6)]
        stop = threading.Event()
        failures = []

        def copy_again_and_again():
            number = 0
            while not stop.is_set():
                path = self.daemon.path(f"again-{number}.db")
                for command in (("backup", "--database", self.daemon.database, path),
                                ("verify", "--database", path, "--all")):
                    done = skirmish(*command)
                    if done.returncode != 0:
                        failures.append((command, done.stdout, done.stderr))
                number += 1

        worker = threading.Thread(target=copy_again_and_again)
        worker.start()
        try:
            for turn in range(12):
                row = turn % 2
                for alice, bob, match in pairs:
                    await self.play(alice, bob, match, turn, [move("a1", 1, 2 + row)],
                                    [move("b1", 1, 1 - row)])
        finally:
            stop.set()
            worker.join()
        self.assertEqual(failures, [])

    async def test_nothing_is_overwritten(self):
        there = self.daemon.path("there.db")
        with open(there, "w", encoding="utf-8") as file:
            file.write("precious")
        done = skirmish("backup", "--database", self.daemon.database, there)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("already exists", done.stderr)
        with open(there, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")
        for arguments, status in (((there, "x", "y"), 2), ((), 2),
                                  (("/nowhere/at/all.db",), 1)):
            done = skirmish("backup", "--database", self.daemon.database, *arguments)
            self.assertEqual(done.returncode, status, arguments)
        done = skirmish("backup", "--database", there, self.daemon.path("never.db"))
        self.assertEqual(done.returncode, 1)
        self.assertFalse(os.path.exists(self.daemon.path("never.db")))


# Reverts all migrations except the first; views are dropped separately.
BACK = """
    DROP TABLE sqlite_stat1; DROP INDEX standing_player;
    CREATE TABLE older (
        match INTEGER NOT NULL REFERENCES match (id), seq INTEGER NOT NULL, epoch INTEGER NOT NULL, turn INTEGER,
        seat INTEGER, command_id TEXT, kind TEXT NOT NULL, at INTEGER NOT NULL, hash BLOB NOT NULL, body TEXT NOT NULL
    ) STRICT;
    INSERT INTO older (rowid, match, seq, epoch, turn, seat, command_id, kind, at, hash, body)
    SELECT id, match, seq, epoch, turn, seat, command_id, kind, at, hash, body FROM record;
    DROP TABLE record; ALTER TABLE older RENAME TO record;
    CREATE UNIQUE INDEX record_seq ON record (match, seq);
    CREATE UNIQUE INDEX record_command ON record (match, seat, command_id) WHERE command_id IS NOT NULL;
    ALTER TABLE chain DROP COLUMN last_record; ALTER TABLE chain DROP COLUMN first_record;
    ALTER TABLE player DROP COLUMN last_seen;
    DROP INDEX match_rematch; ALTER TABLE match DROP COLUMN rematch_of;
    DROP TABLE origin; ALTER TABLE seat DROP COLUMN origin_player;
    DROP TABLE pruned; ALTER TABLE player DROP COLUMN forgotten_at;
    DROP TABLE ban; DROP TABLE admin_log; DROP TABLE bot_call_log;
    DROP INDEX player_bot; ALTER TABLE player DROP COLUMN bot;
    DROP TABLE rated_match; DROP INDEX standing_order;
    ALTER TABLE standing DROP COLUMN rating; ALTER TABLE standing DROP COLUMN deviation;
    ALTER TABLE standing DROP COLUMN volatility; ALTER TABLE standing DROP COLUMN rated_at;
    CREATE INDEX standing_order ON standing (ruleset, wins DESC, losses, player);
"""


def make_older(path):
    """Reverts all migrations except the first; returns their number."""
    database = sqlite3.connect(path)
    number, = database.execute("SELECT max(number) FROM schema_migration").fetchone()
    database.execute("DELETE FROM schema_migration WHERE number >= 2")
    for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall():
        database.execute(f"DROP VIEW {name}")
    database.commit()
    database.executescript(BACK)
    database.close()
    return number


class Older(Case):

    async def test_matches_of_an_older_program_go_on(self):
        alice, bob, match = await self.pair()
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [move("b1", 1, 1)])
        answer = await alice.submit(match, 1, attack("a1", 1, 1), command_id="sent before")
        with self.daemon.down():
            make_older(self.daemon.database)
        alice, bob = await self.back(alice, bob, match=match)
        again = await alice.submit(match, 1, attack("a1", 1, 1), command_id="sent before")
        self.assertEqual(plain(again), plain(answer))
        await bob.submit(match, 1, move("b1", 2, 1))
        await alice.expect("over")
        self.assertEqual(self.query("SELECT count(*) FROM record WHERE command_id = 'sent before'"), [(1,)])
        done = skirmish("verify", "--database", self.daemon.database, "--all")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Migrate(unittest.TestCase):

    def setUp(self):
        self.daemon = self.enterContext(Daemon())
        self.daemon.wait_until_ready()

    def migrate(self, *arguments):
        return skirmish("migrate", "--database", self.daemon.database, *arguments)

    def test_what_is_up_to_date_is_left_alone(self):
        for arguments in (("--dry-run",), ()):
            done = self.migrate(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("is up to date", done.stdout)

    def test_a_dry_run_says_what_would_be_done(self):
        self.daemon.stop()
        number = make_older(self.daemon.database)
        with open(self.daemon.database, "rb") as file:
            before = file.read()
        done = self.migrate("--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("would apply"), number - 1)
        with open(self.daemon.database, "rb") as file:
            self.assertEqual(file.read(), before)
        done = skirmish("verify", "--database", self.daemon.database, "--all")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has an older schema", done.stderr)
        done = self.migrate()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.exists(self.daemon.database + ".before-0002"))
        self.assertIn("is up to date", self.migrate().stdout)
        self.assertEqual(skirmish("verify", "--database", self.daemon.database,
                                  "--all").returncode, 0)

    def test_the_daemon_says_what_it_did(self):
        self.assertNotIn(b"migrated", self.daemon.log())
        self.daemon.stop()
        number = make_older(self.daemon.database)
        self.daemon.restart()
        copy = self.daemon.database + ".before-0002"
        self.assertIn(f"migrated the database from version 1 to {number}; a copy of it before that "
                      f"is {copy}\n", self.daemon.log().decode())
        self.assertTrue(os.path.exists(copy))

    def test_what_is_not_ours_is_left_alone(self):
        other = self.daemon.path("other.db")
        database = sqlite3.connect(other)
        database.execute("CREATE TABLE t (x)")
        database.commit()
        database.close()
        done = skirmish("migrate", "--database", other)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not a Skirmish database", done.stderr)


class Readers(unittest.TestCase):
    """Commands that only read leave no file behind, and need no right to make one."""

    commands = (("verify", "--all"), ("matches",), ("query", "SELECT 1"), ("export", "--all"),
                ("prune", "--older-than", "1d"), ("migrate", "--dry-run"))

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.database = os.path.join(self.folder, "a % b?.db")
        with Daemon("--database", self.database) as daemon:
            daemon.wait_until_ready()
        self.assertEqual(os.listdir(self.folder), [os.path.basename(self.database)])

    def check(self, **how):
        for command in self.commands:
            with self.subTest(command):
                done = subprocess.run([SKIRMISH, *command, "--database", self.database], text=True,
                                      capture_output=True, timeout=TIME_LIMIT_S, check=False, **how)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(os.listdir(self.folder), [os.path.basename(self.database)])

    def test_they_leave_nothing_behind(self):
        self.check()

    def test_they_read_what_they_may_not_write(self):
        how = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        try:
            subprocess.run([SKIRMISH, "--version"], capture_output=True, check=True, **how)
        except PermissionError:
            self.skipTest("another user cannot run the program here")
        for mode in (0o777, 0o555):
            with self.subTest(f"folder {mode:o}"):
                os.chmod(self.folder, mode)
                os.chmod(self.database, 0o444)
                self.addCleanup(os.chmod, self.folder, 0o700)
                self.check(**how)


if __name__ == "__main__":
    unittest.main()
