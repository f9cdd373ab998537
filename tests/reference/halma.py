"""A second implementation of halma: slow, simple, and written from the rules alone.

`resolve(request)` says what `skirmish resolve` must answer, without `hash`.
Tests compare the two on random turns, so nothing here may be copied from the C code. It should stay simple:
when the two differ, a reader must be able to check this one against the rules by eye.

A request that must be refused gets {"error": {"code": WORD}}.  The comparison uses only that there is an
error, not the word.
"""

from dataclasses import dataclass

from endings import ENDING_REASONS
from forms import (INT32_MAX, SEATS, check_commands, check_members, check_outcome, check_request_members,
                   first_fault, is_cell, is_int32, is_integer, is_unit_id)
from simultaneous import Rules


def block(columns, rows):
    """In reading order: y, then x."""
    return [[x, y] for y in rows for x in columns]


LEFT, RIGHT = range(0, 3), range(15, 18)
DEFAULTS = {
    "size": 18,
    "pieces": [block(LEFT, range(14, 18)), block(RIGHT, range(14, 18))],
    "destinations": [block(RIGHT, range(0, 3)), block(LEFT, range(0, 3))],
    "turn_limit": 200,
    "stall_limit": 5,
    "cycle_ms": 0,
}

SIZES = range(6, 64 + 1)
PATH_MAX = 256
COMMANDS_MAX = 128
PIECES_PER_SEAT_MAX = 64
DESTINATIONS_PER_SEAT_MAX = 64
DAMAGE = 5
TURN_LIMIT_MAX = 1000000
CYCLE_MS_MIN, CYCLE_MS_MAX = 10, 3600000  # or 0 for none
REASONS = ("halmate", "draw_both_halmate", "stalled", "draw_turn_limit", *ENDING_REASONS)


def is_inside(params, cell):
    return all(0 <= part < params["size"] for part in cell)


def fill_in(params):
    return {**DEFAULTS, **params}


# ---------------------------------------------------------------- refusing params

def check_params(params):
    """Returns None, or the reason why a match with these params is refused."""
    return first_fault(find_params_faults(params))


def find_params_faults(params):
    yield check_members(params, (), DEFAULTS)
    full = fill_in(params)
    yield check_numbers(full)
    for name in ("pieces", "destinations"):
        yield check_cell_lists(full[name])
    yield check_pieces(full)
    yield check_destinations(full)


def check_numbers(params):
    if not is_integer(params["size"]) or params["size"] not in SIZES:
        return "size"
    if not is_integer(params["turn_limit"]) or not 1 <= params["turn_limit"] <= TURN_LIMIT_MAX:
        return "turn_limit"
    if not is_integer(params["stall_limit"]) or not 0 <= params["stall_limit"] <= TURN_LIMIT_MAX:
        return "stall_limit"
    cycle_ms = params["cycle_ms"]
    if not is_integer(cycle_ms) or not (cycle_ms == 0 or CYCLE_MS_MIN <= cycle_ms <= CYCLE_MS_MAX):
        return "cycle_ms"
    return None


def check_cell_lists(lists):
    if not isinstance(lists, list) or len(lists) != len(SEATS):
        return "one_list_per_seat"
    for cells in lists:
        if not isinstance(cells, list) or not all(is_cell(cell) for cell in cells):
            return "cells"
        if not cells:
            return "empty"
    return None


def check_pieces(params):
    cells = [tuple(cell) for given in params["pieces"] for cell in given]
    if any(len(given) > PIECES_PER_SEAT_MAX for given in params["pieces"]):
        return "too_many_pieces"
    if not all(is_inside(params, cell) for cell in cells):
        return "off_the_board"
    if len(set(cells)) < len(cells):
        return "two_on_a_cell"
    return None


def check_destinations(params):
    """The two seats may want the same squares; one seat wants a square once."""
    for given in params["destinations"]:
        cells = [tuple(cell) for cell in given]
        if len(cells) > DESTINATIONS_PER_SEAT_MAX:
            return "too_many_destinations"
        if not all(is_inside(params, cell) for cell in cells):
            return "off_the_board"
        if len(set(cells)) < len(cells):
            return "double_destination"
    return None


# ---------------------------------------------------------------- refusing the rest of a request

def check_request(request):
    """Returns None, or the reason why the request is an error as a whole."""
    return first_fault(find_request_faults(request))


def find_request_faults(request):
    yield check_request_members(request, "halma")
    yield check_params(request["params"])
    if "state" in request:
        yield check_state(request["state"], fill_in(request["params"]))
    if "commands" in request:
        yield check_commands(request["commands"], COMMANDS_MAX, check_command_form)


def check_state(state, params):
    return first_fault(find_state_faults(state, params))


def find_state_faults(state, params):
    yield check_members(state, ("units",), ("faults", "outcome"))
    if not isinstance(state["units"], list):
        yield "not_a_list"
    seats = {unit["id"]: unit["seat"] for unit in first_state(params)["units"]}
    for unit in state["units"]:
        yield check_members(unit, ("id", "seat", "at", "damage"))
        yield check_state_unit(unit, seats, params)
    ids = [unit["id"] for unit in state["units"]]
    if len(set(ids)) < len(ids):
        yield "double_id"
    if set(ids) != set(seats):
        yield "missing_piece"
    cells = [tuple(unit["at"]) for unit in state["units"]]
    if any(cells.count(cell) > 2 for cell in cells):
        yield "three_on_a_cell"
    yield check_faults(state.get("faults", [0, 0]), params)
    if "outcome" in state:
        yield check_outcome(state["outcome"], REASONS)


def check_state_unit(unit, seats, params):
    if not isinstance(unit["id"], str) or unit["id"] not in seats:
        return "unknown_id"
    if not is_integer(unit["seat"]) or unit["seat"] != seats[unit["id"]]:
        return "other_seat"
    if not is_cell(unit["at"]) or not is_inside(params, unit["at"]):
        return "off_the_board"
    if not is_integer(unit["damage"]) or not 0 <= unit["damage"] <= DAMAGE:
        return "damage"
    return None


def check_faults(faults, params):
    if not isinstance(faults, list) or len(faults) != len(SEATS):
        return "faults_form"
    if not all(is_int32(count) and count >= 0 for count in faults):
        return "faults_range"
    if params["stall_limit"] > 0 and all(count >= params["stall_limit"] for count in faults):
        return "both_stalled"
    return None


def check_command_form(command):
    fault = check_members(command, ("unit", "kind", "path"))
    if fault is not None:
        return fault
    if command["kind"] != "move":
        return "unknown_kind"
    if not is_unit_id(command["unit"]):
        return "unit_id"
    if not isinstance(command["path"], list) or not all(is_cell(cell) for cell in command["path"]):
        return "path"
    return None


# ---------------------------------------------------------------- the board and the commands on it

@dataclass
class Piece:
    id: str
    seat: int
    at: tuple
    damage: int


def first_state(params):
    return {
        "units": [{"id": "ab"[seat] + str(number), "seat": seat, "at": cell, "damage": 0}
                  for seat in SEATS for number, cell in enumerate(params["pieces"][seat], start=1)],
        "faults": [0, 0],
    }


class Board:
    """A state with lookups. `pieces` is in the order of params."""

    def __init__(self, params, state):
        self.params = params
        self.faults = list(state.get("faults", [0, 0]))
        given = {unit["id"]: unit for unit in state["units"]}
        self.pieces = {}
        for unit in first_state(params)["units"]:
            unit = given[unit["id"]]
            self.pieces[unit["id"]] = Piece(unit["id"], unit["seat"], tuple(unit["at"]), unit["damage"])

    def somebody_at(self, cell):
        return any(piece.at == cell for piece in self.pieces.values())

    def as_state(self, outcome):
        state = {
            "units": [{"id": piece.id, "seat": piece.seat, "at": list(piece.at), "damage": piece.damage}
                      for piece in self.pieces.values()],
            "faults": list(self.faults),
        }
        if outcome is not None:
            state["outcome"] = outcome
        return state


def legs_of(board, command):
    """Pairs of squares, from the one that the piece stands on."""
    squares = [board.pieces[command["unit"]].at] + [tuple(cell) for cell in command["path"]]
    return list(zip(squares, squares[1:]))


def apart(leg):
    """How far the two squares of a leg are from each other, each way."""
    (from_x, from_y), (to_x, to_y) = leg
    return abs(to_x - from_x), abs(to_y - from_y)


def is_hold(leg):
    return apart(leg) == (0, 0)


def is_step(leg):
    return apart(leg) in ((0, 1), (1, 0), (1, 1))


def is_jump(leg):
    return apart(leg) in ((0, 2), (2, 0), (2, 2))


def middle_of(leg):
    (from_x, from_y), (to_x, to_y) = leg
    return ((from_x + to_x) // 2, (from_y + to_y) // 2)


# ---------------------------------------------------------------- the checks
#
# Each gets the only command of a seat, and returns what is wrong with it or None.
# `single_command` comes before them all, in `judge`.

def own_unit(board, seat, command):
    if command["unit"] not in board.pieces:
        return "unknown_unit"
    return None if board.pieces[command["unit"]].seat == seat else "not_your_unit"


def path_shape(board, seat, command):
    return None if 1 <= len(command["path"]) <= PATH_MAX else "bad_path"


def path_in_bounds(board, seat, command):
    return None if all(is_inside(board.params, cell) for cell in command["path"]) else "out_of_bounds"


def path_steps(board, seat, command):
    legs = legs_of(board, command)
    if len(legs) == 1:
        good = is_hold(legs[0]) or is_step(legs[0]) or is_jump(legs[0])
    else:
        good = all(is_jump(leg) for leg in legs)
    return None if good else "bad_path"


def jump_over_piece(board, seat, command):
    jumps = [leg for leg in legs_of(board, command) if is_jump(leg)]
    return None if all(board.somebody_at(middle_of(leg)) for leg in jumps) else "nothing_to_jump"


def damaged_jump(board, seat, command):
    jumps = any(is_jump(leg) for leg in legs_of(board, command))
    return "damaged" if jumps and board.pieces[command["unit"]].damage > 0 else None


def landing_free(board, seat, command):
    own = board.pieces[command["unit"]].at
    landings = [tuple(cell) for cell in command["path"]]
    return None if all(cell == own or not board.somebody_at(cell) for cell in landings) else "occupied"


CHECKS = (own_unit, path_shape, path_in_bounds, path_steps, jump_over_piece, damaged_jump, landing_free)


def judge(board, seat, given):
    """Returns the verdict of each of a seat's commands.  A timeout is no second command."""
    moves = [command for command in given if command["kind"] == "move"]
    return [{"verdict": "ok"} if command["kind"] == "timeout" else
            {"verdict": "multiple_commands", "check": "single_command"} if len(moves) > 1 else
            judge_alone(board, seat, command)
            for command in given]


def judge_alone(board, seat, command):
    for check in CHECKS:
        verdict = check(board, seat, command)
        if verdict is not None:
            return {"verdict": verdict, "check": check.__name__}
    return {"verdict": "ok"}


# ---------------------------------------------------------------- resolution

def find_reason(given, verdicts):
    """Why the seat keeps the turn from being enacted, or None."""
    of_moves = [verdict["verdict"] for command, verdict in zip(given, verdicts) if command["kind"] == "move"]
    if not of_moves:
        return "missing"
    return None if of_moves[0] == "ok" else of_moves[0]


def play_turn(board, commands):
    verdicts = [judge(board, seat, given) for seat, given in enumerate(commands)]
    reasons = [find_reason(given, told) for given, told in zip(commands, verdicts)]
    guilty = [seat for seat in SEATS if reasons[seat] is not None]
    if guilty:
        if len(guilty) == 1:
            board.faults[guilty[0]] = min(board.faults[guilty[0]] + 1, INT32_MAX)
        return verdicts, [{"kind": "not_enacted", "seats": guilty, "reasons": [reasons[seat] for seat in guilty]}]
    board.faults = [max(0, count - 1) for count in board.faults]
    moves = [next(command for command in given if command["kind"] == "move") for given in commands]
    return verdicts, enact(board, moves)


def enact(board, moves):
    starts = [board.pieces[move["unit"]].at for move in moves]
    ends = [tuple(move["path"][-1]) for move in moves]
    events = [{"kind": "moved", "unit": move["unit"], "path": [list(start)] + move["path"]}
              for move, start in zip(moves, starts)]
    for move, end in zip(moves, ends):
        board.pieces[move["unit"]].at = end
    hit = []
    if ends[0] == ends[1] and (starts[0] != ends[0] or starts[1] != ends[1]):
        hit = [move["unit"] for move in moves]
        events.append({"kind": "collided", "units": hit, "at": list(ends[0])})
    events += heal(board, hit)
    mated = [seat for seat in SEATS if is_halmate(board, seat)]
    if mated:
        events.append({"kind": "halmate", "seats": mated})
    return events


def heal(board, hit):
    """Everybody damaged loses 1; those hit in this turn end it at the whole damage."""
    events = []
    for piece in board.pieces.values():
        if piece.id in hit:
            piece.damage = DAMAGE
        elif piece.damage > 0:
            piece.damage -= 1
            if piece.damage == 0:
                events.append({"kind": "healed", "unit": piece.id})
    return events


def is_halmate(board, seat):
    destinations = [tuple(cell) for cell in board.params["destinations"][seat]]
    own = [piece.at for piece in board.pieces.values() if piece.seat == seat]
    return all(board.somebody_at(cell) for cell in destinations) and any(cell in own for cell in destinations)


def find_outcome(board, turn):
    mated = [seat for seat in SEATS if is_halmate(board, seat)]
    if len(mated) == 2:
        return {"winner": None, "reason": "draw_both_halmate"}
    if mated:
        return {"winner": mated[0], "reason": "halmate"}
    for seat in SEATS:
        if 0 < board.params["stall_limit"] <= board.faults[seat]:
            return {"winner": 1 - seat, "reason": "stalled"}
    if turn >= board.params["turn_limit"]:
        return {"winner": None, "reason": "draw_turn_limit"}
    return None


# ---------------------------------------------------------------- one request


resolve = Rules(check_request, fill_in, first_state, Board, find_outcome, play_turn).resolve
