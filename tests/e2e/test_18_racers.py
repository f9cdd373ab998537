"""racers over the wire: a whole match with all items, killed in the middle of a turn and verified."""

import os
import subprocess
import unittest

from client import OK, Case
from daemon import PROGRAM, TIME_LIMIT_S

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")

# A grenade and a disc on alice's way; teleporters that lead to the last row.
BOARD = {
    "walls": [[4, 6], [5, 6]], "starts": [[0, 9], [9, 0]],
    "items": [{"kind": "grenade", "at": [1, 8], "state": "inactive"}, {"kind": "disc", "at": [8, 0]}],
    "teleporters": [{"at": [1, 6], "to": [8, 2]}, {"at": [8, 2], "to": [1, 6]}]}
PARAMS = {"rows": 10, "cols": 10, "failure_permille": 0, "board": BOARD}


def move(direction):
    return {"kind": "move", "dir": direction}


def use(item, **more):
    return {"kind": "use", "item": item, **more}


def pick_up(item):
    return {"kind": "pick_up", "item": item}


class Racers(Case):

    def expect_proved(self, match, turns, reason):
        for command, expected in (("verify", f"1 of 1 match holds, with {turns} turns"),
                                  ("replay", f"turn {turns - 1}")):
            done = subprocess.run([SKIRMISH, command, "--database", self.daemon.database, str(match)],
                                  capture_output=True, text=True, timeout=TIME_LIMIT_S, stdin=subprocess.DEVNULL)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertIn(expected, done.stdout)
        self.assertIn(reason, done.stdout)

    async def test_grenade_disc_and_teleporter_a_kill_in_the_middle_of_a_turn_and_the_finish(self):
        alice, bob, match = await self.pair(ruleset="racers", params=PARAMS)
        turn = 0

        async def play(client, *commands):
            """One command per submission; returns the events that everybody got."""
            nonlocal turn
            told = []
            for command in commands:
                accepted = await client.submit(match, turn, command)
                self.assertEqual(accepted["verdicts"], [OK], command)
                turn += 1
                frames = [await other.expect("turn", turn=turn) for other in (alice, bob)]
                self.assertEqual(frames[0]["events"], frames[1]["events"])
                self.assertFalse([item for frame in frames for item in frame["view"]["items"]
                                  if item.get("state") == "active"])
                told += frames[0]["events"]
            return told

        await play(alice, move("ne"), pick_up("grenade"), use("grenade"))
        await play(bob, move("w"), pick_up("disc"), move("w"))
        await play(alice, move("n"))
        # alice's turn has two actions left, and her grenade is armed.
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        refused = await bob.submit(match, turn, move("s"))
        self.assertEqual(refused["verdicts"], [{"verdict": "not_your_turn", "check": "own_turn"}])
        self.assertEqual((await play(alice, move("n")))[-1],
                         {"kind": "teleported", "seat": 0, "from": [1, 6], "to": [8, 2]})
        await play(alice, move("ne"))
        # alice is on 9,1; bob on 7,0 throws east and misses, then both go on.
        events = await play(bob, use("disc", dir="e"))
        self.assertEqual(events[0]["landed"], [9, 0])
        await play(bob, move("s"), move("w"))
        events = await play(alice, move("n"))
        self.assertEqual([event["kind"] for event in events], ["moved", "finished"])
        for client in (alice, bob):
            over = await client.expect("over")
            self.assertEqual((over["winner"], over["reason"]), (0, "finished"))
        self.expect_proved(match, turn, "finished")

    async def test_a_hidden_grenade_explodes_under_the_other(self):
        board = {**BOARD, "starts": [[0, 9], [3, 8]], "teleporters": []}
        alice, bob, match = await self.pair(ruleset="racers", params={**PARAMS, "board": board})
        end = {"kind": "end_turn"}
        frames = []
        for client, commands in ((alice, (move("ne"), pick_up("grenade"), use("grenade"))), (bob, (move("n"), end)),
                                 (alice, (move("nw"), move("n"), move("n"))), (bob, (move("sw"), end)),
                                 (alice, (move("n"), end)), (bob, (move("w"),))):
            for command in commands:
                accepted = await client.submit(match, len(frames), command)
                self.assertEqual(accepted["verdicts"], [OK], command)
                frames.append(await bob.expect("turn", turn=len(frames) + 1))
        grenades = [[item for item in frame["view"]["items"] if item["kind"] == "grenade"] for frame in frames]
        self.assertEqual(grenades[2], [{"kind": "grenade", "at": [1, 8], "state": "placed"}])
        self.assertEqual(grenades[5:-1], [[] for _ in grenades[5:-1]])
        self.assertEqual(frames[-1]["events"], [
            {"kind": "moved", "seat": 1, "from": [2, 8], "to": [1, 8]},
            {"kind": "exploded", "seat": 1, "at": [1, 8], "actions_lost": 3},
            {"kind": "turn_passed", "seat": 1, "why": "penalty"}])
        self.assertEqual(grenades[-1], [{"kind": "grenade", "at": [1, 8], "state": "exploded"}])

    async def test_random_failures_on_the_default_board_to_an_end_by_hints(self):
        alice, bob, match = await self.pair(ruleset="racers", params={"turn_limit": 60, "failure_permille": 50})
        view = (await alice.get("state", "resume", match=match, seq=0))["view"]
        turn, kinds = 0, set()
        while "outcome" not in view:
            seat = view["owing"][0]
            client = (alice, bob)[seat]
            hints = (await client.get("hints", "hints", match=match))["commands"]
            goal = view["starts"][1 - seat]
            at = view["racers"][seat]["at"]
            steps = {"n": (0, -1), "ne": (1, -1), "e": (1, 0), "se": (1, 1), "s": (0, 1), "sw": (-1, 1),
                     "w": (-1, 0), "nw": (-1, -1)}

            def far(hint):
                if hint["kind"] != "move":
                    return 3 if hint["kind"] == "pick_up" else 99
                return max(abs(at[i] + steps[hint["dir"]][i] - goal[i]) for i in (0, 1)) + 5 * (turn % 7 == 0)
            await client.submit(match, turn, min(hints, key=far))
            turn += 1
            told = [await other.expect("turn", turn=turn) for other in (alice, bob)]
            view = told[0]["view"]
            kinds |= {event["kind"] for event in told[0]["events"]}
        self.assertIn(view["outcome"]["reason"], ("finished", "trapped", "draw_turn_limit"))
        self.assertLessEqual({"moved", "turn_passed", "power_failed"}, kinds)
        self.expect_proved(match, turn, "turn %d" % (turn - 1))


if __name__ == "__main__":
    unittest.main()
