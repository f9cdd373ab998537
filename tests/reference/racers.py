"""A second implementation of racers: slow, simple, and written from the rules alone.

`resolve(request)` says what `skirmish resolve` must answer, without `hash`.
Tests compare the two on random actions, so nothing here may be copied from the C code. It should stay simple:
when the two differ, a reader must be able to check this one against the rules by eye.

A request that must be refused gets {"error": {"code": WORD}}.  The comparison uses only that there is an
error, not the word.

Boards placed at random are not made here: tests/property/racers_setup checks
those.  A request without a state must bring a board.
"""

from chance import Stream
from endings import ENDING_REASONS, all_match_over, find_agreed_ending, verdicts_of_ending
from forms import (SEATS, check_commands, check_members, check_outcome, check_request_members,
                   copy_form, first_fault, is_cell, is_int32, is_integer)

DIRECTIONS = {"n": (0, -1), "ne": (1, -1), "e": (1, 0), "se": (1, 1),
              "s": (0, 1), "sw": (-1, 1), "w": (-1, 0), "nw": (-1, -1)}
STRAIGHT = ("n", "e", "s", "w")
ITEMS = ("grenade", "disc", "charged_disc")
GRENADE_STATES = ("inactive", "placed", "active", "exploded")
REASONS = ("finished", "trapped", "unmoved", "draw_turn_limit", *ENDING_REASONS)

SIDES = range(10, 64 + 1)
ACTIONS = 3
CARRIED_MAX = 6
TRAIL_MAX = 3
FAILURE_TURNS = 3
DEBT_MAX, SKIP_MAX = 1000, 100
PERFORMED_MAX = 2000000000
TURN_LIMIT_MAX = 1000000
COMMANDS_MAX = 128
DISC_RANGE = 4

# The stages that chance is drawn for.
CHANCE_FAILURES, CHANCE_FIRST_FAILURES = 0, 2

DEFAULTS = {"rows": 12, "cols": 12, "failure_permille": 50, "turn_limit": 1000}


def fill_in(params):
    return {**DEFAULTS, **params}


def is_inside(params, cell):
    return 0 <= cell[0] < params["cols"] and 0 <= cell[1] < params["rows"]


def step(cell, direction):
    dx, dy = DIRECTIONS[direction]
    return [cell[0] + dx, cell[1] + dy]


# ---------------------------------------------------------------- refusing impossible input

def check_request(request):
    return first_fault(find_request_faults(request))


def find_request_faults(request):
    yield check_request_members(request, "racers")
    yield check_params(request["params"])
    if "state" in request:
        yield check_state(fill_in(request["params"]), request["state"])
    if "commands" in request:
        yield check_commands(request["commands"], COMMANDS_MAX, check_command)


def check_params(params):
    return first_fault(find_params_faults(params))


def find_params_faults(params):
    yield check_members(params, (), (*DEFAULTS, "board"))
    full = fill_in(params)
    for name, least, most in (("rows", SIDES[0], SIDES[-1]), ("cols", SIDES[0], SIDES[-1]),
                              ("failure_permille", 0, 1000), ("turn_limit", 1, TURN_LIMIT_MAX)):
        if not is_integer(full[name]) or not least <= full[name] <= most:
            yield name
    if "board" in params:
        yield check_members(params["board"], ("walls", "starts", "items", "teleporters"))
        yield check_ground(full, params["board"], is_new=True)


def check_ground(params, ground, is_new):
    return first_fault(find_ground_faults(params, ground, is_new))


def find_ground_faults(params, ground, is_new):
    """Walls, starts, items and teleporters, of a new board or of a state."""
    for name in ("walls", "starts", "items", "teleporters"):
        if not isinstance(ground[name], list):
            yield "not_a_list"
    for cell in ground["walls"] + ground["starts"]:
        yield check_cell(params, cell)
    for item in ground["items"]:
        yield check_item(params, item)
    for teleporter in ground["teleporters"]:
        yield check_members(teleporter, ("at", "to"))
        yield check_cell(params, teleporter["at"])
        yield check_cell(params, teleporter["to"])
    yield check_places(ground, is_new)


def check_cell(params, cell):
    return None if is_cell(cell) and is_inside(params, cell) else "cell"


def check_item(params, item):
    fault = check_members(item, ("kind", "at"), ("state",)) or check_cell(params, item["at"])
    if fault is not None:
        return fault
    if item["kind"] not in ITEMS:
        return "kind"
    states = GRENADE_STATES if item["kind"] == "grenade" else ("inactive",)
    return None if item.get("state", "inactive") in states else "state"


def check_places(ground, is_new):
    walls, starts = ground["walls"], ground["starts"]
    teleporters = [teleporter["at"] for teleporter in ground["teleporters"]]
    if len(starts) != 2 or starts[0] == starts[1]:
        return "starts"
    if has_double(walls) or has_double(teleporters):
        return "double"
    for kind in ITEMS:
        places = [item["at"] for item in ground["items"] if item["kind"] == kind]
        if has_double(places) and (is_new or kind == "grenade"):
            return "double"
        if any(place in walls for place in places):
            return "item_on_wall"
    if any(start in walls or start in teleporters for start in starts):
        return "start_taken"
    if any(place in walls for place in teleporters):
        return "teleporter_on_wall"
    for teleporter in ground["teleporters"]:
        if teleporter["to"] == teleporter["at"] or teleporter["to"] not in teleporters:
            return "teleporter_to"
    return None


def has_double(cells):
    return len({tuple(cell) for cell in cells}) < len(cells)


def check_state(params, state):
    return first_fault(find_state_faults(params, state))


def find_state_faults(params, state):
    yield check_members(state, ("walls", "starts", "active", "actions_left", "moved", "racers", "items",
                                "teleporters", "failures"), ("outcome",))
    yield check_ground(params, state, is_new=False)
    if "outcome" in state:
        yield check_outcome(state["outcome"], REASONS)
    if not is_integer(state["active"]) or state["active"] not in SEATS:
        yield "active"
    fewest = 0 if "outcome" in state else 1
    if not is_integer(state["actions_left"]) or not fewest <= state["actions_left"] <= ACTIONS:
        yield "actions_left"
    if not isinstance(state["moved"], bool):
        yield "moved"
    if not isinstance(state["racers"], list) or len(state["racers"]) != 2:
        yield "racers"
    for seat in SEATS:
        yield check_racer(params, state, state["racers"][seat], seat)
    if state["racers"][0]["at"] == state["racers"][1]["at"]:
        yield "both_on_a_square"
    yield check_failures(params, state["failures"])


def check_racer(params, state, racer, seat):
    fault = check_members(racer, ("seat", "at", "debt", "skip", "performed", "carried", "trail"))
    if fault is not None:
        return fault
    if not is_integer(racer["seat"]) or racer["seat"] != seat:
        return "seat"
    if check_cell(params, racer["at"]) is not None or racer["at"] in state["walls"]:
        return "at"
    for name, most in (("debt", DEBT_MAX), ("skip", SKIP_MAX), ("performed", PERFORMED_MAX)):
        if not is_integer(racer[name]) or not 0 <= racer[name] <= most:
            return name
    carried = racer["carried"]
    if not isinstance(carried, list) or len(carried) > CARRIED_MAX or any(item not in ITEMS for item in carried):
        return "carried"
    return check_trail(params, state, racer["trail"])


def check_trail(params, state, trail):
    if not isinstance(trail, list) or len(trail) > TRAIL_MAX:
        return "trail"
    for entry in trail:
        fault = check_members(entry, ("at", "action"), ("hop",)) or check_cell(params, entry["at"])
        if fault is not None:
            return fault
        if not is_int32(entry["action"]) or entry["action"] < 1 or not isinstance(entry.get("hop", False), bool):
            return "trail"
        if entry["at"] in state["walls"]:
            return "trail_on_wall"
    actions = [entry["action"] for entry in trail]
    if any(newer <= older for newer, older in zip(actions, actions[1:])):
        return "not_newest_first"
    return None


def check_failures(params, failures):
    if not isinstance(failures, list):
        return "failures"
    seen = set()
    for failure in failures:
        fault = check_members(failure, ("at", "turns_left")) or check_cell(params, failure["at"])
        if fault is not None:
            return fault
        if not is_integer(failure["turns_left"]) or not 1 <= failure["turns_left"] <= FAILURE_TURNS:
            return "turns_left"
        mark = (*failure["at"], failure["turns_left"])
        if mark in seen:
            return "twice_in_a_turn"
        seen.add(mark)
    return None


def check_command(command):
    kind = command.get("kind") if isinstance(command, dict) else None
    members = {"move": (("kind", "dir"), ()), "pick_up": (("kind", "item"), ()),
               "use": (("kind", "item"), ("dir",)), "end_turn": (("kind",), ("confirm",))}
    if kind not in members:
        return "kind"
    fault = check_members(command, *members[kind])
    if fault is not None:
        return fault
    if "dir" in command and command["dir"] not in DIRECTIONS:
        return "dir"
    if "item" in command and command["item"] not in ITEMS:
        return "item"
    return None if isinstance(command.get("confirm", False), bool) else "confirm"


# ---------------------------------------------------------------- the race

class Race:
    """A state in play.  Its dictionaries are those of the form."""

    def __init__(self, params, state, seed, turn):
        self.params = params
        self.state = copy_form(state)
        self.seed = seed
        self.turn = turn
        self.events = []
        self.outcome = self.state.pop("outcome", None)
        self.complete()

    def copy(self):
        race = Race(self.params, self.state, self.seed, self.turn)
        race.outcome = self.outcome
        return race

    def complete(self):
        """Adds members that the form may omit, and removes expired trail."""
        for item in self.state["items"]:
            if item["kind"] == "grenade":
                item.setdefault("state", "inactive")
            else:
                item.pop("state", None)
        for racer in self.state["racers"]:
            for entry in racer["trail"]:
                entry.setdefault("hop", False)
            self.drop_old_trail(racer)

    # ---- what is where

    def me(self):
        return self.state["racers"][self.state["active"]]

    def other(self):
        return self.state["racers"][1 - self.state["active"]]

    def finish_of(self, seat):
        return self.state["starts"][1 - seat]

    def has_power(self, cell):
        return not any(max(abs(cell[0] - failure["at"][0]), abs(cell[1] - failure["at"][1])) <= 1
                       for failure in self.state["failures"])

    def racer_at(self, cell):
        return next((racer for racer in self.state["racers"] if racer["at"] == cell), None)

    def destination_of(self, cell):
        """Where the teleporter on that square leads, or None."""
        return next((teleporter["to"] for teleporter in self.state["teleporters"] if teleporter["at"] == cell), None)

    def grenade_at(self, cell):
        return next((item for item in self.state["items"] if item["kind"] == "grenade" and item["at"] == cell), None)

    def find_item_here(self, kind):
        for item in self.state["items"]:
            if item["kind"] == kind and item["at"] == self.me()["at"]:
                if kind != "grenade" or item["state"] in ("inactive", "placed"):
                    return item
        return None

    # ---- light trails

    def drop_old_trail(self, racer):
        racer["trail"] = [entry for entry in racer["trail"] if racer["performed"] - entry["action"] <= 2]

    def blocks_me(self, owner, entry):
        """For its owner at action k while k - j <= 2, for others while K - j <= 2."""
        next_action = owner["performed"] + 1
        latest_action = owner["performed"]
        return (next_action if owner is self.me() else latest_action) - entry["action"] <= 2

    def has_trail(self, cell):
        return any(entry["at"] == cell and self.blocks_me(owner, entry)
                   for owner in self.state["racers"] for entry in owner["trail"])

    def find_links(self, owner):
        """Pairs of squares of the owner's chain that block a diagonal step of mine."""
        chain = [(owner["at"], True)] + [(entry["at"], self.blocks_me(owner, entry)) for entry in owner["trail"]]
        for newer, older, entry in zip(chain, chain[1:], owner["trail"]):
            if newer[1] and older[1] and not entry["hop"]:
                yield {tuple(newer[0]), tuple(older[0])}

    def crosses_trail(self, direction):
        dx, dy = DIRECTIONS[direction]
        x, y = self.me()["at"]
        corners = {(x + dx, y), (x, y + dy)}
        return dx != 0 and dy != 0 and any(corners == link for owner in self.state["racers"]
                                           for link in self.find_links(owner))

    # ---- the checks

    def refuse_move(self, direction):
        to = step(self.me()["at"], direction)
        if not is_inside(self.params, to):
            return "out_of_bounds", "in_bounds"
        if to in self.state["walls"]:
            return "wall", "wall"
        if self.racer_at(to) is not None:
            return "occupied", "player"
        if self.has_trail(to):
            return "trail", "trail"
        if self.crosses_trail(direction):
            return "crosses_trail", "diagonal"
        destination = self.destination_of(to)
        if destination is not None and (self.racer_at(destination) is not None or self.has_trail(destination)):
            return "blocked", "teleport"
        return None

    def refuse_other(self, command):
        kind = command["kind"]
        unmoved = not self.state["moved"]
        if kind == "end_turn":
            return ("must_move", "must_move") if unmoved and not command.get("confirm", False) else None
        if unmoved and self.state["actions_left"] == 1:
            return "must_move", "must_move"
        if kind == "pick_up":
            if self.find_item_here(command["item"]) is None:
                return "nothing_here", "present"
            return ("inventory_full", "room") if len(self.me()["carried"]) >= CARRIED_MAX else None
        if command["item"] not in self.me()["carried"]:
            return "not_carried", "carried"
        if command["item"] == "grenade":
            return ("grenade_here", "free_square") if self.grenade_at(self.me()["at"]) is not None else None
        return ("bad_direction", "direction") if command.get("dir") not in STRAIGHT else None

    def refuse(self, command):
        """None, or verdict and check."""
        if command["kind"] == "timeout":
            return None
        return self.refuse_move(command["dir"]) if command["kind"] == "move" else self.refuse_other(command)

    def is_trapped(self):
        return self.state["actions_left"] > 0 and all(self.refuse_move(direction) for direction in DIRECTIONS)

    # ---- outcomes

    def find_outcome(self):
        for seat in SEATS:
            if self.state["racers"][seat]["at"] == self.finish_of(seat):
                return {"winner": seat, "reason": "finished"}
        if self.is_trapped():
            return {"winner": 1 - self.state["active"], "reason": "trapped"}
        if self.turn >= self.params["turn_limit"]:
            return {"winner": None, "reason": "draw_turn_limit"}
        return None

    # ---- playing

    def tell(self, kind, **members):
        self.events.append({"kind": kind, **members})

    def play(self, command):
        """One accepted command: one turn of the engine."""
        self.why = None
        {"move": self.play_move, "pick_up": self.play_pick_up, "use": self.play_use,
         "end_turn": self.play_end, "timeout": self.play_end}[command["kind"]](command)
        self.turn += 1
        if self.outcome is None:
            self.pass_or_end()

    def pass_or_end(self):
        """A finished state is as the last command left it: no turn is passed on."""
        seat = self.state["active"]
        if self.me()["at"] == self.finish_of(seat):
            self.tell("finished", seat=seat)
        elif self.why is None and self.state["actions_left"] == 0:
            self.why = "actions_used"
        is_last = self.me()["at"] == self.finish_of(seat) or self.turn >= self.params["turn_limit"]
        if self.why is not None and not is_last:
            self.pass_turn(self.why)
        self.outcome = self.find_outcome()
        if self.outcome is not None and self.outcome["reason"] == "trapped":
            self.tell("trapped", seat=self.state["active"])

    def perform(self, actions=1):
        self.me()["performed"] += actions
        self.state["actions_left"] -= actions
        self.drop_old_trail(self.me())

    def play_move(self, command):
        me, start = self.me(), self.me()["at"]
        to = step(start, command["dir"])
        destination = self.destination_of(to)
        grenade = self.grenade_at(start)
        if grenade is not None and grenade["state"] == "placed":
            grenade["state"] = "active"
        self.perform()
        me["trail"].insert(0, {"at": start, "action": me["performed"], "hop": destination is not None})
        del me["trail"][TRAIL_MAX:]
        self.state["moved"] = True
        me["at"] = to
        self.tell("moved", seat=me["seat"], **{"from": start, "to": to})
        if to == self.finish_of(me["seat"]):
            return
        self.feel(to)
        if destination is not None:
            me["at"] = destination
            self.tell("teleported", seat=me["seat"], **{"from": to, "to": destination})
            self.feel(destination)

    def feel(self, cell):
        """The effects of a square that I enter."""
        seat = self.state["active"]
        grenade = self.grenade_at(cell)
        if grenade is not None and grenade["state"] == "active":
            grenade["state"] = "exploded"
            penalty = 3 if self.has_power(cell) else 4
            self.tell("exploded", seat=seat, at=cell, actions_lost=penalty)
            now = min(self.state["actions_left"], penalty)
            self.state["actions_left"] -= now
            self.me()["debt"] = min(DEBT_MAX, self.me()["debt"] + penalty - now)
            if now > 0 and self.why is None:
                self.why = "penalty"
        elif not self.has_power(cell):
            self.tell("powered_out", seat=seat, at=cell)
            self.state["actions_left"] = 0
            if self.why is None:
                self.why = "power_failure"

    def play_pick_up(self, command):
        item = self.find_item_here(command["item"])
        self.state["items"] = [other for other in self.state["items"] if other is not item]
        self.me()["carried"].append(command["item"])
        self.perform()
        self.tell("picked_up", seat=self.state["active"], item=command["item"], at=self.me()["at"])

    def play_use(self, command):
        me = self.me()
        me["carried"].remove(command["item"])
        self.perform()
        if command["item"] == "grenade":
            self.state["items"].append({"kind": "grenade", "at": me["at"], "state": "placed"})
            self.tell("placed", seat=me["seat"], at=me["at"])
            return
        path, hit = self.fly(me["at"], command["dir"], command["item"] == "charged_disc")
        self.state["items"].append({"kind": command["item"], "at": path[-1]})
        self.tell("launched", seat=me["seat"], item=command["item"], dir=command["dir"], path=path, landed=path[-1])
        if hit is not None:
            self.tell("disc_hit", seat=hit["seat"], at=path[-1])
            hit["skip"] = min(SKIP_MAX, hit["skip"] + 1)
            if hit is me and self.state["actions_left"] > 0:
                self.state["actions_left"] = 0
                self.why = "penalty"

    def fly(self, start, direction, is_charged):
        """The squares of a disc's flight, its launch square first, and whom it hits in the end."""
        at, path, entered = start, [start], []
        left = float("inf") if is_charged else DISC_RANGE - self.darkness(start)
        while left > 0:
            ahead = step(at, direction)
            if not is_inside(self.params, ahead) or ahead in self.state["walls"]:
                break
            at = ahead
            path.append(at)
            left -= 1 + self.darkness(at)
            if self.racer_at(at) is not None:
                return path, self.racer_at(at)
            destination = self.destination_of(at)
            if destination is not None:
                if at in entered:
                    left = 0
                entered.append(at)
                at = destination
                path.append(at)
                left -= self.darkness(at)
                if self.racer_at(at) is not None:
                    return path, self.racer_at(at)
        return path, None

    def darkness(self, cell):
        return 0 if self.has_power(cell) else 1

    def play_end(self, command):
        is_late = command["kind"] == "timeout"
        if not is_late and not self.state["moved"]:
            self.outcome = {"winner": 1 - self.state["active"], "reason": "unmoved"}
            return
        self.perform(self.state["actions_left"])
        self.why = "timeout" if is_late else "ended"

    # ---- turns

    def pass_turn(self, why):
        chance = Stream(self.seed, self.turn - 1, CHANCE_FAILURES)
        while why is not None:
            self.tell("turn_passed", seat=self.state["active"], why=why)
            self.state["active"] = 1 - self.state["active"]
            self.state["moved"] = False
            why = self.open_turn(chance)

    def open_turn(self, chance):
        """The start of the active player's turn: None, or why it is passed at once."""
        for failure in self.state["failures"]:
            failure["turns_left"] -= 1
        self.state["failures"] = [failure for failure in self.state["failures"] if failure["turns_left"] > 0]
        centres = self.roll_failures(chance)
        if centres:
            self.tell("power_failed", centres=centres)
        self.state["failures"] += [{"at": centre, "turns_left": FAILURE_TURNS} for centre in centres]
        me = self.me()
        if me["skip"] > 0:
            me["skip"] -= 1
            return "skipped"
        if not self.has_power(me["at"]):
            me["debt"] += 1
        self.state["actions_left"] = max(0, ACTIONS - me["debt"])
        me["debt"] = max(0, me["debt"] - ACTIONS)
        return None if self.state["actions_left"] > 0 else "penalty"

    def roll_failures(self, chance):
        permille = self.params["failure_permille"]
        squares = [[x, y] for y in range(self.params["rows"]) for x in range(self.params["cols"])]
        if permille in (0, 1000):
            return squares if permille == 1000 else []
        return [square for square in squares if chance.below(1000) < permille]

    def as_state(self):
        order = ("walls", "starts", "active", "actions_left", "moved", "racers", "items", "teleporters", "failures")
        state = {name: self.state[name] for name in order}
        return state if self.outcome is None else {**state, "outcome": self.outcome}


def first_race(params, seed):
    """The first state of a match whose board is given; its first turn is opened like every other."""
    board = copy_form(params["board"])
    racers = [{"seat": seat, "at": board["starts"][seat], "debt": 0, "skip": 0, "performed": 0, "carried": [],
               "trail": []} for seat in SEATS]
    state = {**board, "active": 0, "actions_left": ACTIONS, "moved": False, "racers": racers, "failures": []}
    race = Race(params, state, seed, 0)
    race.open_turn(Stream(seed, 0, CHANCE_FIRST_FAILURES))
    race.events = []
    return race


# ---------------------------------------------------------------- the answer

def resolve(request):
    """Returns the expected answer to a parsed request, without `hash`."""
    fault = check_request(request)
    if fault is not None:
        return {"error": {"code": fault}}
    params = fill_in(request["params"])
    seed = request.get("seed", "0" * 16)
    turn = request.get("turn", 0)
    if "state" in request:
        race = Race(params, request["state"], seed, turn)
    else:
        race = first_race(params, seed)
        race.turn = turn
    if race.outcome is None:
        race.outcome = race.find_outcome()
    return answer(race, play_commands(race, request.get("commands", [[], []])))


def play_commands(race, commands):
    """The verdicts."""
    if race.outcome is not None:
        return all_match_over(commands)
    ending = find_agreed_ending(commands)
    if ending is not None:
        race.outcome = ending
        race.turn += 1
        return verdicts_of_ending(commands)
    seat = race.state["active"]
    verdicts = [[not_your_turn() for _ in given] for given in commands]
    verdicts[seat] = play_list(race, seat, commands[seat])
    return verdicts


def not_your_turn():
    return {"verdict": "not_your_turn", "check": "own_turn"}


def play_list(race, seat, given):
    verdicts = []
    is_stopped = False
    for command in given:
        if race.outcome is not None:
            verdicts.append({"verdict": "match_over"})
        elif is_stopped or race.state["active"] != seat:
            is_stopped = True
            verdicts.append(not_your_turn())
        else:
            refusal = race.refuse(command)
            is_stopped = refusal is not None
            if is_stopped:
                verdicts.append({"verdict": refusal[0], "check": refusal[1]})
            else:
                race.play(command)
                verdicts.append({"verdict": "ok"})
    return verdicts


def answer(race, verdicts):
    return {
        "turn": race.turn,
        "verdicts": verdicts,
        "events": race.events,
        "state": race.as_state(),
        "owing": [race.state["active"]] if race.outcome is None else [],
        "outcome": race.outcome,
    }
