#!/usr/bin/python3
"""Many unfinished matches: tests/crash/start.py [--matches N] [--seed N]

Starts the daemon alternately on a database without matches and on one with 10,000 that are under way, and
compares how long it takes until it is ready: the fastest start with them may take twice as long as the
fastest without.  Then a turn is played in every one of them.
"""

import argparse
import hashlib
import os
import sqlite3
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "e2e"))
ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
os.environ.setdefault("SKIRMISHD", os.path.join(ROOT, "build", "crash", "bin", "skirmishd"))

from daemon import Daemon  # noqa: E402
from plain import Player  # noqa: E402
from reader import column_bytes  # noqa: E402

OPTIONS = ("--frames-per-second", "100000", "--frames-burst", "1000000", "--outbox-max", "1073741824")
STARTS = 7
STARTS_MAX = 40  # others may be busy on the machine meanwhile
TURNS = 2
AT_ONCE = 500    # frames in flight


def play_template(daemon):
    """Plays one match for a few turns; returns the tokens of its players and its seq."""
    players = [Player(daemon.port, name=name) for name in ("alice", "bob")]
    match = players[0].ask(type="create", ruleset="tactics", params={"placement": False}, clock=None)["match"]
    players[1].ask(type="join", match=match)
    for turn in range(TURNS):
        for player in players:
            answer = player.ask(type="submit", match=match, turn=turn, commands=[], command_id=f"t{turn}")
            assert answer["type"] == "accepted", answer
    state = players[0].ask(type="resume", match=match, seq=0)
    for player in players:
        player.close()
    return [player.welcome["token"] for player in players], state["seq"]


def multiply(path, count):
    """Copies the match under other numbers, each with its own chain."""
    database = sqlite3.connect(path)
    matches = [row[1] for row in database.execute("PRAGMA table_info(match)") if row[1] != "id"]
    names = ", ".join(matches)
    columns = "seq, epoch, turn, seat, command_id, kind, body, at"
    records = database.execute(f"SELECT {columns} FROM record WHERE match = 1 ORDER BY seq").fetchall()
    packed = [[column_bytes(value) for value in record] for record in records]
    database.execute("PRAGMA synchronous = OFF")
    for number in range(2, count + 1):
        head, row, first = bytes(32), None, None
        database.execute(f"INSERT INTO match (id, {names}) SELECT ?, {names} FROM match WHERE id = 1", (number,))
        database.execute("INSERT INTO seat (match, seat, player, is_bot) "
                         "SELECT ?, seat, player, is_bot FROM seat WHERE match = 1", (number,))
        for record, parts in zip(records, packed):
            head = hashlib.sha256(head + column_bytes(number) + b"".join(parts)).digest()
            row = database.execute(f"INSERT INTO record (previous, match, {columns}, hash) "
                                   "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (row, number, *record, head)).lastrowid
            first = first or row
        database.execute("INSERT INTO chain (match, last_seq, head, last_record, first_record) VALUES (?, ?, ?, ?, ?)",
                         (number, len(records), head, row, first))
    database.commit()
    database.close()


class Waiting(Daemon):
    """A daemon that measures how long it took until it was ready."""

    def start(self):
        self.began_s = time.monotonic()
        super().start()
        while self.get("/readyz").status != 200:
            time.sleep(0.001)
        self.start_s = time.monotonic() - self.began_s


def measure(none, many):
    """The fastest start of each, tried alternately."""
    times = {none: [], many: []}
    for number in range(STARTS_MAX):
        for daemon in (none, many):
            daemon.restart()
            times[daemon].append(daemon.start_s)
        if number + 1 >= STARTS and min(times[many]) <= 2 * min(times[none]):
            break
    return min(times[none]), min(times[many])


def wait_until_loaded(daemon, count):
    """Waits until all matches are live; returns the seconds since the start."""
    while daemon.metrics()["skirmish_matches_live"] < count:
        time.sleep(0.02)
    return time.monotonic() - daemon.began_s


def play_all(daemon, tokens, count, seq):
    """Plays one turn in every match; returns how many."""
    players = [Player(daemon.port, token) for token in tokens]
    shown = [set(), set()]
    for first in range(1, count + 1, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, count + 1))
        for seat, player in enumerate(players):
            player.send(*({"type": "resume", "match": number, "seq": seq} for number in numbers))
            wait_for(player, b'{"type":"done"', len(numbers), shown[seat])
        for seat, player in enumerate(players):
            player.send(*({"type": "submit", "match": number, "turn": TURNS, "commands": [],
                           "command_id": "last"} for number in numbers))
        for seat, player in enumerate(players):
            while len(shown[seat]) < numbers[-1]:
                wait_for(player, b'{"type":"turn"', 1, shown[seat])
    for player in players:
        player.close()
    return min(len(seen) for seen in shown)


def wait_for(player, beginning, count, shown):
    while count > 0:
        data = player.receive()
        if data.startswith(b'{"type":"turn"'):
            shown.add(data[:60].split(b'"match":')[1].split(b",")[0])
        assert not data.startswith(b'{"type":"error"'), data
        count -= data.startswith(beginning)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=10000)
    options = parser.parse_args()
    began = time.monotonic()
    with Waiting(*OPTIONS) as none, Waiting(*OPTIONS) as many:
        tokens, seq = play_template(many)
        many.stop()
        many.process.stdout.close()
        multiply(many.database, options.matches)
        print(f"{options.matches} unfinished matches, {os.path.getsize(many.database) / 1e6:.0f} MB, made in "
              f"{time.monotonic() - began:.1f} s")
        many.start()
        none_s, many_s = measure(none, many)
        print(f"ready after {none_s * 1e3:.0f} ms without matches, {many_s * 1e3:.0f} ms with "
              f"{options.matches}: {many_s / none_s:.2f} times")
        many.restart()
        print(f"all of them in memory after {wait_until_loaded(many, options.matches):.1f} s")
        many.restart()
        began = time.monotonic()
        played = play_all(many, tokens, options.matches, seq)
        print(f"a turn was played in {played} of them within {time.monotonic() - began:.1f} s of the start")
    passed = (many_s <= 2 * none_s) + (played == options.matches)
    print(f"{passed} passed, {2 - passed} failed")
    return 0 if passed == 2 else 1


if __name__ == "__main__":
    sys.exit(main())
