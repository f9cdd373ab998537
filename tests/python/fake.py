"""A server that says what a test tells it to, byte by byte."""

import asyncio
import base64
import hashlib
import json
import struct

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
WELCOME = {"type": "welcome", "protocol": 1, "player": 1, "name": "x", "token": "t", "bot": True, "server": "s",
           "time_ms": 0, "frames_per_second": 1000, "frames_burst": 1000}


def frame(opcode, data=b"", first=0x80):
    size = len(data)
    head = bytes([first | opcode, size]) if size < 126 else bytes([first | opcode, 126]) + struct.pack(">H", size)
    return head + data


class Peer:
    """The server's end of one connection."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.path = None

    async def shake_hands(self, accept=None, status="101 Switching Protocols", protocol="skirmish.v1"):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        self.path = head.split(" ")[1]
        key = next(line.split(": ")[1] for line in head.split("\r\n") if line.lower().startswith("sec-websocket-key"))
        good = base64.b64encode(hashlib.sha1(key.encode() + MAGIC).digest()).decode()
        self.writer.write(f"HTTP/1.1 {status}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                          f"{accept or good}\r\nSec-WebSocket-Protocol: {protocol}\r\n\r\n".encode())

    def send(self, data):
        self.writer.write(data)

    def tell(self, **members):
        self.send(frame(1, json.dumps(members).encode()))

    async def receive(self):
        """(opcode, data) of the next frame, which must be masked."""
        first, size = await self.reader.readexactly(2)
        assert size & 0x80, "a frame of the client is not masked"
        size &= 0x7f
        if size == 126:
            size, = struct.unpack(">H", await self.reader.readexactly(2))
        elif size == 127:
            size, = struct.unpack(">Q", await self.reader.readexactly(8))
        mask = await self.reader.readexactly(4)
        data = await self.reader.readexactly(size)
        return first & 15, bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))

    async def hear(self, kind=None):
        """The next frame of the protocol, of this type."""
        while True:
            opcode, data = await self.receive()
            if opcode == 1:
                heard = json.loads(data)
                assert kind is None or heard["type"] == kind, heard
                return heard

    async def welcome(self):
        await self.shake_hands()
        hello = await self.hear("hello")
        self.tell(**{**WELCOME, "id": hello["id"]})
        return hello


class Fake:
    """Runs `talk(peer)` for every connection; `async with` starts and stops it."""

    def __init__(self, talk):
        self.talk = talk
        self.errors = []
        self.tasks = set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/"
        return self

    async def __aexit__(self, *_):
        self.server.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        assert not self.errors, self.errors

    async def serve(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        try:
            await self.talk(Peer(reader, writer))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except AssertionError as error:
            self.errors.append(error)
        finally:
            writer.close()
