"""`skirmish arena`: matches between bots, on a running server and on one of its own."""

import asyncio
import json
import os
import re
import shlex
import sqlite3
import subprocess
from unittest import mock

from client import PIKES, Case
from daemon import PROGRAM, SANITIZER, TIME_LIMIT_S

SKIRMISH = os.environ.get("SKIRMISH", os.path.join(os.path.dirname(PROGRAM), "skirmish"))
SHORT = json.dumps({**PIKES, "turn_limit": 8})


class Arena(Case):
    options = ("--frames-per-second", "100000", "--frames-burst", "100000")

    async def arena(self, *arguments, url=True):
        """(exit status, what it printed, what it complained about)"""
        where = ("--url", self.daemon.url()) if url else ()
        process = subprocess.Popen([SKIRMISH, "arena", *where, *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        out, err = await asyncio.to_thread(process.communicate, timeout=TIME_LIMIT_S)
        self.assertIsNone(SANITIZER.search(err), err)
        return process.returncode, out, err

    async def results(self, *arguments, **how):
        code, out, err = await self.arena(*arguments, "--json", **how)
        self.assertEqual(code, 0, out + err)
        return json.loads(out)

    def verify(self, database):
        done = subprocess.run([SKIRMISH, "verify", "--all", "--database", database],
                              capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    async def test_the_better_bot_wins_more_and_every_match_is_stored(self):
        results = await self.results("--ruleset", "racers", "greedy", "random", "--games", "12")
        greedy, random = results["bots"]
        self.assertEqual(results["games"], 12)
        self.assertEqual(greedy["wins"] + random["wins"] + results["draws"], 12)
        self.assertGreater(greedy["wins"], random["wins"])
        self.assertLessEqual(greedy["low_permille"], 1000 * greedy["wins"] / 12)
        self.assertGreaterEqual(greedy["high_permille"], 1000 * greedy["wins"] / 12)
        first, last = results["matches"]
        rows = self.query("SELECT status, winner FROM match WHERE id BETWEEN ? AND ?", first, last)
        self.assertEqual([row[0] for row in rows], ["over"] * 12)
        # seats change from match to match, so the better bot wins on both
        self.assertEqual({row[1] for row in rows if row[1] is not None}, {0, 1})
        self.verify(self.daemon.database)

    async def test_the_table_is_for_people(self):
        code, out, _ = await self.arena("--ruleset", "tactics", "--params", SHORT, "--games", "3",
                                        "random", "random")
        self.assertEqual(code, 0)
        self.assertEqual(len(re.findall(r"^random +\d+ +[\d.]+% +[\d.]+% - +[\d.]+% +0 +0 +0$", out,
                                        re.M)), 2, out)
        self.assertRegex(out, r"(?m)^drawn +\d+ +[\d.]+%$")
        self.assertRegex(out, r"3 matches of tactics, [\d.]+ turns on average, stored as matches \d+")

    async def test_three_bots_play_a_round_robin(self):
        how = ("--ruleset", "racers", "--params", '{"turn_limit":60}', "--games", "4", "random", "greedy", "random")
        results = await self.results(*how)
        self.assertEqual(results["games"], 12)
        for place, bot in enumerate(results["bots"]):
            self.assertEqual(bot["games"], 8)
            for other, (wins, draws) in enumerate(bot["against"]):
                back = results["bots"][other]["against"][place]
                self.assertEqual(draws, back[1])
                self.assertEqual(wins + draws + back[0], 0 if place == other else 4)
            self.assertEqual(sum(wins for wins, _ in bot["against"]), bot["wins"])
        one, greedy, other = (bot["rating"] for bot in results["bots"])
        self.assertGreater(greedy, max(one, other))
        self.assertAlmostEqual(one + greedy + other, 0, delta=2)
        self.assertGreater(min(bot["rating_margin"] for bot in results["bots"]), 50)
        code, out, _ = await self.arena(*how)
        self.assertEqual(code, 0)
        self.assertRegex(out, r"(?m)^greedy +\+\d+ +[+-]\d+ to +\+\d+$")
        self.assertRegex(out, r"(?m)^won-drawn-lost against +A +B +C$")
        self.assertRegex(out, r"(?m)^B greedy +\d-\d-\d +\d-\d-\d$")
        self.assertRegex(out, r"12 matches of racers, .* stored as matches")

    async def test_a_browser_gets_the_page_of_the_first_match(self):
        """The browser is a script that writes down its argument."""
        folder = self.daemon.path("bin")
        os.makedirs(folder)
        with open(os.path.join(folder, "xdg-open"), "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\necho "$1" > "{folder}/opened.new"\nmv "{folder}/opened.new" "{folder}/opened"\n')
        os.chmod(os.path.join(folder, "xdg-open"), 0o755)
        how = ("--ruleset", "tactics", "--params", SHORT, "--games", "1", "--browser", "random", "random")
        with mock.patch.dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"):
            results = await self.results(*how)
        while not os.path.exists(os.path.join(folder, "opened")):
            await asyncio.sleep(0.01)
        with open(os.path.join(folder, "opened"), encoding="ascii") as file:
            self.assertEqual(file.read().strip(),
                             self.daemon.url(f"/#/match/{results['matches'][0]}").replace("ws:", "http:"))
        with mock.patch.dict(os.environ, PATH="/nowhere"):
            _, _, err = await self.arena(*how)
        self.assertRegex(err, r"open http://127.0.0.1:\d+/#/match/\d+ in a browser")

    async def test_it_goes_on_after_the_server_was_killed(self):
        before, = self.query("SELECT count(*) FROM record WHERE kind = 'turn'")[0]
        playing = asyncio.create_task(self.results(
            "--ruleset", "tactics", "--params", json.dumps({**PIKES, "turn_limit": 30}),
            "--cycle-ms", "20", "--games", "12", "--parallel", "4", "random", "random"))
        while self.query("SELECT count(*) FROM record WHERE kind = 'turn'")[0][0] < before + 30:
            await asyncio.sleep(0.02)
        await asyncio.to_thread(self.daemon.restart)
        self.assertEqual((await playing)["games"], 12)
        self.verify(self.daemon.database)

    async def test_a_server_of_its_own_keeps_what_it_is_told_to_keep(self):
        database = self.daemon.path("arena.db")
        results = await self.results("--ruleset", "halma", "--params", '{"turn_limit":6}', "--games",
                                     "4", "--database", database, "greedy", "random", url=False)
        self.assertEqual((results["games"], results["draws"]), (4, 4))
        self.verify(database)
        with sqlite3.connect(database) as stored:
            players = stored.execute("SELECT count(*) FROM player").fetchall()
        await self.results("--ruleset", "halma", "--params", '{"turn_limit":2}', "--games", "1",
                           "--database", database, "greedy", "random", url=False)
        with sqlite3.connect(database) as stored:
            self.assertEqual(stored.execute("SELECT count(*) FROM player").fetchall(), players)

    async def test_a_temporary_server_is_said_to_keep_nothing(self):
        how = ("--ruleset", "tactics", "--params", SHORT, "--games", "1", "greedy", "random")
        self.assertIsNone((await self.results(*how, url=False))["matches"])
        _, out, _ = await self.arena(*how, url=False)
        self.assertRegex(out, r"1 match of tactics, .* not kept \(--database FILE keeps them\)")
        _, out, _ = await self.arena(*how)
        self.assertRegex(out, r"1 match of tactics, .* stored as match \d+\n")

    async def test_every_run_is_the_same_player(self):
        for _ in range(2):
            await self.results("--ruleset", "tactics", "--params", SHORT, "--games", "1", "greedy",
                               "random")
        self.assertEqual(self.query("SELECT count(*) FROM player WHERE name LIKE 'arena-%'"), [(1,)])

    async def test_the_line_in_its_help_works(self):
        done = subprocess.run([SKIRMISH, "arena", "--help"], capture_output=True, text=True)
        line, = re.findall(r"(?m)^  skirmish arena ((?:.*\\\n)*.+)$", done.stdout)
        words = shlex.split(line.replace("\\\n", ""))
        results = await self.results(*words, "--games", "1")
        self.assertEqual((results["ruleset"], results["games"]), ("snarl", 1))

    async def test_what_is_wrong_is_said(self):
        for status, words, arguments in (
                (2, "takes two bots or more", ("greedy",)),
                (2, "at most 32", ("--ruleset", "halma", *["greedy"] * 33)),
                (2, "needs --ruleset", ("greedy", "random")),
                (2, "there is no ruleset: chess", ("--ruleset", "chess", "greedy", "random")),
                (2, "takes a JSON object, not: 7", ("--ruleset", "halma", "--params", "7", "a", "b")),
                (2, "a bot's name is not UTF-8", ("--ruleset", "halma", b"\xff", "greedy")),
                (2, "cannot be used with --url", ("--ruleset", "halma", "--database", "x", "a", "b")),
                (2, "takes a file", ("--ruleset", "halma", "--database", "postgres://x", "a", "b")),
                (2, "whole number from 10", ("--ruleset", "halma", "--cycle-ms", "9", "a", "b")),
                (1, "invalid_params: the piece starts off the board, at /params/pieces/0/0",
                 ("--ruleset", "halma", "--params", '{"size":9}', "greedy", "random")),
                (1, "not_allowed", ("--ruleset", "halma", "nobody", "random")),
                (1, "not_allowed", ("--ruleset", "halma", "http://127.0.0.1:9/", "random"))):
            with self.subTest(words=words):
                code, out, err = await self.arena(*arguments)
                self.assertEqual(code, status, out + err)
                self.assertIn(words, err)
                self.assertEqual(err.count("skirmish arena: "), 1, err)
