"""Draws, resignations, claims, rematches and chat."""

import asyncio
import unittest

from client import Case, move, pikes


class Draws(Case):

    async def test_an_accepted_offer_ends_the_match(self):
        alice, bob, match = await self.pair()
        await alice.get("done", "offer_draw", match=match)
        for client in (alice, bob):
            draw = await client.expect("draw")
            self.assertEqual((draw["seat"], draw["offer"], draw["seq"]), (0, "made", 4))
        await alice.refused("already_offered", "offer_draw", match=match)
        await alice.refused("no_offer", "answer_draw", match=match, accept=True)
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        await alice.refused("already_offered", "offer_draw", match=match)
        await bob.get("done", "answer_draw", match=match, accept=True)
        for client in (alice, bob):
            await client.expect("turn")
            over = await client.expect("over")
            self.assertEqual((over["winner"], over["reason"]), (None, "draw_agreed"))
        await bob.refused("match_over", "answer_draw", match=match, accept=True)

    async def test_a_declined_offer_is_gone(self):
        alice, bob, match = await self.pair()
        await alice.get("done", "offer_draw", match=match)
        await bob.get("done", "answer_draw", match=match, accept=False)
        draw = await alice.expect("draw", offer="declined")
        self.assertEqual(draw["seat"], 1)
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        await bob.refused("no_offer", "answer_draw", match=match, accept=True)
        await alice.get("done", "offer_draw", match=match)

    async def test_offering_a_draw_to_a_player_who_offered_one_accepts_it(self):
        alice, bob, match = await self.pair()
        await alice.get("done", "offer_draw", match=match)
        await bob.expect("draw")
        await bob.get("done", "offer_draw", match=match)
        self.assertEqual((await alice.expect("over"))["reason"], "draw_agreed")

    async def test_a_player_who_has_offered_often_in_a_turn_may_not_offer_again(self):
        alice, bob, match = await self.pair()
        for _ in range(3):
            await alice.get("done", "offer_draw", match=match)
            await bob.get("done", "answer_draw", match=match, accept=False)
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        await alice.refused("not_allowed", "offer_draw", match=match)
        await self.play(alice, bob, match, 0, [], [])
        await alice.get("done", "offer_draw", match=match)

    async def test_an_offer_ends_with_its_turn(self):
        alice, bob, match = await self.pair()
        await alice.get("done", "offer_draw", match=match)
        await self.play(alice, bob, match, 0, [], [])
        await bob.refused("no_offer", "answer_draw", match=match, accept=True)
        state = await bob.get("state", "resume", match=match, seq=0)
        self.assertIsNone(state["offer"])
        await self.restart()
        [bob] = await self.back(bob)
        await bob.refused("no_offer", "answer_draw", match=match, accept=True)


class Resigning(Case):

    async def test_a_resignation_loses_whatever_was_sent(self):
        for is_owing in (True, False):
            alice, bob, match = await self.pair()
            if not is_owing:
                await alice.submit(match, 0, move("a1", 1, 2))
            await alice.get("done", "resign", match=match, command_id="r")
            for client in (alice, bob):
                await client.expect("turn")
                over = await client.expect("over")
                self.assertEqual((over["winner"], over["reason"]), (1, "resignation"))
            self.assertEqual(self.query("SELECT kind FROM match_command WHERE match = ? AND seat = 0"
                                        " ORDER BY place", match)[-1], ("resign",))
            # again: the same answer
            await alice.get("done", "resign", match=match, command_id="r")
            await bob.refused("match_over", "resign", match=match, command_id="r")
            await self.restart()
            [alice] = await self.back(alice)
            await alice.get("done", "resign", match=match, command_id="r")

    async def test_a_resignation_while_a_turn_is_stored_counts_in_the_next(self):
        for _ in range(5):
            alice, bob, match = await self.pair()
            await bob.submit(match, 0)
            await alice.send("submit", match=match, turn=0, commands=[], command_id="a")
            await alice.get("done", "resign", match=match, command_id="r")
            over = await bob.expect("over")
            self.assertEqual((over["winner"], over["reason"]), (1, "resignation"))

    async def test_a_resignation_while_the_last_turn_is_stored_comes_too_late(self):
        alice, bob, match = await self.pair(params=pikes(turn_limit=1))
        await bob.submit(match, 0)
        await alice.send("submit", match=match, turn=0, commands=[], command_id="a")
        await alice.refused("match_over", "resign", match=match, command_id="r")
        self.assertEqual((await bob.expect("over"))["reason"], "draw_turn_limit")


class Claims(Case):

    async def test_nothing_can_be_claimed_while_the_other_is_here_or_just_left(self):
        alice, bob, match = await self.pair()
        await alice.refused("too_early", "claim", match=match)
        await bob.close()
        presence = await alice.expect("presence")
        self.assertGreater(presence["claim_ms"], 23 * 3600 * 1000)
        await alice.refused("too_early", "claim", match=match)

    async def test_a_match_with_a_clock_needs_no_claims(self):
        alice, bob, match = await self.pair(clock={"turn_ms": 600000})
        await bob.close()
        self.assertNotIn("claim_ms", await alice.expect("presence"))
        await alice.refused("too_early", "claim", match=match)

    async def test_a_returning_player_is_told_when_a_claim_is_possible(self):
        alice, bob, match = await self.pair()
        spectator = await self.player("carol")
        await bob.close()
        await alice.expect("presence", is_here=False)
        again = await self.again(alice)
        for client in (again, spectator):
            await client.get("joined", "watch", match=match)
            await client.get("pong", "ping")
        presence = await again.expect("presence")
        self.assertEqual((presence["seat"], presence["is_here"]), (1, False))
        self.assertGreater(presence["claim_ms"], 23 * 3600 * 1000)
        self.assertEqual(await spectator.seen("presence"), [])


class QuickClaims(Case):
    options = ("--claim-after", "1s")

    async def test_a_player_who_stays_away_loses_by_a_claim(self):
        alice, bob, match = await self.pair()
        await bob.close()
        await alice.expect("presence", is_here=False)
        while (await alice.ask("claim", match=match))["type"] == "error":
            await asyncio.sleep(0.1)
        over = await alice.expect("over")
        self.assertEqual((over["winner"], over["reason"]), (0, "abandoned"))


class Rematches(Case):

    async def ended(self, **how):
        alice, bob, match = await self.pair(**how)
        await alice.get("done", "resign", match=match, command_id="r")
        for client in (alice, bob):
            await client.expect("over")
        return alice, bob, match

    async def test_a_rematch_has_the_same_settings_and_the_seats_changed(self):
        alice, bob, match = await self.ended(clock={"turn_ms": 70000, "bank_ms": 5},
                                             spectator_delay=2, rated=False)
        joined = await alice.get("joined", "rematch", match=match)
        self.assertEqual(joined["seat"], 1)
        state = await alice.expect("state", match=joined["match"])
        self.assertEqual((state["clock"], state["spectator_delay"], state["rated"]),
                         ({"turn_ms": 70000, "bank_ms": 5}, 2, False))
        told = await bob.expect("rematch")
        self.assertEqual((told["match"], told["next"]), (match, joined["match"]))
        joined = await bob.get("joined", "rematch", match=match)
        self.assertEqual((joined["match"], joined["seat"]), (told["next"], 0))
        self.assertEqual((await bob.expect("state", match=told["next"]))["status"], "running")

    async def test_all_who_ask_for_a_rematch_meet_in_one_match(self):
        alice, bob, match = await self.ended()
        ids = [await client.send("rematch", match=match) for client in (alice, bob, alice, bob)]
        answers = [await client.expect("joined", id=name)
                   for client, name in zip((alice, bob, alice, bob), ids)]
        self.assertEqual([answer["seat"] for answer in answers], [1, 0, 1, 0])
        self.assertEqual(len({answer["match"] for answer in answers}), 1)
        await self.play(bob, alice, answers[0]["match"], 0, [], [])

    async def test_a_rematch_of_a_private_match_is_private(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create(visibility="private")
        await bob.join(code=joined["code"])
        await bob.get("done", "resign", match=joined["match"], command_id="r")
        await alice.expect("over")
        await alice.get("joined", "rematch", match=joined["match"])
        told = await bob.expect("rematch")
        self.assertNotEqual(told["code"], joined["code"])
        carol = await self.player("carol")
        await carol.refused("wrong_code", "join", match=told["next"])
        await bob.join(told["next"], code=told["code"])

    async def test_there_is_none_while_the_match_is_on(self):
        alice, _, match = await self.pair()
        await alice.refused("not_allowed", "rematch", match=match)

    async def test_a_rematch_is_possible_after_a_restart(self):
        alice, bob, match = await self.ended()
        await self.restart()
        alice, bob = await self.back(alice, bob)
        await bob.resume(match, 0)
        joined = await alice.get("joined", "rematch", match=match)
        self.assertEqual((await bob.expect("rematch"))["next"], joined["match"])
        await self.restart()
        [bob] = await self.back(bob)
        again = await bob.get("joined", "rematch", match=match)
        self.assertEqual((again["match"], again["seat"]), (joined["match"], 0))


class Chat(Case):

    async def test_everybody_in_the_match_reads_it_and_the_sender_too(self):
        alice, bob, match = await self.pair()
        carol = await self.player("carol")
        await carol.refused("not_in_match", "chat", match=match, text="hello")
        await carol.get("joined", "watch", match=match)
        text = 'Good luck! "\\ \u00e9\U0001f600 <b>'
        await alice.get("done", "chat", match=match, text=text)
        for client in (alice, bob, carol):
            self.assertEqual(await client.expect("chat"),
                             {"type": "chat", "match": match, "seat": 0, "name": alice.name,
                              "text": text})
        await carol.get("done", "chat", match=match, text="x")
        self.assertIsNone((await bob.expect("chat"))["seat"])

    async def test_muted_chat_is_not_sent_until_it_is_shown_again(self):
        alice, bob, match = await self.pair()
        await bob.get("done", "mute", match=match, muted=True)
        await alice.get("done", "chat", match=match, text="one")
        self.assertEqual(await bob.seen("chat"), [])
        await bob.get("done", "mute", match=match, muted=False)
        await alice.get("done", "chat", match=match, text="two")
        self.assertEqual((await bob.expect("chat"))["text"], "two")

    async def test_spectators_of_a_delayed_match_write_to_each_other_only(self):
        alice, bob, match = await self.pair(spectator_delay=1)
        carol, dave = await self.player("carol"), await self.player("dave")
        for client in (carol, dave):
            await client.get("joined", "watch", match=match)
        await carol.get("done", "chat", match=match, text="they will move left")
        await dave.expect("chat")
        await alice.get("done", "chat", match=match, text="secret")
        await bob.expect("chat", text="secret")
        self.assertEqual(await bob.seen("chat"), [])
        self.assertEqual(await dave.seen("chat"), [])


class QuietChat(Case):
    options = ("--chat-per-minute", "3")

    async def test_too_many_chats_get_an_error_with_a_time(self):
        alice, bob, match = await self.pair()
        codes = []
        while "chat_limited" not in codes:
            answer = await alice.ask("chat", match=match, text="x")
            codes.append(answer.get("code", answer["type"]))
        self.assertGreaterEqual(len(codes), 4)
        await alice.submit(match, 0)


if __name__ == "__main__":
    unittest.main()
