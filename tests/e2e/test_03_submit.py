"""Commands: verdicts, ready or not, replacing, withdrawing, repeating."""

import unittest

from client import OK, Case, attack, move

FAR = {"verdict": "out_of_pattern", "check": "move_in_pattern"}


class Submit(Case):

    async def test_every_command_gets_its_verdict_at_once(self):
        alice, _, match = await self.pair()
        accepted = await alice.submit(match, 0, move("a1", 1, 1), move("b1", 1, 1),
                                      attack("zz", 1, 1))
        self.assertEqual(accepted["verdicts"],
                         [FAR, {"verdict": "not_your_unit", "check": "own_unit"},
                          {"verdict": "unknown_unit", "check": "own_unit"}])
        self.assertFalse(accepted["ready"])

    async def test_a_set_with_a_refused_command_does_not_close_the_turn(self):
        alice, bob, match = await self.pair()
        self.assertFalse((await alice.submit(match, 0, move("a1", 1, 1)))["ready"])
        self.assertTrue((await bob.submit(match, 0, move("b1", 1, 1)))["ready"])
        self.assertEqual(await bob.seen("turn"), [])
        self.assertTrue((await alice.submit(match, 0, move("a1", 1, 2)))["ready"])
        turn = await bob.expect("turn")
        self.assertEqual((turn["turn"], turn["verdicts"]), (1, [OK]))

    async def test_ready_is_as_the_player_says(self):
        alice, bob, match = await self.pair()
        self.assertFalse((await alice.submit(match, 0, move("a1", 1, 2), ready=False))["ready"])
        await bob.submit(match, 0)
        self.assertEqual(await alice.seen("turn"), [])
        self.assertTrue((await alice.submit(match, 0, move("a1", 1, 1), ready=True))["ready"])
        turn = await alice.expect("turn")
        self.assertEqual((turn["verdicts"], turn["events"]), ([FAR], []))

    async def test_everybody_is_told_who_is_ready_and_not_what_was_sent(self):
        alice, bob, match = await self.pair()
        for commands, is_ready in (([move("a1", 1, 2)], True), ([move("a1", 1, 1)], False)):
            await alice.submit(match, 0, *commands)
            ready = await bob.expect("ready")
            self.assertEqual(ready, {"type": "ready", "match": match, "turn": 0, "seat": 0,
                                     "ready": is_ready})
        self.assertEqual(await bob.seen("accepted"), [])

    async def test_the_last_set_counts(self):
        alice, bob, match = await self.pair()
        await alice.submit(match, 0, move("a1", 0, 3), ready=False)
        await alice.submit(match, 0, move("a1", 1, 2), ready=False)
        await alice.submit(match, 0, move("a1", 2, 3))
        await bob.submit(match, 0)
        turn = await bob.expect("turn")
        self.assertEqual(turn["events"],
                         [{"kind": "moved", "unit": "a1", "from": [1, 3], "to": [2, 3]}])

    async def test_a_withdrawn_set_does_not_count(self):
        alice, bob, match = await self.pair()
        await alice.submit(match, 0, move("a1", 1, 2))
        withdrawn = await alice.get("withdrawn", "withdraw", match=match, turn=0, command_id="w1")
        self.assertEqual((withdrawn["turn"], withdrawn["command_id"]), (0, "w1"))
        self.assertTrue((await bob.expect("ready"))["ready"])
        self.assertFalse((await bob.expect("ready"))["ready"])
        await bob.submit(match, 0)
        self.assertEqual(await bob.seen("turn"), [])
        await alice.refused("no_submission", "withdraw", match=match, turn=0, command_id="w2")
        again = await alice.get("withdrawn", "withdraw", match=match, turn=0, command_id="w1")
        self.assertEqual({**again, "id": None}, {**withdrawn, "id": None})
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        self.assertEqual(await alice.seen("accepted"), [])
        again = await alice.get("withdrawn", "withdraw", match=match, turn=0, command_id="w1")
        self.assertEqual({**again, "id": None}, {**withdrawn, "id": None})
        await alice.submit(match, 0)
        self.assertEqual((await bob.expect("turn"))["events"], [])

    async def test_another_turn_than_the_open_one_is_refused(self):
        alice, bob, match = await self.pair()
        for turn in (1, 7):
            error = await alice.refused("wrong_turn", "submit", match=match, turn=turn, commands=[],
                                        command_id=f"x{turn}")
            self.assertEqual((error["check"], error["match"]), ("turn_current", match))
        await alice.refused("wrong_turn", "withdraw", match=match, turn=1, command_id="w")
        await self.play(alice, bob, match, 0, [], [])
        await alice.refused("wrong_turn", "submit", match=match, turn=0, commands=[], command_id="y")
        await alice.submit(match, 1, command_id="x1")

    async def test_a_turn_that_is_being_stored_takes_nothing_more(self):
        alice, bob, match = await self.pair()
        await bob.submit(match, 0)
        first = await alice.send("submit", match=match, turn=0, commands=[], command_id="a")
        second = await alice.send("submit", match=match, turn=0, commands=[], command_id="b")
        third = await alice.send("withdraw", match=match, turn=0, command_id="c")
        await alice.expect("accepted", id=first)
        # the store may have been faster than the second frame
        for name in (second, third):
            error = await alice.expect("error", id=name)
            self.assertIn(error["code"], ("turn_closed", "wrong_turn"))
        await alice.expect("turn")

    async def test_only_a_player_of_the_match_commands_in_it(self):
        _, _, match = await self.pair()
        carol = await self.player("carol")
        for kind, how in (("submit", {"turn": 0, "commands": [], "command_id": "c"}),
                          ("withdraw", {"turn": 0, "command_id": "c"}), ("hints", {}),
                          ("resign", {"command_id": "c"}), ("offer_draw", {}), ("claim", {}),
                          ("answer_draw", {"accept": True}), ("rematch", {}),
                          ("what_if", {"commands": [[], []]})):
            with self.subTest(kind):
                await carol.refused("not_your_seat", kind, match=match, **how)

    async def test_commands_that_are_none_are_malformed_with_their_place(self):
        alice, _, match = await self.pair()
        for commands, at in (({}, "/commands"), ([{}], "/commands/0/kind"),
                             ([{"kind": "fly"}], "/commands/0/kind"),
                             ([move("a1", 1, 2), {"kind": "move", "unit": "a1"}],
                              "/commands/1/target"),
                             ([move("a1", 1, "2")], "/commands/0/target/1")):
            with self.subTest(commands):
                error = await alice.refused("malformed", "submit", match=match, turn=0,
                                            commands=commands, command_id="x")
                self.assertEqual(error["at"], at)
        await alice.get("error", "submit", match=match, turn=0, command_id="x",
                        commands=129 * [move("a1", 1, 2)])
        for kind in ("resign", "timeout", "abandon", "agree_draw"):
            await alice.refused("not_allowed", "submit", match=match, turn=0, command_id="x",
                                commands=[{"kind": kind}])
        await alice.submit(match, 0, command_id="x")

    async def test_all_connections_of_a_player_are_told_the_same(self):
        alice, bob, match = await self.pair()
        other = await self.again(alice)
        await other.get("state", "resume", match=match, seq=0)
        accepted = await alice.submit(match, 0, move("a1", 1, 2))
        told = await other.expect("accepted")
        self.assertNotIn("id", told)
        self.assertEqual({**told, "id": accepted["id"]}, accepted)
        await other.submit(match, 0, move("a1", 0, 3), ready=False)
        self.assertFalse((await alice.expect("accepted"))["ready"])
        await alice.submit(match, 0, move("a1", 0, 3))
        await bob.submit(match, 0)
        self.assertEqual(await alice.expect("turn"), await other.expect("turn"))

    async def test_one_of_two_connections_that_goes_leaves_the_player_here(self):
        alice, bob, match = await self.pair()
        other = await self.again(alice)
        await other.get("state", "resume", match=match, seq=0)
        await other.close()
        await alice.submit(match, 0)
        await bob.expect("ready")
        self.assertEqual(await bob.seen("presence"), [])
        await alice.close()
        self.assertFalse((await bob.expect("presence"))["is_here"])


class Repeats(Case):

    async def test_the_same_frame_again_has_one_effect_and_the_same_answer(self):
        alice, bob, match = await self.pair()
        frame = {"match": match, "turn": 0, "commands": [move("a1", 1, 2)], "command_id": "a-1"}
        first = await alice.get("accepted", "submit", **frame)

        async def repeat(client):
            again = await client.get("accepted", "submit", **frame)
            self.assertEqual({**again, "id": None}, {**first, "id": None})

        await repeat(alice)
        await repeat(await self.again(alice))
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        await repeat(alice)
        await bob.submit(match, 0)
        await alice.expect("turn")
        await repeat(alice)
        await alice.get("done", "resign", match=match, command_id="a-2")
        await alice.expect("over")
        await repeat(alice)
        await self.restart()
        alice, bob = await self.back(alice, bob)
        await repeat(alice)
        rows = self.query("SELECT count(*) FROM record WHERE match = ? AND kind = 'submission'"
                          " AND seat = 0", match)
        self.assertEqual(rows, [(1,)])

    async def test_frames_that_are_sent_twice_in_a_row_are_both_answered(self):
        alice, _, match = await self.pair()
        frame = {"match": match, "turn": 0, "commands": [move("a1", 1, 2)], "command_id": "a-1"}
        ids = [await alice.send("submit", **frame) for _ in range(3)]
        other = await alice.send("submit", **{**frame, "commands": []})
        answers = [await alice.expect("accepted", id=name) for name in ids]
        for answer in answers[1:]:
            self.assertEqual({**answer, "id": ids[0]}, answers[0])
        self.assertEqual((await alice.expect("error", id=other))["code"], "id_reused")
        # only now: the answer to a repeat says what has become of the set by then
        withdrawals = [await alice.send("withdraw", match=match, turn=0, command_id="a-2")
                       for _ in range(3)]
        first, *others = [await alice.expect("withdrawn", id=name) for name in withdrawals]
        for answer in others:
            self.assertEqual({**answer, "id": withdrawals[0]}, first)

    async def test_a_repeat_is_told_that_another_set_has_taken_its_place(self):
        alice, _, match = await self.pair()
        first = await alice.submit(match, 0, move("a1", 1, 1), command_id="a-1")
        await alice.submit(match, 0, move("a1", 1, 2), command_id="a-2")
        again = await alice.submit(match, 0, move("a1", 1, 1), command_id="a-1")
        self.assertEqual(again, {**first, "id": again["id"], "superseded": True})
        self.assertNotIn("superseded",
                         await alice.submit(match, 0, move("a1", 1, 2), command_id="a-2"))
        state = await alice.get("state", "resume", match=match, seq=0)
        self.assertEqual(state["pending"]["command_id"], "a-2")

    async def test_the_same_id_with_other_content_is_refused(self):
        alice, bob, match = await self.pair()
        await alice.submit(match, 0, move("a1", 1, 2), command_id="a-1")
        frame = {"match": match, "turn": 0, "command_id": "a-1"}
        await alice.refused("id_reused", "submit", **frame, commands=[move("a1", 0, 3)])
        await alice.refused("id_reused", "withdraw", **frame)
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        await alice.refused("id_reused", "submit", **frame, commands=[])
        await bob.submit(match, 0, command_id="a-1")  # ids are a seat's own
        await alice.expect("turn")
        await alice.refused("id_reused", "submit", **{**frame, "turn": 1}, commands=[])

    async def test_refused_frames_do_not_use_their_id_up(self):
        alice, _, match = await self.pair()
        await alice.refused("wrong_turn", "submit", match=match, turn=3, commands=[],
                            command_id="a-1")
        await alice.submit(match, 0, move("a1", 1, 2), command_id="a-1")


class FewSubmissions(Case):
    options = ("--submissions-per-turn", "3")

    async def test_a_seat_changes_its_mind_a_limited_number_of_times_per_turn(self):
        alice, bob, match = await self.pair()
        for turn in range(2):
            first = {"match": match, "turn": turn, "command_id": f"first{turn}", "commands": [], "ready": False}
            await alice.get("accepted", "submit", **first)
            await alice.get("withdrawn", "withdraw", match=match, turn=turn, command_id=f"w{turn}")
            await alice.submit(match, turn, move("a1", 1, 2 - turn), ready=False)
            for kind, how in (("submit", {"commands": [], "ready": True}), ("withdraw", {})):
                error = await alice.refused("too_many_submissions", kind, match=match, turn=turn,
                                            command_id=f"more{turn}", **how)
                self.assertEqual(error["check"], "submissions_left")
            await alice.get("accepted", "submit", **first)  # a repeat is answered as before
            await bob.submit(match, turn)
            self.assertEqual(await bob.seen("turn"), [])
            await alice.refused("too_many_submissions", "submit", match=match, turn=turn, command_id="x", commands=[])
            await self.restart()
            alice, bob = await self.back(alice, bob)
            for player in (alice, bob):
                await player.get("state", "resume", match=match, seq=0)
            await alice.submit(match, turn, move("a1", 1, 2 - turn))
            moved = (await bob.expect("turn"))["events"][0]
            self.assertEqual((moved["unit"], moved["to"]), ("a1", [1, 2 - turn]))


if __name__ == "__main__":
    unittest.main()
