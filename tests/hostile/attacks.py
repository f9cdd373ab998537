"""Attacks by one hostile client: a class each; ATTACKS is the table of them.

An attack is a process that bystander.py starts:

    attacks.py NAME PORT

It prepares itself, prints `ready`, and attacks between the lines `go` and `pause` of its input. At the end of
its input it prints, as JSON, what the server has granted it, and ends without closing its connections. All
its connections come from one address, unless stated.
"""

import contextlib
import itertools
import json
import re
import select
import socket
import ssl
import struct
import sys
import threading
import time

import params
from hand import Gone, Hand, connect, message, packed

ADDRESS = "127.0.0.2"
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: gone without a word
MATCH = re.compile(rb'"type":"joined".{0,40}?"match":(\d+)')
REFUSED = re.compile(rb'"code":"rate_limited"')
TURN_OR_REFUSED = re.compile(rb'"type":"turn"|"code":"rate_limited"')
TURN = re.compile(rb'"type":"turn".{0,60}?"turn":(\d+)')
TOO_MANY = re.compile(rb'"code":"[^"]*","message":"[^"]*","at":"/commands"')
BOTS = [{"bot": {"level": "random"}}, {"bot": {"level": "random"}}]


class Attack:
    """`prepare` is not measured; `step` is called repeatedly and takes some milliseconds."""

    label = ""
    is_secure = False  # the server has TLS

    def __init__(self, port):
        self.port = port
        self.granted = 0
        self.granted_bytes = 0

    def prepare(self):
        pass

    def step(self):
        raise NotImplementedError

    def hand(self, **how):
        return Hand(self.port, ADDRESS, type(self).__name__.lower(), **how)

    def figures(self):
        return {"granted": self.granted, "granted_bytes": self.granted_bytes}


# ---- over WebSocket ----

class Flood(Attack):
    """Connections that send as much as possible, and read the answers. Closed ones are opened again."""

    hands_count = 8

    def prepare(self):
        self.hands = [self.hand() for _ in range(self.hands_count)]
        for hand in self.hands:
            self.enter(hand)
        self.payloads = {hand: itertools.cycle(self.payload(hand, i)) for i, hand in enumerate(self.hands)}

    def enter(self, hand):
        """Prepares a connection."""

    def payload(self, hand, i):
        """A list of frames, sent repeatedly in this order."""
        raise NotImplementedError

    def heard(self, hand, data):
        """Frames that are sent before the payload."""
        return b""

    def step(self):
        readable, writable, _ = select.select(self.hands, self.hands, [], 0.02)
        for hand in readable:
            data = hand.drain()
            if data is None:
                self.replace(hand)
            elif (answer := self.heard(hand, data)) and not hand.rest:
                hand.pour(answer)
        for hand in writable:
            if hand in self.payloads and not hand.pour(b"" if hand.rest else next(self.payloads[hand])):
                self.replace(hand)

    def replace(self, hand):
        self.count(hand)
        self.hands.remove(hand)
        payload = self.payloads.pop(hand)
        hand.close()
        with contextlib.suppress(OSError, Gone):
            new = self.hand(token=hand.token)
            self.hands.append(new)
            self.payloads[new] = payload
        if not self.hands:
            time.sleep(0.05)
            with contextlib.suppress(OSError, Gone):
                new = self.hand()
                self.hands.append(new)
                self.payloads[new] = payload

    bytes_each = 0

    def count(self, hand):
        self.granted += hand.granted
        self.granted_bytes += hand.granted * self.bytes_each
        hand.granted = 0

    def figures(self):
        for hand in self.hands:
            self.count(hand)
        return super().figures()


class Queue(Flood):
    """queue and cancel, with params that take long to compile; different ones each time, so that nothing is
    cached."""

    label = "queue + cancel, 225 nested patterns"
    ruleset, make = "tactics", staticmethod(params.tactics_areas)
    kind = "queue"
    more = {}

    def payload(self, hand, i):
        frames = []
        for variant in range(6):
            body = self.make()
            if self.ruleset == "tactics":
                body["models"]["m"]["health"] = 1 + 10 * i + variant
            else:
                body["levels"][0]["objects"][0]["position"] = [1, 1 + (i + variant) % 6]
                body["round_limit"] = 100 + 10 * i + variant
            frame = message(self.kind, ruleset=self.ruleset, params=body, **self.more)
            self.bytes_each = max(self.bytes_each, len(frame))
            frames += [frame, *self.after()]
        return frames

    def after(self):
        return [message("queue", ruleset=self.ruleset, cancel=True)]


class QueueSnarl(Queue):
    label = "queue + cancel, 240 KB of levels"
    ruleset, make = "snarl", staticmethod(params.snarl_levels)


class QueueHallways(Queue):
    label = "queue + cancel, 3 million tiles of hallways"
    ruleset, make = "snarl", staticmethod(params.snarl_hallways)


class Create(Queue):
    label = "create, 225 nested patterns"
    kind = "create"
    more = {"clock": None}

    def after(self):
        return []


class CreateWide(Create):
    label = "create, 246 KB of patterns"
    make = staticmethod(params.tactics_wide)


class CreateBots(Create):
    label = "create for bots, 225 nested patterns"
    more = {"seats": BOTS, "cycle_ms": 10}


class CreateLeave(Flood):
    label = "create + leave"

    def payload(self, hand, i):
        return [message("create", ruleset="tactics", clock=None)]

    def heard(self, hand, data):
        return b"".join(message("leave", match=int(match)) for match in MATCH.findall(data))


class Pings(Flood):
    label = "200 pings in every packet"

    def payload(self, hand, i):
        return [message("ping") * 200]


class Lists(Flood):
    label = "list"

    def prepare(self):
        super().prepare()
        for _ in range(40):
            self.hands[0].ask("create", ruleset="tactics", clock=None)

    def payload(self, hand, i):
        return [message("list", mine=mine, status=status) for mine in (True, False) for status in ("any", "waiting")]


class Malformed(Flood):
    label = "16 KiB that is no frame"

    def payload(self, hand, i):
        return [packed(b'{"type":"chat","text":"' + b"\\u0041" * 2700 + b"\x01"), packed(b"[" * 16000)]


class InMatch(Flood):
    """Both players of a match of large params in each ruleset."""

    rulesets = ("tactics", "halma", "racers", "snarl")
    create = {}

    def prepare(self):
        self.turn = 0
        self.hands_count = 2 * len(self.rulesets)
        self.match_of = {}
        super().prepare()

    def enter(self, hand):
        i = self.hands.index(hand)
        ruleset = self.rulesets[i // 2]
        if i % 2 == 0:
            answer = hand.ask("create", ruleset=ruleset, params=params.LARGE[ruleset](), clock=None, **self.create)
            self.match_of[hand] = answer["match"]
        else:
            self.match_of[hand] = self.match_of[self.hands[i - 1]]
            hand.ask("join", expect_error=True, match=self.match_of[hand])  # a level has one hero

    def ruleset_of(self, i):
        return self.rulesets[i // 2]


class Submissions(InMatch):
    label = "128 commands, again and again"

    def commands(self, i):
        ruleset = self.ruleset_of(i)
        if ruleset == "tactics":
            return [{"kind": "attack", "unit": f"{'ab'[i % 2]}{j % 64}", "target": [j % 64, 60]} for j in range(128)]
        if ruleset == "halma":
            return [{"kind": "move", "unit": "a1", "path": [[j % 30, j // 30] for j in range(100)]}]
        return [{"kind": "move"}] * 128

    def payload(self, hand, i):
        frames = [message("submit", match=self.match_of[hand], turn=0, command_id=f"{i}-{n}",
                          commands=self.commands(i), ready=False) for n in range(400)]
        self.bytes_each = max(self.bytes_each, *map(len, frames))
        return frames


class Largest(Submissions):
    label = "every frame at its largest, all rulesets"

    def payload(self, hand, i):
        match = self.match_of[hand]
        commands = self.commands(i)
        return [message("hints", match=match),
                message("what_if", match=match, commands=[commands if seat == i % 2 else [] for seat in range(2)]),
                message("submit", match=match, turn=0, command_id=f"{i}", commands=commands, ready=False),
                message("resume", match=match, seq=0), message("watch", match=match),
                message("chat", match=match, text="x" * 500), message("rematch", match=match),
                message("withdraw", match=match, turn=0, command_id=f"{i}w"), message("list", mine=True)]


class Hints(InMatch):
    label = "hints of large boards"

    def payload(self, hand, i):
        return [message("hints", match=self.match_of[hand])]


class WhatIf(Largest):
    label = "what_if of large boards"
    rulesets = ("tactics", "halma")

    def payload(self, hand, i):
        each = self.commands(i - i % 2), self.commands(i + 1 - i % 2)
        return [message("what_if", match=self.match_of[hand], commands=list(each))]


class Resumes(InMatch):
    label = "resume of large matches"

    def payload(self, hand, i):
        return [message("resume", match=self.match_of[hand], seq=0)]


class Talk(InMatch):
    label = "chat, mute, offers of a draw"

    def payload(self, hand, i):
        match = self.match_of[hand]
        return [message("chat", match=match, text="x" * 500), message("offer_draw", match=match),
                message("answer_draw", match=match, accept=False), message("mute", match=match, muted=i % 2 == 0)]


class Turns(InMatch):
    """Few bytes of attacks make long records, and each turn can be played at once."""

    label = "turns of large boards, one after the other"
    rulesets = ("tactics",) * 4

    def prepare(self):
        self.next = {}
        self.began = None
        super().prepare()

    def submission(self, hand, i):
        turn = self.next[hand]
        self.next[hand] += 1
        commands = [{"kind": "attack", "unit": f"{'ab'[i % 2]}{j}", "target": [j, 1 if i % 2 else 62]}
                    for j in range(64)]
        return message("submit", match=self.match_of[hand], turn=turn, command_id=str(turn), commands=commands,
                       ready=True)

    def payload(self, hand, i):
        self.next[hand] = 0
        self.place = {other: number for number, other in enumerate(self.hands)}
        return [b""]

    def step(self):
        if self.began is None:
            self.began = time.monotonic()
            for hand in self.place:
                hand.pour(self.submission(hand, self.place[hand]))
        super().step()

    def heard(self, hand, data):
        """Sends the next one, or the same again if it was refused."""
        if REFUSED.search(data):
            self.next[hand] -= 1
        return self.submission(hand, self.place[hand]) if TURN_OR_REFUSED.search(data) else b""

    def figures(self):
        """Records may be as long as the frames that the players may send."""
        figures = super().figures()
        frames = 100 + 50 * (time.monotonic() - self.began)
        return {**figures, "granted_bytes": len(self.place) * frames * 4096 / 3}


class Moves(Flood):
    """A hero who does not move; after each of its turns the server plays the adversaries.

Each frame has as many moves as the server accepts.
    """

    label = "128 moves per frame, the largest level"
    hands_count = 4

    def prepare(self):
        self.began = None
        self.next = {}
        super().prepare()

    def enter(self, hand):
        hand.match = hand.ask("create", ruleset="snarl", params=params.snarl_ghosts(), clock=None)["match"]
        self.next[hand] = (0, 128)

    def payload(self, hand, i):
        return [b""]

    def submission(self, hand):
        turn, moves = self.next[hand]
        return message("submit", match=hand.match, turn=turn, command_id=f"{turn}-{moves}",
                       commands=[{"kind": "move", "to": None}] * moves)

    def step(self):
        if self.began is None:
            self.began = time.monotonic()
            for hand in self.next:
                hand.pour(self.submission(hand))
        super().step()

    def heard(self, hand, data):
        if hand not in self.next:
            return b""
        turn, moves = self.next[hand]
        if told := TURN.findall(data):
            turn = int(told[-1])
        elif TOO_MANY.search(data):
            moves = max(1, moves // 2)
        elif not REFUSED.search(data):
            return b""
        self.next[hand] = (turn, moves)
        return self.submission(hand)

    def figures(self):
        """Records may be as long as the frames that the players may send."""
        figures = super().figures()
        frames = 100 + 50 * (time.monotonic() - self.began)
        return {**figures, "granted_bytes": self.hands_count * frames * 4096 / 3}


class Watched(Turns):
    """The same with many spectators, who get each of the long frames."""

    label = "turns of a large board, watched by 50"
    rulesets = ("tactics",)

    def prepare(self):
        super().prepare()
        for _ in range(50):
            self.hands.append(self.hand())
            self.hands[-1].ask("watch", match=self.match_of[self.hands[0]])

    def heard(self, hand, data):
        return super().heard(hand, data) if hand in self.place else b""


class Crowd(Flood):
    """Every chat message is sent to all."""

    label = "chat of 50 who follow one match"
    hands_count = 50

    def enter(self, hand):
        if hand is self.hands[0]:
            self.match = hand.ask("create", ruleset="tactics", clock=None)["match"]
        else:
            hand.ask("watch", match=self.match)

    def payload(self, hand, i):
        return [message("chat", match=self.match, text="x" * 500)]


class BotMatches(Flood):
    """The matches continue after its connections are closed."""

    label = "40 matches of bots, a turn each 10 ms"
    level = "greedy"
    with_params = False

    def payload(self, hand, i):
        return [message("create", ruleset=ruleset, cycle_ms=10, rated=False, seats=[{"bot": {"level": self.level}}] * 2,
                        **({"params": params.LARGE[ruleset]()} if self.with_params else {}))
                for ruleset in ("tactics", "halma", "racers")]


class LargeBotMatches(BotMatches):
    label = "matches of bots that search large boards"
    level = "search"
    with_params = True
    bytes_each = 100000  # of a live match: its params compiled, its state, what its bots think about


class Spectators(Flood):
    """Matches with a delay for spectators, and spectators."""

    label = "40 watch 10 matches 1000 turns late"
    hands_count = 40

    def prepare(self):
        maker = self.hand()
        self.matches = [maker.ask("create", expect_error=True, ruleset="tactics", cycle_ms=10, spectator_delay=1000,
                                  rated=False, seats=BOTS).get("match") for _ in range(10)]
        self.matches = [match for match in self.matches if match is not None] or [1]
        super().prepare()

    def payload(self, hand, i):
        match = self.matches[i % len(self.matches)]
        return [message("watch", match=match), message("resume", match=match, seq=1), message("leave", match=match)]


class SlowReaders(Attack):
    """They request long answers and do not read them."""

    label = "100 slow readers"

    def prepare(self):
        maker = self.hand()
        self.match = maker.ask("create", ruleset="tactics", params=params.tactics_crowded(), clock=None)["match"]
        self.hands = []
        for _ in range(100):
            with contextlib.suppress(OSError, Gone):
                self.hands.append(self.hand())
        self.frames = message("watch", match=self.match) * 10

    def step(self):
        for hand in self.hands:
            hand.pour(self.frames)
        time.sleep(0.02)


class Accounts(Attack):
    label = "a new account on each connection"

    def step(self):
        with contextlib.suppress(OSError, Gone):
            hand = self.hand(hello=False)
            try:
                hand.raw.settimeout(1)
                hand.hello("account")
                self.granted += 1
                self.granted_bytes += 200
            finally:
                hand.raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                hand.close()


# ---- over HTTP ----

class Http(Attack):
    """Clients that send the next request as soon as they have the answer."""

    clients = 16
    paths = ("/",)
    headers = "Accept-Encoding: gzip\r\n"
    is_patient = True  # else it disconnects after the request

    def prepare(self):
        self.open = {}
        self.path = itertools.cycle(self.paths)

    def start(self):
        with contextlib.suppress(OSError):
            raw = connect(self.port, ADDRESS)
            head = f"GET {next(self.path)} HTTP/1.1\r\nHost: localhost\r\n{self.headers}Connection: close\r\n\r\n"
            raw.sendall(head.encode())
            if self.is_patient:
                self.open[raw] = time.monotonic()
            else:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                raw.close()

    def step(self):
        for _ in range(self.clients - len(self.open)):
            self.start()
        readable, _, _ = select.select(list(self.open), [], [], 0.02)
        for raw in readable:
            try:
                is_over = not raw.recv(1 << 18)
            except OSError:
                is_over = True
            if is_over:
                raw.close()
                del self.open[raw]


class Page(Http):
    label = "the page's files"
    paths = ("/", "/app.js", "/language.js", "/style.css", "/match.js", "/client.js")


class Schemas(Http):
    label = "rulesets and protocol, not packed"
    paths = ("/api/v1/rulesets", "/api/v1/protocol")
    headers = ""


class HttpMatches(Http):
    label = "lists of 200 matches, packed"
    paths = tuple(f"/api/v1/matches?limit=200&status={status}" for status in ("any", "waiting", "over"))

    def prepare(self):
        super().prepare()
        for _ in range(8):
            hand = self.hand()
            for _ in range(25):
                with contextlib.suppress(Gone):
                    hand.ask("create", ruleset="tactics", clock=None, params=params.tactics_crowded())
            hand.close()


class Statistics(Http):
    label = "leaderboard and statistics"
    paths = ("/api/v1/leaderboard?limit=200", "/api/v1/statistics")


class Waiting(Http):
    """The queue with more players than are listed, each with as long params as are shown; players, and links."""

    label = "who waits, players and links to matches"

    def prepare(self):
        super().prepare()
        self.waiting = [self.hand() for _ in range(60)]
        for place, hand in enumerate(self.waiting):
            rating = {"rating_min": place, "rating_max": place}
            hand.ask("queue", ruleset="tactics", params={"turn_limit": 100 + place}, **rating)
        match = self.waiting[0].ask("create", ruleset="tactics", clock=None)["match"]
        self.paths = ("/api/v1/queue", "/api/v1/players/1", f"/?match={match}&turn=7", "/?join=99999999")
        self.path = itertools.cycle(self.paths)


class Replays(Http):
    """Replays of finished matches on crowded boards, in which every unit attacked in every turn."""

    label = "replays of large matches"
    query = "/replay"
    turns = 12

    def prepare(self):
        super().prepare()
        self.paths = tuple(f"/api/v1/matches/{self.play()}{self.query}" for _ in range(2))
        self.path = itertools.cycle(self.paths)

    def play(self):
        """Plays a whole match; returns its number."""
        players = [self.hand(), self.hand()]
        match = players[0].ask("create", ruleset="tactics", params=params.tactics_crowded(), clock=None)["match"]
        players[1].ask("join", match=match)
        for turn in range(self.turns):
            for seat, (hand, letter) in enumerate(zip(players, "ab")):
                commands = [{"kind": "attack", "unit": f"{letter}{i}", "target": [i, 62 if seat == 0 else 1]}
                            for i in range(64)]
                hand.ask("submit", match=match, turn=turn, command_id=f"{turn}", commands=commands, ready=True)
            for hand in players:
                hand.expect("turn")
        players[0].ask("resign", match=match, command_id="r")
        for hand in players:
            hand.expect("over")
            hand.close()
        return match


class Moments(Replays):
    label = "moments of large matches"
    query = "/moments"


class AbandonedMoments(Moments):
    label = "moments, asked for and not waited for"
    is_patient = False


# ---- below both ----

class Connects(Attack):
    label = "connections, opened and reset"

    def step(self):
        for _ in range(50):
            with contextlib.suppress(OSError):
                raw = connect(self.port, ADDRESS)
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                raw.close()


class Handshakes(Attack):
    label = "WebSocket handshakes, then gone"

    def step(self):
        with contextlib.suppress(OSError, Gone):
            self.hand(hello=False).close()


class SecureHandshakes(Attack):
    """The most expensive request without an account: the server signs each handshake."""

    label = "TLS handshakes, then gone"
    is_secure = True

    def prepare(self):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE

    def step(self):
        with contextlib.suppress(OSError), connect(self.port, ADDRESS) as raw:
            self.context.wrap_socket(raw).close()


class Held(Attack):
    """Keeps as many connections as it gets, and sends a few bytes from time to time."""

    first = b""
    then = b""

    def prepare(self):
        self.held = []

    def step(self):
        if len(self.held) < 300:
            with contextlib.suppress(OSError):
                raw = connect(self.port, ADDRESS)
                raw.sendall(self.first)
                raw.setblocking(False)
                self.held.append(raw)
        for raw in list(self.held):
            try:
                raw.send(self.then)
            except BlockingIOError:
                pass
            except OSError:
                self.held.remove(raw)
                raw.close()
        time.sleep(0.002)


class HalfHeads(Held):
    label = "300 heads that never end"
    first = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
    then = b"X: y\r\n"


class Tls(Held):
    label = "TLS to a port that has none"
    first = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500)


ATTACKS = {attack.__name__: attack for attack in (
    Queue, QueueSnarl, QueueHallways, Create, CreateWide, CreateBots, CreateLeave, Pings, Lists, Malformed, Submissions,
    Largest, Hints, WhatIf, Resumes, Talk, Turns, Moves, Watched, Crowd,
    BotMatches, LargeBotMatches, Spectators, SlowReaders, Accounts, Page,
    Schemas, HttpMatches, Statistics, Waiting, Replays, Moments, AbandonedMoments, Connects, Handshakes,
    SecureHandshakes, HalfHeads, Tls)}


def main():
    attack = ATTACKS[sys.argv[1]](int(sys.argv[2]))
    attack.prepare()
    print("ready", flush=True)
    goes = threading.Event()
    is_over = threading.Event()

    def listen():
        for line in sys.stdin:
            (goes.set if line == "go\n" else goes.clear)()
        is_over.set()

    threading.Thread(target=listen, daemon=True).start()
    while not is_over.is_set():
        if goes.wait(0.05):
            attack.step()
    print(json.dumps(attack.figures()), flush=True)


if __name__ == "__main__":
    main()
