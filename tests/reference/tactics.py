"""A second implementation of tactics: slow, simple, and written from the rules alone.

`resolve(request)` says what `skirmish resolve` must answer, without `hash`.
Tests compare the two on random turns, so nothing here may be copied from the C code. It should stay simple:
when the two differ, a reader must be able to check this one against the rules by eye.

A request that must be refused gets {"error": {"code": WORD}}.  The comparison uses only that there is an
error, not the word.
"""

from dataclasses import dataclass

from endings import ENDING_REASONS
from forms import (SEATS, check_commands, check_members, check_outcome, check_request_members,
                   first_fault, is_cell, is_int32, is_integer, is_texts, is_unit_id)
from simultaneous import Rules

DEFAULTS = {"rows": 9, "cols": 9, "placement": False, "start_rows": 3, "turn_limit": 200}

BOARD_SIDES = range(3, 64 + 1)
PATTERN_SIDE_MAX = 63
AREA_MAX = 4096
TURN_CELLS_MAX = 32768
PATTERNS_MAX = 256
MODELS_MAX = 64
UNITS_PER_SEAT_MAX = 64
COMMANDS_MAX = 128

UNIT_KINDS = ("move", "attack", "place")
REASONS = ("eliminated", "draw_eliminated", "draw_turn_limit", *ENDING_REASONS)


def fill_in(params):
    return {**DEFAULTS, **params}


# ---------------------------------------------------------------- patterns

class Patterns:
    """The patterns of one match: which offsets are targets, and what choosing one affects.

    All offsets are as written, that is, from the host's point of view.
    """

    def __init__(self, patterns):
        self.patterns = patterns
        self.known_targets = {}
        self.known_areas = {}

    def targets(self, name):
        """Returns {offset: character} of every cell that is not a space."""
        if name not in self.known_targets:
            rows = self.patterns[name]["rows"]
            half = len(rows) // 2
            self.known_targets[name] = {
                (column - half, row - half): character
                for row, text in enumerate(rows)
                for column, character in enumerate(text)
                if character != " "
            }
        return self.known_targets[name]

    def area(self, name, character):
        """Returns the set of offsets, counted from the target, that choosing `character` affects."""
        if (name, character) not in self.known_areas:
            self.known_areas[name, character] = self.find_area(name, character)
        return self.known_areas[name, character]

    def find_area(self, name, character):
        inner = self.patterns[name].get("map", {}).get(character)
        if inner is None:
            return {(0, 0)}
        cells = set()
        for (x, y), inner_character in self.targets(inner).items():
            cells |= {(x + dx, y + dy) for dx, dy in self.area(inner, inner_character)}
        return cells


def turned(offset, seat):
    """Patterns are written for seat 0; seat 1 looks the other way."""
    x, y = offset
    return (x, y) if seat == 0 else (-x, -y)


def moved_by(cell, offset):
    return (cell[0] + offset[0], cell[1] + offset[1])


# ---------------------------------------------------------------- refusing params

def check_params(params):
    """Returns None, or the reason why a match with these params is refused."""
    return first_fault(find_params_faults(params))


def find_params_faults(params):
    # The default roster belongs to the tool; here the three are always needed.
    yield check_members(params, ("patterns", "models", "units"), DEFAULTS)
    full = fill_in(params)
    yield check_numbers(full)
    yield check_patterns(full["patterns"])
    yield check_models(full["models"], full["patterns"])
    yield check_units(full)
    yield check_turn_cells(full)
    if full["placement"]:
        yield check_placement(full)


def check_numbers(params):
    for side in ("rows", "cols"):
        if not is_integer(params[side]) or params[side] not in BOARD_SIDES:
            return "board_size"
    if not isinstance(params["placement"], bool):
        return "placement_type"
    if not is_int32(params["start_rows"]) or params["start_rows"] < 1:
        return "start_rows_range"
    if not is_int32(params["turn_limit"]) or params["turn_limit"] < 1:
        return "turn_limit_range"
    return None


def check_patterns(patterns):
    return first_fault(find_patterns_faults(patterns))


def find_patterns_faults(patterns):
    if not isinstance(patterns, dict):
        yield "not_an_object"
    if len(patterns) > PATTERNS_MAX:
        yield "too_many_patterns"
    for pattern in patterns.values():
        yield check_members(pattern, ("rows",), ("map",))
        yield check_pattern_shape(pattern["rows"])
        yield check_pattern_characters(pattern["rows"])
    for pattern in patterns.values():
        yield check_pattern_map(pattern.get("map", {}), patterns)
    for name in patterns:
        yield check_pattern_cycle(name, patterns)
    # Only now: areas of a cycle would never end.
    yield check_pattern_areas(patterns)


def check_pattern_shape(rows):
    if not is_texts(rows):
        return "rows_type"
    if len({len(text) for text in rows}) > 1:
        return "ragged"
    if len(rows) == 0 or len(rows) != len(rows[0]):
        return "not_square"
    if len(rows) % 2 == 0:
        return "even_side"
    if len(rows) > PATTERN_SIDE_MAX:
        return "side_too_long"
    return None


def is_printable(text):
    return all(" " <= character <= "~" for character in text)


def check_pattern_characters(rows):
    return None if all(is_printable(text) for text in rows) else "not_printable"


def check_pattern_map(mapping, patterns):
    if not isinstance(mapping, dict):
        return "not_an_object"
    for character, name in mapping.items():
        if len(character) != 1 or not isinstance(name, str):
            return "map_type"
        if not is_printable(character):
            return "not_printable"
        if character == " ":
            return "mapped_space"
        if name not in patterns:
            return "unknown_mapped_pattern"
    return None


def check_pattern_cycle(start, patterns):
    """Every mapping counts, also one of a character that the rows do not use."""
    reached = set()
    waiting = [start]
    while waiting:
        for name in patterns[waiting.pop()].get("map", {}).values():
            if name == start:
                return "mapping_cycle"
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    return None


def check_pattern_areas(patterns):
    book = Patterns(patterns)
    for name in patterns:
        for character in set(book.targets(name).values()):
            if len(book.area(name, character)) > AREA_MAX:
                return "area_too_large"
    return None


def check_turn_cells(params):
    """What a turn affects in which every unit attacks as widely as it can."""
    book = Patterns(params["patterns"])
    board = params["rows"] * params["cols"]
    widest = {}
    for name, model in params["models"].items():
        areas = [len(book.area(pattern, character)) for pattern in model["attack"]
                 for character in set(book.targets(pattern).values())]
        widest[name] = min(board, max([1, *areas]))
    return "turn_too_large" if sum(widest[unit["model"]] for unit in params["units"]) > TURN_CELLS_MAX else None


def check_models(models, patterns):
    return first_fault(find_models_faults(models, patterns))


def find_models_faults(models, patterns):
    if not isinstance(models, dict):
        yield "not_an_object"
    if len(models) > MODELS_MAX:
        yield "too_many_models"
    for model in models.values():
        yield check_members(model, ("description", "health", "power", "move", "attack"))
        yield check_model(model, patterns)


def check_model(model, patterns):
    if not isinstance(model["description"], str):
        return "description_type"
    if not is_integer(model["health"]) or not 1 <= model["health"] <= 10000:
        return "model_health"
    if not is_integer(model["power"]) or not 0 <= model["power"] <= 10000:
        return "model_power"
    for names in (model["move"], model["attack"]):
        if not is_texts(names):
            return "pattern_list_type"
        if any(name not in patterns for name in names):
            return "unknown_pattern"
    return None


def check_units(params):
    return first_fault(find_units_faults(params))


def find_units_faults(params):
    units = params["units"]
    if not isinstance(units, list):
        yield "not_a_list"
    for unit in units:
        yield check_members(unit, ("id", "model", "seat", "at"))
        yield check_unit(unit, params)
    for seat in SEATS:
        if sum(unit["seat"] == seat for unit in units) > UNITS_PER_SEAT_MAX:
            yield "too_many_units"
    yield check_distinct(units)


def check_unit(unit, params):
    if not is_unit_id(unit["id"]):
        return "unit_id"
    if unit["model"] not in params["models"]:
        return "unknown_model"
    if not is_integer(unit["seat"]) or unit["seat"] not in SEATS:
        return "unknown_seat"
    if not is_cell(unit["at"]) or not is_inside(params, unit["at"]):
        return "off_the_board"
    return None


def check_distinct(units):
    if len({unit["id"] for unit in units}) < len(units):
        return "double_id"
    if len({tuple(unit["at"]) for unit in units}) < len(units):
        return "two_on_a_cell"
    return None


def check_placement(params):
    if 2 * params["start_rows"] > params["rows"]:
        return "start_rows_overlap"
    for unit in params["units"]:
        if unit["at"][1] not in own_rows(params, unit["seat"]):
            return "default_place"
    return None


def is_inside(params, cell):
    return 0 <= cell[0] < params["cols"] and 0 <= cell[1] < params["rows"]


def own_rows(params, seat):
    """The host starts at the bottom, where y is high."""
    if seat == 0:
        return range(params["rows"] - params["start_rows"], params["rows"])
    return range(0, params["start_rows"])


# ---------------------------------------------------------------- refusing the rest of a request

def check_request(request):
    """Returns None, or the reason why the request is an error as a whole."""
    return first_fault(find_request_faults(request))


def find_request_faults(request):
    yield check_request_members(request, "tactics")
    yield check_params(request["params"])
    if "state" in request:
        yield check_state(request["state"], fill_in(request["params"]))
    if "commands" in request:
        yield check_commands(request["commands"], COMMANDS_MAX, check_command_form)


def check_state(state, params):
    return first_fault(find_state_faults(state, params))


def find_state_faults(state, params):
    yield check_members(state, ("phase", "units"), ("outcome",))
    if state["phase"] not in ("placement", "play"):
        yield "phase"
    if not isinstance(state["units"], list):
        yield "not_a_list"
    for unit in state["units"]:
        yield check_members(unit, ("id", "model", "seat", "at", "health"))
        yield check_state_unit(unit, params)
    yield check_distinct(state["units"])
    if "outcome" in state:
        yield check_outcome(state["outcome"], REASONS)


def check_state_unit(unit, params):
    fielded = {given["id"]: given for given in params["units"]}
    if unit["id"] not in fielded:
        return "unknown_id"
    given = fielded[unit["id"]]
    if unit["model"] != given["model"] or unit["seat"] != given["seat"]:
        return "other_unit"
    if not is_cell(unit["at"]) or not is_inside(params, unit["at"]):
        return "off_the_board"
    if not is_int32(unit["health"]) or unit["health"] < 1:
        return "health"
    return None


def check_command_form(command):
    fault = check_members(command, ("unit", "kind", "target"))
    if fault is not None:
        return fault
    if command["kind"] not in UNIT_KINDS:
        return "unknown_kind"
    if not is_unit_id(command["unit"]):
        return "unit_id"
    return None if is_cell(command["target"]) else "target"


# ---------------------------------------------------------------- the board and the commands on it

@dataclass
class Unit:
    id: str
    model: str
    seat: int
    at: tuple
    health: int


@dataclass
class Command:
    """One unit's command with its verdict, which is None until a check refuses it."""

    seat: int
    unit: str
    kind: str
    target: tuple
    verdict: str = None
    check: str = None


class Board:
    """A state with lookups. `units` holds the living, in the order of params."""

    def __init__(self, params, state):
        self.params = params
        self.phase = state["phase"]
        self.patterns = Patterns(params["patterns"])
        living = {unit["id"]: unit for unit in state["units"]}
        self.units = {}
        for given in params["units"]:
            if given["id"] in living:
                unit = living[given["id"]]
                self.units[unit["id"]] = Unit(unit["id"], unit["model"], unit["seat"],
                                              tuple(unit["at"]), unit["health"])

    def unit_at(self, cell):
        return next((unit for unit in self.units.values() if unit.at == cell), None)

    def model(self, unit):
        return self.params["models"][unit.model]

    def targets(self, unit, pattern_name):
        """Returns {cell: character} that the pattern offers to the unit where it stands now."""
        return {moved_by(unit.at, turned(offset, unit.seat)): character
                for offset, character in self.patterns.targets(pattern_name).items()}

    def can_target(self, unit, pattern_names, target):
        return any(target in self.targets(unit, name) for name in pattern_names)

    def attack_cells(self, unit, target):
        """Returns the cells on the board that the attack affects, in reading order."""
        for name in self.model(unit)["attack"]:
            offered = self.targets(unit, name)
            if target in offered:
                area = self.patterns.area(name, offered[target])
                cells = {moved_by(target, turned(offset, unit.seat)) for offset in area}
                return sorted((cell for cell in cells if is_inside(self.params, cell)),
                              key=lambda cell: (cell[1], cell[0]))
        raise AssertionError("an attack outside of its patterns was not refused")

    def as_state(self, outcome):
        state = {
            "phase": self.phase,
            "units": [{"id": unit.id, "model": unit.model, "seat": unit.seat,
                       "at": list(unit.at), "health": unit.health}
                      for unit in self.units.values()],
        }
        if outcome is not None:
            state["outcome"] = outcome
        return state


def first_state(params):
    return {
        "phase": "placement" if params["placement"] else "play",
        "units": [{**unit, "health": params["models"][unit["model"]]["health"]}
                  for unit in params["units"]],
    }


# ---------------------------------------------------------------- the checks
#
# Each check gets the commands of both seats that are not refused yet, and returns those it refuses as pairs
# of command and verdict.

def refuse_where(commands, verdict, is_wrong):
    return [(command, verdict) for command in commands if is_wrong(command)]


def of_kind(commands, kind):
    return [command for command in commands if command.kind == kind]


def crowds(commands, key):
    """The commands that share their key with another one."""
    groups = {}
    for command in commands:
        groups.setdefault(key(command), []).append(command)
    return [command for group in groups.values() if len(group) > 1 for command in group]


def own_unit(board, commands):
    refused = []
    for command in commands:
        if command.unit not in board.units:
            refused.append((command, "unknown_unit"))
        elif board.units[command.unit].seat != command.seat:
            refused.append((command, "not_your_unit"))
    return refused


def phase(board, commands):
    fitting = ("place",) if board.phase == "placement" else ("move", "attack")
    return refuse_where(commands, "wrong_phase", lambda command: command.kind not in fitting)


def single_command(board, commands):
    return [(command, "multiple_commands")
            for command in crowds(commands, lambda command: command.unit)]


def in_bounds(board, commands):
    return refuse_where(commands, "out_of_bounds",
                        lambda command: not is_inside(board.params, command.target))


def move_in_bounds(board, commands):
    return in_bounds(board, of_kind(commands, "move"))


def attack_in_bounds(board, commands):
    return in_bounds(board, of_kind(commands, "attack"))


def place_in_bounds(board, commands):
    return in_bounds(board, of_kind(commands, "place"))


def in_pattern(board, commands, use):
    def is_wrong(command):
        unit = board.units[command.unit]
        return not board.can_target(unit, board.model(unit)[use], command.target)
    return refuse_where(commands, "out_of_pattern", is_wrong)


def move_in_pattern(board, commands):
    return in_pattern(board, of_kind(commands, "move"), "move")


def attack_in_pattern(board, commands):
    return in_pattern(board, of_kind(commands, "attack"), "attack")


def start_rows(board, commands):
    return refuse_where(commands, "not_start_row",
                        lambda command: command.target[1] not in own_rows(board.params, command.seat))


def same_target(board, commands):
    """Attacks may share a cell; moves and placements of one seat may not."""
    going = [command for command in commands if command.kind != "attack"]
    return [(command, "same_target")
            for command in crowds(going, lambda command: (command.seat, command.target))]


def occupied(board, commands):
    """At turn start, so an occupant that leaves, or the mover itself, still counts."""
    return refuse_where(of_kind(commands, "move"), "occupied",
                        lambda command: board.unit_at(command.target) is not None)


def occupied_for_placement(board, commands):
    """All placements count at first; each refusal may make others invalid."""
    believed = list(commands)
    refused = []
    changed = True
    while changed:
        changed = False
        for command in list(believed):
            if not is_free_for_placement(board, command, believed):
                believed.remove(command)
                refused.append((command, "occupied"))
                changed = True
    return refused


def is_free_for_placement(board, command, believed):
    occupant = board.unit_at(command.target)
    if occupant is None or occupant.id == command.unit:
        return True
    # After `same_target` no other own unit is placed on this cell, so an own
    # occupant that is placed at all is placed elsewhere.
    return any(other.unit == occupant.id and other.seat == command.seat for other in believed)


def bounce(board, commands):
    """After `same_target`, several moves to one cell are always one of each seat."""
    return [(command, "bounced")
            for command in crowds(of_kind(commands, "move"), lambda command: command.target)]


PLAY_CHECKS = (
    ("own_unit", own_unit),
    ("phase", phase),
    ("single_command", single_command),
    ("move_in_bounds", move_in_bounds),
    ("attack_in_bounds", attack_in_bounds),
    ("move_in_pattern", move_in_pattern),
    ("attack_in_pattern", attack_in_pattern),
    ("same_target", same_target),
    ("occupied", occupied),
    ("bounce", bounce),
)

PLACEMENT_CHECKS = (
    ("own_unit", own_unit),
    ("phase", phase),
    ("single_command", single_command),
    ("place_in_bounds", place_in_bounds),
    ("start_rows", start_rows),
    ("same_target", same_target),
    ("occupied", occupied_for_placement),
)


def judge(board, commands):
    """Gives every command its verdict: the first check that refuses it, or `ok`."""
    checks = PLACEMENT_CHECKS if board.phase == "placement" else PLAY_CHECKS
    standing = list(commands)
    for name, check in checks:
        for command, verdict in check(board, standing):
            command.verdict, command.check = verdict, name
        standing = [command for command in standing if command.verdict is None]
    for command in standing:
        command.verdict = "ok"


# ---------------------------------------------------------------- application

def in_params_order(board, commands):
    """Events are in the order of params, so that arrival order does not matter."""
    order = list(board.units)
    return sorted(commands, key=lambda command: order.index(command.unit))


def accepted(board, commands, kind):
    return in_params_order(board, [command for command in of_kind(commands, kind)
                                   if command.verdict == "ok"])


def apply_placements(board, commands):
    events = []
    for command in accepted(board, commands, "place"):
        board.units[command.unit].at = command.target
        events.append({"kind": "placed", "unit": command.unit, "at": list(command.target)})
    return events


def tell_bounces(board, commands):
    bounced = in_params_order(board, [command for command in commands
                                      if command.verdict == "bounced"])
    events = []
    for command in bounced:
        if command.seat == 0:
            other = next(other for other in bounced
                         if other.seat == 1 and other.target == command.target)
            events.append({"kind": "bounced", "units": [command.unit, other.unit],
                           "at": list(command.target)})
    return events


def apply_moves(board, commands):
    events = []
    for command in accepted(board, commands, "move"):
        unit = board.units[command.unit]
        events.append({"kind": "moved", "unit": unit.id, "from": list(unit.at),
                       "to": list(command.target)})
        unit.at = command.target
    return events


def apply_attacks(board, commands):
    """Sums all damage before any is taken, so the order of the attacks cannot matter."""
    attacked, hits = [], []
    attackers_of = {unit_id: [] for unit_id in board.units}
    for command in accepted(board, commands, "attack"):
        attacker = board.units[command.unit]
        cells = board.attack_cells(attacker, command.target)
        attacked.append({"kind": "attacked", "unit": attacker.id, "target": list(command.target),
                         "cells": [list(cell) for cell in cells]})
        area = set(cells)
        for victim in board.units.values():
            if victim.at in area:
                attackers_of[victim.id].append(attacker)
    for unit_id, attackers in attackers_of.items():
        if attackers:
            damage = sum(board.model(attacker)["power"] for attacker in attackers)
            board.units[unit_id].health -= damage
            hits.append({"kind": "hit", "unit": unit_id, "by": [attacker.id for attacker in attackers],
                         "damage": damage, "health": board.units[unit_id].health})
    return attacked + hits


def apply_deaths(board):
    dead = [unit.id for unit in board.units.values() if unit.health <= 0]
    for unit_id in dead:
        del board.units[unit_id]
    return [{"kind": "died", "unit": unit_id} for unit_id in dead]


def find_outcome(board, turn):
    seats_left = {unit.seat for unit in board.units.values()}
    if not seats_left:
        return {"winner": None, "reason": "draw_eliminated"}
    if len(seats_left) == 1:
        return {"winner": seats_left.pop(), "reason": "eliminated"}
    if turn >= board.params["turn_limit"]:
        return {"winner": None, "reason": "draw_turn_limit"}
    return None


# ---------------------------------------------------------------- one request

def play_turn(board, commands):
    """Moves the board by one turn.  A `timeout` is accepted and does nothing."""
    judged = [[None if command["kind"] == "timeout" else
               Command(seat, command["unit"], command["kind"], tuple(command["target"]))
               for command in given]
              for seat, given in enumerate(commands)]
    of_units = [command for given in judged for command in given if command is not None]
    judge(board, of_units)
    events = apply_placements(board, of_units)
    events += tell_bounces(board, of_units)
    events += apply_moves(board, of_units)
    events += apply_attacks(board, of_units)
    events += apply_deaths(board)
    board.phase = "play"
    return [[verdict_form(command) for command in given] for given in judged], events


def verdict_form(command):
    if command is None:
        return {"verdict": "ok"}
    if command.check is None:
        return {"verdict": command.verdict}
    return {"verdict": command.verdict, "check": command.check}


resolve = Rules(check_request, fill_in, first_state, Board, find_outcome, play_turn).resolve
