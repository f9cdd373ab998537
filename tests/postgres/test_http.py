"""Two nodes on one PostgreSQL: HTTP shows the same of a match at both of them, whichever runs it."""

import concurrent.futures
import contextlib
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from client import Case  # noqa: E402
from daemon import Daemon  # noqa: E402

PARTS = ("", "/replay", "/moments", "/file")


class Http(Case):
    options = ("--node", "one", "--frames-per-second", "100000", "--frames-burst", "100000", "--http-burst", "0")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.two = cls.enterClassContext(Daemon("--node", "two", *cls.options[2:], "--database", cls.daemon.database))
        cls.two.wait_until_ready()

    def both(self, path, *headers):
        """What both nodes answer."""
        one, two = [node.get("/api/v1/" + path, *headers) for node in (self.daemon, self.two)]
        self.assertEqual((one.status, one.body), (two.status, two.body), path)
        return two

    def replay(self, match):
        """(the params, the numbers of the turns)"""
        head, *lines = map(json.loads, self.both(f"matches/{match}/replay").body.splitlines())
        return head["params"], [line["turn"] for line in lines]

    def wait_until_counted(self):
        """Ratings, which both answers have, change a moment after the end."""
        question = ["psql", "-qAt", "-c", "SELECT count(*) FROM unrated_match", self.daemon.database]
        until = time.monotonic() + 60
        while subprocess.run(question, check=True, capture_output=True, text=True).stdout != "0\n":
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    async def play_turns(self, alice, bob, match, first, last):
        for turn in range(first, last):
            await self.play(alice, bob, match, turn, [], [])

    async def test_the_replay_of_a_running_match_goes_as_far_as_spectators_see(self):
        for delay in (0, 2):
            with self.subTest(delay=delay):
                alice, bob, match = await self.pair(spectator_delay=delay)
                for turns in range(1, 4):
                    await self.play_turns(alice, bob, match, turns - 1, turns)
                    params, shown = self.replay(match)
                    self.assertEqual(shown, list(range(turns - delay)))
                self.assertIsNotNone(params)
                self.assertEqual(self.both(f"matches/{match}/moments").status, 409)
                await alice.ask("resign", match=match, command_id="r")
                await bob.expect("over", match=match)
                self.wait_until_counted()
                self.assertEqual(len(self.replay(match)[1]), 4)
                for part in PARTS:
                    self.assertEqual(self.both(f"matches/{match}{part}").status, 200)

    async def test_secrets_of_a_running_match_are_shown_by_none(self):
        alice = await self.player("alice")
        joined, _ = await alice.create(ruleset="snarl", params={"heroes": ["ada"]})
        match = joined["match"]
        await alice.submit(match, 0, {"kind": "move", "to": None})
        await alice.expect("turn", match=match, turn=1)
        self.assertEqual(self.replay(match), (None, []))

    async def test_a_private_match_is_hidden_from_others(self):
        alice = await self.player("alice")
        joined, _ = await alice.create(visibility="private", seats=[None, {"bot": {"level": "random"}}])
        match = joined["match"]
        await alice.submit(match, 0)
        await alice.expect("turn", match=match, turn=1)
        for part in PARTS:
            self.assertEqual(self.both(f"matches/{match}{part}").status, 404)
            answer = self.both(f"matches/{match}{part}", f"Authorization: Bearer {alice.token}")
            self.assertEqual(answer.status, 200 if part in PARTS[:2] else 409)

    @contextlib.contextmanager
    def slow(self):
        """Nobody can read matches for a while."""
        with subprocess.Popen(["psql", "-qAt", self.daemon.database], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as psql:
            print("BEGIN; LOCK TABLE match IN ACCESS EXCLUSIVE MODE; SELECT 'locked';", file=psql.stdin, flush=True)
            self.assertEqual(psql.stdout.readline(), "locked\n")
            try:
                yield
            finally:
                print("ROLLBACK;", file=psql.stdin, flush=True)
                psql.stdin.close()

    async def test_a_link_to_a_match_opens_the_page_while_the_store_is_slow(self):
        alice = await self.player("alice")
        joined, _ = await alice.create()
        link = f"/?join={joined['match']}"
        self.assertIn(b" invites you", self.daemon.get(link).body)
        with concurrent.futures.ThreadPoolExecutor() as pool, self.slow():
            other = pool.submit(self.daemon.get, f"/api/v1/matches/{joined['match']}")
            page = self.daemon.get(link)
        self.assertIn(other.result().status, (200, 503))  # it waited, or was told to come back
        self.assertEqual(page.body, self.daemon.get("/").body)
        self.assertIn(b" invites you", self.daemon.get(link).body)
