"""Reads a daemon's database without code of the daemon, and compares it with what clients saw.

The reader goes through the records in the order in which they were stored and remembers where it was, so
that a database that grows from round to round is read once.  `read` takes in what is new and checks that it
follows from what was before: numbers without gaps, the chain of hashes, every turn resolved again by
`skirmish resolve` to the same verdicts, events and hash.  `compare` looks for what clients were promised.
"""

import hashlib
import json
import os
import sqlite3
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "e2e"))

from client import siphash  # noqa: E402


class Wrong(Exception):
    """The database is not what it must be."""


def column_bytes(value):
    if value is None:
        return struct.pack("<I", 0xFFFFFFFF)
    if isinstance(value, int):
        return struct.pack("<Iq", 8, value)
    value = value.encode()
    return struct.pack("<I", len(value)) + value


class Referee:
    """`skirmish resolve`, one request at a time."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "resolve"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, requests):
        """The answers, in order."""
        answers = []
        for at in range(0, len(requests), 16):  # neither pipe may be full while the other waits
            some = requests[at:at + 16]
            self.process.stdin.write("".join(request + "\n" for request in some))
            self.process.stdin.flush()
            answers += [json.loads(self.process.stdout.readline()) for _ in some]
        return answers

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Match:
    """What was read of one match."""

    def __init__(self, number, ruleset, params, seed):
        self.number = number
        self.head_text = f'{{"ruleset":"{ruleset}","params":{params},"seed":"{seed.hex()}"'
        self.last_seq, self.head = 0, bytes(32)
        self.state, self.turn = None, 0
        self.is_over = False
        self.last_hash = None  # of the last turn
        self.new_turns = []    # not resolved again yet

    def request(self, commands):
        state = "" if self.state is None else f',"state":{json.dumps(self.state)},"turn":{self.turn}'
        return f'{self.head_text}{state},"commands":{json.dumps(commands)}}}'


class Reader:

    COLUMNS = "rowid, match, seq, epoch, turn, seat, command_id, kind, body, at, hash"

    def __init__(self, skirmish):
        self.referee = None if skirmish is None else Referee(skirmish)
        self.matches = {}
        self.last_rowid = 0
        self.submissions = {}  # (match, seat, command_id) -> turn
        self.turns = set()     # (match, turn)
        self.heads = {}        # (match, seq) -> hash, of `ended`
        self.records = self.resolved = self.snapshots = 0

    def close(self):
        if self.referee is not None:
            self.referee.close()

    def read(self, path):
        """Reads what is new in this file, which nobody else has open."""
        database = sqlite3.connect(path)
        try:
            self.read_records(database)
            self.check_ends(database)
        finally:
            database.close()
        if self.referee is not None:
            self.resolve_turns()

    def read_records(self, database):
        rows = database.execute(f"SELECT {self.COLUMNS} FROM record WHERE rowid > ? ORDER BY rowid",
                                (self.last_rowid,))
        for rowid, *columns, stored in rows:
            if rowid != self.last_rowid + 1:
                raise Wrong(f"rows {self.last_rowid + 1} to {rowid - 1} of the records are missing")
            self.last_rowid = rowid
            self.take_record(database, columns, stored)

    def make_match(self, database, number):
        row = database.execute("SELECT ruleset, params, seed FROM match WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise Wrong(f"match {number} has records and no row")
        self.matches[number] = Match(number, *row)

    def take_record(self, database, columns, stored):
        number, seq, _, turn, seat, command_id, kind, body, _ = columns
        if seq == 1:
            self.make_match(database, number)
        match = self.matches[number]
        match.head = hashlib.sha256(match.head + b"".join(map(column_bytes, columns))).digest()
        if seq != match.last_seq + 1 or match.head != stored:
            raise Wrong(f"match {number}: record {seq} does not follow {match.last_seq} in its chain")
        match.last_seq = seq
        self.records += 1
        if kind == "submission":
            self.submissions[number, seat, command_id] = turn
        elif kind == "turn":
            self.turns.add((number, turn))
            match.new_turns.append((turn, json.loads(body)))
            match.last_hash = match.new_turns[-1][1]["hash"]
        elif kind == "snapshot":
            if siphash(bytes.fromhex(json.loads(body)["state"])) != match.last_hash:
                raise Wrong(f"match {number}: snapshot {seq} is not of the state after its turn")
            self.snapshots += 1
        elif kind == "ended":
            match.is_over = True
            self.heads[number] = match.head.hex()

    def check_ends(self, database):
        """Each chain ends where the database says, and nothing that was read before is missing."""
        for number, last_seq, head in database.execute("SELECT match, last_seq, head FROM chain"):
            match = self.matches.get(number)
            if match is None or (match.last_seq, match.head) != (last_seq, head):
                raise Wrong(f"match {number} does not end as it should")
        for number, reason in database.execute("SELECT id, reason FROM match WHERE status = 'quarantined'"):
            raise Wrong(f"match {number} is quarantined: {reason}")
        [count] = database.execute("SELECT count(*) FROM record").fetchone()
        if count != self.records:
            raise Wrong(f"{count} records are stored, {self.records} were read")

    def resolve_turns(self):
        """Resolves all turns again, of all matches together, so that the referee need not wait."""
        waiting = [match for match in self.matches.values() if match.new_turns]
        while waiting:
            answers = self.referee.ask([match.request(match.new_turns[0][1]["commands"])
                                        for match in waiting])
            for match, answer in zip(waiting, answers):
                turn, body = match.new_turns.pop(0)
                for member in ("hash", "verdicts", "events"):
                    if "error" in answer or turn != match.turn or answer[member] != body[member]:
                        raise Wrong(f"match {match.number}: turn {turn} does not come to what is stored: "
                                    f"{answer}")
                match.state, match.turn = answer["state"], answer["turn"]
                self.resolved += 1
            waiting = [match for match in waiting if match.new_turns]


class Journal:
    """What clients sent and received; see tests/bench/load/journal.h."""

    def __init__(self, path):
        self.file = open(path, "rb")
        self.rest = b""
        self.sent = {}      # (match, seat, command_id) -> turn
        self.accepted = {}
        self.refused = {}   # -> code
        self.shown = {}     # (match, seat, turn) -> hash of the view
        self.over = {}      # match -> head
        self.seats = set()  # (match, seat)
        self.tokens = set()
        self.down = {}      # token -> when the connection broke
        self.backs = []     # (token, when)

    def read(self):
        """Reads what is new, up to the last complete line."""
        lines = (self.rest + self.file.read()).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            self.take(line.decode().split(" "))

    def take(self, words):
        kind, when, token, match, seat, turn, _, command_id, digest = words
        key = (int(match), int(seat)) if match != "-" else None
        if kind == "sent":
            self.sent[*key, command_id] = int(turn)
        elif kind == "accepted":
            self.accepted[*key, command_id] = int(turn)
        elif kind == "refused" and key is not None and command_id != "-":
            self.refused[*key, command_id] = digest
        elif kind == "turn":
            before = self.shown.setdefault((*key, int(turn)), digest)
            if before != digest:
                raise Wrong(f"match {match}: seat {seat} was shown two different turns {turn}")
        elif kind == "over":
            if self.over.setdefault(key[0], digest) != digest:
                raise Wrong(f"match {match} ended twice")
        elif kind == "seat":
            self.seats.add(key)
        elif kind == "hello":
            self.tokens.add(token)
        elif kind == "lost" and token != "-":
            self.down[token] = int(when)
        elif kind == "back":
            self.down.pop(token, None)
            self.backs.append((token, int(when)))

    def close(self):
        self.file.close()


# Refusals after which nobody knows whether the command is stored.
UNKNOWN = ("busy", "store_unavailable", "rate_limited", "draining")


def compare(journal, reader):
    """Lists what was acknowledged and is not stored, and what is stored and was never sent."""
    wrong = []
    for key, turn in journal.accepted.items():
        if reader.submissions.get(key) != turn:
            wrong.append(f"LOST: match {key[0]}, seat {key[1]}: {key[2]} for turn {turn} was accepted")
    for match, seat, turn in journal.shown:
        if (match, turn - 1) not in reader.turns:
            wrong.append(f"LOST: match {match}: turn {turn} was shown to seat {seat}")
    for match, head in journal.over.items():
        if reader.heads.get(match) != head:
            wrong.append(f"LOST: match {match}: its end was shown")
    for match, seat in journal.seats:
        if match not in reader.matches:
            wrong.append(f"LOST: match {match}: seat {seat} was taken")
    for key in reader.submissions:
        if key not in journal.sent:
            wrong.append(f"match {key[0]}, seat {key[1]}: {key[2]} is stored and was never sent")
        elif journal.refused.get(key, UNKNOWN[0]) not in UNKNOWN and key not in journal.accepted:
            wrong.append(f"match {key[0]}, seat {key[1]}: {key[2]} is stored and was refused: "
                         f"{journal.refused[key]}")
    return wrong
