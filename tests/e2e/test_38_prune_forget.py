"""`skirmish prune` drops records, `skirmish player forget` erases a person."""

import asyncio
import json
import os
import sqlite3
import subprocess
import unittest

from client import Case
from daemon import PROGRAM, TIME_LIMIT_S

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
DAY_MS = 86400000


class Keeping(Case):

    def tool(self, *arguments, status=0):
        done = subprocess.run([SKIRMISH, *arguments, "--database", self.daemon.database], capture_output=True,
                              text=True, timeout=TIME_LIMIT_S, check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def change(self, sql, *values):
        database = sqlite3.connect(self.daemon.database, timeout=TIME_LIMIT_S)
        with database:
            database.execute(sql, values)
        database.close()

    def age(self, match, by_ms):
        """Moves the end of a match to an earlier time."""
        self.change("UPDATE match SET ended_at = ended_at - ? WHERE id = ?", by_ms, match)
        self.change("UPDATE standing SET rated_at = rated_at - ? WHERE player IN (SELECT player FROM seat"
                    " WHERE match = ?)", by_ms, match)

    async def ended(self, **how):
        """A match that was given up, and who played it."""
        alice, bob, match = await self.pair(**how)
        await self.play(alice, bob, match, 0, [], [])
        await bob.get("done", "resign", match=match, command_id="r")
        await alice.expect("over", match=match)
        return alice, bob, match


class Prune(Keeping):

    async def test_only_what_is_old_is_dropped_and_only_when_it_is_meant(self):
        alice, bob, old = await self.ended()
        _, _, young = await self.ended()
        _, _, running = await self.pair()
        self.age(old, 100 * DAY_MS)
        records = self.query("SELECT count(*) FROM record WHERE match = ?", old)[0][0]
        head = self.query("SELECT last_seq, head FROM chain WHERE match = ?", old)
        before = self.query("SELECT ruleset, winner, reason, players, head FROM match_summary WHERE match = ?", old)
        standings = self.query("SELECT * FROM standing")
        told = self.tool("prune", "--older-than", "90d")
        self.assertRegex(told, rf"would drop {records} records \([0-9.]+ MB\) of 1 match")
        self.assertIn("nothing was changed", told)
        self.assertEqual(self.query("SELECT count(*) FROM record WHERE match = ?", old), [(records,)])
        self.assertIn("of 0 matches", self.tool("prune", "--older-than", "1y"))
        self.assertIn(f"dropped {records} records", self.tool("prune", "--older-than", "90d", "--yes"))
        self.assertEqual(self.query("SELECT DISTINCT match FROM record WHERE match >= ? ORDER BY match", old),
                         [(young,), (running,)])
        self.assertEqual(self.query("SELECT match, records, turns FROM pruned WHERE match >= ?", old),
                         [(old, records, 2)])
        self.assertEqual(self.query("SELECT last_seq, head FROM chain WHERE match = ?", old), head)
        self.assertEqual(self.query("SELECT ruleset, winner, reason, players, head FROM match_summary WHERE match = ?",
                                    old), before)
        self.assertEqual(self.query("SELECT * FROM standing"), standings)
        self.assertIn("of 0 matches", self.tool("prune", "--older-than", "90d"))
        noted = self.query("SELECT detail FROM admin_log WHERE command = 'prune' ORDER BY id DESC LIMIT 1")
        self.assertEqual(json.loads(noted[0][0])["matches"], 1)
        await self.expect_told(alice, old)

    async def expect_told(self, alice, old):
        """Every command that needs the turns says that they were pruned."""
        for command in ("verify", "replay", "what-if", "export"):
            told = self.tool(command, str(old), *(["--turn", "0"] if command == "what-if" else []), status=1)
            self.assertIn("records were pruned", told, command)
        told = self.tool("verify", "--all")
        self.assertRegex(told, r"^(\d+) of \1 matches hold.*; \d+ more cannot be proven, their records were pruned")
        self.assertEqual(self.tool("query", "broken", "--form", "json"), "[]\n")
        self.tool("ratings", "recompute", status=1)  # in use
        await self.restart()  # a match in memory is shown until its last follower leaves
        alice = await self.again(alice)
        await alice.refused("pruned", "watch", match=old)
        await alice.refused("pruned", "resume", match=old, seq=0)
        for part in ("replay", "moments", "file"):
            answer = self.daemon.get(f"/api/v1/matches/{old}/{part}")
            self.assertEqual((answer.status, json.loads(answer.body)["error"]["code"]), (410, "pruned"), part)
        self.assertEqual(json.loads(self.daemon.get(f"/api/v1/matches/{old}").body)["reason"], "resignation")
        self.assertEqual(self.query("SELECT status FROM match WHERE id = ?", old), [("over",)])

    async def test_a_pruning_that_was_broken_off_is_finished_by_the_next(self):
        _, _, match = await self.ended()
        records, = self.query("SELECT last_seq FROM chain WHERE match = ?", match)[0]
        self.change("INSERT INTO admin_log (at, uid, command, detail) VALUES (1, 0, 'prune', ?)",
                    '{"before":9000000000000}')
        self.change("INSERT INTO pruned (match, pruned_at, records, turns) VALUES (?, 1, ?, 2)", match, records)
        self.change("DELETE FROM record WHERE match = ? AND seq < 3", match)
        self.assertIn("records were pruned", self.tool("verify", str(match), status=1))
        self.tool("prune", "--older-than", "90d", "--yes")
        self.assertEqual(self.query("SELECT count(*) FROM record WHERE match = ?", match), [(0,)])
        self.assertEqual(self.query("SELECT records FROM pruned WHERE match = ?", match), [(records,)])

    def test_ages(self):
        for age in ("", "d", "0d", "-1d", "90", "90m", "1.5d", "1001y", "99999999999999999999d"):
            self.tool("prune", f"--older-than={age}", status=2)
        self.tool("prune", status=2)
        for age in ("1h", "36h", "90d", "8w", "1000y"):
            self.assertIn("would drop", self.tool("prune", "--older-than", age))


class Forget(Keeping):

    def expect_gone(self, alice, path=None):
        """No byte of the name is left in any table."""
        name = f"forgotten-{alice.player}"
        database = sqlite3.connect(path or self.daemon.database)
        for table, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            for row in database.execute(f"SELECT * FROM {table}").fetchall():
                self.assertNotIn(alice.name, repr(row), table)
        self.assertEqual(database.execute("SELECT name, created_at, forgotten_at NOT NULL FROM player WHERE id = ?",
                                          (alice.player,)).fetchall(), [(name, 0, 1)])
        database.close()

    def expect_no_bytes(self, name):
        """Also in the log and in free space of the file."""
        for ending in ("", "-wal", "-shm"):
            try:
                with open(self.daemon.database + ending, "rb") as file:
                    self.assertNotIn(name.lower().encode(), file.read().lower(), ending or "the file")
            except FileNotFoundError:
                self.assertNotEqual(ending, "")

    async def expect_no_bytes_soon(self, name):
        """The daemon answers before it empties its log."""
        for _ in range(100):
            try:
                return self.expect_no_bytes(name)
            except AssertionError:
                await asyncio.sleep(0.05)
        return self.expect_no_bytes(name)

    async def test_no_byte_of_the_name_stays_in_the_files(self):
        players = [await self.player(f"person-{i * 7919 % 1000:03}") for i in range(120)]  # pages are split
        for player in players:
            await player.close()
        for player in players[10::20]:
            self.tool("player", "forget", player.name, "--yes")
            await self.expect_no_bytes_soon(player.name)
        self.daemon.stop()
        self.daemon.process.stdout.close()
        try:
            for player in players[20::20]:
                self.tool("player", "forget", player.name, "--yes")
                self.expect_no_bytes(player.name)
        finally:
            self.daemon.start()
            self.daemon.wait_until_ready()

    async def test_a_reader_keeps_the_log_until_the_next_write(self):
        alice = await self.player("alice-read")
        reader = sqlite3.connect(self.daemon.database, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM player").fetchall()
        self.tool("player", "forget", alice.name, "--yes")
        reader.execute("COMMIT")
        reader.close()
        await self.player("bob")
        await self.expect_no_bytes_soon(alice.name)

    async def test_what_a_crash_left_in_the_log_goes_at_the_next_start(self):
        alice = await self.player("alice-lost")
        reader = sqlite3.connect(self.daemon.database, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM player").fetchall()
        self.tool("player", "forget", alice.name, "--yes")
        self.daemon.process.kill()
        reader.close()
        await self.restart()
        await self.expect_no_bytes_soon(alice.name)

    async def test_with_the_daemon_running(self):
        alice, bob, match = await self.ended()
        joined, _ = await alice.create()
        await bob.join(joined["match"])
        self.tool("admin", "kick", alice.name, "--reason", f"{alice.name} is loud")
        alice = await self.again(alice)
        self.assertIn("would erase", self.tool("player", "forget", alice.name))
        self.assertEqual(self.query("SELECT forgotten_at FROM player WHERE id = ?", alice.player), [(None,)])
        self.tool("player", "forget", alice.name.upper(), "--yes")
        self.assertEqual(await alice.close_code(), 1008)
        over = await bob.expect("over", match=joined["match"])
        self.assertEqual(over["reason"], "abandoned")
        self.expect_gone(alice)
        stranger = await self.connect()
        await stranger.refused("bad_token", "hello", protocol=1, token=alice.token)
        for name in (f"forgotten-{alice.player}", "Forgotten-x"):
            await stranger.refused("bad_name", "hello", protocol=1, name=name)
        self.assertEqual(json.loads(self.daemon.get(f"/api/v1/matches/{match}").body)["players"],
                         [f"forgotten-{alice.player}", bob.name])
        done = self.tool("verify", "--all")
        self.assertRegex(done, r"^(\d+) of \1 matches hold")
        await self.restart()
        for meant in ([], ["--yes"]):
            told = self.tool("player", "forget", alice.name, *meant, status=1)
            self.assertRegex(told, f"^skirmish player forget: there is no player {alice.name}")
        bob, = await self.back(bob)
        await bob.get("joined", "watch", match=match)
        await bob.expect("state", match=match)
        self.expect_carried(alice, match)

    def expect_carried(self, alice, match):
        """In another database nobody gets the seat, and no player has that name."""
        path, other = self.daemon.path("match.jsonl"), self.daemon.path("other.db")
        self.tool("export", str(match), "--out", path)
        with open(path, encoding="utf-8") as file:
            head = json.loads(file.readline())
        self.assertEqual(head["seats"][0], {"player": alice.player, "name": None, "bot": False})
        done = subprocess.run([SKIRMISH, "import", "--database", other, path], capture_output=True, text=True,
                              timeout=TIME_LIMIT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        database = sqlite3.connect(other)
        rows = database.execute("SELECT s.player, p.name, p.forgotten_at NOT NULL FROM seat s JOIN player p"
                                " ON p.id = s.player ORDER BY s.seat").fetchall()
        database.close()
        self.assertEqual(rows[0], (rows[0][0], f"forgotten-{rows[0][0]}", 1))
        self.assertEqual(rows[1][2], 0)

    async def test_with_no_daemon(self):
        alice, _, match = await self.ended()
        self.daemon.stop()
        self.daemon.process.stdout.close()
        try:
            told = self.tool("player", "forget", "nobody at all", "--yes", status=1)
            self.assertRegex(told, "^skirmish player forget: there is no player nobody at all")
            self.tool("player", "forget", alice.name, "--yes")
            self.expect_gone(alice)
            self.assertIn("hold", self.tool("verify", str(match)))
            self.assertEqual(self.query("SELECT command, player, detail FROM admin_log ORDER BY id DESC LIMIT 1"),
                             [("forget", alice.player, "{}")])
        finally:
            self.daemon.start()
            self.daemon.wait_until_ready()

    def test_wrong_usage_is_said(self):
        for arguments in ((), ("forget",), ("forget", "a", "b"), ("a", "--yes")):
            if arguments != ("forget",):  # which may be somebody's name
                self.tool("player", *arguments, status=2)


if __name__ == "__main__":
    unittest.main()
