"""Two nodes on one PostgreSQL: what an operator does at one of them is done at both."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from client import Case  # noqa: E402
from daemon import PROGRAM, TIME_LIMIT_S, Daemon  # noqa: E402

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
SOON_S = 60  # two beats, on a machine that is very busy


class Operators(Case):
    options = ("--node", "one", "--frames-per-second", "100000", "--frames-burst", "100000")

    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.two = Daemon("--node", "two", *self.options[2:], "--database", self.daemon.database)
        self.enterContext(self.two)
        self.two.wait_until_ready()

    def admin(self, *arguments, status=0):
        """At node one."""
        done = subprocess.run([SKIRMISH, "admin", "--socket", self.daemon.path("test.db.admin"), *arguments],
                              capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    @contextlib.contextmanager
    def at_two(self):
        """Whoever connects meanwhile is at node two."""
        one, self.daemon = self.daemon, self.two
        yield
        self.daemon = one

    async def pair_at_two(self):
        with self.at_two():
            return await self.pair()

    async def soon(self, what):
        return await asyncio.wait_for(what, SOON_S)

    async def log_in(self, client, kind, code=None):
        """At node two: the answer."""
        with self.at_two():
            other = await self.connect()
        frame = await other.get(kind, "hello", protocol=1, token=client.token)
        self.assertEqual(frame.get("code"), code)
        return other

    async def test_a_node_that_stops_waits_for_a_slow_database(self):
        await self.pair_at_two()
        sql = "BEGIN; LOCK TABLE chain IN ACCESS EXCLUSIVE MODE; SELECT 'locked'; SELECT pg_sleep(3); COMMIT"
        with subprocess.Popen(["psql", "-At", self.daemon.database], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as psql:
            psql.stdin.write(sql.replace("; ", ";\n") + ";\n")
            psql.stdin.close()
            while psql.stdout.readline() != "locked\n":
                pass
            code, _ = await asyncio.to_thread(self.two.stop)
            self.assertEqual(code, 0, self.two.log())
            psql.stdout.read()

    async def test_the_socket_of_a_first_start_is_in_a_new_folder_of_the_user(self):
        state = {"XDG_STATE_HOME": self.daemon.path("home/state")}
        database = ("--database", self.daemon.database)
        with Daemon("--node", "three", "--admin-socket", "", *database, environment=state) as three:
            three.wait_until_ready()
            done = subprocess.run([SKIRMISH, "admin", "rooms", *database], capture_output=True, text=True, check=False,
                                  env={**os.environ, **state}, timeout=TIME_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr + three.log().decode())

    async def test_a_ban_closes_the_connections_at_the_other_node_and_refuses_the_login_there(self):
        alice, bob, _ = await self.pair_at_two()
        self.assertEqual(self.admin("ban", alice.name, "--reason", "cheats"), "0 connections closed\n")
        self.assertEqual(await self.soon(alice.close_code()), 1008)
        self.assertIn("cheats", json.dumps(alice.inbox))
        await self.log_in(alice, "error", "banned")
        self.admin("kick", bob.name)
        self.assertEqual(await self.soon(bob.close_code()), 1008)
        back = await self.log_in(bob, "welcome")
        await asyncio.sleep(2.5)
        await back.seen()  # once is enough

    async def test_an_announcement_is_sent_once_by_each_node(self):
        alice, _, _ = await self.pair_at_two()
        carol = await self.player("carol")
        self.admin("announce", "restart at noon")
        for client in (alice, carol):
            self.assertEqual((await self.soon(client.expect("announce")))["text"], "restart at noon")
        await asyncio.sleep(2.5)
        for client in (alice, carol):
            self.assertEqual(await client.seen("announce"), [])

    async def test_a_match_is_ended_by_the_node_that_has_it(self):
        alice, bob, match = await self.pair_at_two()
        self.assertEqual(self.admin("end", str(match), "--seat", "0", "--reason", "it hangs"),
                         "it is at /n/two/, which ends it within seconds\n")
        self.assertIn("it hangs", (await self.soon(bob.expect("announce")))["text"])
        over = await self.soon(alice.expect("over", match=match))
        self.assertEqual((over["winner"], over["reason"]), (1, "abandoned"))
        for number in (match, 12345):
            self.assertIn("no such live match", self.admin("end", str(number), status=1))

    async def test_a_node_is_stopped_and_not_drained(self):
        """A proxy would cut the connections of a node that is not ready, and keeps its matches."""
        self.assertIn("stop the node", self.admin("drain", status=1))
        self.assertEqual(self.daemon.get("/readyz").status, 200)

    async def test_a_forgotten_player_is_forgotten_by_the_other_node(self):
        alice, bob, match = await self.pair_at_two()
        subprocess.run([SKIRMISH, "player", "--database", self.daemon.database, "forget", alice.name, "--yes"],
                       check=True, timeout=TIME_LIMIT_S)
        self.assertEqual(await self.soon(alice.close_code()), 1008)
        over = await self.soon(bob.expect("over", match=match))
        self.assertEqual(over["reason"], "abandoned")
        await self.log_in(alice, "error", "bad_token")
