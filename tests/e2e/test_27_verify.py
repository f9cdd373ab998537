"""`skirmish verify`: a stored match is a proof, and every change in it is found."""

import json
import os
import shutil
import sqlite3
import subprocess
import unittest

from client import Case, attack, chain_anew, move
from daemon import PROGRAM

COMMANDS_MAX = 128  # of one seat in one submission
LISTED_AT_ONCE = 1024  # matches, by verify --all
SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")


def verify(database, *arguments):
    return subprocess.run([SKIRMISH, "verify", "--database", database, *arguments],
                          capture_output=True, text=True, timeout=120)


def verify_both(case, database, match):
    """By its number and with --all, which reads records in another order and must say the same."""
    alone, with_all = verify(database, str(match)), verify(database, "--all")
    case.assertEqual(with_all.returncode, alone.returncode, with_all.stdout + with_all.stderr)
    said = [line for line in alone.stdout.splitlines() if line.startswith(f"match {match} ")]
    for line in said:
        case.assertIn(line, with_all.stdout.splitlines())
    return alone


class Copy:
    """A copy of the database to change things in."""

    def __init__(self, case, name):
        self.path = case.daemon.path(name)
        source = sqlite3.connect(f"file:{case.daemon.database}?mode=ro", uri=True)
        self.database = sqlite3.connect(self.path)
        source.backup(self.database)
        source.close()

    def run(self, sql, *values):
        self.database.execute(sql, values)
        self.database.commit()

    def body(self, match, kind, change, place=0):
        """Changes the body of a record by a function on its JSON."""
        seq, body = self.database.execute(
            "SELECT seq, body FROM record WHERE match = ? AND kind = ? ORDER BY seq LIMIT 1 OFFSET ?",
            (match, kind, place)).fetchone()
        content = json.loads(body)
        change(content)
        self.run("UPDATE record SET body = ? WHERE match = ? AND seq = ?",
                 json.dumps(content, separators=(",", ":")), match, seq)
        return seq

    def chain(self, match):
        """Recomputes the chain, so that only the rules detect the change."""
        chain_anew(self.database, match)
        self.database.commit()


def set_member(name, value):
    return lambda body: body.__setitem__(name, value)


def other_verdict(body):
    body["verdicts"][0][0] = {"verdict": "occupied", "check": "occupied"}


def other_command(body):
    body["commands"][1][0]["target"] = [2, 1]


# Kind, change, and the member that verify must name.
CHANGES = [
    ("created", set_member("commitment", "0" * 64), "commitment"),
    ("created", lambda body: body["params"].__setitem__("turn_limit", 7), "params"),
    ("created", lambda body: body["settings"].__setitem__("bank_ms", 7), "settings"),
    ("created", set_member("version", 99), "ruleset"),
    ("joined", set_member("starts", True), "starts"),
    ("submission", set_member("verdicts", [{"verdict": "occupied", "check": "occupied"}]),
     "verdicts"),
    ("turn", other_verdict, "verdicts"),
    ("turn", other_command, "commands"),
    ("turn", lambda body: body["events"].pop(), "events"),
    ("turn", set_member("hash", "0" * 16), "hash"),
    ("snapshot", lambda body: body.__setitem__("state", "00" + body["state"][2:]), "state"),
    ("ended", set_member("winner", 1), "winner"),
    ("ended", set_member("reason", "resignation"), "reason"),
    ("ended", set_member("seed", "0" * 64), "seed"),
    ("ended", set_member("salt", "0" * 64), "salt"),
    ("ended", set_member("hash", "0" * 16), "hash"),
]


class Verify(Case):

    options = ("--snapshot-every", "1")

    async def played(self):
        """A match to its end: a refusal, a repeat, a withdrawal, two turns, an offer."""
        alice, bob, match = await self.pair()
        await alice.submit(match, 0, move("a1", 0, 0))
        await alice.get("withdrawn", "withdraw", match=match, turn=0, command_id="back")
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [move("b1", 1, 1)])
        await alice.get("done", "offer_draw", match=match)  # the turn's snapshot is stored before it
        await bob.get("done", "answer_draw", match=match, accept=False)
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        await alice.submit(match, 1, attack("a1", 1, 1))
        await bob.submit(match, 1, move("b1", 2, 1))
        await alice.expect("over")
        return match

    async def test_all_are_more_than_are_listed_at_once(self):
        match = await self.played()
        copy = Copy(self, "many.db")
        far = 10000  # from a record to its copy
        for table, name, *records in (("match", "id"), ("seat", "match"), ("record", "match", "id", "previous"),
                                      ("chain", "match", "last_record", "first_record")):
            copy.run(f"CREATE TEMP TABLE one AS SELECT * FROM {table} WHERE {name} = ?", match)
            changes = "".join(f", {column} = {column} + {far}" for column in records)
            for number in range(match + 1, match + LISTED_AT_ONCE + 10):
                copy.database.execute(f"UPDATE one SET {name} = ?{changes}", (number,))
                copy.database.execute(f"INSERT INTO {table} SELECT * FROM one")
            copy.run("DROP TABLE one")
        done = verify(copy.path, "--all")
        self.assertEqual(done.returncode, 1, done.stderr)  # a copy's chain is the first one's
        self.assertNotIn("Sanitizer", done.stderr)
        self.assertIn(str(match + LISTED_AT_ONCE + 9), done.stdout)

    async def test_leaving_with_a_full_list_cuts_the_list(self):
        alice, _, match = await self.pair()
        await alice.submit(match, 0, *[move("a1", 0, 0)] * COMMANDS_MAX, ready=False)
        await alice.get("done", "resign", match=match, command_id="r")
        self.assertEqual((await alice.expect("over"))["reason"], "resignation")
        done = verify(self.daemon.database, str(match))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        copy = Copy(self, "full.db")
        copy.body(match, "turn", lambda body: body["commands"][0].insert(0, move("a1", 0, 0)))
        copy.chain(match)
        done = verify(copy.path, str(match))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("not the commands that the seat had sent", done.stdout + done.stderr)

    async def test_what_was_played_holds_also_while_it_is_played(self):
        match = await self.played()
        _, _, running = await self.pair()
        done = verify(self.daemon.database, "--all")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, r"^(\d+) of \1 matches hold, with \d+ turns played again")
        done = verify(self.daemon.database, "--quiet", str(match), str(running))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    async def test_every_way_a_match_ends_holds(self):
        alice, bob, match = await self.pair()
        await bob.get("done", "resign", match=match, command_id="enough")
        await alice.expect("over")
        alice, bob, drawn = await self.pair()
        await alice.get("done", "offer_draw", match=drawn)
        await bob.get("done", "answer_draw", match=drawn, accept=True)
        await alice.expect("over")
        done = verify(self.daemon.database, str(match), str(drawn))
        self.assertEqual(done.returncode, 0, done.stdout)

    async def test_a_changed_byte_of_any_column_breaks_the_chain(self):
        match = await self.played()
        columns = ("seq", "epoch", "turn", "seat", "command_id", "kind", "at", "hash", "body")
        for name in columns:
            with self.subTest(column=name):
                copy = Copy(self, f"column-{name}.db")
                value = {"seq": 1000, "epoch": 7, "turn": 5, "seat": 3, "command_id": "another",
                         "kind": "clock", "at": 1, "hash": bytes(32), "body": "{}"}[name]
                copy.run(f"UPDATE record SET {name} = ? WHERE match = ? AND seq ="
                         " (SELECT max(seq) - 2 FROM record WHERE match = ?)", value, match, match)
                done = verify_both(self, copy.path, match)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(f"match {match} does not hold: corrupt: match {match}: record ",
                              done.stdout)

    async def test_a_lost_last_record_is_missed(self):
        match = await self.played()
        copy = Copy(self, "lost.db")
        copy.run("DELETE FROM record WHERE match = ? AND kind = 'ended'", match)
        done = verify_both(self, copy.path, match)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, f"match {match}: record [0-9]+ is missing")

    async def test_with_the_chain_made_right_the_rules_still_tell(self):
        match = await self.played()
        for kind, change, member in CHANGES:
            with self.subTest(kind=kind, member=member):
                copy = Copy(self, f"rules-{kind}-{member}.db")
                seq = copy.body(match, kind, change)
                copy.chain(match)
                done = verify_both(self, copy.path, match)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(f"match {match} does not hold: differs at /records/{seq}/{member}: ",
                              done.stdout)

    async def test_the_row_of_the_match_must_tell_the_same(self):
        match = await self.played()
        for column_name, value, at in (
                ("seed", bytes(32), "/records/1/commitment"),
                ("salt", bytes(32), "/records/1/commitment"),
                ("params", "{}", ""),
                ("winner", 1, "/winner"),
                ("reason", "stalled", "/reason"),
                ("status", "running", "/status"),
                ("version", 99, ""),
                ("settings", "{}", "/records/1/settings")):
            with self.subTest(column=column_name):
                copy = Copy(self, f"row-{column_name}.db")
                copy.run(f"UPDATE match SET {column_name} = ? WHERE id = ?", value, match)
                done = verify_both(self, copy.path, match)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(at, done.stdout)

    async def test_white_space_in_a_turn_holds(self):
        match = await self.played()
        copy = Copy(self, "spaced.db")
        copy.run("UPDATE record SET body = replace(body, ',', ', ') WHERE match = ? AND kind = 'turn'", match)
        copy.chain(match)
        done = verify_both(self, copy.path, match)
        self.assertEqual(done.returncode, 0, done.stdout)

    async def test_a_member_that_no_turn_has_is_found(self):
        match = await self.played()
        for member in ("events", "another"):
            copy = Copy(self, f"more-{member}.db")
            copy.run("UPDATE record SET body = replace(body, '\"used_ms\"', ?) WHERE match = ? AND kind = 'turn'",
                     f'"{member}":[],"used_ms"', match)
            copy.chain(match)
            done = verify_both(self, copy.path, match)
            self.assertEqual(done.returncode, 1, done.stdout)

    async def test_one_broken_match_leaves_the_others(self):
        first, second = await self.played(), await self.played()
        copy = Copy(self, "one.db")
        copy.run("UPDATE record SET body = 'nonsense' WHERE match = ? AND seq = 3", first)
        done = verify(copy.path, str(first), str(second))
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"match {first} does not hold", done.stdout)
        self.assertIn("1 of 2 matches hold", done.stdout)

    async def test_wrong_usage_is_said(self):
        for arguments, words in (((), "give --all"), (("--all", "1"), "give --all"),
                                 (("x",), "not the number of a match"), (("0",), "not the number of a match"),
                                 (("--jobs", "0", "1"), "from 1 to 64"),
                                 (("--nonsense",), "unknown option")):
            done = verify(self.daemon.database, *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(words, done.stderr)

    async def test_what_is_no_database_of_ours_is_said(self):
        empty, other = self.daemon.path("empty.db"), self.daemon.path("other.db")
        open(empty, "w").close()
        database = sqlite3.connect(other)
        database.execute("CREATE TABLE t (x)")
        database.commit()
        shutil.copy(__file__, self.daemon.path("text.db"))
        for path, words in ((empty, "is empty"), (other, "not a Skirmish database"),
                            (self.daemon.path("text.db"), "not a database"),
                            (self.daemon.path("missing.db"), "No such file")):
            done = verify(path, "--all")
            self.assertEqual((done.returncode, done.stdout), (1, ""), path)
            self.assertIn(words, done.stderr)
        done = verify(self.daemon.database, "987654321")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no match 987654321", done.stdout)


if __name__ == "__main__":
    unittest.main()
