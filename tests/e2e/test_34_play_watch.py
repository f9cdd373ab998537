"""`skirmish play` and `skirmish watch`: a person in a terminal, here one who types into a pipe."""

import asyncio
import contextlib
import json
import os
import signal

import websockets

from client import Case, attack, move
from daemon import PROGRAM, SANITIZER, TIME_LIMIT_S

SKIRMISH = os.environ.get("SKIRMISH", os.path.join(os.path.dirname(PROGRAM), "skirmish"))
MATCHES = {
    "tactics": {}, "halma": {}, "racers": {},
    "snarl": {"mode": "versus", "heroes": ["ada", "bob"]},
}


class Terminal:
    """One run of the program."""

    def __init__(self, process):
        self.process = process

    async def until(self, words):
        """What it prints up to these words."""
        text = await asyncio.wait_for(self.process.stdout.readuntil(words.encode()), TIME_LIMIT_S)
        return text.decode()

    async def type(self, *lines):
        """Types each line at a prompt; returns what was shown last before the prompt."""
        shown = ""
        for line in lines:
            shown = await self.until("> ")
            self.process.stdin.write(line.encode() + b"\n")
            await self.process.stdin.drain()
        return shown

    async def end(self):
        """Ends its input; (exit status, the rest of its output, complaints)."""
        self.process.stdin.close()  # communicate() does so since Python 3.12 only
        out, err = await asyncio.wait_for(self.process.communicate(), TIME_LIMIT_S)
        assert not SANITIZER.search(err.decode()), err.decode()
        return self.process.returncode, out.decode(), err.decode()


class Terminals:
    """For tests that run the program."""

    async def run_program(self, *arguments, url=True, environment=None):
        where = ("--url", self.daemon.url()) if url else ()
        process = await asyncio.create_subprocess_exec(
            SKIRMISH, *arguments, *where, stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, limit=1 << 24,
            env={**os.environ, **(environment or {})})

        async def stop():
            if process.returncode is None:
                process.kill()
                await process.communicate()

        self.addAsyncCleanup(stop)
        return Terminal(process)


class PlayAndWatch(Terminals, Case):
    async def test_a_person_can_practise_against_a_bot_in_every_ruleset(self):
        self.assertEqual(set(MATCHES), set(self.schemas.rulesets))
        for ruleset, params in MATCHES.items():
            with self.subTest(ruleset=ruleset):
                player = await self.run_program("play", "--ruleset", ruleset, "--against", "greedy",
                                                "--params", json.dumps(params))
                for _ in range(2):
                    choices = await player.type("all", "1")
                    self.assertIn("    1  ", choices)
                    if ruleset in ("tactics", "halma"):
                        self.assertIn("chosen: ", await player.type("send"))
                await player.type("resign")
                code, out, err = await player.end()
                self.assertEqual(code, 0, out + err)
                self.assertIn("greedy bot wins: resignation", out)
        self.assertEqual(self.query("SELECT count(*) FROM match_command WHERE verdict NOT IN "
                                    "('ok', 'bounced', 'match_over')"), [(0,)])

    async def test_two_people_play_and_a_third_watches(self):
        alice = await self.player("alice")
        joined, _ = await alice.create()
        match = joined["match"]
        player = await self.run_program("play", "--join", str(match), "--name", "Terminal")
        watcher = await self.run_program("watch", str(match))
        await watcher.until(f"match {match}, tactics")
        board = await player.type("b1")
        self.assertIn("Terminal (you, seat 1)", board)
        targets = await player.type("2")
        self.assertIn("*", targets)
        self.assertRegex(targets, r"2  move Pike b1 \d,\d")
        await player.type("send")
        await player.until("sent")
        await alice.submit(match, 0, move("a1", 1, 2))
        self.assertIn("Pike a1 moves from 1,3 to 1,2", await player.type("clear"))
        await player.until("> ")
        await alice.ask("resign", match=match, command_id="r")
        for terminal in (player, watcher):
            code, out, err = await terminal.end()
            self.assertEqual(code, 0, out + err)
            self.assertIn("Terminal wins: resignation", out)

    async def test_watching_leaves_no_player_and_goes_on_after_a_restart(self):
        alice = await self.player("alice")
        joined, _ = await alice.create(visibility="private", seats=[None, {"bot": {"level": "random"}}])
        match = joined["match"]
        players = self.query("SELECT count(*) FROM player")
        tokens = self.daemon.path("config")
        watcher = await self.run_program("watch", str(match), "--code", joined["code"],
                                         environment={"XDG_CONFIG_HOME": tokens, "HOME": tokens})
        await watcher.until(f"match {match}, tactics")
        await self.restart()
        [alice] = await self.back(alice)
        await alice.get("state", "resume", match=match, seq=0)
        await alice.submit(match, 0, move("a1", 1, 2))
        await watcher.until("Pike a1 moves from 1,3 to 1,2")
        await alice.get("done", "resign", match=match, command_id="r")
        code, out, err = await watcher.end()
        self.assertEqual(code, 0, out + err)
        self.assertIn("random bot wins: resignation", out)
        self.assertEqual(self.query("SELECT count(*) FROM player"), players)
        self.assertFalse(os.path.exists(tokens))

    async def terminal_and_alice(self, **settings):
        """A person who uses the program as seat 1, and the other player."""
        alice = await self.player("alice")
        joined, _ = await alice.create(**settings)
        return await self.run_program("play", "--join", str(joined["match"]), "--name", f"T{joined['match']}"), \
            alice, joined["match"]

    async def test_what_is_not_understood_changes_nothing_and_sends_nothing(self):
        player, alice, match = await self.terminal_and_alice()
        self.assertIn("chosen: move Pike b1 1,1", await player.type("b1 move 1,1", "foo"))
        for line, words in (("b9", "foo: there is no such choice"), ("b1 9,9", "b9: there is no such choice"),
                            ("send now", "b1 9,9: there is no such choice"), ("77", "send now: there is no such"),
                            ("help", "77: there is no such choice"), ("", "a1 3,4 "), ("send", "chosen: ")):
            shown = await player.type(line)
            self.assertIn(words, shown)
            self.assertLessEqual(max(map(len, shown.splitlines())), 80)
            if line not in ("", "help"):
                self.assertIn("chosen: move Pike b1 1,1", shown)
        await player.until("sent")
        await alice.submit(match, 0)
        await alice.expect("turn", turn=1)
        self.assertEqual(self.query("SELECT seat, kind, unit, x, y FROM match_command WHERE match = ?", match),
                         [(1, "move", "b1", 1, 1)])

    async def test_an_empty_turn_is_sent_only_by_pass(self):
        player, alice, match = await self.terminal_and_alice()
        self.assertIn("nothing is chosen yet; pass submits", await player.type("send", "pass"))
        await player.until("sent")
        await alice.submit(match, 0)
        await alice.expect("turn", turn=1)

    async def test_a_unit_and_a_cell_choose_at_once_and_the_plan_is_on_the_board(self):
        player, _, _ = await self.terminal_and_alice()
        self.assertRegex(await player.type("b1 1,1", "1,1 attack b1"), r"\n1   \. >b1   \. ")
        self.assertRegex(await player.type("clear"), r"\n1   \.   !   \. ")
        self.assertNotIn("  !  ", await player.type("b1 move 0,0"))
        listed = await player.type("b1")
        self.assertRegex(listed, r"\n0 >b1  b1 ")
        self.assertIn("* target, >a1 planned, !b1 attacked", listed)
        self.assertRegex(await player.type("quit"), r"   \d\* move Pike b1 0,0")

    async def test_the_placement_is_named(self):
        player, _, _ = await self.terminal_and_alice(params={"placement": True})
        shown = await player.type("quit")
        self.assertIn("   placement phase\n", shown)
        self.assertIn("Place your units", shown)

    async def test_time_is_in_the_prompt_and_its_end_is_said(self):
        player, alice, match = await self.terminal_and_alice(clock={"turn_ms": 8000, "bank_ms": 0})
        self.assertRegex(await player.until("> "), r"\[ 0:0\d\] > $")
        await alice.submit(match, 0)
        self.assertIn("Your time ran out", await player.until("> "))
        player.process.stdin.write(b"quit\n")

    async def test_a_page_fits_a_terminal_and_keeps_its_board(self):
        for ruleset, params in MATCHES.items():
            with self.subTest(ruleset=ruleset):
                player = await self.run_program("play", "--ruleset", ruleset, "--against", "random", "--params",
                                                json.dumps(params), environment={"COLUMNS": "80", "LINES": "24"})
                first = await player.type("all", "more")
                self.assertIn(f", {ruleset}: ", first)
                for shown in (first, await player.type("quit")):
                    lines = shown.splitlines()
                    self.assertLessEqual(len(lines), 24, shown)
                    self.assertLessEqual(max(map(len, lines)), 80, shown)
                self.assertEqual((await player.end())[0], 0)

    async def test_a_board_that_is_too_large_is_shown_in_part(self):
        player = await self.run_program("play", "--ruleset", "racers", "--against", "random", "--params",
                                        '{"rows":64,"cols":64}', environment={"COLUMNS": "80", "LINES": "24"})
        shown = await player.type("quit")
        self.assertIn("part of the board: columns 0 to ", shown)
        self.assertIn("rows 46 to 63 of 64", shown)
        self.assertRegex(shown, r"(?m)^63 +A ")

    async def test_what_is_over_is_shown_and_that_is_all(self):
        alice, bob, match = await self.pair()
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [move("b1", 1, 1)])
        await self.play(alice, bob, match, 1, [attack("a1", 1, 1)], [])
        await alice.expect("over")
        code, out, err = await (await self.run_program("watch", str(match))).end()
        self.assertEqual(code, 0, err)
        self.assertRegex(out, r"alice-\d+ wins: eliminated")

    async def test_the_end_of_the_input_ends_the_program(self):
        player = await self.run_program("play", "--ruleset", "halma", "--against", "random")
        await player.until("> ")
        code, _, err = await player.end()
        self.assertEqual((code, err), (0, ""))

    async def end_before_an_answer(self, player):
        """Ends the input while the server is stopped, and then lets it answer."""
        player.process.stdin.close()
        with self.assertRaises(asyncio.TimeoutError, msg="it ended without an answer"):
            await asyncio.wait_for(player.process.wait(), 1)
        self.daemon.process.send_signal(signal.SIGCONT)
        return await player.end()

    async def test_the_end_of_the_input_waits_for_what_was_asked(self):
        self.addCleanup(lambda: self.daemon.process.send_signal(signal.SIGCONT))
        self.daemon.process.send_signal(signal.SIGSTOP)
        code, out, err = await self.end_before_an_answer(await self.run_program("play", "--match", "999999"))
        self.assertEqual(code, 1, out + err)
        self.assertIn("no such match", err)
        player, _, _ = await self.terminal_and_alice()
        await player.until("> ")
        self.daemon.process.send_signal(signal.SIGSTOP)
        player.process.stdin.write(b"pass\n")
        code, out, err = await self.end_before_an_answer(player)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("sent; waiting for the others", out)

    async def test_the_end_of_the_input_waits_for_nothing_that_was_lost(self):
        player, _, _ = await self.terminal_and_alice()
        await player.until("> ")
        with self.daemon.down(), self.assertRaises(asyncio.TimeoutError, msg="it did not try to connect again"):
            await asyncio.wait_for(player.process.wait(), 2)
        player.process.stdin.write(b"pass\n")  # most likely while it waits for its next try
        code, _, err = await player.end()
        self.assertEqual((code, err), (0, ""))

    async def test_a_turn_typed_while_there_is_no_connection_is_sent_when_there_is_one(self):
        player, alice, match = await self.terminal_and_alice()
        await player.until("> ")
        with self.daemon.down():
            said = None
            while said is None:  # it may not have noticed yet
                player.process.stdin.write(b"pass\n")
                with contextlib.suppress(asyncio.TimeoutError):
                    said = await asyncio.wait_for(player.process.stdout.readuntil(
                        b"there is no connection: your orders are sent as soon as there is one"), 1)
        await player.until("sent; waiting for the others")
        alice = await self.again(alice)
        await alice.get("state", "resume", match=match, seq=0)
        await alice.submit(match, 0)
        self.assertEqual((await alice.expect("turn", match=match))["turn"], 1)

    async def play_on(self, serve):
        """A person who uses the program and joins match 1; `serve` is the server."""
        async def served(socket, *_):
            with contextlib.suppress(websockets.ConnectionClosed):
                await serve(socket)

        server = await websockets.serve(served, "127.0.0.1", 0, subprotocols=["skirmish.v1"], ping_interval=None)
        self.addAsyncCleanup(server.wait_closed)
        self.addCleanup(server.close)
        port = server.sockets[0].getsockname()[1]
        return await self.run_program("play", "--join", "1", "--name", "t", "--token-file",
                                      self.daemon.path(f"tokens-{port}"), "--url", f"ws://127.0.0.1:{port}/",
                                      url=False)

    async def frames_for(self):
        """The frames `welcome` and `state`, of a match in which the other seat has to move."""
        alice, _, match = await self.pair()
        state = await alice.get("state", "resume", match=match, seq=0)
        del state["id"]
        state["turn_open"]["owing"] = [1]
        return {"type": "welcome", "protocol": 1, "player": 1, "name": "t", "token": "t" * 64, "bot": False,
                "server": "x", "time_ms": 0, "frames_per_second": 50, "frames_burst": 3}, state

    async def test_no_more_is_sent_than_the_server_may_hear_at_once(self):
        welcome, state = await self.frames_for()
        heard, answers = [], asyncio.Event()

        async def answer(socket, number):
            await answers.wait()
            await socket.send(json.dumps({"type": "done", "id": number}))

        async def serve(socket):
            async for text in socket:
                frame = json.loads(text)
                if frame["type"] == "hello":
                    await socket.send(json.dumps({**welcome, "id": frame["id"]}))
                else:
                    heard.append(asyncio.create_task(answer(socket, frame["id"])))
                if frame["type"] == "join":
                    await socket.send(json.dumps(state))

        player = await self.play_on(serve)
        await player.until("(waiting for the others)")
        player.process.stdin.write(b"resign\n" * 9)
        async with asyncio.timeout(TIME_LIMIT_S):
            while len(heard) < 3:
                await asyncio.sleep(0.05)
        await asyncio.sleep(2)  # by the time alone, a hundred more
        self.assertEqual(len(heard), 3)
        answers.set()
        async with asyncio.timeout(TIME_LIMIT_S):
            while len(heard) < 10:
                await asyncio.sleep(0.05)
        self.assertEqual((await player.end())[0], 0)

    async def test_what_is_typed_before_the_welcome_is_sent_once_and_after_it(self):
        welcome, state = await self.frames_for()
        heard, hears, may_welcome = [], asyncio.Condition(), [asyncio.Event(), asyncio.Event()]
        may_welcome[0].set()

        async def serve(socket):
            async for text in socket:
                frame = json.loads(text)
                async with hears:
                    heard.append(frame["type"])
                    hears.notify_all()
                if frame["type"] == "hello":
                    await may_welcome[heard.count("hello") - 1].wait()
                    await socket.send(json.dumps({**welcome, "id": frame["id"]}))
                else:
                    await socket.send(json.dumps({"type": "done", "id": frame["id"]}))
                if frame["type"] == "join":
                    await socket.send(json.dumps(state))
                    break

        async def heard_last(kind):
            async with asyncio.timeout(TIME_LIMIT_S), hears:
                await hears.wait_for(lambda: heard[-1:] == [kind])

        player = await self.play_on(serve)
        await player.until("(waiting for the others)")
        await heard_last("hello")
        player.process.stdin.write(b"resign\n")
        await player.until("your orders are sent as soon as there is one")
        may_welcome[1].set()
        await heard_last("resign")
        self.assertEqual((await player.end())[0], 0)
        self.assertEqual(heard, ["hello", "join", "hello", "resume", "resign", "ping"])

    async def test_there_is_nothing_to_resign_before_there_is_a_match(self):
        player = await self.run_program("play", "--ruleset", "racers")
        await player.until("waiting for somebody who wants to play")
        player.process.stdin.write(b"resign\n")
        await player.until("(there is no match yet)")
        code, _, err = await player.end()
        self.assertEqual((code, err), (0, ""))

    async def test_what_is_wrong_is_said(self):
        _, _, match = await self.pair()
        for status, words, arguments in (
                (1, "no match to continue", ("play", "--token-file", self.daemon.path("no-tokens"))),
                (1, "has no seat in this match", ("play", "--match", str(match))),
                (2, "takes one of --ruleset, --join", ("play", "--against", "greedy")),
                (2, "takes one of --ruleset, --join", ("play", "--join", "1", "--create")),
                (2, "there is no ruleset: chess", ("play", "--ruleset", "chess")),
                (2, "random, greedy or search, not: god", ("play", "--ruleset", "halma", "--against",
                                                           "god")),
                (2, "takes a JSON object, not: x", ("play", "--ruleset", "halma", "--params", "x")),
                (1, "found 1, at /params/rows", ("play", "--ruleset", "tactics", "--create", "--params",
                                                 '{"rows":1}')),
                (1, "no such match", ("play", "--join", "999999")),
                (1, "no such match", ("play", "--match", "999999")),
                (2, "takes the number of a match", ("watch",)),
                (2, "takes the number of a match", ("watch", "first")),
                (1, "no such match", ("watch", "999999"))):
            with self.subTest(words=words, arguments=arguments):
                code, out, err = await (await self.run_program(*arguments)).end()
                self.assertEqual(code, status, out + err)
                self.assertIn(words, err)
