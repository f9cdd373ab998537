"""halma over the wire: a match played from hints, deadlines, and the stored rows."""

import json
import os
import subprocess
import unittest

from client import OK, Case
from daemon import PROGRAM, TIME_LIMIT_S

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
EXAMPLES = os.path.join(os.path.dirname(__file__), "../../common/rules/halma/examples")

# Two rows of three, close together: a1 jumps over a2, and meets b1 at 2,2.
NEAR = {"size": 6, "pieces": [[[0, 2], [1, 2], [0, 5]], [[3, 2], [4, 2], [5, 5]]],
        "destinations": [[[5, 0]], [[0, 0]]]}


def move(unit, *path):
    return {"kind": "move", "unit": unit, "path": [list(cell) for cell in path]}


def sprint():
    with open(os.path.join(EXAMPLES, "sprint.json"), encoding="utf-8") as file:
        return json.load(file)


def distance(cell, cells):
    return min(max(abs(cell[0] - x), abs(cell[1] - y)) for x, y in cells)


class Halma(Case):

    async def match(self, params, **how):
        return await self.pair(ruleset="halma", params=params, **how)

    async def choose(self, client, match, view, destinations):
        """The hint that brings a piece closest to a free destination."""
        hints = (await client.get("hints", "hints", match=match))["commands"]
        at = {unit["id"]: unit["at"] for unit in view["units"]}

        def gain(hint):
            taken = [list(cell) for unit, cell in at.items() if unit != hint["unit"]]
            wanted = [cell for cell in destinations if cell not in taken] or destinations
            return (distance(at[hint["unit"]], wanted) - distance(hint["path"][-1], wanted)
                    - 3 * (at[hint["unit"]] in destinations), len(hint["path"]))
        return max(hints, key=gain)

    async def test_the_default_board_needs_no_params(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined = await alice.get("joined", "create", ruleset="halma")
        await alice.expect("state", match=joined["match"])
        await bob.join(joined["match"])
        state = await alice.get("state", "resume", match=joined["match"], seq=0)
        self.assertEqual(len(state["view"]["units"]), 24)
        self.assertEqual(state["view"]["faults"], [0, 0])
        hints = (await alice.get("hints", "hints", match=joined["match"]))["commands"]
        self.assertEqual({hint["unit"] for hint in hints}, {f"a{n}" for n in range(1, 13)})
        self.assertIn(move("a4", [0, 13]), hints)

    async def test_params_that_halma_does_not_take_are_told_with_their_place(self):
        alice = await self.player("alice")
        error = await alice.refused("invalid_params", "create", ruleset="halma",
                                    params={**NEAR, "pieces": [[[0, 0]], [[0, 0]]]})
        self.assertEqual((error["check"], error["at"]), ("cell_taken", "/params/pieces/1/0"))

    async def test_a_refused_move_is_told_at_once_and_may_be_mended(self):
        alice, bob, match = await self.match(NEAR)
        accepted = await alice.submit(match, 0, move("a1", [0, 4]))
        self.assertEqual(accepted["verdicts"],
                         [{"verdict": "nothing_to_jump", "check": "jump_over_piece"}])
        await bob.submit(match, 0, move("b1", [3, 3]))
        self.assertEqual(await bob.seen("turn"), [])
        self.assertEqual((await alice.submit(match, 0, move("a1", [2, 2])))["verdicts"], [OK])
        for client in (alice, bob):
            turn = await client.expect("turn", turn=1)
            self.assertEqual(turn["events"], [
                {"kind": "moved", "unit": "a1", "path": [[0, 2], [2, 2]]},
                {"kind": "moved", "unit": "b1", "path": [[3, 2], [3, 3]]}])

    async def test_a_move_that_is_refused_and_meant_keeps_both_where_they_are(self):
        alice, bob, match = await self.match(NEAR)
        await alice.submit(match, 0, move("a1", [9, 9]), ready=True)
        await bob.submit(match, 0, move("b1", [3, 3]))
        turn = await bob.expect("turn", turn=1)
        self.assertEqual(turn["events"],
                         [{"kind": "not_enacted", "seats": [0], "reasons": ["out_of_bounds"]}])
        self.assertEqual(turn["view"]["faults"], [1, 0])
        self.assertEqual(turn["verdicts"], [OK])

    async def test_what_if_tells_of_a_collision_before_it_happens(self):
        alice, bob, match = await self.match(NEAR)
        both = [[move("a1", [2, 2])], [move("b1", [2, 2])]]
        answer = await alice.get("what_if", "what_if", match=match, turn=0, commands=both)
        self.assertEqual(answer["events"][-1],
                         {"kind": "collided", "units": ["a1", "b1"], "at": [2, 2]})
        frames = await self.play(alice, bob, match, 0, *both)
        self.assertEqual(frames[0]["events"], answer["events"])

    async def test_a_seat_that_lets_its_deadlines_pass_has_stalled(self):
        alice, bob, match = await self.match({**NEAR, "stall_limit": 2}, clock={"turn_ms": 4000})
        for turn in range(2):
            await alice.submit(match, turn, move("a3", [0, 5]))
            told = await alice.expect("turn", turn=turn + 1)
            self.assertEqual(told["events"],
                             [{"kind": "not_enacted", "seats": [1], "reasons": ["missing"]}])
        over = await bob.expect("over")
        self.assertEqual((over["winner"], over["reason"]), (0, "stalled"))

    async def test_a_match_by_hints_alone_to_its_end_and_what_is_stored_of_it(self):
        params = sprint()
        alice, bob, match = await self.match(params)
        view = (await alice.get("state", "resume", match=match, seq=0))["view"]
        longest, turn = 0, 0
        while "outcome" not in view:
            chosen = [await self.choose(client, match, view, params["destinations"][seat])
                      for seat, client in enumerate((alice, bob))]
            longest = max(longest, *(len(command["path"]) for command in chosen))
            frames = await self.play(alice, bob, match, turn, *([command] for command in chosen))
            self.assertEqual([frame["verdicts"] for frame in frames], [[OK], [OK]])
            view, turn = frames[0]["view"], turn + 1
            if turn == 4:
                await self.restart()
                alice, bob = await self.back(alice, bob, match=match)
        self.assertIn(view["outcome"]["reason"], ("halmate", "draw_both_halmate"))
        self.assertGreater(longest, 1, "no chain was played")
        over = await alice.expect("over")
        self.assertEqual(over["reason"], view["outcome"]["reason"])
        self.expect_stored(match, turn, longest)
        self.expect_told(match, turn)

    def expect_stored(self, match, turns, longest):
        self.assertEqual(self.query("SELECT count(*), max(json_array_length(cells)), min(verdict)"
                                    " FROM match_command WHERE match = ?", match),
                         [(2 * turns, longest, "ok")])
        self.assertEqual(self.query("SELECT count(*) FROM match_event WHERE match = ?"
                                    " AND kind = 'moved' AND x NOT NULL", match), [(2 * turns,)])

    def expect_told(self, match, turns):
        for command, expected in (("verify", f"1 of 1 match holds, with {turns} turns"),
                                  ("replay", f"turn {turns - 1}")):
            done = subprocess.run([SKIRMISH, command, "--database", self.daemon.database, str(match)],
                                  capture_output=True, text=True, timeout=TIME_LIMIT_S,
                                  stdin=subprocess.DEVNULL)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertIn(expected, done.stdout)
        self.assertRegex(done.stdout, r"halmate for [a-z]+-\d+")


if __name__ == "__main__":
    unittest.main()
