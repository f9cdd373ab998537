"""Requests in JSON, and matches behind a handle.

Everything is documented in skirmish.h; names and meanings are the same here.
"""

import ctypes
import json
from array import array
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Type, TypeVar, Union

from .library import Error, load

RUNNING = 0
DRAWN = 1
WON = 2  # plus the seat
SPECTATOR = 255
_NO_VERDICT = 255
_SEED_BYTES = 32

Command = Dict[str, Any]
_Self = TypeVar("_Self", bound="_Handle")


class SkirmishError(Exception):
    """Something handed in is wrong: `code` is a stable word, `at` a JSON pointer.

    Of a match file also the last `line` that was read, and the `turn` that does not hold.
    """

    def __init__(self, code: str, message: str, at: str = "", line: Optional[int] = None,
                 turn: Optional[int] = None) -> None:
        super().__init__(f"{message} (at {at})" if at else message)
        self.code = code
        self.at = at
        self.line = line
        self.turn = turn


def _text(function: Callable[..., int], *arguments: Any) -> bytes:
    """Calls a function that hands out JSON; raises what is wrong."""
    at = ctypes.c_void_p()
    length = ctypes.c_size_t()
    status = function(*arguments, ctypes.byref(at), ctypes.byref(length))
    answer = ctypes.string_at(at, length.value) if at.value else b""
    if status < 0:
        error = json.loads(answer)["error"] if answer else {"code": "malformed", "message": "no such match or seat"}
        raise SkirmishError(error["code"], error["message"], error.get("at", ""), error.get("line"), error.get("turn"))
    return answer


def _dump(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _seat(seat: int) -> int:
    """ctypes would cut off what does not fit a byte, and name another seat."""
    if seat not in range(SPECTATOR + 1):
        raise SkirmishError("malformed", f"there is no seat {seat}")
    return seat


def _number(name: str, number: int) -> int:
    """The same for 32 bits."""
    if number not in range(1 << 32):
        raise SkirmishError("malformed", f"{name}: {number} is not from 0 to {(1 << 32) - 1}")
    return number


def _seed(seed: Union[int, bytes]) -> bytes:
    return seed.to_bytes(_SEED_BYTES, "little") if isinstance(seed, int) else seed


class _Handle:
    """A handle of the library that is given back once: by `close`, by `with`, or at last."""

    _library: ctypes.CDLL
    _handle: Optional[int] = None
    _free: str  # the function that takes it

    def close(self) -> None:
        if self._handle is not None:
            getattr(self._library, self._free)(self._handle)
            self._handle = None

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class Referee(_Handle):
    """Answers requests of `skirmish resolve`; nothing is kept between two."""

    _free = "sk_referee_close"

    def __init__(self, library: Optional[str] = None) -> None:
        self._library = load(library)
        self._handle = self._library.sk_referee_new()
        if self._handle is None:
            raise MemoryError

    def _open(self) -> int:
        if self._handle is None:
            raise ValueError("the referee is closed")
        return self._handle

    def resolve_text(self, request: bytes) -> bytes:
        """One request as JSON text, and its answer."""
        return _text(self._library.sk_resolve, self._open(), request, len(request))

    def resolve(self, request: Dict[str, Any]) -> Dict[str, Any]:
        answer: Dict[str, Any] = json.loads(self.resolve_text(_dump(request)))
        return answer

    def look(self, request: Dict[str, Any], seat: int) -> Dict[str, Any]:
        """What a seat, or SPECTATOR, may know after such a request."""
        return self._seen(self._library.sk_view, request, seat)

    def hints(self, request: Dict[str, Any], seat: int) -> Dict[str, Any]:
        """Every command that would be ok alone: `turn` and `commands`."""
        return self._seen(self._library.sk_hints, request, seat)

    def _seen(self, function: Callable[..., int], request: Dict[str, Any], seat: int) -> Dict[str, Any]:
        text = _dump(request)
        answer: Dict[str, Any] = json.loads(_text(function, self._open(), text, len(text), _seat(seat)))
        return answer

    def prove(self, file: bytes) -> Iterator[Dict[str, Any]]:
        """Proves a match file and yields each step as it holds; raises at the first thing that does not."""
        self._open()
        proof = self._library.sk_proof_new(file, len(file))
        if proof is None:
            raise MemoryError
        try:
            for step in iter(lambda: _text(self._library.sk_proof_step, proof), b""):
                yield json.loads(step)
        finally:
            self._library.sk_proof_free(proof)

    def rulesets(self) -> List[Dict[str, Any]]:
        answer: List[Dict[str, Any]] = json.loads(_text(self._library.sk_rulesets, self._open()))
        return answer

    def schema(self, ruleset: str, version: int = 0) -> Dict[str, Any]:
        answer: Dict[str, Any] = json.loads(_text(self._library.sk_schema, self._open(), ruleset.encode(),
                                                  _number("version", version)))
        return answer

    def params(self, ruleset: str, params: Optional[Dict[str, Any]] = None, version: int = 0) -> Dict[str, Any]:
        """Checks params and returns them complete; None = those of a match that names none."""
        text = None if params is None else _dump(params)
        answer: Dict[str, Any] = json.loads(_text(self._library.sk_params, self._open(), ruleset.encode(),
                                                  _number("version", version), text, len(text or b"")))
        return answer


class Game(_Handle):
    """`count` matches with the same params, each with a seed and a state of its own.

    `slots` is the number of commands that a seat may give in a turn.  Arrays are
    array("i"), or anything else that is writable and holds 32-bit integers.
    """

    _free = "sk_game_free"

    def __init__(self, ruleset: str, params: Optional[Dict[str, Any]] = None, *, version: int = 0, count: int = 1,
                 slots: int = 1, list_max: int = 0, library: Optional[str] = None) -> None:
        error = Error()
        text = None if params is None else _dump(params)
        self._library = load(library)
        self._handle = self._library.sk_game_new(
            ruleset.encode(), _number("version", version), text, len(text or b""), _number("count", count),
            _number("slots", slots), _number("list_max", list_max), ctypes.byref(error))
        if self._handle is None:
            raise SkirmishError(error.code.decode(), error.message.decode(), error.at.decode())
        shape = (ctypes.c_int32 * 3)()
        self._library.sk_game_action_shape(self._handle, shape, 3)
        self.count = count
        self.seats, self.slots, self.action_width = shape
        self._library.sk_game_observe_shape(self._handle, shape, 1)
        self.observation_width = shape[0]
        self.actions: int = self._library.sk_game_actions(self._handle)
        self.description: Dict[str, Any] = json.loads(_text(self._library.sk_game_describe, self._handle))

    def _match(self, i: int) -> int:
        """The handle, for calls about match `i`."""
        if self._handle is None:
            raise ValueError("the game is closed")
        if not 0 <= i < self.count:
            raise IndexError(f"there is no match {i}")
        return self._handle

    def _rows(self, actions: Any, matches: int) -> Any:
        needed = matches * self.seats * self.slots * self.action_width
        return (ctypes.c_int32 * needed).from_buffer(actions)

    @staticmethod
    def _check(status: int) -> int:
        if status < 0:
            raise SkirmishError("malformed", "a seat, a row or the bytes are invalid; nothing has changed")
        return status

    def reset(self, i: int = 0, seed: Union[int, bytes] = 0) -> None:
        bytes_ = _seed(seed)
        if len(bytes_) != _SEED_BYTES:
            raise ValueError(f"a seed has {_SEED_BYTES} bytes")
        self._check(self._library.sk_game_reset(self._match(i), i, bytes_))

    def owing(self, i: int = 0) -> List[int]:
        bits = self._library.sk_game_owing(self._match(i), i)
        return [seat for seat in range(self.seats) if bits >> seat & 1]

    def turn(self, i: int = 0) -> int:
        return int(self._library.sk_game_turn(self._match(i), i))

    def outcome(self, i: int = 0) -> int:
        """RUNNING, DRAWN, or WON + the seat."""
        return int(self._library.sk_game_outcome(self._match(i), i))

    def hash(self, i: int = 0) -> str:
        return f"{self._library.sk_game_hash(self._match(i), i):016x}"

    def view(self, seat: int, i: int = 0) -> Dict[str, Any]:
        answer: Dict[str, Any] = json.loads(_text(self._library.sk_game_view, self._match(i), i, _seat(seat)))
        return answer

    def hints(self, seat: int, i: int = 0) -> List[Command]:
        answer: List[Command] = json.loads(_text(self._library.sk_game_hints_json, self._match(i), i, _seat(seat)))
        return answer

    def hint_rows(self, seat: int, most: int, i: int = 0) -> "array[int]":
        """The rows of at most so many hints."""
        rows = array("i", bytes(4 * most * self.action_width))
        found = self._check(self._library.sk_game_hints(self._match(i), i, _seat(seat), rows.buffer_info()[0], most))
        return rows[:min(found, most) * self.action_width]

    def observe(self, seat: int, i: int = 0) -> "array[int]":
        row = array("i", bytes(4 * self.observation_width))
        self._check(self._library.sk_game_observe(self._match(i), i, _seat(seat), row.buffer_info()[0]))
        return row

    def mask(self, seat: int, i: int = 0) -> bytearray:
        mask = bytearray(self.actions)
        to = (ctypes.c_uint8 * len(mask)).from_buffer(mask)
        self._check(self._library.sk_game_mask(self._match(i), i, _seat(seat), to))
        return mask

    def rows(self, commands: Sequence[Sequence[Command]]) -> "array[int]":
        """The rows of one match: a list of commands for each seat."""
        if len(commands) != self.seats:
            raise ValueError(f"there are {self.seats} seats")
        size = 4 * self.slots * self.action_width
        rows = array("i", bytes(self.seats * size))
        error = Error()
        for seat, listed in enumerate(commands):
            text = _dump(listed)
            if self._library.sk_game_command_rows(self._match(0), text, len(text), rows.buffer_info()[0] + seat * size,
                                                  ctypes.byref(error)) < 0:
                raise SkirmishError(error.code.decode(), error.message.decode(), f"/{seat}{error.at.decode()}")
        return rows

    def action_rows(self, actions: "array[int]") -> "array[int]":
        """The rows of numbered actions."""
        rows = array("i", bytes(4 * len(actions) * self.action_width))
        self._check(self._library.sk_game_action_rows(self._match(0), actions.buffer_info()[0], len(actions),
                                                      rows.buffer_info()[0]))
        return rows

    def judge(self, seat: int, commands: Sequence[Command], i: int = 0) -> List[str]:
        """The verdicts that the seat's commands would get now."""
        if seat not in range(self.seats):
            raise SkirmishError("malformed", f"there are {self.seats} seats")
        rows = self.rows([commands if each == seat else [] for each in range(self.seats)])
        verdicts = (ctypes.c_uint8 * self.slots)()
        at = rows.buffer_info()[0] + 4 * seat * self.slots * self.action_width
        self._check(self._library.sk_game_judge(self._match(i), i, seat, at, verdicts))
        return self._words(verdicts)

    def step(self, commands: Sequence[Sequence[Command]], i: int = 0) -> List[List[str]]:
        """Plays a turn; returns the verdicts of each seat's commands."""
        return self.step_rows(self.rows(commands), i)

    def _words(self, verdicts: Iterable[int]) -> List[str]:
        words = self.description["verdicts"]
        return [words[verdict] for verdict in verdicts if verdict != _NO_VERDICT]

    def step_rows(self, actions: Any, i: int = 0) -> List[List[str]]:
        verdicts = (ctypes.c_uint8 * (self.seats * self.slots))()
        self._check(self._library.sk_game_step(self._match(i), i, self._rows(actions, 1), verdicts))
        return [self._words(verdicts[seat * self.slots:(seat + 1) * self.slots]) for seat in range(self.seats)]

    def step_all(self, actions: Any, observations: Any = None, outcomes: Optional[bytearray] = None,
                 again: bool = False) -> int:
        """Plays a turn of every match; returns how many are over.  Fills what is handed in."""
        seen = observations
        if seen is not None:
            seen = (ctypes.c_int32 * (self.count * self.seats * self.observation_width)).from_buffer(seen)
        ended = None if outcomes is None else (ctypes.c_uint8 * self.count).from_buffer(outcomes)
        return self._check(self._library.sk_game_step_all(self._match(0), self._rows(actions, self.count), seen, ended,
                                                          again))

    def play_all(self, buffers: Tuple[Optional[int], ...], again: bool) -> int:
        """As step_all with numbered actions; addresses of actions, observations, masks and outcomes."""
        return self._check(self._library.sk_game_play_all(self._match(0), *buffers, again))

    def save(self, i: int = 0) -> bytes:
        size = self._library.sk_game_save(self._match(i), i, None, 0)
        saved = ctypes.create_string_buffer(size)
        self._library.sk_game_save(self._match(i), i, saved, size)
        return saved.raw

    def load(self, saved: bytes, i: int = 0) -> None:
        self._check(self._library.sk_game_load(self._match(i), i, saved, len(saved)))
