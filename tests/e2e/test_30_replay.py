"""`skirmish replay`: a stored match turn by turn, as text, as JSON and in a terminal."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import unittest

from client import Case, attack, move
from daemon import PROGRAM, TIME_LIMIT_S

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")


class Terminal:
    """The program in a terminal of its own."""

    def __init__(self, *arguments, bytes_per_read=1):
        self.master, slave = pty.openpty()
        settings = termios.tcgetattr(slave)
        settings[6][termios.VMIN] = bytes_per_read
        termios.tcsetattr(slave, termios.TCSANOW, settings)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
        self.process = subprocess.Popen([SKIRMISH, *arguments], stdin=slave, stdout=slave,
                                        stderr=slave, env={**os.environ, "TERM": "xterm"})
        os.close(slave)
        self.seen = ""

    def expect(self, pattern):
        """Reads until the pattern comes; returns the screen with it, without colours."""
        while not re.search(pattern, self.plain()):
            ready, _, _ = select.select([self.master], [], [], TIME_LIMIT_S)
            assert ready, f"{pattern!r} did not come: {self.plain()!r}"
            try:
                self.seen += os.read(self.master, 65536).decode()
            except OSError:
                raise AssertionError(f"ended before {pattern!r}: {self.plain()!r}") from None
        return self.plain()

    def plain(self):
        page = self.seen.rsplit("\x1b[H\x1b[2J", 1)[-1]
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", page)

    def press(self, keys):
        os.write(self.master, keys.encode())

    def end(self):
        status = self.process.wait(TIME_LIMIT_S)
        os.close(self.master)
        return status


class Played(Case):

    def replay(self, *arguments):
        return subprocess.run([SKIRMISH, "replay", "--database", self.daemon.database, *arguments],
                              capture_output=True, text=True, timeout=TIME_LIMIT_S,
                              stdin=subprocess.DEVNULL)

    async def played(self):
        alice, bob, match = await self.pair()
        await alice.submit(match, 0, move("a1", 0, 0), ready=True)
        await bob.submit(match, 0, move("b1", 1, 1))
        await alice.expect("turn", turn=1)
        await bob.expect("turn", turn=1)
        await self.play(alice, bob, match, 1, [move("a1", 1, 2)], [])
        await alice.submit(match, 2, attack("a1", 1, 1))
        await bob.submit(match, 2, move("b1", 2, 1))
        await alice.expect("over")
        return alice, bob, str(match)


class Replay(Played):

    async def test_the_whole_match_as_text(self):
        alice, bob, match = await self.played()
        done = self.replay(match)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        pages = done.stdout.split(f"match {match}, tactics: ")[1:]
        self.assertEqual(len(pages), 4)
        for page, where in zip(pages, ("before turn 0", "after turn 0", "after turn 1", "after turn 2")):
            self.assertTrue(page.startswith(f"{alice.name}, {bob.name}   {where}\n"), page)
        self.assertIn("    0   1   2 \n0   .  b1   . ", pages[0])
        self.assertIn(f"{alice.name}: move Pike a1 0,0: out of pattern (move in pattern)",
                      pages[1])
        self.assertIn("Pike b1 moves from 1,0 to 1,1", pages[1])
        self.assertIn("Pike a1 attacks 1,1, which reaches 0,1 1,1 2,1", pages[3])
        self.assertIn("Pike b1 is hit by Pike a1 for 10 and has 0 left\n  Pike b1 dies", pages[3])
        self.assertIn(f"{alice.name} wins: eliminated", pages[3])
        self.assertNotIn("\x1b", done.stdout)

    async def test_one_turn_and_one_seat(self):
        alice, bob, match = await self.played()
        done = self.replay(match, "--turn", "0", "--seat", "1")
        self.assertEqual(done.returncode, 0)
        self.assertIn("after turn 0", done.stdout)
        self.assertIn(f"{bob.name}: move", done.stdout)
        self.assertNotIn(f"{alice.name}: move", done.stdout)
        self.assertNotIn("turn 1", done.stdout)

    async def test_as_json_it_is_what_the_record_says(self):
        _, _, match = await self.played()
        lines = [json.loads(line) for line in self.replay(match, "--json").stdout.splitlines()]
        stored = [json.loads(body) for body, in self.query(
            "SELECT body FROM record WHERE match = ? AND kind = 'turn' ORDER BY seq", match)]
        self.assertEqual([line["turn"] for line in lines], [0, 1, 2, 3])
        self.assertNotIn("commands", lines[0])
        for line, record in zip(lines[1:], stored, strict=True):
            for member in ("commands", "verdicts", "events", "hash"):
                self.assertEqual(line[member], record[member], member)
        self.assertEqual(lines[3]["outcome"], {"winner": 0, "reason": "eliminated"})
        self.assertEqual(lines[3]["state"]["outcome"], lines[3]["outcome"])
        seat = [json.loads(line)
                for line in self.replay(match, "--json", "--seat", "0").stdout.splitlines()]
        self.assertEqual(seat[1]["commands"][1], [])
        self.assertEqual(seat[1]["view"]["seat"], 0)
        self.assertNotIn("hash", seat[1])

    async def test_in_a_terminal_keys_go_through_it(self):
        _, _, match = await self.played()
        terminal = Terminal("replay", "--database", self.daemon.database, match)
        terminal.expect("moment 1 of 4, everything")
        terminal.press("n")
        terminal.expect("moment 2 of 4")
        terminal.press("\x1b[C")
        terminal.expect("moment 3 of 4")
        terminal.press("b")
        terminal.expect("moment 2 of 4")
        terminal.press("g3\n")
        self.assertIn("wins: eliminated", terminal.expect("moment 4 of 4"))
        terminal.press("v")
        terminal.expect("moment 4 of 4, as seat 0")
        terminal.press("v")
        terminal.press("v")
        terminal.expect("moment 4 of 4, as a spectator")
        terminal.press("\x1b[H")
        terminal.expect("moment 1 of 4")
        terminal.press("p")
        terminal.expect("moment 4 of 4, as a spectator   n next")
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)

    async def test_one_key_is_enough_whatever_the_terminal_was_set_to(self):
        _, _, match = await self.played()
        terminal = Terminal("replay", "--database", self.daemon.database, match, bytes_per_read=4)
        terminal.expect("moment 1 of 4")
        terminal.press("n")
        terminal.expect("moment 2 of 4")
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)

    async def test_what_cannot_be_shown_is_said(self):
        _, _, match = await self.played()
        alice = await self.player("alice")
        waiting, _ = await alice.create()
        for arguments, status, words in (
                ((match, "--turn", "9"), 1, "has turns 0 to 2"),
                ((match, "--seat", "2"), 1, "has seats 0 to 1"),
                ((match, "--seat", "0", "--spectator"), 2, "exclude"),
                ((str(waiting["match"]),), 1, "has not started"),
                (("987654321",), 1, "there is no match"),
                (("x",), 2, "the number of one match"),
                ((), 2, "the number of one match")):
            done = self.replay(*arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), arguments)
            self.assertIn(words, done.stderr)


class Numbers(Played):

    async def test_turn_n_is_the_same_turn_wherever_it_is_asked_for(self):
        """Identified by its events: those of the last turn, which is turn 2 on the wire."""
        alice, _, match = await self.played()
        turn = 2
        commands, = self.query("SELECT json_group_array(json(command)) FROM match_command WHERE match = ? AND turn = ?"
                               " AND seat = 0", match, turn)[0]
        events = self.query("SELECT kind FROM match_event WHERE match = ? AND turn = ? ORDER BY place", match, turn)
        kinds = [kind for kind, in events]
        self.assertIn("died", kinds)
        submitted = self.query("SELECT turn FROM record WHERE match = ? AND kind = 'submission' ORDER BY seq DESC",
                               match)
        self.assertEqual(submitted[0], (turn,))
        told = await alice.expect("turn", turn=turn + 1)  # on the wire, a frame tells how many are resolved
        self.assertEqual(([event["kind"] for event in told["events"]], told["turn"]), (kinds, turn + 1))
        moment = json.loads(self.replay(match, "--json", "--turn", str(turn)).stdout)
        self.assertEqual(([event["kind"] for event in moment["events"]], moment["resolved"], moment["turn"]),
                         (kinds, turn, turn + 1))
        self.assertIn(f"after turn {turn}\n", self.replay(match, "--turn", str(turn)).stdout)
        done = subprocess.run([SKIRMISH, "what-if", "--database", self.daemon.database, match, "--turn", str(turn),
                               "--json"], capture_output=True, text=True, timeout=TIME_LIMIT_S, input="[null,null]")
        self.assertEqual(json.loads(done.stdout)["instead"], moment, done.stderr)
        line = json.loads(self.daemon.get(f"/api/v1/matches/{match}/replay").body.splitlines()[1 + turn])
        self.assertEqual((line["turn"], line["events"], line["commands"][0]),
                         (turn, moment["events"], json.loads(commands)))
        moments = [json.loads(one) for one in self.daemon.get(f"/api/v1/matches/{match}/moments").body.splitlines()]
        self.assertEqual([one for one in moments if one.get("resolved") == turn], [moment])
        row = json.loads(self.daemon.get(f"/api/v1/matches/{match}").body)
        self.assertEqual(row["turn"], turn)
        self.assertEqual(self.query("SELECT turn, turns FROM match_summary WHERE match = ?", match), [(turn, turn + 1)])


class WhatIf(Played):

    def what_if(self, commands, *arguments):
        text = commands if isinstance(commands, str) else json.dumps(commands)
        return subprocess.run([SKIRMISH, "what-if", "--database", self.daemon.database, *arguments],
                              capture_output=True, text=True, timeout=TIME_LIMIT_S, input=text)

    async def test_another_way_beside_what_happened(self):
        _, _, match = await self.played()
        done = self.what_if([[attack("a1", 1, 1)], [move("b1", 1, 0)]], match, "--turn", "2",
                            "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        both = json.loads(done.stdout)
        self.assertIs(both["differs"], True)
        self.assertEqual([event["kind"] for event in both["instead"]["events"]],
                         ["moved", "attacked"])
        self.assertIsNone(both["instead"]["outcome"])
        self.assertEqual(both["happened"]["outcome"], {"winner": 0, "reason": "eliminated"})
        lines = self.replay(match, "--json", "--turn", "2").stdout
        self.assertEqual(both["happened"], json.loads(lines))

    async def test_the_same_way_is_what_happened(self):
        _, _, match = await self.played()
        done = self.what_if([[attack("a1", 1, 1)], [move("b1", 2, 1)]], match, "--turn", "2")
        self.assertEqual(done.returncode, 0)
        self.assertIn("Pike b1 dies", done.stdout)
        self.assertIn("This is what happened.", done.stdout)
        done = self.what_if([[attack("a1", 1, 1)], []], match, "--turn", "2")
        self.assertIn("WHAT HAPPENED", done.stdout)

    async def test_null_keeps_what_a_seat_sent(self):
        _, _, match = await self.played()
        done = self.what_if([None, None], match, "--turn", "2")
        self.assertIn("This is what happened.", done.stdout)
        done = self.what_if([[], None], match, "--turn", "2", "--json")
        instead = json.loads(done.stdout)["instead"]
        self.assertEqual([event["kind"] for event in instead["events"]], ["moved"])

    async def test_a_turn_that_is_open_and_nothing_is_stored(self):
        alice, bob, match = await self.pair()
        count = self.query("SELECT count(*) FROM record")
        done = self.what_if([[move("a1", 1, 2)], [move("b1", 1, 1)]], str(match), "--turn", "0")
        self.assertIn("Pike a1 moves from 1,3 to 1,2", done.stdout)
        self.assertIn("The turn is not resolved yet.", done.stdout)
        self.assertEqual(self.query("SELECT count(*) FROM record"), count)

    async def test_bad_input_is_said(self):
        _, _, match = await self.played()
        for commands, arguments, status, words in (
                ("[[],[]]", (match, "--turn", "3"), 1, "had no turn 3"),
                ("[[]]", (match, "--turn", "0"), 1, "2"),
                ("nonsense", (match, "--turn", "0"), 1, ""),
                ("[null,7]", (match, "--turn", "0"), 1, "/1"),
                ('[[{"kind":"fly"}],[]]', (match, "--turn", "0"), 1, "/0/0/kind"),
                ("[[],[]]", (match,), 2, "--turn"),
                ("[[],[]]", ("x", "--turn", "0"), 2, "number of one match")):
            done = self.what_if(commands, *arguments)
            self.assertEqual((done.returncode, done.stdout), (status, ""), commands)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
