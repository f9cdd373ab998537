"""Clocks: limits of a turn, banks, missed deadlines, and the time the server was down.

Limits are short where a deadline is expected and long where none is: no test depends on the machine's speed.
"""

import asyncio
import json
import unittest

from client import OK, Case, move, pikes

LONG_MS = 600000
PAUSE_S = 0.05  # between two looks: a connection may not send all the time


class Clocks(Case):

    async def test_the_deadline_closes_the_turn_with_what_is_in(self):
        alice, bob, match = await self.pair(clock={"turn_ms": 5000})
        await alice.submit(match, 0, move("a1", 1, 2), ready=False)
        turn = await alice.expect("turn", turn=1)
        # the server's own command for the seat is the last
        self.assertEqual(turn["verdicts"], [OK, OK])
        self.assertEqual(turn["events"],
                         [{"kind": "moved", "unit": "a1", "from": [1, 3], "to": [1, 2]}])
        self.assertEqual((await bob.expect("turn", turn=1))["verdicts"], [OK])
        self.assertEqual(
            self.query("SELECT seat, place, kind FROM match_command WHERE match = ? AND turn = 0"
                       " ORDER BY seat, place", match),
            [(0, 0, "move"), (0, 1, "timeout"), (1, 0, "timeout")])
        await alice.get("done", "resign", match=match, command_id="r")

    async def test_the_clock_of_a_ready_seat_stops(self):
        alice, bob, match = await self.pair(clock={"turn_ms": 200, "bank_ms": LONG_MS})
        await alice.submit(match, 0)
        first = await alice.get("state", "resume", match=match, seq=0)
        while True:  # until bob's clock shows that time passes
            state = await alice.get("state", "resume", match=match, seq=0)
            if state["turn_open"]["deadline_ms"][1] < first["turn_open"]["deadline_ms"][1]:
                break
            await asyncio.sleep(PAUSE_S)
        self.assertEqual(state["turn_open"]["deadline_ms"][0], first["turn_open"]["deadline_ms"][0])
        self.assertEqual(state["turn_open"]["ready"], [0])
        await bob.submit(match, 0)
        turn = await alice.expect("turn")
        self.assertEqual(turn["turn_open"]["ready"], [])

    async def test_the_bank_pays_what_goes_beyond_the_limit_of_a_turn(self):
        alice, bob, match = await self.pair(clock={"turn_ms": 10, "bank_ms": LONG_MS})
        await alice.submit(match, 0)
        while True:  # bob takes longer than the 10 ms
            state = await bob.get("state", "resume", match=match, seq=0)
            self.assertEqual(state["turn_open"]["bank_ms"], [LONG_MS, LONG_MS])
            if state["turn_open"]["deadline_ms"][1] < LONG_MS - 50:
                break
            await asyncio.sleep(PAUSE_S)
        await bob.submit(match, 0)
        turn = await bob.expect("turn")
        self.assertLessEqual(turn["turn_open"]["bank_ms"][1], LONG_MS - 50)
        self.assertGreater(turn["turn_open"]["bank_ms"][0], turn["turn_open"]["bank_ms"][1])
        [(used, bank)] = self.query("SELECT used_ms, bank_ms FROM match_turn WHERE match = ?", match)
        self.assertEqual(json.loads(bank), turn["turn_open"]["bank_ms"])
        self.assertGreaterEqual(json.loads(used)[1], 60)
        await self.restart()
        [bob] = await self.back(bob)
        state = await bob.get("state", "resume", match=match, seq=0)
        self.assertEqual(state["turn_open"]["bank_ms"], turn["turn_open"]["bank_ms"])

    async def test_a_bank_alone_is_a_clock(self):
        # With empty banks each turn closes at once, so the match ends by itself.
        alice, bob, match = await self.pair(clock={"bank_ms": 300}, params=pikes(turn_limit=3))
        turn = await alice.expect("turn", turn=1)
        self.assertEqual(turn["turn_open"]["bank_ms"], [0, 0])
        await alice.expect("over", match=match)
        joined = await alice.get("joined", "rematch", match=match)
        state = await alice.expect("state", match=joined["match"])
        self.assertEqual(state["clock"], {"bank_ms": 300})
        await self.restart()
        [alice] = await self.back(alice)
        state = await alice.get("state", "resume", match=joined["match"], seq=0)
        self.assertEqual(state["clock"], {"bank_ms": 300})

    async def test_three_deadlines_missed_while_away_abandon_the_match(self):
        alice, bob, match = await self.pair(clock={"turn_ms": 200}, params=pikes(turn_limit=1000))
        here = len(await alice.seen("turn"))
        await bob.close()
        away = len(await alice.seen("turn"))
        over = await alice.expect("over")
        self.assertEqual((over["winner"], over["reason"]), (0, "abandoned"))
        turns = len([frame for frame in alice.inbox if frame["type"] == "turn"])
        self.assertGreaterEqual(turns - here, 4)
        self.assertLessEqual(turns - away, 5)  # one deadline may have passed while they left
        kinds = self.query("SELECT kind FROM match_command WHERE match = ? AND seat = 1"
                           " ORDER BY turn, place", match)
        self.assertEqual(kinds[-4:], [("timeout",), ("timeout",), ("timeout",), ("abandon",)])

    async def test_a_connected_player_who_misses_deadlines_has_not_abandoned(self):
        alice, bob, match = await self.pair(clock={"turn_ms": 50}, params=pikes(turn_limit=1000))
        await alice.expect("turn", turn=6)
        self.assertEqual(await bob.seen("over"), [])

    async def test_the_time_the_server_was_down_is_not_charged(self):
        alice, bob, match = await self.pair(clock={"turn_ms": LONG_MS})
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        clock = await alice.expect("clock")
        self.assertEqual(clock["seq"], 4)
        for left in clock["turn_open"]["deadline_ms"]:
            self.assertLessEqual(left, LONG_MS)
            self.assertGreater(left, LONG_MS - 60000)
        [(body,)] = self.query("SELECT body FROM record WHERE match = ? AND kind = 'clock'", match)
        self.assertGreater(json.loads(body)["shift_ms"], 0)
        await self.play(alice, bob, match, 0, [], [])

    async def test_a_short_deadline_passes_after_a_restart_too(self):
        alice, bob, match = await self.pair(clock={"turn_ms": 5000}, params=pikes(turn_limit=1))
        await alice.submit(match, 0, move("a1", 1, 2))
        await self.restart()
        alice, bob = await self.back(alice, bob)
        await alice.resume(match, 3)
        over = await alice.expect("over")
        self.assertEqual(over["reason"], "draw_turn_limit")
        turn = await alice.expect("turn")
        self.assertEqual(len(turn["events"]), 1)

    async def test_a_match_without_a_clock_has_no_deadlines(self):
        alice, bob, match = await self.pair()
        state = await alice.get("state", "resume", match=match, seq=0)
        self.assertIsNone(state["clock"])
        self.assertEqual(state["turn_open"]["deadline_ms"], [None, None])
        self.assertEqual(state["turn_open"]["bank_ms"], [])

    async def test_days_a_turn_are_possible(self):
        days_ms = 7 * 24 * 3600 * 1000
        alice, bob, match = await self.pair(clock={"turn_ms": days_ms})
        await self.play(alice, bob, match, 0, [], [])
        await self.restart()
        [alice] = await self.back(alice, match=match)
        state = await alice.get("state", "resume", match=match, seq=0)
        self.assertGreater(state["turn_open"]["deadline_ms"][0], days_ms - 60000)


if __name__ == "__main__":
    unittest.main()
