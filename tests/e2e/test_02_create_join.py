"""Creating matches: create, join, leave, private matches, seats, and refusals."""

import hashlib
import unittest

from client import PIKES, Case, pikes


class CreateAndJoin(Case):

    async def test_the_default_match_has_the_rulesets_params_and_a_clock(self):
        alice = await self.player("alice")
        joined = await alice.get("joined", "create", ruleset="tactics")
        state = await alice.expect("state")
        self.assertEqual(joined["seat"], 0)
        self.assertEqual((state["status"], state["seq"], state["view"]), ("waiting", 2, None))
        self.assertEqual(state["clock"], {"turn_ms": 60000, "bank_ms": 300000})
        self.assertEqual((state["params"]["rows"], state["params"]["placement"]), (9, True))
        self.assertNotIn("turn_open", state)

    async def test_a_match_waits_through_a_restart_and_begins_with_the_second_player(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, state = await alice.create(clock={"turn_ms": 60000, "bank_ms": 300000})
        match = joined["match"]
        await self.restart()
        alice, bob = await self.back(alice, bob)
        again = await alice.get("state", "resume", match=match, seq=0)
        self.assertEqual({**again, "id": None}, {**state, "id": None})
        _, state = await bob.join(match)
        for client, seat in ((alice, 0), (bob, 1)):
            seated = await client.expect("seated")
            self.assertEqual((seated["seq"], seated["seat"], seated["name"]), (3, 1, bob.name))
            self.assertEqual(seated["turn_open"]["owing"], [0, 1])
            self.assertEqual(seated["view"]["seat"], seat)
        self.assertEqual((state["seq"], state["status"]), (3, "running"))
        self.assertEqual([player["name"] for player in state["players"]], [alice.name, bob.name])

    async def test_each_player_gets_the_requested_seat(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, state = await alice.create(seat=1)
        self.assertEqual((joined["seat"], state["players"][0]), (1, None))
        await bob.refused("seat_taken", "join", match=joined["match"], seat=1)
        await bob.refused("seat_taken", "join", match=joined["match"], seat=2)
        joined, _ = await bob.join(joined["match"], seat=0)
        self.assertEqual(joined["seat"], 0)

    async def test_a_match_takes_no_more_players_than_it_has_seats(self):
        alice, bob, match = await self.pair()
        carol = await self.player("carol")
        await carol.refused("match_full", "join", match=match)
        await bob.refused("already_joined", "join", match=match)
        await alice.get("done", "resign", match=match, command_id="r")
        await alice.expect("over")
        await carol.refused("match_over", "join", match=match)

    async def test_nobody_plays_against_themselves(self):
        alice = await self.player("alice")
        joined, _ = await alice.create()
        await (await self.again(alice)).refused("already_joined", "join", match=joined["match"])

    async def test_two_players_who_take_the_last_seat_at_once_do_not_both_get_it(self):
        alice = await self.player("alice")
        others = [await self.player("other") for _ in range(4)]
        joined, _ = await alice.create()
        ids = [await other.send("join", match=joined["match"]) for other in others]
        answers = [await other.expect(None, id=name) for other, name in zip(others, ids)]
        self.assertEqual(sum(answer["type"] == "joined" for answer in answers), 1)
        self.assertLessEqual({answer.get("code") for answer in answers},
                             {None, "match_full", "busy"})
        seated = await alice.expect("seated")
        self.assertEqual(len(await alice.seen("seated")), 0)
        self.assertEqual(seated["seq"], 3)

    async def test_a_private_match_is_joined_by_its_code_alone(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, state = await alice.create(visibility="private")
        match, code = joined["match"], joined["code"]
        wrong = ("b" if code[0] == "a" else "a") + code[1:]
        self.assertEqual(state["code"], code)
        for how in ({"match": match}, {"match": match, "code": wrong}, {"code": "nothing"}):
            with self.subTest(**how):
                self.assertIn((await bob.get("error", "join", **how))["code"],
                              ("wrong_code", "unknown_match"))
        self.assertIn((await bob.get("error", "watch", match=match))["code"],
                      ("wrong_code", "unknown_match"))
        self.assertIn((await bob.get("error", "resume", match=match, seq=0))["code"],
                      ("not_in_match", "unknown_match"))
        await self.restart()
        [bob] = await self.back(bob)
        joined, state = await bob.join(code=code)
        self.assertEqual((joined["match"], joined["seat"], state["status"]), (match, 1, "running"))

    async def test_a_private_match_is_joined_by_number_and_code(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create(visibility="private")
        await bob.join(joined["match"], code=joined["code"])

    async def create_for_three(self, player):
        joined, _ = await player.create(ruleset="snarl", params={"heroes": ["ada", "bea", "cyd"]})
        return joined["match"]

    async def test_leaving_before_the_start_frees_the_seat(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        carol = await self.player("carol")
        match = await self.create_for_three(alice)
        await carol.get("joined", "watch", match=match)
        await carol.expect("state")
        await bob.join(match)
        await carol.expect("seated", seat=1)
        await alice.get("done", "leave", match=match)
        seated = await carol.expect("seated", seat=0)
        self.assertEqual((seated["name"], seated["seq"]), (None, 4))
        await self.restart()
        alice, bob, carol = await self.back(alice, bob, carol)
        joined, state = await carol.join(match)
        self.assertEqual((joined["seat"], state["status"], state["players"][2]), (0, "waiting", None))
        joined, state = await alice.join(match)
        self.assertEqual((joined["seat"], state["status"]), (2, "running"))

    async def test_a_match_that_nobody_sits_in_ends(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create()
        await bob.get("joined", "watch", match=joined["match"])
        await alice.get("done", "leave", match=joined["match"])
        over = await bob.expect("over")
        self.assertEqual((over["winner"], over["reason"]), (None, "expired"))
        await bob.refused("match_over", "join", match=joined["match"])

    async def test_a_player_who_left_the_seat_gets_no_frames_about_it(self):
        alice, bob, carol, dave = [await self.player("player") for _ in range(4)]
        match = await self.create_for_three(alice)
        other = await self.again(alice)
        await other.get("state", "resume", match=match, seq=0)
        await bob.join(match)
        await alice.get("done", "leave", match=match)
        for client in (alice, other):
            await client.expect("seated", name=None)
            client.forget()
        await carol.join(match)
        await dave.join(match)
        for client in (alice, other):
            self.assertEqual(await client.seen(), [])

    async def test_leaving_after_the_start_only_stops_the_frames(self):
        alice, bob, match = await self.pair()
        await bob.get("done", "leave", match=match)
        presence = await alice.expect("presence")
        self.assertEqual((presence["seat"], presence["is_here"]), (1, False))
        self.assertGreater(presence["claim_ms"], 0)
        await bob.refused("not_in_match", "leave", match=match)
        await alice.submit(match, 0)
        self.assertEqual(await bob.seen(), [])
        state = await bob.get("state", "resume", match=match, seq=0)
        self.assertEqual((state["status"], state["turn_open"]["ready"]), ("running", [0]))
        self.assertTrue((await alice.expect("presence"))["is_here"])

    async def test_what_is_not_there_is_refused(self):
        alice = await self.player("alice")
        await alice.refused("unknown_ruleset", "create", ruleset="chess")
        for kind, how in (("join", {}), ("watch", {}), ("leave", {}), ("hints", {}),
                          ("resume", {"seq": 0}), ("claim", {})):
            with self.subTest(kind):
                await alice.refused("unknown_match", kind, match=999999, **how)

    async def test_params_that_the_ruleset_does_not_take_are_told_with_their_place(self):
        alice = await self.player("alice")
        broken = pikes(units=PIKES["units"][:1] + [{**PIKES["units"][1], "model": "elephant"}])
        error = await alice.refused("invalid_params", "create", ruleset="tactics", params=broken)
        self.assertEqual((error["check"], error["at"]), ("unknown_model", "/params/units/1/model"))
        for params, at in (({"rows": 2}, "/params/rows"), ({"sows": 2}, "/params/sows")):
            error = await alice.get("error", "create", ruleset="tactics", params=params)
            self.assertIn(error["code"], ("malformed", "invalid_params"))
            self.assertEqual(error["at"], at)

    async def test_nothing_can_be_done_in_a_match_that_has_not_begun(self):
        alice = await self.player("alice")
        joined, _ = await alice.create()
        match = joined["match"]
        error = await alice.refused("match_not_started", "submit", match=match, turn=0, commands=[],
                                    command_id="x")
        self.assertEqual(error["check"], "match_begun")
        for kind, how in (("hints", {}), ("what_if", {"commands": [[], []]}), ("offer_draw", {}),
                          ("resign", {"command_id": "y"}), ("claim", {})):
            with self.subTest(kind):
                await alice.refused("match_not_started", kind, match=match, **how)

    async def test_a_given_seed_is_the_one_told_at_the_end(self):
        seed = hashlib.sha256(b"seed").hexdigest()
        alice, bob, match = await self.pair(seed=seed)
        await bob.get("done", "resign", match=match, command_id="r")
        self.assertEqual((await alice.expect("over"))["seed"], seed)


class FewMatches(Case):
    options = ("--matches-per-player", "2")

    async def test_a_player_has_no_more_unfinished_matches_than_allowed(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        first, _ = await alice.create()
        await alice.create()
        await alice.refused("too_many_matches", "create", ruleset="tactics")
        await alice.refused("too_many_matches", "queue", ruleset="tactics")
        other, _ = await bob.create()
        await alice.refused("too_many_matches", "join", match=other["match"])
        await alice.get("done", "leave", match=first["match"])
        await alice.join(other["match"])
        await alice.get("done", "resign", match=other["match"], command_id="r")
        await alice.expect("over")
        await alice.create()
        await bob.create()


class Forgotten(Case):
    options = ("--unjoined-expire", "1s", "--matches-per-player", "1")

    async def test_a_match_that_nobody_joins_expires(self):
        alice = await self.player("alice")
        joined, _ = await alice.create()
        over = await alice.expect("over")
        self.assertEqual((over["winner"], over["reason"], over["seq"]), (None, "expired", 3))
        await (await self.player("bob")).refused("match_over", "join", match=joined["match"])
        await alice.create()  # it no longer counts
        await self.restart()
        [alice] = await self.back(alice)
        state = await alice.get("state", "resume", match=joined["match"], seq=0)
        self.assertEqual((state["status"], state["outcome"]["reason"]), ("over", "expired"))


if __name__ == "__main__":
    unittest.main()
