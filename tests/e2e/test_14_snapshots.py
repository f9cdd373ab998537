"""Long matches: a load and a resume begin with the newest snapshot, without a visible difference."""

import sqlite3
import unittest

from client import Case, chain_anew, move, pikes, plain
from test_27_verify import Copy, set_member, verify

EVERY = 3  # turns between two snapshots


class Long(Case):

    options = ("--snapshot-every", str(EVERY), "--frames-per-second", "10000",
               "--frames-burst", "10000")

    async def play_turns(self, alice, bob, match, first, last):
        """Turns first to last - 1; alice steps back and forth."""
        for turn in range(first, last):
            await alice.submit(match, turn, move("a1", 1, 2 + turn % 2), command_id=f"a-{turn}")
            await bob.submit(match, turn, command_id=f"b-{turn}")
            alice.inbox.append(await alice.expect("turn", match=match, turn=turn + 1))
            bob.inbox.append(await bob.expect("turn", match=match, turn=turn + 1))

    async def long_pair(self, turns, **how):
        alice, bob, match = await self.pair(params=pikes(turn_limit=1000), **how)
        await self.play_turns(alice, bob, match, 0, turns)
        return alice, bob, match

    def snapshots(self, match):
        return [turn for turn, in self.query(
            "SELECT turn FROM record WHERE match = ? AND kind = 'snapshot' ORDER BY seq", match)]

    def change(self, match, *statements):
        """Changes records while the daemon is down, and recomputes the chain."""
        with self.daemon.down():
            database = sqlite3.connect(self.daemon.database)
            with database:
                for sql in statements:
                    self.assertGreater(database.execute(sql, (match,)).rowcount, 0, sql)
                chain_anew(database, match)
            database.close()
        self.daemon.wait_until_ready()

    def remove_before(self, match, seq):
        """Removes records that a load must not need."""
        with self.daemon.down():
            database = sqlite3.connect(self.daemon.database)
            with database:
                database.execute("DELETE FROM record WHERE match = ? AND seq > 1 AND seq < ?",
                                 (match, seq))
            database.close()
        self.daemon.wait_until_ready()

    async def test_the_state_is_stored_every_so_many_turns(self):
        _, _, match = await self.long_pair(8)
        self.assertEqual(self.snapshots(match), [3, 6])
        await self.restart()
        self.assertEqual(self.snapshots(match), [3, 6])

    async def test_a_match_loads_from_its_snapshot_and_the_records_behind_it(self):
        alice, bob, match = await self.long_pair(7)
        await alice.submit(match, 7, move("a1", 0, 2), command_id="open")
        before = await (await self.again(alice)).get("state", "resume", match=match, seq=0)
        [(seq,)] = self.query("SELECT max(seq) FROM record WHERE match = ? AND kind = 'snapshot'",
                              match)
        self.remove_before(match, seq - 2)  # the turn before it, and the hash before that
        alice, bob = await self.back(alice, bob)
        after = await alice.get("state", "resume", match=match, seq=0)
        for frame in (before, after):
            for player in frame["players"]:
                player.pop("is_here", None)
        self.assertEqual({**plain(after), "players": None}, {**plain(before), "players": None})
        self.assertEqual([player["name"] for player in after["players"]],
                         [player["name"] for player in before["players"]])
        await bob.get("state", "resume", match=match, seq=0)
        await bob.submit(match, 7)
        await alice.expect("turn", match=match, turn=8)

    async def test_exactly_the_missed_frames_come_wherever_snapshots_are(self):
        alice, bob, match = await self.long_pair(11)
        await alice.get("done", "offer_draw", match=match)
        await bob.get("done", "answer_draw", match=match, accept=False)
        alice.inbox.append(await alice.expect("draw", offer="declined"))
        seen = {frame["seq"]: plain(frame) for frame in alice.inbox
                if frame["type"] in ("turn", "draw")}
        last = max(seen)
        self.assertEqual(len(seen), 13)
        for is_killed in (False, True):
            if is_killed:
                await self.restart()
            for seq in range(min(seen) - 1, last + 1):
                with self.subTest(seq=seq, is_killed=is_killed):
                    other = await self.again(alice)
                    answer = await other.resume(match, seq)
                    self.assertEqual(answer["type"], "done")
                    told = [plain(frame) for frame in other.inbox
                            if frame["type"] in ("turn", "draw", "state", "seated")]
                    self.assertEqual(told, [seen[n] for n in range(seq + 1, last + 1)])
                    await other.close()

    async def test_a_resume_reads_only_what_it_needs(self):
        alice, bob, match = await self.long_pair(10)
        [(seq,)] = self.query("SELECT max(seq) FROM record WHERE match = ? AND kind = 'snapshot'",
                              match)
        self.remove_before(match, seq - 2)
        [alice] = await self.back(alice)
        answer = await alice.resume(match, 12)
        self.assertEqual(answer["type"], "done")
        self.assertEqual([frame["turn"] for frame in alice.inbox if frame["type"] == "turn"], [10])
        self.assertEqual([frame for frame in alice.inbox if frame["type"] == "state"], [])

    async def test_a_command_id_from_before_the_snapshot_is_known(self):
        alice, bob, match = await self.long_pair(7)
        await self.restart()
        alice, bob = await self.back(alice, bob, match=match)
        for turn in (0, 5, 6):
            with self.subTest(turn=turn):
                again = await alice.get("accepted", "submit", match=match, turn=turn,
                                        commands=[move("a1", 1, 2 + turn % 2)],
                                        command_id=f"a-{turn}")
                self.assertEqual(again["turn"], turn)
                await alice.refused("id_reused", "submit", match=match, turn=7,
                                    commands=[move("a1", 0, 2)], command_id=f"a-{turn}")
        await alice.submit(match, 7, command_id="b-0")  # not the other seat's

    async def test_delayed_spectators_see_every_turn_later(self):
        for turns in (5, 6, 7, 8):
            with self.subTest(turns=turns):
                alice, bob, match = await self.long_pair(turns, spectator_delay=4)
                watcher = await self.player("watcher")
                await watcher.get("joined", "watch", match=match)
                before = await watcher.expect("state", match=match)
                await self.restart()
                alice, bob, watcher = await self.back(alice, bob, watcher)
                for client in (alice, bob):
                    await client.get("state", "resume", match=match, seq=0)
                after = await watcher.get("state", "resume", match=match, seq=0)
                self.assertEqual((after["seq"], after["view"]), (before["seq"], before["view"]))
                await self.play_turns(alice, bob, match, turns, turns + 3)
                shown = [(await watcher.expect("turn", match=match)) for _ in range(3)]
                self.assertEqual([frame["turn"] for frame in shown],
                                 [turns - 3, turns - 2, turns - 1])

    async def test_a_snapshot_that_does_not_read_is_passed_over(self):
        for label, sql in (
                ("no digits", "UPDATE record SET body = json_set(body, '$.state', 'zz')"
                              " WHERE match = ? AND kind = 'snapshot'"),
                ("another state", "UPDATE record SET body = json_set(body, '$.state',"
                                  " substr(json_extract(body, '$.state'), 1, 80) || '00')"
                                  " WHERE match = ? AND kind = 'snapshot'"),
                ("no JSON", "UPDATE record SET body = '{' WHERE match = ? AND kind = 'snapshot'"),
                ("too many seats", "UPDATE record SET body = json_insert(body, '$.seats[#]',"
                                   " json_object('player', 1, 'bot', json('false')))"
                                   " WHERE match = ? AND kind = 'snapshot'"),
                ("of another turn", "UPDATE record SET turn = turn - 1"
                                    " WHERE match = ? AND kind = 'snapshot'")):
            with self.subTest(label):
                alice, bob, match = await self.long_pair(7)
                before = await (await self.again(alice)).get("state", "resume", match=match, seq=0)
                self.change(match, sql)
                alice, bob = await self.back(alice, bob)
                after = await alice.get("state", "resume", match=match, seq=0)
                self.assertEqual((after["seq"], after["view"], after["hash"]),
                                 (before["seq"], before["view"], before["hash"]))
                await bob.get("state", "resume", match=match, seq=0)
                await self.play_turns(alice, bob, match, 7, 9)

    async def test_when_its_turns_do_not_come_out_either_it_is_set_aside(self):
        alice, bob, match = await self.long_pair(7)
        self.change(match,
                    "UPDATE record SET body = '{}' WHERE match = ? AND kind = 'snapshot'",
                    "UPDATE record SET body = json_set(body, '$.hash', '0123456789abcdef')"
                    " WHERE match = ? AND kind = 'turn' AND turn = 1")
        alice, bob = await self.back(alice, bob)
        await alice.refused("quarantined", "resume", match=match, seq=0)
        self.assertEqual(await self.set_aside(match), "a turn does not come to its stored hash")

    async def test_verify_compares_them_with_what_was_played(self):
        _, _, match = await self.long_pair(7)
        self.assertEqual(verify(self.daemon.database, str(match)).returncode, 0)
        copy = Copy(self, "snapshot.db")
        seq = copy.body(match, "snapshot", set_member("state", "00"))
        copy.chain(match)
        done = verify(copy.path, str(match))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"differs at /records/{seq}/state: ", done.stdout)

    async def test_banks_and_missed_deadlines_are_kept(self):
        alice, bob, match = await self.long_pair(4, clock={"turn_ms": 600000, "bank_ms": 60000})
        [(bank,)] = self.query("SELECT bank_ms FROM match_turn WHERE match = ? AND turn = 3", match)
        self.assertEqual(bank, "[60000,60000]")
        await self.restart()
        [alice] = await self.back(alice)
        state = await alice.get("state", "resume", match=match, seq=0)
        self.assertEqual(state["turn_open"]["bank_ms"], [60000, 60000])
        [(missed,)] = self.query("SELECT json_extract(body, '$.missed') FROM match_record"
                                 " WHERE match = ? AND kind = 'turn' AND turn = 3", match)
        self.assertEqual(missed, "[0,0]")


if __name__ == "__main__":
    unittest.main()
