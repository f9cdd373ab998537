"""Environments for programs that learn.

`parallel_env` has the interface of PettingZoo's ParallelEnv and needs nothing of that package.
`Batch` plays many matches at once in arrays.

An action is a number: 0 does nothing, the others are the commands on the board, and a mask says
which of them are allowed now.  Where commands hold paths (halma), the number N is the N-th hint.
With `slots`, an action is a list of so many of them.
"""

import ctypes
import random
from array import array
from types import TracebackType
from typing import Any, Dict, List, Optional, Tuple, Type

from .referee import DRAWN, RUNNING, SPECTATOR, WON, Game
from .spaces import Box, Discrete, MultiDiscrete, Space

HINTS_MAX = 1023  # of a seat, where actions are hints
_SEED_BITS = 256

Observations = Dict[str, "array[int]"]


def _action_space(actions: int, slots: int) -> Space:
    return Discrete(actions) if slots == 1 else MultiDiscrete([actions] * slots)


def _observation_space(game: Game) -> Box:
    fields = game.description["observation"]
    return Box([min(field["min"], 0) for field in fields], [max(field["max"], 0) for field in fields])  # 0: missing


class Buffers:
    """Where arrays are in memory, for calls that use the same ones again and again; they cannot grow then."""

    def __init__(self, *arrays: Any) -> None:
        self._held = [(ctypes.c_char * memoryview(each).nbytes).from_buffer(each) if len(each) > 0 else None
                      for each in arrays]
        self.at = tuple(None if held is None else ctypes.addressof(held) for held in self._held)


class Batch:
    """`count` matches, all stepped by one call.  A match that is over starts again.

    `actions` is read by `step`; `observations`, `masks` and `outcomes` are written by it.  They are
    arrays in the order match, seat (outcomes: match), and stay the same objects; shapes are in
    `action_shape`, `observation_shape` and `mask_shape`.  An outcome is RUNNING, DRAWN or WON + the
    seat.
    """

    def __init__(self, ruleset: str, count: int, params: Optional[Dict[str, Any]] = None, *, version: int = 0,
                 slots: int = 1, masks: bool = True, list_max: int = 0, library: Optional[str] = None) -> None:
        self.game = Game(ruleset, params, version=version, count=count, slots=slots, list_max=list_max,
                         library=library)
        if self.game.actions == 0:
            self.game.close()
            raise ValueError(f"the commands of {ruleset} have no numbers: use parallel_env")
        seats = self.game.seats
        self.count = count
        self.seats = seats
        self.action_shape = (count, seats, slots)
        self.observation_shape = (count, seats, self.game.observation_width)
        self.mask_shape = (count, seats, self.game.actions)
        self.action_space = _action_space(self.game.actions, slots)
        self.observation_space = _observation_space(self.game)
        self.actions = array("i", bytes(4 * count * seats * slots))
        self.observations = array("i", bytes(4 * count * seats * self.game.observation_width))
        self.outcomes = bytearray(count)
        self.masks = bytearray(count * seats * self.game.actions if masks else 0)
        self._buffers = Buffers(self.actions, self.observations, self.masks, self.outcomes)
        self.reset(0)

    def reset(self, seed: int = 0) -> None:
        """Starts all matches again; the first gets this seed, the others seeds drawn from it."""
        chance = random.Random(seed)
        for i in range(self.count):
            self.game.reset(i, seed if i == 0 else chance.getrandbits(_SEED_BITS))
        width, actions = self.game.observation_width, self.game.actions
        for place in range(self.count * self.seats):
            i, seat = divmod(place, self.seats)
            self.observations[place * width:(place + 1) * width] = self.game.observe(seat, i)
            if self.masks:
                self.masks[place * actions:(place + 1) * actions] = self.game.mask(seat, i)
        for i in range(self.count):
            self.outcomes[i] = RUNNING

    def step(self) -> int:
        """Plays `actions`; returns how many matches were over.  Their rows show the first state of the next."""
        return self.game.play_all(self._buffers.at, True)

    def close(self) -> None:
        self.game.close()

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()


class ParallelEnv:
    """One match with an agent on each seat: made by `parallel_env`.

    Each step plays the actions of all seats.  Infos have the `action_mask`.  At the end the winner
    gets 1 and the others -1, and nobody anything if it is drawn.
    """

    metadata = {"name": "skirmish_v0", "render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(self, ruleset: str, params: Optional[Dict[str, Any]] = None, *, version: int = 0, slots: int = 1,
                 max_steps: int = 10000, render_mode: Optional[str] = None, list_max: int = 0,
                 library: Optional[str] = None) -> None:
        self.game = Game(ruleset, params, version=version, slots=slots, list_max=list_max, library=library)
        self.render_mode = render_mode
        self.max_steps = max_steps
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self.agents: List[str] = []
        self.has_numbers = self.game.actions > 0
        actions = self.game.actions if self.has_numbers else 1 + HINTS_MAX
        self._actions = actions
        self.observation_spaces = {agent: _observation_space(self.game) for agent in self.possible_agents}
        self.action_spaces = {agent: _action_space(actions, slots) for agent in self.possible_agents}
        self._chance = random.Random()
        width, seats = self.game.observation_width, self.game.seats
        self._numbers = array("i", bytes(4 * seats * slots))
        self._seen = array("i", bytes(4 * seats * width))
        self._masks = bytearray(seats * actions)
        self._outcome = bytearray(1)
        self._places = [(agent, seat, slice(seat * width, (seat + 1) * width),
                         slice(seat * actions, (seat + 1) * actions))
                        for seat, agent in enumerate(self.possible_agents)]
        self._hints: List["array[int]"] = []
        self._steps = 0
        self._buffers = Buffers(self._numbers, self._seen, self._masks, self._outcome)

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> "ParallelEnv":
        return self

    def observation_space(self, agent: str) -> Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[Observations, Dict[str, Dict[str, Any]]]:
        """The same seed gives the same match; without one, the next of the last seed."""
        if seed is not None:
            self._chance = random.Random(seed)
        self.game.reset(0, self._chance.getrandbits(_SEED_BITS))
        self.agents = list(self.possible_agents)
        self._steps = 0
        self._look()
        return self._observations(), self._infos()

    def step(self, actions: Dict[str, Any]) -> Tuple[Observations, Dict[str, float], Dict[str, bool],
                                                     Dict[str, bool], Dict[str, Dict[str, Any]]]:
        """(observations, rewards, terminations, truncations, infos)"""
        if not self.agents:
            return {}, {}, {}, {}, {}
        if self.has_numbers:
            self._put_numbers(actions)
            self.game.play_all(self._buffers.at, False)
        else:
            self._step_hints(actions)
            self._look()
        self._steps += 1
        outcome, agents = self._outcome[0], self.agents
        is_over = outcome != RUNNING
        is_late = not is_over and self._steps >= self.max_steps
        rewards = dict.fromkeys(agents, 0.0)
        if is_over and outcome != DRAWN:
            rewards = {agent: 1.0 if outcome == WON + seat else -1.0 for agent, seat, _, _ in self._places}
        if is_over or is_late:
            self.agents = []
        return (self._observations(), rewards, dict.fromkeys(agents, is_over), dict.fromkeys(agents, is_late),
                self._infos())

    def state(self) -> "array[int]":
        """What a spectator sees."""
        return self.game.observe(SPECTATOR)

    def render(self) -> Optional[str]:
        """The board as text: the first letters of the id of what stands there."""
        if self.render_mode is None:
            return None
        return draw(self.game.view(SPECTATOR))

    def close(self) -> None:
        self.agents = []
        self.game.close()

    # ---- parts of a step ----

    def _put_numbers(self, actions: Dict[str, Any]) -> None:
        slots = self.game.slots
        if slots == 1:
            for agent, seat, _, _ in self._places:
                self._numbers[seat] = actions.get(agent, 0)
        else:
            for agent, seat, _, _ in self._places:
                given = actions.get(agent, ())
                for slot in range(slots):
                    self._numbers[seat * slots + slot] = given[slot] if slot < len(given) else 0

    def _step_hints(self, actions: Dict[str, Any]) -> None:
        slots, width = self.game.slots, self.game.action_width
        rows = array("i", bytes(4 * self.game.seats * slots * width))
        for agent, seat, _, _ in self._places:
            given = [actions.get(agent, 0)] if slots == 1 else list(actions.get(agent, ()))[:slots]
            for slot, action in enumerate(given):
                if not 0 <= action <= HINTS_MAX:
                    raise ValueError(f"{agent} has no action {action}")
                hint = self._hints[seat][(action - 1) * width:action * width] if action > 0 else rows[:0]
                to = (seat * slots + slot) * width
                rows[to:to + len(hint)] = hint  # without a hint it does nothing, like a command that is refused
        self.game.step_rows(rows)

    def _look(self) -> None:
        """What a step of numbered actions writes by itself."""
        self._outcome[0] = self.game.outcome()
        self._hints = []
        for _, seat, seen, masked in self._places:
            self._seen[seen] = self.game.observe(seat)
            if self.has_numbers:
                self._masks[masked] = self.game.mask(seat)
            else:
                self._hints.append(self.game.hint_rows(seat, HINTS_MAX))
                count = len(self._hints[seat]) // self.game.action_width
                self._masks[masked] = b"\1" * (1 + count) + bytes(HINTS_MAX - count)

    def _observations(self) -> Observations:
        whole = self._seen
        return {agent: whole[seen] for agent, _, seen, _ in self._places}

    def _infos(self) -> Dict[str, Dict[str, Any]]:
        whole = self._masks
        return {agent: {"action_mask": whole[masked]} for agent, _, _, masked in self._places}


def parallel_env(ruleset: str, params: Optional[Dict[str, Any]] = None, **how: Any) -> ParallelEnv:
    """An environment of one match; see ParallelEnv for the options."""
    return ParallelEnv(ruleset, params, **how)


def _standing(value: Any) -> List[Tuple[int, int, str]]:
    """(x, y, id) of everything in a view that stands on a cell."""
    found: List[Tuple[int, int, str]] = []
    if isinstance(value, dict):
        at = value.get("at")
        if isinstance(at, list) and len(at) == 2:
            found.append((at[0], at[1], str(value.get("id", value.get("kind", "?")))))
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            found += _standing(item)
    return found


def draw(view: Dict[str, Any]) -> str:
    """A view as text, a line per row of the board."""
    units = _standing(view)
    left, top = min([0, *(x for x, _, _ in units)]), min([0, *(y for _, y, _ in units)])
    cols, rows = max([0, *(x for x, _, _ in units)]) + 1, max([0, *(y for _, y, _ in units)]) + 1
    board = [["  ." for _ in range(left, cols)] for _ in range(top, rows)]
    for x, y, name in units:
        board[y - top][x - left] = f"{name[:2]:>3}"
    return f"turn {view.get('turn')}\n" + "\n".join("".join(line) for line in board) + "\n"
