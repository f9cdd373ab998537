"""Shared by the random matches of every ruleset.

A ruleset's `generate_NAME.py` has a `Match` derived from the one below. `Match(seed)` is one match:
`first_request()` opens it and `next_request(answer)` continues from the tool's answer, until it returns None.
The same seed and the same answers give the same requests.
"""

import random

from forms import UNIVERSAL_KINDS, copy_form

INT32_EXTREMES = (-(2 ** 31), -(2 ** 31) + 1, -(2 ** 30), -65536, 65536, 2 ** 30, 2 ** 31 - 2, 2 ** 31 - 1)


def one_in(rng, n):
    return rng.randrange(n) == 0


class Match:
    """One random match.  Owns its source of chance, so matches do not disturb each other.

    A ruleset sets RULESET to its name and overrides the methods that raise.
    """

    RULESET = None

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.params = self.make_params()
        self.requests_left = self.rng.choice((1, 1, 2, 3, 5, 8, 12))
        self.seed_member = self.rng.choice((None, "%016x" % self.rng.getrandbits(64)))

    def make_params(self):
        raise NotImplementedError

    def make_state(self):
        """A state from outside that the params allow."""
        raise NotImplementedError

    def make_turn(self):
        raise NotImplementedError

    def make_commands(self, state):
        """One list per seat; `state` is None for the first state that the params make."""
        raise NotImplementedError

    def breakers(self):
        """Functions of (rng, request) that each break a request in one way.

One that finds nothing to break ends with an IndexError or a KeyError.
        """
        raise NotImplementedError

    def first_request(self):
        """A new match, or a state from outside; sometimes one that must be refused."""
        self.requests_left -= 1
        request = self.make_request()
        if self.rng.random() < 0.6:
            request["state"] = self.make_state()
            request["turn"] = self.make_turn()
        elif self.rng.random() < 0.1:
            request["turn"] = self.make_turn()
        if self.rng.random() < 0.93:
            request["commands"] = self.make_commands(request.get("state"))
        if self.rng.random() < 0.04:
            self.requests_left = 0
            return make_broken(self.rng, request, self.breakers())
        return request

    def next_request(self, answer):
        """Continues from the answered state; a finished one usually ends the sequence."""
        if answer["outcome"] is not None and self.rng.random() < 0.7:
            return None
        if self.requests_left == 0:
            return None
        self.requests_left = 0 if answer["outcome"] is not None else self.requests_left - 1
        request = self.make_request()
        request["state"] = answer["state"]
        request["turn"] = answer["turn"]
        if self.rng.random() < 0.98:
            request["commands"] = self.make_commands(request["state"])
        return request

    def make_request(self):
        request = {"ruleset": self.RULESET, "params": self.params}
        if self.seed_member is not None:
            request["seed"] = self.seed_member
        return request


def add_universal(rng, commands):
    """Sometimes adds one of the commands that every ruleset accepts."""
    if one_in(rng, 25):
        commands[rng.randrange(2)] += [{"kind": "timeout"}] * rng.choice((1, 1, 2))
    if one_in(rng, 25):
        for _ in range(rng.choice((1, 1, 2, 3))):
            commands[rng.randrange(2)].append({"kind": rng.choice(UNIVERSAL_KINDS)})


def make_broken(rng, request, breakers):
    """Breaks the request by the first breaker that can."""
    for breaker in rng.sample(breakers, len(breakers)):
        broken = copy_form(request)
        try:
            breaker(rng, broken)
        except (IndexError, KeyError):
            continue
        return broken
    raise AssertionError("no breaker fits")
