"""Many nodes as a client sees them: a proxy before one daemon that says where matches are.

All matches are at one path, `place`.  A frame about a match on another path is answered by `moved`, as a node
does that does not have it.
"""

import asyncio
import contextlib
import http
import json

import websockets
from websockets.legacy.server import serve  # of Debian 12 and 13: their newer ones differ

SUBPROTOCOL = "skirmish.v1"


class Nodes:
    def __init__(self, url):
        self.daemon_url = url
        self.place = "/n/two/"
        self.dead = set()       # paths that answer 503
        self.connections = []   # paths, in the order in which they were opened
        self.followed = {}      # client's socket -> matches
        self.server = None

    async def start(self):
        self.server = await serve(self.handle, "127.0.0.1", 0, subprotocols=[SUBPROTOCOL],
                                  process_request=self.refuse, max_size=None)
        return self

    async def stop(self):
        self.server.close()
        await self.server.wait_closed()

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/"

    async def refuse(self, path, _):
        return (http.HTTPStatus.SERVICE_UNAVAILABLE, [], b"") if path in self.dead else None

    async def handle(self, client):
        self.connections.append(client.path)
        self.followed[client] = set()
        try:
            async with websockets.connect(self.daemon_url, subprotocols=[SUBPROTOCOL], max_size=None) as daemon:
                ways = [asyncio.create_task(self.go_in(client, daemon)),
                        asyncio.create_task(self.come_out(client, daemon))]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
        finally:
            del self.followed[client]

    def is_elsewhere(self, client, frame):
        return frame.get("match") is not None and client.path != self.place

    async def go_in(self, client, daemon):
        with contextlib.suppress(websockets.ConnectionClosed):
            async for text in client:
                frame = json.loads(text)
                if self.is_elsewhere(client, frame):
                    await self.say_moved(client, frame["match"], **({"id": frame["id"]} if "id" in frame else {}))
                else:
                    await daemon.send(text)

    async def come_out(self, client, daemon):
        with contextlib.suppress(websockets.ConnectionClosed):
            async for text in daemon:
                frame = json.loads(text)
                if not self.is_elsewhere(client, frame):
                    self.followed[client] |= {frame["match"]} if "seq" in frame else set()
                    await client.send(text)

    async def say_moved(self, client, match, **more):
        frame = {"type": "moved", **more, "match": match, "path": self.place}
        with contextlib.suppress(websockets.ConnectionClosed):
            await client.send(json.dumps(frame, separators=(",", ":")))

    async def move(self, place):
        """To another node; those who follow a match are told."""
        self.place = place
        for client, matches in list(self.followed.items()):
            for match in matches:
                if client.path != place:
                    await self.say_moved(client, match)

    async def kill(self, path, place):
        """The node of this path; another has its matches."""
        self.dead.add(path)
        self.place = place
        for client in list(self.followed):
            if client.path == path:
                client.transport.abort()
