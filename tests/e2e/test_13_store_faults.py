"""A store that cannot write: clients get errors, nothing is accepted, and it recovers."""

import asyncio
import contextlib
import ctypes
import os
import re
import resource
import signal
import sqlite3
import time
import unittest

from client import Case, move
from daemon import TIME_LIMIT_S


PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 17, 0x4206, 0x4207
WAIT_ALL = 0x40000000  # for threads, too


def blocks(thread, number):
    with open(f"/proc/{thread}/status", encoding="utf-8") as file:
        return int(re.search(r"SigBlk:\s*(\w+)", file.read())[1], 16) >> number - 1 & 1


@contextlib.contextmanager
def held(pid):
    """All threads but the loop and the one that waits for signals stand still, as on a disk that is busy."""
    ptrace = ctypes.CDLL(None).ptrace
    ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
    threads = [thread for thread in map(int, os.listdir(f"/proc/{pid}/task"))
               if thread != pid and blocks(thread, signal.SIGTERM)]
    for thread in threads:
        assert ptrace(PTRACE_SEIZE, thread, None, None) == ptrace(PTRACE_INTERRUPT, thread, None, None) == 0
        os.waitpid(thread, WAIT_ALL)
    try:
        yield
    finally:
        for thread in threads:
            if ptrace(PTRACE_DETACH, thread, None, None) != 0:
                os.waitpid(thread, WAIT_ALL)  # the daemon has ended


class Faults(Case):

    @contextlib.contextmanager
    def locked(self):
        """Another process holds the write lock for a while."""
        database = sqlite3.connect(self.daemon.database, isolation_level=None)
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            database.execute("ROLLBACK")
            database.close()

    @contextlib.contextmanager
    def full(self):
        """No file of the daemon can grow any more."""
        pid = self.daemon.process.pid
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        sizes = [os.path.getsize(self.daemon.database + end) for end in ("", "-wal")]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (min(sizes), before[1]))
        try:
            yield
        finally:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, before)

    def wait_for_readyz(self, status):
        until = time.monotonic() + TIME_LIMIT_S
        while self.daemon.get("/readyz").status != status:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    async def test_nothing_is_accepted_that_is_not_stored_and_all_goes_on_after_it(self):
        for label, fault in (("locked", self.locked), ("full", self.full)):
            with self.subTest(label):
                alice, bob, match = await self.pair()
                await alice.submit(match, 0, move("a1", 1, 2), command_id="before")
                with fault():
                    submission = {"match": match, "turn": 0, "commands": [], "command_id": "b-0"}
                    error = await bob.refused("store_unavailable", "submit", **submission)
                    self.assertNotIn("verdicts", error)
                    await bob.refused("store_unavailable", "create", ruleset="tactics")
                    stranger = await self.connect()
                    await stranger.refused("store_unavailable", "hello", protocol=1, name="carol")

                    # Requests that write nothing are answered.
                    await self.again(bob)
                    await bob.get("hints", "hints", match=match)
                    await bob.get("matches", "list")
                    state = await alice.get("state", "resume", match=match, seq=0)
                    self.assertEqual(state["pending"]["command_id"], "before")
                    self.wait_for_readyz(503)
                    self.assertEqual(self.daemon.metrics()["skirmish_store_is_failing"], 1)
                    for client in (alice, bob):
                        self.assertEqual(await client.seen("turn"), [])
                        self.assertEqual([frame for frame in client.inbox
                                          if frame["type"] == "accepted"
                                          and frame["command_id"] == "b-0"], [])
                self.wait_for_readyz(200)
                await bob.get("accepted", "submit", **submission)
                turns = [await client.expect("turn", match=match) for client in (alice, bob)]
                self.assertEqual(turns[0]["view"]["units"][0]["at"], [1, 2])
                await stranger.get("welcome", "hello", protocol=1, name=f"carol-{label}")
                await self.restart()
                [bob] = await self.back(bob)
                state = await bob.get("state", "resume", match=match, seq=0)
                self.assertEqual(state["turn_open"]["turn"], 1)

    async def test_a_full_disk_does_not_fill_the_log(self):
        alice, _, match = await self.pair()
        before = len(self.daemon.log())
        failed_before = self.daemon.metrics()["skirmish_failed_jobs_total"]
        with self.full():
            for _ in range(50):  # fewer than a connection may send at once
                await alice.refused("store_unavailable", "create", ruleset="tactics")
        await alice.submit(match, 0, command_id="after")
        self.daemon.wait_for_log(b"store: writes again")
        lines = [line.split(" ", 2)[2] for line in self.daemon.log()[before:].decode().splitlines()]
        self.assertEqual(lines[-1], "store: writes again")
        told = [line for line in lines if line.startswith("store: ") and line != lines[-1]]
        self.assertLess(len(told), 10, told)
        counts = [re.search(r" \(repeated (\d+) times\)$", line) for line in told]
        failed = self.daemon.metrics()["skirmish_failed_jobs_total"] - failed_before
        self.assertGreaterEqual(failed, 50)
        self.assertEqual(sum(int(count.group(1)) if count else 1 for count in counts), failed, told)

    async def test_a_turn_that_cannot_be_stored_is_tried_again_by_itself(self):
        alice, bob, match = await self.pair(clock={"turn_ms": 5000})
        with self.full():
            self.wait_for_readyz(503)
            error = await alice.expect("error", match=match)
            self.assertEqual(error["code"], "store_unavailable")
            self.assertEqual(await alice.seen("turn"), [])
        await alice.expect("turn", match=match, turn=1)
        await bob.expect("turn", match=match, turn=1)

    async def test_a_stop_waits_for_a_slow_disk(self):
        alice, _, match = await self.pair()
        with held(self.daemon.process.pid):
            await alice.send("submit", match=match, turn=0, commands=[], command_id="late")
            await asyncio.sleep(0.5)  # until it is with the store
            self.daemon.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(3)
        self.assertEqual(await asyncio.to_thread(self.daemon.process.wait, TIME_LIMIT_S), 0, self.daemon.log())
        self.daemon.process.stdout.close()
        self.daemon.start()
        [alice] = await self.back(alice)
        state = await alice.get("state", "resume", match=match, seq=0)
        self.assertEqual(state["pending"]["command_id"], "late")


if __name__ == "__main__":
    unittest.main()
