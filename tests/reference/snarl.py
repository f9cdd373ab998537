"""A second implementation of snarl: slow, simple, and written from the rules alone.

`resolve(request)` is the expected answer of `skirmish resolve`, without `hash`.
Random numbers are drawn as in the rules: a stream for each stage of a turn (chance.py), in the order of
events.
"""

import functools
import marshal
from collections import deque

from chance import Stream
from endings import ENDING_REASONS, all_match_over, find_agreed_ending, find_leaving, verdicts_of_ending
from forms import (check_commands, check_members, check_outcome, check_request_members, first_fault, is_cell,
                   is_int32, is_unit_id)

COMMANDS_MAX = 128
HEROES_MAX, LEVELS_MAX, SIDE_MAX, ROOMS_MAX = 4, 32, 200, 64
HALLWAYS_MAX, WAYPOINTS_MAX, OBJECTS_MAX, HERO_STARTS_MAX, ADVERSARIES_MAX = 128, 64, 16, 16, 64
LIMIT_MAX = 1000000
STEPS_MAX = 8
DEFAULTS = {"mode": "coop", "level_end": "all", "adversaries": "auto", "round_limit": 300, "steps": {}}
WORDS = {"mode": ("coop", "versus"), "level_end": ("all", "any"), "adversaries": ("auto", "idle")}
VERSIONS = (1, 2)  # 1 has no event for a locked exit
STATUSES = ("active", "exited", "expelled", "resigned")
REASONS = ("won", "lost", "draw_equal", *ENDING_REASONS, "draw_turn_limit")
KINDS = ("zombie", "ghost")

CHANCE_STEPS, CHANCE_RELOCATION, CHANCE_PLACEMENT, CHANCE_LEVEL = 0, 1, 2, 256
UP, LEFT, RIGHT, DOWN = (0, -1), (-1, 0), (1, 0), (0, 1)


def neighbours(cell):
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in (UP, LEFT, RIGHT, DOWN)]


def is_in_range(value, low, high):
    return is_int32(value) and low <= value <= high


# ---------------------------------------------------------------- levels

def is_point(value):
    return isinstance(value, list) and len(value) == 2 and all(is_in_range(part, 0, SIDE_MAX - 1) for part in value)


def cell_of(point):
    """Points are [row, column], cells (x, y)."""
    return point[1], point[0]


def is_list_of(value, low, high):
    return isinstance(value, list) and low <= len(value) <= high


def check_level_form(level):
    return first_fault(find_level_form_faults(level))


def find_level_form_faults(level):
    yield check_members(level, ("rooms", "hallways", "objects"), ("type", "starts"))
    if level.get("type", "level") != "level":
        yield "type"
    if not is_list_of(level["rooms"], 1, ROOMS_MAX) or not is_list_of(level["hallways"], 0, HALLWAYS_MAX) \
            or not is_list_of(level["objects"], 0, OBJECTS_MAX):
        yield "list"
    for room in level["rooms"]:
        yield from find_room_form_faults(room)
    for hallway in level["hallways"]:
        yield from find_hallway_form_faults(hallway)
    for thing in level["objects"]:
        yield check_members(thing, ("type", "position"))
        if thing["type"] not in ("key", "exit") or not is_point(thing["position"]):
            yield "object"
    if "starts" in level:
        yield from find_starts_form_faults(level["starts"])


def find_room_form_faults(room):
    yield check_members(room, ("origin", "bounds", "layout"), ("type",))
    yield check_members(room["bounds"], ("rows", "columns"))
    if room.get("type", "room") != "room" or not is_point(room["origin"]):
        yield "room"
    if not all(is_in_range(size, 1, SIDE_MAX) for size in room["bounds"].values()):
        yield "bounds"
    if not is_list_of(room["layout"], 0, SIDE_MAX) or not all(is_list_of(row, 0, SIDE_MAX) for row in room["layout"]):
        yield "layout"
    if not all(is_in_range(tile, 0, 2) for row in room["layout"] for tile in row):
        yield "tile"


def find_hallway_form_faults(hallway):
    yield check_members(hallway, ("from", "to", "waypoints"), ("type",))
    if hallway.get("type", "hallway") != "hallway" or not is_list_of(hallway["waypoints"], 0, WAYPOINTS_MAX):
        yield "hallway"
    if not all(is_point(point) for point in (hallway["from"], hallway["to"], *hallway["waypoints"])):
        yield "point"


def find_starts_form_faults(starts):
    yield check_members(starts, ("heroes",), ("adversaries",))
    if not is_list_of(starts["heroes"], 0, HERO_STARTS_MAX) or not all(is_point(point) for point in starts["heroes"]):
        yield "hero_starts"
    if not is_list_of(starts.get("adversaries", []), 0, ADVERSARIES_MAX):
        yield "adversary_starts"
    for start in starts.get("adversaries", []):
        yield check_members(start, ("kind", "at"))
        if start["kind"] not in KINDS or not is_point(start["at"]):
            yield "start"


def lay_out(form, number, heroes):
    """The level, cached, because every turn of a match needs it."""
    return lay_out_once(marshal.dumps(form, 2), number, heroes)


@functools.lru_cache(maxsize=64)
def lay_out_once(form, number, heroes):
    return Level(marshal.loads(form), number, heroes)


class Level:
    """A level: `tiles` has every tile that is not void."""

    def __init__(self, form, number, heroes):
        self.form = form
        self.number = number
        self.tiles = {}
        self.rooms = []  # the cells of each, in reading order
        for room in form["rooms"]:
            x, y = cell_of(room["origin"])
            cells = [(x + column, y + row) for row in range(room["bounds"]["rows"])
                     for column in range(room["bounds"]["columns"])]
            self.rooms.append(cells)
            flat = [tile for row in room["layout"] for tile in row]
            for cell, tile in zip(cells, flat):
                self.tiles[cell] = "#.+"[tile]
        self.in_room = {cell: number for number, cells in enumerate(self.rooms) for cell in cells}
        for hallway in form["hallways"]:
            for cell in hallway_cells(hallway):
                self.tiles.setdefault(cell, ".")
        places = {thing["type"]: cell_of(thing["position"]) for thing in reversed(form["objects"])}
        self.key = places.get("key")
        self.exit = places.get("exit")
        self.hero_starts = self.find_hero_starts(heroes)
        self.adversaries = self.find_adversaries()

    def is_traversable(self, cell):
        return self.tiles.get(cell) in (".", "+")

    def is_free_floor(self, cell):
        return self.tiles.get(cell) == "." and cell in self.in_room and cell not in (self.key, self.exit)

    def find_hero_starts(self, heroes):
        """May be too few; check_level checks that."""
        if "starts" in self.form:
            return [cell_of(point) for point in self.form["starts"]["heroes"]][:heroes]
        return [cell for cell in self.rooms[0] if self.is_free_floor(cell)][:heroes]

    def find_adversaries(self):
        """(id, kind, where it starts or None), in the order in which they move."""
        if "adversaries" in self.form.get("starts", {}):
            wanted = [(start["kind"], cell_of(start["at"])) for start in self.form["starts"]["adversaries"]]
        else:
            wanted = [("zombie", None)] * (self.number // 2 + 1) + [("ghost", None)] * ((self.number - 1) // 2)
        counts = dict.fromkeys(KINDS, 0)
        named = []
        for kind, at in wanted:
            counts[kind] += 1
            named.append(("%s-%d" % (kind, counts[kind]), kind, at))
        return named


def hallway_cells(hallway):
    points = [cell_of(point) for point in (hallway["from"], *hallway["waypoints"], hallway["to"])]
    cells = []
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        cells += [(x, y) for x in range(min(x0, x1), max(x0, x1) + 1) for y in range(min(y0, y1), max(y0, y1) + 1)]
    return cells


def check_level(form, number, heroes):
    """What is wrong with a well-formed level."""
    for room in form["rooms"]:
        size = room["bounds"]
        if room["origin"][0] + size["rows"] > SIDE_MAX or room["origin"][1] + size["columns"] > SIDE_MAX:
            return "room_off_grid"
        if len(room["layout"]) != size["rows"] or any(len(row) != size["columns"] for row in room["layout"]):
            return "room_layout"
    if not all(is_straight(hallway) for hallway in form["hallways"]):
        return "hallway_not_straight"
    level = lay_out(form, number, heroes)
    if len(level.in_room) != sum(len(cells) for cells in level.rooms):
        return "rooms_overlap"
    return first_fault((check_hallways(level), check_objects(level), check_starts(level, heroes)))


def is_straight(hallway):
    points = [hallway["from"], *hallway["waypoints"], hallway["to"]]
    return all(one[0] == other[0] or one[1] == other[1] for one, other in zip(points, points[1:]))


def check_hallways(level):
    for hallway in level.form["hallways"]:
        ends = [cell_of(hallway["from"]), cell_of(hallway["to"])]
        if not all(end in level.in_room and level.tiles[end] == "+" for end in ends):
            return "hallway_off_door"
        if any(cell in level.in_room and cell not in ends for cell in hallway_cells(hallway)):
            return "hallway_through_room"
    return None


def check_objects(level):
    things = [thing["type"] for thing in level.form["objects"]]
    if things.count("exit") != 1 or things.count("key") > 1:
        return "objects"
    if not all(level.is_traversable(cell_of(thing["position"])) for thing in level.form["objects"]):
        return "object_not_traversable"
    return None


def check_starts(level, heroes):
    if len(level.hero_starts) < heroes:
        return "starts_too_few"
    given = [at for _, _, at in level.adversaries if at is not None]
    everybody = level.hero_starts + given
    if not all(level.is_traversable(cell) for cell in everybody):
        return "start_not_traversable"
    if len(set(everybody)) != len(everybody):
        return "start_taken"
    free = [cell for cells in level.rooms for cell in cells
            if level.is_free_floor(cell) and cell not in level.hero_starts]
    if len(free) < sum(at is None for _, _, at in level.adversaries):
        return "no_room_for_adversaries"
    return None


# ---------------------------------------------------------------- params

def check_params(params):
    return first_fault(find_params_faults(params))


def find_params_faults(params):
    yield check_members(params, ("heroes", "levels"), DEFAULTS)
    heroes = params["heroes"]
    if not is_list_of(heroes, 1, HEROES_MAX) or not all(is_unit_id(name) for name in heroes):
        yield "heroes"
    for name, words in WORDS.items():
        if params.get(name, words[0]) not in words:
            yield name
    if not is_in_range(params.get("round_limit", 300), 1, LIMIT_MAX):
        yield "round_limit"
    steps = params.get("steps", {})
    yield check_members(steps, (), KINDS)
    if not all(is_in_range(number, 1, STEPS_MAX) for number in steps.values()):
        yield "steps"
    if not is_list_of(params["levels"], 1, LEVELS_MAX):
        yield "levels"
    for level in params["levels"]:
        yield check_level_form(level)
    if len(set(heroes)) != len(heroes):
        yield "duplicate_id"
    for number, level in enumerate(params["levels"], 1):
        yield check_level(level, number, len(heroes))
        if {name for name, _, _ in lay_out(level, number, len(heroes)).adversaries} & set(heroes):
            yield "duplicate_id"


def seats_of(params):
    return range(2 if params["mode"] == "versus" else len(params["heroes"]))


# ---------------------------------------------------------------- the game

class Game:
    """A match: whose turn it is, who stands where, and what has happened so far."""

    def __init__(self, params, seed, version=VERSIONS[-1]):
        self.params = params
        self.version = version
        self.seed = seed
        self.levels = [lay_out(form, number, len(params["heroes"])) for number, form in enumerate(params["levels"], 1)]
        self.names = params["heroes"]
        self.events = []
        self.outcome = None
        self.turn = 0

    @property
    def level(self):
        return self.levels[self.number - 1]

    def is_versus(self):
        return self.params["mode"] == "versus"

    def say(self, kind, **members):
        self.events.append({"kind": kind, **members})

    # ---- states

    def start(self):
        self.number = 1
        self.heroes = {name: {"status": "active", "at": None, "keys": 0, "exits": 0, "expulsions": 0}
                       for name in self.names}
        self.begin_level()

    def begin_level(self):
        level = self.level
        self.round = 1
        self.unlocked = level.key is None
        for name, at in zip(self.names, level.hero_starts):
            if self.heroes[name]["status"] != "resigned":
                self.heroes[name].update(status="active", at=at)
        self.adversaries = {name: at for name, _, at in level.adversaries if at is not None}
        stream = Stream(self.seed, self.turn, CHANCE_PLACEMENT + CHANCE_LEVEL * (self.number - 1))
        rooms = list(reversed(level.rooms))
        for name, _, at in level.adversaries:
            while at is None:
                free = [cell for cell in rooms[0] if self.is_free(cell)]
                if free:
                    at = self.adversaries[name] = free[stream.below(len(free))]
                else:
                    rooms.pop(0)
        self.active = self.first_hero()

    def read(self, state):
        self.number = state["level"]
        self.round = state["round"]
        self.unlocked = state["exit_unlocked"]
        self.active = state["active"]["unit"]
        given = {hero["id"]: hero for hero in state["heroes"]}
        self.heroes = {name: {"status": given[name]["status"],
                              "at": tuple(given[name]["at"]) if given[name]["at"] is not None else None,
                              "keys": given[name]["keys"], "exits": given[name]["exits"],
                              "expulsions": given[name]["expulsions"]} for name in self.names}
        places = {adversary["id"]: tuple(adversary["at"]) for adversary in state["adversaries"]}
        self.adversaries = {name: places[name] for name, _, _ in self.level.adversaries if name in places}

    def as_state(self):
        kinds = {name: kind for name, kind, _ in self.level.adversaries}
        key = None if self.unlocked else list(self.level.key)
        state = {
            "level": self.number, "round": self.round, "exit_unlocked": self.unlocked,
            "active": {"unit": self.active},
            "heroes": [{"id": name, "seat": 0 if self.is_versus() else seat, "status": hero["status"],
                        "at": list(hero["at"]) if hero["status"] == "active" else None,
                        "keys": hero["keys"], "exits": hero["exits"], "expulsions": hero["expulsions"]}
                       for seat, (name, hero) in enumerate(self.heroes.items())],
            "adversaries": [{"id": name, "kind": kinds[name], "at": list(at)}
                            for name, at in self.adversaries.items()],
            "key": key, "exit": list(self.level.exit),
        }
        if self.outcome is not None:
            state["outcome"] = self.outcome
        return state

    # ---- who and where

    def active_heroes(self):
        return [name for name in self.names if self.heroes[name]["status"] == "active"]

    def first_hero(self):
        return self.active_heroes()[0]

    def is_here(self, unit):
        return unit in self.adversaries or (unit in self.heroes and self.heroes[unit]["status"] == "active")

    def place_of(self, unit):
        return self.heroes[unit]["at"] if unit in self.heroes else self.adversaries[unit]

    def kind_of(self, unit):
        return next(kind for name, kind, _ in self.level.adversaries if name == unit)

    def is_free(self, cell):
        level = self.level
        return (level.tiles[cell] == "." and cell != level.exit and (self.unlocked or cell != level.key)
                and cell not in self.adversaries.values()
                and cell not in [self.heroes[name]["at"] for name in self.active_heroes()])

    def owing(self):
        if self.outcome is not None:
            return []
        if self.is_versus():
            return [0 if self.active in self.heroes else 1]
        return [self.names.index(self.active)]

    # ---- checks

    def find_fault(self, seat, command):
        """None, or the verdict and the check that gives it."""
        unit = command.get("unit", self.active)
        if seat not in self.owing() or unit != self.active:
            return "not_your_turn", "own_turn"
        if command["kind"] == "timeout":
            return None
        at = self.place_of(unit)
        to = at if command["to"] is None else tuple(command["to"])
        return self.find_hero_fault(unit, at, to) if unit in self.heroes else self.find_adversary_fault(unit, at, to)

    def find_hero_fault(self, unit, at, to):
        near = neighbours(at)
        within_two = {at, *near} | {far for cell in near if self.level.is_traversable(cell)
                                    for far in neighbours(cell)}
        if to not in within_two:
            return "too_far", "distance"
        if not self.level.is_traversable(to):
            return "not_traversable", "tile"
        if to in [self.heroes[name]["at"] for name in self.active_heroes() if name != unit]:
            return "occupied", "interaction"
        return None

    def find_adversary_fault(self, unit, at, to):
        if to not in (at, *self.cells_within(unit, at)):
            return "too_far", "distance"
        tile = self.level.tiles.get(to)
        is_ghost = self.kind_of(unit) == "ghost"
        if tile is None or (tile == "#" and not is_ghost):
            return "not_traversable", "tile"
        if tile == "+" and not is_ghost and to != at:
            return "door", "door"
        if to in [place for name, place in self.adversaries.items() if name != unit]:
            return "occupied", "interaction"
        if to == at and self.steps_of(unit):
            return "must_move", "must_move"
        return None

    def cells_within(self, unit, at):
        """Cells that the steps of the adversary's kind lead to, except its own: breadth first, in the order
        up, left, right, down. It walks only over tiles of its kind; the last one may be any."""
        kind = self.kind_of(unit)
        most = self.params["steps"].get(kind, 1)
        allowed = (".", "+") if kind == "ghost" else (".",)
        lengths = {at: 0}
        queue = deque([at])
        while queue:
            cell = queue.popleft()
            if lengths[cell] < most and (cell == at or self.level.tiles.get(cell) in allowed):
                for near in neighbours(cell):
                    if near not in lengths:
                        lengths[near] = lengths[cell] + 1
                        queue.append(near)
        return list(lengths)[1:]

    def steps_of(self, unit):
        """Where an adversary can go, the nearest first, then in the order up, left, right, down."""
        at = self.place_of(unit)
        return [cell for cell in self.cells_within(unit, at) if self.find_adversary_fault(unit, at, cell) is None]

    # ---- moving

    def play(self, command):
        """The active unit's command, which no check refuses: one turn."""
        unit = self.active
        at = self.place_of(unit)
        to = at if command["kind"] == "timeout" or command["to"] is None else tuple(command["to"])
        self.relocation = Stream(self.seed, self.turn, CHANCE_RELOCATION)
        self.steps = Stream(self.seed, self.turn, CHANCE_STEPS)
        self.move(unit, to)
        self.arrive(unit)
        self.pass_on()
        self.turn += 1

    def move(self, unit, to):
        """Returns whether it has moved."""
        at = self.place_of(unit)
        if to == at:
            return False
        out = to
        if self.level.tiles[to] == "#":
            rooms = [free for free in ([cell for cell in cells if self.is_free(cell)] for cells in self.level.rooms)
                     if free]
            if not rooms:
                return False
            room = rooms[self.relocation.below(len(rooms))]
            out = room[self.relocation.below(len(room))]
        self.say("moved", unit=unit, **{"from": list(at)}, to=list(to))
        if out != to:
            self.say("relocated", unit=unit, **{"from": list(to)}, to=list(out))
        if unit in self.heroes:
            self.heroes[unit]["at"] = out
        else:
            self.adversaries[unit] = out
        return True

    def arrive(self, unit):
        at = self.place_of(unit)
        if unit not in self.heroes:
            for name in self.active_heroes():
                if self.heroes[name]["at"] == at:
                    self.expel(name, unit)
            return
        for name, place in self.adversaries.items():
            if place == at:
                self.expel(unit, name)
                return
        if at == self.level.key and not self.unlocked:
            self.say("took_key", unit=unit, at=list(at))
            self.heroes[unit]["keys"] += 1
            self.unlocked = True
        if at == self.level.exit and self.unlocked:
            self.say("exited", unit=unit, at=list(at))
            self.heroes[unit]["exits"] += 1
            self.heroes[unit]["status"] = "exited"
        elif at == self.level.exit and self.version > 1:
            self.say("exit_locked", unit=unit, at=list(at))

    def expel(self, hero, by):
        self.say("expelled", unit=hero, by=by, at=list(self.heroes[hero]["at"]))
        self.heroes[hero]["expulsions"] += 1
        self.heroes[hero]["status"] = "expelled"

    # ---- passing on

    def is_level_over(self):
        has_left = any(hero["status"] == "exited" for hero in self.heroes.values())
        return not self.active_heroes() or (self.params["level_end"] == "any" and has_left)

    def settle_level(self, by_round_limit=False):
        """Returns whether the level is over."""
        if not self.is_level_over():
            return False
        has_left = any(hero["status"] == "exited" for hero in self.heroes.values())
        self.say("level_ended", level=self.number,
                 why="round_limit" if by_round_limit else "left" if has_left else "lost")
        self.outcome = self.find_outcome()
        if self.outcome is not None:
            self.say("game_ended", **self.outcome)
        else:
            self.number += 1
            self.begin_level()
            self.say("level_started", level=self.number)
        return True

    def pass_on(self):
        while not self.settle_level():
            order = self.active_heroes_after() + self.adversaries_after()
            if not order:
                self.end_round()
                return
            self.active = order[0]
            if self.active in self.heroes or self.is_versus():
                return
            if self.move(self.active, self.choose_step(self.active)):
                self.arrive(self.active)

    def active_heroes_after(self):
        if self.active not in self.heroes:
            return []
        place = self.names.index(self.active)
        return [name for name in self.active_heroes() if self.names.index(name) > place]

    def adversaries_after(self):
        if self.params["adversaries"] == "idle":
            return []
        order = [name for name, _, _ in self.level.adversaries]
        place = order.index(self.active) if self.active in order else -1
        return [name for name in order[place + 1:] if name in self.adversaries]

    def end_round(self):
        if self.round < self.params["round_limit"]:
            self.round += 1
            self.active = self.first_hero()
            return
        for name in self.active_heroes():
            self.expel(name, "round_limit")
        self.settle_level(by_round_limit=True)

    def leave(self, seat):
        """In co-op: the hero is out for the rest of the match.  One turn."""
        name = self.names[seat]
        self.relocation = Stream(self.seed, self.turn, CHANCE_RELOCATION)
        self.steps = Stream(self.seed, self.turn, CHANCE_STEPS)
        self.heroes[name]["status"] = "resigned"
        if self.active == name:
            self.pass_on()
        else:
            self.settle_level()
        self.turn += 1

    # ---- the server's adversaries

    def path_length(self, kind, start, is_goal):
        """Steps from `start` to the nearest goal, over tiles that the kind walks on; None = no way."""
        allowed = (".", "+") if kind == "ghost" else (".",)
        lengths = {start: 0}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            if is_goal(cell):
                return lengths[cell]
            if self.level.tiles[cell] not in allowed:
                continue
            for near in neighbours(cell):
                if near not in lengths and (self.level.tiles.get(near) in allowed or is_goal(near)):
                    lengths[near] = lengths[cell] + 1
                    queue.append(near)
        return None

    def length_to_hero(self, kind, start, hero):
        return self.path_length(kind, start, lambda cell: cell == self.heroes[hero]["at"])

    def length_to_wall(self, start):
        return self.path_length("ghost", start, lambda cell: self.level.tiles.get(cell) == "#")

    def is_within_reach(self, unit, hero, length):
        if length is None:
            return False
        if self.kind_of(unit) == "ghost":
            return length <= 10
        room = self.level.in_room.get(self.place_of(unit))
        return room is not None and room == self.level.in_room.get(self.heroes[hero]["at"])

    def choose_step(self, unit):
        steps = self.steps_of(unit)
        if not steps:
            return self.place_of(unit)
        kind = self.kind_of(unit)
        lengths = [(self.length_to_hero(kind, self.place_of(unit), hero), seat, hero)
                   for seat, hero in enumerate(self.names) if hero in self.active_heroes()]
        lengths = [(length, seat, hero) for length, seat, hero in lengths if self.is_within_reach(unit, hero, length)]
        if lengths:
            prey = min(lengths)[2]
            return shortest(steps, [self.length_from_step(kind, step, prey) for step in steps])
        if kind == "ghost":
            lengths = [self.length_to_wall(step) for step in steps]
            if any(length is not None for length in lengths):
                return shortest(steps, lengths)
        return steps[self.steps.below(len(steps))]

    def length_from_step(self, kind, step, hero):
        """From a wall there is no preferred step."""
        if self.level.tiles[step] == "#":
            return None
        return self.length_to_hero(kind, step, hero)

    # ---- the end

    def find_outcome(self):
        if not self.is_level_over():
            return None
        has_left = any(hero["status"] == "exited" for hero in self.heroes.values())
        if has_left and self.number < len(self.levels):
            return None
        if self.is_versus():
            return {"winner": 0, "reason": "won"} if has_left else {"winner": 1, "reason": "lost"}
        if not has_left:
            return {"winner": None, "reason": "lost"}
        merits = {seat: (hero["exits"], hero["keys"], -hero["expulsions"])
                  for seat, hero in enumerate(self.heroes.values()) if hero["status"] != "resigned"}
        best = [seat for seat, merit in merits.items() if merit == max(merits.values())]
        if len(best) > 1:
            return {"winner": None, "reason": "draw_equal"}
        return {"winner": best[0], "reason": "won"}


def shortest(steps, lengths):
    """The step with the shortest length, the first of equals; None is the longest."""
    return min(zip(steps, lengths), key=lambda pair: (pair[1] is None, pair[1] or 0))[0]


# ---------------------------------------------------------------- states from outside

def check_state(params, state):
    return first_fault(find_state_faults(params, state))


def find_state_faults(params, state):
    yield check_members(state, ("level", "round", "exit_unlocked", "active", "heroes", "adversaries", "key", "exit"),
                        ("outcome",))
    yield check_members(state["active"], ("unit",))
    if not is_in_range(state["level"], 1, len(params["levels"])) or not is_in_range(state["round"], 1, LIMIT_MAX):
        yield "level_or_round"
    if not isinstance(state["exit_unlocked"], bool) or not is_unit_id(state["active"]["unit"]):
        yield "form"
    if not isinstance(state["heroes"], list) or not isinstance(state["adversaries"], list):
        yield "form"
    if "outcome" in state:
        yield check_outcome(state["outcome"], REASONS, seats_of(params))
        if state["outcome"]["winner"] is not None and state["outcome"]["reason"].startswith("draw"):
            yield "outcome"
    level = lay_out(params["levels"][state["level"] - 1], state["level"], len(params["heroes"]))
    yield from find_hero_faults(params, level, state["heroes"])
    yield from find_adversary_faults(level, state["adversaries"])
    yield check_state_objects(level, state)
    yield check_active(params, state)


def find_hero_faults(params, level, heroes):
    for hero in heroes:
        yield check_members(hero, ("id", "seat", "at", "status", "keys", "exits", "expulsions"))
        if hero["id"] not in params["heroes"]:
            yield "unknown_hero"
        seat = 0 if params["mode"] == "versus" else params["heroes"].index(hero["id"])
        if hero["seat"] != seat or not is_int32(hero["seat"]) or hero["status"] not in STATUSES:
            yield "hero"
        if not all(is_in_range(hero[count], 0, LIMIT_MAX) for count in ("keys", "exits", "expulsions")):
            yield "counts"
        if (hero["status"] == "active") != (hero["at"] is not None):
            yield "hero_place"
        if hero["at"] is not None and not (is_cell(hero["at"]) and level.is_traversable(tuple(hero["at"]))):
            yield "hero_place"
    if sorted(hero["id"] for hero in heroes) != sorted(params["heroes"]):
        yield "heroes"
    places = [tuple(hero["at"]) for hero in heroes if hero["at"] is not None]
    if len(set(places)) != len(places):
        yield "two_heroes_on_a_tile"


def find_adversary_faults(level, adversaries):
    kinds = {name: kind for name, kind, _ in level.adversaries}
    for adversary in adversaries:
        yield check_members(adversary, ("id", "kind", "at"))
        if kinds.get(adversary["id"]) != adversary["kind"] or adversary["kind"] not in KINDS:
            yield "unknown_adversary"
        if not is_cell(adversary["at"]) or not level.is_traversable(tuple(adversary["at"])):
            yield "adversary_place"
    for member in ("id", "at"):
        values = [str(adversary[member]) for adversary in adversaries]
        if len(set(values)) != len(values):
            yield "double_adversary"


def check_state_objects(level, state):
    if state["exit"] != list(level.exit):
        return "exit"
    if state["key"] is not None and (level.key is None or state["key"] != list(level.key)):
        return "key"
    if state["exit_unlocked"] != (state["key"] is None):
        return "lock"
    return None


def check_active(params, state):
    game = Game(params, "")
    game.read(state)
    known = [name for name, _, _ in game.level.adversaries] + params["heroes"]
    if game.active not in known:
        return "unknown_active"
    if "outcome" in state or game.find_outcome() is not None:
        return None
    if not game.is_here(game.active):
        return "active_is_gone"
    if game.active not in params["heroes"] and (params["mode"] == "coop" or params["adversaries"] == "idle"):
        return "nobody_moves_adversaries"
    return None


# ---------------------------------------------------------------- requests

def check_command_form(command):
    fault = check_members(command, ("kind", "to"), ("unit",))
    if fault is not None:
        return fault
    if command["kind"] != "move" or (command["to"] is not None and not is_cell(command["to"])):
        return "command"
    if "unit" in command and not is_unit_id(command["unit"]):
        return "command"
    return None


def check_request(request):
    return first_fault(find_request_faults(request))


def find_request_faults(request):
    yield check_request_members(request, "snarl", VERSIONS)
    yield check_params(request["params"])
    params = {**DEFAULTS, **request["params"]}
    if "state" in request:
        yield check_state(params, request["state"])
    if "commands" in request:
        yield check_commands(request["commands"], COMMANDS_MAX, check_command_form, seats_of(params))


NOT_YOUR_TURN = {"verdict": "not_your_turn", "check": "own_turn"}
OK = {"verdict": "ok"}
OVER = {"verdict": "match_over"}


def resolve(request):
    """Returns the expected answer to a parsed request, without `hash`."""
    fault = check_request(request)
    if fault is not None:
        return {"error": {"code": fault}}
    params = {**DEFAULTS, **request["params"]}
    game = Game(params, request.get("seed", "0" * 16), request.get("version", VERSIONS[-1]))
    if "state" in request:
        game.read(request["state"])
    else:
        game.start()
    game.outcome = request.get("state", {}).get("outcome", game.find_outcome())
    game.turn = request.get("turn", 0)
    seats = seats_of(params)
    commands = request.get("commands", [[] for _ in seats])
    if game.outcome is not None:
        return make_answer(game, all_match_over(commands))
    return make_answer(game, play_versus(game, commands) if game.is_versus() else play_coop(game, commands))


def make_answer(game, verdicts):
    return {"turn": game.turn, "verdicts": verdicts, "events": game.events, "state": game.as_state(),
            "owing": game.owing(), "outcome": game.outcome}


def play_versus(game, commands):
    ending = find_agreed_ending(commands)
    if ending is not None:
        game.outcome = ending
        game.turn += 1
        return verdicts_of_ending(commands)
    return play_lists(game, commands, game.owing())


def play_coop(game, commands):
    """Seats that leave come first, one turn each; then an agreed draw; then the lists."""
    owing = game.owing()
    left = {}
    for seat, given in enumerate(commands):
        index = find_leaving(given)
        if index is None or game.outcome is not None or game.heroes[game.names[seat]]["status"] == "resigned":
            continue
        game.leave(seat)
        left[seat] = index
    agreeing = [(seat, index) for seat, given in enumerate(commands) for index in find_agreement(given)]
    if game.outcome is None and agreeing:
        game.outcome = {"winner": None, "reason": "draw_agreed"}
        game.turn += 1
        verdicts = all_match_over(commands)
        for seat, index in agreeing:
            verdicts[seat][index] = OK
    elif game.outcome is not None:
        verdicts = all_match_over(commands)
    else:
        verdicts = play_lists(game, commands, owing)
    for seat, index in left.items():
        verdicts[seat][index] = OK
    return verdicts


def find_agreement(given):
    """The index of the seat's first `agree_draw`, or None."""
    return [index for index, command in enumerate(given) if command["kind"] == "agree_draw"][:1]


def play_lists(game, commands, owing):
    """Plays only the seat that owed at first, as long as it owes."""
    verdicts = [[NOT_YOUR_TURN for _ in given] for given in commands]
    for seat in owing:
        for index, command in enumerate(commands[seat]):
            if game.outcome is not None:
                verdicts[seat][index] = OVER
                continue
            if seat not in game.owing():
                break
            fault = game.find_fault(seat, command)
            if fault is not None:
                verdicts[seat][index] = {"verdict": fault[0], "check": fault[1]}
                break
            verdicts[seat][index] = OK
            game.play(command)
    return verdicts
