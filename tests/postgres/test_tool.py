"""Every command of the tool that takes --database takes the address of a PostgreSQL database."""

import asyncio
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from client import Case, attack, move  # noqa: E402
from daemon import PROGRAM, TIME_LIMIT_S  # noqa: E402

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")


class Commands(Case):
    options = ("--frames-per-second", "100000", "--frames-burst", "100000")

    def run_tool(self, *arguments, given=""):
        return subprocess.run([SKIRMISH, *arguments], capture_output=True, text=True, timeout=TIME_LIMIT_S,
                              check=False, input=given)

    def skirmish(self, *arguments):
        done = self.run_tool(*arguments)
        self.assertEqual(done.returncode, 0, (arguments, done.stderr))
        return done.stdout + done.stderr

    def of(self, command, *arguments, database=None):
        return self.skirmish(*command.split(), "--database", database or self.daemon.database, *arguments)

    def ask(self, sql):
        return subprocess.run(["psql", "-At", "-v", "ON_ERROR_STOP=1", self.daemon.database], check=True, text=True,
                              input=sql, stdout=subprocess.PIPE).stdout.split()


class Tool(Commands):
    async def play_some(self):
        self.skirmish("arena", "--url", self.daemon.url(), "--ruleset", "tactics", "--games", "2", "greedy",
                      "random")
        alice, bob, match = await self.pair()
        await self.play(alice, bob, match, 0, [], [move("b1", 1, 1)])
        await self.play(alice, bob, match, 1, [move("a1", 1, 2)], [])
        await self.play(alice, bob, match, 2, [attack("a1", 1, 1)], [])
        await bob.expect("over", match=match)
        while self.ask("SELECT match FROM unrated_match"):
            await asyncio.sleep(0.1)
        running, _, other = await self.pair()
        await running.submit(other, 0, ready=False)
        return alice, match

    async def test_reads_proves_moves_and_prunes(self):
        alice, match = await self.play_some()
        number = str(match)
        self.assertIn(alice.name, self.of("players"))
        self.assertIn(number, self.of("matches", "--player", alice.name.upper()))
        self.assertIn("rating", self.of("leaderboard"))
        self.assertIn("created", self.of("match", number))
        self.assertIn(number, self.of("player", alice.name))
        self.assertIn("eliminated", self.of("query", "endings"))
        self.assertIn("turn", self.of("replay", number))
        self.of("verify", number)
        self.of("verify", "--all")
        self.of("ratings recompute", "--check")

        file, there = self.daemon.path("matches"), self.daemon.path("there.db")
        self.of("export", number, "--out", file)
        self.assertIn("0 imported", self.of("import", file))
        self.assertIn("1 imported", self.of("import", file, database=there))
        self.of("verify", "--all", database=there)
        self.of("export", "--all", "--out", file + ".2", database=there)

        backup = self.run_tool("backup", "--database", self.daemon.database, self.daemon.path("copy"))
        self.assertNotEqual(backup.returncode, 0)
        self.assertIn("pg_dump", backup.stderr)

        # a match of bots: when a rated one ended counts
        subprocess.run(["psql", "-q", "-c", "UPDATE match SET ended_at = 1000 WHERE id = 1", self.daemon.database],
                       check=True)
        self.assertIn("of 1 match", self.of("prune", "--older-than", "90d", "--yes"))
        self.assertIn("pruned", self.run_tool("replay", "--database", self.daemon.database, "1").stderr)
        self.of("verify", "--all")

    async def test_what_if_plays_a_stored_turn_another_way(self):
        _, match = await self.play_some()
        records = self.ask("SELECT count(*) FROM record")
        for commands, kinds in (([None, None], ["attacked", "hit", "died"]), ([[], None], [])):
            done = self.run_tool("what-if", str(match), "--turn", "2", "--json", "--database", self.daemon.database,
                                 given=json.dumps(commands))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            both = json.loads(done.stdout)
            self.assertEqual([event["kind"] for event in both["instead"]["events"]], kinds)
            self.assertIs(both["differs"], kinds == [])
            self.assertEqual(both["happened"]["outcome"], {"winner": 0, "reason": "eliminated"})
        self.assertEqual(self.ask("SELECT count(*) FROM record"), records)

    async def test_recomputed_ratings_replace_wrong_ones(self):
        await self.play_some()
        standings = "SELECT ruleset, player, games, wins, rating, deviation FROM standing ORDER BY 1, 2"
        seats = "SELECT match, seat, rating_before, rating_after FROM seat ORDER BY 1, 2"
        with self.daemon.down():
            before = self.ask(standings), self.ask(seats)
            for damage in ("UPDATE standing SET rating = rating + 1 WHERE player = (SELECT min(player) FROM standing)",
                           "DELETE FROM standing",
                           "UPDATE standing SET games = 0; UPDATE seat SET rating_after = 7 WHERE rating_after > 0"):
                with self.subTest(damage):
                    self.psql(damage)
                    done = self.run_tool("ratings", "recompute", "--check", "--database", self.daemon.database)
                    self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                    self.assertNotEqual((self.ask(standings), self.ask(seats)), before)
                    self.assertIn("now corrected", self.of("ratings recompute"))
                    self.assertEqual((self.ask(standings), self.ask(seats)), before)
                    self.assertIn(" 0 of them different", self.of("ratings recompute", "--check"))
            self.of("verify", "--all")

    def psql(self, sql):
        subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, self.daemon.database], check=True,
                       stdout=subprocess.DEVNULL)

    async def test_rows_that_no_record_proves_are_checked(self):
        """Each damage is found, and undone."""
        _, match = await self.play_some()
        self.of("verify", "--all")
        log = "INSERT INTO admin_log (id, at, uid, command, match, player, detail) VALUES (1000, 5, 0, "
        for where, damage, repair in (
                ("admin_log/match", log + "'end', 999, NULL, '{}')", "DELETE FROM admin_log WHERE id = 1000"),
                ("admin_log/player", log + "'kick', NULL, 999, '{}')", "DELETE FROM admin_log WHERE id = 1000"),
                ("admin_log/detail", log + "'kick', NULL, 1, '{\"a')", "DELETE FROM admin_log WHERE id = 1000"),
                ("ban", "INSERT INTO ban VALUES (1, 5, NULL, 'x')", "DELETE FROM ban"),
                ("ban", log + "'ban', NULL, 1, '{\"reason\":\"x\",\"hours\":1}')",
                 "DELETE FROM admin_log WHERE id = 1000"),
                ("bot_call_log/match", "INSERT INTO bot_call_log (match, turn, seat, bot, at, latency_ms, status) "
                 "VALUES (999, 0, 0, 'x', 5, 1, 200)", "DELETE FROM bot_call_log"),
                ("bot_call_log/bot", "INSERT INTO bot_call_log (match, turn, seat, bot, at, latency_ms, status) "
                 f"VALUES ({match}, 0, 0, 'x', 5, 1, 200)", "DELETE FROM bot_call_log"),
                ("record/match", "INSERT INTO record SELECT 999, seq, epoch, turn, seat, command_id, kind, at, hash, "
                 f"body FROM record WHERE match = {match} AND seq = 1", "DELETE FROM record WHERE match = 999"),
                ("schema/spy", "CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
                 "CREATE TRIGGER spy AFTER INSERT ON player EXECUTE FUNCTION spy()", "DROP FUNCTION spy CASCADE"),
                ("schema/seat_player_fkey", "ALTER TABLE seat DROP CONSTRAINT seat_player_fkey",
                 "ALTER TABLE seat ADD FOREIGN KEY (player) REFERENCES player (id)"),
                ("schema/record_command", "DROP INDEX record_command",
                 "CREATE UNIQUE INDEX record_command ON record (match, seat, command_id) "
                 "WHERE command_id IS NOT NULL")):
            with self.subTest(where=where, damage=damage):
                self.psql(damage)
                done = self.run_tool("verify", "--all", "--database", self.daemon.database)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(where, done.stdout + done.stderr)
                self.psql(repair)
        self.of("verify", "--all")

    async def test_tokens_players_statistics_and_bots(self):
        alice, match = await self.play_some()
        number = str(match)
        token = self.of("reset-token", alice.name).split()[-1]
        other = await self.connect()
        self.assertEqual((await other.get("welcome", "hello", protocol=1, token=token))["name"], alice.name)
        self.psql("INSERT INTO bot_call_log (match, turn, seat, bot, at, latency_ms, status, request, answer) VALUES "
                  f"({match}, 0, 0, 'http:http://127.0.0.1:1/', 5, 1, 200, '{{}}', 'an old answer')")
        done = self.run_tool("bot", "replay", "--database", self.daemon.database, "--match", number)
        self.assertIn("an old answer", done.stdout + done.stderr)
        self.psql("DELETE FROM bot_call_log")
        self.of("player forget", alice.name, "--yes")
        self.assertNotIn(alice.name, self.of("players"))
        self.of("verify", "--all")

    def test_no_part_of_a_malformed_address_is_shown(self):
        for address, hint in (("postgres://skirmish:sec%ret@localhost/x", "%25"),
                              ("postgres://skirmish:sec/ret@localhost/x", "%2F"),
                              ("postgres://skirmish:sec@ret@localhost/x", "%40"),
                              ("postgres://skirmish:sec@r/et@localhost/x", "%40")):
            with self.subTest(address):
                done = self.run_tool("matches", "--database", address)
                self.assertEqual(done.returncode, 1)
                self.assertIn(hint, done.stderr)
                self.assertNotIn("sec", done.stderr)
                self.assertNotIn("et@", done.stderr)

    def test_a_command_that_fails_shows_no_password(self):
        database = self.daemon.database.replace("skirmish@", "skirmish:secret@")
        self.assertNotEqual(database, self.daemon.database)
        self.psql("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'; "
                  "CREATE TRIGGER refuse BEFORE DELETE ON standing FOR EACH STATEMENT EXECUTE FUNCTION refuse()")
        done = self.run_tool("ratings", "recompute", "--database", database)
        self.psql("DROP FUNCTION refuse CASCADE")
        self.assertEqual(done.returncode, 1)
        self.assertIn("recompute", done.stderr)
        self.assertNotIn("secret", done.stderr)

    def test_programs_that_start_at_once_migrate_once(self):
        server = os.environ["POSTGRES"]
        subprocess.run(["psql", "-q", "-h", server, "-U", "skirmish", "-c", "CREATE DATABASE fresh", "postgres"],
                       check=True)
        database = f"postgres://skirmish@/fresh?host={server}"
        started = [subprocess.Popen([SKIRMISH, "migrate", "--database", database], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE, text=True) for _ in range(5)]
        self.assertEqual([(one.communicate()[1], one.returncode) for one in started], [("", 0)] * 5)
        self.assertIn("up to date", self.of("migrate", database=database))


class Divided(Commands):
    async def test_the_table_of_records_is_divided_as_the_handbook_says(self):
        """While a match is played; then a match comes into the second part, and the first is pruned and dropped."""
        with open(os.path.join(ROOT, "deploy", "README.md"), encoding="utf-8") as file:
            check, divide = re.findall("```sql\n(.*?)```", file.read(), re.S)
        alice, bob, match = await self.pair(rated=False)
        await self.play(alice, bob, match, 0, [], [move("b1", 1, 1)])
        records = self.ask("SELECT count(*) FROM match_record")
        self.ask(check)
        self.ask(divide)
        self.assertEqual(self.ask("SELECT count(*) FROM match_record"), records)
        await self.play(alice, bob, match, 1, [move("a1", 1, 2)], [])
        await self.play(alice, bob, match, 2, [attack("a1", 1, 1)], [])
        await bob.expect("over", match=match)
        self.of("verify", "--all")

        self.ask("SELECT setval(pg_get_serial_sequence('match', 'id'), 10000000)")
        self.daemon.restart()
        alice, bob, later = await self.pair()
        self.assertGreater(later, 10000000)
        await self.play(alice, bob, later, 0, [], [move("b1", 1, 1)])
        self.assertEqual(self.ask("SELECT count(*) FROM record_rest"), ["0"])
        self.assertEqual(self.ask("SELECT count(DISTINCT match) FROM match_record"), ["2"])  # no view has only a part
        self.of("verify", "--all")

        self.ask(f"UPDATE match SET ended_at = 1000 WHERE id = {match}")
        self.assertIn("of 1 match", self.of("prune", "--older-than", "90d", "--yes"))
        self.assertEqual(self.ask("SELECT count(*) FROM record_1"), ["0"])
        self.ask("DROP TABLE record_1")
        await self.play(alice, bob, later, 1, [move("a1", 1, 2)], [])
        self.of("verify", "--all")
