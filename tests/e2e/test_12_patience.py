"""Waiting: a client that does not read, a store that does not answer."""

import asyncio
import contextlib
import json
import signal
import sqlite3
import unittest

from websockets.exceptions import ConnectionClosed

from client import Case, pikes
from daemon import TIME_LIMIT_S

JOBS_MAX = 16  # that may wait for the store in these tests


class SlowReader(Case):
    options = ("--outbox-max", "64KiB", "--frames-burst", "100000", "--frames-per-second", "100000")

    async def test_a_client_that_does_not_read_is_closed_and_can_resume(self):
        alice, bob, match = await self.pair(params=pikes(turn_limit=1000))
        await self.play(alice, bob, match, 0, [], [])
        # hints have long answers, which are not read
        slow = await self.again(bob)
        slow.socket.transport.pause_reading()
        text = json.dumps({"type": "resume", "match": match, "seq": 0})
        with contextlib.suppress(ConnectionClosed):  # it may be closed while it sends
            while self.daemon.log().count(b"reads too slowly") == 0:
                for _ in range(100):
                    await slow.socket.send(text)
                await asyncio.sleep(0)
        slow.socket.transport.resume_reading()
        self.assertIn(await slow.close_code(), (1013, 1006))
        # others are not affected, and missed frames are sent again
        await self.play(alice, bob, match, 1, [], [])
        again = await self.again(bob)
        answer = await again.resume(match, 3)
        self.assertEqual(answer["type"], "done")
        self.assertEqual([frame["turn"] for frame in again.inbox if frame["type"] == "turn"], [1, 2])


class SilentStore(Case):
    options = ("--jobs-max", str(JOBS_MAX))

    def lock(self):
        """Holds the write lock until it is closed."""
        database = sqlite3.connect(self.daemon.database, timeout=TIME_LIMIT_S,
                                   isolation_level=None)
        self.addCleanup(database.close)
        database.execute("BEGIN IMMEDIATE")
        return database

    async def test_what_cannot_be_stored_is_refused_and_safe_to_send_again(self):
        alice, bob, match = await self.pair()
        database = self.lock()
        frame = {"match": match, "turn": 0, "commands": [], "command_id": "a"}
        await alice.refused("store_unavailable", "submit", **frame)
        database.close()
        await alice.get("accepted", "submit", **frame)
        await bob.submit(match, 0)
        await alice.expect("turn")

    async def test_a_turn_that_cannot_be_stored_is_told_and_tried_again(self):
        alice, bob, match = await self.pair()
        await alice.submit(match, 0)
        database = self.lock()
        name = await bob.send("resign", match=match, command_id="r")
        await bob.refused("turn_closed", "submit", match=match, turn=0, commands=[],
                          command_id="late")
        for client in (alice, bob):
            error = await client.expect("error", match=match)
            self.assertEqual(error["code"], "store_unavailable")
        database.close()
        await bob.expect("done", id=name)
        self.assertEqual((await alice.expect("over"))["reason"], "resignation")

    async def test_more_than_the_store_can_hold_is_busy_and_nobody_else_waits(self):
        alice, bob, match = await self.pair()
        database = self.lock()
        # all arrive at once: the first waits for the lock, the others wait for the first
        self.daemon.process.send_signal(signal.SIGSTOP)
        await alice.send("submit", match=match, turn=0, commands=[], command_id="first")
        for _ in range(3 * JOBS_MAX):
            await alice.send("join", code="x")
        self.daemon.process.send_signal(signal.SIGCONT)
        await alice.expect("error", code="busy")
        await bob.get("pong", "ping")
        database.close()
        while (await bob.ask("join", code="x"))["code"] != "wrong_code":
            await asyncio.sleep(0.05)
        await bob.submit(match, 0)


if __name__ == "__main__":
    unittest.main()
