"""A whole daemon on a failing disk: clients get errors, and everything continues when the cause is gone."""

import os
import sqlite3
import sys
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.join(ROOT, "build", "crash")
SWITCHES = tempfile.TemporaryDirectory(prefix="skirmish-disk-")

# Before `daemon` is read: every daemon of these tests has the failing disk under it.
os.environ["SKIRMISHD"] = os.path.join(BUILD, "bin", "skirmishd")
os.environ["LD_PRELOAD"] = os.path.join(BUILD, "tests", "failing_disk.so")
os.environ["SK_DISK"] = SWITCHES.name
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from client import Case, move  # noqa: E402
from daemon import TIME_LIMIT_S  # noqa: E402

STORAGE_EXIT = 70  # server/exit.h
WAL_STEP_BYTES = 4096 * 1000  # the log is brought in when it is longer


class switched:
    """The disk fails in this way inside the `with`."""

    def __init__(self, name):
        self.path = os.path.join(SWITCHES.name, name)

    def __enter__(self):
        open(self.path, "wb").close()

    def __exit__(self, *_):
        os.remove(self.path)


class locked:
    """Another process holds the database's lock inside the `with`."""

    def __init__(self, daemon):
        self.path = daemon.database

    def __enter__(self):
        self.database = sqlite3.connect(self.path, isolation_level=None)
        self.database.execute("BEGIN IMMEDIATE")

    def __exit__(self, *_):
        self.database.execute("ROLLBACK")
        self.database.close()


class FailingDisk(Case):

    # On a quiet machine a turn takes less time than the limit of frames allows.
    options = ("--frames-per-second", "100000", "--frames-burst", "100000")

    async def expect_refusals(self, fault):
        """Nothing is accepted during the fault; afterwards the same frames are."""
        alice, bob, match = await self.pair()
        carol, dave, other = await self.pair()
        await alice.submit(match, 0, move("a1", 1, 2), command_id="a-0")
        failures = self.daemon.metrics()["skirmish_store_errors_total"]
        with fault:
            await bob.refused("store_unavailable", "submit", match=match, turn=0, commands=[],
                              command_id="b-0")
            await carol.refused("store_unavailable", "submit", match=other, turn=0, commands=[],
                                command_id="c-0")
            await carol.refused("store_unavailable", "create", ruleset="tactics")
            stranger = await self.connect()
            await stranger.refused("store_unavailable", "hello", protocol=1, name="stranger")
            # reads are served
            state = await alice.get("state", "resume", match=match, seq=0)
            self.assertEqual(state["pending"]["command_id"], "a-0")
            await carol.get("hints", "hints", match=other)
            metrics = self.daemon.metrics()
            self.assertEqual(metrics["skirmish_store_is_failing"], 1)
            self.assertGreater(metrics["skirmish_store_errors_total"], failures)
        self.assertEqual(self.query("SELECT count(*) FROM record WHERE command_id IN ('b-0', 'c-0')"
                                    " AND match IN (?, ?)", match, other), [(0,)])
        await bob.submit(match, 0, command_id="b-0")
        await alice.expect("turn", match=match, turn=1)
        await carol.submit(other, 0, command_id="c-0")
        await dave.submit(other, 0)
        await dave.expect("turn", match=other, turn=1)
        self.assertEqual(self.daemon.metrics()["skirmish_store_is_failing"], 0)

    async def test_a_full_disk_refuses_and_goes_on_when_there_is_room(self):
        await self.expect_refusals(switched("full"))

    async def test_a_broken_disk_refuses_and_goes_on_when_it_is_mended(self):
        await self.expect_refusals(switched("broken"))

    async def test_a_disk_that_became_read_only_refuses_and_goes_on_when_it_is_not(self):
        await self.expect_refusals(switched("read-only"))

    async def test_a_lock_of_another_process_refuses_and_goes_on_when_it_is_gone(self):
        await self.expect_refusals(locked(self.daemon))

    async def test_a_turn_that_cannot_be_stored_is_not_shown_and_comes_when_it_can(self):
        alice, bob, match = await self.pair(clock={"turn_ms": 5000, "bank_ms": 0})
        await alice.submit(match, 0, move("a1", 1, 2))
        with switched("full"):
            error = await bob.expect("error", match=match)  # the deadline passes
            self.assertEqual(error["code"], "store_unavailable")
            self.assertEqual([frame for frame in bob.inbox if frame["type"] == "turn"], [])
        turn = await bob.expect("turn", match=match)
        self.assertEqual(turn["turn"], 1)
        await alice.expect("turn", match=match, turn=1)

    async def test_a_resignation_that_cannot_be_stored_is_answered_when_it_can(self):
        alice, bob, match = await self.pair()
        with switched("full"):
            number = await alice.send("resign", match=match, command_id="r")
            error = await bob.expect("error", match=match)
            self.assertEqual(error["code"], "store_unavailable")
            self.assertEqual([frame for frame in await alice.seen() if frame.get("id") == number], [])
        await alice.expect("done", id=number)
        self.assertEqual((await bob.expect("over", match=match))["reason"], "resignation")

    async def test_a_reader_that_stays_stops_nobody_and_its_log_is_told_and_goes_away(self):
        alice, bob, match = await self.pair(params={"placement": False, "turn_limit": 1000})
        reader = sqlite3.connect(self.daemon.database)
        cursor = reader.execute("SELECT * FROM record")
        cursor.fetchone()
        turn = 0
        while self.daemon.metrics()["skirmish_store_wal_bytes"] < 2 * WAL_STEP_BYTES:
            for _ in range(20):
                await self.play(alice, bob, match, turn, [], [])
                turn += 1
        cursor.close()
        reader.close()
        await self.play(alice, bob, match, turn, [], [])
        await self.play(alice, bob, match, turn + 1, [], [])
        self.assertLess(self.daemon.metrics()["skirmish_store_wal_bytes"], WAL_STEP_BYTES)


class FailedSync(Case):

    async def test_a_failed_sync_ends_the_daemon_and_the_next_start_recovers(self):
        for _ in range(3):
            alice, bob, match = await self.pair()
            await alice.submit(match, 0, move("a1", 1, 2), command_id="a-0")
            with switched("sync"):
                await bob.send("submit", match=match, turn=0, commands=[], command_id="b-0")
                self.assertEqual(self.daemon.process.wait(TIME_LIMIT_S), STORAGE_EXIT)
            self.assertEqual([frame for frame in bob.inbox if frame["type"] == "accepted"], [])
            self.daemon.process.stdout.close()
            self.daemon.start()
            self.daemon.wait_until_ready()
            alice, bob = await self.back(alice, bob, match=match)
            # it may be stored or not: it was not acknowledged
            await bob.submit(match, 0, command_id="b-0")
            await self.daemon_is_sound(match, alice, bob)

    async def daemon_is_sound(self, match, alice, bob):
        while alice.seqs[match][-1] < 4:
            await alice.expect("turn", match=match)
        while bob.seqs[match][-1] < 4:
            await bob.expect("turn", match=match)
        self.assertEqual(self.query("SELECT count(*) FROM record WHERE match = ? AND kind = 'submission'",
                                    match), [(2,)])


if __name__ == "__main__":
    unittest.main()
