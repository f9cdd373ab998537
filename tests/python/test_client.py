"""Client and Bot of the Python package, against the daemon and against a server that moves matches about."""

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
from unittest import mock

import package
from daemon import Daemon, SecureDaemon, make_certificate
from fake import WELCOME, Fake

from skirmish import Bot, Client, Refusal
from skirmish import client as client_module

TIME_LIMIT_S = 120
SMALL = {"rows": 4, "cols": 3, "placement": False, "start_rows": 1, "turn_limit": 12,
         "patterns": {"step": {"rows": [" x ", "x x", " x "]}},
         "models": {"pike": {"health": 10, "power": 10, "move": ["step"], "attack": ["step"]}},
         "units": [{"id": "a1", "model": "pike", "seat": 0, "at": [1, 3]},
                   {"id": "b1", "model": "pike", "seat": 1, "at": [1, 0]}]}


def first(_, hints):
    return hints[:1]


class Patient(unittest.IsolatedAsyncioTestCase):
    async def soon(self, work):
        return await asyncio.wait_for(work, TIME_LIMIT_S)


class WithDaemon(Patient):
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(*cls.options)
        cls.addClassCleanup(cls.daemon.__exit__, None, None, None)
        cls.daemon.wait_until_ready()

    async def client(self, **how):
        client = Client(self.daemon.url(), **how)
        self.addAsyncCleanup(client.close)
        await self.soon(client.open())
        return client

    async def pair(self, ruleset, params=None, **how):
        """Two clients in one match."""
        a, b = await self.client(**how), await self.client(**how)
        one = await self.soon(a.create(ruleset, params, clock=None))
        other = await self.soon(b.join(one.number))
        return a, one, b, other


class ClientTest(WithDaemon):
    options = ("--frames-per-second", "1000", "--frames-burst", "1000")

    async def test_a_function_plays_every_ruleset_against_a_bot(self):
        for ruleset, params in (("tactics", {"turn_limit": 6}), ("halma", {"turn_limit": 6}),
                                ("racers", {"turn_limit": 20}),
                                ("snarl", {"heroes": ["ada", "bob"], "round_limit": 4})):
            chance = random.Random(5)
            client = await self.client(on_turn=lambda view, hints: [chance.choice(hints)] if hints else [])
            match = await self.soon(client.create(ruleset, params, against="random"))
            over = await self.soon(match.result)
            self.assertIn("reason", over, ruleset)
            self.assertEqual(match.ruleset, ruleset)

    async def test_the_queue_pairs_two_and_on_turn_may_be_a_coroutine(self):
        seen = []

        async def on_turn(view, hints):
            seen.append((view["seat"], view["turn"], view.match.ruleset, view.match.params["turn_limit"]))
            await asyncio.sleep(0)
            return hints[:1]

        a, b = await self.client(on_turn=on_turn), await self.client(on_turn=on_turn)
        found = await self.soon(asyncio.gather(a.queue("tactics", SMALL), b.queue("tactics", SMALL)))
        await self.soon(asyncio.gather(*(match.result for match in found)))
        self.assertEqual(found[0].number, found[1].number)
        self.assertEqual({seat for seat, *_ in seen}, {0, 1})
        self.assertIn((0, 0, "tactics", 12), seen)
        self.assertEqual(len(seen), len(set(seen)), "a turn was asked for twice")

    async def test_a_match_goes_on_after_the_server_was_killed(self):
        turns = []

        async def slowly(view, hints):
            turns.append(view["turn"])
            await asyncio.sleep(0.02)
            return hints[:1]

        _, one, _, other = await self.pair("halma", {"turn_limit": 40}, on_turn=slowly)
        for count in (6, 20):
            while len(turns) < count:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(self.daemon.restart)
        await self.soon(asyncio.gather(one.result, other.result))
        self.assertEqual(turns[-1], 39)

    async def test_a_queue_is_joined_again_after_the_server_was_killed(self):
        a = await self.client(on_turn=first)
        waiting = asyncio.ensure_future(a.queue("racers", {"turn_limit": 4}))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(self.daemon.restart)
        b = await self.client(on_turn=first)
        found = await self.soon(asyncio.gather(waiting, b.queue("racers", {"turn_limit": 4})))
        self.assertEqual(found[0].number, found[1].number)

    async def test_a_program_that_was_started_again_continues_its_match(self):
        a, one, b, other = await self.pair("tactics", SMALL)
        token = a.token
        await a.close()
        a = await self.client(token=token, on_turn=first)
        again = await self.soon(a.join(one.number))
        self.assertEqual(again.seat, one.seat)
        b.on_turn = first
        b._consider(other)
        await self.soon(asyncio.gather(again.result, other.result))

    async def test_refused_commands_are_asked_for_again_and_then_replaced(self):
        asked = []

        def stubborn(view, hints):
            asked.append((view["turn"], [verdict["verdict"] for verdict in view.match.verdicts]))
            return [{"kind": "move", "unit": hints[0]["unit"], "target": [99, 99]}]

        with self.assertLogs("skirmish", "WARNING"):
            _, one, _, other = await self.pair("tactics", {**SMALL, "turn_limit": 2}, on_turn=stubborn)
            await self.soon(asyncio.gather(one.result, other.result))
        self.assertEqual([turn for turn, _ in asked].count(0), 6)
        self.assertIn((0, ["out_of_bounds"]), asked)

    async def test_an_error_in_on_turn_is_raised(self):
        def broken(view, hints):
            raise KeyError("oops")

        client = await self.client(on_turn=broken)
        match = await self.soon(client.create("tactics", SMALL, against="random"))
        with self.assertRaises(KeyError):
            await self.soon(match.result)

    async def test_draws_are_answered(self):
        for accept, reason in ((False, "resignation"), (True, "draw_agreed")):
            a, one, b, other = await self.pair("tactics", SMALL, on_draw=lambda view, yes=accept: yes)
            answers = []
            a.on("draw", answers.append)
            await self.soon(a.request("offer_draw", match=one.number))
            while not accept and [frame["offer"] for frame in answers] != ["made", "declined"]:
                await asyncio.sleep(0.01)
            if not accept:
                await self.soon(a.resign(one))
            self.assertEqual((await self.soon(other.result))["reason"], reason)
            self.assertEqual(other.has_won, not accept)

    async def test_what_the_server_refuses_is_raised(self):
        client = await self.client(name="taken")
        with self.assertRaises(Refusal) as caught:
            await self.client(name="TAKEN")
        self.assertEqual(caught.exception.code, "name_taken")
        for code, work in (("unknown_ruleset", client.create("chess")), ("unknown_match", client.join(999999)),
                           ("invalid_params", client.create("halma", {"size": 9})),
                           ("malformed", client.request("nonsense"))):
            with self.assertRaises(Refusal) as caught:
                await self.soon(work)
            self.assertEqual(caught.exception.code, code)


class SlowServer(WithDaemon):
    options = ("--frames-per-second", "20", "--frames-burst", "5")

    async def test_it_sends_no_faster_than_the_server_reads(self):
        client = await self.client()
        errors = []
        client.on("error", errors.append)
        await self.soon(asyncio.gather(*(client.request("ping") for _ in range(30))))
        self.assertEqual(errors, [])

    async def test_without_that_the_server_refuses_and_the_frames_are_repeated(self):
        with mock.patch.object(client_module._Pace, "wait_s", lambda pace: 0.0):
            client = await self.client()
            errors = []
            client.on("error", errors.append)
            await self.soon(asyncio.gather(*(client.request("ping") for _ in range(15))))
        self.assertEqual({error["code"] for error in errors}, {"rate_limited"})


class Secure(Patient):
    async def test_it_plays_over_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = make_certificate(folder, "good")
            with SecureDaemon(certificate, key) as daemon:
                async with Client(daemon.url(), on_turn=first, ssl=daemon.context) as client:
                    match = await self.soon(client.create("tactics", SMALL, against="random"))
                    await self.soon(match.result)
                with self.assertRaises(Refusal):  # a certificate that nobody knows
                    await self.soon(Client(daemon.url(), retries_max=0).open())


class ManyNodes(Patient):
    """A match that moves between the nodes of a server: /, /n/one/ and /n/two/."""

    async def follow(self, places, **how):
        """`places(path, frame)` is the path that a frame about the match is sent to; None: it is here."""
        heard = []

        async def talk(peer):
            await peer.welcome()
            while True:
                frame = await peer.hear()
                heard.append((peer.path, frame["type"]))
                path = places(peer.path, frame) if "match" in frame else None
                if path is not None:
                    peer.tell(type="moved", id=frame["id"], match=frame["match"], path=path)
                elif frame["type"] == "resume":
                    peer.tell(type="done", id=frame["id"])
                else:
                    peer.tell(type="accepted", id=frame["id"], match=7, turn=0, command_id="c", verdicts=[], ready=True)

        fake = await self.enterAsyncContext(Fake(talk))
        client = Client(fake.url, **how)
        self.addAsyncCleanup(client.close)
        await self.soon(client.open())
        return client, heard

    async def test_it_goes_where_moved_says(self):
        client, heard = await self.follow(lambda path, frame: {"/": "/n/one/", "/n/one/": "/n/two/"}.get(path))
        await self.soon(client.request("submit", match=7, turn=0, commands=[], command_id="c"))
        self.assertEqual(heard, [("/", "submit"), ("/n/one/", "submit"), ("/n/two/", "submit")])
        await self.soon(client.request("ping"))
        self.assertEqual(heard[-1], ("/", "ping"))

    async def test_a_followed_match_is_resumed_there(self):
        client, heard = await self.follow(lambda path, frame: "/n/one/" if path == "/" else None)
        client._follow(7)
        await self.soon(client.request("submit", match=7, turn=0, commands=[], command_id="c"))
        while ("/n/one/", "resume") not in heard:
            await asyncio.sleep(0.01)

    async def test_it_does_not_go_to_another_server(self):
        client, heard = await self.follow(lambda path, frame: "//evil.example/")
        with self.assertRaises(Refusal) as caught:
            await self.soon(client.request("submit", match=7, turn=0, commands=[], command_id="c"))
        self.assertEqual(caught.exception.code, "moved")
        self.assertEqual(len(heard), 1)

    async def test_it_does_not_run_in_circles(self):
        with mock.patch.object(client_module, "MOVE_PAUSE_S", 0.01), mock.patch.object(client_module, "MOVES_MAX", 5):
            client, heard = await self.follow(lambda path, frame: "/n/two/" if path == "/n/one/" else "/n/one/")
            with self.assertRaises(Refusal) as caught:
                await self.soon(client.request("submit", match=7, turn=0, commands=[], command_id="c"))
        self.assertEqual(caught.exception.code, "moved")
        self.assertEqual(len(heard), 6)

    async def test_busy_is_waited_for(self):
        tries = []

        async def talk(peer):
            await peer.welcome()
            while True:
                frame = await peer.hear()
                tries.append(frame)
                if len(tries) < 3:
                    peer.tell(type="error", id=frame["id"], code="busy", message="later", retry_ms=10)
                else:
                    peer.tell(type="pong", id=frame["id"], time_ms=1)

        async with Fake(talk) as fake:
            async with Client(fake.url) as client:
                self.assertEqual((await self.soon(client.request("ping")))["type"], "pong")
        self.assertEqual(len(tries), 3)

    async def test_what_may_have_been_done_is_not_repeated(self):
        heard = []

        async def talk(peer):
            await peer.welcome()
            heard.append((await peer.hear())["type"])
            peer.writer.close()

        async with Fake(talk) as fake:
            async with Client(fake.url) as client:
                with self.assertRaises(Refusal) as caught:
                    await self.soon(client.request("create", ruleset="tactics"))
        self.assertEqual((caught.exception.code, heard), ("connection_lost", ["create"]))


class Outage(Patient):
    """A store that fails for longer than any number of tries."""

    FAILS = 20

    def talk(self, heard, fails=FAILS, loses_create=False, lost=0):
        """A match of one turn; the player has an older one.

        Each kind of frame is refused so often; the first `create` may be done and lost, or so many not done.
        """
        state = {"type": "state", "match": 7, "seq": 1, "seat": 0, "ruleset": "tactics", "version": 1, "params": {},
                 "status": "running", "offer": None, "view": {"turn": 0},
                 "turn_open": {"turn": 0, "owing": [0], "ready": []}}
        answers = {"hello": [WELCOME], "create": [{"type": "joined", "match": 7, "seat": 0}, state],
                   "resume": [state, {"type": "done"}],
                   "hints": [{"type": "hints", "match": 7, "turn": 0, "commands": [{"kind": "x"}]}],
                   "submit": [{"type": "accepted", "match": 7, "turn": 0, "command_id": "c", "verdicts": [],
                               "ready": True}, {"type": "over", "match": 7, "seq": 2, "winner": 0, "reason": "r"}]}

        async def talk(peer):
            await peer.shake_hands()
            while True:
                frame = await peer.hear()
                kind = frame["type"]
                heard.append(kind)
                if heard.count(kind) <= fails:
                    peer.tell(type="error", id=frame["id"], code="store_unavailable", message="later", retry_ms=1)
                is_lost = kind == "create" and loses_create and heard.count(kind) == 1
                if is_lost or (heard.count(kind) <= fails and kind == "hello"):
                    return
                if heard.count(kind) > fails:
                    rows = [{"id": number} for number in (7, 3) if number == 3 or heard.count("create") > lost]
                    for answer in answers.get(kind, [{"type": "matches", "matches": rows}]):
                        peer.tell(**answer, **({"id": frame["id"]} if "seq" not in answer else {}))

        return talk

    async def test_a_bot_waits_until_the_store_is_back(self):
        heard = []
        async with Fake(self.talk(heard)) as fake:
            played = await self.soon(Bot(first, "tactics").play(fake.url, against="random"))
        self.assertEqual([match.has_won for match in played], [True])
        for kind in ("hello", "create", "hints", "submit"):
            self.assertEqual(heard.count(kind), self.FAILS + 1, kind)

    async def test_an_answer_that_takes_long_is_waited_for(self):
        async def talk(peer):
            await peer.welcome()
            frame = await peer.hear("list")
            await asyncio.sleep(0.5)
            peer.tell(type="matches", id=frame["id"], matches=[])

        async with Fake(talk) as fake:
            async with Client(fake.url, timeout_s=0.1, patient=True) as client:
                self.assertEqual((await self.soon(client.request("list")))["matches"], [])
            async with Client(fake.url, timeout_s=0.1) as client:
                with self.assertRaises(Refusal) as caught:
                    await self.soon(client.request("list"))
        self.assertEqual(caught.exception.code, "timeout")

    async def test_a_client_that_is_not_patient_raises(self):
        async with Fake(self.talk([])) as fake:
            with self.assertRaises(Refusal) as caught:
                await self.soon(Client(fake.url).open())
        self.assertEqual(caught.exception.code, "store_unavailable")

    async def test_a_match_that_was_created_as_the_connection_broke_is_played(self):
        heard = []
        async with Fake(self.talk(heard, fails=0, loses_create=True)) as fake:
            played = await self.soon(Bot(first, "tactics").play(fake.url, against="random"))
        self.assertEqual([match.has_won for match in played], [True])
        self.assertEqual(heard, ["hello", "list", "create", "hello", "list", "resume", "hints", "submit"])

    async def test_an_older_match_is_not_taken_for_the_one_that_was_not_created(self):
        heard = []
        async with Fake(self.talk(heard, fails=0, loses_create=True, lost=1)) as fake:
            played = await self.soon(Bot(first, "tactics").play(fake.url, against="random"))
        self.assertEqual([match.number for match in played], [7])
        self.assertEqual(heard, ["hello", "list", "create", "hello", "list", "create", "hints", "submit"])

    async def test_a_client_that_is_not_patient_gives_up_coming_back(self):
        heard = []

        async def talk(peer):
            await peer.shake_hands()
            frame = await peer.hear("hello")
            heard.append(frame)
            if len(heard) == 1:
                peer.tell(**WELCOME, id=frame["id"])
            else:
                peer.tell(type="error", id=frame["id"], code="store_unavailable", message="later", retry_ms=1)

        async with Fake(talk) as fake:
            async with Client(fake.url, retries_max=3) as client:
                with self.assertRaises(Refusal) as caught:
                    while True:
                        await self.soon(client.request("list"))
        self.assertEqual((caught.exception.code, len(heard)), ("store_unavailable", 5))


class Service(Patient):
    """A bot as a web service."""

    def serve(self, bot, **how):
        server = bot.service(**how)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_address[1]

    @staticmethod
    def post(port, body, **headers):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=TIME_LIMIT_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    async def test_the_server_plays_with_it(self):
        port = self.serve(Bot(first, "tactics"))
        with Daemon("--bot-hosts", f"127.0.0.1:{port}", "--bot-networks", "127.0.0.1", "--bot-plain-http", "yes") as it:
            async with Client(it.url(), on_turn=first) as client:
                failures = []
                client.on("bot_failed", failures.append)
                match = await self.soon(client.create(
                    "tactics", SMALL, against={"bot": {"http": f"http://127.0.0.1:{port}/"}}))
                self.assertIn("reason", await self.soon(match.result))
                self.assertEqual(failures, [])

    def test_it_answers_questions_and_refuses_nonsense(self):
        question = {"match": 1, "turn": 4, "seat": 1, "view": {"turn": 4}, "hints": [{"kind": "x"}], "deadline_ms": 10,
                    "last": {"verdicts": [{"verdict": "ok"}], "latency_ms": 1, "error": None}}
        seen = []

        def on_turn(view, hints):
            seen.append((view, view.match.number, view.match.seat, view.match.ruleset, view.match.verdicts))
            return hints

        port = self.serve(Bot(on_turn, "tactics", "halma"))
        body = json.dumps(question).encode()
        self.assertEqual(self.post(port, body, **{"X-Skirmish-Ruleset": "tactics"}),
                         (200, {"commands": [{"kind": "x"}]}))
        self.assertEqual(seen, [({"turn": 4}, 1, 1, "tactics", [{"verdict": "ok"}])])
        self.assertEqual(self.post(port, b'{"boardSize":3}'), (200, []))
        for wrong in (b"{", b"[]", b'{"view":{}}'):
            self.assertEqual(self.post(port, wrong)[0], 400)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=TIME_LIMIT_S) as answer:
            self.assertEqual(json.load(answer), {"rulesets": ["tactics", "halma"]})

    def test_a_bot_that_fails_is_a_500_and_a_wrong_signature_a_403(self):
        def broken(view, hints):
            raise KeyError("oops")

        port = self.serve(Bot(broken, "tactics"))
        with self.assertLogs("skirmish", "ERROR"):
            self.assertEqual(self.post(port, b'{"view":{},"hints":[]}')[0], 500)
        port = self.serve(Bot(first, "tactics"), secret="s")
        self.assertEqual(self.post(port, b'{"view":{},"hints":[]}')[0], 403)


class Program(WithDaemon):
    """A bot's file, run from the command line."""

    def run_bot(self, *arguments):
        code = "from skirmish import Bot; Bot(lambda view, hints: hints[:1], 'tactics').run()"
        return subprocess.run([sys.executable, "-c", code, *arguments], env={"PYTHONPATH": package.PACKAGE},
                              capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)

    def test_it_plays_and_says_how_it_went(self):
        done = self.run_bot("--url", self.daemon.url(), "--against", "random", "--games", "2", "--params",
                            json.dumps(SMALL), "--token-file", self.daemon.path("token"))
        self.assertRegex(done.stdout, r"(?s)match \d+: seat 0\nmatch \d+: (won|lost|nobody won) \(\w+\).*won \d of 2")
        done = self.run_bot("--url", self.daemon.url(), "--join", "999999", "--token-file", self.daemon.path("token"))
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertIn("unknown_match", done.stderr)
        self.assertEqual(self.run_bot("--rulesets").stdout, "tactics\n")


if __name__ == "__main__":
    unittest.main()
