"""Every registered ruleset whose seats take turns: lists, clocks, kills in the middle."""

import asyncio
import os
import subprocess
import unittest

from client import Case
from daemon import PROGRAM, TIME_LIMIT_S

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
LONG_MS = 600000
LIST = 3  # commands that are sent at once


class TakingTurns(Case):

    async def matches(self, **how):
        """(ruleset, players by seat, match) of each ruleset in which one seat owes at a time."""
        found = []
        for ruleset in self.schemas.rulesets:
            first = await self.player("first")
            joined = await first.get("joined", "create", ruleset=ruleset, **how)
            state = await first.expect("state", match=joined["match"])
            match, players = joined["match"], [first]
            while state["status"] == "waiting":
                players.append(await self.player("next"))
                _, state = await players[-1].join(match)
            if len(state["turn_open"]["owing"]) == 1:
                for player in players:
                    await player.seen()
                    player.forget()
                found.append((ruleset, players, match))
        if not found:
            self.skipTest("no ruleset takes turns")
        return found

    async def open_turn(self, client, match):
        """(the state, the seat that owes)"""
        state = await client.get("state", "resume", match=match, seq=0)
        return state, state["turn_open"]["owing"][0]

    async def step(self, players, match, count=LIST):
        """The owing seat sends a list of its hints; (accepted, everybody's turn frames)."""
        state, seat = await self.open_turn(players[0], match)
        actor = players[seat]
        hints = (await actor.get("hints", "hints", match=match))["commands"]
        accepted = await actor.submit(match, state["turn_open"]["turn"], *(hints * count)[:count])
        played = 0
        for verdict in accepted["verdicts"]:
            if verdict["verdict"] != "ok":
                break
            played += 1
        self.assertEqual(accepted["ready"], played > 0, accepted)
        turns = [[await player.expect("turn", turn=state["turn_open"]["turn"] + 1 + i)
                  for i in range(played)] for player in players]
        return accepted, turns

    def verify(self, match):
        result = subprocess.run([SKIRMISH, "verify", "--database", self.daemon.database,
                                 str(match)], capture_output=True, text=True,
                                timeout=TIME_LIMIT_S, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    async def test_a_list_is_one_turn_a_command_that_is_ok(self):
        for ruleset, players, match in await self.matches(clock=None):
            with self.subTest(ruleset):
                for _ in range(6):
                    accepted, turns = await self.step(players, match)
                    self.assertEqual({len(frames) for frames in turns}, {len(turns[0])})
                    for frames in zip(*turns):
                        self.assertEqual(len({frame["seq"] for frame in frames}), 1)
                    if turns[0] and "turn_open" not in turns[0][-1]:
                        break  # it is over
                    await asyncio.gather(*(player.seen() for player in players))
                rows = self.query("SELECT turn, count(*) FROM match_turn WHERE match = ?"
                                  " GROUP BY turn HAVING count(*) > 1", match)
                self.assertEqual(rows, [])
                self.assertEqual(self.query("SELECT count(*) FROM match_command WHERE match = ?"
                                            " AND verdict <> 'ok'", match), [(0,)])

    async def test_a_seat_that_does_not_owe_gets_an_error_and_has_no_clock(self):
        for ruleset, players, match in await self.matches(clock={"turn_ms": LONG_MS}):
            with self.subTest(ruleset):
                state, seat = await self.open_turn(players[0], match)
                deadlines = state["turn_open"]["deadline_ms"]
                self.assertEqual([i for i, left in enumerate(deadlines) if left is not None], [seat])
                for other, player in enumerate(players):
                    if other != seat:
                        hints = (await players[seat].get("hints", "hints", match=match))["commands"]
                        accepted = await player.submit(match, state["turn_open"]["turn"], hints[0])
                        self.assertEqual(accepted["verdicts"][0]["verdict"], "not_your_turn")
                        self.assertFalse(accepted["ready"])

    async def some_time_later(self, client, match):
        """Waits until time has passed on the owing seat's clock; (state, time left)."""
        while True:
            state, seat = await self.open_turn(client, match)
            left = state["turn_open"]["deadline_ms"][seat]
            if left < LONG_MS - 20:
                return state, left
            await asyncio.sleep(0.05)  # a connection may not send all the time

    async def duel(self, ruleset, **changes):
        """(ann, ben, match) of two seats with some of the default params changed."""
        if ruleset not in self.schemas.rulesets:
            self.skipTest(f"there is no {ruleset}")
        ann, ben = await self.player("ann"), await self.player("ben")
        await ann.get("joined", "create", ruleset=ruleset)
        params = {**(await ann.expect("state"))["params"], **changes}
        joined = await ann.get("joined", "create", ruleset=ruleset, params=params,
                               clock={"turn_ms": LONG_MS})
        await ann.expect("state")
        await ben.join(joined["match"])
        return ann, ben, joined["match"]

    async def test_one_clock_covers_all_actions_of_a_racer(self):
        ann, ben, match = await self.duel("racers", failure_permille=0)
        state, left = await self.some_time_later(ann, match)
        [seat] = state["turn_open"]["owing"]
        _, turns = await self.step([ann, ben], match, count=1)
        now = turns[0][0]["turn_open"]
        self.assertEqual(now["owing"], [seat])
        self.assertLessEqual(now["deadline_ms"][seat], left)
        await self.restart()
        ann, ben = await self.back(ann, ben, match=match)
        state, _ = await self.open_turn(ann, match)
        self.assertLessEqual(state["turn_open"]["deadline_ms"][seat], now["deadline_ms"][seat])

    async def test_leaving_changes_nobodys_clock(self):
        ann, ben, match = await self.duel("snarl", heroes=["ann", "ben"])
        _, left = await self.some_time_later(ann, match)
        await ben.get("done", "resign", match=match, command_id="r")
        turn = await ann.expect("turn")
        self.assertLessEqual(turn["turn_open"]["deadline_ms"][0], left)
        await ben.get("done", "resign", match=match, command_id="r")
        await ben.refused("not_allowed", "resign", match=match, command_id="again")
        await self.step([ann, ben], match)
        self.assertEqual(self.query("SELECT seat, kind FROM match_command WHERE match = ?"
                                    " AND turn = 0", match), [(1, "resign")])
        await self.restart()
        ann, ben = await self.back(ann, ben, match=match)
        await self.step([ann, ben], match)
        self.verify(match)

    async def test_a_deadline_passes_the_turn_on(self):
        for ruleset, players, match in await self.matches(clock={"turn_ms": 500}):
            with self.subTest(ruleset):
                turn = await players[0].expect("turn", turn=1)
                self.assertIn("turn_open", turn)
                self.assertEqual(self.query("SELECT kind, verdict FROM match_command"
                                            " WHERE match = ? AND turn = 0", match),
                                 [("timeout", "ok")])
                await players[0].get("done", "resign", match=match, command_id="r")

    async def test_killed_in_the_middle_it_goes_on_and_proves_itself(self):
        for ruleset, players, match in await self.matches(clock={"turn_ms": LONG_MS}):
            with self.subTest(ruleset):
                players = await self.back(*players, match=match)  # of the restart before
                await self.step(players, match)
                state, seat = await self.open_turn(players[0], match)
                hints = (await players[seat].get("hints", "hints", match=match))["commands"]
                frame = {"match": match, "turn": state["turn_open"]["turn"],
                         "commands": (hints * LIST)[:LIST], "command_id": "killed"}
                await players[seat].send("submit", **frame)
                await self.restart()
                players = await self.back(*players, match=match)
                # stored before the kill or not: sent again it has one effect
                accepted = await players[seat].get("accepted", "submit", **frame)
                again = await players[seat].get("accepted", "submit", **frame)
                self.assertEqual({**again, "id": None}, {**accepted, "id": None})
                self.assertEqual(self.query("SELECT count(*) FROM record WHERE match = ?"
                                            " AND command_id = 'killed'", match), [(1,)])
                states = [await player.get("state", "resume", match=match, seq=0)
                          for player in players]
                self.assertEqual(len({state["seq"] for state in states}), 1)
                self.verify(match)


if __name__ == "__main__":
    unittest.main()
