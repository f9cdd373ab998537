"""Seats that web services play: their questions, every kind of failure, and addresses that must not be called."""

import asyncio
import json
import os
import re
import ssl
import subprocess
import tempfile
import time
import unittest

from client import PIKES, Case, move
from daemon import PROGRAM, TIME_LIMIT_S
from services import SECRET, Example, Service, signature

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")

# What a service does -> the reported error.
MISBEHAVIOUR = [
    ("slow", "http_timeout"), ("drip", "http_timeout"),
    ("endless", "http_too_large"), ("large", "http_too_large"), ("above_limit", "http_too_large"),
    ("redirect", "http_status"), ("status", "http_status"),
    ("html", "not_json"), ("two", "not_json"), ("empty", "not_json"), ("deep", "not_json"),
    ("closes", "http_failed"), ("breaks_off", "http_failed"),
    ("list", "bad_form"), ("other", "bad_form"), ("word", "bad_form"), ("resigns", "bad_form"),
    ("illegal", "refused"),
]


def bot(url):
    return {"bot": {"http": url}}


class WithService(Case):
    answer_ms = 5000  # enough for a service on a busy machine

    @classmethod
    def setUpClass(cls):
        cls.service = cls.enterClassContext(Service())
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        file = os.path.join(cls.folder, "bots")
        with open(file, "w", encoding="utf-8") as out:
            print("# who may be called by name", file=out)
            print("signed", cls.service.url("first?signed"), SECRET.replace(" ", "_"), file=out)
            print("plain", cls.service.url("first?plain"), file=out)
        cls.options = ("--bot-hosts", f"127.0.0.1:{cls.service.port}", "--bot-networks", "127.0.0.1",
                       "--bot-plain-http", "yes", "--bot-answer-timeout", f"{cls.answer_ms}ms", "--bot-file", file,
                       "--frames-per-second", "100000", "--frames-burst", "100000")
        super().setUpClass()

    async def against(self, url, **how):
        alice = await self.player()
        joined, state = await alice.create(seats=[None, bot(url)], **how)
        return alice, joined["match"], state

    def asked(self, path):
        return [(headers, body) for asked, headers, body in self.service.requests
                if asked.strip("/") == path]


class Services(WithService):

    async def test_it_is_asked_with_view_and_hints_and_its_answer_is_its_move(self):
        alice, match, state = await self.against(self.service.url("first"))
        self.assertTrue(state["players"][1]["bot"])
        self.assertFalse(state["rated"])
        await alice.expect("ready", match=match, seat=1)
        await alice.submit(match, 0)
        turn = await alice.expect("turn", match=match)
        self.assertIn("b1", str(turn["events"]))
        questions = [body for _, body in self.asked("first") if body.startswith(b'{"match":%d,' % match)]
        question = json.loads(questions[0])
        self.assertEqual(list(question), ["match", "turn", "seat", "view", "hints", "deadline_ms", "last"])
        self.assertEqual((question["turn"], question["seat"]), (0, 1))
        self.assertEqual(question["last"], {"verdicts": [], "latency_ms": 0, "error": None})
        self.assertLessEqual(question["deadline_ms"], self.answer_ms)
        self.assertIn(move("b1", 1, 1), question["hints"])

    async def test_every_way_to_misbehave_has_its_word_and_stops_nobody(self):
        async def one(path, word):
            alice, match, _ = await self.against(self.service.url(path))
            await alice.submit(match, 0, move("a1", 1, 2))
            failed = await alice.expect("bot_failed", match=match)
            self.assertEqual((failed["error"], failed["seat"], failed["turn"]), (word, 1, 0), path)
            turn = await alice.expect("turn", match=match, turn=1)
            self.assertEqual([(one["seat"], one["error"]) for one in turn["failures"]], [(1, word)], path)
            self.assertEqual(turn["failures"][0]["message"], failed["message"], path)
            # The next request reports it.
            while not any(body.startswith(b'{"match":%d,"turn":1,' % match)
                          for _, body in self.asked(path)):
                await asyncio.sleep(0.05)
            question = json.loads([body for _, body in self.asked(path)
                                   if body.startswith(b'{"match":%d,"turn":1,' % match)][0])
            self.assertEqual(question["last"]["error"], word, path)
            if word == "refused":
                self.assertEqual(question["last"]["verdicts"][0]["verdict"], "not_your_unit")

        async def others():
            """Two players continue meanwhile, and the daemon answers at once."""
            alice, bob, match = await self.pair(params={**PIKES, "turn_limit": 40})
            for turn in range(20):
                await self.play(alice, bob, match, turn, [], [])
        await asyncio.wait_for(asyncio.gather(others(), *[one(*case) for case in MISBEHAVIOUR]), TIME_LIMIT_S)

    async def test_an_answer_may_be_as_long_as_the_limit_and_of_any_type(self):
        for path in ("at_limit", "odd_type"):
            alice, match, _ = await self.against(self.service.url(path))
            await alice.submit(match, 0)
            await alice.expect("turn", match=match, turn=1)
            self.assertEqual(await alice.seen("bot_failed"), [])

    async def test_no_redirect_is_followed(self):
        alice, match, _ = await self.against(self.service.url("redirect"))
        self.assertEqual((await alice.expect("bot_failed", match=match))["error"], "http_status")
        self.assertEqual([body for _, body in self.asked("first") if body.startswith(b'{"match":%d,' % match)], [])

    async def test_a_bot_of_the_configuration_has_a_name_and_its_requests_are_signed(self):
        for name in ("signed", "plain"):
            alice = await self.player()
            joined, state = await alice.create(seats=[None, {"bot": {"name": name}}])
            await alice.expect("ready", match=joined["match"], seat=1)
            self.assertEqual(state["players"][1]["name"], name)
            headers, body = self.asked(f"first?{name}")[0]
            if name == "signed":
                self.assertEqual(headers["X-Skirmish-Signature"],
                                 signature(headers, body, SECRET.replace(" ", "_")))
                self.assertLess(abs(int(headers["X-Skirmish-Timestamp"]) - time.time()), 60)
            else:
                self.assertNotIn("X-Skirmish-Signature", headers)
            self.assertEqual(headers["X-Skirmish-Match"], str(joined["match"]))
        await alice.refused("not_allowed", "create", ruleset="tactics",
                            seats=[None, {"bot": {"name": "nobody"}}])

    async def test_a_service_that_may_not_be_called_is_refused_at_create(self):
        alice = await self.player()
        port = self.service.port
        for url in (f"http://127.0.0.1:{port + 1}/", f"http://localhost:{port}/", "https://example.org/",
                    f"ftp://127.0.0.1:{port}/", f"http://user:word@127.0.0.1:{port}/", "file:///etc/passwd",
                    f"http://127.0.0.1:{port}/#part", "nonsense", "http://", f"http://127.0.0.1:{port}/a b"):
            await alice.refused("not_allowed", "create", ruleset="tactics", seats=[None, bot(url)])

    async def test_a_service_that_fails_repeatedly_is_not_called_for_a_while(self):
        name = "status?breaker"
        alice, match, _ = await self.against(self.service.url(name), clock=None,
                                             params={**PIKES, "turn_limit": 1000})
        turn = 0

        async def fails(error):
            """Plays until the bot fails in this way."""
            nonlocal turn
            while True:
                failed = await alice.expect("bot_failed", match=match)
                if failed["error"] == error:
                    return
                if failed["turn"] == turn:
                    await alice.submit(match, turn)
                    await alice.expect("turn", turn=turn + 1)
                    turn += 1

        await fails("http_paused")
        count = len(self.asked(name))
        self.assertGreaterEqual(count, 10)
        until = time.monotonic() + TIME_LIMIT_S
        while len(self.asked(name)) == count and time.monotonic() < until:
            await alice.submit(match, turn)
            await alice.expect("turn", turn=turn + 1)
            turn += 1
            await asyncio.sleep(0.1)
        self.assertGreater(len(self.asked(name)), count, "it was not asked again after the pause")
        self.assertLess(len(self.asked(name)), 3 * turn, "it was asked in every turn")

    async def test_answers_are_counted(self):
        before = self.daemon.get("/metrics", port=self.daemon.metrics_port).body.decode()
        alice, match, _ = await self.against(self.service.url("list"))
        await alice.expect("bot_failed", match=match)
        after = self.daemon.get("/metrics", port=self.daemon.metrics_port).body.decode()

        def count(page):
            found = re.search(r'skirmish_bot_failures_total{error="bad_form"} (\d+)', page)
            return int(found.group(1)) if found else 0
        self.assertGreater(count(after), count(before))

    async def test_halma_tells_every_bad_answer_in_words_everywhere(self):
        """On the wire, in the record, in the database and in the terminal's replay, also in a cycle."""
        told = {
            "html": "The answer was not one JSON value (expected a value, at byte 0).",
            "two_moves": "The answer was not exactly one move.",
            "no_to": "The answer was JSON, but not of the form that was asked for (/to: this member is missing).",
            "status": "The status of the answer was not 200 (it was 500).",
            "slow": "No whole answer came in time.",
        }

        async def one(path, sentence):
            watcher = await self.player()
            joined = await watcher.get("joined", "create", ruleset="halma", cycle_ms=7000,
                                       params={"turn_limit": 1},
                                       seats=[{"bot": {"level": "greedy"}}, bot(self.service.url(path))])
            match = joined["match"]
            turn = await watcher.expect("turn", match=match, turn=1)
            self.assertEqual([failure["message"] for failure in turn["failures"]], [sentence])
            self.assertEqual(turn["events"][0], {"kind": "not_enacted", "seats": [1], "reasons": ["missing"]})
            self.assertEqual((await watcher.expect("bot_failed", match=match))["message"], sentence)
            await watcher.expect("over", match=match)
            rows = self.query("SELECT turn, seat, message FROM match_failure WHERE match = ?", match)
            self.assertEqual(rows[0], (0, 1, sentence))
            done = await asyncio.to_thread(subprocess.run, [
                SKIRMISH, "replay", str(match), "--database", self.daemon.database, "--turn", "0"],
                capture_output=True, text=True, timeout=TIME_LIMIT_S)
            self.assertIn(sentence, done.stdout, done.stderr)
        await asyncio.gather(*[one(*case) for case in told.items()])

    async def test_a_spectator_in_a_terminal_sees_why(self):
        alice, match, _ = await self.against(self.service.url("html"))
        watch = await asyncio.create_subprocess_exec(
            SKIRMISH, "watch", "--url", f"ws://127.0.0.1:{self.daemon.port}/", str(match),
            stdout=asyncio.subprocess.PIPE)

        async def read_until(words):
            text = b""
            while words not in text:
                line = await watch.stdout.readline()
                self.assertNotEqual(line, b"", text.decode())
                text += line
        await read_until(b"turn 0")
        await alice.submit(match, 0)
        await asyncio.wait_for(read_until(b": The answer was not one JSON value"), TIME_LIMIT_S)
        await alice.get("done", "resign", match=match, command_id="r")
        await asyncio.wait_for(watch.communicate(), TIME_LIMIT_S)
        self.assertEqual(watch.returncode, 0)

    async def test_once_the_match_is_over_nobody_is_asked(self):
        alice, match, _ = await self.against(self.service.url("first?over"))
        await alice.expect("ready", match=match, seat=1)
        await alice.get("done", "resign", match=match, command_id="r")
        await alice.expect("over", match=match)
        count = len(self.asked("first?over"))
        await asyncio.sleep(0.5)
        self.assertEqual(len(self.asked("first?over")), count)

    async def test_every_call_is_recorded_and_can_be_made_again(self):
        url = self.service.url("first?recorded")
        alice, match, _ = await self.against(url)
        for turn in range(3):
            await alice.submit(match, turn)
            await alice.expect("turn", match=match, turn=turn + 1)
        failing, other, _ = await self.against(self.service.url("html"))
        await failing.expect("bot_failed", match=other)
        rows = self.query("SELECT ruleset, turn, seat, bot, status, error, request, answer"
                          " FROM bot_call WHERE match = ? ORDER BY call", match)
        bad = ()
        while not bad:  # nobody waits until it is recorded
            await asyncio.sleep(0.05)
            bad = self.query("SELECT status, error, answer FROM bot_call WHERE match = ?", other)
        self.assertGreaterEqual(len(rows), 3)
        for turn, row in enumerate(rows[:3]):
            self.assertEqual(row[:6], ("tactics", turn, 1, "http:" + url, 200, None))
            self.assertEqual(json.loads(row[6])["turn"], turn)
            self.assertIn("commands", json.loads(row[7]))
        self.assertEqual(bad[0], (200, "not_json", "<html>It works!</html>"))
        count = len(self.asked("first?recorded"))
        done = await asyncio.to_thread(subprocess.run, [
            SKIRMISH, "bot", "replay", "--match", str(match), "--count", "2", "--database",
            self.daemon.database], capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 asked again, 2 with the same answer", done.stdout)
        self.assertEqual(len(self.asked("first?recorded")), count + 2)
        done = await asyncio.to_thread(subprocess.run, [
            SKIRMISH, "bot", "replay", "--match", str(match), "--count", "1", "--url",
            self.service.url("nothing"), "--database", self.daemon.database],
            capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertIn("1 asked again, 0 with the same answer", done.stdout)


class TooSlow(WithService):
    answer_ms = 700

    async def test_hundreds_of_calls_at_once_keep_nobody_waiting(self):
        watcher = await self.player()
        matches = []
        for _ in range(100):
            joined, _ = await watcher.create(params={**PIKES, "turn_limit": 3}, cycle_ms=None,
                                             seats=[bot(self.service.url("slow")),
                                                    bot(self.service.url("nothing"))])
            matches.append(joined["match"])
        began = time.monotonic()
        await watcher.get("pong", "ping")
        self.assertLess(time.monotonic() - began, TIME_LIMIT_S / 4)
        for match in matches:
            await watcher.expect("over", match=match)


class Addresses(Case):
    """A host that may be called has an address that may not."""

    @classmethod
    def setUpClass(cls):
        cls.service = cls.enterClassContext(Service())
        port = cls.service.port
        cls.options = ("--bot-hosts", "*", "--bot-plain-http", "yes", "--bot-answer-timeout", "2s")
        cls.port = port
        super().setUpClass()

    async def test_addresses_that_are_not_public_are_not_called_whatever_their_name(self):
        for host in ("localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1", "2130706433",
                     "0x7f000001", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1",
                     "[fe80::1]", "[fd00::1]", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]"):
            with self.subTest(host=host):
                alice = await self.player()
                joined, _ = await alice.create(seats=[None, bot(f"http://{host}:{self.port}/first")])
                failed = await alice.expect("bot_failed", match=joined["match"])
                self.assertEqual(failed["error"], "http_forbidden")
                await alice.get("done", "resign", match=joined["match"], command_id="r")
        self.assertEqual(self.service.requests, [])


class Encrypted(Case):
    """https with a certificate that the operator trusts; http is then refused."""

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.certificate, key = (os.path.join(cls.folder, name) for name in ("cert.pem", "key.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
                        cls.certificate], check=True, capture_output=True)
        cls.service = cls.enterClassContext(Service())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cls.certificate, key)
        cls.service.server.socket = context.wrap_socket(cls.service.server.socket, server_side=True)
        cls.options = ("--bot-hosts", "localhost", "--bot-networks", "127.0.0.1 ::1", "--bot-ca-file",
                       cls.certificate)
        super().setUpClass()

    async def test_a_certificate_that_is_trusted_is_needed(self):
        alice = await self.player()
        await alice.refused("not_allowed", "create", ruleset="tactics",
                            seats=[None, bot(f"http://localhost:{self.service.port}/first")])
        joined, _ = await alice.create(
            seats=[None, bot(f"https://localhost:{self.service.port}/first")])
        await alice.expect("ready", match=joined["match"], seat=1)

    async def test_without_it_nothing_is_sent(self):
        before = list(self.daemon.options)
        self.addCleanup(setattr, self.daemon, "options", before)
        self.daemon.options = [word for word in before
                               if word not in ("--bot-ca-file", self.certificate)]
        await self.restart()
        count = len(self.service.requests)
        alice = await self.player()
        joined, _ = await alice.create(
            seats=[None, bot(f"https://localhost:{self.service.port}/first")])
        failed = await alice.expect("bot_failed", match=joined["match"])
        self.assertEqual(failed["error"], "http_failed")
        self.assertEqual(len(self.service.requests), count)


class Examples(Case):
    """The halma players of tests/bots play each other."""

    params = {"turn_limit": 30}

    @classmethod
    def setUpClass(cls):
        cls.python = cls.enterClassContext(Example("halma.py"))
        cls.php = cls.enterClassContext(Example("halma.php"))
        cls.options = ("--bot-hosts", f"127.0.0.1:{cls.python.port}, 127.0.0.1:{cls.php.port}",
                       "--bot-networks", "127.0.0.1", "--bot-plain-http", "yes",
                       "--frames-per-second", "100000", "--frames-burst", "100000")
        super().setUpClass()

    async def play(self, count, cycle_ms, meanwhile=None):
        """So many matches, all at once; returns the ends."""
        watcher = await self.player()
        matches = []
        for number in range(count):
            seats = [bot(self.python.url), bot(self.php.url)]
            joined = await watcher.get("joined", "create", ruleset="halma", cycle_ms=cycle_ms,
                                       params=self.params, seats=seats[::1 - 2 * (number % 2)])
            matches.append(joined["match"])
        if meanwhile is not None:
            await meanwhile(watcher)
        ends = [await watcher.expect("over", match=match) for match in matches]
        verified = subprocess.run([SKIRMISH, "verify", "--all", "--database", self.daemon.database],
                                  capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        return ends


class Rules(Examples):

    async def test_they_play_by_the_rules(self):
        ends = await self.play(4, None)
        self.assertTrue({end["reason"] for end in ends} <= {"halmate", "draw_turn_limit"}, ends)


class Restarts(Examples):
    """With their own server, which then pauses calls to the service."""

    async def test_no_match_is_stuck_when_one_is_killed_and_comes_back(self):
        async def kill(watcher):
            await watcher.expect("turn", turn=5)
            self.php.kill()
            await watcher.expect("bot_failed", error="http_failed")
            await asyncio.sleep(0.3)
            self.php.start()
        ends = await self.play(4, 300, kill)
        self.assertTrue({end["reason"] for end in ends} <= {"halmate", "draw_turn_limit", "stalled"}, ends)


if __name__ == "__main__":
    unittest.main()
