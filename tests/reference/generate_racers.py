"""Random racers matches for comparing two implementations of the rules.

Uniformly random racers would rarely meet, cross trails or hit each other. So everything is in a window of a
small board: the racers, their
trails, walls, items, teleporters and failures.
"""

import generate
import racers
from generate import INT32_EXTREMES, add_universal, one_in

SEATS = (0, 1)


class Match(generate.Match):
    """One random racers match."""

    RULESET = "racers"

    def make_params(self):
        return make_params(self.rng)

    def make_state(self):
        return make_state(self.rng, racers.fill_in(self.params))

    def make_turn(self):
        return make_turn(self.rng, racers.fill_in(self.params))

    def make_commands(self, state):
        params = racers.fill_in(self.params)
        seed = self.seed_member or "0" * 16
        race = racers.first_race(params, seed) if state is None else racers.Race(params, state, seed, 0)
        return make_commands(self.rng, race)

    def breakers(self):
        return BREAKERS


# ---------------------------------------------------------------- params

def make_params(rng):
    params = {
        "rows": rng.choice((10, 10, 10, 11, 12, 15)),
        "cols": rng.choice((10, 10, 10, 11, 12, 15)),
        "failure_permille": rng.choices((0, 1000, 3, 20, 50), (80, 4, 5, 5, 6))[0],
        "turn_limit": rng.choice((1, 2, 4, 20, 1000, 1000, 1000, 1000, 1000000)),
    }
    params["board"] = make_ground(rng, params, make_window(rng, params))
    for item in params["board"]["items"]:
        if item.get("state") == "inactive" and one_in(rng, 2):
            del item["state"]
    for name, value in racers.DEFAULTS.items():
        if params[name] == value and one_in(rng, 2):
            del params[name]
    fault = racers.check_params(params)
    assert fault is None, fault
    return params


def make_window(rng, params):
    """A part of the board, often at its edge."""
    width, height = (min(rng.randint(4, 7), side) for side in (params["cols"], params["rows"]))
    left = rng.choice((0, params["cols"] - width, rng.randint(0, params["cols"] - width)))
    top = rng.choice((0, params["rows"] - height, rng.randint(0, params["rows"] - height)))
    return [[x, y] for y in range(top, top + height) for x in range(left, left + width)]


def make_ground(rng, params, window, is_new=True):
    cells = rng.sample(window, len(window))
    starts = [cells.pop(), cells.pop()]
    walls = cells[:rng.choice((0, 2, 4, len(cells) // 4, len(cells) // 3))]
    free = cells[len(walls):]
    return {
        "walls": walls,
        "starts": starts,
        "items": make_items(rng, free + starts, is_new),
        "teleporters": make_teleporters(rng, free),
    }


def make_items(rng, cells, is_new):
    items = []
    for kind in racers.ITEMS:
        share = rng.choice((0, 0.05, 0.2, 0.6))
        for cell in cells:
            while rng.random() < share:
                items.append({"kind": kind, "at": cell})
                if kind == "grenade":
                    items[-1]["state"] = rng.choice(("inactive", "placed", "active", "active", "exploded"))
                if is_new or kind == "grenade":
                    break
    rng.shuffle(items)
    return items


def make_teleporters(rng, cells):
    places = rng.sample(cells, min(len(cells), rng.choice((0, 0, 2, 3, 6, 9))))
    if len(places) < 2:
        return []
    return [{"at": place, "to": rng.choice([other for other in places if other != place])} for place in places]


# ---------------------------------------------------------------- states from outside

def make_turn(rng, params):
    limit = params["turn_limit"]
    if one_in(rng, 8):
        return max(0, limit + rng.choice((-3, -2, -1, -1, 0, 1, 100)))
    return rng.randint(0, limit - 1)


def make_state(rng, params):
    window = make_window(rng, params)
    state = make_ground(rng, params, window, is_new=False)
    state.update(active=rng.choice(SEATS), actions_left=rng.choice((1, 1, 2, 2, 3, 3)), moved=one_in(rng, 2))
    places = [cell for cell in window if cell not in state["walls"]]
    at = rng.sample(places, 2)
    state["racers"] = [make_racer(rng, places, at[seat], seat) for seat in SEATS]
    state["failures"] = make_failures(rng, params, window)
    if one_in(rng, 40):
        reason = rng.choice(racers.REASONS)
        state["outcome"] = {"winner": None if reason.startswith("draw") else rng.choice(SEATS), "reason": reason}
        state["actions_left"] = rng.choice((0, 1, 2, 3))
    return state


def make_racer(rng, places, at, seat):
    performed = rng.choice((0, 1, 2, 3, 4, 7, 1000, 1999999999))
    return {
        "seat": seat,
        "at": at,
        "debt": rng.choice((0, 0, 0, 0, 1, 2, 3, 4, 7)) if not one_in(rng, 100) else rng.choice((998, 1000)),
        "skip": rng.choice((0, 0, 0, 0, 0, 1, 2)) if not one_in(rng, 100) else rng.choice((99, 100)),
        "performed": performed,
        "carried": rng.choices(racers.ITEMS, k=rng.choice((0, 1, 2, 3, 6))),
        "trail": make_trail(rng, places, at, performed),
    }


def make_trail(rng, places, at, performed):
    """Mostly a chain of neighbours, as play leaves it; sometimes with a hop."""
    trail = []
    action = performed + 1
    for _ in range(rng.choice((0, 1, 2, 3, 3, 3))):
        action -= rng.choice((1, 1, 1, 2))
        if action < 1:
            break
        near = [cell for cell in places if max(abs(cell[0] - at[0]), abs(cell[1] - at[1])) == 1]
        hop = one_in(rng, 5) or not near
        at = rng.choice(places if hop else near)
        trail.append({"at": at, "action": action, "hop": hop})
        if not hop and one_in(rng, 4):
            del trail[-1]["hop"]
    return trail


def make_failures(rng, params, window):
    cells = rng.sample(window, rng.choice((0, 0, 0, 1, 2, 5)))
    if one_in(rng, 4):
        cells += [[rng.randrange(params["cols"]), rng.randrange(params["rows"])] for _ in range(3)]
    failures = [{"at": cell, "turns_left": rng.randint(1, 3)} for cell in cells]
    return [failure for index, failure in enumerate(failures) if failure not in failures[:index]]


# ---------------------------------------------------------------- commands

def make_commands(rng, race):
    """Mostly legal commands of the active seat, sometimes several."""
    commands = [[], []]
    seat = race.state["active"]
    if race.outcome is None:
        commands[seat] = make_list(rng, race.copy())
    if one_in(rng, 12):
        commands[1 - seat] = [any_command(rng) for _ in range(rng.choice((1, 2)))]
    if one_in(rng, 30):
        commands[seat].insert(rng.randrange(len(commands[seat]) + 1), {"kind": "timeout"})
    add_universal(rng, commands)
    if one_in(rng, 300):
        commands[seat] += [any_command(rng) for _ in range(racers.COMMANDS_MAX)]
    for given in commands:
        del given[racers.COMMANDS_MAX:]
    return commands


def make_list(rng, race):
    """Played while it is generated, so that most of it is legal."""
    given = []
    seat = race.state["active"]
    for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 3, 3, 5))):
        command = choose_command(rng, race) if rng.random() < 0.8 else choose_refused(rng, race)
        given.append(command)
        if race.refuse(command) is not None:
            if one_in(rng, 2):
                break
            continue
        race.play(command)
        if race.outcome is not None or race.state["active"] != seat:
            break
    return given


def choose_command(rng, race):
    """A legal command, items before moves; rarely one that loses at once."""
    kinds = [[command for command in ALL_COMMANDS if command["kind"] == kind and race.refuse(command) is None]
             for kind in ("move", "use", "pick_up", "end_turn")]
    weights = [4 * bool(kinds[0]), 4 * bool(kinds[1]), 3 * bool(kinds[2]), 0.4 * bool(kinds[3])]
    if not any(weights):
        return any_command(rng)
    return dict(rng.choice(rng.choices(kinds, weights)[0]))


def choose_refused(rng, race):
    """A command that some check refuses."""
    groups = {}
    for command in ALL_COMMANDS:
        groups.setdefault(race.refuse(command), []).append(command)
    groups.pop(None, None)
    return dict(rng.choice(rng.choice(list(groups.values())))) if groups else any_command(rng)


def any_command(rng):
    return dict(rng.choice(ALL_COMMANDS))


ALL_COMMANDS = (
    *({"kind": "move", "dir": direction} for direction in racers.DIRECTIONS),
    *({"kind": "pick_up", "item": item} for item in racers.ITEMS),
    *({"kind": "use", "item": item} for item in racers.ITEMS),
    *({"kind": "use", "item": item, "dir": direction} for item in racers.ITEMS for direction in racers.DIRECTIONS),
    {"kind": "end_turn"}, {"kind": "end_turn", "confirm": False}, {"kind": "end_turn", "confirm": True},
)


# ---------------------------------------------------------------- requests that must be refused
#
# Each function breaks a request in one way that the rules or the forms forbid, so the tool must answer with
# an error.

OFF = ([-1, 0], [0, 64], [64, 0], [0, -(2 ** 31)], [2 ** 31 - 1, 3])
NO_CELLS = ([0], [0, 0, 0], [0, "0"], [0, None], [0, 0.5], "00", None, {"x": 0, "y": 0})


def side_range(rng, request):
    request["params"][rng.choice(("rows", "cols"))] = rng.choice((-10, 0, 9, 65, 2 ** 31))


def number_range(rng, request):
    name, value = rng.choice((("turn_limit", 0), ("turn_limit", 1000001), ("failure_permille", -1),
                              ("failure_permille", 1001), ("failure_permille", "50"), ("rows", None)))
    request["params"][name] = value


def ground(rng, request):
    """The params' board, or else the state's."""
    return rng.choice([request["params"]["board"]] + ([request["state"]] if "state" in request else []))


def wall_on_start(rng, request):
    place = ground(rng, request)
    place["walls"].append(rng.choice(place["starts"]))


def wall_twice(rng, request):
    place = ground(rng, request)
    place["walls"].append(rng.choice(place["walls"]))


def equal_starts(rng, request):
    place = ground(rng, request)
    place["starts"][1] = place["starts"][0]


def starts_number(rng, request):
    place = ground(rng, request)
    rng.choice((place["starts"].pop, lambda: place["starts"].append([0, 0])))()


def item_on_wall(rng, request):
    place = ground(rng, request)
    place["items"].append({"kind": "disc", "at": rng.choice(place["walls"])})


def grenades_on_a_square(rng, request):
    place = ground(rng, request)
    item = rng.choice([item for item in place["items"] if item["kind"] == "grenade"])
    place["items"].append({**item, "state": rng.choice(racers.GRENADE_STATES)})


def discs_on_a_square(rng, request):
    items = request["params"]["board"]["items"]
    items.append(dict(rng.choice([item for item in items if item["kind"] != "grenade"])))


def item_form(rng, request):
    item = rng.choice(ground(rng, request)["items"])
    rng.choice((lambda: item.update(kind="mine"), lambda: item.update(state="hot"), lambda: item.pop("kind"),
                lambda: item.pop("at"), lambda: item.update(at=rng.choice(NO_CELLS))))()


def disc_with_a_state(rng, request):
    items = ground(rng, request)["items"]
    rng.choice([item for item in items if item["kind"] != "grenade"])["state"] = "active"


def teleporter_spoilt(rng, request):
    place = ground(rng, request)
    teleporter = rng.choice(place["teleporters"])
    rng.choice((lambda: teleporter.update(to=teleporter["at"]),
                lambda: teleporter.update(at=rng.choice(place["starts"])),
                lambda: teleporter.update(to=rng.choice(place["starts"])),
                lambda: teleporter.update(to=rng.choice(OFF)),
                lambda: place["teleporters"].append(dict(teleporter)), lambda: teleporter.pop("to")))()


def teleporter_on_wall(rng, request):
    place = ground(rng, request)
    place["walls"].append(rng.choice(place["teleporters"])["at"])


def cell_off_the_board(rng, request):
    place = ground(rng, request)
    cell = rng.choice(OFF)
    rng.choice((lambda: place["walls"].append(cell), lambda: place["items"].append({"kind": "disc", "at": cell}),
                lambda: place["starts"].__setitem__(0, cell)))()


def cell_form(rng, request):
    ground(rng, request)["walls"].append(rng.choice(NO_CELLS))


def ground_member_missing(rng, request):
    place = ground(rng, request)
    del place[rng.choice(("walls", "starts", "items", "teleporters"))]


def racer_spoilt(rng, request):
    state = request["state"]
    racer = rng.choice(state["racers"])
    racer.update(rng.choice((
        {"seat": 1 - racer["seat"]}, {"seat": 2}, {"at": rng.choice(OFF)}, {"at": rng.choice(NO_CELLS)},
        {"debt": 1001}, {"debt": -1}, {"skip": 101}, {"skip": -1}, {"performed": -1}, {"performed": 2 ** 31},
        {"carried": ["disc"] * 7}, {"carried": ["lamp"]}, {"carried": "disc"}, {"surprise": 1}, {"skip": True})))


def racer_on_wall(rng, request):
    rng.choice(request["state"]["racers"])["at"] = rng.choice(request["state"]["walls"])


def racers_on_a_square(rng, request):
    request["state"]["racers"][0]["at"] = request["state"]["racers"][1]["at"]


def racers_number(rng, request):
    crowd = request["state"]["racers"]
    rng.choice((crowd.pop, lambda: crowd.append(crowd[0]), crowd.clear))()


def racer_member_missing(rng, request):
    racer = rng.choice(request["state"]["racers"])
    del racer[rng.choice(list(racer))]


def trail_spoilt(rng, request):
    racer = rng.choice(request["state"]["racers"])
    racer["trail"] = rng.choice((
        [{"at": [5, 5], "action": 1}, {"at": [6, 6], "action": 2}],
        [{"at": [5, 5], "action": 2}, {"at": [6, 6], "action": 2}],
        [{"at": [x, 5], "action": 9 - x} for x in range(4)],
        [{"at": [5, 5], "action": 0}], [{"at": [5, 5]}], [{"action": 1}], [{"at": [5, 5], "action": 1, "hop": 1}],
        [{"at": rng.choice(OFF), "action": 1}], None))


def turn_spoilt(rng, request):
    request["state"].update(rng.choice((
        {"active": 2}, {"active": -1}, {"actions_left": 4}, {"actions_left": -1}, {"moved": 1}, {"moved": None})))


def no_action_left(rng, request):
    request["state"]["actions_left"] = 0
    request["state"].pop("outcome", None)


def failure_spoilt(rng, request):
    request["state"]["failures"].append(rng.choice((
        {"at": [5, 5], "turns_left": 0}, {"at": [5, 5], "turns_left": 4}, {"at": rng.choice(OFF), "turns_left": 1},
        {"at": [5, 5]}, {"turns_left": 1}, None)))


def failure_twice(rng, request):
    failures = request["state"]["failures"]
    failures.append(dict(rng.choice(failures)))


def command_spoilt(rng, request):
    request["commands"][rng.randrange(2)].append(rng.choice((
        {"kind": "move"}, {"kind": "move", "dir": "up"}, {"kind": "move", "dir": None}, {"kind": "pick_up"},
        {"kind": "pick_up", "item": "lamp"}, {"kind": "use"}, {"kind": "use", "item": "disc", "dir": "north"},
        {"kind": "use", "item": "disc", "dir": None}, {"kind": "end_turn", "confirm": 1},
        {"kind": "end_turn", "confirm": None}, {"kind": "stop"}, {"dir": "n"}, {"kind": "timeout", "dir": "n"},
        {"kind": "move", "dir": "n", "unit": "a1"}, {"kind": "move", "dir": rng.choice(INT32_EXTREMES)})))


def command_lists(rng, request):
    request["commands"] = rng.choice(([], [[]], [[], [], []], {}, [[], None]))


def too_many_commands(rng, request):
    request["commands"][rng.randrange(2)] = [{"kind": "timeout"}] * (racers.COMMANDS_MAX + 1)


def member_unknown(rng, request):
    place = rng.choice((request, request["params"], request["params"]["board"], request.get("state", request)))
    place["surprise"] = 1


def outcome_spoilt(rng, request):
    request["state"]["outcome"] = rng.choice((
        {"winner": 2, "reason": "finished"}, {"winner": 0, "reason": "eliminated"}, {"winner": 0}, None, {}))


BREAKERS = (
    side_range, number_range, wall_on_start, wall_twice, equal_starts, starts_number, item_on_wall,
    grenades_on_a_square, discs_on_a_square, item_form, disc_with_a_state, teleporter_spoilt, teleporter_on_wall,
    cell_off_the_board, cell_form, ground_member_missing, racer_spoilt, racer_on_wall, racers_on_a_square,
    racers_number, racer_member_missing, trail_spoilt, turn_spoilt, no_action_left, failure_spoilt, failure_twice,
    command_spoilt, command_lists, too_many_commands, member_unknown, outcome_spoilt,
)
