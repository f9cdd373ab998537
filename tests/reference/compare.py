#!/usr/bin/env python3
"""Compares `skirmish resolve` with the slow references on random turns.

    compare.py --skirmish build/bin/skirmish --seed 7 --turns 20000 --keep failures.jsonl
    compare.py --skirmish build/bin/skirmish --ruleset tactics

A ruleset NAME has three modules here, found by their names: `NAME.py` is a second implementation of its rules
(`resolve(request)`), `generate_NAME.py` has its random matches (`Match`, derived from the one in generate.py)
and `cover_NAME.py` what must occur in a long comparison (`EXPECTED`, `find_situations(request, expected)`).
Without --ruleset every one of them is compared, each on as many turns.

Every answer must equal the reference's, except `hash`, which must be 16
lower-case hex digits.  Matches are played on from the tool's own answers.  At
the end a table says how often each verdict, event, outcome and notable
situation occurred; a long run in which one never did has proved too little
and fails.  Exit status 1 on any failure.
"""

import argparse
import difflib
import importlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter

MATCHES_PER_BLOCK = 400
TOOL_TIMEOUT_S = 300
SHOWN_MAX = 3
COVERAGE_TURNS = 20000

# What must occur in a run of COVERAGE_TURNS or more, for every ruleset; `cover_NAME.py` adds more.
EXPECTED = {
    "verdict": ("ok", "match_over"),
    "event": (),
    "outcome": ("running",),
    "situation": ("first state", "finished state as input", "no commands", "sequence", "request refused"),
}


# ---------------------------------------------------------------- the references

def find_rulesets():
    """Returns the names of all rulesets that can be compared."""
    prefix, ending = "generate_", ".py"
    return sorted(name[len(prefix):-len(ending)] for name in os.listdir(os.path.dirname(os.path.abspath(__file__)))
                  if name.startswith(prefix) and name.endswith(ending))


class Reference:
    """The modules of one ruleset."""

    def __init__(self, ruleset):
        own = importlib.import_module("cover_" + ruleset)
        self.ruleset = ruleset
        self.resolve = importlib.import_module(ruleset).resolve
        self.Match = importlib.import_module("generate_" + ruleset).Match
        self.find_situations = own.find_situations
        self.expected = {group: names + own.EXPECTED[group] for group, names in EXPECTED.items()}


# ---------------------------------------------------------------- running the tool

def run_tool(skirmish, requests):
    """Returns the tool's answer lines, its exit status (None = too slow) and its error output."""
    text = "".join(json.dumps(request) + "\n" for request in requests)
    try:
        done = subprocess.run([skirmish, "resolve"], input=text.encode(), capture_output=True,
                              timeout=TOOL_TIMEOUT_S)
    except subprocess.TimeoutExpired as late:
        return split_lines(late.stdout or b""), None, ""
    return split_lines(done.stdout), done.returncode, done.stderr.decode(errors="replace")[-2000:]


def split_lines(output):
    """Only complete lines are answers."""
    return output.decode(errors="replace").split("\n")[:-1]


def find_ending_fault(answer_count, request_count, status, last_words, has_refused):
    """Returns None, or what is wrong with the tool's exit."""
    if status is None:
        return "the tool took more than %d s" % TOOL_TIMEOUT_S
    if answer_count != request_count:
        return "%d answers to %d requests, exit status %d\n%s" % (answer_count, request_count, status, last_words)
    if status != (1 if has_refused else 0):
        return "exit status %d %s a refused request\n%s" % (
            status, "with" if has_refused else "without", last_words)
    return None


# ---------------------------------------------------------------- comparing

def canonical(answer):
    """Text, so that 1, 1.0 and true differ."""
    return json.dumps(answer, sort_keys=True)


def find_difference(line, expected):
    """Returns None, or lines that say how the tool's answer differs from the expected one."""
    try:
        answer = json.loads(line)
    except ValueError as fault:
        return ["not JSON (%s): %s" % (fault, line[:500])]
    if not isinstance(answer, dict):
        return ["not an object: %s" % line[:500]]
    if "error" in expected:
        return find_error_difference(answer, expected)
    digest = answer.pop("hash", None)
    if canonical(answer) != canonical(expected):
        return list(difflib.unified_diff(readable(expected), readable(answer), "expected", "answered",
                                         lineterm="", n=1))
    if not isinstance(digest, str) or re.fullmatch("[0-9a-f]{16}", digest) is None:
        return ["hash is not 16 lower-case hex digits: %r" % (digest,)]
    return None


def find_error_difference(answer, expected):
    """Compares that there is an error and where, not its message."""
    error = answer.get("error")
    if not isinstance(error, dict):
        return ["expected an error (%s), answered: %s" % (expected["error"]["code"], canonical(answer)[:500])]
    for member in ("code", "message", "at"):
        if not isinstance(error.get(member), str):
            return ["the error has no text `%s`: %s" % (member, canonical(answer))]
    return None


def readable(answer):
    """One line per verdict, event, unit or other member, each with its position."""
    lines = []

    def add(path, value):
        is_whole = isinstance(value, dict) and {"verdict", "kind", "id", "winner"} & set(value)
        if isinstance(value, dict) and value and not is_whole:
            for name in sorted(value):
                add("%s/%s" % (path, name), value[name])
        elif isinstance(value, list) and value and isinstance(value[0], (dict, list)):
            for index, part in enumerate(value):
                add("%s/%d" % (path, index), part)
        else:
            lines.append("%s %s" % (path, canonical(value)))

    add("", answer)
    return lines


# ---------------------------------------------------------------- coverage

class Coverage:
    """How often each thing occurred in the expected answers."""

    def __init__(self, reference):
        self.reference = reference
        self.counts = {group: Counter() for group in EXPECTED}

    def add(self, request, expected, is_sequence):
        if "error" in expected:
            self.counts["situation"]["request refused"] += 1
            return
        for given in expected["verdicts"]:
            for verdict in given:
                check = " (%s)" % verdict["check"] if "check" in verdict else ""
                self.counts["verdict"][verdict["verdict"] + check] += 1
        for event in expected["events"]:
            self.counts["event"][event["kind"]] += 1
        self.counts["outcome"][outcome_name(expected["outcome"])] += 1
        situations = {*find_situations(request), *self.reference.find_situations(request, expected)}
        if is_sequence:
            situations.add("sequence")
        self.counts["situation"].update(situations)

    def missing(self):
        return ["%s: %s" % (group, name) for group, names in self.reference.expected.items() for name in names
                if self.counts[group][name] == 0]

    def print_table(self):
        for group, names in self.reference.expected.items():
            others = sorted(set(self.counts[group]) - set(names))
            for name in list(names) + others:
                print("%-10s %-36s %8d" % (group, name, self.counts[group][name]))


def outcome_name(outcome):
    if outcome is None:
        return "running"
    if outcome["winner"] is None:
        return outcome["reason"]
    return "%d %s" % (outcome["winner"], outcome["reason"])


def find_situations(request):
    """Those that every ruleset has."""
    if "commands" not in request:
        yield "no commands"
    if "state" not in request:
        yield "first state"
    if "outcome" in request.get("state", {}):
        yield "finished state as input"


# ---------------------------------------------------------------- the run

class Run:
    """Plays matches of one ruleset against the tool until enough turns were compared."""

    def __init__(self, reference, arguments):
        self.reference = reference
        self.skirmish = arguments.skirmish
        self.seed = arguments.seed
        self.turns = arguments.turns
        self.keep = arguments.keep
        self.coverage = Coverage(reference)
        self.passed = 0
        self.failed = 0
        self.shown = 0

    def play(self):
        number = 0
        while self.left() > 0:
            block = range(number, number + min(MATCHES_PER_BLOCK, self.left()))
            self.play_block([(n, self.reference.Match("%s/%d" % (self.seed, n))) for n in block])
            number = block.stop

    def left(self):
        return max(0, self.turns - self.passed - self.failed)

    def play_block(self, matches):
        """Each run of the tool plays one turn of every match of a block, so that it is started rarely."""
        turns = [(number, match, match.first_request()) for number, match in matches]
        is_sequence = False
        while turns and self.left() > 0:
            turns = self.play_round(turns[:self.left()], is_sequence)
            is_sequence = True
            self.print_progress()

    def play_round(self, turns, is_sequence):
        """Compares one turn of each match; returns the turns that follow from the answers."""
        lines, status, last_words = run_tool(self.skirmish, [request for _, _, request in turns])
        following = []
        for (number, match, request), line in zip(turns, lines):
            expected = self.reference.resolve(request)
            self.coverage.add(request, expected, is_sequence)
            difference = find_difference(line, expected)
            if difference is not None:
                self.fail(number, request, expected, difference)
                continue
            self.passed += 1
            next_request = None if "error" in expected else match.next_request(json.loads(line))
            if next_request is not None:
                following.append((number, match, next_request))
        has_refused = any('"error"' in line for line in lines)
        fault = find_ending_fault(len(lines), len(turns), status, last_words, has_refused)
        if fault is not None:
            self.fail_ending(turns[len(lines):], fault)
        return following

    def fail_ending(self, unanswered, fault):
        """The first request without an answer is reported; later ones are only counted."""
        if unanswered:
            number, _, request = unanswered[0]
            self.fail(number, request, self.reference.resolve(request), [fault])
            self.failed += len(unanswered) - 1
        else:
            print("FAILED in %s, seed %s: %s" % (self.reference.ruleset, self.seed, fault), flush=True)
            self.failed += 1

    def fail(self, number, request, expected, difference):
        self.failed += 1
        if self.keep is not None:
            with open(self.keep, "a", encoding="ascii") as file:
                file.write(json.dumps({"ruleset": self.reference.ruleset, "seed": self.seed, "match": number,
                                       "request": request, "expected": expected}) + "\n")
        if self.shown < SHOWN_MAX:
            self.shown += 1
            print("FAILED in %s, seed %s, match %d" % (self.reference.ruleset, self.seed, number))
            print(json.dumps(request))
            print("\n".join(difference[:60]))
            print(flush=True)

    def print_progress(self):
        if sys.stderr.isatty():
            print("\r%s: %d of %d turns, %d failed " % (self.reference.ruleset, self.passed + self.failed,
                                                        self.turns, self.failed),
                  end="" if self.left() > 0 else "\n", file=sys.stderr, flush=True)

    def check_coverage(self):
        self.coverage.print_table()
        missing = self.coverage.missing()
        if self.turns >= COVERAGE_TURNS and missing:
            print("never occurred: " + "; ".join(missing))
            return False
        return True


def parse_arguments():
    parser = argparse.ArgumentParser(description="Compare `skirmish resolve` with the slow references.")
    parser.add_argument("--skirmish", required=True, help="the tool under test")
    parser.add_argument("--ruleset", action="append", choices=find_rulesets(), help="only this one (may be repeated)")
    parser.add_argument("--seed", default=os.environ.get("SEED"),
                        help="any text; default: $SEED, or a random number; printed")
    parser.add_argument("--turns", type=int, default=COVERAGE_TURNS)
    parser.add_argument("--keep", metavar="FILE", help="append failing requests and expected answers, as JSON lines")
    arguments = parser.parse_args()
    if shutil.which(arguments.skirmish) is None:
        parser.error("no such program: %s" % arguments.skirmish)
    if arguments.seed is None:
        arguments.seed = str(random.SystemRandom().randrange(10 ** 9))
    return arguments


def compare(ruleset, arguments):
    """Returns whether the tool and the reference agree, and everything required occurred."""
    print("== %s, seed %s" % (ruleset, arguments.seed), flush=True)
    run = Run(Reference(ruleset), arguments)
    run.play()
    is_covered = run.check_coverage()
    is_fine = run.failed == 0 and is_covered
    print("%d turns agree, %d differ" % (run.passed, run.failed))
    print("%d passed, %d failed" % (is_fine, not is_fine), flush=True)
    return is_fine


def main():
    arguments = parse_arguments()
    results = [compare(ruleset, arguments) for ruleset in arguments.ruleset or find_rulesets()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
