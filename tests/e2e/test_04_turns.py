"""Turns: what happens, who sees what, how a match ends, and what is on disk afterwards."""

import hashlib
import json
import unittest

from client import OK, Case, attack, column, commitment, move, pikes

BOUNCED = {"verdict": "bounced", "check": "bounce"}


class Turns(Case):

    def head_of(self, match):
        """The chain's head, computed from the records."""
        previous = bytes(32)
        for *columns, stored in self.query(
                "SELECT match, seq, epoch, turn, seat, command_id, kind, body, at, hash"
                " FROM record WHERE match = ? ORDER BY seq", match):
            previous = hashlib.sha256(previous + b"".join(map(column, columns))).digest()
            self.assertEqual(previous, stored, columns)
        return previous.hex()

    async def test_both_seats_are_shown_the_turn_when_both_are_ready(self):
        alice, bob, match = await self.pair()
        frames = await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [move("b1", 1, 1)])
        for seat, turn in enumerate(frames):
            self.assertEqual((turn["turn"], turn["seq"], turn["verdicts"]), (1, 4, [OK]))
            self.assertEqual(turn["view"]["seat"], seat)
            self.assertEqual([unit["at"] for unit in turn["view"]["units"]], [[1, 2], [1, 1]])
            self.assertEqual(turn["turn_open"]["turn"], 1)
            self.assertEqual(turn["turn_open"]["deadline_ms"], [None, None])
        self.assertEqual(frames[0]["events"], frames[1]["events"])
        self.assertNotEqual(frames[0]["hash"], frames[1]["hash"])

    async def test_a_bounce_is_known_when_the_turn_is_resolved(self):
        alice, bob, match = await self.pair(params=pikes(rows=3, units=[
            {"id": "a1", "model": "pike", "seat": 0, "at": [1, 2]},
            {"id": "b1", "model": "pike", "seat": 1, "at": [1, 0]}]))
        accepted = await alice.submit(match, 0, move("a1", 1, 1))
        self.assertEqual(accepted["verdicts"], [OK])
        await bob.submit(match, 0, move("b1", 1, 1))
        for client in (alice, bob):
            turn = await client.expect("turn")
            self.assertEqual(turn["verdicts"], [BOUNCED])
            self.assertEqual(turn["events"],
                             [{"kind": "bounced", "units": ["a1", "b1"], "at": [1, 1]}])
        # on disk with its final verdict
        self.assertEqual(self.query("SELECT seat, unit, verdict, check_name FROM match_command"
                                    " WHERE match = ? ORDER BY seat", match),
                         [(0, "a1", "bounced", "bounce"), (1, "b1", "bounced", "bounce")])

    async def test_a_match_to_the_end_through_a_kill_after_every_turn(self):
        alice, bob, match = await self.pair(clock={"turn_ms": 600000})
        committed = (await alice.get("state", "resume", match=match, seq=0))["commitment"]
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [move("b1", 1, 1)])
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        await alice.submit(match, 1, attack("a1", 1, 1))
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        await alice.expect("accepted")
        await bob.submit(match, 1, move("b1", 2, 1))
        overs = []
        for client in (alice, bob):
            turn = await client.expect("turn", turn=2)
            self.assertNotIn("turn_open", turn)
            self.assertEqual(turn["view"]["outcome"], {"winner": 0, "reason": "eliminated"})
            over = await client.expect("over")
            self.assertEqual((over["winner"], over["reason"]), (0, "eliminated"))
            overs.append(over)
        self.assertEqual(overs[0], overs[1])
        self.assertEqual(commitment(over), committed)
        self.assertEqual(self.head_of(match), over["head"])
        self.assertEqual(
            self.query("SELECT body ->> 'commitment', body ->> 'seed', body ->> 'salt' FROM record"
                       " WHERE match = ? AND kind IN ('created', 'ended') ORDER BY seq", match),
            [(committed, None, None), (None, over["seed"], over["salt"])])
        await alice.refused("match_over", "submit", match=match, turn=2, commands=[],
                            command_id="late")
        self.assertEqual(
            self.query("SELECT turn, seat, kind, unit, x, y, verdict FROM match_command"
                       " WHERE match = ? ORDER BY turn, seat", match),
            [(0, 0, "move", "a1", 1, 2, "ok"), (0, 1, "move", "b1", 1, 1, "ok"),
             (1, 0, "attack", "a1", 1, 1, "ok"), (1, 1, "move", "b1", 2, 1, "ok")])
        self.assertEqual(
            self.query("SELECT status, winner, winner_name, reason, turns, head FROM match_summary"
                       " WHERE match = ?", match),
            [("over", 0, alice.name, "eliminated", 2, over["head"])])
        await self.restart()
        [bob] = await self.back(bob)
        state = await bob.get("state", "resume", match=match, seq=0)
        self.assertEqual(state["status"], "over")
        self.assertEqual(state["outcome"],
                         {name: over[name] for name in
                          ("winner", "reason", "seed", "salt", "hash", "head")})

    async def test_the_last_ones_kill_each_other_and_nobody_wins(self):
        alice, bob, match = await self.pair(params=pikes(rows=3, units=[
            {"id": "a1", "model": "pike", "seat": 0, "at": [1, 2]},
            {"id": "b1", "model": "pike", "seat": 1, "at": [1, 1]}]))
        await self.play(alice, bob, match, 0, [attack("a1", 1, 1)], [attack("b1", 1, 2)])
        over = await bob.expect("over")
        self.assertEqual((over["winner"], over["reason"]), (None, "draw_eliminated"))

    async def test_the_turn_limit_ends_a_match(self):
        alice, bob, match = await self.pair(params=pikes(turn_limit=2))
        await self.play(alice, bob, match, 0, [], [])
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        await self.play(alice, bob, match, 1, [], [])
        over = await alice.expect("over")
        self.assertEqual((over["winner"], over["reason"]), (None, "draw_turn_limit"))

    async def test_placements_are_shown_only_when_the_turn_is_resolved(self):
        alice, bob, match = await self.pair(params=pikes(placement=True))
        carol = await self.player("carol")
        await carol.get("joined", "watch", match=match)
        await alice.submit(match, 0, {"kind": "place", "unit": "a1", "target": [0, 3]})
        for client in (bob, carol):
            await client.expect("ready")
            state = await client.get("state", "resume", match=match, seq=0)
            self.assertEqual([unit["at"] for unit in state["view"]["units"]], [[1, 3], [1, 0]])
            self.assertNotIn("pending", state)
            for frame in await client.seen():
                self.assertFalse('"a1"' in json.dumps(frame) and "[0, 3]" in json.dumps(frame),
                                 frame)
        accepted = await bob.submit(match, 0, {"kind": "place", "unit": "b1", "target": [2, 0]},
                                    move("b1", 1, 1))
        self.assertEqual(accepted["verdicts"],
                         [OK, {"verdict": "wrong_phase", "check": "phase"}])
        await bob.submit(match, 0, {"kind": "place", "unit": "b1", "target": [2, 0]})
        for client in (alice, bob, carol):
            turn = await client.expect("turn")
            self.assertEqual([unit["at"] for unit in turn["view"]["units"]], [[0, 3], [2, 0]])
            self.assertEqual(turn["view"]["phase"], "play")

    async def test_hints_are_the_commands_that_would_be_ok(self):
        alice, bob, match = await self.pair()
        hints = await alice.get("hints", "hints", match=match)
        self.assertEqual((hints["turn"], len(hints["commands"])), (0, 4))
        for command in hints["commands"]:
            self.schemas.parts["tactics", "command"].validate(command)
            accepted = await alice.submit(match, 0, command)
            self.assertEqual(accepted["verdicts"], [OK])
        before = await bob.get("hints", "hints", match=match)
        await self.restart()
        [bob] = await self.back(bob)
        after = await bob.get("hints", "hints", match=match)
        self.assertEqual(after["commands"], before["commands"])

    async def test_what_if_tells_what_would_happen_and_changes_nothing(self):
        alice, bob, match = await self.pair(params=pikes(rows=3, units=[
            {"id": "a1", "model": "pike", "seat": 0, "at": [1, 2]},
            {"id": "b1", "model": "pike", "seat": 1, "at": [1, 1]}]))
        answer = await alice.get("what_if", "what_if", match=match, turn=0,
                                 commands=[[attack("a1", 1, 1)], [move("b1", 0, 0)]])
        self.assertEqual(answer["verdicts"],
                         [[OK], [{"verdict": "out_of_pattern", "check": "move_in_pattern"}]])
        self.assertEqual(answer["outcome"], {"winner": 0, "reason": "eliminated"})
        self.assertEqual(answer["turn"], 1)
        answer = await alice.get("what_if", "what_if", match=match, commands=[[], []])
        self.assertEqual((answer["outcome"], answer["events"]), (None, []))
        await alice.refused("wrong_turn", "what_if", match=match, turn=1, commands=[[], []])
        error = await alice.refused("malformed", "what_if", match=match, commands=[[]])
        self.assertEqual(error["at"], "/commands")
        error = await alice.refused("malformed", "what_if", match=match, commands=[[], [{}]])
        self.assertEqual(error["at"], "/commands/1/0/kind")
        self.assertEqual(await bob.seen(), [])
        state = await bob.get("state", "resume", match=match, seq=0)
        self.assertEqual((len(state["view"]["units"]), state["turn_open"]["ready"]), (2, []))

    async def test_what_if_does_not_know_what_the_other_has_sent(self):
        alice, bob, match = await self.pair()
        question = {"match": match, "commands": [[move("a1", 1, 2)], []]}
        before = await alice.get("what_if", "what_if", **question)
        await bob.submit(match, 0, move("b1", 1, 1))
        after = await alice.get("what_if", "what_if", **question)
        self.assertEqual({**before, "id": None}, {**after, "id": None})

    async def test_a_match_of_the_default_params_is_played_by_hints(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create(params={}, clock=None)
        match = joined["match"]
        await bob.join(match)
        for turn in range(6):
            for client in (alice, bob):
                hints = await client.get("hints", "hints", match=match)
                self.assertEqual(hints["turn"], turn)
                units = {}
                for command in hints["commands"][::-1]:
                    units.setdefault(command["unit"], command)
                await client.submit(match, turn, *units.values(), ready=True)
            frames = await alice.expect("turn"), await bob.expect("turn")
            self.assertEqual(frames[0]["turn"], turn + 1)
            self.assertEqual(frames[0]["view"]["units"], frames[1]["view"]["units"])
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        state = await alice.get("state", "resume", match=match, seq=0)
        self.assertEqual(state["hash"], frames[0]["hash"])


if __name__ == "__main__":
    unittest.main()
