"""A player: an asyncio client that checks every frame it gets.

Every frame is validated against the schemas that the server itself serves, the hash of every view is
computed again, and the numbers of each match must come without a gap and without a repetition.
"""

import asyncio
import atexit
import hashlib
import itertools
import json
import os
import sqlite3
import struct
import subprocess
import time
import unittest
from unittest import mock

import jsonschema
import websockets

from daemon import TIME_LIMIT_S, Daemon

SUBPROTOCOL = "skirmish.v1"
NUMBERED = ("seated", "turn", "clock", "draw", "over")

# One pike each on 3 x 4, which steps to a neighbouring cell and sweeps the row in front of it.
PIKES = {
    "rows": 4, "cols": 3, "placement": False, "start_rows": 1, "turn_limit": 20,
    "patterns": {"step": {"rows": [" x ", "x x", " x "]},
                 "sweep": {"rows": [" o ", "   ", "   "], "map": {"o": "row"}},
                 "row": {"rows": ["   ", "xxx", "   "]}},
    "models": {"pike": {"description": "Sweeps the row in front.", "health": 10, "power": 10,
                        "move": ["step"], "attack": ["sweep"]}},
    "units": [{"id": "a1", "model": "pike", "seat": 0, "at": [1, 3]},
              {"id": "b1", "model": "pike", "seat": 1, "at": [1, 0]}]}

OK = {"verdict": "ok"}
names = itertools.count(1)
provoked = set()  # codes of all errors so far, of all tests


@atexit.register
def keep_provoked():
    """Written for test_99, which CTest runs in another process."""
    if "PROVOKED" in os.environ:
        os.makedirs(os.path.dirname(os.environ["PROVOKED"]), exist_ok=True)
        with open(os.environ["PROVOKED"], "w", encoding="ascii") as file:
            file.write("\n".join(sorted(provoked)))


def pikes(**changes):
    return {**PIKES, **changes}


def move(unit, x, y):
    return {"kind": "move", "unit": unit, "target": [x, y]}


def attack(unit, x, y):
    return {"kind": "attack", "unit": unit, "target": [x, y]}


def plain(frame):
    """Without members that depend on the time or on the asker."""
    frame = {name: value for name, value in frame.items() if name != "id"}
    if "turn_open" in frame:
        frame["turn_open"] = {**frame["turn_open"], "deadline_ms": None}
    return frame


def siphash(data, rounds=(2, 4)):
    """SipHash-2-4 with the key 0."""
    mask = (1 << 64) - 1

    def turn(value, by):
        return (value << by | value >> 64 - by) & mask

    def mix(a, b, c, d):
        a = (a + b) & mask
        b = turn(b, 13) ^ a
        a = turn(a, 32)
        c = (c + d) & mask
        d = turn(d, 16) ^ c
        a = (a + d) & mask
        d = turn(d, 21) ^ a
        c = (c + b) & mask
        b = turn(b, 17) ^ c
        return a, b, turn(c, 32), d

    state = (0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573)
    whole = len(data) // 8 * 8
    last = int.from_bytes(data[whole:], "little") | (len(data) & 255) << 56
    for word in [int.from_bytes(data[i:i + 8], "little") for i in range(0, whole, 8)] + [last]:
        a, b, c, d = state
        state = a, b, c, d ^ word
        for _ in range(rounds[0]):
            state = mix(*state)
        a, b, c, d = state
        state = a ^ word, b, c, d
    a, b, c, d = state
    state = a, b, c ^ 255, d
    for _ in range(rounds[1]):
        state = mix(*state)
    a, b, c, d = state
    return f"{a ^ b ^ c ^ d:016x}"


def column(value):
    """A column as input of the chain's hash."""
    if value is None:
        return struct.pack("<I", 0xFFFFFFFF)
    if isinstance(value, int):
        return struct.pack("<Iq", 8, value)
    return struct.pack("<I", len(value.encode())) + value.encode()


def chain_anew(database, match):
    """Recomputes the chain after records were changed, so that only the rules detect the change."""
    previous = bytes(32)
    rows = database.execute(
        "SELECT rowid, match, seq, epoch, turn, seat, command_id, kind, body, at FROM record"
        " WHERE match = ? ORDER BY seq", (match,)).fetchall()
    for row, *columns in rows:
        previous = hashlib.sha256(previous + b"".join(map(column, columns))).digest()
        database.execute("UPDATE record SET hash = ? WHERE rowid = ?", (previous, row))
    database.execute("UPDATE chain SET head = ?, last_seq = ? WHERE match = ?",
                     (previous, len(rows), match))


def commitment(over):
    return hashlib.sha256(bytes.fromhex(over["salt"]) + bytes.fromhex(over["seed"])).hexdigest()


class Schemas:
    """The published schemas of frames, views and events."""

    def __init__(self, daemon):
        protocol = json.loads(daemon.get("/api/v1/protocol").body)
        self.frames = {schema["properties"]["type"]["const"]: self.validator(schema)
                       for schema in protocol["server"]["oneOf"]}
        self.client = {schema["properties"]["type"]["const"]: self.validator(schema)
                       for schema in protocol["client"]["oneOf"]}
        self.codes = {error["code"] for error in protocol["errors"]}
        self.rulesets = {ruleset["ruleset"]: ruleset for ruleset in
                         json.loads(daemon.get("/api/v1/rulesets").body)["rulesets"]}
        self.parts = {(name, part): self.validator(ruleset[part])
                      for name, ruleset in self.rulesets.items()
                      for part in ("view", "event", "command")}
        self.ruleset_of = {}  # match -> name, as states tell it

    @staticmethod
    def validator(schema):
        return jsonschema.Draft202012Validator(schema)

    def check(self, frame, text):
        self.frames[frame["type"]].validate(frame)
        if frame["type"] == "error":
            assert frame["code"] in self.codes, frame
            provoked.add(frame["code"])
        if frame["type"] == "state":
            self.ruleset_of[frame["match"]] = frame["ruleset"]
        if frame.get("view") is not None:
            self.part(frame, "view").validate(frame["view"])
            if "hash" in frame:
                at = text.index('"view":') + len('"view":')
                _, end = json.JSONDecoder().raw_decode(text, at)
                assert siphash(text[at:end].encode()) == frame["hash"], text
        for event in frame.get("events", ()):
            self.part(frame, "event").validate(event)
        for command in frame.get("commands", ()) if frame["type"] == "hints" else ():
            self.part(frame, "command").validate(command)

    def part(self, frame, part):
        """The validator of the frame's match for this part of its ruleset."""
        return self.parts[self.ruleset_of.get(frame.get("match"), "tactics"), part]


class Client:
    """One connection.  Frames that no test has taken yet wait in `inbox`."""

    def __init__(self, daemon, schemas, socket):
        self.daemon, self.schemas, self.socket = daemon, schemas, socket
        self.inbox = []
        self.seqs = {}  # match -> all numbers seen
        self.ids = itertools.count(1)
        self.name = self.token = self.player = None

    async def receive(self):
        """The next frame, checked."""
        text = await asyncio.wait_for(self.socket.recv(), TIME_LIMIT_S)
        frame = json.loads(text)
        self.schemas.check(frame, text)
        if frame["type"] in NUMBERED:
            seen = self.seqs.setdefault(frame["match"], [])
            assert not seen or frame["seq"] == seen[-1] + 1, f"after {seen}: {text}"
            seen.append(frame["seq"])
        elif frame["type"] == "state":
            self.seqs.setdefault(frame["match"], []).append(frame["seq"])
        return frame

    @staticmethod
    def fits(frame, kind, members):
        return (kind is None or frame["type"] == kind) and all(
            frame.get(name) == value for name, value in members.items())

    async def expect(self, kind, **members):
        """The first frame of this type (with these members); skips others."""
        for i, frame in enumerate(self.inbox):
            if self.fits(frame, kind, members):
                return self.inbox.pop(i)
        while True:
            try:
                frame = await self.receive()
            except (asyncio.TimeoutError, websockets.ConnectionClosed) as error:
                raise AssertionError(
                    f"{self.name}: {error!r} instead of {kind} {members}; inbox: {self.inbox}"
                ) from None
            if self.fits(frame, kind, members):
                return frame
            self.inbox.append(frame)

    async def send(self, kind, **members):
        """Returns the id."""
        members.setdefault("id", f"i{next(self.ids)}")
        await self.socket.send(json.dumps({"type": kind, **members}))
        return members["id"]

    async def ask(self, kind, **members):
        """The answer, whatever it is."""
        return await self.expect(None, id=await self.send(kind, **members))

    async def get(self, answer, kind, **members):
        """The answer, which is of this type."""
        frame = await self.ask(kind, **members)
        assert frame["type"] == answer, f"{self.name}: {kind} {members} -> {frame}"
        return frame

    async def refused(self, code, kind, **members):
        """The error, which has this code."""
        frame = await self.get("error", kind, **members)
        assert frame["code"] == code, frame
        return frame

    async def seen(self, kind=None):
        """All frames that the server has sent and no test has taken."""
        await self.get("pong", "ping")
        return [frame for frame in self.inbox if kind is None or frame["type"] == kind]

    def forget(self):
        self.inbox.clear()

    # ---- a match ----

    async def create(self, **how):
        """(joined, state)"""
        how = {"ruleset": "tactics", "params": PIKES, "clock": None, **how}
        joined = await self.get("joined", "create", **how)
        return joined, await self.expect("state", match=joined["match"])

    async def join(self, match=None, **how):
        if match is not None:
            how["match"] = match
        joined = await self.get("joined", "join", **how)
        return joined, await self.expect("state", match=joined["match"])

    async def submit(self, match, turn, *commands, command_id=None, **how):
        return await self.get("accepted", "submit", match=match, turn=turn, commands=list(commands),
                              command_id=command_id or f"c{next(names)}", **how)

    async def resume(self, match, seq):
        """The answer; what was missed is in the inbox."""
        if seq > 0:
            self.seqs[match] = [seq]
        return await self.ask("resume", match=match, seq=seq)

    async def close(self):
        await self.socket.close()

    async def close_code(self):
        """The code of the server's close; frames before it are in the inbox."""
        while True:
            try:
                self.inbox.append(await self.receive())
            except websockets.ConnectionClosed:
                return self.socket.close_code


class Case(unittest.IsolatedAsyncioTestCase):
    """One daemon for all tests of a class; each player has a new name."""

    options = ()
    starts = Daemon
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(cls.starts(*cls.options))
        # the tokens that `skirmish` keeps are of this daemon
        cls.enterClassContext(mock.patch.dict(os.environ, XDG_STATE_HOME=cls.daemon.path("state")))
        cls.daemon.wait_until_ready()
        cls.schemas = Schemas(cls.daemon)

    async def connect(self):
        """Without a hello. Frames are buffered without a limit: otherwise the library stops reading, misses
        pongs, and closes the connection of a test that does not read for a while."""
        socket = await websockets.connect(self.daemon.url(), subprotocols=[SUBPROTOCOL],
                                          max_size=None, max_queue=None, ping_interval=None,
                                          open_timeout=TIME_LIMIT_S)
        self.addAsyncCleanup(socket.close)
        return Client(self.daemon, self.schemas, socket)

    async def player(self, name="player", **how):
        """A new one."""
        client = await self.connect()
        client.name = f"{name}-{next(names)}"
        welcome = await client.get("welcome", "hello", protocol=1, name=client.name, **how)
        client.token, client.player = welcome["token"], welcome["player"]
        return client

    async def again(self, client):
        """Another connection of the same player."""
        other = await self.connect()
        welcome = await other.get("welcome", "hello", protocol=1, token=client.token)
        other.name, other.token, other.player = welcome["name"], client.token, welcome["player"]
        return other

    async def pair(self, **how):
        """(alice, bob, match): a running match, with empty inboxes except for clock frames."""
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create(**how)
        match = joined["match"]
        await bob.join(match)
        await alice.expect("seated", match=match, seat=1 - joined["seat"])
        await bob.seen()
        await alice.seen()
        for client in (alice, bob):
            client.inbox = [frame for frame in client.inbox if frame["type"] in ("turn", "over")]
        return alice, bob, match

    async def restart(self):
        """Killed and started again.  Connections are gone."""
        self.daemon.restart()
        self.daemon.wait_until_ready()

    async def back(self, *clients, match=None):
        """Reconnects the players after a restart; with a match, they resume it."""
        others = []
        for client in clients:
            other = await self.again(client)
            if match is not None:
                answer = await other.resume(match, client.seqs[match][-1])
                self.assertIn(answer["type"], ("done", "state"), answer)
            others.append(other)
        return others

    async def play(self, alice, bob, match, turn, for_alice, for_bob):
        """One turn; the frames of both."""
        await alice.submit(match, turn, *for_alice)
        await bob.submit(match, turn, *for_bob)
        return await alice.expect("turn", match=match), await bob.expect("turn", match=match)

    async def set_aside(self, match):
        """Why the match is set aside, as the operator sees it.  No answer waits for that note to be stored."""
        until = time.monotonic() + TIME_LIMIT_S
        while True:
            [(status, reason)] = self.query("SELECT status, reason FROM match_summary WHERE match = ?", match)
            if status == "quarantined":
                return reason
            self.assertLess(time.monotonic(), until, f"match {match} is {status}")
            await asyncio.sleep(0.01)

    def query(self, sql, *values):
        """Reads the database with a separate connection."""
        if self.daemon.database.startswith("postgres:"):
            return self.query_postgres(sql, values)
        database = sqlite3.connect(f"file:{self.daemon.database}?mode=ro", uri=True,
                                   timeout=TIME_LIMIT_S)
        # A status that a test has damaged may be read before the server has replaced it.
        database.text_factory = lambda text: text.decode(errors="replace")
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def query_postgres(self, sql, values):
        for value in values:
            sql = sql.replace("?", repr(value), 1)
        text = subprocess.run(["psql", "-qAt", "-c", f"SELECT json_agg(t) FROM ({sql}) t",
                               self.daemon.database], check=True, capture_output=True, text=True).stdout
        return json.loads(text, object_pairs_hook=lambda row: tuple(value for _, value in row)) or []
