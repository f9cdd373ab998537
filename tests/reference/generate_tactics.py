"""Random tactics matches for comparing two implementations of the rules.

Uniformly random units would rarely meet. So boards are mostly small, units are in a window of the board,
targets are mostly in a pattern, and several units often choose the same cell.
"""

import generate
import tactics
from generate import INT32_EXTREMES, add_universal, one_in

ALPHABET = "xo+I=-*#@.\"\\/'0aZ~!"

# (weight, sides, units per seat, how wide the crowd stands)
STYLES = (
    (30, (3, 5), (1, 4), 5),
    (30, (4, 7), (3, 8), 6),
    (30, (6, 9), (2, 8), 7),
    (9, (3, 64), (2, 10), 8),
    (1, (20, 64), (30, 64), 14),
)


class Match(generate.Match):
    """One random tactics match."""

    RULESET = "tactics"

    def make_params(self):
        return make_params(self.rng)

    def make_state(self):
        return make_state(self.rng, self.params)

    def make_turn(self):
        return make_turn(self.rng, self.params)

    def make_commands(self, state):
        params = {**tactics.DEFAULTS, **self.params}
        if state is None:
            state = tactics.first_state(params)
        return make_commands(self.rng, params, state)

    def breakers(self):
        return BREAKERS


# ---------------------------------------------------------------- params

def make_params(rng):
    style = rng.choices(STYLES, [style[0] for style in STYLES])[0]
    _, sides, unit_counts, width = style
    params = {"rows": rng.randint(*sides), "cols": rng.randint(*sides)}
    if one_in(rng, 12):
        params = {"rows": 9, "cols": 9}
    params["placement"] = rng.random() < 0.3
    params["start_rows"] = make_start_rows(rng, params)
    params["turn_limit"] = rng.choice((1, 2, 4, 8, 20, 50, 200, 200, 200, 200, 200, 10000))
    params["patterns"] = make_patterns(rng)
    params["models"] = make_models(rng, params["patterns"])
    params["units"] = make_units(rng, params, unit_counts, width)
    if tactics.check_params(params) in ("area_too_large", "turn_too_large"):
        for pattern in params["patterns"].values():
            pattern.pop("map", None)
    leave_out_defaults(rng, params)
    fault = tactics.check_params(params)
    assert fault is None, fault
    return params


def make_start_rows(rng, params):
    if params["placement"]:
        return rng.randint(1, min(4, params["rows"] // 2))
    # Without placement the start rows mean nothing, so overlapping ones are no fault.
    return rng.choice((1, 3, params["rows"]))


def leave_out_defaults(rng, params):
    for name, value in tactics.DEFAULTS.items():
        if params[name] == value and type(params[name]) is type(value) and one_in(rng, 2):
            del params[name]


def make_patterns(rng):
    """Patterns map only to earlier ones, so there are no cycles; then the order is lost."""
    patterns = {}
    for number in range(rng.randint(1, 6)):
        patterns["p%d" % number] = make_pattern(rng, list(patterns))
    names = list(patterns)
    rng.shuffle(names)
    return {name: patterns[name] for name in names}


def make_pattern(rng, earlier):
    side = rng.choice((1, 1, 3, 3, 3, 3, 5, 5, 7, 9))
    if one_in(rng, 250):
        side = rng.choice((11, 21, 33, 61, 63))
    density = 0 if one_in(rng, 25) else rng.choice((0.2, 0.4, 0.7, 0.9, 1))
    letters = rng.sample(ALPHABET, rng.choice((1, 1, 2, 3)))
    if one_in(rng, 10):
        letters.append(chr(rng.randint(33, 126)))
    rows = [[rng.choice(letters) if rng.random() < density else " " for _ in range(side)]
            for _ in range(side)]
    if side > 1 and density > 0:
        # The unit's own cell should be a target sometimes, not in every dense pattern.
        rows[side // 2][side // 2] = rng.choice(letters) if one_in(rng, 3) else " "
    pattern = {"rows": ["".join(row) for row in rows]}
    mapping = {letter: rng.choice(earlier) for letter in letters if earlier and rng.random() < 0.4}
    if mapping or one_in(rng, 4):
        pattern["map"] = mapping
    return pattern


def make_models(rng, patterns):
    models = {}
    for number in range(rng.randint(1, 5)):
        models["m%d" % number] = {
            "description": rng.choice(("", "A unit of chance.", "Says \"no\" \\ maybe.")),
            "health": rng.choice((1, rng.randint(1, 9), rng.randint(5, 40), rng.randint(1, 10000), 10000)),
            "power": rng.choice((0, rng.randint(1, 5), rng.randint(3, 12), rng.randint(3, 25),
                                 rng.randint(0, 10000), 10000)),
            "move": pick_patterns(rng, patterns),
            "attack": pick_patterns(rng, patterns),
        }
    return models


def pick_patterns(rng, patterns):
    return rng.choices(list(patterns), k=rng.choice((0, 1, 1, 1, 2, 2, 2, 3)))


def make_units(rng, params, unit_counts, width):
    """Both seats mixed in the order of params: that order, not the seat, orders events."""
    seats = []
    cells = {}
    window = make_window(rng, params, width)
    for seat in (0, 1):
        cells[seat] = own_cells(params, seat, window) if params["placement"] else window
        room = len(cells[seat]) if params["placement"] else len(window) // 2
        count = min(rng.randint(*unit_counts), room)
        seats += [seat] * (0 if one_in(rng, 60) else count)
    rng.shuffle(seats)
    ids = make_ids(rng, len(seats))
    units, taken = [], set()
    for unit_id, seat in zip(ids, seats):
        at = rng.choice([cell for cell in cells[seat] if cell not in taken])
        taken.add(at)
        units.append({"id": unit_id, "model": rng.choice(list(params["models"])), "seat": seat,
                      "at": list(at)})
    return units


def make_ids(rng, count):
    ids = ["u%d" % number for number in range(count)]
    if count and one_in(rng, 10):
        ids[0] = rng.choice(("A" * 31, "-", "_", "Z-9_a"))
    rng.shuffle(ids)
    return ids


def make_window(rng, params, width):
    """The cells the units start on: a part of a large board, often at its edge."""
    cols, rows = min(params["cols"], width), min(params["rows"], width)
    left = rng.choice((0, params["cols"] - cols, rng.randint(0, params["cols"] - cols)))
    top = rng.choice((0, params["rows"] - rows, rng.randint(0, params["rows"] - rows)))
    return [(x, y) for y in range(top, top + rows) for x in range(left, left + cols)]


def own_cells(params, seat, window):
    columns = sorted({x for x, _ in window})
    return [(x, y) for y in tactics.own_rows(params, seat) for x in columns]


# ---------------------------------------------------------------- states from outside

def make_turn(rng, params):
    limit = params.get("turn_limit", tactics.DEFAULTS["turn_limit"])
    if one_in(rng, 8):
        return max(0, limit + rng.choice((-2, -1, -1, 0, 1, 100)))
    return rng.randint(0, limit - 1)


def make_state(rng, given_params):
    params = {**tactics.DEFAULTS, **given_params}
    if params["placement"] and rng.random() < 0.6:
        state = tactics.first_state(params)
        scatter_in_rows(rng, params, state["units"])
    else:
        state = tactics.first_state({**params, "placement": False})
        if rng.random() < 0.7:
            scatter(rng, params, state["units"])
        state["units"] = wear_down(rng, state["units"])
    if one_in(rng, 40):
        rng.shuffle(state["units"])
    if one_in(rng, 40):
        state["outcome"] = make_outcome(rng)
    return state


def scatter(rng, params, units):
    """Gathers all units in one window that they almost fill."""
    width = 3
    while min(params["cols"], width) * min(params["rows"], width) < len(units):
        width += 1
    window = make_window(rng, params, rng.randint(width, width + 3))
    for unit, cell in zip(units, rng.sample(window, len(units))):
        unit["at"] = list(cell)


def scatter_in_rows(rng, params, units):
    for seat in (0, 1):
        own = [unit for unit in units if unit["seat"] == seat]
        columns = {unit["at"][0] for unit in own} | {0}
        cells = [(x, y) for y in tactics.own_rows(params, seat) for x in sorted(columns)]
        for unit, cell in zip(own, rng.sample(cells, len(own))):
            unit["at"] = list(cell)


def wear_down(rng, units):
    survivors = []
    death = rng.choice((0, 0, 0.1, 0.2, 0.4, 0.8))
    for unit in units:
        unit["health"] = rng.choice((1, unit["health"], rng.randint(1, unit["health"]),
                                     unit["health"] + rng.randint(1, 5)))
        if one_in(rng, 100):
            unit["health"] = 2 ** 31 - 1
        if rng.random() >= death:
            survivors.append(unit)
    return survivors


def make_outcome(rng):
    reason = rng.choice(tactics.REASONS)
    return {"winner": None if reason.startswith("draw") else rng.choice((0, 1)), "reason": reason}


# ---------------------------------------------------------------- commands

def make_commands(rng, params, state):
    if state["phase"] == "placement":
        commands = make_placements(rng, params, state)
    else:
        commands = make_orders(rng, params, state)
    for seat in (0, 1):
        add_nonsense(rng, params, state, commands[seat], seat)
    add_universal(rng, commands)
    for given in commands:
        rng.shuffle(given)
        del given[tactics.COMMANDS_MAX:]
    return commands


def command(unit_id, kind, target):
    return {"unit": unit_id, "kind": kind, "target": list(target)}


def wild_target(rng, params, state):
    """Any cell: an occupied one, another, just outside, far outside."""
    kind = rng.randrange(5)
    if kind == 0 and state["units"]:
        return tuple(rng.choice(state["units"])["at"])
    if kind == 1:
        return (rng.choice((-1, params["cols"], rng.randrange(params["cols"]))),
                rng.choice((-1, params["rows"], rng.randrange(params["rows"]))))
    if kind == 2:
        cell = [rng.randrange(params["cols"]), rng.randrange(params["rows"])]
        cell[rng.randrange(2)] = rng.choice(INT32_EXTREMES)
        return rng.choice((tuple(cell), tuple(rng.choices(INT32_EXTREMES, k=2))))
    return (rng.randrange(params["cols"]), rng.randrange(params["rows"]))


class Orders:
    """The moves and attacks of one turn while they are generated."""

    def __init__(self, rng, params, state):
        self.rng = rng
        self.params = params
        self.state = state
        self.board = tactics.Board(params, {**state, "phase": "play"})
        self.stood_on = {unit.at for unit in self.board.units.values()}
        self.wanted = {0: set(), 1: set()}
        self.attack_share = rng.choice((0, 0.2, 0.5, 0.5, 0.8, 1))
        self.wild_share = rng.choice((0.02, 0.1, 0.1, 0.3))

    def allowed(self, unit, kind):
        cells = set()
        for name in self.board.model(unit)[kind]:
            cells |= set(self.board.targets(unit, name))
        return sorted(cell for cell in cells if tactics.is_inside(self.params, cell))

    def pick(self, cells, *favourites):
        """A cell of the first non-empty favourite set; each set is used with some probability."""
        for favourite, luck in favourites:
            good = [cell for cell in cells if cell in favourite]
            if good and self.rng.random() < luck:
                return self.rng.choice(good)
        return self.rng.choice(cells)

    def order(self, unit):
        kind = "attack" if self.rng.random() < self.attack_share else "move"
        cells = self.allowed(unit, kind)
        if not cells or self.rng.random() < self.wild_share:
            return command(unit.id, kind, wild_target(self.rng, self.params, self.state))
        if kind == "attack":
            targets = self.stood_on | self.wanted[0] | self.wanted[1]
            return command(unit.id, kind, self.pick(cells, ({unit.at}, 0.1), (targets, 0.7)))
        own, enemy = self.wanted[unit.seat], self.wanted[1 - unit.seat]
        free = set(cells) - self.stood_on
        target = self.pick(cells, (own & free, 0.15), ((enemy & free) - own, 0.6),
                           (free - own, 0.85), (self.stood_on, 0.5))
        own.add(target)
        return command(unit.id, kind, target)


def make_orders(rng, params, state):
    orders = Orders(rng, params, state)
    commands = [[], []]
    share = rng.choice((0.5, 0.9, 1))
    units = list(orders.board.units.values())
    rng.shuffle(units)
    for unit in units:
        if rng.random() < share:
            commands[unit.seat].append(orders.order(unit))
    return commands


def make_placements(rng, params, state):
    commands = [[], []]
    for seat in (0, 1):
        own = [unit for unit in state["units"] if unit["seat"] == seat]
        rng.shuffle(own)
        cells = [(x, y) for y in tactics.own_rows(params, seat) for x in range(params["cols"])]
        taken = {tuple(unit["at"]) for unit in own}
        free = [cell for cell in cells if cell not in taken]
        while own:
            length = min(len(own), rng.choice((1, 1, 2, 2, 3, 4, 6)))
            chain, own = own[:length], own[length:]
            commands[seat] += make_chain(rng, params, state, chain, free)
    return commands


def make_chain(rng, params, state, units, free):
    """Each unit goes to the next one's cell; the last one decides whether all may."""
    ends = rng.choice(("ring", "ring", "free", "free", "wild", "stays", "stuck"))
    commands = [command(unit["id"], "place", following["at"])
                for unit, following in zip(units, units[1:])]
    last = units[-1]
    if ends == "ring":
        commands.append(command(last["id"], "place", units[0]["at"]))
    elif ends == "free" and free:
        commands.append(command(last["id"], "place", rng.choice(free)))
    elif ends == "wild":
        commands.append(command(last["id"], "place", wild_target(rng, params, state)))
    elif ends == "stuck":
        commands.append(command(last["id"], "place", last["at"]))
    return commands


def add_nonsense(rng, params, state, given, seat):
    """Commands that the first checks must refuse without affecting the others."""
    chance = rng.choice((0, 0, 0.1, 0.4))
    fitting = ("place",) if state["phase"] == "placement" else ("move", "attack")
    living = {unit["id"] for unit in state["units"]}
    dead = [unit["id"] for unit in params["units"] if unit["id"] not in living]
    enemies = [unit["id"] for unit in state["units"] if unit["seat"] != seat]
    own = [unit["id"] for unit in state["units"] if unit["seat"] == seat]

    def add(unit_id, kinds):
        given.append(command(unit_id, rng.choice(kinds), wild_target(rng, params, state)))

    if given and rng.random() < chance:
        twin = dict(rng.choice(given))
        if one_in(rng, 2):
            twin["kind"] = rng.choice(fitting)
            twin["target"] = list(wild_target(rng, params, state))
        given += [twin] * rng.choice((1, 1, 2))
    if rng.random() < chance:
        add(rng.choice(("nobody", "u999", "U0", "_")), tactics.UNIT_KINDS)
    if dead and rng.random() < chance:
        add(rng.choice(dead), fitting)
    if enemies and rng.random() < chance:
        add(rng.choice(enemies), tactics.UNIT_KINDS)
    if own and rng.random() < chance:
        # Counts for nothing when the same unit is commanded a second time.
        add(rng.choice(own), tuple(kind for kind in tactics.UNIT_KINDS if kind not in fitting))
    if one_in(rng, 300):
        for _ in range(tactics.COMMANDS_MAX - len(given)):
            add(rng.choice(own + enemies + dead + ["nobody"]), tactics.UNIT_KINDS)


# ---------------------------------------------------------------- requests that must be refused
#
# Each function breaks a request in one way that the rules or the forms forbid, so the tool must answer with
# an error.

def with_pattern(request, pattern, name="broken"):
    request["params"]["patterns"][name] = pattern


def side_even(rng, request):
    side = rng.choice((2, 4, 8, 62, 64))
    with_pattern(request, {"rows": ["x" * side] * side})


def side_too_long(rng, request):
    side = rng.choice((65, 67, 129))
    with_pattern(request, {"rows": ["x" * side] * side})


def rows_ragged(rng, request):
    with_pattern(request, {"rows": rng.choice((["   ", "  ", "   "], [" ", "  "], ["xxx", "xxxx", "xxx"]))})


def rows_not_square(rng, request):
    with_pattern(request, {"rows": rng.choice((["  "], ["xxx"], ["x", "x", "x"], ["   "] * 5, []))})


def character_not_printable(rng, request):
    with_pattern(request, {"rows": [rng.choice(("\t", "\u00e9", "\x7f", "\u2603", "\x1f"))]})


def mapped_name_unknown(rng, request):
    # The valid mapping comes first or last: all of them must be checked.
    mapping = [("x", "fine"), ("o", "nowhere")]
    rng.shuffle(mapping)
    with_pattern(request, {"rows": ["x"]}, "fine")
    with_pattern(request, {"rows": [" x ", " o ", "   "], "map": dict(mapping)})


def mapped_space(rng, request):
    with_pattern(request, {"rows": ["x"]}, "fine")
    with_pattern(request, {"rows": ["x"], "map": {" ": "fine"}})


def mapping_cycle(rng, request):
    length = rng.randint(1, 4)
    for number in range(length):
        with_pattern(request, {"rows": ["x"], "map": {"x": "cycle%d" % ((number + 1) % length)}},
                     "cycle%d" % number)


def area_too_large(rng, request):
    with_pattern(request, {"rows": ["x" * 63] * 63}, "full")
    with_pattern(request, {"rows": ["xx ", "xx ", "  x"], "map": {"x": "full"}}, "wide")
    with_pattern(request, {"rows": ["x"], "map": {"x": "wide"}})


def pattern_unknown(rng, request):
    rng.choice(list(request["params"]["models"].values()))[rng.choice(("move", "attack"))] = ["nowhere"]


def model_health_range(rng, request):
    rng.choice(list(request["params"]["models"].values()))["health"] = rng.choice((0, -1, 10001, 2 ** 31))


def model_power_range(rng, request):
    rng.choice(list(request["params"]["models"].values()))["power"] = rng.choice((-1, 10001, 2 ** 32))


def model_unknown(rng, request):
    rng.choice(request["params"]["units"])["model"] = "nowhere"


def board_size(rng, request):
    request["params"][rng.choice(("rows", "cols"))] = rng.choice((-9, 0, 2, 65, 2 ** 31))


def unit_double(rng, request):
    units = request["params"]["units"]
    units[0]["id"] = units[1]["id"]


def unit_on_unit(rng, request):
    units = request["params"]["units"]
    units[0]["at"] = units[1]["at"]


def unit_off_the_board(rng, request):
    rng.choice(request["params"]["units"])["at"] = rng.choice(([-1, 0], [0, 64], [64, 0], [2 ** 31 - 1, 0]))


def unit_seat(rng, request):
    rng.choice(request["params"]["units"])["seat"] = rng.choice((-1, 2))


def unit_id_form(rng, request):
    rng.choice(request["params"]["units"])["id"] = rng.choice(("", "a b", "a" * 32, "\u00e9"))


def place_outside_start_rows(rng, request):
    params = {**tactics.DEFAULTS, **request["params"]}
    request["params"].update(placement=True, rows=9, start_rows=3)
    request["params"]["units"] = [{"id": "a", "model": list(params["models"])[0], "seat": 0, "at": [0, 5]}]
    request.pop("state", None)


def start_rows_overlap(rng, request):
    request["params"].update(placement=True, rows=9, start_rows=5)
    request["params"]["units"] = []
    request.pop("state", None)


def state_unit_unknown(rng, request):
    rng.choice(request["state"]["units"])["id"] = "nobody"


def state_unit_double(rng, request):
    unit = rng.choice(request["state"]["units"])
    request["state"]["units"].append(unit)


def state_unit_off_the_board(rng, request):
    rng.choice(request["state"]["units"])["at"] = rng.choice(([-1, 0], [0, 64], [64, 0], [0, -(2 ** 31)]))


def state_unit_on_unit(rng, request):
    units = request["state"]["units"]
    units[0]["at"] = units[1]["at"]


def state_health_below_one(rng, request):
    rng.choice(request["state"]["units"])["health"] = rng.choice((0, -1, -(2 ** 31)))


def target_beyond_32_bits(rng, request):
    target = [0, 0]
    target[rng.randrange(2)] = rng.choice((2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 63, 10 ** 30))
    request["commands"][rng.randrange(2)].append(command("u0", "move", target))


def target_type(rng, request):
    target = rng.choice(([0], [0, 0, 0], [0, "0"], [0, None], [0, 0.5], "00", None, {"x": 0, "y": 0}))
    request["commands"][rng.randrange(2)].append({"unit": "u0", "kind": "move", "target": target})


def command_kind(rng, request):
    request["commands"][rng.randrange(2)].append(command("u0", rng.choice(("jump", "Move", "")), (0, 0)))


def command_member_missing(rng, request):
    given = command("u0", "attack", (0, 0))
    del given[rng.choice(list(given))]
    request["commands"][rng.randrange(2)].append(given)


def command_lists(rng, request):
    request["commands"] = rng.choice(([], [[]], [[], [], []], {}, [[], None]))


def member_unknown(rng, request):
    place = rng.choice((request, request["params"], request["params"]["units"][0]))
    place["surprise"] = 1


def member_missing(rng, request):
    del request["params"]["units"][0][rng.choice(("id", "model", "seat", "at"))]


BREAKERS = (
    side_even, side_too_long, rows_ragged, rows_not_square, character_not_printable,
    mapped_name_unknown, mapped_space, mapping_cycle, area_too_large,
    pattern_unknown, model_health_range, model_power_range, model_unknown, board_size,
    unit_double, unit_on_unit, unit_off_the_board, unit_seat, unit_id_form,
    place_outside_start_rows, start_rows_overlap,
    state_unit_unknown, state_unit_double, state_unit_off_the_board, state_unit_on_unit,
    state_health_below_one,
    target_beyond_32_bits, target_type, command_kind, command_member_missing, command_lists,
    member_unknown, member_missing,
)
