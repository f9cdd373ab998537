"""A TCP proxy with faults: delays, single bytes, resets, black holes.

Each connection gets its own fault, drawn from a seed, which starts after some bytes have passed.
Each kind comes as often as the others.
"""

import asyncio
import random

FAULTS = ("none", "delay", "bytes", "reset", "hole")


class Spoiled:
    """One connection through the proxy, with one fault."""

    def __init__(self, fault, after, chance):
        self.fault, self.after, self.chance = fault, after, chance
        self.passed = 0

    async def pass_on(self, data, writer):
        """False: the connection is to be reset."""
        self.passed += len(data)
        if self.passed < self.after or self.fault == "none":
            writer.write(data)
        elif self.fault == "delay":
            await asyncio.sleep(self.chance.uniform(0, 0.1))
            writer.write(data)
        elif self.fault == "bytes":
            for i in range(len(data)):
                writer.write(data[i:i + 1])
                await writer.drain()
                if i % 64 == 0:
                    await asyncio.sleep(0)
        elif self.fault == "reset":
            cut = self.chance.randrange(len(data) + 1)  # perhaps in the middle of a frame
            writer.write(data[:cut])
            return False
        await writer.drain()
        return True  # a black hole reads everything and answers nothing


class Proxy:
    """Listens on a free port and forwards to `port`; use as an async context."""

    def __init__(self, port, seed, faults=FAULTS):
        self.target, self.faults = port, faults
        self.chance = random.Random(seed)
        self.left = []  # of the kinds, before each of them is drawn again
        self.counts = dict.fromkeys(FAULTS, 0)
        self.tasks = set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.server.wait_closed()

    def url(self):
        return f"ws://127.0.0.1:{self.port}/"

    def calm(self):
        """New connections have no more faults."""
        self.faults = ("none",)
        self.left = []

    def draw(self):
        self.left = self.left or self.chance.sample(self.faults, len(self.faults))
        return self.left.pop()

    async def accept(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        fault = self.draw()
        self.counts[fault] += 1
        spoiled = Spoiled(fault, self.chance.randrange(100, 8000), self.chance)
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        ways = [asyncio.create_task(self.pump(spoiled, *ends)) for ends in
                ((reader, far_writer), (far_reader, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            writer.transport.abort()  # the end of one side ends the other at once
            far_writer.transport.abort()
            self.tasks.discard(asyncio.current_task())

    @staticmethod
    async def pump(spoiled, reader, writer):
        try:
            while data := await reader.read(4096):
                if not await spoiled.pass_on(data, writer):
                    return
        except (ConnectionError, OSError):
            return
