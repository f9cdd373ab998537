"""`skirmish export` and `import`: a match leaves one database, is proven, and is the same in another."""

import hashlib
import json
import os
import random
import sqlite3
import subprocess
import unittest

from client import PIKES, Case, column
from daemon import PROGRAM, TIME_LIMIT_S, Daemon
from test_32_query import PARAMETERS, QUERIES
from test_19_snarl import FAR

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
SEED = int(os.environ.get("SEED", "1"))

# Ruleset, params, seats and how many turns are played before a player resigns.
GAMES = [
    ("tactics", {**PIKES, "turn_limit": 6}, 2, 9),
    ("tactics", {}, 2, 3),
    ("halma", {"size": 6, "pieces": [[[0, 2], [1, 2], [0, 5]], [[3, 2], [4, 2], [5, 5]]],
               "destinations": [[[5, 0]], [[0, 0]]]}, 2, 6),
    ("racers", {"turn_limit": 40}, 2, 20),
    ("snarl", {"heroes": ["ada", "bob"], "levels": [FAR]}, 2, 12),
    ("snarl", {"heroes": ["ada", "bob", "cyd"], "round_limit": 3}, 3, 15),
]


def skirmish(*arguments, **how):
    return subprocess.run([SKIRMISH, *arguments], capture_output=True, timeout=TIME_LIMIT_S, check=False, **how)


def seal(lines):
    """Recomputes the end line of a match."""
    text = b"".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines)
    end = {"end": lines[0]["match"], "sha256": hashlib.sha256(text).hexdigest()}
    return text + json.dumps(end, separators=(",", ":")).encode() + b"\n"


def chain(lines):
    """Recomputes hashes and head."""
    previous = bytes(32)
    head, *records = lines
    for record in records:
        columns = (int(head["match"], 0), record["seq"], record["epoch"], record["turn"], record["seat"],
                   record["command_id"], record["kind"], record["body"], int(record["at"]))
        previous = hashlib.sha256(previous + b"".join(map(column, columns))).digest()
        record["hash"] = previous.hex()
    head["head"] = previous.hex()


def in_body(kind, change, place=0):
    """Changes the body of a record by a function on its JSON."""
    def run(lines):
        record = [line for line in lines if line.get("kind") == kind][place]
        body = json.loads(record["body"])
        change(body)
        record["body"] = json.dumps(body, separators=(",", ":"))
    return run


def repeat_an_id(lines):
    first, second = [line for line in lines if line.get("kind") == "submission" and line["seat"] == 0][:2]
    second["command_id"] = first["command_id"]


def in_head(name, value):
    return lambda lines: lines[0].__setitem__(name, value)


# Changes of a forger who recomputes all hashes, and what detects them.
FORGED = [
    ("another seed", in_head("seed", "0" * 64), "commitment"),
    ("another salt", in_head("salt", "0" * 64), "commitment"),
    ("another winner in the head", in_head("winner", 1), "winner"),
    ("another winner", in_body("ended", lambda body: body.__setitem__("winner", 1)), "winner"),
    ("another reason", in_head("reason", "resignation"), "reason"),
    ("other params", in_head("params", "{}"), "params"),
    ("other settings", lambda lines: in_head("settings", lines[0]["settings"].replace('"bank_ms":0', '"bank_ms":7'))(
        lines), "settings"),
    ("another ruleset", in_head("ruleset", "halma"), "params"),
    ("an unknown version", in_head("version", 99), "unknown_ruleset"),
    ("rated by the head alone", in_head("rated", True), "rated"),
    ("a bot by the head alone", lambda lines: lines[0]["seats"][0].__setitem__("bot", True), "is_bot"),
    ("another player", lambda lines: lines[0]["seats"][0].__setitem__("player", 77), "seats"),
    ("a seat less", lambda lines: lines[0]["seats"].pop(), "seats"),
    ("created earlier", in_head("created_at", "1"), "created_at"),
    ("started earlier", in_head("started_at", "1"), "started_at"),
    ("never started", in_head("started_at", None), "started_at"),
    ("ended later", in_head("ended_at", "9000000000000"), "ended_at"),
    ("another verdict", in_body("turn", lambda body: body["verdicts"][0].__setitem__(
        0, {"verdict": "occupied", "check": "occupied"})), "verdicts"),
    ("an event less", in_body("turn", lambda body: body["events"].pop()), "events"),
    ("another state", in_body("turn", lambda body: body.__setitem__("hash", "0" * 16)), "hash"),
    ("another seed at the end", in_body("ended", lambda body: body.__setitem__("seed", "0" * 64)), "seed"),
    ("a submission less", lambda lines: lines.remove([line for line in lines if line.get("kind") == "submission"][0]),
     "seq"),
    ("a command id twice", repeat_an_id, "command_id"),
    ("no end", lambda lines: lines.pop(), "ended_at"),
    ("another kind", lambda lines: lines[4].__setitem__("kind", "offer"), "bad_record"),
    ("no kind at all", lambda lines: lines[2].__setitem__("kind", "nonsense"), "kind"),
    ("a body that is not JSON", lambda lines: lines[-1].__setitem__("body", "{"), "bad_record"),
    ("a newer form", in_head("skirmish_match", 2), "unknown_form"),
    ("a member that is not known", in_head("more", 1), "malformed"),
    ("a name that is none", lambda lines: lines[0]["seats"][0].__setitem__("name", "\u00e4"), "seats"),
    ("a number that is none", in_head("match", "0x1"), "match"),
]


class Files(Case):

    def setUp(self):
        self.chance = random.Random(SEED)

    def export(self, *arguments):
        done = skirmish("export", "--database", self.daemon.database, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def check(self, data):
        return skirmish("import", "--check", "-", input=data)


class Played(Files):
    """Random matches."""

    options = ("--snapshot-every", "4", "--frames-per-second", "100000", "--frames-burst", "100000")

    async def choose(self, client, match):
        """A list of commands: of hints one, or in tactics one for some of the units."""
        hints = (await client.get("hints", "hints", match=match))["commands"]
        if not hints:
            return []
        if "unit" not in hints[0] or "path" in hints[0]:
            return [self.chance.choice(hints)]
        units = sorted({hint["unit"] for hint in hints})
        return [self.chance.choice([hint for hint in hints if hint["unit"] == unit])
                for unit in self.chance.sample(units, min(len(units), 3))]

    async def play_turn(self, players, match):
        """Every seat that owes commands sends some; returns False when the match is over."""
        state = await players[0].get("state", "resume", match=match, seq=0)
        if "outcome" in state["view"]:
            return False
        turn = state["turn_open"]["turn"]
        for seat in state["turn_open"]["owing"]:
            commands = await self.choose(players[seat], match)
            if self.chance.random() < 0.2:
                await players[seat].ask("submit", match=match, turn=turn, commands=commands, ready=False,
                                        command_id=f"maybe{turn}-{seat}")
            await players[seat].submit(match, turn, *commands, ready=True)
        await players[0].expect("turn", match=match)
        return True

    async def play_match(self, ruleset, params, seats, turns):
        players = [await self.player(f"p{seat}") for seat in range(seats)]
        joined, _ = await players[0].create(ruleset=ruleset, params=params)
        match = joined["match"]
        if seats > 2:  # a player joins and leaves
            guest = await self.player("guest")
            await guest.join(match)
            await guest.get("done", "leave", match=match)
        for player in players[1:]:
            await player.join(match)
        players.sort(key=lambda player: self.seat_of(match, player))
        for player in players:
            await player.seen()
            player.forget()
        for _ in range(turns):
            if not await self.play_turn(players, match):
                return match
        for seat, player in enumerate(players):
            answer = await player.ask("resign", match=match, command_id=f"enough{seat}")
            if answer["type"] == "error":
                break
        await players[0].expect("over", match=match)
        return match

    def seat_of(self, match, player):
        return self.query("SELECT seat FROM seat WHERE match = ? AND player = ?", match, player.player)[0][0]

    def expect_same_answers(self, database):
        for name in set(QUERIES) - {"ratings"}:  # what is imported is not rated
            parameters = PARAMETERS.get(name, [])
            player = self.query("SELECT name FROM player ORDER BY id LIMIT 1")[0][0]
            parameters = [f"player={player}"] if "player=" in "".join(parameters) else []
            told = [skirmish("query", "--database", path, name, "--form", "json", *parameters)
                    for path in (self.daemon.database, database)]
            self.assertEqual(told[0].returncode, 0, told[0].stderr)
            self.assertEqual(json.loads(told[0].stdout), json.loads(told[1].stdout), name)

    async def test_random_matches_of_every_ruleset_are_the_same_elsewhere(self):
        self.assertEqual({game[0] for game in GAMES}, set(self.schemas.rulesets))
        for game in GAMES:
            await self.play_match(*game)
        path = self.daemon.path("matches.jsonl")
        self.export("--all", "--out", path)
        other = self.daemon.path("other.db")
        done = skirmish("import", "--database", other, path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{len(GAMES)} imported, 0 already stored", done.stdout.decode())
        done = skirmish("verify", "--database", other, "--all")
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
        hashes = "SELECT match, seq, hash, body FROM record ORDER BY match, seq"
        database = sqlite3.connect(other)
        self.assertEqual(database.execute(hashes).fetchall(), self.query(hashes))
        self.assertEqual(database.execute("SELECT count(*) FROM standing").fetchall(), [(0,)])
        database.close()
        self.expect_same_answers(other)
        # What is there already is not stored again, here or there, and goes out as it came.
        for where in (other, self.daemon.database):
            done = skirmish("import", "--database", where, path)
            self.assertIn(f"0 imported, {len(GAMES)} already stored", done.stdout.decode(), done.stderr)
        with open(path, "rb") as file:
            self.assertEqual(skirmish("export", "--database", other, "--all").stdout, file.read())


# Played by a program that knew only version 1 of snarl, which says nothing of a locked exit.
OLD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "snarl-version-1.jsonl")


class Carry(Files):

    async def test_a_match_of_an_older_version_of_its_ruleset_still_holds(self):
        with open(OLD, "rb") as file:
            data = file.read()
        self.assertEqual(json.loads(data.splitlines()[0])["version"], 1)
        other = self.daemon.path("old.db")
        done = skirmish("import", "--database", other, OLD)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = skirmish("verify", "--database", other, "--all")
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)
        self.assertEqual(skirmish("export", "--database", other, "--all").stdout, data)
        lines = [json.loads(line) for line in data.splitlines()[:-1]]
        lines[0]["version"] = 2
        in_body("created", lambda body: body.__setitem__("version", 2))(lines)
        chain(lines)
        done = self.check(seal(lines))
        self.assertEqual(done.returncode, 1, done.stdout)

    async def test_all_finished_matches_of_a_player(self):
        alice, bob, first = await self.pair()
        await bob.get("done", "resign", match=first, command_id="r")
        await alice.expect("over", match=first)
        carol, dan, second = await self.pair()
        await dan.get("done", "resign", match=second, command_id="r")
        await carol.expect("over", match=second)
        joined, _ = await alice.create()
        await bob.join(joined["match"])
        done = skirmish("export", "--database", self.daemon.database, "--player", alice.name.upper())
        self.assertEqual(done.returncode, 0, done.stderr)
        heads = [json.loads(line) for line in done.stdout.splitlines() if b"skirmish_match" in line]
        self.assertEqual([head["match"] for head in heads], [str(first)])
        self.assertIn(b"1 exported, 1 unfinished and skipped, 0 failed", done.stderr)

    async def test_a_file_is_not_written_over_and_what_is_not_finished_stays(self):
        _, _, match = await self.pair()
        path = self.daemon.path("there.jsonl")
        with open(path, "w", encoding="ascii") as file:
            file.write("mine")
        done = skirmish("export", "--database", self.daemon.database, "--all", "--out", path)
        self.assertEqual(done.returncode, 1)
        with open(path, encoding="ascii") as file:
            self.assertEqual(file.read(), "mine")
        fresh = self.daemon.path("fresh.jsonl")
        done = skirmish("export", "--database", self.daemon.database, str(match), "--out", fresh)
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(f"match {match} is not over (running)", done.stderr.decode())
        self.assertIn(b"0 exported, 1 unfinished and skipped, 0 failed", done.stderr)
        self.assertFalse(os.path.exists(fresh))
        done = skirmish("export", "--database", self.daemon.database, "--all")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr.decode(), "^[0-9]+ exported, [1-9][0-9]* unfinished and skipped, 0 f")
        for arguments in (("export",), ("export", "x"), ("export", "--all", "1"), ("import",),
                          ("export", "--all", "--player", "x"), ("export", "1", "--player", "x")):
            self.assertEqual(skirmish(*arguments).returncode, 2, arguments)
        done = skirmish("import", self.daemon.path("nowhere"), "--database", self.daemon.path("made.db"))
        self.assertEqual(done.returncode, 1)

    async def won(self):
        """An unrated match with refusals, won by seat 0 in a few turns, as a file."""
        alice, bob, match = await self.pair(rated=False)
        await alice.submit(match, 0, {"kind": "move", "unit": "a1", "target": [0, 0]}, ready=False)
        for turn, (for_alice, for_bob) in enumerate((
                ({"kind": "move", "unit": "a1", "target": [1, 2]}, {"kind": "move", "unit": "b1", "target": [1, 1]}),
                ({"kind": "attack", "unit": "a1", "target": [1, 1]},
                 {"kind": "move", "unit": "b1", "target": [0, 1]}))):
            await self.play(alice, bob, match, turn, [for_alice], [for_bob])
        await alice.expect("over", match=match)
        return self.export(str(match))

    async def test_the_server_gives_the_same_file(self):
        data = await self.won()
        number = json.loads(data.splitlines()[0])["match"]
        answer = self.daemon.get(f"/api/v1/matches/{number}/file")
        self.assertEqual((answer.status, answer.body), (200, data))
        _, _, running = await self.pair()
        self.assertEqual(self.daemon.get(f"/api/v1/matches/{running}/file").status, 409)
        self.assertEqual(self.daemon.get("/api/v1/matches/999999/file").status, 404)

    async def test_a_forger_is_given_away_by_the_rules(self):
        data = await self.won()
        self.assertEqual(self.check(data).returncode, 0, self.check(data).stderr)
        lines = [json.loads(line) for line in data.splitlines()][:-1]
        self.assertEqual(seal(lines), data)
        for label, change, word in FORGED:
            with self.subTest(label):
                forged = json.loads(json.dumps(lines))
                change(forged)
                forged[0]["records"] = len(forged) - 1
                chain(forged)
                self.assertNotEqual(forged, lines)
                done = self.check(seal(forged))
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(word, done.stderr.decode())

    async def test_a_rated_match_is_not_made_an_unrated_one(self):
        alice, bob, match = await self.pair()
        await bob.get("done", "resign", match=match, command_id="r")
        await alice.expect("over", match=match)
        lines = [json.loads(line) for line in self.export(str(match)).splitlines()][:-1]
        lines[0]["rated"] = False
        done = self.check(seal(lines))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("/match/is_rated", done.stderr.decode())

    async def test_damage_anywhere_is_found_and_nothing_is_stored(self):
        data = await self.won()
        places = {name: data.index(b'"%s":"' % name.encode()) + len(name) + 4
                  for name in ("match", "params", "settings", "seed", "salt", "created_at", "head", "name",
                               "kind", "at", "hash", "body", "sha256", "end")}
        places.update({f"random byte {place}": place for place in self.chance.sample(range(len(data)), 30)})
        other = self.daemon.path("damaged.db")
        for label, place in places.items():
            with self.subTest(label):
                damaged = bytearray(data)
                damaged[place] ^= 1 << self.chance.randrange(8)
                done = skirmish("import", "--database", other, "-", input=bytes(damaged))
                self.assertEqual(done.returncode, 1, done.stdout)
        lines = data.splitlines(keepends=True)
        for label, damaged in (("cut in a line", data[:-9]), ("without its end", b"".join(lines[:-1])),
                               ("without a record", b"".join(lines[:3] + lines[4:])),
                               ("two changed places", b"".join(lines[:3] + lines[4:2:-1] + lines[5:])),
                               ("a record twice", b"".join(lines[:4] + lines[3:])), ("without its head", data[1:]),
                               ("something behind it", data + b"{}\n"), ("an empty line", b"\n" + data),
                               ("nothing at all", b"")):
            with self.subTest(label):
                done = self.check(damaged)
                self.assertEqual((done.returncode, done.stderr != b""), (1, True))
        self.assertFalse(os.path.exists(other), "nothing is stored, not even a file")

    async def test_a_daemon_serves_what_was_imported_while_it_ran(self):
        data = await self.won()
        number = json.loads(data.splitlines()[0])["match"]
        with Daemon() as there:
            there.wait_until_ready()
            # Its players 1 and 2 are others than those of the records; alice is here already.
            database = sqlite3.connect(there.database)
            for name in ("eve", "eva", json.loads(data.splitlines()[0])["seats"][0]["name"]):
                database.execute("INSERT INTO player (name, token_hash, created_at) VALUES (?, ?, 1)",
                                 (name, hashlib.sha256(name.encode()).digest()))
            database.commit()
            done = skirmish("import", "--database", there.database, "-", input=data)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"match {number} is match 1 here", done.stdout.decode())
            self.assertEqual(database.execute(
                "SELECT s.seat, p.name, p.id FROM seat s JOIN player p ON p.id = s.player").fetchall()[0][2], 3)
            database.close()
            told = json.loads(there.get("/api/v1/matches/1").body)
            self.assertEqual(told["players"], [seat["name"] for seat in json.loads(data.splitlines()[0])["seats"]])
            mine, self.__class__.daemon = self.daemon, there
            try:
                eve = await self.player("watcher")
                await eve.get("joined", "watch", match=1)
                state = await eve.expect("state", match=1)
                self.assertEqual(state["view"]["outcome"]["winner"], 0)
                self.assertEqual(self.query("SELECT status FROM match"), [("over",)])
            finally:
                self.__class__.daemon = mine


if __name__ == "__main__":
    unittest.main()
