"""`skirmish verify --all`: every change by SQL in any column of any table is found and named."""

import os
import re
import sqlite3
import subprocess
import unittest

from client import Case, PIKES
from daemon import PROGRAM, ROOT, TIME_LIMIT_S, Daemon

SKIRMISH = os.environ.get("SKIRMISH", os.path.join(os.path.dirname(PROGRAM), "skirmish"))
DAY_MS = 86400000


def skirmish(*arguments):
    return subprocess.run([SKIRMISH, *arguments], capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False,
                          stdin=subprocess.DEVNULL)


# Table, column (None: a row, or something of the schema), what is done, and what must be said.
EDITS = [
    # ---- match ----
    ("match", "id", "UPDATE match SET id = 900 WHERE id = {over}", "match {over} is missing"),
    ("match", "ruleset", "UPDATE match SET ruleset = 'halma' WHERE id = {over}", "match {over} does not hold"),
    ("match", "version", "UPDATE match SET version = version + 1 WHERE id = {over}", "match {over} does not hold"),
    ("match", "status", "UPDATE match SET status = 'running' WHERE id = {over}", "match {over}: /match/status"),
    ("match", "status", "UPDATE match SET status = 'quarantined' WHERE id = {over}", "match {over}: /match/status"),
    ("match", "status", "UPDATE match SET status = 'waiting' WHERE id = {running}", "match {running}: /match/status"),
    ("match", "is_open", "UPDATE match SET is_open = 0 WHERE id = {over}", "match {over}: /match/is_open"),
    ("match", "is_open", "UPDATE match SET is_open = 1 WHERE id = {private}", "match {private}: /match/is_open"),
    ("match", "is_rated", "UPDATE match SET is_rated = 0 WHERE id = {over}", "match {over}: /match/is_rated"),
    ("match", "is_rated", "UPDATE match SET is_rated = 1 WHERE id = {bots}", "match {bots}: /match/is_rated"),
    ("match", "seat_count", "UPDATE match SET seat_count = 3 WHERE id = {over}", "match {over} does not hold"),
    ("match", "owner", "UPDATE match SET owner = 'x' WHERE id = {over}", "match {over}: /match/owner"),
    ("match", "epoch", "UPDATE match SET epoch = 2 WHERE id = {over}", "match {over}: /match/epoch"),
    ("match", "created_at", "UPDATE match SET created_at = created_at + 1 WHERE id = {over}",
     "match {over}: /match/created_at"),
    ("match", "started_at", "UPDATE match SET started_at = started_at + 1 WHERE id = {over}",
     "match {over}: /match/started_at"),
    ("match", "started_at", "UPDATE match SET started_at = 5 WHERE id = {waiting}",
     "match {waiting}: /match/started_at"),
    ("match", "ended_at", "UPDATE match SET ended_at = ended_at - 1 WHERE id = {over}",
     "match {over}: /match/ended_at"),
    ("match", "ended_at", "UPDATE match SET ended_at = 5 WHERE id = {running}", "match {running}: /match/ended_at"),
    ("match", "winner", "UPDATE match SET winner = 1 - winner WHERE id = {over}", "match {over}: /match/winner"),
    ("match", "winner", "UPDATE match SET winner = 0 WHERE id = {running}", "match {running}: /match/winner"),
    ("match", "reason", "UPDATE match SET reason = 'stalled' WHERE id = {over}", "match {over}: /match/reason"),
    ("match", "reason", "UPDATE match SET reason = 'x' WHERE id = {running}", "match {running}: /match/reason"),
    ("match", "code", "UPDATE match SET code = 'ABCDEF' WHERE id = {over}", "match {over}: /match/code"),
    ("match", "code", "UPDATE match SET code = NULL WHERE id = {private}", "match {private}: /match/code"),
    ("match", "seed", "UPDATE match SET seed = zeroblob(32) WHERE id = {over}", "match {over}: /records/1/commitment"),
    ("match", "salt", "UPDATE match SET salt = zeroblob(32) WHERE id = {over}", "match {over}: /records/1/commitment"),
    ("match", "settings", "UPDATE match SET settings = '{{}}' WHERE id = {over}", "match {over}: /records/1/settings"),
    ("match", "params", "UPDATE match SET params = json_set(params, '$.turn_limit', 7) WHERE id = {over}",
     "match {over}: /records/1/params"),
    ("match", "rematch_of", "UPDATE match SET rematch_of = {over2} WHERE id = {rematch}",
     "match {rematch}: /match/rematch_of"),
    ("match", "rematch_of", "UPDATE match SET rematch_of = NULL WHERE id = {rematch}",
     "match {rematch}: /match/rematch_of"),
    ("match", "rematch_of", "UPDATE match SET rematch_of = {over} WHERE id = {over2}",
     "match {over2}: /match/rematch_of"),
    ("match", None, "DELETE FROM match WHERE id = {over}", "match {over}: record/match"),
    ("match", None, "DELETE FROM match WHERE id = {over}; DELETE FROM seat WHERE match = {over}; "
     "DELETE FROM record WHERE match = {over}; DELETE FROM chain WHERE match = {over}", "match {over} is missing"),
    ("match", None, "DELETE FROM match WHERE id = {last}; DELETE FROM seat WHERE match = {last}; "
     "DELETE FROM record WHERE match = {last}; DELETE FROM chain WHERE match = {last}", "match {last} is missing"),
    ("match", None, "INSERT INTO match SELECT 901, ruleset, version, status, is_open, is_rated, seat_count, owner, "
     "epoch, created_at, started_at, ended_at, winner, reason, NULL, seed, salt, settings, params, NULL "
     "FROM match WHERE id = {over}", "match 901 does not hold"),
    # ---- seat ----
    ("seat", "match", "UPDATE seat SET match = 902 WHERE match = {over}", "match 902: seat/match"),
    ("seat", "seat", "UPDATE seat SET seat = 2 WHERE match = {over} AND seat = 1", "match {over}: seat 1 is missing"),
    ("seat", "player", "UPDATE seat SET player = {carol} WHERE match = {over} AND seat = 0",
     "match {over}: /seat/0/player"),
    ("seat", "player", "UPDATE seat SET player = (SELECT sum(player) FROM seat WHERE match = {over}) - player "
     "WHERE match = {over}", "match {over}: /seat/1/player"),
    ("seat", "player", "UPDATE seat SET player = NULL WHERE match = {over} AND seat = 0",
     "match {over}: /seat/0/player"),
    ("seat", "player", "UPDATE seat SET player = {carol} WHERE match = {waiting} AND seat = 1",
     "match {waiting}: /seat/1/player"),
    ("seat", "player", "UPDATE seat SET player = 777 WHERE match = {imported} AND seat = 0",
     "match {imported}: seat/player"),
    ("seat", "is_bot", "UPDATE seat SET is_bot = 1 WHERE match = {over} AND seat = 0", "match {over}: /seat/0/is_bot"),
    ("seat", "is_bot", "UPDATE seat SET is_bot = 0 WHERE match = {bots} AND seat = 1", "match {bots}: /seat/1/is_bot"),
    ("seat", "is_bot", "UPDATE seat SET is_bot = 0 WHERE match = {imported} AND seat = 1",
     "match {imported}: /seat/1/is_bot"),
    ("seat", "rating_before", "UPDATE seat SET rating_before = rating_before + 1 WHERE match = {over2} AND seat = 1",
     "match {over2}: seat/1/rating_before"),
    ("seat", "rating_before", "UPDATE seat SET rating_before = NULL WHERE match = {over2} AND seat = 1",
     "match {over2}: seat/1/rating_before"),
    ("seat", "rating_after", "UPDATE seat SET rating_after = rating_after + 1e-9 WHERE match = {over} AND seat = 0",
     "match {over}: seat/0/rating_after"),
    ("seat", "rating_after", "UPDATE seat SET rating_before = 1500, rating_after = 1600 WHERE match = {bots} "
     "AND seat = 0", "match {bots}: seat/0/rating_after"),
    ("seat", "origin_player", "UPDATE seat SET origin_player = 3 WHERE match = {over} AND seat = 0",
     "match {over}: seat/0/origin_player"),
    ("seat", "origin_player", "UPDATE seat SET origin_player = 99 WHERE match = {imported} AND seat = 0",
     "match {imported}: /seat/0/origin_player"),
    ("seat", None, "DELETE FROM seat WHERE match = {over} AND seat = 1", "match {over}: 1 seats instead of 2"),
    ("seat", None, "DELETE FROM seat WHERE match = {over}", "match {over}: 0 seats instead of 2"),
    ("seat", None, "INSERT INTO seat (match, seat, player) VALUES ({over}, 2, {carol})",
     "match {over}: 3 seats instead of 2"),
    # ---- record, chain ----
    ("record", "match", "UPDATE record SET match = {running} WHERE match = {over} AND kind = 'ended'",
     "match {over} does not hold"),
    ("record", "match", "UPDATE record SET match = 903 WHERE match = {waiting}", "match 903: record/match"),
    *[("record", column, f"UPDATE record SET {column} = {value} WHERE match = {{over}} AND seq = 4",
       "match {over}: record 4") for column, value in (
           ("seq", 900), ("epoch", 7), ("turn", 5), ("seat", 1), ("command_id", "'another'"), ("kind", "'clock'"),
           ("at", "at + 1"), ("hash", "zeroblob(32)"), ("body", "'{{}}'"))],
    ("record", None, "DELETE FROM record WHERE match = {over} AND seq = 4", "match {over}: record 4 is missing"),
    ("record", None, "DELETE FROM record WHERE match = {running} AND seq = (SELECT max(seq) FROM record "
     "WHERE match = {running})", "is missing"),
    ("record", "id", "UPDATE record SET id = 9001 WHERE match = {over} AND seq = 4",
     "match {over}: record 4 is missing"),
    ("record", "previous", "UPDATE record SET previous = previous - 1 WHERE match = {over} AND seq = 5",
     "match {over}: record 4 is missing"),
    ("record", None, "INSERT INTO record SELECT NULL, id, match, seq + 1, epoch, turn, seat, NULL, kind, at, hash, "
     "body FROM record WHERE match = {over} AND kind = 'ended'", "match {over} does not hold: differs at record"),
    ("record", None, "INSERT INTO record SELECT id + 5000, previous, match, seq, epoch, turn, seat, command_id, kind, "
     "at, hash, body FROM record WHERE match = {running} AND seq = 3",
     "match {running} does not hold: differs at record"),
    # A match below the first number, whose chain claims the records that another one has too many.
    *[("record", None, f"CREATE TEMP TABLE number AS SELECT value AS id FROM json_each('[{ids}]'); "
       "INSERT INTO match SELECT n.id, ruleset, version, status, is_open, is_rated, seat_count, owner, epoch, "
       "created_at, started_at, ended_at, winner, reason, NULL, seed, salt, settings, params, rematch_of "
       "FROM match m, number n WHERE m.id = {last}; "
       "INSERT INTO seat (match, seat) SELECT n.id, seat FROM seat, number n WHERE match = {last}; "
       "INSERT INTO record SELECT 7000 + n.id, NULL, n.id, seq, epoch, turn, seat, NULL, kind, at, hash, body "
       "FROM record, number n WHERE match = {last} AND seq = 1; "
       "INSERT INTO record SELECT 8000 + n.id, r.id, match, 90 + n.id, epoch, turn, seat, NULL, kind, at, hash, body "
       "FROM record r, number n WHERE match = {over} AND kind = 'ended'; "
       "INSERT INTO chain SELECT n.id, 2, head, 7000 + n.id, 7000 + n.id FROM chain, number n WHERE match = {last}; "
       "DROP TABLE number", expected)
      for ids, expected in (("0", "match {over}: record: "), ("0", "match 0 does not hold"),
                            ("-1, 0", "match {over}: record: "), ("-1, 0", "match -1 does not hold"))],
    ("chain", "match", "UPDATE chain SET match = 904 WHERE match = {over}", "match {over}: chain"),
    ("chain", "last_seq", "UPDATE chain SET last_seq = last_seq - 1 WHERE match = {over}",
     "match {over} does not hold"),
    ("chain", "head", "UPDATE chain SET head = zeroblob(32) WHERE match = {over}", "match {over} does not hold"),
    ("chain", "last_record", "UPDATE chain SET last_record = last_record - 1 WHERE match = {over}",
     "match {over} does not hold"),
    ("chain", "first_record", "UPDATE chain SET first_record = first_record + 1 WHERE match = {over}",
     "match {over} does not hold: differs at chain/first_record"),
    ("chain", None, "DELETE FROM chain WHERE match = {over}", "match {over}: chain"),
    ("chain", None, "INSERT INTO chain VALUES (905, 1, zeroblob(32), NULL, NULL)", "match 905: chain/match"),
    # ---- standing, rated_match ----
    ("standing", "ruleset", "UPDATE standing SET ruleset = 'halma' WHERE player = {alice}",
     "database: standing: player {alice} in halma has no match"),
    ("standing", "player", "UPDATE standing SET player = {idle} WHERE player = {alice}",
     "database: standing: player {alice} in tactics is missing"),
    *[("standing", column, f"UPDATE standing SET {column} = {column} + {by} WHERE player = {{alice}}",
       f"database: standing/{column}: player {{alice}}") for column, by in (
           ("games", 1), ("wins", 1), ("draws", 1), ("losses", 1), ("rating", 1), ("deviation", 1e-9),
           ("volatility", 1e-9), ("rated_at", 1))],
    ("standing", None, "DELETE FROM standing WHERE player = {alice}", "standing: player {alice} in tactics is missing"),
    ("standing", None, "INSERT INTO standing (ruleset, player, games, wins, draws, losses) "
     "VALUES ('racers', {carol}, 1, 1, 0, 0)", "standing: player {carol} in racers has no match"),
    ("rated_match", "number", "UPDATE rated_match SET number = 900 WHERE match = {over2}", "rated_match/number"),
    ("rated_match", "number", "UPDATE rated_match SET number = -number; UPDATE rated_match SET number = "
     "CASE match WHEN {over} THEN (SELECT -number FROM rated_match WHERE match = {unrelated}) "
     "WHEN {unrelated} THEN (SELECT -number FROM rated_match WHERE match = {over}) ELSE -number END",
     "rated_match/number"),
    ("rated_match", "match", "UPDATE rated_match SET match = {bots} WHERE match = {over}",
     "match {over}: rated_match"),
    ("rated_match", None, "DELETE FROM rated_match WHERE match = {over}", "match {over}: rated_match"),
    ("rated_match", None, "INSERT INTO rated_match (match) VALUES ({bots})", "match {bots}: rated_match"),
    ("rated_match", None, "INSERT INTO rated_match (match) VALUES (906)", "match 906: rated_match/match"),
    # ---- origin, pruned ----
    ("origin", "match", "UPDATE origin SET match = {over} WHERE match = {imported}", "match {imported} does not hold"),
    ("origin", "number", "UPDATE origin SET number = number + 1", "match {imported} does not hold"),
    ("origin", None, "DELETE FROM origin", "match {imported} does not hold"),
    ("origin", None, "INSERT INTO origin VALUES ({over}, {over}, 1)", "match {over}: seat/0/origin_player"),
    ("pruned", "match", "UPDATE pruned SET match = {over}", "match {over}: pruned"),
    ("pruned", "pruned_at", "UPDATE pruned SET pruned_at = pruned_at + 1", "match {pruned}: pruned/pruned_at"),
    ("pruned", "records", "UPDATE pruned SET records = records + 1", "match {pruned}: pruned/records"),
    ("pruned", "turns", "UPDATE pruned SET turns = 99", "match {pruned}: pruned/turns"),
    ("pruned", None, "DELETE FROM pruned", "match {pruned} does not hold"),
    ("pruned", None, "INSERT INTO pruned VALUES ({over}, 1, 9, 2)", "match {over}: pruned"),
    ("pruned", None, "INSERT INTO pruned VALUES (907, 1, 9, 2)", "match 907: pruned/match"),
    # ---- player, ban ----
    ("player", "id", "UPDATE player SET id = 908 WHERE id = {alice}", "match {over}: seat/player"),
    ("player", "is_bot", "UPDATE player SET is_bot = 1 WHERE id = {alice}", "player/is_bot: player {alice} sat down"),
    ("player", "is_bot", "UPDATE player SET is_bot = 0 WHERE bot IS NOT NULL", "database: player/bot"),
    ("player", "bot", "UPDATE player SET bot = 'level:greedy2' WHERE id = {alice}",
     "database: player/bot: player {alice}"),
    ("player", "created_at", "UPDATE player SET created_at = 5 WHERE id = {forgotten}",
     "player/forgotten_at: player {forgotten}"),
    ("player", "name", "UPDATE player SET name = 'somebody' WHERE id = {forgotten}",
     "player/forgotten_at: player {forgotten}"),
    ("player", "last_seen", "UPDATE player SET last_seen = 5 WHERE id = {forgotten}",
     "player/forgotten_at: player {forgotten}"),
    ("player", "forgotten_at", "UPDATE player SET forgotten_at = NULL WHERE id = {forgotten}",
     "player/forgotten_at: player {forgotten}"),
    ("player", "forgotten_at", "UPDATE player SET forgotten_at = 5 WHERE id = {alice}",
     "player/forgotten_at: player {alice}"),
    ("player", None, "DELETE FROM player WHERE id = {alice}", "player {alice} is missing"),
    ("player", None, "DELETE FROM player WHERE id = {idle}", "player {idle} is missing"),
    ("ban", "player", "UPDATE ban SET player = {carol}", "database: ban: player {carol} is banned"),
    ("ban", "since", "UPDATE ban SET since = since + 1", "database: ban/since: player {banned}"),
    ("ban", "until", "UPDATE ban SET until = NULL", "database: ban/until: player {banned}"),
    ("ban", "reason", "UPDATE ban SET reason = 'other'", "database: ban/reason: player {banned}"),
    ("ban", None, "DELETE FROM ban", "database: ban: player {banned} is banned"),
    ("ban", None, "INSERT INTO ban VALUES ({carol}, 1, NULL, '')", "database: ban: player {carol} is banned"),
    # ---- logs ----
    ("admin_log", "id", "UPDATE admin_log SET id = 909 WHERE id = 2", "database: admin_log/id: row 2 is missing"),
    ("admin_log", "match", "UPDATE admin_log SET match = 910 WHERE id = 1", "match 910: admin_log/match"),
    ("admin_log", "player", "UPDATE admin_log SET player = 911 WHERE id = 1", "database: admin_log/player"),
    ("admin_log", "at", "UPDATE admin_log SET at = at + 1 WHERE command = 'ban'", "database: ban/since"),
    ("admin_log", "command", "UPDATE admin_log SET command = 'unban' WHERE command = 'ban'", "database: ban: player"),
    ("admin_log", "detail", "UPDATE admin_log SET detail = 'x' WHERE id = 1", "database: admin_log/detail: row 1"),
    ("admin_log", None, "DELETE FROM admin_log WHERE id = 1", "database: admin_log/id: row 1 is missing"),
    ("bot_call_log", "id", "UPDATE bot_call_log SET id = id + 10 WHERE id = 2", "database: bot_call_log/id"),
    ("bot_call_log", "match", "UPDATE bot_call_log SET match = 912 WHERE id = 1", "match 912: bot_call_log/match"),
    ("bot_call_log", "turn", "UPDATE bot_call_log SET turn = 900 WHERE id = 1", "match {bots}: bot_call_log/turn"),
    ("bot_call_log", "seat", "UPDATE bot_call_log SET seat = 3 WHERE id = 1", "match {bots}: bot_call_log/seat"),
    ("bot_call_log", "bot", "UPDATE bot_call_log SET bot = 'name:x' WHERE id = 1", "match {bots}: bot_call_log/bot"),
    ("bot_call_log", None, "DELETE FROM bot_call_log WHERE id = 2", "database: bot_call_log/id: call 2 is missing"),
    ("bot_call_log", None, "DELETE FROM bot_call_log WHERE id = 3", "database: bot_call_log/id: call 3 is missing"),
    # ---- the schema ----
    ("schema_migration", "number", "UPDATE schema_migration SET number = 913 WHERE number = 2", "migration"),
    ("schema_migration", "name", "UPDATE schema_migration SET name = 'x' WHERE number = 2", "schema_migration/name"),
    ("schema_migration", "checksum", "UPDATE schema_migration SET checksum = 'x' WHERE number = 2",
     "was applied with a text that differs"),
    ("schema_migration", None, "DELETE FROM schema_migration WHERE number = 2", "migration"),
    (None, None, "DROP VIEW match_turn", "database: schema/match_turn: the view is missing"),
    (None, None, "DROP VIEW leaderboard; CREATE VIEW leaderboard AS SELECT 1",
     "schema/leaderboard: the view differs"),
    (None, None, "DROP INDEX seat_player", "database: schema/seat_player: the index is missing"),
    (None, None, "DROP INDEX match_unfinished", "schema/match_unfinished: the index is missing"),
    (None, None, "DROP TABLE ban", "database: schema/ban: the table is missing"),
    (None, None, "ALTER TABLE match ADD COLUMN more TEXT", "database: schema/match: the table differs"),
    (None, None, "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM ban; END",
     "database: schema/t: no migration"),
    (None, None, "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'origin_number'",
     "schema/origin_number: the index is missing"),
    (None, None, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema "
     "WHERE name = 'player_bot') WHERE name = 'origin_number'",
     "database: at file: row 1 missing from index origin_number"),
    (None, None, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema "
     "WHERE name = 'player_bot') WHERE name = 'match_unfinished'",
     "database: index match_unfinished"),
]

# Columns that cannot be checked against anything: migrations/README.md lists the same.
UNPROVEN = {
    "player.token_hash", "origin.imported_at", "beat.id", "beat.at", "admin_log.uid", "bot_call_log.at",
    "bot_call_log.latency_ms", "bot_call_log.status", "bot_call_log.error", "bot_call_log.message",
    "bot_call_log.request", "bot_call_log.answer", "schema_migration.applied_at",
}


class Rows(Case):

    options = ("--snapshot-every", "1")

    def tool(self, *arguments):
        done = skirmish(*arguments, "--database", self.daemon.database)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def change(self, sql, *values):
        database = sqlite3.connect(self.daemon.database, timeout=TIME_LIMIT_S)
        with database:
            database.execute(sql, values)
        database.close()

    async def resigned(self, alice, bob, **how):
        """A match that bob gives up; its number."""
        joined, _ = await alice.create(**how)
        match = joined["match"]
        await bob.join(match)
        await alice.expect("seated", match=match, seat=1)
        await self.play(alice, bob, match, 0, [], [])
        await bob.get("done", "resign", match=match, command_id=f"r{match}")
        await alice.expect("over", match=match)
        return match

    async def bots(self, case=None):
        """A match of three turns, in which nobody dies."""
        watcher = await (case or self).player("watcher")
        pike = {**PIKES["models"]["pike"], "health": 40}
        joined, _ = await watcher.create(params={**PIKES, "turn_limit": 3, "models": {"pike": pike}}, cycle_ms=None,
                                         seats=[{"bot": {"level": "random"}}] * 2)
        await watcher.expect("over", match=joined["match"])
        return joined["match"]

    async def imported(self):
        """A match of another server, with a bot in it."""
        other = Case()
        other.daemon = self.enterContext(Daemon())
        other.schemas = self.schemas
        other.addAsyncCleanup = self.addAsyncCleanup
        dora = await other.player("dora")
        for _ in range(2):  # its number there is not the one it gets here
            joined, _ = await dora.create(seats=[None, {"bot": {"level": "random"}}])
            await dora.get("done", "resign", match=joined["match"], command_id=f"r{joined['match']}")
            await dora.expect("over", match=joined["match"])
        path = other.daemon.path("out.jsonl")
        done = skirmish("export", "2", "--out", path, "--database", other.daemon.database)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = self.tool("import", path)
        return int(re.search(r"is match (\d+) here", told).group(1))

    async def everything(self):
        """A database with something in every table; the numbers in it."""
        alice, bob, carol = [await self.player(name) for name in ("alice", "bob", "carol")]
        eve, fay, idle, unbanned = [await self.player(name) for name in ("eve", "fay", "idle", "unbanned")]
        at = {"alice": alice.player, "bob": bob.player, "carol": carol.player, "idle": idle.player,
              "banned": eve.player, "forgotten": fay.player}
        at["over"] = await self.resigned(alice, bob)
        at["unrelated"] = await self.resigned(carol, fay)
        at["over2"] = await self.resigned(bob, alice)
        joined, _ = await alice.create(visibility="private")
        at["private"] = joined["match"]
        at["pruned"] = await self.resigned(alice, bob, rated=False)
        at["bots"] = await self.bots()
        at["waiting"] = (await alice.create())[0]["match"]
        await alice.get("joined", "rematch", match=at["over"])
        at["rematch"] = at["running"] = (await bob.get("joined", "rematch", match=at["over"]))["match"]
        await alice.submit(at["running"], 0)
        at["imported"] = await self.imported()
        at["last"] = (await alice.create())[0]["match"]
        self.tool("admin", "announce", "hello")
        self.tool("admin", "ban", eve.name, "--hours", "2", "--reason", "cheats")
        self.tool("admin", "ban", unbanned.name)
        self.tool("admin", "unban", unbanned.name)
        self.tool("player", "forget", fay.name, "--yes")
        self.change("UPDATE match SET ended_at = ended_at - ? WHERE id = ?", 100 * DAY_MS, at["pruned"])
        self.tool("prune", "--older-than", "90d", "--yes")
        for turn in range(3):
            self.change("INSERT INTO bot_call_log (match, turn, seat, bot, at, latency_ms) SELECT match, ?, seat, bot, "
                        "1, 1 FROM seat JOIN player p ON p.id = player WHERE match = ? AND seat = 0", turn, at["bots"])
        return at

    def copy(self, number):
        path = self.daemon.path(f"edit-{number}.db")
        source = sqlite3.connect(f"file:{self.daemon.database}?mode=ro", uri=True)
        database = sqlite3.connect(path)
        source.backup(database)
        source.close()
        return path, database

    def said(self, expected, at, told):
        """Whether it is named.  "match 7: x" means a line about match 7 that contains x; "database: x" likewise."""
        expected = expected.format(**at)
        whose, colon, what = expected.partition(": ")
        if colon and re.fullmatch(r"match \d+|database", whose):
            return any(re.match(rf"(the )?{whose} ", line) and what in line for line in told.splitlines())
        return expected in told

    async def test_every_edit_is_found_and_named(self):
        at = await self.everything()
        done = skirmish("verify", "--all", "--database", self.daemon.database)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.daemon.stop()
        for number, (table, column, sql, expected) in enumerate(EDITS):
            with self.subTest(number=number, table=table, column=column, sql=sql):
                path, database = self.copy(number)
                before = "\n".join(database.iterdump())
                database.executescript(sql.format(**at))
                database.commit()
                is_changed = "WRITABLE" in sql.upper() or "\n".join(database.iterdump()) != before
                self.assertTrue(is_changed, "nothing changed")
                database.close()
                done = skirmish("verify", "--all", "--database", path)
                told = done.stdout + done.stderr
                os.remove(path)
                self.assertEqual(done.returncode, 1, told)
                self.assertNotIn("Sanitizer", told)
                self.assertTrue(self.said(expected, at, told), f"{expected.format(**at)}\n{told}")
        self.daemon.process.stdout.close()
        self.daemon.start()

    async def test_every_column_is_changed_by_an_edit_or_said_to_be_unproven(self):
        columns = {f"{table}.{column}" for table, column in self.query(
            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c "
            "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'")}
        edited = {f"{table}.{column}" for table, column, _, _ in EDITS if column}
        self.assertEqual(columns - edited, UNPROVEN)
        self.assertEqual(edited & UNPROVEN, set())
        self.assertGreaterEqual(len(EDITS), 46)
        with open(os.path.join(ROOT, "migrations", "README.md"), encoding="utf-8") as file:
            text = file.read()
        listed = text[text.index("## What verify compares"):].split("\n## ", 1)[0]
        for name in UNPROVEN:
            self.assertIn(f"`{name}`", listed)

    async def test_one_match_is_compared_with_its_own_rows_only(self):
        alice, bob, match = await self.pair()
        await bob.get("done", "resign", match=match, command_id="r")
        await alice.expect("over")
        carol, dora, other = await self.pair()
        await dora.get("done", "resign", match=other, command_id="r")
        await carol.expect("over")
        path, database = self.copy("single")
        database.executescript(f"UPDATE seat SET rating_after = NULL WHERE match = {match} AND seat = 1;"
                               f"UPDATE match SET is_rated = 0, started_at = 7 WHERE id = {match};"
                               "DROP VIEW match_turn")
        database.close()
        done = skirmish("verify", str(other), "--database", path)
        self.assertEqual(done.returncode, 0, done.stdout)
        done = skirmish("verify", str(match), "--database", path)
        self.assertEqual(done.returncode, 1, done.stdout)
        for at in ("/match/is_rated", "/match/started_at", "rated_match", "seat/1/rating_after"):
            self.assertRegex(done.stdout, rf"match {match} does not hold: differs at {at}: ")
        self.assertIn("0 of 1 match holds", done.stdout)
        self.assertNotIn("match_turn", done.stdout)


if __name__ == "__main__":
    unittest.main()
