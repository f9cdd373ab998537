"""A player on a server, over WebSocket: PROTOCOL.md describes the frames.

    async def main():
        async with Client(name="alice", on_turn=lambda view, hints: hints[:1]) as client:
            match = await client.create("tactics", against="random")
            print(await match.result)

The client reconnects when the connection is lost, resumes its matches, follows those that
move to another node, and sends no faster than the server accepts.
"""

import asyncio
import inspect
import json
import logging
import math
import random
import secrets
import ssl as tls
import time
from types import TracebackType
from typing import Any, Awaitable, Callable, Coroutine, Dict, List, Optional, Set, Type, Union
from urllib.parse import urljoin

from .websocket import NORMAL, Closed, WebSocket, split_url

URL = "ws://127.0.0.1:7777/"
PROTOCOL = 1
SUBPROTOCOL = "skirmish.v1"

RETRY_MIN_S, RETRY_MAX_S = 0.4, 8.0
RETRY_TRIES = 6  # of one request that was refused by one of _PASSING, except rate_limited
MOVES_FREE = 3  # of a match without a pause, until it is followed again
MOVES_MAX = 30  # of one request
MOVE_PAUSE_S = 1.0
ANSWER_TRIES = 3  # of on_turn, if its commands are refused
SILENCE_S = 25.0  # then a ping is sent; after as long again the connection is lost
PACE_MARGIN = 1.01  # clocks differ slightly
CLOCKS_S = 0.002  # both clocks may count whole milliseconds only

# These may be repeated: they change nothing, or have a command_id.
_REPEATABLE = {"list", "hints", "what_if", "submit", "withdraw", "resign", "watch", "resume", "ping", "mute"}
_PASSING = {"busy", "store_unavailable", "rate_limited"}  # nothing was done; a retry may succeed
_GONE = {"unknown_match", "not_in_match", "quarantined", "pruned"}  # the match cannot be followed any more
_LATE = {"wrong_turn", "turn_closed", "match_over", "id_reused"}  # the turn is over

Frame = Dict[str, Any]
Command = Dict[str, Any]
Commands = List[Command]

_log = logging.getLogger("skirmish")


class Refusal(Exception):
    """What the server refused: `code` for programs, the message for people."""

    def __init__(self, code: str, message: str, frame: Optional[Frame] = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.frame = frame or {}


class _Lost(Exception):
    """The connection broke before the answer came."""


def _wait_s(refused: Frame, tries: int) -> float:
    """Until a refused frame is sent again: up to seven times what the server says."""
    seconds: float = refused.get("retry_ms", 1000 * RETRY_MIN_S) / 1000
    return seconds * (1 + random.random() * min(tries, RETRY_TRIES))


class View(Dict[str, Any]):
    """What the seat sees.  `match` knows the rest."""

    def __init__(self, view: Dict[str, Any], match: "Match") -> None:
        super().__init__(view)
        self.match = match


OnTurn = Callable[[View, Commands], Union[Commands, Awaitable[Commands]]]
OnDraw = Callable[[View], bool]


class Match:
    """A match that the client follows.  `result` is its `over`: await it."""

    def __init__(self, number: int, seat: Optional[int] = None) -> None:
        self.number = number
        self.seat = seat
        self.code: Optional[str] = None
        self.ruleset = ""
        self.version = 0
        self.params: Dict[str, Any] = {}
        self.view: Optional[Dict[str, Any]] = None
        self.turn_open: Optional[Dict[str, Any]] = None
        self.verdicts: List[Dict[str, Any]] = []  # of what was sent last
        self.seq = 0
        self.result: "asyncio.Future[Frame]" = asyncio.get_running_loop().create_future()
        self.result.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._answered = -1  # the turn that is done
        self._playing: "Optional[asyncio.Task[None]]" = None
        self._resuming: "Optional[asyncio.Task[None]]" = None
        self._moves = 0

    @property
    def is_over(self) -> bool:
        return self.result.done()

    @property
    def has_won(self) -> bool:
        return self.is_over and self.seat is not None and self.result.result()["winner"] == self.seat

    @property
    def turn(self) -> int:
        """The open turn; -1: none is open."""
        return int(self.turn_open["turn"]) if self.turn_open is not None else -1

    def _owes(self) -> bool:
        return (self.turn_open is not None and self.view is not None and not self.is_over and
                self.seat in self.turn_open["owing"] and self.seat not in self.turn_open["ready"] and
                self.turn != self._answered)

    def _take(self, frame: Frame) -> None:
        kind = frame["type"]
        if "seq" in frame:
            self.seq = frame["seq"]
        if kind == "state":
            self.seat, self.ruleset, self.version = frame["seat"], frame["ruleset"], frame["version"]
            self.params, self.code = frame["params"], frame.get("code")
            self.turn_open = None
        if frame.get("view") is not None:
            self.view = frame["view"]
        if kind in ("turn", "seated", "clock", "state"):
            self.turn_open = frame.get("turn_open") or (None if kind == "turn" else self.turn_open)
        if frame.get("pending", {}).get("ready"):
            self._answered = self.turn
        over = frame if kind == "over" else frame.get("outcome") if frame.get("status") == "over" else None
        if over is not None and not self.result.done():
            self.result.set_result(over)


class _Pace:
    """Limits frames to what the server accepts from one connection, as given in `welcome`.

    A frame takes a token when it is sent.  The token starts to come back when the frame is
    answered, because the server may have read it as late as that.
    """

    def __init__(self) -> None:
        self._interval_s = 0.0
        self._burst = math.inf
        self._unanswered = 0
        self._full_at = 0.0  # when all tokens are back, except those of unanswered frames
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()

    def learn(self, per_second: float, burst: float) -> None:
        """Called with the answer to `hello`, which counts."""
        self._interval_s = PACE_MARGIN / per_second
        self._burst = burst
        self._full_at = 0.0
        self._unanswered = 1
        self.answered()

    def answered(self) -> None:
        self._unanswered -= 1
        self._full_at = max(self._full_at, time.monotonic() + CLOCKS_S) + self._interval_s
        self._changed.set()

    def refused(self, wait_s: float) -> None:
        """The server's count is right: other connections may share the limit."""
        self._full_at = max(self._full_at, time.monotonic() + wait_s + (self._burst - 1) * self._interval_s)

    def wait_s(self) -> float:
        others = self._burst - 1 - self._unanswered
        if others < 0:
            return math.inf
        return 0.0 if math.isinf(others) else max(0.0, self._full_at - time.monotonic() - others * self._interval_s)

    async def take(self) -> None:
        async with self._lock:
            wait_s = self.wait_s()
            while wait_s > 0:
                self._changed.clear()
                try:
                    await asyncio.wait_for(self._changed.wait(), None if math.isinf(wait_s) else wait_s)
                except asyncio.TimeoutError:
                    pass
                wait_s = self.wait_s()
            self._unanswered += 1


class _Link:
    """One socket: to any node (`path` is None), or to the one that a path names."""

    def __init__(self, client: "Client", path: Optional[str]) -> None:
        self.client = client
        self.path = path
        self.url = client.url if path is None else urljoin(client.url, path)
        self.is_gone = False
        self.retry_s: Optional[float] = None
        self._socket: Optional[WebSocket] = None
        self._is_welcome = False
        self._pace = _Pace()
        self._pending: "Dict[str, asyncio.Future[Frame]]" = {}
        self._waiters: "List[asyncio.Future[None]]" = []
        self._task = asyncio.ensure_future(self._run())

    # ---- its life ----

    async def _run(self) -> None:
        failures = 0
        while not self.client.is_closed:
            try:
                await self._live()
            except (Closed, OSError, _Lost) as error:
                failures = 0 if self._is_welcome else failures + 1
                _log.debug("%s: %s", self.url, error)
            except asyncio.CancelledError:
                raise
            except Exception as error:  # a refused hello, or a listener that fails
                failures += 0 if self.client.patient else 1
                if failures > self.client.retries_max or not self._may_come_again(error):
                    self.client._fail(error)
                    break
            self._is_welcome = False
            if self.path is not None or self.client.is_closed:
                break
            most_s = min(RETRY_MAX_S, RETRY_MIN_S * 2 ** min(failures, 6))
            pause_s = self.retry_s if self.retry_s is not None else random.uniform(0, most_s)
            self.retry_s = None
            if failures > self.client.retries_max:
                self.client._fail(Refusal("connection_lost", f"there is no server at {self.url}"))
                break
            await asyncio.sleep(pause_s)
        self.is_gone = True
        self._tell()
        if self.path is not None and not self.client.is_closed:
            self.client._fall_back(self)

    def _may_come_again(self, error: Exception) -> bool:
        is_known = self.client._opened is not None and self.client._opened.done()
        if not (self.client.patient or is_known) or not isinstance(error, Refusal) or error.code not in _PASSING:
            return False
        self.retry_s = _wait_s(error.frame, RETRY_TRIES)
        return True

    async def _live(self) -> None:
        """Connects, says hello and reads, until the connection is lost."""
        self._pace = _Pace()
        socket = await WebSocket.connect(self.url, SUBPROTOCOL, self.client.ssl, self.client.timeout_s)
        self._socket = socket
        reading = asyncio.ensure_future(self._read(socket))
        watching = asyncio.ensure_future(self._watch(socket))
        try:
            welcome = await self.ask({"type": "hello", "protocol": PROTOCOL, **self.client._who()})
            if welcome["type"] == "error":
                raise Refusal(welcome["code"], welcome["message"], welcome)
            self._pace.learn(welcome["frames_per_second"], welcome["frames_burst"])
            self._is_welcome = True
            self.client._welcomed(self, welcome)
            self._tell()
            await reading
        finally:
            socket.abort()
            watching.cancel()
            reading.cancel()
            await asyncio.gather(reading, watching, return_exceptions=True)

    async def _read(self, socket: WebSocket) -> None:
        try:
            while True:
                frame = json.loads(await socket.receive())
                if frame["type"] == "closing":
                    self.retry_s = frame["retry_ms"] / 1000 if "retry_ms" in frame else None
                self.client._take(self, frame)
                waiting = self._pending.get(frame.get("id"))
                if waiting is not None and not waiting.done():
                    waiting.set_result(frame)
        finally:
            self._socket = None
            for waiting in self._pending.values():
                if not waiting.done():
                    waiting.set_exception(_Lost())

    async def _watch(self, socket: WebSocket) -> None:
        """A connection may be dead without any event."""
        while True:
            await asyncio.sleep(SILENCE_S / 5)
            silent_s = time.monotonic() - socket.heard_at
            if silent_s > 2 * SILENCE_S:
                socket.abort()
            elif silent_s > SILENCE_S and self._is_welcome:
                asyncio.ensure_future(self.client._quietly(self.ask({"type": "ping"})))

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close(NORMAL)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self.is_gone = True
        self._tell()

    def lose(self) -> None:
        if self._socket is not None:
            self._socket.abort()

    # ---- requests ----

    def _tell(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def is_open(self) -> bool:
        """Waits until it is; False: it never will be."""
        while not self._is_welcome or self._socket is None:
            if self.is_gone:
                return False
            waiter: "asyncio.Future[None]" = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter
        return True

    @property
    def is_welcome(self) -> bool:
        return self._is_welcome

    async def ask(self, frame: Frame) -> Frame:
        """The answer, whatever it is."""
        pace = self._pace
        if frame["type"] != "hello":
            await pace.take()
        if self._socket is None:
            raise _Lost
        number = self.client._next_id()
        waiting: "asyncio.Future[Frame]" = asyncio.get_running_loop().create_future()
        self._pending[number] = waiting
        try:
            await self._socket.send(json.dumps({**frame, "id": number}, separators=(",", ":")))
            is_endless = self.client.patient and frame["type"] not in ("hello", "ping")
            return await asyncio.wait_for(waiting, None if is_endless else self.client.timeout_s)
        except asyncio.TimeoutError as error:
            if frame["type"] == "hello":
                raise _Lost from error
            raise Refusal("timeout", "the server did not answer in time") from error
        except Closed as error:
            raise _Lost from error
        finally:
            del self._pending[number]
            if frame["type"] != "hello":
                pace.answered()

    def slow_down(self, wait_s: float) -> None:
        self._pace.refused(wait_s)


class Client:
    """`token` of a player who returns, or `name` of a new one; without either, a guest.

    `on_turn(view, hints)` returns the commands of a turn.  `on_draw(view)` answers an offer of a
    draw; without it offers are declined.  `ssl` is a context for wss:// addresses.  A `patient`
    client waits for as long as the server is there but cannot answer, because its store fails;
    another raises Refusal after some tries.
    """

    def __init__(self, url: str = URL, *, name: Optional[str] = None, token: Optional[str] = None, bot: bool = True,
                 on_turn: Optional[OnTurn] = None, on_draw: Optional[OnDraw] = None,
                 ssl: Optional[tls.SSLContext] = None, timeout_s: float = 30, retries_max: int = 20,
                 patient: bool = False) -> None:
        split_url(url)
        self.url = url
        self.name = name if name or token else f"guest-{secrets.token_hex(4)}"
        self.token = token
        self.bot = bot
        self.on_turn = on_turn
        self.on_draw = on_draw
        self.ssl = ssl
        self.timeout_s = timeout_s
        self.retries_max = retries_max
        self.patient = patient
        self.is_closed = False
        self.matches: Dict[int, Match] = {}
        self._links: Dict[Optional[str], _Link] = {}
        self._routes: Dict[int, str] = {}  # match -> path; what is missing is asked at home
        self._opened: "Optional[asyncio.Future[Frame]]" = None
        self._queued: Optional[Frame] = None
        self._known: Set[int] = set()  # matches that were there before it waited in the queue
        self._found: "Optional[asyncio.Future[Match]]" = None
        self._listeners: Dict[str, List[Callable[[Frame], None]]] = {}
        self._tasks: "Set[asyncio.Future[Any]]" = set()
        self._error: Optional[BaseException] = None
        self._ids = 0

    # ---- opening and closing ----

    async def open(self) -> Frame:
        """Resolves with `welcome`; raises Refusal when the server does not want this name or token."""
        self._opened = asyncio.get_running_loop().create_future()
        self._links[None] = _Link(self, None)
        return await self._opened

    async def close(self) -> None:
        self.is_closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, *(link.close() for link in self._links.values()), return_exceptions=True)
        for match in self.matches.values():
            match.result.cancel()

    async def __aenter__(self) -> "Client":
        await self.open()
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                        trace: Optional[TracebackType]) -> None:
        await self.close()

    def on(self, kind: str, listener: Callable[[Frame], None]) -> None:
        """Calls the listener with every frame of this type; "frame" is all of them."""
        self._listeners.setdefault(kind, []).append(listener)

    def _who(self) -> Frame:
        return {"token": self.token} if self.token is not None else {"name": self.name, "bot": self.bot}

    def _welcomed(self, link: _Link, welcome: Frame) -> None:
        self.token = welcome.get("token", self.token)
        self.name = welcome["name"]
        is_first = self._opened is not None and not self._opened.done()
        if is_first and self._opened is not None:
            self._opened.set_result(welcome)
        for match in list(self.matches.values()):
            if self._routes.get(match.number) == link.path and not match.is_over:
                self._resume(match)
        if link.path is None and not is_first and self._queued is not None:
            self._start(self._queue_again())

    def _fail(self, error: BaseException) -> None:
        """Everything that waits gets the error."""
        self._error = error
        futures: "List[Optional[asyncio.Future[Any]]]" = [self._opened, self._found]
        futures += [match.result for match in self.matches.values()]
        for future in futures:
            if future is not None and not future.done():
                future.set_exception(error)

    def _start(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task: "asyncio.Task[None]" = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    @staticmethod
    async def _quietly(work: Awaitable[Any]) -> None:
        try:
            await work
        except (Refusal, _Lost) as error:
            _log.debug("%s", error)

    def _next_id(self) -> str:
        self._ids += 1
        return str(self._ids)

    # ---- requests ----

    async def request(self, kind: str, **members: Any) -> Frame:
        """Sends a frame and returns its answer; raises Refusal."""
        match = members.get("match")
        tries = moves = 0
        began = time.monotonic()
        while True:
            link = self._link_of(match)
            if not await link.is_open():
                if self._error is not None or self.is_closed:
                    raise self._error or Refusal("connection_lost", "the client is closed")
                continue
            if kind == "resume" and match in self.matches:
                members["seq"] = self.matches[match].seq
            try:
                answer = await link.ask({"type": kind, **members})
            except _Lost:
                if kind not in _REPEATABLE:
                    raise Refusal("connection_lost", "the connection was lost; it may have been done") from None
                continue
            if answer["type"] == "moved" and match is not None:
                moves += 1
                if moves > MOVES_MAX or not self._follow_move(match, link, answer["path"]):
                    raise Refusal("moved", "the match moved from server to server", answer)
                await self._pause_move(match)
            elif answer["type"] == "error":
                if not self._may_try_again(answer, tries, began):
                    raise Refusal(answer["code"], answer["message"], answer)
                tries += 1
                await self._pause_refused(link, answer, tries)
            else:
                return answer

    def _may_try_again(self, answer: Frame, tries: int, began: float) -> bool:
        if self.patient:
            return answer["code"] in _PASSING
        if answer["code"] == "rate_limited":
            return time.monotonic() - began < self.timeout_s
        return answer["code"] in _PASSING and tries < RETRY_TRIES

    @staticmethod
    async def _pause_refused(link: _Link, answer: Frame, tries: int) -> None:
        wait_s = _wait_s(answer, tries)
        if answer["code"] == "rate_limited":
            link.slow_down(wait_s)
        else:
            await asyncio.sleep(wait_s)

    # ---- where matches are ----

    def _link_of(self, match: Optional[int]) -> _Link:
        path = None if match is None else self._routes.get(match)
        link = self._links.get(path)
        if link is None or (link.is_gone and path is not None):
            if path is None and link is None:
                raise Refusal("connection_lost", "the client is not open")
            link = self._links[path] = _Link(self, path)
        return link

    def _follow_move(self, number: int, link: _Link, path: str) -> bool:
        """Another node has the match.  False: the path names another server, which must not get the token."""
        if not path.startswith("/") or path[1:2] in ("/", "\\"):
            return False
        if self._routes.get(number) == link.path:  # nobody else has found out
            if path in ("/", link.path):
                self._routes.pop(number, None)
            else:
                self._routes[number] = path
        if path == link.path:
            link.lose()  # another node answers in its place
        return True

    async def _pause_move(self, number: int) -> None:
        match = self.matches.get(number)
        if match is not None:
            match._moves += 1
            if match._moves > MOVES_FREE:
                await asyncio.sleep(random.uniform(MOVE_PAUSE_S / 2, MOVE_PAUSE_S))
            if match._resuming is None or match._resuming.done():
                self._resume(match)

    def _fall_back(self, link: _Link) -> None:
        """The link to a node is lost: any other knows where its matches are."""
        self._links.pop(link.path, None)
        numbers = [number for number, path in self._routes.items() if path == link.path]
        for number in numbers:
            del self._routes[number]
        pause_s = link.retry_s if link.retry_s is not None else random.uniform(0, RETRY_MIN_S)
        self._start(self._resume_later(numbers, pause_s))

    async def _resume_later(self, numbers: List[int], pause_s: float) -> None:
        await asyncio.sleep(pause_s)
        for number in numbers:
            if number in self.matches and not self.matches[number].is_over:
                self._resume(self.matches[number])

    def _resume(self, match: Match) -> None:
        """What is missing comes; only one such request per match."""
        if match._resuming is None or match._resuming.done():
            match._resuming = self._start(self._resume_now(match))

    async def _resume_now(self, match: Match) -> None:
        try:
            await self.request("resume", match=match.number, seq=match.seq)
            match._moves = 0
            self._consider(match)
        except Refusal as refusal:
            if refusal.code in _GONE and not match.result.done():
                match.result.set_exception(refusal)
            elif not self.is_closed and self._error is None:
                self._start(self._resume_later([match.number], random.uniform(RETRY_MIN_S, RETRY_MAX_S)))

    # ---- frames ----

    def _take(self, link: _Link, frame: Frame) -> None:
        kind, number = frame["type"], frame.get("match")
        if kind == "joined":
            self._take_joined(link, frame)
        elif kind == "moved" and "id" not in frame:
            self._take_moved(link, frame)
        match = self.matches.get(number) if number is not None else None
        if match is not None and kind != "state" and frame.get("seq", math.inf) <= match.seq:
            return  # it was here before the connection was lost
        if match is not None and kind != "joined":
            match._take(frame)
            if kind == "state":
                self._take_found(match)
            if kind in ("draw", "state"):
                self._take_offer(match, frame)
            self._consider(match)
        for listener in self._listeners.get(kind, []) + self._listeners.get("frame", []):
            listener(frame)

    def _follow(self, number: int, seat: Optional[int] = None) -> Match:
        if number not in self.matches:
            self.matches[number] = Match(number, seat)
        return self.matches[number]

    def _take_joined(self, link: _Link, frame: Frame) -> None:
        match = self._follow(frame["match"])
        match.seat, match.code = frame["seat"], frame.get("code")
        if link.path is None:
            self._routes.pop(match.number, None)
        else:
            self._routes[match.number] = link.path

    def _take_moved(self, link: _Link, frame: Frame) -> None:
        """This link followed the match, or `queue` has found it."""
        match = self._follow(frame["match"])
        if self._follow_move(match.number, link, frame["path"]):
            self._start(self._pause_move(match.number))

    def _take_found(self, match: Match) -> None:
        if self._queued is not None and self._found is not None and not self._found.done():
            if match.seat is not None and match.number not in self._known and not match.is_over:
                self._found.set_result(match)

    def _take_offer(self, match: Match, frame: Frame) -> None:
        offers = frame.get("offer") if frame["type"] == "state" else frame["seat"] if frame["offer"] == "made" else None
        if match.seat is None or offers is None or offers == match.seat or match.is_over or match.view is None:
            return
        accept = bool(self.on_draw(View(match.view, match))) if self.on_draw is not None else False
        self._start(self._quietly(self.request("answer_draw", match=match.number, accept=accept)))

    # ---- turns ----

    def _consider(self, match: Match) -> None:
        """If the seat owes commands, asks on_turn for them."""
        if self.on_turn is not None and match._owes() and (match._playing is None or match._playing.done()):
            match._playing = self._start(self._play(match, self.on_turn))

    async def _play(self, match: Match, on_turn: OnTurn) -> None:
        try:
            while match._owes():
                turn = match.turn
                try:
                    await self._play_turn(match, on_turn, turn)
                except Refusal as refusal:
                    if refusal.code in _PASSING or refusal.code == "timeout":
                        _log.warning("match %d, turn %d: %s; trying again", match.number, turn, refusal)
                        continue
                    if refusal.code not in _LATE:
                        raise
                    if match.turn == turn:
                        return  # the frame that ends the turn is still to come, and begins the next one
        except asyncio.CancelledError:
            raise
        except Exception as error:  # of on_turn: nobody else can tell
            self._fail(error)

    async def _play_turn(self, match: Match, on_turn: OnTurn, turn: int) -> None:
        for attempt in range(ANSWER_TRIES + 1):
            hints = await self.request("hints", match=match.number)
            if match.turn != turn or hints["turn"] != turn or match.view is None:
                return
            if attempt < ANSWER_TRIES:
                chosen = on_turn(View(match.view, match), hints["commands"])
                commands = await chosen if inspect.isawaitable(chosen) else chosen
            else:
                _log.warning("match %d, turn %d: refused again and again: %s", match.number, turn, match.verdicts)
                commands = hints["commands"][:1]
            if match.turn != turn:
                return
            answer = await self.request("submit", match=match.number, turn=turn, commands=list(commands),
                                        command_id=secrets.token_hex(12))
            match.verdicts = answer["verdicts"]
            if answer["ready"] or match.turn != turn:
                match._answered = max(match._answered, turn)
                return
        match._answered = turn

    # ---- matches ----

    async def create(self, ruleset: str, params: Optional[Dict[str, Any]] = None, *,
                     against: Union[str, Frame, None] = None, **members: Any) -> Match:
        """A new match.  `against` is a level of the server's bots, or what a seat of `create` may be."""
        if params is not None:
            members["params"] = params
        if against is not None:
            members["seats"] = [None, {"bot": {"level": against}} if isinstance(against, str) else against]
        answer = await self.request("create", ruleset=ruleset, **members)
        return self.matches[answer["match"]]

    async def join(self, match: Optional[int] = None, *, code: Optional[str] = None) -> Match:
        """Takes a seat, or continues with the one that the player has."""
        members: Frame = {} if match is None else {"match": match}
        if code is not None:
            members["code"] = code
        if match is not None:
            self._follow(match)
        try:
            answer = await self.request("join", **members)
            return self.matches[answer["match"]]
        except Refusal as refusal:
            if refusal.code not in ("already_joined", "connection_lost") or match is None:
                raise
        await self._resume_now(self._follow(match))
        return self.matches[match]

    async def queue(self, ruleset: str, params: Optional[Dict[str, Any]] = None) -> Match:
        """Waits for the next player who wants the same."""
        self._queued = {"ruleset": ruleset}
        if params is not None:
            self._queued["params"] = params
        self._known = set(self.matches)
        self._found = asyncio.get_running_loop().create_future()
        try:
            await self._queue_again()
            return await self._found
        finally:
            self._queued = None

    async def _queue_again(self) -> None:
        """A lost connection ends the wait; the match may have been found just before."""
        if self._queued is None or self._found is None:
            return
        await self.follow_mine()
        if not self._found.done():
            try:
                await self.request("queue", **self._queued)
            except Refusal as refusal:
                if refusal.code != "connection_lost" and not self._found.done():
                    self._found.set_exception(refusal)

    async def follow_mine(self) -> List[Match]:
        """Follows every running match of the player: after a restart of the program."""
        rows = (await self.request("list", status="running", mine=True))["matches"]
        return [await self.follow(row["id"]) for row in rows]

    async def follow(self, number: int) -> Match:
        """Follows a match in which the player has a seat."""
        if number not in self.matches:
            await self._resume_now(self._follow(number))
        return self.matches[number]

    async def resign(self, match: Match) -> None:
        await self.request("resign", match=match.number, command_id=secrets.token_hex(12))
