"""The WebSocket of the Python package against a server that does as RFC 6455 says, and does not."""

import asyncio
import struct
import unittest

import package
from fake import Fake, frame

from skirmish.websocket import Closed, WebSocket, encode, mask

TIME_LIMIT_S = 60


class WebSocketTest(unittest.IsolatedAsyncioTestCase):
    async def connected(self, talk):
        async def shake(peer):
            await peer.shake_hands()
            await talk(peer)

        fake = Fake(shake)
        await fake.__aenter__()
        self.addAsyncCleanup(fake.__aexit__)
        socket = await WebSocket.connect(fake.url, "skirmish.v1", timeout_s=TIME_LIMIT_S)
        self.addCleanup(socket.abort)
        return socket

    async def test_messages_of_every_length_arrive(self):
        async def echo(peer):
            while True:
                opcode, data = await peer.receive()
                peer.send(frame(opcode, data))

        socket = await self.connected(echo)
        for size in (0, 1, 125, 126, 127, 40000):
            text = "é" * (size // 2) + "x" * (size % 2)
            await socket.send(text)
            self.assertEqual(await socket.receive(), text)

    async def test_fragments_and_pings_between_them(self):
        pongs = []

        async def talk(peer):
            peer.send(frame(1, b"\xc3", first=0) + frame(9, b"are you there?") + frame(0, b"\xa9", first=0) +
                      frame(0, b"!"))
            pongs.append(await peer.receive())
            await peer.receive()

        socket = await self.connected(talk)
        self.assertEqual(await socket.receive(), "é!")
        while not pongs:
            await asyncio.sleep(0.01)
        self.assertEqual(pongs, [(10, b"are you there?")])

    async def test_what_the_rfc_forbids_is_closed_with_its_code(self):
        for label, sent, code in (
                ("reserved bit", frame(1, b"x", first=0xc0), 1002),
                ("masked", bytes([0x81, 0x81, 0, 0, 0, 0, 120]), 1002),
                ("unknown opcode", frame(3, b"x"), 1002),
                ("fragmented ping", frame(9, b"x", first=0), 1002),
                ("long ping", frame(9, b"x" * 126), 1002),
                ("continuation of nothing", frame(0, b"x"), 1002),
                ("new message inside another", frame(1, b"x", first=0) + frame(1, b"y"), 1002),
                ("binary", frame(2, b"x"), 1003),
                ("not UTF-8", frame(1, b"\xff"), 1007),
                ("too long", bytes([0x81, 127]) + struct.pack(">Q", 1 << 40), 1009)):
            with self.subTest(label):
                answers = []

                async def talk(peer, sent=sent, answers=answers):
                    peer.send(sent)
                    answers.append(await peer.receive())

                socket = await self.connected(talk)
                with self.assertRaises(Closed) as caught:
                    await socket.receive()
                self.assertEqual(caught.exception.code, code)
                while not answers:
                    await asyncio.sleep(0.01)
                self.assertEqual(answers, [(8, struct.pack(">H", code))])

    async def test_a_close_is_answered_and_reported(self):
        answers = []

        async def talk(peer):
            peer.send(frame(8, struct.pack(">H", 1013) + b"full"))
            answers.append(await peer.receive())

        socket = await self.connected(talk)
        with self.assertRaises(Closed) as caught:
            await socket.receive()
        self.assertEqual((caught.exception.code, caught.exception.reason), (1013, "full"))
        with self.assertRaises(Closed):
            await socket.send("too late")
        while not answers:
            await asyncio.sleep(0.01)
        self.assertEqual(answers, [(8, struct.pack(">H", 1013))])

    async def test_a_lost_connection_is_1006(self):
        async def talk(peer):
            peer.writer.close()

        socket = await self.connected(talk)
        with self.assertRaises(Closed) as caught:
            await socket.receive()
        self.assertEqual(caught.exception.code, 1006)

    async def test_a_wrong_handshake_is_refused(self):
        for how in ({"accept": "nonsense"}, {"status": "403 Forbidden"}, {"protocol": "other"}):
            async def talk(peer, how=how):
                await peer.shake_hands(**how)
                await peer.receive()

            async with Fake(talk) as fake:
                with self.assertRaises(Closed):
                    await WebSocket.connect(fake.url, "skirmish.v1", timeout_s=TIME_LIMIT_S)
        for url in ("ftp://127.0.0.1/", "elsewhere"):
            with self.assertRaises(ValueError):
                await WebSocket.connect(url, "skirmish.v1")

    def test_frames_are_masked_by_another_key_each_time(self):
        self.assertEqual(mask(mask(b"hello", b"abcd"), b"abcd"), b"hello")
        self.assertEqual(mask(b"\0\0\0\0\0", b"abcd"), b"abcda")
        self.assertNotEqual(encode(1, b"x" * 20), encode(1, b"x" * 20))


assert package.ROOT

if __name__ == "__main__":
    unittest.main()
