"""`skirmish bot`: the bots that ship, as clients of a running server."""

import asyncio
import contextlib
import json
import os
import signal
import stat
import subprocess
import sys

from client import PIKES, Case
from daemon import PROGRAM, ROOT, SANITIZER, TIME_LIMIT_S

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
PYTHON_BOT = os.path.join(ROOT, "tests", "bots", "tactics_ws.py")

# Short matches of every ruleset.
MATCHES = {
    "tactics": {"turn_limit": 6},
    "halma": {"turn_limit": 6},
    "racers": {"turn_limit": 20},
    "snarl": {"heroes": ["ada", "bob"], "round_limit": 6},
}


class BotCommand(Case):
    def start(self, *arguments, program=(SKIRMISH, "bot")):
        process = subprocess.Popen([*program, *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
            process.communicate()

    def bot(self, *arguments):
        return self.start("--url", self.daemon.url(), "--budget", "20", *arguments)

    async def finish(self, process):
        """(exit status, what it printed, what it complained about)"""
        out, err = await asyncio.to_thread(process.communicate, timeout=TIME_LIMIT_S)
        self.assertIsNone(SANITIZER.search(err), err)
        return process.returncode, out, err

    async def won(self, *processes):
        """All end well; returns what they printed."""
        texts = []
        for process in processes:
            code, out, err = await self.finish(process)
            self.assertEqual(code, 0, out + err)
            texts.append(out)
        return texts

    def verify(self):
        done = subprocess.run([SKIRMISH, "verify", "--all", "--database", self.daemon.database],
                              capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    async def test_every_level_plays_every_ruleset_from_the_queue(self):
        self.assertEqual(set(MATCHES), set(self.schemas.rulesets))
        for ruleset, params in MATCHES.items():
            for levels in (("random", "greedy"), ("search", "search")):
                with self.subTest(ruleset=ruleset, levels=levels):
                    bots = [self.bot("--ruleset", ruleset, "--level", level, "--games", "1",
                                     "--params", json.dumps(params)) for level in levels]
                    for text in await self.won(*bots):
                        self.assertRegex(text, r"match \d+: (won|lost|nobody won) \(\w+\) after \d+")
        self.assertEqual(self.query("SELECT count(*) FROM match_command WHERE verdict <> 'ok' "
                                    "AND verdict <> 'bounced'"), [(0,)])
        self.verify()

    async def test_it_joins_what_a_person_has_created_and_says_that_it_is_a_bot(self):
        alice = await self.player()
        joined, _ = await alice.create()
        bot = self.bot("--join", str(joined["match"]), "--name", "Joining")
        seated = await alice.expect("seated")
        self.assertEqual((seated["name"], seated["bot"]), ("Joining", True))
        await alice.ask("resign", match=joined["match"], command_id="r")
        text, = await self.won(bot)
        self.assertIn("won (resignation)", text)

    async def test_it_answers_draw_offers(self):
        alice = await self.player()
        joined, _ = await alice.create()
        bot = self.bot("--join", str(joined["match"]))
        await alice.expect("seated")
        await alice.get("done", "offer_draw", match=joined["match"])
        await alice.expect("draw", offer="declined")
        await alice.ask("resign", match=joined["match"], command_id="r")
        await self.won(bot)

    async def test_it_creates_matches_one_after_the_other(self):
        bot = self.bot("--ruleset", "tactics", "--create", "--games", "2", "--name", "Creating",
                       "--params", json.dumps({**PIKES, "turn_limit": 4}))
        alice = await self.player()
        for _ in range(2):
            waiting = []
            while not waiting:
                listed = await alice.get("matches", "list", status="waiting")
                waiting = [match["id"] for match in listed["matches"]
                           if "Creating" in match["players"]]
            await alice.join(waiting[0])
            await alice.ask("resign", match=waiting[0], command_id="r")
            await alice.expect("over", match=waiting[0])
        text, = await self.won(bot)
        self.assertEqual(text.count("won (resignation)"), 2)

    async def test_a_match_goes_on_after_the_server_was_killed(self):
        bots = [self.bot("--ruleset", "halma", "--level", level, "--games", "1", "--params",
                         json.dumps({"turn_limit": 100})) for level in ("greedy", "random")]
        for _ in range(2):
            turns, = self.query("SELECT count(*) FROM record WHERE kind = 'turn'")[0]
            while self.query("SELECT count(*) FROM record WHERE kind = 'turn'")[0][0] < turns + 5:
                await asyncio.sleep(0.02)
            await self.restart()
        await self.won(*bots)
        self.verify()

    async def test_stopped_in_the_middle_it_comes_back_as_the_same_player(self):
        folder = self.daemon.path("tokens")
        os.makedirs(folder, exist_ok=True)
        token = os.path.join(folder, "bot")
        alice = await self.player()
        joined, _ = await alice.create()
        how = ("--join", str(joined["match"]), "--token-file", token)
        bot = self.bot(*how, "--name", "Returning")
        await alice.expect("seated")
        self.assertEqual(stat.S_IMODE(os.stat(token).st_mode), 0o600)
        bot.send_signal(signal.SIGTERM)
        await self.won(bot)
        bot = self.bot(*how)
        await alice.submit(joined["match"], 0)
        await alice.expect("turn", turn=1)
        await alice.ask("resign", match=joined["match"], command_id="r")
        text, = await self.won(bot)
        self.assertIn("Returning plays", text)
        self.assertIn("won (resignation)", text)

    async def test_the_bot_in_under_sixty_lines_of_python_plays(self):
        with open(PYTHON_BOT, encoding="utf-8") as file:
            self.assertLess(len(file.readlines()), 60)
        bots = [self.start(self.daemon.url(), f"Python-{i}",
                           program=(sys.executable, PYTHON_BOT)) for i in range(2)]
        texts = await self.won(*bots)
        self.assertLessEqual(sum(text.startswith("won") for text in texts), 1, texts)
        self.verify()

    async def test_what_is_wrong_is_said(self):
        named = (await self.player()).name
        with contextlib.suppress(FileExistsError):
            os.makedirs(self.daemon.path("folder"))
        url = ("--url", self.daemon.url())
        for status, words, arguments in (
                (2, "needs --ruleset", ()),
                (2, "there is no ruleset: chess", ("--ruleset", "chess")),
                (2, "random, greedy or search, not: genius", ("--ruleset", "halma", "--level", "genius")),
                (2, "takes a JSON object, not: []", ("--ruleset", "halma", "--params", "[]")),
                (2, "--join takes no options", ("--join", "1", "--create")),
                (2, "whole number from 1", ("--ruleset", "halma", "--games", "0")),
                (1, "Is a directory", (*url, "--join", "1", "--token-file",
                                       self.daemon.path("folder"))),
                (1, "an address is like ws://", ("--join", "1", "--url", "elsewhere")),
                (1, "begins with ws://", ("--join", "1", "--url", "ftp://127.0.0.1/")),
                (1, "no connection", ("--join", "1", "--url", "ws://127.0.0.1:9/")),
                (1, "unknown_match", (*url, "--join", "999999")),
                (1, "Another player has this name", (*url, "--join", "1", "--name", named)),
                (1, "invalid_params: the piece starts off the board, at /params/pieces/0/0",
                 (*url, "--ruleset", "halma", "--create", "--params", '{"size":9}'))):
            with self.subTest(words=words):
                code, out, err = await self.finish(self.start(*arguments))
                self.assertEqual(code, status, out + err)
                self.assertIn(words, err)
