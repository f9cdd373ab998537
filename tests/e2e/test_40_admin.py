"""`skirmish admin`: commands to a running daemon over a Unix socket, which identifies the user."""

import asyncio
import json
import os
import shutil
import socket
import sqlite3
import stat
import subprocess
import time
import unittest

from client import Case
from daemon import PROGRAM, TIME_LIMIT_S, Daemon, run

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
NOBODY = 65534


class Admin(Case):

    options = ("--frames-per-second", "100000", "--frames-burst", "100000")

    def admin(self, *arguments, status=0):
        done = subprocess.run([SKIRMISH, "admin", "--database", self.daemon.database, *arguments],
                              capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == 0 else done.stderr

    def raw(self, data, path=None):
        """The answer to these bytes."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(TIME_LIMIT_S)
            connection.connect(path or self.daemon.database + ".admin")
            try:
                connection.sendall(data)
                return b"".join(iter(lambda: connection.recv(65536), b""))
            except (BrokenPipeError, ConnectionResetError):
                return b""

    def log(self):
        return self.query("SELECT command, match, player, detail FROM admin_log ORDER BY id")

    async def test_rooms_are_listed(self):
        alice, bob, match = await self.pair()
        waiting, _ = await alice.create()
        await bob.get("joined", "watch", match=waiting["match"])
        rooms = {room["match"]: room for room in json.loads(self.admin("rooms", "--form", "json"))}
        self.assertEqual(rooms[match], {"match": match, "ruleset": "tactics", "status": "running", "turn": 0,
                                        "here": 2, "watching": 0, "players": f"{alice.name}, {bob.name}"})
        self.assertEqual(rooms[waiting["match"]], {
            "match": waiting["match"], "ruleset": "tactics", "status": "waiting", "turn": 0, "here": 1,
            "watching": 1, "players": f"{alice.name}, -"})
        self.assertIn("status", self.admin("rooms"))

    async def test_who_lists_connected_players_and_when_others_were_last_seen(self):
        alice, bob, _ = await self.pair()
        silent = await self.connect()
        again = await self.again(alice)
        people = json.loads(self.admin("who", "--form", "json"))
        rows = [row for row in people if row["name"] in (alice.name, bob.name)]
        self.assertEqual([(row["name"], row["is_bot"], row["address"], row["matches"]) for row in rows],
                         sorted([(alice.name, 0, "127.0.0.1", 1)] * 2 + [(bob.name, 0, "127.0.0.1", 1)]))
        for row in rows:
            since = time.mktime(time.strptime(row["since"], "%Y-%m-%d %H:%M:%S")) - time.timezone
            self.assertLess(abs(time.time() - since), TIME_LIMIT_S)
        self.assertIn("since", self.admin("who"))
        del silent, again
        came = await self.until_seen(bob, 0)
        await bob.close()
        went = await self.until_seen(bob, came)
        self.assertLess(abs(1000 * time.time() - went), 1000 * TIME_LIMIT_S)
        self.daemon.stop()  # with alice there: it notes when that was
        last, = self.query("SELECT last_seen FROM player WHERE id = ?", alice.player)[0]
        self.daemon.process.stdout.close()
        self.daemon.start()
        self.daemon.wait_until_ready()
        self.assertGreaterEqual(last, went)

    async def until_seen(self, client, after):
        """When the player was last seen, as soon as that is later."""
        while True:
            (last,), = self.query("SELECT coalesce(last_seen, 0) FROM player WHERE id = ?", client.player)
            if last > after:
                return last
            await asyncio.sleep(0.05)

    async def test_a_match_is_ended_as_a_draw_or_against_a_seat_and_holds(self):
        alice, bob, drawn = await self.pair()
        self.admin("end", str(drawn), "--reason", "it hangs")
        for client in (alice, bob):
            said = await client.expect("announce")
            self.assertIn("it hangs", said["text"])
            over = await client.expect("over", match=drawn)
            self.assertEqual((over["winner"], over["reason"]), (None, "draw_agreed"))
        carol, _, lost = await self.pair()
        self.admin("end", str(lost), "--seat", "0")
        over = await carol.expect("over", match=lost)
        self.assertEqual((over["winner"], over["reason"]), (1, "abandoned"))
        waiting, _ = await carol.create()
        self.admin("end", str(waiting["match"]))
        self.assertEqual((await carol.expect("over", match=waiting["match"]))["reason"], "expired")
        for match in (drawn, lost, 12345, waiting["match"]):
            self.assertIn("no such live match", self.admin("end", str(match), status=1))
        waiting, _ = await carol.create()
        self.assertIn("not started", self.admin("end", str(waiting["match"]), "--seat", "1", status=1))
        done = subprocess.run([SKIRMISH, "verify", "--database", self.daemon.database, "--all"],
                              capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        noted = [(command, match, json.loads(detail)) for command, match, _, detail in self.log() if match]
        self.assertEqual(noted[-3][:2], ("end", drawn))
        self.assertEqual(noted[-3][2]["reason"], "it hangs")
        self.assertEqual(noted[-2][2]["seat"], 0)

    async def test_a_kicked_player_may_come_back(self):
        alice = await self.player("alice")
        other = await self.again(alice)
        self.assertEqual(self.admin("kick", alice.name.upper(), "--reason", "calm down"), "2 connections closed\n")
        for client in (alice, other):
            self.assertEqual(await client.close_code(), 1008)
            self.assertIn("calm down", json.dumps(client.inbox))
        await self.again(alice)
        self.assertEqual(self.admin("kick", alice.name), "1 connection closed\n")
        self.assertIn("no player", self.admin("kick", "nobody", status=1))

    async def test_bans_hold_over_restarts_until_they_are_taken_back(self):
        alice, bob, match = await self.pair()
        eve = await self.player("eve")
        self.admin("ban", alice.name, "--reason", "cheats")
        self.admin("ban", eve.name, "--hours", "2")
        self.assertEqual(await alice.close_code(), 1008)
        for _ in range(2):
            stranger = await self.connect()
            error = await stranger.refused("banned", "hello", protocol=1, token=alice.token)
            self.assertIn("cheats", error["message"])
            answer = self.daemon.get("/api/v1/matches?mine=1", f"Authorization: Bearer {alice.token}")
            self.assertEqual((answer.status, json.loads(answer.body)["error"]["code"]), (403, "banned"))
            await self.restart()
        bob, = await self.back(bob, match=match)
        await bob.submit(match, 0)
        stranger = await self.connect()
        await stranger.refused("banned", "hello", protocol=1, token=eve.token)
        # Two hours pass.
        database = sqlite3.connect(self.daemon.database, timeout=TIME_LIMIT_S)
        with database:
            database.execute("UPDATE ban SET until = until - 7200000 WHERE until NOT NULL")
        database.close()
        await self.again(eve)
        self.admin("unban", alice.name)
        await self.again(alice)
        self.assertIn("not banned", self.admin("unban", alice.name, status=1))
        self.assertEqual([row[0] for row in self.log()][-3:], ["ban", "ban", "unban"])

    async def test_announcements_reach_everybody_who_has_said_hello(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        stranger = await self.connect()
        self.admin("announce", "The server is updated at noon.")
        for client in (alice, bob):
            self.assertEqual((await client.expect("announce"))["text"], "The server is updated at noon.")
        self.assertEqual(await stranger.seen(), [])
        self.admin("announce", "x" * 1000)
        self.assertIn("1000", self.admin("announce", "x" * 1001, status=1))

    async def test_drained_it_takes_no_new_matches_and_goes_on_with_the_others(self):
        alice, bob, match = await self.pair()
        waiting, _ = await alice.create()
        self.admin("drain")
        try:
            await alice.refused("draining", "create", ruleset="tactics")
            await bob.refused("draining", "join", match=waiting["match"])
            await bob.refused("draining", "queue", ruleset="tactics")
            ready = self.daemon.get("/readyz")
            self.assertEqual((ready.status, ready.body), (503, b"draining\n"))
            self.assertEqual(self.daemon.get("/healthz").status, 200)
            self.assertEqual(self.daemon.metrics()["skirmish_is_draining"], 1)
            await self.play(alice, bob, match, 0, [], [])
        finally:
            self.admin("undrain")
        self.assertEqual(self.daemon.get("/readyz").status, 200)
        self.assertEqual(self.daemon.metrics()["skirmish_is_draining"], 0)
        await bob.join(waiting["match"])

    def as_nobody(self, path):
        """Asks for the rooms as a user that is neither root nor the daemon's, with a copy that this user may run."""
        tool = self.daemon.path("skirmish")
        shutil.copy(SKIRMISH, tool)
        os.chmod(tool, 0o755)
        return subprocess.run([tool, "admin", "rooms", "--socket", path], capture_output=True, text=True, user=NOBODY,
                              timeout=TIME_LIMIT_S, check=False)

    async def test_others_are_not_heard(self):
        path = self.daemon.database + ".admin"
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        if os.geteuid() != 0:
            self.skipTest("only root can run a program as another user")
        before = len(self.log())
        os.chmod(self.daemon.folder.name, 0o755)
        os.chmod(path, 0o666)  # even if the socket is made writable for all
        done = self.as_nobody(path)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("you may not do this", done.stderr)
        self.assertEqual(len(self.log()), before)
        self.daemon.wait_for_log(b"refused user 65534")
        with Daemon("--admin-users", str(NOBODY)) as there:
            os.chmod(there.folder.name, 0o755)
            there.wait_until_ready()
            done = self.as_nobody(there.database + ".admin")
            self.assertEqual(done.returncode, 0, done.stderr)
            database = sqlite3.connect(there.database)
            self.assertEqual(database.execute("SELECT uid FROM admin_log").fetchall(), [(NOBODY,)])
            database.close()

    async def test_nonsense_is_refused_and_not_noted(self):
        before = len(self.log())
        for line in (b"x\n", b"{}\n", b"[]\n", b'{"command":"format"}\n', b'{"command":"end"}\n',
                     b'{"command":"kick"}\n',
                     b'{"command":"rooms","match":1}\n', b'{"command":"kick","player":"x","hours":1}\n', b"\n",
                     b'{"command":"announce","text":""}\n', b'{"command":"rooms","more":1}\n', b"x" * 5000):
            self.assertIn(b'"ok":false', self.raw(line) or b'"ok":false', line)
        for arguments in ((), ("format",), ("end",), ("end", "x"), ("rooms", "x"), ("kick", ""),
                          ("rooms", "--form", "xml"), ("end", "1", "--seat", "4")):
            self.admin(*arguments, status=2)
        self.assertEqual(len(self.log()), before)
        self.admin("rooms")

    async def test_a_connection_that_says_nothing_does_not_hold_up_the_end(self):
        with Daemon() as there:
            there.wait_until_ready()
            with socket.socket(socket.AF_UNIX) as silent:
                silent.connect(there.database + ".admin")
                code, _ = there.stop()
                self.assertEqual(code, 0)
            self.assertFalse(os.path.exists(there.database + ".admin"))

    async def test_where_the_socket_is(self):
        with Daemon("--admin-socket", "none") as there:
            self.assertFalse(os.path.exists(there.database + ".admin"))
        done = run("--port", "0", "--metrics-port", "-1", "--database", self.daemon.path("x.db"),
                   "--admin-socket", self.daemon.path("x" * 120))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("too long", done.stderr)
        with open(self.daemon.path("file"), "w", encoding="ascii") as file:
            file.write("mine")
        for path, words in ((self.daemon.path("file"), "is not a socket"),
                            (self.daemon.database + ".admin", "another daemon")):
            done = run("--port", "0", "--metrics-port", "-1", "--database", self.daemon.path("x.db"),
                       "--admin-socket", path)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn(words, done.stderr)
        with open(self.daemon.path("file"), encoding="ascii") as file:
            self.assertEqual(file.read(), "mine")
        self.assertEqual(run("--check-config", "--admin-users", "nobody-of-that-name").returncode, 2)
        self.admin("rooms")  # the first daemon's is still its own
        await self.restart()  # killed: what it left behind is replaced
        self.admin("rooms")


if __name__ == "__main__":
    unittest.main()
