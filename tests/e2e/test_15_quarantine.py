"""A changed database file: damaged matches are quarantined, all others continue.

One column of one match is changed at a time, while the daemon is down.  Everything that decides how a
match goes on is either in its hash chain or compared with it when the match is loaded.
"""

import json
import sqlite3
import unittest

from client import Case, move

GARBAGE = "CAST(x'ff00fe2200' AS TEXT)"

# (what is changed, the reason or None when the match goes on).  ?1 is the match.
MATCH = "UPDATE match SET {} WHERE id = ?1"
SEAT = "UPDATE seat SET {} WHERE match = ?1 AND seat = 0"
RECORD = "UPDATE record SET {} WHERE match = ?1 AND seq = (SELECT max(seq) FROM record WHERE match = ?1)"
CHAIN = "UPDATE chain SET {} WHERE match = ?1"

FIRST = "of the first record"
DIFFERS = "from the records"
HASH = "has a hash that does not match its contents"
END = "is not the end of the chain"
NO_END = "the end of its chain is missing"
ROW = "is not as written"

DAMAGES = [
    (MATCH, "ruleset = 'tactiks'", "does not have this version of the ruleset"),
    (MATCH, f"ruleset = {GARBAGE}", "its ruleset is not as written"),
    (MATCH, "version = 2", "does not have this version"),
    (MATCH, "version = -1", ROW),
    (MATCH, "version = 4294967297", ROW),
    (MATCH, "status = 'waiting'", DIFFERS),
    (MATCH, "status = 'over'", DIFFERS),
    (MATCH, "status = 'ovre'", ROW),
    (MATCH, f"status = {GARBAGE}", ROW),
    (MATCH, "is_open = 0", "open"),
    (MATCH, "is_rated = 0", "rated"),
    (MATCH, "seat_count = 1", "1"),
    (MATCH, "seat_count = 5", ROW),
    (MATCH, "seat_count = 4294967298", ROW),
    (MATCH, "owner = 'somebody'", None),
    (MATCH, "epoch = 7", None),
    (MATCH, "created_at = -5", None),
    (MATCH, "started_at = NULL", DIFFERS),
    (MATCH, "started_at = 1", None),
    (MATCH, "ended_at = 1", DIFFERS),
    (MATCH, "winner = 1", DIFFERS),
    (MATCH, "winner = 4294967295", ROW),
    (MATCH, "reason = 'eliminated'", DIFFERS),
    (MATCH, "code = 'abcdefgh'", "open"),
    (MATCH, "rematch_of = 1", FIRST),
    (MATCH, "seed = randomblob(32)", "commits to"),
    (MATCH, "seed = x'00'", ROW),
    (MATCH, "salt = randomblob(32)", "commits to"),
    (MATCH, "settings = json_set(settings, '$.turn_ms', 5)", FIRST),
    (MATCH, "settings = '{}'", "settings"),
    (MATCH, "settings = 'null'", "settings"),
    (MATCH, "settings = ''", "settings"),
    (MATCH, f"settings = {GARBAGE}", "settings"),
    (MATCH, "params = json_set(params, '$.turn_limit', 19)", FIRST),
    (MATCH, "params = '{}'", FIRST),
    (MATCH, "params = ''", "params"),
    (MATCH, f"params = {GARBAGE}", "params"),
    (SEAT, "player = NULL", "seats"),
    (SEAT, "player = (SELECT player FROM seat WHERE match = ?1 AND seat = 1)", "seats"),
    (SEAT, "seat = 3", "seat"),
    (SEAT, "is_bot = 1", None),
    (RECORD, "seq = 99", "is missing"),
    (RECORD, "epoch = 2", HASH),
    (RECORD, "turn = 5", HASH),
    (RECORD, "turn = NULL", HASH),
    (RECORD, "seat = 1", HASH),
    (RECORD, "command_id = 'other'", HASH),
    (RECORD, "kind = 'snapshot'", HASH),
    (RECORD, f"kind = {GARBAGE}", HASH),
    (RECORD, "at = 0", HASH),
    (RECORD, "hash = randomblob(32)", HASH),
    (RECORD, "hash = x''", HASH),
    (RECORD, "body = '{}'", HASH),
    (RECORD, f"body = {GARBAGE}", HASH),
    (CHAIN, "last_seq = 1", END),
    (CHAIN, "head = randomblob(32)", END),
    (CHAIN, "head = x'00'", NO_END),
    ("DELETE FROM record WHERE match = ?1 AND seq = 3{}", "", "is missing"),
    ("DELETE FROM chain WHERE match = ?1{}", "", NO_END),
    ("DELETE FROM seat WHERE match = ?1 AND seat = 1{}", "", "seats"),
    ("INSERT INTO pruned (match, pruned_at, records, turns) VALUES (?1, 1, 3, 1){}", "", "pruned but not over"),
    ("UPDATE player SET name = CAST(x'ff2200' AS TEXT)"
     " WHERE id = (SELECT player FROM seat WHERE match = ?1 AND seat = 0){}", "", None),
]


class Damaged(Case):

    options = ("--connections-per-address", "0")

    async def make_matches(self):
        """One for each damage, played for a turn and with a submission in the next."""
        players = [await self.pair() for _ in DAMAGES]
        for alice, bob, match in players:
            await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [])
            await alice.submit(match, 1, move("a1", 1, 1), command_id="open")
        return players

    def damage(self, matches):
        with self.daemon.down():
            database = sqlite3.connect(self.daemon.database)
            with database:
                database.execute("PRAGMA ignore_check_constraints = 1")
                for (sql, change, _), match in zip(DAMAGES, matches):
                    rows = database.execute(sql.format(change), (match,)).rowcount
                    self.assertGreater(rows, 0, change)
            database.close()
        self.daemon.wait_until_ready()

    def counted(self):
        return self.daemon.metrics()["skirmish_matches_quarantined"]

    def listed(self):
        """All quarantined matches, over all parts of the list."""
        rows, after = [], 0
        while after is not None:
            page = json.loads(self.daemon.get(
                f"/api/v1/matches?status=quarantined&limit=20&after={after}").body)
            rows += page["matches"]
            after = page["next"]
        return rows

    async def test_what_does_not_fit_is_set_aside_with_its_reason(self):
        before = self.counted()
        carol, dave, whole = await self.pair()
        players = await self.make_matches()
        self.damage([match for _, _, match in players])

        bad = before
        for (sql, change, reason), (alice, bob, match) in zip(DAMAGES, players):
            with self.subTest(sql.format(change)):
                alice, bob = await self.back(alice, bob)
                if reason is None:
                    await alice.get("state", "resume", match=match, seq=0)
                    await bob.get("state", "resume", match=match, seq=0)
                    await bob.submit(match, 1)
                    await alice.expect("turn", match=match, turn=2)
                    continue
                bad += 1
                await alice.refused("quarantined", "resume", match=match, seq=0)
                await bob.refused("quarantined", "submit", match=match, turn=1, commands=[],
                                  command_id="x")
                self.assertIn(reason, await self.set_aside(match))

        carol, dave = await self.back(carol, dave, match=whole)
        await self.play(carol, dave, whole, 0, [], [])
        self.assertEqual(self.counted(), bad)
        listed = {row["id"]: row["reason"] for row in self.listed()}
        # The match that was made private is shown to nobody.
        self.assertEqual(len(listed), bad - before - 1)
        self.assertTrue(all(listed.values()))

        await self.restart()
        self.assertEqual(self.counted(), bad)
        alice = (await self.back(players[0][0]))[0]
        await alice.refused("quarantined", "resume", match=players[0][2], seq=0)
        self.assertEqual(self.counted(), bad, "not counted twice")

    async def test_a_private_match_without_its_code_is_not_everybodys(self):
        alice = await self.player("alice")
        joined, _ = await alice.create(visibility="private")
        with self.daemon.down():
            database = sqlite3.connect(self.daemon.database)
            with database:
                database.execute("UPDATE match SET code = NULL WHERE id = ?", (joined["match"],))
            database.close()
        self.daemon.wait_until_ready()
        bob = await self.player("bob")
        await bob.refused("quarantined", "watch", match=joined["match"])


if __name__ == "__main__":
    unittest.main()
