"""Glicko-2 ratings: updated when a match ends, shown, and the same when recomputed."""

import json
import math
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import unittest

from client import Case, pikes
from daemon import PROGRAM, TIME_LIMIT_S, run
from test_39_backup_migrate import make_older

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
SEED = int(os.environ.get("SEED", "1"))


def skirmish(*arguments):
    return subprocess.run([SKIRMISH, *arguments], capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)


def one_game(player, opponent, score, tau=0.5):
    """(rating, deviation, volatility) after a game, by bisection instead of the paper's iteration."""
    mu, phi = (player[0] - 1500) / 173.7178, player[1] / 173.7178
    mu_j, phi_j = (opponent[0] - 1500) / 173.7178, opponent[1] / 173.7178
    g = 1 / math.sqrt(1 + 3 * phi_j ** 2 / math.pi ** 2)
    expected = 1 / (1 + math.exp(-g * (mu - mu_j)))
    v = 1 / (g * g * expected * (1 - expected))
    delta = v * g * (score - expected)
    a = math.log(player[2] ** 2)

    def f(x):
        spread = phi ** 2 + v + math.exp(x)
        return math.exp(x) * (delta ** 2 - spread) / (2 * spread ** 2) - (x - a) / tau ** 2
    low, high = a - 20, a + 20
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    volatility = math.exp(low / 2)
    after = 1 / math.sqrt(1 / (phi ** 2 + volatility ** 2) + 1 / v)
    return 1500 + 173.7178 * (mu + after ** 2 * g * (score - expected)), 173.7178 * after, volatility


def aged(player, elapsed_ms):
    phi = math.sqrt((player[1] / 173.7178) ** 2 + elapsed_ms / 86400000 * player[2] ** 2)
    return player[0], min(350, 173.7178 * phi), player[2]


class Ratings(Case):

    STANDINGS = ("SELECT ruleset, player, games, wins, draws, losses, rating, deviation, volatility, rated_at"
                 " FROM standing ORDER BY ruleset, player")

    async def end(self, players, seats, rated=True):
        """A match that ends at once: by its first player's resignation, its second's, or agreed as a draw."""
        first, second = players
        joined, _ = await first.create(rated=rated)
        match = joined["match"]
        await second.join(match)
        if seats == "draw":
            await first.get("done", "offer_draw", match=match)
            await second.get("done", "answer_draw", match=match, accept=True)
        else:
            await players[seats].get("done", "resign", match=match, command_id="r")
        await first.expect("over", match=match)
        return match

    def rows(self, path, sql=STANDINGS):
        database = sqlite3.connect(path)
        rows = database.execute(sql).fetchall()
        database.close()
        return [tuple(value.hex() if isinstance(value, float) else value for value in row) for row in rows]

    async def play_some(self):
        chance = random.Random(SEED)
        players = [await self.player(f"p{n}") for n in range(4)]
        pairs = [players[:2], players[2:]] + [chance.sample(players, 2) for _ in range(10)]
        for pair in pairs:
            await self.end(pair, chance.choice([0, 1, 1, "draw"]))
        await self.end(players[:2], 0, rated=False)
        return players

    def copy(self, name):
        path = self.daemon.path(name)
        done = skirmish("backup", "--database", self.daemon.database, path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def expect_figures(self, path):
        """Every rating, computed as in the paper from the stored order and results."""
        ratings, before = {}, {}
        for match, ended_at, winner, *players in self.rows(
                path, "SELECT m.id, m.ended_at, m.winner, a.player, b.player FROM rated_match r"
                " JOIN match m ON m.id = r.match JOIN seat a ON a.match = m.id AND a.seat = 0"
                " JOIN seat b ON b.match = m.id AND b.seat = 1 ORDER BY r.number"):
            now = []
            for player in players:
                figures, at = ratings.get(player, ((1500, 350, 0.06), ended_at))
                now.append(aged(figures, ended_at - at))
            for seat, player in enumerate(players):
                score = 0.5 if winner is None else float(winner == seat)
                ratings[player] = one_game(now[seat], now[1 - seat], score), ended_at
                before[match, seat] = now[seat][0]
        stored = {row[1]: tuple(map(float.fromhex, row[6:9])) for row in self.rows(path)}
        self.assertEqual(set(stored), set(ratings))
        for player, (figures, _) in ratings.items():
            for mine, theirs in zip(figures, stored[player]):
                self.assertAlmostEqual(mine, theirs, 3)
        for match, seat, rating in self.rows(path, "SELECT match, seat, rating_before FROM seat"
                                             " WHERE rating_before NOT NULL"):
            self.assertAlmostEqual(before.pop((match, seat)), float.fromhex(rating), 3)
        self.assertEqual(before, {})

    async def test_they_are_counted_when_a_match_ends_and_come_out_the_same_anew(self):
        players = await self.play_some()
        told = json.loads(self.daemon.get("/api/v1/leaderboard?ruleset=tactics").body)["leaderboard"]
        self.assertEqual({row["name"] for row in told}, {player.name for player in players})
        self.assertEqual([row["rating"] for row in told], sorted((row["rating"] for row in told), reverse=True))
        self.assertEqual({row["provisional"] for row in told}, {True})
        self.assertNotIn("rating", json.loads(self.daemon.get("/api/v1/leaderboard").body)["leaderboard"][0])
        done = skirmish("ratings", "recompute", "--database", self.daemon.database)
        self.assertEqual(done.returncode, 1)
        self.assertIn("another process", done.stderr)
        path = self.copy("copy.db")
        before = self.rows(path), self.rows(path, "SELECT * FROM seat")
        self.expect_figures(path)
        for arguments in (("--check",), ()):
            done = skirmish("ratings", "recompute", "--database", path, *arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, "12 rated matches make 4 ratings, 0 of them different from the stored ones\n")
            self.assertEqual((self.rows(path), self.rows(path, "SELECT * FROM seat")), before)
        listed = json.loads(skirmish("leaderboard", "--database", path, "--form", "json").stdout)
        self.assertEqual([(row["name"], row["rating"], row["deviation"], row["games"]) for row in listed],
                         [(row["name"], row["rating"], row["deviation"], row["games"]) for row in told])
        self.assertEqual({row["note"] for row in listed}, {"provisional"})
        halma = skirmish("leaderboard", "--database", path, "--ruleset", "halma", "--form", "json")
        self.assertEqual(halma.stdout, "[]\n")
        self.expect_found(path, before)
        self.expect_made_anew(before)

    def expect_found(self, path, before):
        database = sqlite3.connect(path)
        database.execute("UPDATE standing SET rating = rating + 1e-9 WHERE player = (SELECT min(player) FROM standing)")
        database.commit()
        done = skirmish("ratings", "recompute", "--check", "--database", path)
        self.assertEqual((done.returncode, ", 1 of them different" in done.stdout), (1, True), done.stdout)
        self.assertNotEqual(self.rows(path), before[0])
        done = skirmish("ratings", "recompute", "--database", path)
        self.assertEqual((done.returncode, "1 of them different" in done.stdout), (0, True))
        self.assertEqual(self.rows(path), before[0])
        # A changed result: both players' figures and all later ones differ.
        database.execute("UPDATE match SET winner = CASE winner WHEN 0 THEN 1 ELSE 0 END WHERE id ="
                         " (SELECT match FROM rated_match ORDER BY number LIMIT 1)")
        database.commit()
        database.close()
        self.assertEqual(skirmish("ratings", "recompute", "--check", "--database", path).returncode, 1)

    def expect_made_anew(self, before):
        """A database from before ratings existed gets them from its stored matches."""
        path = self.copy("old.db")
        make_older(path)
        done = skirmish("migrate", "--database", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        seats = self.rows(path, "SELECT match, seat, rating_before, rating_after FROM seat")
        self.assertEqual((self.rows(path), seats),
                         (before[0], [row[:2] + row[4:6] for row in before[1]]))

    def test_wrong_usage_is_said(self):
        for arguments in ((), ("x",), ("recompute", "x")):
            self.assertEqual(skirmish("ratings", *arguments).returncode, 2, arguments)
        done = skirmish("ratings", "recompute", "--database", self.daemon.path("nowhere.db"))
        self.assertEqual(done.returncode, 1)
        self.assertFalse(os.path.exists(self.daemon.path("nowhere.db")))


class Rules(Case):
    """With the limits as they are by default."""

    options = ("--rated-params", "default", "--rated-turns", "4", "--rated-repeats", "3")

    def standings(self):
        database = sqlite3.connect(self.daemon.database)
        rows = database.execute("SELECT p.name, t.games, t.wins, t.rating FROM standing t"
                                " JOIN player p ON p.id = t.player ORDER BY p.name").fetchall()
        database.close()
        return {name: (games, wins, rating) for name, games, wins, rating in rows}

    async def lose(self, winner, loser, turns, **how):
        """The loser resigns in the last of so many turns."""
        joined = await winner.get("joined", "create", ruleset="tactics", clock=None, **how)
        match = joined["match"]
        state = await winner.expect("state", match=match)
        self.assertTrue(state["rated"])
        await loser.join(match)
        for turn in range(turns - 1):
            await self.play(winner, loser, match, turn, [], [])
        await loser.get("done", "resign", match=match, command_id="r")
        await winner.expect("over", match=match)

    def check(self):
        """Recomputed ratings equal the stored ones."""
        copy = self.daemon.path("copy.db")
        if os.path.exists(copy):
            os.remove(copy)
        self.assertEqual(skirmish("backup", copy, "--database", self.daemon.database).returncode, 0)
        done = skirmish("ratings", "recompute", "--check", "--database", copy)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = skirmish("verify", "--all", "--database", copy)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Bought(Rules):
    """Matches that cannot be rated."""

    async def test_only_open_matches_with_default_params_are_rated(self):
        alice = await self.player("alice")
        for how, is_rated in (({}, True), ({"visibility": "private"}, False), ({"params": pikes()}, False),
                              ({"rated": False}, False)):
            await alice.get("joined", "create", ruleset="tactics", **how)
            self.assertEqual((await alice.expect("state"))["rated"], is_rated, how)

    async def private(self, asked, **how):
        """Alice creates a private match with this `rated`, and bob joins with his; returns the match."""
        alice, bob = await self.player("alice"), await self.player("bob")
        joined = await alice.get("joined", "create", ruleset="tactics", visibility="private", clock=None,
                                 **({"rated": asked[0]} if asked[0] is not None else {}))
        state = await alice.expect("state")
        self.assertEqual(state["rated"], asked[0] is True, "until a player joins, it says what was requested")
        await bob.get("joined", "join", code=joined["code"],
                      **({"rated": asked[1]} if asked[1] is not None else {}), **how)
        return alice, bob, joined["match"]

    async def test_a_private_match_counts_if_both_ask_for_it(self):
        for asked in ((None, None), (None, True), (True, None), (True, False), (False, True), (True, True)):
            with self.subTest(asked):
                alice, bob, match = await self.private(asked)
                is_rated = asked == (True, True)
                self.assertEqual((await bob.expect("state"))["rated"], is_rated)
                seated = await alice.expect("seated")
                self.assertEqual(seated.get("unrated", False), asked[0] is True and not is_rated)
                for turn in range(3):
                    await self.play(alice, bob, match, turn, [], [])
                await bob.get("done", "resign", match=match, command_id="r")
                await alice.expect("over", match=match)
                self.assertEqual(alice.name in self.standings(), is_rated)
                self.check()

    async def test_a_private_match_that_both_asked_for_is_so_after_a_restart_and_in_a_rematch(self):
        for asked in ((True, None), (True, True)):
            alice, bob, match = await self.private(asked)
            await alice.expect("seated")
            await bob.expect("state")
            await self.restart()
            alice, bob = await self.back(alice, bob, match=match)
            state = await alice.get("state", "resume", match=match, seq=10**6)
            self.assertEqual(state["rated"], asked[1] is True)
            await bob.get("done", "resign", match=match, command_id="r")
            await alice.expect("over", match=match)
            await alice.send("rematch", match=match)
            again = (await alice.expect("joined"))["match"]
            await bob.send("rematch", match=match)
            await bob.expect("joined", match=again)
            self.assertEqual((await bob.expect("state", match=again))["rated"], asked[1] is True)
            self.check()

    async def test_a_match_of_few_turns_does_not_count(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        for turns in (1, 3):
            await self.lose(alice, bob, turns)
        self.assertFalse({alice.name, bob.name} & set(self.standings()))
        self.check()
        carol = await self.player("carol")
        await self.lose(alice, carol, 4)
        standings = self.standings()
        self.assertEqual([standings[player.name][:2] for player in (alice, carol)], [(1, 1), (1, 0)])
        self.check()

    async def test_the_same_two_count_only_so_often_in_a_day(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        for count in range(1, 6):
            players = (alice, bob) if count % 2 else (bob, alice)
            await self.lose(*players, 4)
            self.assertEqual(self.standings()[alice.name][0], min(count, 3))
        before = self.standings()
        await self.lose(alice, bob, 4)
        self.assertEqual(self.standings(), before)
        self.check()


class Listed(Rules):
    """Params that the operator lists count as well."""

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.file = os.path.join(cls.folder, "rated.json")
        cls.list({"tactics": [pikes()]})
        cls.options = (*Rules.options, "--rated-params-file", cls.file)
        super().setUpClass()

    @classmethod
    def list(cls, params):
        with open(cls.file, "w", encoding="utf-8") as file:
            json.dump(params, file, indent=2)

    def reload(self, words):
        count = self.daemon.log().count(words)
        self.daemon.process.send_signal(signal.SIGHUP)
        self.daemon.wait_for_log(words, count + 1)

    async def is_rated(self, **how):
        alice = await self.player("alice")
        await alice.get("joined", "create", ruleset="tactics", **how)
        return (await alice.expect("state"))["rated"]

    async def test_listed_params_are_rated_until_a_reload_finds_others(self):
        self.list({"tactics": [pikes()]})
        self.reload(b"reloaded")
        self.assertTrue(await self.is_rated())
        self.assertTrue(await self.is_rated(params=pikes()))
        self.assertFalse(await self.is_rated(params=pikes(turn_limit=77)))
        self.assertFalse(await self.is_rated(params=pikes(), visibility="private"))
        self.list({"tactics": [pikes(turn_limit=0)]})
        self.reload(f"not reloaded: rated-params-file: {self.file}: /tactics/0/turn_limit: ".encode())
        self.assertTrue(await self.is_rated(params=pikes()), "the old ones stay")
        self.list({"tactics": [pikes(turn_limit=77)]})
        self.reload(b"reloaded")
        self.assertFalse(await self.is_rated(params=pikes()))
        self.assertTrue(await self.is_rated(params=pikes(turn_limit=77)))

    async def test_they_count_and_hold(self):
        self.list({"tactics": [pikes()]})
        self.reload(b"reloaded")
        alice, bob = await self.player("alice"), await self.player("bob")
        await self.lose(alice, bob, 4, params=pikes())
        self.assertEqual(self.standings()[alice.name][:2], (1, 1))
        self.check()

    def test_a_start_with_a_wrong_file_names_what_is_wrong(self):
        for text, words in ((None, "No such file"), ("", "rated-params-file"), ('{"chess": []}', "/chess: "),
                            (" " * (4 << 20) + "{}", "is too large")):
            path = os.path.join(self.folder, "wrong.json")
            if text is not None:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            done = run("--port", "0", "--metrics-port", "-1", "--database", self.daemon.path("wrong.db"),
                       "--rated-params-file", path)
            self.assertEqual((done.returncode, words in done.stderr), (2, True), done.stderr)


class Newcomers(Rules):

    async def test_a_newcomer_does_not_move_a_settled_rating(self):
        alice = await self.player("alice")
        await self.lose(alice, await self.player("bob"), 4)
        self.daemon.stop()
        database = sqlite3.connect(self.daemon.database)
        database.execute("UPDATE standing SET deviation = 60.0 WHERE wins = 1")
        database.commit()
        database.close()
        self.daemon.start()
        [alice] = await self.back(alice)
        before = self.standings()[alice.name]
        carol = await self.player("carol")
        await self.lose(alice, carol, 4)
        after = self.standings()
        self.assertEqual((after[alice.name][0], after[alice.name][2]), (before[0] + 1, before[2]))
        self.assertLess(after[carol.name][2], 1500)


class OwnStanding(Case):

    end = Ratings.end

    async def test_the_leaderboard_tells_somebody_their_own_standing(self):
        players = [await self.player(name) for name in ("ann", "bea", "cid")]
        await self.end(players[:2], 0)

        def standing(client, query="?ruleset=tactics&mine=1"):
            headers = () if client is None else (f"Authorization: Bearer {client.token}",)
            return self.daemon.get(f"/api/v1/leaderboard{query}", *headers)
        for client, rows in ((players[0], [(players[0].name, 0, 1)]), (players[1], [(players[1].name, 1, 0)]),
                             (players[2], [])):
            told = json.loads(standing(client).body)["leaderboard"]
            self.assertEqual([(row["name"], row["wins"], row["losses"]) for row in told], rows)
        self.assertEqual(json.loads(standing(players[0], "?ruleset=halma&mine=1").body)["leaderboard"], [])
        self.assertEqual(len(json.loads(standing(players[0], "?ruleset=tactics").body)["leaderboard"]), 2)
        self.assertEqual(standing(None).status, 401)


class Profile(Case):

    end = Ratings.end

    async def test_a_player_is_shown_with_ratings_opponents_and_what_each_match_changed(self):
        players = [await self.player(name) for name in ("dan", "eve")]
        matches = [await self.end(players, winner) for winner in (0, 0, 1)]

        def ask(path, client=None):
            headers = () if client is None else (f"Authorization: Bearer {client.token}",)
            return self.daemon.get(f"/api/v1/{path}", *headers)
        dan = json.loads(ask("players/me", players[0]).body)
        self.assertEqual(dan["name"], players[0].name)
        self.assertEqual([row["match"] for row in dan["history"]], matches[::-1])
        rating = 1500
        for row in dan["history"][::-1]:
            self.assertEqual(row["rating"] - row["change"], rating)
            rating = row["rating"]
        self.assertEqual([(row["ruleset"], row["rating"]) for row in dan["standings"]], [("tactics", rating)])
        self.assertEqual([(row["name"], row["won"], row["drawn"], row["lost"]) for row in dan["opponents"]],
                         [(players[1].name, 1, 0, 2)])
        self.assertEqual(json.loads(ask(f"players/{dan['id']}").body), dan)
        listed = json.loads(ask(f"matches/{matches[0]}").body)["ratings"]
        self.assertEqual([row["change"] for row in listed], [-162, 162])
        for path, status in (("players/me", 401), ("players/0", 404), ("players/-1", 404), ("players/999999", 404),
                             ("players/1x", 404), ("players/", 404)):
            self.assertEqual(ask(path).status, status, path)


if __name__ == "__main__":
    unittest.main()
