"""Answers a request of any simultaneous ruleset, using the ruleset's own rules."""

from dataclasses import dataclass
from typing import Callable

from endings import all_match_over, find_agreed_ending, verdicts_of_ending
from forms import SEATS


@dataclass
class Rules:
    """The functions of a ruleset. A board is made from params and a state, and has `as_state(outcome)`."""

    check_request: Callable  # (request): None, or a word for what is wrong with it
    fill_in: Callable        # (params): with the defaults of what is missing
    first_state: Callable    # (params)
    board: Callable          # (params, state)
    find_outcome: Callable   # (board, turn): None while the match goes on
    play_turn: Callable      # (board, commands): verdicts and events; moves the board by one turn

    def resolve(self, request):
        """Returns the expected answer to a parsed request, without `hash`."""
        fault = self.check_request(request)
        if fault is not None:
            return {"error": {"code": fault}}

        params = self.fill_in(request["params"])
        state = request.get("state", self.first_state(params))
        turn = request.get("turn", 0)
        commands = request.get("commands", [[], []])
        board = self.board(params, state)
        outcome = state["outcome"] if "outcome" in state else self.find_outcome(board, turn)

        if "commands" not in request:
            return make_answer(board, turn, [[], []], [], outcome)
        if outcome is not None:
            return make_answer(board, turn, all_match_over(commands), [], outcome)
        ending = find_agreed_ending(commands)
        if ending is not None:
            return make_answer(board, turn + 1, verdicts_of_ending(commands), [], ending)
        verdicts, events = self.play_turn(board, commands)
        return make_answer(board, turn + 1, verdicts, events, self.find_outcome(board, turn + 1))


def make_answer(board, turn, verdicts, events, outcome):
    return {
        "turn": turn,
        "verdicts": verdicts,
        "events": events,
        "state": board.as_state(outcome),
        "owing": list(SEATS) if outcome is None else [],
        "outcome": outcome,
    }
