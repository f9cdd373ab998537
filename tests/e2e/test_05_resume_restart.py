"""Resuming after a lost connection, a kill, a stop."""

import signal
import unittest

from client import Case, attack, move, pikes, plain


class Resume(Case):

    async def everything(self, client, match, seq):
        """The frames of a resume, up to its answer."""
        answer = await client.resume(match, seq)
        self.assertEqual(answer["type"], "done")
        told, client.inbox = client.inbox, []
        return [plain(frame) for frame in told if frame["type"] not in ("presence", "ready")]

    async def test_exactly_the_missed_frames_come_again_in_the_same_words(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create()
        match = joined["match"]
        await bob.join(match)
        await alice.submit(match, 0, move("a1", 1, 2))
        await bob.submit(match, 0, move("b1", 1, 1))
        alice.inbox.append(await alice.expect("turn"))
        await alice.get("done", "offer_draw", match=match)
        await bob.get("done", "answer_draw", match=match, accept=False)
        await alice.submit(match, 1, attack("a1", 1, 1))
        await bob.submit(match, 1, move("b1", 2, 1))
        seen = {}
        for client in (alice, bob):
            await client.expect("over")
            frames = [plain(frame) for frame in client.inbox
                      if frame["type"] in ("seated", "turn", "draw")]
            seen[client] = sorted(frames, key=lambda frame: frame["seq"])
            self.assertEqual([frame["type"] for frame in seen[client]],
                             ["seated", "turn", "draw", "draw", "turn"])
        for is_killed in (False, True):
            if is_killed:
                await self.restart()
            for client in (alice, bob):
                for seq in (2, 3, 5, 7, 8):
                    told = await self.everything(await self.again(client), match, seq)
                    self.assertEqual(told[-1]["type"] if told else None,
                                     "over" if seq < 8 else None)
                    self.assertEqual(told[:-1], seen[client][seq - 2:])

    async def test_the_stored_submission_is_told_before_the_answer(self):
        alice, bob, match = await self.pair()
        accepted = await alice.submit(match, 0, move("a1", 1, 2), command_id="a-1")
        for is_killed in (False, True):
            if is_killed:
                await self.restart()
            other = await self.again(alice)
            told = await self.everything(other, match, 2)
            self.assertEqual([frame["type"] for frame in told], ["seated", "accepted"])
            self.assertEqual(told[1], plain(accepted))
            state = await other.get("state", "resume", match=match, seq=0)
            self.assertEqual(state["pending"],
                             {"command_id": "a-1", "commands": [move("a1", 1, 2)],
                              "verdicts": [{"verdict": "ok"}], "ready": True})
        [bob] = await self.back(bob)
        self.assertEqual([frame["type"] for frame in await self.everything(bob, match, 3)], [])
        await bob.submit(match, 0)
        await other.expect("turn")

    async def test_a_resume_from_a_future_number_gets_a_state(self):
        alice, _, match = await self.pair()
        state = await alice.get("state", "resume", match=match, seq=1000)
        self.assertEqual(state["seq"], 3)

    async def test_a_resume_in_the_middle_misses_and_repeats_nothing(self):
        alice, bob, match = await self.pair(params=pikes(turn_limit=100))
        others = []
        for turn in range(30):
            other = await self.again(bob)
            other.seqs[match] = [3]
            await alice.submit(match, turn)
            await bob.send("submit", match=match, turn=turn, commands=[], command_id=f"b-{turn}")
            await other.send("resume", match=match, seq=3)
            others.append(other)
            await bob.expect("turn", turn=turn + 1)
            await alice.expect("turn", turn=turn + 1)
        shown_states = 0
        for other in others:
            numbers = other.seqs[match]
            while numbers[-1] < 33:
                other.inbox.append(await other.receive())
                self.assertNotEqual(other.inbox[-1]["type"], "error", other.inbox[-1])
            states = [frame["seq"] for frame in other.inbox if frame["type"] == "state"]
            if states:  # the match was faster than the resume
                shown_states += 1
                at = numbers.index(states[0])
                self.assertEqual(numbers, [*range(3, 3 + at), *range(states[0], 34)])
            else:
                self.assertEqual(numbers, list(range(3, 34)))
        self.assertLess(shown_states, len(others) / 2)


class Restarts(Case):

    async def test_several_matches_go_on_after_a_kill_in_whatever_they_were(self):
        waiting = await self.player("waiting")
        joined, _ = await waiting.create(visibility="private")
        alice, bob, offered = await self.pair()
        await alice.get("done", "offer_draw", match=offered)
        carol, dave, submitted = await self.pair()
        await carol.submit(submitted, 0, move("a1", 1, 2), ready=False)
        await dave.submit(submitted, 0, move("b1", 1, 1))
        eve, frank, ended = await self.pair()
        await eve.get("done", "resign", match=ended, command_id="r")
        over = await frank.expect("over")

        await self.restart()

        waiting, gus = (await self.back(waiting))[0], await self.player("gus")
        await gus.join(code=joined["code"])
        bob, alice = await self.back(bob, alice)
        state = await bob.get("state", "resume", match=offered, seq=0)
        self.assertEqual((state["offer"], state["seq"]), (0, 4))
        await bob.get("done", "answer_draw", match=offered, accept=True)
        self.assertEqual((await bob.expect("over"))["reason"], "draw_agreed")
        carol, dave = await self.back(carol, dave, match=submitted)
        await carol.submit(submitted, 0, move("a1", 1, 2))
        turn = await dave.expect("turn")
        self.assertEqual(len(turn["events"]), 2)
        [frank] = await self.back(frank)
        state = await frank.get("state", "resume", match=ended, seq=0)
        self.assertEqual(state["outcome"]["head"], over["head"])

    async def test_a_turn_for_which_everybody_is_ready_at_the_kill_is_resolved(self):
        for _ in range(5):
            alice, bob, match = await self.pair()
            await alice.submit(match, 0, move("a1", 1, 2), command_id="a")
            await bob.send("submit", match=match, turn=0, commands=[], command_id="b")
            await self.restart()
            alice, bob = await self.back(alice, bob, match=match)
            # it may have been stored before the kill or not: sending it again is safe
            await bob.submit(match, 0, command_id="b")
            turn = await bob.expect("turn") if bob.seqs[match][-1] < 4 else None
            self.assertTrue(turn is None or turn["turn"] == 1)
            self.assertEqual(self.query(
                "SELECT count(*) FROM record WHERE match = ? AND command_id = 'b'", match), [(1,)])

    async def test_a_stop_says_closing_ends_with_0_and_loses_nothing(self):
        alice, bob, match = await self.pair()
        await alice.submit(match, 0, move("a1", 1, 2))
        code, _ = self.daemon.stop(signal.SIGTERM)
        self.assertEqual(code, 0)
        for client in (alice, bob):
            closing = await client.expect("closing")
            self.assertEqual(closing["reason"], "restart")
            self.assertEqual(await client.close_code(), 1001)
        self.daemon.process.stdout.close()
        self.daemon.start()
        self.daemon.wait_until_ready()
        alice, bob = await self.back(alice, bob, match=match)
        await bob.submit(match, 0)
        await alice.expect("turn")

    async def test_many_matches_in_full_play_are_all_whole_after_a_kill(self):
        pairs = [await self.pair(params=pikes(turn_limit=1000)) for _ in range(8)]
        accepted = {}
        for turn in range(5):
            for alice, bob, match in pairs:
                await alice.submit(match, turn, command_id=f"a-{turn}")
                await bob.submit(match, turn, command_id=f"b-{turn}")
                accepted[match] = turn
        await self.restart()
        for alice, bob, match in pairs:
            rows = self.query("SELECT count(*) FROM record WHERE match = ? AND kind = 'submission'",
                              match)
            self.assertEqual(rows, [(2 * (accepted[match] + 1),)])
            [alice] = await self.back(alice)
            state = await alice.get("state", "resume", match=match, seq=0)
            self.assertEqual(state["status"], "running")
            self.assertIn(state["turn_open"]["turn"], (4, 5))


if __name__ == "__main__":
    unittest.main()
