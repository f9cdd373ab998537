"""The queue of several nodes: players who wait at different nodes are paired."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from client import Case, pikes  # noqa: E402
from daemon import TIME_LIMIT_S, Daemon  # noqa: E402

PAIRS = 100
ROUNDS = 20  # of more than a second each
LOOK_MAX = 4096  # as in postgres_waiting.c


class Other(Daemon):
    """Another node on the database of the first one."""

    def __init__(self, first, name, *options):
        self.first = first
        super().__init__("--node", name, *options)

    def new_database(self):
        return self.first.database


class Queue(Case):
    options = ("--node", "one", "--frames-per-second", "100000", "--frames-burst", "100000")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.one = cls.daemon
        cls.two = cls.enterClassContext(Other(cls.one, "two", *cls.options[2:]))
        cls.two.wait_until_ready()
        cls.paths = {"/n/one/": cls.one, "/n/two/": cls.two}

    def rows(self, select):
        done = subprocess.run(["psql", "-At", "-c", select, self.one.database], check=True, capture_output=True,
                              text=True, timeout=TIME_LIMIT_S)
        return done.stdout.split()

    @contextlib.contextmanager
    def at(self, daemon):
        """Connections are to this node."""
        self.daemon = daemon
        yield
        self.daemon = self.one

    async def player_at(self, daemon, name):
        with self.at(daemon):
            return await self.player(name)

    async def seated(self, client, known=()):
        """The first frame about another match than these, wherever it was created."""
        while not (found := [frame for frame in client.inbox
                             if frame["type"] in ("joined", "moved") and frame["match"] not in known]):
            client.inbox.append(await client.receive())
        return found[0]

    async def find(self, client):
        """(the connection that has the match, the match), wherever it was created."""
        frame = await self.seated(client)
        if frame["type"] == "joined":
            return client, frame["match"]
        self.assertNotIn("id", frame)
        with self.at(self.paths[frame["path"]]):
            there = await self.again(client)
        await there.resume(frame["match"], 0)
        return there, frame["match"]

    async def wait_for(self, sql, expected):
        for _ in range(TIME_LIMIT_S * 20):
            if (rows := self.rows(sql)) == expected:
                return
            await asyncio.sleep(0.05)
        self.fail(f"{rows} instead of {expected}")

    async def wait_for_rows(self, expected):
        await self.wait_for("SELECT count(*) FROM waiting", [str(expected)])

    async def play_a_turn(self, clients, match):
        for client in clients:
            await client.submit(match, 0)
        for client in clients:
            await client.expect("turn", match=match, turn=1)

    async def test_players_at_different_nodes_are_paired_and_play(self):
        """All at once: each of the pairs once."""
        players = [await self.player_at((self.one, self.two)[i % 2], "player") for i in range(2 * PAIRS)]
        params = pikes(turn_limit=15)
        await asyncio.gather(*(one.get("queued", "queue", ruleset="tactics", params=params) for one in players))
        matches = {}
        for client, match in await asyncio.gather(*map(self.find, players)):
            matches.setdefault(match, []).append(client)
        self.assertEqual([len(clients) for clients in matches.values()], [2] * PAIRS)
        for match, clients in matches.items():
            await self.play_a_turn(clients, match)
        await self.wait_for_rows(0)
        names = ", ".join(f"'{one.name}'" for one in players)
        self.assertEqual(self.rows("SELECT DISTINCT count(*) FROM seat s JOIN player p ON p.id = s.player "
                                   f"WHERE p.name IN ({names}) GROUP BY p.id"), ["1"])

    async def test_one_pair_at_a_time_is_always_of_both_nodes(self):
        for i in range(ROUNDS):
            params = pikes(turn_limit=16)
            alice = await self.player_at((self.one, self.two)[i % 2], "alice")
            bob = await self.player_at((self.two, self.one)[i % 2], "bob")
            await alice.get("queued", "queue", ruleset="tactics", params=params)
            await bob.get("queued", "queue", ruleset="tactics", params=params)
            (alice, match), (bob, other) = await asyncio.gather(self.find(alice), self.find(bob))
            self.assertEqual(match, other)
            await self.play_a_turn((alice, bob), match)

    async def test_who_was_seated_elsewhere_and_waits_again_at_once_is_paired_again(self):
        """They may be told of a match twice."""
        params = pikes(turn_limit=18)
        known = set()
        bob, carol = [await self.player_at(self.two, name) for name in ("bob", "carol")]
        for _ in range(5):
            alice = await self.player_at(self.one, "alice")
            await alice.get("queued", "queue", ruleset="tactics", params=params)
            await self.wait_for_rows(1)
            await bob.get("queued", "queue", ruleset="tactics", params=params)
            known.add((await alice.expect("moved"))["match"])
            await alice.get("queued", "queue", ruleset="tactics", params=params)
            await carol.get("queued", "queue", ruleset="tactics", params=params)
            match = (await self.seated(alice, known))["match"]
            self.assertEqual((await self.seated(carol, known))["match"], match)
            known.add(match)

    async def test_who_cancels_or_leaves_is_not_paired(self):
        params = pikes(turn_limit=17)
        alice, bob, carol = [await self.player_at(self.one, name) for name in ("alice", "bob", "carol")]
        await alice.get("queued", "queue", ruleset="tactics", params=params)
        await self.wait_for_rows(1)
        await alice.get("done", "queue", ruleset="tactics", params=params, cancel=True)
        await self.wait_for_rows(0)
        await bob.get("queued", "queue", ruleset="tactics", params=params)
        await self.wait_for_rows(1)
        await bob.close()
        await self.wait_for_rows(0)
        await carol.get("queued", "queue", ruleset="tactics", params=params)
        dave = await self.player_at(self.two, "dave")
        await dave.get("queued", "queue", ruleset="tactics", params=params)
        (_, match), (_, other) = await asyncio.gather(self.find(carol), self.find(dave))
        self.assertEqual(match, other)
        self.assertEqual(await alice.seen("moved") + await alice.seen("joined"), [])

    async def test_who_is_seated_while_the_cancel_is_stored_is_told(self):
        """Another node's create commits after the cancel's comparison has begun."""
        alice = await self.player_at(self.one, "alice")
        match = (await alice.get("joined", "create", ruleset="tactics", params=pikes()))["match"]
        await alice.get("queued", "queue", ruleset="tactics", params=pikes(turn_limit=20))
        await self.wait_for_rows(1)
        create = subprocess.Popen(["psql", "-AtqX", self.one.database], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  text=True)
        self.addCleanup(create.wait, TIME_LIMIT_S)
        self.addCleanup(create.stdin.close)
        self.addCleanup(create.stdout.close)
        create.stdin.write(f"BEGIN; UPDATE waiting SET match = {match} RETURNING match;\n")
        create.stdin.flush()
        self.assertEqual(int(create.stdout.readline()), match)
        await alice.send("queue", id="c", ruleset="tactics", cancel=True)
        await self.wait_for("SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
                            "AND datname = current_database()", ["t"])
        create.stdin.write("COMMIT;\n")
        create.stdin.flush()
        self.assertEqual((await alice.expect("moved"))["match"], match)
        await alice.expect("done", id="c")
        await self.wait_for_rows(0)

    async def test_ranges_of_ratings_hold_at_all_nodes(self):
        ann, bob, cid = [await self.player_at(node, name) for node, name in
                         ((self.one, "ann"), (self.two, "bob"), (self.one, "cid"))]
        names = {one.name: rating for one, rating in ((ann, 1800), (bob, 1200))}
        for name, rating in names.items():
            self.rows("INSERT INTO standing (ruleset, player, games, wins, draws, losses, rating) "
                      f"SELECT 'tactics', id, 1, 1, 0, 0, {rating} FROM player WHERE name = '{name}'")
        params = pikes(turn_limit=13)
        await ann.get("queued", "queue", ruleset="tactics", params=params, rating_min=1500)
        await self.wait_for_rows(1)  # so that ann waits longest
        await bob.get("queued", "queue", ruleset="tactics", params=params)
        await self.wait_for_rows(2)
        await asyncio.sleep(1.5)  # they are compared more than once
        for node in (self.one, self.two):
            listed = json.loads(node.get("/api/v1/queue").body)["queue"]
            self.assertEqual([(row["name"], row["rating"], row["seek"]["rating_min"]) for row in listed],
                             [(ann.name, 1800, 1500), (bob.name, 1200, 0)])
        await cid.get("queued", "queue", ruleset="tactics", params=params, rating_max=1800)
        (_, match), (_, other) = await asyncio.gather(self.find(ann), self.find(cid))
        self.assertEqual(match, other)
        await self.wait_for("SELECT p.name FROM waiting w JOIN player p ON p.id = w.player", [bob.name])
        await bob.get("done", "queue", ruleset="tactics", cancel=True)
        await self.wait_for_rows(0)

    async def test_those_who_wait_longest_are_compared_so_many_at_once(self):
        """A crowd of whom nobody wants another; who comes after it has to wait until somebody leaves."""
        ann, bob = [await self.player_at(node, name) for node, name in ((self.one, "ann"), (self.two, "bob"))]
        self.rows("INSERT INTO standing (ruleset, player, games, wins, draws, losses, rating) "
                  f"SELECT 'tactics', id, 1, 1, 0, 0, 1800 FROM player WHERE name = '{bob.name}'")
        params = pikes(turn_limit=12)
        await ann.get("queued", "queue", ruleset="tactics", params=params, rating_min=1501)
        await self.wait_for_rows(1)
        node = "(SELECT id FROM node WHERE name = 'crowd')"
        self.rows("INSERT INTO node (name, path, beat_at, expires) "
                  "VALUES ('crowd', '/n/crowd/', sk_now(), sk_now() + 3600000)")
        self.rows("INSERT INTO player (name, token_hash, created_at) SELECT 'crowd ' || n, "
                  f"sha256(convert_to(n::text, 'UTF8')), 0 FROM generate_series(1, {LOOK_MAX - 1}) n")
        self.rows("INSERT INTO waiting (player, node, key, seats, rating, rating_min, rating_max, seek) "
                  f"SELECT p.id, {node}, w.key, 2, 1500, 1501, 4000, w.seek FROM player p, waiting w "
                  "WHERE p.name LIKE 'crowd %'")
        # Also if it fails: the other tests count rows.
        self.addCleanup(self.rows, "DELETE FROM node WHERE name = 'crowd'")
        self.addCleanup(self.rows, f"DELETE FROM waiting WHERE node = {node}")
        await bob.get("queued", "queue", ruleset="tactics", params=params)
        await self.wait_for_rows(LOOK_MAX + 1)
        await asyncio.sleep(1.5)  # they are compared more than once
        self.assertEqual(self.rows("SELECT count(*) FROM waiting WHERE match IS NULL"), [str(LOOK_MAX + 1)])
        self.rows("DELETE FROM waiting WHERE player = (SELECT id FROM player WHERE name = 'crowd 7')")
        (_, match), (_, other) = await asyncio.gather(self.find(ann), self.find(bob))
        self.assertEqual(match, other)
        await self.wait_for_rows(LOOK_MAX - 2)

    async def test_the_last_queue_of_a_player_replaces_that_of_another_node(self):
        alice = await self.player_at(self.one, "alice")
        await alice.get("queued", "queue", ruleset="tactics", params=pikes(turn_limit=18))
        await self.wait_for_rows(1)
        with self.at(self.two):
            again = await self.again(alice)
        await again.get("queued", "queue", ruleset="tactics", params=pikes(turn_limit=19))
        await self.wait_for("SELECT n.name FROM waiting w JOIN node n ON n.id = w.node", ["two"])
        await again.get("done", "queue", ruleset="tactics", cancel=True)
        await self.wait_for_rows(0)

    async def test_who_waits_at_a_node_that_died_is_not_paired(self):
        params = pikes(turn_limit=14)
        with Other(self.one, "three", *self.options[2:]) as three:
            three.wait_until_ready()
            alice = await self.player_at(three, "alice")
            await alice.get("queued", "queue", ruleset="tactics", params=params)
            await self.wait_for_rows(1)
            three.process.kill()
            three.process.wait(TIME_LIMIT_S)
        await asyncio.sleep(5)  # longer than its lease
        bob = await self.player_at(self.one, "bob")
        await bob.get("queued", "queue", ruleset="tactics", params=params)
        await self.wait_for("SELECT p.name FROM waiting w JOIN player p ON p.id = w.player", [bob.name])
        with self.at(self.two):
            alice = await self.again(alice)
        await alice.get("queued", "queue", ruleset="tactics", params=params)
        (_, match), (_, other) = await asyncio.gather(self.find(alice), self.find(bob))
        self.assertEqual(match, other)
