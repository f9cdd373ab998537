"""/metrics: valid format and correct values."""

import asyncio
import contextlib
import os
import re
import sqlite3
import time
import unittest

import prometheus
from client import Case, attack, move
from daemon import ROOT, TIME_LIMIT_S, Socket


class Metrics(Case):

    def scrape(self):
        return prometheus.parse(self.daemon.get("/metrics", port=self.daemon.metrics_port).body.decode())

    def value(self, families, name, **labels):
        return families[name].samples.get((name, tuple(sorted(labels.items()))), 0)

    async def test_it_can_be_read_before_and_after_anything_happens(self):
        self.scrape()
        alice, bob, match = await self.pair()
        await alice.refused("unknown_match", "watch", match=999)
        await alice.submit(match, 0, attack("a1", 0, 0), move("b1", 1, 1), move("a1", 1, 2))
        await bob.submit(match, 0)
        self.scrape()

    async def test_commands_are_counted_by_verdict_and_check(self):
        alice, bob, match = await self.pair()
        before = self.scrape()
        accepted = await alice.submit(match, 0, move("a1", 1, 2), move("b1", 1, 1), move("x", 1, 1),
                                      move("x", 1, 1))
        after = self.scrape()
        for verdict in accepted["verdicts"]:
            labels = {"ruleset": "tactics", "verdict": verdict["verdict"],
                      "check": verdict.get("check", "")}
            counted = [self.value(families, "skirmish_commands_total", **labels)
                       for families in (before, after)]
            self.assertEqual(counted[1] - counted[0], accepted["verdicts"].count(verdict), labels)

    async def test_errors_and_frames_are_counted_by_their_names(self):
        alice, bob, match = await self.pair()
        before = self.scrape()
        await alice.refused("wrong_turn", "submit", match=match, turn=7, commands=[], command_id="x")
        await alice.refused("malformed", "submit", match=match)
        after = self.scrape()
        for name, labels in (("skirmish_errors_total", {"code": "wrong_turn"}),
                             ("skirmish_errors_total", {"code": "malformed"}),
                             ("skirmish_frames_received_total", {"type": "submit"}),
                             ("skirmish_malformed_total", {})):
            self.assertEqual(self.value(after, name, **labels) -
                             self.value(before, name, **labels), 1, labels)

    async def test_what_takes_time_is_timed(self):
        alice, bob, match = await self.pair()
        before = self.scrape()
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [])
        after = self.scrape()
        for name, count in (("skirmish_ack_seconds", 2), ("skirmish_resolve_seconds", 1),
                            ("skirmish_turn_seconds", 1)):
            counted = [families[name].samples[name + "_count", ()] for families in (before, after)]
            self.assertEqual(counted[1] - counted[0], count, name)
            spent = [families[name].samples[name + "_sum", ()] for families in (before, after)]
            self.assertGreater(spent[1], spent[0], name)
        for name in ("skirmish_store_commit_seconds", "skirmish_job_seconds"):
            self.assertGreater(after[name].samples[name + "_count", ()],
                               before[name].samples[name + "_count", ()])
        self.assertGreater(self.value(after, "skirmish_store_wal_bytes"), 0)

    def test_every_limit_that_is_counted_is_described(self):
        with open(os.path.join(ROOT, "deploy", "README.md"), encoding="utf-8") as file:
            text = file.read()
        options = re.findall(r'skirmish_limited_total{option="([a-z-]+)"}', " ".join(self.daemon.metrics()))
        self.assertGreater(len(options), 15)
        self.assertEqual([option for option in options if f"`{option}`" not in text], [])

    def test_process_metrics_have_the_usual_names(self):
        before = self.scrape()
        now = time.time()
        with contextlib.ExitStack() as stack:
            for _ in range(20):
                stack.enter_context(Socket(self.daemon))
            after = self.scrape()
        self.assertEqual(self.value(after, "process_open_fds") -
                         self.value(before, "process_open_fds"), 20)
        own = f"/proc/{self.daemon.process.pid}"
        with open(f"{own}/limits", encoding="utf-8") as file:
            limit = re.search(r"^Max open files +(\d+)", file.read(), re.MULTILINE).group(1)
        self.assertEqual(self.value(after, "process_max_fds"), float(limit))
        with open(f"{own}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        ticks = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self.assertAlmostEqual(self.value(after, "process_cpu_seconds_total"), ticks, delta=0.1)
        self.assertLess(self.value(before, "process_cpu_seconds_total"),
                        self.value(after, "process_cpu_seconds_total"))
        resident = self.value(after, "process_resident_memory_bytes")
        virtual = self.value(after, "process_virtual_memory_bytes")
        self.assertTrue(1 << 20 < resident < virtual, (resident, virtual))
        started = self.value(after, "process_start_time_seconds")
        self.assertLessEqual(started, now)
        self.assertGreater(started, os.stat(self.daemon.log_path).st_ctime - 3600)

    async def test_the_size_of_the_database_is_told(self):
        database = sqlite3.connect(self.daemon.database)
        self.addCleanup(database.close)
        database.execute("CREATE TABLE large (x)")
        database.execute("INSERT INTO large VALUES (zeroblob(1000000))")
        database.execute("DROP TABLE large")
        database.commit()
        database.execute("PRAGMA wal_checkpoint")
        alice = await self.player()
        deadline = time.monotonic() + TIME_LIMIT_S
        free = 0
        while free < 1000000:
            self.assertLess(time.monotonic(), deadline)
            alice.token = (await alice.get("token", "renew_token"))["token"]
            await asyncio.sleep(0.1)
            families = self.scrape()
            free = self.value(families, "skirmish_store_free_bytes")
        size = self.value(families, "skirmish_store_file_bytes")
        self.assertEqual(size, os.stat(self.daemon.database).st_size)
        self.assertLess(free, size)

    def test_every_one_of_them_is_documented(self):
        with open(os.path.join(ROOT, "deploy", "README.md"), encoding="utf-8") as file:
            documented = set(re.findall(r"^\| `((?:skirmish|process)_\w+)`", file.read(), re.MULTILINE))
        if "POSTGRES" not in os.environ:  # there is one node only
            documented = {name for name in documented if not name.startswith("skirmish_node_")}
        self.assertEqual(documented, set(self.scrape()))


if __name__ == "__main__":
    unittest.main()
