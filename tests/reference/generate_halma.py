"""Random halma matches for comparing two implementations of the rules.

Uniformly random pieces would rarely meet or fill a camp. So boards are mostly small, pieces and destinations
are in a window of the board, both seats often choose the same square, and a seat that can finish often does.
"""

import copy

import generate
import halma
from generate import INT32_EXTREMES, add_universal, one_in

DIRECTIONS = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0)]

# (weight, sizes, pieces a seat, destinations a seat, how wide the crowd stands)
STYLES = (
    (35, (6, 7), (1, 3), (1, 2), 4),
    (35, (6, 9), (2, 8), (1, 4), 6),
    (10, (8, 14), (4, 14), (2, 9), 8),
    (9, (6, 64), (2, 12), (1, 9), 9),
    (1, (20, 64), (40, 64), (9, 64), 16),
)


class Match(generate.Match):
    """One random halma match."""

    RULESET = "halma"

    def make_params(self):
        return make_params(self.rng)

    def make_state(self):
        return make_state(self.rng, halma.fill_in(self.params))

    def make_turn(self):
        return make_turn(self.rng, halma.fill_in(self.params))

    def make_commands(self, state):
        params = halma.fill_in(self.params)
        return make_commands(self.rng, params, halma.first_state(params) if state is None else state)

    def breakers(self):
        return BREAKERS


# ---------------------------------------------------------------- params

def make_params(rng):
    params = make_board(rng)
    params["turn_limit"] = rng.choice((1, 2, 4, 8, 20, 50, 200, 200, 200, 200, 200, 1000000))
    params["stall_limit"] = rng.choice((0, 1, 1, 2, 2, 3, 5, 5, 5, 1000000))
    params["cycle_ms"] = rng.choice((0, 0, 0, 10, 1000, 3600000))
    for name, value in halma.DEFAULTS.items():
        if params[name] == value and one_in(rng, 2):
            del params[name]
    fault = halma.check_params(params)
    assert fault is None, fault
    return params


def make_board(rng):
    if one_in(rng, 12):
        # The default cells, on the default board or a larger one.
        return {**copy.deepcopy(halma.DEFAULTS), "size": rng.choice((18, 18, 18, 19, 64))}
    _, sizes, pieces, destinations, width = rng.choices(STYLES, [style[0] for style in STYLES])[0]
    size = rng.randint(*sizes)
    window = make_window(rng, size, width)
    counts = [min(rng.randint(*pieces), len(window) // 2) for _ in halma.SEATS]
    cells = rng.sample(window, sum(counts))
    goals = window if one_in(rng, 2) else make_window(rng, size, width)
    return {
        "size": size,
        "pieces": [as_lists(cells[:counts[0]]), as_lists(cells[counts[0]:])],
        "destinations": [as_lists(rng.sample(goals, min(rng.randint(*destinations), len(goals))))
                         for _ in halma.SEATS],
    }


def as_lists(cells):
    return [list(cell) for cell in cells]


def make_window(rng, size, width):
    """A part of the board, often at its edge."""
    width = min(size, width)
    left = rng.choice((0, size - width, rng.randint(0, size - width)))
    top = rng.choice((0, size - width, rng.randint(0, size - width)))
    return [(x, y) for y in range(top, top + width) for x in range(left, left + width)]


# ---------------------------------------------------------------- states from outside

def make_turn(rng, params):
    limit = params["turn_limit"]
    if one_in(rng, 8):
        return max(0, limit + rng.choice((-2, -1, -1, 0, 1, 100)))
    return rng.randint(0, limit - 1)


def make_state(rng, params):
    state = halma.first_state(params)
    scatter(rng, params, state["units"])
    if rng.random() < 0.3:
        gather_at_destinations(rng, params, state["units"])
    if rng.random() < 0.4:
        share_squares(rng, state["units"])
    wear_down(rng, state["units"])
    state["faults"] = make_faults(rng, params)
    if state["faults"] == [0, 0] and one_in(rng, 2):
        del state["faults"]
    if one_in(rng, 40):
        rng.shuffle(state["units"])
    if one_in(rng, 40):
        state["outcome"] = make_outcome(rng)
    return state


def scatter(rng, params, units):
    """Gathers all pieces in one window that they almost fill."""
    width = 3
    while width * width < len(units):
        width += 1
    window = make_window(rng, params["size"], rng.randint(width, width + 3))
    for unit, cell in zip(units, rng.sample(window, len(units))):
        unit["at"] = list(cell)


def gather_at_destinations(rng, params, units):
    """Fills all destinations except one or two, mostly with their owner's pieces."""
    for seat in rng.sample(halma.SEATS, rng.choice((1, 2, 2))):
        goals = rng.sample(params["destinations"][seat], len(params["destinations"][seat]))
        movers = sorted(units, key=lambda unit: (unit["seat"] != seat) + rng.random() * 1.2)
        for unit, goal in zip(movers, goals[rng.choice((0, 1, 1, 1, 1, 2)):]):
            if not any(other["at"] == goal for other in units):
                unit["at"] = list(goal)


def share_squares(rng, units):
    """Puts a few pieces onto others, never a third."""
    for unit in rng.sample(units, min(len(units), rng.choice((1, 1, 2, 3)))):
        other = rng.choice(units)
        if sum(third["at"] == other["at"] for third in units) == 1:
            unit["at"] = list(other["at"])


def wear_down(rng, units):
    share = rng.choice((0, 0, 0.1, 0.4, 1))
    for unit in units:
        unit["damage"] = rng.choice((1, 1, rng.randint(1, 5))) if rng.random() < share else 0


def make_faults(rng, params):
    limit = params["stall_limit"]
    near = (0, 0, 0, 1, 2, max(0, limit - 1), max(0, limit - 1))
    faults = [rng.choice(near), rng.choice(near)]
    if one_in(rng, 30):
        faults[rng.randrange(2)] = rng.choice((limit, limit + 1, 2 ** 31 - 1, 2 ** 31 - 2))
    if limit > 0 and min(faults) >= limit:
        faults[rng.randrange(2)] = 0
    return faults


def make_outcome(rng):
    reason = rng.choice(halma.REASONS)
    return {"winner": None if reason.startswith("draw") else rng.choice((0, 1)), "reason": reason}


# ---------------------------------------------------------------- moves that are legal

class Moves:
    """The legal moves of one position."""

    def __init__(self, rng, params, state):
        self.rng = rng
        self.params = params
        self.units = state["units"]
        self.taken = {tuple(unit["at"]) for unit in self.units}

    def of_seat(self, seat):
        return [unit for unit in self.units if unit["seat"] == seat]

    def is_free(self, cell):
        return halma.is_inside(self.params, cell) and cell not in self.taken

    def steps(self, unit):
        x, y = unit["at"]
        return [(x + dx, y + dy) for dx, dy in DIRECTIONS if self.is_free((x + dx, y + dy))]

    def jumps(self, start, cell):
        """Landing squares; `start` is free for the piece that came from there."""
        x, y = cell
        landings = [(x + 2 * dx, y + 2 * dy) for dx, dy in DIRECTIONS if (x + dx, y + dy) in self.taken]
        return [landing for landing in landings if landing == start or self.is_free(landing)]

    def ends(self, unit):
        """{square: a path to it} of all that the piece can reach, its own square too."""
        start = tuple(unit["at"])
        paths = {start: [start], **{cell: [cell] for cell in self.steps(unit)}}
        waiting = [] if unit["damage"] else [(start, [])]
        reached = {start}
        while waiting:
            cell, path = waiting.pop(0)
            for landing in self.jumps(start, cell):
                if landing not in reached:
                    reached.add(landing)
                    paths.setdefault(landing, path + [landing])
                    waiting.append((landing, path + [landing]))
        return paths

    def wander(self, unit):
        """A chain of jumps that may cross itself and come back."""
        start = tuple(unit["at"])
        cell, path = start, []
        length = self.rng.choice((1, 1, 2, 2, 3, 3, 4, 6, 10, 30))
        if one_in(self.rng, 10):
            length = self.rng.choice((255, 256, 256, 257, 257, 258, 300))
        while len(path) < length and self.jumps(start, cell):
            cell = self.rng.choice(self.jumps(start, cell))
            path.append(cell)
        return path or [self.rng.choice(self.steps(unit) or [start])]

    def any_move(self, seat):
        unit = self.rng.choice(self.of_seat(seat))
        if self.rng.random() < 0.4 and not unit["damage"]:
            return command(unit, self.wander(unit))
        paths = self.ends(unit)
        return command(unit, paths[self.rng.choice(sorted(paths))])

    def finishing_move(self, seat):
        """One that ends on a destination of the seat that is still free, or None."""
        goals = {tuple(cell) for cell in self.params["destinations"][seat]} - self.taken
        for unit in self.rng.sample(self.of_seat(seat), len(self.of_seat(seat))):
            paths = self.ends(unit)
            reached = sorted(goals & set(paths))
            if reached:
                return command(unit, paths[self.rng.choice(reached)])
        return None

    def meeting_moves(self):
        """Two moves that end on one square, or None."""
        sides = [self.rng.sample(self.of_seat(seat), min(4, len(self.of_seat(seat)))) for seat in halma.SEATS]
        for unit in sides[0]:
            for other in sides[1]:
                paths, others = self.ends(unit), self.ends(other)
                common = sorted(set(paths) & set(others))
                if common:
                    cell = self.rng.choice(common)
                    return [command(unit, paths[cell]), command(other, others[cell])]
        return None


def command(unit, path):
    return {"unit": unit["id"], "kind": "move", "path": as_lists(path)}


# ---------------------------------------------------------------- commands

def make_commands(rng, params, state):
    moves = Moves(rng, params, state)
    commands = [[move] for move in make_moves(rng, moves)]
    spoil_share = rng.choice((0, 0, 0.1, 0.3, 0.6))
    for seat in halma.SEATS:
        if rng.random() < spoil_share:
            rng.choice(SPOILERS)(rng, moves, commands[seat], seat)
        if one_in(rng, 12):
            commands[seat].insert(rng.randrange(len(commands[seat]) + 1), {"kind": "timeout"})
    add_universal(rng, commands)
    for given in commands:
        del given[halma.COMMANDS_MAX:]
    return commands


def make_moves(rng, moves):
    if rng.random() < 0.25:
        meeting = moves.meeting_moves()
        if meeting is not None:
            return meeting
    return [(rng.random() < 0.5 and moves.finishing_move(seat)) or moves.any_move(seat) for seat in halma.SEATS]


def wild_cell(rng, params):
    """Any cell: a square, just outside, far outside."""
    size = params["size"]
    if one_in(rng, 3):
        cell = [rng.randrange(size), rng.randrange(size)]
        cell[rng.randrange(2)] = rng.choice((-1, -2, size, size + 1, *INT32_EXTREMES))
        return cell
    return [rng.randrange(size), rng.randrange(size)]


# Each makes a seat's commands invalid.

def say_nothing(rng, moves, given, seat):
    given.clear()


def say_more(rng, moves, given, seat):
    for _ in range(rng.choice((1, 1, 2, 5)) if not one_in(rng, 60) else halma.COMMANDS_MAX):
        given.append(rng.choice(((given or [moves.any_move(seat)])[0], moves.any_move(seat), moves.any_move(1 - seat))))


def name_nobody(rng, moves, given, seat):
    for move in given:
        move["unit"] = rng.choice(("a0", "b0", "a01", "b99", "a999", "c1", "A1", "a", "_", "a1a", "-", "b1-",
                                   "a%d" % (len(moves.of_seat(0)) + 1), "b%d" % (len(moves.of_seat(1)) + 1)))


def name_enemy(rng, moves, given, seat):
    given[:] = [moves.any_move(1 - seat)]


def empty_path(rng, moves, given, seat):
    for move in given:
        move["path"] = []


def wild_squares(rng, moves, given, seat):
    for move in given:
        place = rng.randrange(len(move["path"]) + 1)
        move["path"][place:place + rng.choice((0, 1))] = [wild_cell(rng, moves.params)]


def wild_path(rng, moves, given, seat):
    for move in given:
        move["path"] = [wild_cell(rng, moves.params) for _ in range(rng.choice((1, 1, 2, 3)))]


def step_in_chain(rng, moves, given, seat):
    """A step or a hold before or after a jump."""
    for move in given:
        x, y = move["path"][-1]
        dx, dy = rng.choice(DIRECTIONS + [(0, 0)])
        move["path"].append([x + dx, y + dy])


def bold_jumps(rng, moves, given, seat):
    """Legs of two squares, with or without pieces in the middle or at the end."""
    unit = rng.choice(moves.of_seat(seat))
    x, y = unit["at"]
    path = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        over = [(dx, dy) for dx, dy in DIRECTIONS if (x + dx, y + dy) in moves.taken]
        dx, dy = rng.choice(over if over and rng.random() < 0.7 else DIRECTIONS)
        x, y = x + 2 * dx, y + 2 * dy
        path.append((x, y))
    given[:] = [command(unit, path)]


def bold_step(rng, moves, given, seat):
    """Onto a neighbour, if there is one."""
    unit = rng.choice(moves.of_seat(seat))
    x, y = unit["at"]
    around = [(x + dx, y + dy) for dx, dy in DIRECTIONS]
    given[:] = [command(unit, [rng.choice([cell for cell in around if cell in moves.taken] or around)])]


SPOILERS = (say_nothing, say_more, name_nobody, name_enemy, empty_path, wild_squares, wild_path, step_in_chain,
            bold_jumps, bold_jumps, bold_jumps, bold_step)


# ---------------------------------------------------------------- requests that must be refused
#
# Each function breaks a request in one way that the rules or the forms forbid, so the tool must answer with
# an error.

def full_params(request):
    """All members of the params, to be broken one by one; without changing the defaults."""
    request["params"] = copy.deepcopy(halma.fill_in(request["params"]))
    return request["params"]


def any_list(rng, params, *names):
    return params[rng.choice(names)][rng.randrange(2)]


def size_range(rng, request):
    request["params"]["size"] = rng.choice((-18, 0, 5, 65, 2 ** 31))


def size_too_small_for_the_defaults(rng, request):
    request["params"] = {"size": rng.randint(6, 17)}
    request.pop("state", None)


def number_range(rng, request):
    name, value = rng.choice((("turn_limit", 0), ("turn_limit", -1), ("turn_limit", 1000001), ("stall_limit", -1),
                              ("stall_limit", 1000001), ("cycle_ms", -1), ("cycle_ms", 1), ("cycle_ms", 9),
                              ("cycle_ms", 3600001), ("turn_limit", "200"), ("stall_limit", None)))
    request["params"][name] = value


def cell_off_the_board(rng, request):
    params = full_params(request)
    size = params["size"]
    cells = any_list(rng, params, "pieces", "destinations")
    cells[rng.randrange(len(cells))] = rng.choice(([-1, 0], [0, size], [size, 0], [2 ** 31 - 1, 0], [0, -(2 ** 31)]))


def cell_double(rng, request):
    params = full_params(request)
    cells = any_list(rng, params, "pieces", "destinations")
    cells.append(list(rng.choice(cells)))


def piece_on_enemy(rng, request):
    pieces = full_params(request)["pieces"]
    pieces[1][0] = list(pieces[0][-1])


def list_empty(rng, request):
    any_list(rng, full_params(request), "pieces", "destinations").clear()


def list_missing(rng, request):
    lists = full_params(request)[rng.choice(("pieces", "destinations"))]
    rng.choice((lists.pop, lambda: lists.append([[0, 0]])))()


def cell_form(rng, request):
    cells = any_list(rng, full_params(request), "pieces", "destinations")
    cells[0] = rng.choice(([0], [0, 0, 0], [0, "0"], [0, None], [0, 0.5], "00", None, {"x": 0, "y": 0}))


def too_many_cells(rng, request):
    name = rng.choice(("pieces", "destinations"))
    request["params"] = {"size": 20, name: [as_lists((x, y) for y in range(3) for x in range(20))[:60], [[0, 19]]]}
    request["params"][name][rng.randrange(2)][:] = as_lists((x, y) for y in range(4, 10) for x in range(20))[:65]
    request.pop("state", None)


def state_unit_unknown(rng, request):
    rng.choice(request["state"]["units"])["id"] = rng.choice(("nobody", "a0", "b65", "c1"))


def state_unit_double(rng, request):
    units = request["state"]["units"]
    units.append(rng.choice(units))


def state_unit_missing(rng, request):
    units = request["state"]["units"]
    del units[rng.randrange(len(units))]


def state_unit_other_seat(rng, request):
    unit = rng.choice(request["state"]["units"])
    unit["seat"] = 1 - unit["seat"]


def state_unit_off_the_board(rng, request):
    rng.choice(request["state"]["units"])["at"] = rng.choice(([-1, 0], [0, 64], [64, 0], [0, -(2 ** 31)]))


def state_three_on_a_cell(rng, request):
    units = request["state"]["units"]
    units[0]["at"] = units[1]["at"] = units[2]["at"]


def state_damage_range(rng, request):
    rng.choice(request["state"]["units"])["damage"] = rng.choice((-1, 6, 100))


def state_faults(rng, request):
    request["state"]["faults"] = rng.choice(([], [0], [0, 0, 0], [-1, 0], [0, 2 ** 31], [0, None], None, 0))


def state_both_stalled(rng, request):
    request["params"]["stall_limit"] = 2
    request["state"]["faults"] = rng.choice(([2, 2], [3, 2], [2, 2 ** 31 - 1]))


def path_beyond_32_bits(rng, request):
    cell = [0, 0]
    cell[rng.randrange(2)] = rng.choice((2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 63, 10 ** 30))
    request["commands"][rng.randrange(2)].append({"unit": "a1", "kind": "move", "path": [[0, 0], cell]})


def path_form(rng, request):
    path = rng.choice(([[0]], [[0, 0, 0]], [[0, "0"]], [0, 0], "00", None, {"x": 0}, [None], [[0, 0.5]]))
    request["commands"][rng.randrange(2)].append({"unit": "a1", "kind": "move", "path": path})


def command_kind(rng, request):
    request["commands"][rng.randrange(2)].append({"unit": "a1", "kind": rng.choice(("jump", "Move", "", "place")),
                                                  "path": [[0, 0]]})


def command_member_missing(rng, request):
    given = {"unit": "a1", "kind": "move", "path": [[0, 0]]}
    del given[rng.choice(list(given))]
    request["commands"][rng.randrange(2)].append(given)


def command_lists(rng, request):
    request["commands"] = rng.choice(([], [[]], [[], [], []], {}, [[], None]))


def too_many_commands(rng, request):
    request["commands"][rng.randrange(2)] = [{"kind": "timeout"}] * (halma.COMMANDS_MAX + 1)


def member_unknown(rng, request):
    place = rng.choice((request, request["params"], request.get("state", request)))
    place["surprise"] = 1


def unit_member_missing(rng, request):
    del request["state"]["units"][0][rng.choice(("id", "seat", "at", "damage"))]


BREAKERS = (
    size_range, size_too_small_for_the_defaults, number_range, cell_off_the_board, cell_double, piece_on_enemy,
    list_empty, list_missing, cell_form, too_many_cells,
    state_unit_unknown, state_unit_double, state_unit_missing, state_unit_other_seat, state_unit_off_the_board,
    state_three_on_a_cell, state_damage_range, state_faults, state_both_stalled,
    path_beyond_32_bits, path_form, command_kind, command_member_missing, command_lists, too_many_commands,
    member_unknown, unit_member_missing,
)
