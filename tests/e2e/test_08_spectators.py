"""Spectators: their own view, with the delay of the match, and nothing earlier."""

import json
import unittest

from client import Case, attack, move, pikes


class Spectators(Case):

    async def watch(self, match, **how):
        carol = await self.player("carol")
        joined = await carol.get("joined", "watch", match=match, **how)
        self.assertIsNone(joined["seat"])
        return carol, await carol.expect("state")

    async def test_a_spectator_sees_what_happens_and_no_verdicts(self):
        alice, bob, match = await self.pair()
        carol, state = await self.watch(match)
        self.assertEqual((state["seat"], state["view"]["seat"]), (None, None))
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [])
        turn = await carol.expect("turn")
        self.assertIsNone(turn["verdicts"])
        self.assertEqual((turn["seq"], len(turn["events"])), (4, 1))
        self.assertEqual(await carol.seen("accepted"), [])
        self.assertEqual(len(await carol.seen("ready")), 2)

    async def test_a_spectator_needs_no_account_and_leaves_none(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create(visibility="private")
        match, code = joined["match"], joined["code"]
        await bob.get("joined", "join", code=code)
        await alice.expect("seated", match=match, seat=1)
        players = self.query("SELECT count(*) FROM player")
        carol = await self.connect()
        welcome = await carol.get("welcome", "hello", protocol=1, spectator=True)
        self.assertEqual((welcome["player"], welcome["name"], "token" in welcome), (None, None, False))
        await carol.refused("wrong_code", "watch", match=match)
        await carol.get("joined", "watch", match=match, code=code)
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [])
        turn = await carol.expect("turn")
        await carol.refused("not_allowed", "chat", match=match, text="hello")
        await self.restart()
        carol = await self.connect()
        await carol.get("welcome", "hello", protocol=1, spectator=True)
        await carol.refused("not_in_match", "resume", match=match, seq=turn["seq"])
        await carol.get("done", "resume", match=match, seq=turn["seq"], code=code)
        alice, bob = await self.back(alice, bob)
        await alice.get("done", "resign", match=match, command_id="r")
        await carol.expect("over")
        await carol.get("done", "watch", match=match, code=code, ms_per_turn=10)
        self.assertEqual((await carol.expect("replay"))["last"], 2)
        self.assertEqual(self.query("SELECT count(*) FROM player"), players)

    async def test_a_spectator_may_come_before_the_players(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create()
        carol, state = await self.watch(joined["match"])
        self.assertEqual(state["status"], "waiting")
        await bob.join(joined["match"])
        self.assertEqual((await carol.expect("seated"))["view"]["turn"], 0)

    async def test_a_delayed_spectator_sees_each_turn_so_many_turns_later(self):
        alice, bob, match = await self.pair(spectator_delay=2, params=pikes(turn_limit=6))
        carol, state = await self.watch(match)
        self.assertEqual(state["seq"], 3)
        for turn in range(5):
            await self.play(alice, bob, match, turn, [move("a1", 1, 2 + turn % 2)], [])
            if turn >= 2:
                self.assertEqual((await carol.expect("turn"))["turn"], turn - 1)
            self.assertEqual(await carol.seen("turn"), [])
        self.assertEqual(await carol.seen("ready"), [])
        late, state = await self.watch(match)
        self.assertEqual((state["view"]["turn"], state["seq"]), (3, 6))
        self.assertNotIn("turn_open", state)
        self.assertEqual(await late.seen("turn"), [])
        # the end shows everything
        await self.play(alice, bob, match, 5, [], [])
        for client, first in ((carol, 4), (late, 4)):
            over = await client.expect("over")
            self.assertEqual(over["seq"], 10)
            self.assertEqual([frame["turn"] for frame in await client.seen("turn")],
                             list(range(first, 7)))

    async def test_the_delay_holds_after_a_restart(self):
        alice, bob, match = await self.pair(spectator_delay=2, params=pikes(turn_limit=6))
        for turn in range(4):
            await self.play(alice, bob, match, turn, [move("a1", 1, 2 + turn % 2)], [])
        carol, before = await self.watch(match)
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        late, after = await self.watch(match)
        self.assertEqual((after["view"], after["seq"]), (before["view"], before["seq"]))
        self.assertEqual((after["view"]["turn"], after["seq"]), (2, 5))
        [carol] = await self.back(carol, match=match)
        self.assertEqual(await carol.seen("turn"), [])
        for turn in range(4, 6):
            await self.play(alice, bob, match, turn, [], [])
        for client in (late, carol):
            await client.expect("over")
            self.assertEqual([frame["turn"] for frame in await client.seen("turn")], [3, 4, 5, 6])

    async def test_resume_tells_a_delayed_spectator_nothing_early(self):
        alice, bob, match = await self.pair(spectator_delay=2, params=pikes(turn_limit=20))
        for turn in range(4):
            await self.play(alice, bob, match, turn, [], [])
        carol = await self.player("carol")
        await carol.resume(match, 3)
        self.assertEqual([frame["turn"] for frame in await carol.seen("turn")], [1, 2])
        carol.forget()
        await self.play(alice, bob, match, 4, [], [])
        self.assertEqual((await carol.expect("turn"))["turn"], 3)
        self.assertEqual(await carol.seen("turn"), [])

    async def test_a_private_match_is_resumed_by_its_code_after_a_restart(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create(visibility="private")
        match, code = joined["match"], joined["code"]
        await bob.join(match, code=code)
        carol, state = await self.watch(match, code=code)
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        [carol] = await self.back(carol)
        for wrong in ({}, {"code": "x" + code}):
            with self.subTest(**wrong):
                refusal = await carol.get("error", "resume", match=match, seq=state["seq"], **wrong)
                self.assertEqual(refusal["code"], "not_in_match")
        await carol.get("done", "resume", match=match, seq=state["seq"], code=code)
        await self.play(alice, bob, match, 0, [], [])
        self.assertEqual((await carol.expect("turn"))["turn"], 1)

    async def test_draw_offers_between_delayed_turns_leave_no_gap(self):
        alice, bob, match = await self.pair(spectator_delay=1, params=pikes(turn_limit=20))
        carol, _ = await self.watch(match)
        for turn in range(4):
            await alice.get("done", "offer_draw", match=match)
            await bob.get("done", "answer_draw", match=match, accept=False)
            await self.play(alice, bob, match, turn, [], [])
        await bob.get("done", "resign", match=match, command_id="r")
        await carol.expect("over")
        self.assertEqual(carol.seqs[match], list(range(3, 18)))

    async def test_draw_offers_without_spectators_leave_no_gap_for_later_ones(self):
        alice, bob, match = await self.pair(spectator_delay=2, params=pikes(turn_limit=20))
        await self.play(alice, bob, match, 0, [], [])
        await alice.get("done", "offer_draw", match=match)
        await self.play(alice, bob, match, 1, [], [])
        carol, state = await self.watch(match)
        self.assertEqual((state["view"]["turn"], state["seq"]), (0, 3))
        await self.play(alice, bob, match, 2, [], [])
        await self.play(alice, bob, match, 3, [], [])
        await bob.get("done", "resign", match=match, command_id="r")
        await carol.expect("over")
        self.assertEqual(carol.seqs[match], list(range(3, 11)))

    async def test_the_replay_over_http_is_delayed_too(self):
        alice, bob, match = await self.pair(spectator_delay=2, params=pikes(turn_limit=4))
        for turn in range(3):
            await self.play(alice, bob, match, turn, [move("a1", 1, 2 + turn % 2)], [])

        def turns():
            lines = self.daemon.get(f"/api/v1/matches/{match}/replay").body.splitlines()
            rows = [json.loads(line) for line in lines]
            return [row["turn"] for row in rows if "commands" in row]

        self.assertEqual(len(turns()), 1)
        self.daemon.restart()
        while self.daemon.get("/readyz").status != 200:
            self.assertLessEqual(len(turns()), 1)
        self.assertLessEqual(len(turns()), 1)  # the match may still be on its way from the store
        alice, bob = await self.back(alice, bob, match=match)
        self.assertEqual(len(turns()), 1)
        await self.play(alice, bob, match, 3, [], [])
        await bob.expect("over")
        self.assertEqual(len(turns()), 4)

    async def test_a_private_match_is_watched_with_its_code(self):
        alice = await self.player("alice")
        joined, _ = await alice.create(visibility="private")
        carol, state = await self.watch(joined["match"], code=joined["code"])
        self.assertNotIn("code", state)
        self.assertNotIn("code", await carol.get("joined", "watch", match=joined["match"],
                                                 code=joined["code"]))

    async def test_a_player_who_watches_their_own_match_keeps_the_seat(self):
        alice, bob, match = await self.pair()
        joined = await alice.get("joined", "watch", match=match)
        self.assertEqual(joined["seat"], 0)
        self.assertEqual((await alice.expect("state"))["view"]["seat"], 0)
        await alice.submit(match, 0, attack("a1", 1, 2))

    async def test_a_spectator_may_join_while_there_is_a_seat(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create()
        await bob.get("joined", "watch", match=joined["match"])
        await bob.expect("state")
        await bob.join(joined["match"])
        await bob.submit(joined["match"], 0)

    async def test_a_client_that_stops_watching_gets_no_more_frames(self):
        alice, bob, match = await self.pair()
        carol, _ = await self.watch(match)
        await carol.get("done", "leave", match=match)
        await self.play(alice, bob, match, 0, [], [])
        self.assertEqual(await carol.seen(), [])


if __name__ == "__main__":
    unittest.main()
