"""`skirmish connect`: the protocol by hand, in a pipe and in a terminal."""

import asyncio
import json
import os
import pty
import select
import subprocess
import time

from client import PIKES, Case
from daemon import PROGRAM, SANITIZER, TIME_LIMIT_S

SKIRMISH = os.environ.get("SKIRMISH", os.path.join(os.path.dirname(PROGRAM), "skirmish"))


def lines(*frames):
    return "".join(json.dumps(frame) + "\n" for frame in frames)


def hello(name):
    return {"type": "hello", "protocol": 1, "name": name}


class Connect(Case):

    async def connect(self, text, *arguments, address=True):
        """(exit status, the frames that came, what it complained about)"""
        where = (self.daemon.url(),) if address else ()
        done = await asyncio.to_thread(
            subprocess.run, [SKIRMISH, "connect", *where, *arguments], input=text, text=True,
            capture_output=True, timeout=TIME_LIMIT_S, check=False)
        self.assertIsNone(SANITIZER.search(done.stderr), done.stderr)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    async def test_a_script_gets_the_answer_to_every_line_and_the_end(self):
        code, frames, err = await self.connect(
            "\n" + lines(hello("Piped"), {"type": "create", "ruleset": "tactics", "params": PIKES}) +
            "  \r\n" + '{"type":"ping","id":"last"}')  # blank lines are skipped; the last line has no newline
        self.assertEqual((code, err), (0, ""))
        kinds = [frame["type"] for frame in frames]
        self.assertEqual(sorted(kinds), ["joined", "pong", "state", "welcome"])
        self.assertIn("last", [frame.get("id") for frame in frames])

    async def test_what_comes_later_is_waited_for(self):
        name = "Patient"
        play = {"type": "create", "ruleset": "tactics", "params": {**PIKES, "turn_limit": 3},
                "clock": None, "cycle_ms": 300, "seats": [{"bot": {"level": "random"}}] * 2}
        code, frames, _ = await self.connect(lines(hello(name), play), "--wait", "5")
        self.assertEqual(code, 0)
        self.assertEqual(frames[-1]["type"], "over")

    async def test_a_refused_frame_is_an_answer_too(self):
        code, frames, err = await self.connect("nonsense\n", "--wait", "0", "--url",
                                               self.daemon.url(), address=False)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([frame["code"] for frame in frames], ["malformed"])

    async def test_it_reads_while_it_waits_for_input(self):
        process = await asyncio.create_subprocess_exec(
            SKIRMISH, "connect", self.daemon.url(), stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE)
        process.stdin.write(lines(hello("Slow")).encode()[:9])  # an incomplete line blocks nothing
        await process.stdin.drain()
        process.stdin.write(lines(hello("Slow")).encode()[9:])
        answer = await asyncio.wait_for(process.stdout.readline(), TIME_LIMIT_S)
        self.assertEqual(json.loads(answer)["name"], "Slow")
        process.terminate()
        self.assertEqual(await asyncio.wait_for(process.wait(), TIME_LIMIT_S), 0)

    async def test_an_output_that_nobody_reads_ends_it(self):
        reading, writing = os.pipe()
        os.close(reading)
        process = subprocess.Popen([SKIRMISH, "connect", self.daemon.url()], stdin=subprocess.PIPE,
                                   stdout=writing, stderr=subprocess.PIPE)
        os.close(writing)
        process.stdin.write(lines(hello("Unheard")).encode())
        process.stdin.flush()
        self.assertEqual(await asyncio.to_thread(process.wait, TIME_LIMIT_S), 1)
        self.assertIn(b"could not write", process.stderr.read())
        process.stdin.close()
        process.stderr.close()

    async def test_in_a_terminal_it_says_that_it_is_connected(self):
        def talk():
            terminal, other_end = pty.openpty()
            process = subprocess.Popen([SKIRMISH, "connect", self.daemon.url()], stdin=other_end,
                                       stdout=other_end, stderr=other_end)
            os.close(other_end)
            text = read_until(terminal, b"connected to ws://")
            os.write(terminal, lines(hello("Typist")).encode())
            text += read_until(terminal, b'"type":"welcome"')
            os.write(terminal, b"\x04")
            status = process.wait(TIME_LIMIT_S)
            os.close(terminal)
            return status, text

        status, text = await asyncio.to_thread(talk)
        self.assertEqual(status, 0, text)

    async def test_what_is_wrong_is_said(self):
        for status, words, arguments in (
                (2, "takes one address", ("a", "b")),
                (2, "takes one address", ("a", "--url", "b")),
                (2, "ws://127.0.0.1:7777/", ("nonsense",)),
                (2, "begins with ws:// or wss://", ("ftp://127.0.0.1/",)),
                (1, "http://127.0.0.1:1/: ", ("http://127.0.0.1:1/",)),
                (2, "from 0 to", ("--wait", "-1"))):
            with self.subTest(arguments=arguments):
                code, frames, err = await self.connect("", *arguments, address=False)
                self.assertEqual((code, frames), (status, []), err)
                self.assertIn(words, err)


class Impatient(Case):
    options = ("--hello-timeout", "1s")

    async def test_the_server_may_end_it(self):
        process = await asyncio.create_subprocess_exec(
            SKIRMISH, "connect", self.daemon.url(), stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        await asyncio.wait_for(process.wait(), TIME_LIMIT_S)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(json.loads(await process.stdout.read())["type"], "closing")
        self.assertIn(b"the server closed the connection with code 1008",
                      await process.stderr.read())


def read_until(terminal, words):
    text = b""
    until = time.monotonic() + TIME_LIMIT_S
    while words not in text:
        ready, _, _ = select.select([terminal], [], [], until - time.monotonic())
        assert ready, text
        text += os.read(terminal, 65536)
    return text
