"""Checks whether a request is well-formed, for the references of all rulesets.

A `check_…` function returns None or a word for the fault. The comparison uses only whether there is a fault.
"""

import marshal
import re

INT32_MIN, INT32_MAX = -(2 ** 31), 2 ** 31 - 1
SEATS = (0, 1)
UNIVERSAL_KINDS = ("resign", "abandon", "agree_draw", "timeout")


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_int32(value):
    return is_integer(value) and INT32_MIN <= value <= INT32_MAX


def copy_form(value):
    """A copy of JSON, many times faster than copy.deepcopy."""
    return marshal.loads(marshal.dumps(value))


def is_cell(value):
    return isinstance(value, list) and len(value) == 2 and all(is_int32(part) for part in value)


def is_texts(value):
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def is_unit_id(value):
    return isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,31}", value) is not None


def check_members(value, needed, optional=()):
    """An object with all of `needed` and nothing that is not named."""
    if not isinstance(value, dict):
        return "not_an_object"
    if not set(needed) <= set(value):
        return "missing_member"
    if not set(value) <= set(needed) | set(optional):
        return "unknown_member"
    return None


def first_fault(faults):
    """The first reason of a series; a generator is used only as far as needed."""
    return next((fault for fault in faults if fault is not None), None)


def check_request_members(request, ruleset, versions=(1,)):
    """The members that mean the same in every ruleset."""
    return first_fault(find_request_member_faults(request, ruleset, versions))


def find_request_member_faults(request, ruleset, versions):
    yield check_members(request, ("ruleset", "params"), ("version", "seed", "state", "turn", "commands"))
    if request["ruleset"] != ruleset:
        yield "other_ruleset"
    version = request.get("version", versions[-1])
    if not is_int32(version) or version not in versions:
        yield "version"
    seed = request.get("seed", "0" * 16)
    if not isinstance(seed, str) or re.fullmatch("[0-9a-f]{16}", seed) is None:
        yield "seed"
    turn = request.get("turn", 0)
    if not is_int32(turn) or turn < 0:
        yield "turn"


def check_outcome(outcome, reasons, seats=SEATS):
    fault = check_members(outcome, ("winner", "reason"))
    if fault is not None:
        return fault
    if outcome["winner"] not in (*seats, None) or outcome["reason"] not in reasons:
        return "outcome"
    return None


def check_commands(commands, commands_max, check_form, seats=SEATS):
    """`check_form` checks the ruleset's own commands."""
    if not isinstance(commands, list) or len(commands) != len(seats):
        return "one_list_per_seat"
    for given in commands:
        if not isinstance(given, list):
            return "not_a_list"
        if len(given) > commands_max:
            return "too_many_commands"
    return first_fault(check_any_command(command, check_form) for given in commands for command in given)


def check_any_command(command, check_form):
    if isinstance(command, dict) and command.get("kind") in UNIVERSAL_KINDS:
        return check_members(command, ("kind",))
    return check_form(command)
