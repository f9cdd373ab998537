"""A player who connects again, resumes, and repeats what was not answered.

It records what the server acknowledged: accepted command ids, and the numbers of frames.
"""

import asyncio
import itertools
import json

import websockets

NUMBERED = ("seated", "turn", "clock", "draw", "over")
TROUBLE = (OSError, asyncio.TimeoutError, websockets.WebSocketException, EOFError)


class Player:

    def __init__(self, name, params, patience_s=3):
        self.name, self.params, self.patience_s = name, params, patience_s
        self.token = None
        self.match = None
        self.seat = None
        self.seq = 0  # the last number it has
        self.is_over = False
        self.turn = None
        self.ids = itertools.count(1)
        self.waiting = None  # the submission that has no answer yet
        self.accepted = {}  # command id -> turn
        self.connections = 0

    # ---- one connection ----

    async def connected(self, url, what):
        """Runs `what` on a connection after its hello; True if it completed."""
        try:
            async with websockets.connect(url, subprotocols=["skirmish.v1"], max_size=None,
                                          open_timeout=self.patience_s, close_timeout=0.2,
                                          ping_interval=1, ping_timeout=self.patience_s) as socket:
                self.connections += 1
                self.socket = socket
                await self.say_hello()
                await what()
                return True
        except TROUBLE:
            return False

    async def send(self, kind, **members):
        number = f"i{next(self.ids)}"
        await self.socket.send(json.dumps({"type": kind, "id": number, **members}))
        return number

    async def receive(self):
        frame = json.loads(await asyncio.wait_for(self.socket.recv(), 2 * self.patience_s))
        if frame.get("match") == self.match and self.match is not None:
            self.note(frame)
        return frame

    async def ask(self, kind, **members):
        number = await self.send(kind, **members)
        while True:
            frame = await self.receive()
            if frame.get("id") == number:
                return frame

    async def say_hello(self):
        if self.token is not None:
            answer = await self.ask("hello", protocol=1, token=self.token)
        else:
            answer = await self.ask("hello", protocol=1, name=self.name)
            if answer.get("code") == "name_taken":  # the token was lost
                self.name += "x"
                raise EOFError
            self.token = answer["token"]
        assert answer["type"] == "welcome", answer

    # ---- the record ----

    def note(self, frame):
        kind = frame["type"]
        if kind in NUMBERED:
            assert frame["seq"] == self.seq + 1, f"{self.name} has {self.seq} and gets {frame}"
            self.seq = frame["seq"]
        elif kind == "state":
            assert frame["seq"] >= self.seq, f"{self.name} has {self.seq} and gets {frame}"
            self.seq = frame["seq"]
            self.is_over = self.is_over or frame["status"] == "over"
        if kind == "accepted":
            self.accepted[frame["command_id"]] = frame["turn"]
            if self.waiting is not None and frame["command_id"] == self.waiting["command_id"]:
                self.waiting = None
        if "turn_open" in frame:
            self.turn = frame["turn_open"]["turn"]
        if kind == "over":
            self.is_over = True

    # ---- actions ----

    async def create(self, url):
        """The match's number. A match whose answer was lost is abandoned."""
        async def once():
            answer = await self.ask("create", ruleset="tactics", params=self.params, clock=None)
            assert answer["type"] == "joined", answer
            self.match, self.seat = answer["match"], answer["seat"]

        while not await self.connected(url, once):
            pass
        return self.match

    async def join(self, url, match):
        async def once():
            answer = await self.ask("join", match=match)
            if answer["type"] == "joined":
                self.match, self.seat = match, answer["seat"]
            else:  # the first try had succeeded
                assert answer["code"] in ("already_joined", "busy"), answer
                if answer["code"] == "busy":
                    raise EOFError
                self.match = match

        while not await self.connected(url, once):
            pass

    async def follow(self):
        answer = await self.ask("resume", match=self.match, seq=self.seq)
        assert answer["type"] in ("state", "done"), answer
        self.seat = answer.get("seat", self.seat)

    async def submit(self, commands):
        if self.waiting is None:
            self.waiting = {"match": self.match, "turn": self.turn, "commands": commands,
                            "command_id": f"{self.name}-{next(self.ids)}", "ready": True}
        answer = await self.ask("submit", **self.waiting)
        if answer["type"] == "error":
            assert answer["code"] in ("wrong_turn", "turn_closed", "match_over", "busy",
                                      "store_unavailable", "rate_limited"), answer
            if answer["code"] in ("wrong_turn", "match_over"):
                self.waiting = None  # it was never created

    async def play_once(self, draw):
        await self.follow()
        if self.waiting is not None:  # also for a match that has ended since: was it stored?
            await self.submit(None)
        while not self.is_over:
            if self.turn is None:
                await self.receive()
                continue
            turn = self.turn
            await self.submit(draw(self))
            while self.turn == turn and not self.is_over and self.waiting is None:
                await self.receive()

    async def play(self, url, draw):
        """Plays until the match is over and every frame has its answer."""
        while not self.is_over or self.waiting is not None:
            await self.connected(url, lambda: self.play_once(draw))
