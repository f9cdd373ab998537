"""Random snarl matches for comparing two implementations of the rules.

Uniformly random units would rarely meet. So levels are small, units are mostly close together, and
destinations are mostly near, often with a unit or an object.
"""

import generate
import snarl
from generate import INT32_EXTREMES, one_in

NAMES = ("ada", "bob", "cyd", "dot", "e_5", "F-6")
SLOTS = ((0, 0), (12, 0), (0, 11), (12, 11))  # where a room may be, with space for hallways between
SLOT_SIDE = 8


class Match(generate.Match):
    """One random snarl match."""

    RULESET = "snarl"

    def make_params(self):
        self.version_member = self.rng.choice((None, None, None, *snarl.VERSIONS))
        return make_params(self.rng)

    def make_request(self):
        request = super().make_request()
        if self.version_member is not None:
            request["version"] = self.version_member
        return request

    def make_state(self):
        return make_state(self.rng, fill_in(self.params))

    def make_turn(self):
        return self.rng.choice((0, 0, 1, 7, self.rng.randrange(1000), 2 ** 31 - 1000))

    def make_commands(self, state):
        params = fill_in(self.params)
        if state is None:
            game = snarl.Game(params, self.seed_member or "0" * 16)
            game.start()
            state = game.as_state()
        return make_commands(self.rng, params, state)

    def breakers(self):
        return BREAKERS


def fill_in(params):
    return {**snarl.DEFAULTS, **params}


# ---------------------------------------------------------------- params

def make_params(rng):
    heroes = rng.sample(NAMES, rng.choice((1, 1, 2, 2, 2, 3, 4)))
    params = {"heroes": heroes, "mode": rng.choice(("coop", "coop", "versus")),
              "level_end": rng.choice(("all", "all", "any")),
              "adversaries": rng.choice(("auto", "auto", "auto", "idle")),
              "round_limit": rng.choice((1, 2, 3, 300, 300, 300, 1000000)),
              "steps": rng.choice(({}, {}, {}, {"zombie": 2}, {"ghost": 3}, {"zombie": 3, "ghost": 2}, {"ghost": 8}))}
    params["levels"] = [make_level(rng, number, len(heroes)) for number in range(1, rng.choice((1, 1, 2, 2, 3, 6)) + 1)]
    for name, value in snarl.DEFAULTS.items():
        if params[name] == value and one_in(rng, 2):
            del params[name]
    fault = snarl.check_params(params)
    assert fault is None, fault
    return params


def make_level(rng, number, heroes):
    while True:
        level = try_level(rng, heroes)
        if level is not None and snarl.check_level(level, number, heroes) is None:
            return level


class Room:
    """A room while it is generated: x, y, width, height, and rows of tiles."""

    def __init__(self, rng, slot):
        self.width = rng.randint(3, SLOT_SIDE)
        self.height = rng.randint(3, SLOT_SIDE - 1)
        self.x = slot[0] + rng.randint(0, SLOT_SIDE - self.width)
        self.y = slot[1] + rng.randint(0, SLOT_SIDE - 1 - self.height)
        density = rng.choice((0, 0.1, 0.25))
        self.tiles = [[0 if self.is_border(column, row) or rng.random() < density else 1
                       for column in range(self.width)] for row in range(self.height)]
        if one_in(rng, 12):
            self.tiles = [[rng.choice((0, 1, 1, 1, 2)) for _ in row] for row in self.tiles]

    def is_border(self, column, row):
        return column in (0, self.width - 1) or row in (0, self.height - 1)

    def open_door(self, rng, side):
        """Makes a door in that wall and returns its cell; its neighbour inside becomes floor."""
        along = rng.randint(1, (self.height if side in "lr" else self.width) - 2)
        column, row = {"l": (0, along), "r": (self.width - 1, along),
                       "u": (along, 0), "d": (along, self.height - 1)}[side]
        inner = {"l": (1, along), "r": (self.width - 2, along),
                 "u": (along, 1), "d": (along, self.height - 2)}[side]
        self.tiles[row][column] = 2
        if self.tiles[inner[1]][inner[0]] == 0:
            self.tiles[inner[1]][inner[0]] = 1
        return self.x + column, self.y + row

    def form(self, rng):
        form = {"origin": [self.y, self.x], "bounds": {"rows": self.height, "columns": self.width},
                "layout": self.tiles}
        if one_in(rng, 2):
            form["type"] = "room"
        return form


def try_level(rng, heroes):
    slots = rng.sample(SLOTS, rng.choice((1, 2, 2, 3, 4)))
    rooms = {slot: Room(rng, slot) for slot in slots}
    hallways = [make_hallway(rng, rooms, one, other) for one in slots for other in slots
                if one < other and (one[0] == other[0] or one[1] == other[1]) and rng.random() < 0.85]
    if hallways and one_in(rng, 8):
        hallways.append(dict(rng.choice(hallways)))
    level = {"rooms": [rooms[slot].form(rng) for slot in slots], "hallways": hallways, "objects": []}
    if one_in(rng, 2):
        level["type"] = "level"
    ground = traversable_cells(level)
    if len(ground) < heroes + 2:
        return None
    level["objects"] = make_objects(rng, ground)
    make_starts(rng, level, ground, heroes)
    return level


def make_hallway(rng, rooms, one, other):
    """Between rooms side by side, or one above the other; `one` is left or above."""
    if one[1] == other[1]:
        first, last = rooms[one].open_door(rng, "r"), rooms[other].open_door(rng, "l")
        middle = rng.choice((SLOT_SIDE + 1, SLOT_SIDE + 2))
        bends = [(middle, first[1]), (middle, last[1])]
    else:
        first, last = rooms[one].open_door(rng, "d"), rooms[other].open_door(rng, "u")
        middle = rng.choice((SLOT_SIDE, SLOT_SIDE + 1))
        bends = [(first[0], middle), (last[0], middle)]
    if bends[0] == bends[1] and one_in(rng, 2):
        bends = bends[:1]
    if one_in(rng, 2):
        first, last, bends = last, first, bends[::-1]
    hallway = {"from": [first[1], first[0]], "to": [last[1], last[0]], "waypoints": [[y, x] for x, y in bends]}
    if one_in(rng, 2):
        hallway["type"] = "hallway"
    return hallway


def traversable_cells(level):
    laid = snarl.Level({**level, "starts": {"heroes": [], "adversaries": []}}, 1, 0)
    return sorted(cell for cell in laid.tiles if laid.is_traversable(cell))


def make_objects(rng, ground):
    things = [{"type": "exit", "position": point_of(rng.choice(ground))}]
    if rng.random() < 0.75:
        things.append({"type": "key", "position": point_of(rng.choice(ground))})
    rng.shuffle(things)
    return things


def point_of(cell):
    return [cell[1], cell[0]]


def make_starts(rng, level, ground, heroes):
    if one_in(rng, 5):
        return
    count = rng.choice((0, 1, 1, 2, 3, 5))
    crowd = make_crowd(rng, ground, heroes + count)
    level["starts"] = {"heroes": [point_of(cell) for cell in crowd[:heroes]]}
    if one_in(rng, 6):
        level["starts"]["heroes"] += [[0, 0]] * rng.choice((1, 3))
    if not one_in(rng, 6):
        level["starts"]["adversaries"] = [{"kind": rng.choice(snarl.KINDS), "at": point_of(cell)}
                                          for cell in crowd[heroes:]]


def make_crowd(rng, ground, count):
    """This many different cells, mostly near each other; fewer if there are not enough."""
    centre = rng.choice(ground)
    width = rng.choice((2, 3, 5, 99))
    near = [cell for cell in ground if abs(cell[0] - centre[0]) + abs(cell[1] - centre[1]) <= width]
    rng.shuffle(near)
    others = [cell for cell in ground if cell not in near]
    rng.shuffle(others)
    return (near + others)[:count]


# ---------------------------------------------------------------- states

def make_state(rng, params):
    number = rng.randint(1, len(params["levels"]))
    level = snarl.Level(params["levels"][number - 1], number, len(params["heroes"]))
    ground = sorted(cell for cell in level.tiles if level.is_traversable(cell))
    statuses = [rng.choice(("active", "active", "active", "exited", "expelled", "resigned"))
                for _ in params["heroes"]]
    if "active" not in statuses and not one_in(rng, 8):
        statuses[rng.randrange(len(statuses))] = "active"
    crowd = make_crowd(rng, ground, len(params["heroes"]) + len(level.adversaries))
    state = {
        "level": number, "round": rng.choice((1, 1, 2, params["round_limit"], params["round_limit"])),
        "exit_unlocked": level.key is None or one_in(rng, 2), "exit": list(level.exit),
        "heroes": [make_hero(rng, params, name, status, cell)
                   for name, status, cell in zip(params["heroes"], statuses, crowd)],
        "adversaries": [{"id": name, "kind": kind, "at": list(cell)} for (name, kind, _), cell in
                        zip(level.adversaries, crowd[len(params["heroes"]):]) if not one_in(rng, 12)],
    }
    if one_in(rng, 6):  # where a unit would go next
        state["heroes"][rng.randrange(len(state["heroes"]))]["at"] = None
        for hero in state["heroes"]:
            hero["at"] = hero["at"] if hero["status"] == "active" else None
    state["key"] = None if state["exit_unlocked"] else list(level.key)
    put_on_things(rng, state, level)
    state["active"] = {"unit": choose_active(rng, params, state)}
    if one_in(rng, 40):
        state["outcome"] = rng.choice(({"winner": None, "reason": "lost"}, {"winner": 0, "reason": "won"},
                                       {"winner": None, "reason": "draw_agreed"}))
    return state


def make_hero(rng, params, name, status, cell):
    return {"id": name, "seat": 0 if params["mode"] == "versus" else params["heroes"].index(name),
            "at": list(cell) if status == "active" else None, "status": status,
            "keys": rng.choice((0, 0, 1, 2)), "exits": rng.choice((0, 0, 1, 2)),
            "expulsions": rng.choice((0, 0, 1, 2))}


def put_on_things(rng, state, level):
    """Sometimes a hero is already on the exit, or an adversary on the key."""
    active = [hero for hero in state["heroes"] if hero["status"] == "active"]
    for hero in active:
        if hero["at"] is None:
            taken = [other["at"] for other in active]
            hero["at"] = next(list(cell) for cell in sorted(level.tiles)
                              if level.is_traversable(cell) and list(cell) not in taken)
    if active and one_in(rng, 5) and list(level.exit) not in [hero["at"] for hero in active]:
        rng.choice(active)["at"] = list(level.exit)
    if state["adversaries"] and level.key is not None and one_in(rng, 8) \
            and list(level.key) not in [adversary["at"] for adversary in state["adversaries"]]:
        rng.choice(state["adversaries"])["at"] = list(level.key)


def choose_active(rng, params, state):
    units = [hero["id"] for hero in state["heroes"] if hero["status"] == "active"]
    if not units:
        return rng.choice(params["heroes"])
    if params["mode"] == "versus" and params["adversaries"] == "auto":
        units += [adversary["id"] for adversary in state["adversaries"]]
    return rng.choice(units)


# ---------------------------------------------------------------- commands

def make_commands(rng, params, state):
    game = snarl.Game(params, "0" * 16)
    game.read(state)
    game.outcome = state.get("outcome", game.find_outcome())
    seats = snarl.seats_of(params)
    commands = [[] for _ in seats]
    owing = (game.owing() or [0])[0]
    for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 3, 5))):
        commands[owing].append(make_command(rng, game))
    if one_in(rng, 6):
        commands[rng.choice(seats)].append(make_command(rng, game))
    if one_in(rng, 15):
        commands[owing].insert(rng.randint(0, len(commands[owing])), {"kind": "timeout"})
    if one_in(rng, 12):
        for _ in range(rng.choice((1, 1, 2, 4))):
            given = commands[rng.choice(seats)]
            kind = rng.choice(("resign", "resign", "abandon", "timeout", "agree_draw"))
            given.insert(rng.randint(0, len(given)), {"kind": kind})
    return commands


def make_command(rng, game):
    unit = game.active
    command = {"kind": "move", "to": make_target(rng, game, unit)}
    if not one_in(rng, 3):
        command["unit"] = unit
    if one_in(rng, 12):
        command["unit"] = rng.choice([*game.names, *game.adversaries, "nobody"])
    return command


def make_target(rng, game, unit):
    """A cell near the unit, one with an object or a unit near it, or any."""
    if one_in(rng, 12):
        return None
    if one_in(rng, 30):
        return [rng.choice((rng.choice(INT32_EXTREMES), 3)), rng.choice((rng.choice(INT32_EXTREMES), 3))]
    at = game.place_of(unit) if game.is_here(unit) else (3, 3)
    if one_in(rng, 12):
        return list(at)
    things = [game.level.exit, game.level.key, *game.adversaries.values(),
              *(game.heroes[name]["at"] for name in game.active_heroes())]
    near = [cell for cell in things if cell is not None and abs(cell[0] - at[0]) + abs(cell[1] - at[1]) <= 2]
    if near and one_in(rng, 2):
        return list(rng.choice(near))
    reach = 1 if unit in game.adversaries and not one_in(rng, 5) else rng.choice((1, 2, 2, 3))
    dx = rng.randint(-reach, reach)
    return [at[0] + dx, at[1] + rng.choice((-1, 1)) * (reach - abs(dx))]


# ---------------------------------------------------------------- what must be refused

def some_level(rng, request):
    return rng.choice(request["params"]["levels"])


def some_hero(rng, request):
    return rng.choice(request["state"]["heroes"])


def some_active_hero(rng, request):
    return rng.choice([hero for hero in request["state"]["heroes"] if hero["status"] == "active"])


def some_adversary(rng, request):
    return rng.choice(request["state"]["adversaries"])


def break_overlap(rng, request):
    level = some_level(rng, request)
    level["rooms"].append(rng.choice(level["rooms"]))


def break_layout(rng, request):
    rng.choice(some_level(rng, request)["rooms"])["layout"].pop()


def break_row(rng, request):
    rng.choice(rng.choice(some_level(rng, request)["rooms"])["layout"]).append(1)


def break_tile(rng, request):
    rng.choice(rng.choice(some_level(rng, request)["rooms"])["layout"])[0] = rng.choice((3, -1, True, "1", 1.5))


def break_origin(rng, request):
    rng.choice(some_level(rng, request)["rooms"])["origin"] = rng.choice(([-1, 0], [200, 0], [199, 199], [0], None))


def break_slant(rng, request):
    hallway = rng.choice(some_level(rng, request)["hallways"])
    hallway["waypoints"] = [[hallway["from"][0] + 1, hallway["from"][1] + 1]]


def break_hallway_end(rng, request):
    level = some_level(rng, request)
    hallway = rng.choice(level["hallways"])
    hallway[rng.choice(("from", "to"))] = level["rooms"][0]["origin"]


def break_hallway_way(rng, request):
    """Between two doors of one wall, straight through the tiles between them."""
    level = some_level(rng, request)
    level["rooms"] = [{"origin": [60, 0], "bounds": {"rows": 1, "columns": 3}, "layout": [[2, 1, 2]]}, *level["rooms"]]
    level["hallways"].append({"from": [60, 0], "to": [60, 2], "waypoints": []})


def break_exit(rng, request):
    level = some_level(rng, request)
    level["objects"] = [thing for thing in level["objects"] if thing["type"] != "exit"]


def break_objects(rng, request):
    level = some_level(rng, request)
    level["objects"].append(rng.choice(level["objects"]))


def break_object_place(rng, request):
    rng.choice(some_level(rng, request)["objects"])["position"] = [199, 199]


def break_hero_start(rng, request):
    some_level(rng, request)["starts"]["heroes"][0] = rng.choice(([199, 199], [0, -1], "here"))


def break_start_taken(rng, request):
    starts = some_level(rng, request)["starts"]
    starts["adversaries"].append({"kind": "ghost", "at": starts["heroes"][0]})


def break_starts(rng, request):
    some_level(rng, request)["starts"]["heroes"] = []


def break_heroes(rng, request):
    request["params"]["heroes"] = rng.choice(([], ["a b"], ["a"] * 2, list("abcde"), "ada", [1]))


def break_option(rng, request):
    name = rng.choice(("mode", "level_end", "adversaries", "round_limit", "steps"))
    request["params"][name] = rng.choice((0, -1, "none", None, 1000001, True))


def break_params_member(rng, request):
    if one_in(rng, 2):
        request["params"]["walls"] = []
    else:
        del request["params"]["heroes"]


def break_state_level(rng, request):
    request["state"]["level"] = rng.choice((0, len(request["params"]["levels"]) + 1, "1"))


def break_state_round(rng, request):
    request["state"]["round"] = rng.choice((0, -1, 1000001, 1.5))


def break_lock(rng, request):
    request["state"]["exit_unlocked"] = not request["state"]["exit_unlocked"]


def break_exit_place(rng, request):
    request["state"]["exit"] = [199, 199]


def break_key_place(rng, request):
    request["state"]["key"] = [199, 199]


def break_hero_name(rng, request):
    some_hero(rng, request)["id"] = "nobody"


def break_hero_twice(rng, request):
    request["state"]["heroes"].append(rng.choice(request["state"]["heroes"]))


def break_hero_missing(rng, request):
    request["state"]["heroes"].pop(rng.randrange(len(request["state"]["heroes"])))


def break_hero_seat(rng, request):
    some_hero(rng, request)["seat"] = 3 if len(request["params"]["heroes"]) < 4 else -1


def break_hero_place(rng, request):
    some_active_hero(rng, request)["at"] = rng.choice((None, [199, 199], [-1, -1], list(INT32_EXTREMES[:2])))


def break_hero_gone(rng, request):
    hero = rng.choice([hero for hero in request["state"]["heroes"] if hero["status"] != "active"])
    hero["at"] = request["state"]["exit"]


def break_hero_on_hero(rng, request):
    active = [hero for hero in request["state"]["heroes"] if hero["status"] == "active"]
    active[0]["at"] = active[1]["at"]


def break_hero_status(rng, request):
    some_hero(rng, request)["status"] = "asleep"


def break_hero_count(rng, request):
    some_hero(rng, request)[rng.choice(("keys", "exits", "expulsions"))] = -1


def break_adversary_name(rng, request):
    some_adversary(rng, request)["id"] = rng.choice(("zombie-9", "ogre-1", request["params"]["heroes"][0]))


def break_adversary_twice(rng, request):
    request["state"]["adversaries"].append(some_adversary(rng, request))


def break_adversary_kind(rng, request):
    adversary = some_adversary(rng, request)
    adversary["kind"] = "ghost" if adversary["kind"] == "zombie" else "zombie"


def break_adversary_place(rng, request):
    some_adversary(rng, request)["at"] = [199, 199]


def break_adversary_on_another(rng, request):
    one, other = request["state"]["adversaries"][0], request["state"]["adversaries"][1]
    one["at"] = other["at"]


def break_active(rng, request):
    request["state"]["active"] = rng.choice(({"unit": "nobody"}, {}, {"unit": ""}, "ada"))


def break_active_gone(rng, request):
    """A unit is to move only while the match runs."""
    request["state"].pop("outcome", None)
    some_active_hero(rng, request)
    gone = rng.choice([hero for hero in request["state"]["heroes"] if hero["status"] != "active"])
    if snarl.check_state(fill_in(request["params"]), request["state"]) is not None:
        raise IndexError
    game = snarl.Game(fill_in(request["params"]), "0" * 16)
    game.read(request["state"])
    if game.find_outcome() is not None:
        raise IndexError
    request["state"]["active"] = {"unit": gone["id"]}


def break_command_lists(rng, request):
    request["commands"].append([])


def break_command(rng, request):
    given = rng.choice(request["commands"])
    given.append(rng.choice(({"kind": "jump", "to": [1, 1]}, {"kind": "move"}, {"kind": "move", "to": [1]},
                             {"kind": "move", "to": [1, 2 ** 31]}, {"kind": "move", "to": [1, 1], "unit": ""},
                             {"kind": "move", "to": [1, 1], "far": True}, {"kind": "resign", "to": None}, 5)))


def break_turn(rng, request):
    request["turn"] = rng.choice((-1, 2 ** 31, "1"))


BREAKERS = [value for name, value in sorted(globals().items()) if name.startswith("break_")]
