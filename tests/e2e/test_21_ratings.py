"""Glicko-2 ratings: counted when a match ends, shown, and the same when they are counted anew."""

import json
import math
import os
import random
import sqlite3
import subprocess
import unittest

from client import Case
from daemon import PROGRAM, TIME_LIMIT_S
from test_14_upkeep import make_older

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
SEED = int(os.environ.get("SEED", "1"))


def skirmish(*arguments):
    return subprocess.run([SKIRMISH, *arguments], capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)


def one_game(player, opponent, score, tau=0.5):
    """(rating, deviation, volatility) after a game, by bisection instead of the paper's way."""
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
        """Every rating, worked out by the paper from the order and the results that are stored."""
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
            self.assertEqual(done.stdout, "12 rated matches make 4 ratings, 0 of them other than stored\n")
            self.assertEqual((self.rows(path), self.rows(path, "SELECT * FROM seat")), before)
        listed = json.loads(skirmish("leaderboard", "--database", path, "--form", "json").stdout)
        self.assertEqual([(row["name"], row["rating"], row["deviation"], row["games"]) for row in listed],
                         [(row["name"], row["rating"], row["deviation"], row["games"]) for row in told])
        self.assertEqual({row["note"] for row in listed}, {"provisional"})
        self.assertEqual(skirmish("leaderboard", "--database", path, "--ruleset", "halma", "--form", "json").stdout, "[]\n")
        self.expect_found(path, before)
        self.expect_made_anew(before)

    def expect_found(self, path, before):
        database = sqlite3.connect(path)
        database.execute("UPDATE standing SET rating = rating + 1e-9 WHERE player = (SELECT min(player) FROM standing)")
        database.commit()
        done = skirmish("ratings", "recompute", "--check", "--database", path)
        self.assertEqual((done.returncode, ", 1 of them other than stored" in done.stdout), (1, True), done.stdout)
        self.assertNotEqual(self.rows(path), before[0])
        done = skirmish("ratings", "recompute", "--database", path)
        self.assertEqual((done.returncode, "1 of them other" in done.stdout), (0, True))
        self.assertEqual(self.rows(path), before[0])
        # A result that is another: both players' figures and all that follow from them.
        database.execute("UPDATE match SET winner = CASE winner WHEN 0 THEN 1 ELSE 0 END WHERE id ="
                         " (SELECT match FROM rated_match ORDER BY number LIMIT 1)")
        database.commit()
        database.close()
        self.assertEqual(skirmish("ratings", "recompute", "--check", "--database", path).returncode, 1)

    def expect_made_anew(self, before):
        """A database of a time before there were ratings gets them from what is stored."""
        path = self.copy("old.db")
        make_older(path)
        done = skirmish("migrate", "--database", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.rows(path), self.rows(path, "SELECT match, seat, rating_before, rating_after FROM seat")),
                         (before[0], [row[:2] + row[4:6] for row in before[1]]))

    def test_wrong_usage_is_said(self):
        for arguments in ((), ("x",), ("recompute", "x")):
            self.assertEqual(skirmish("ratings", *arguments).returncode, 2, arguments)
        done = skirmish("ratings", "recompute", "--database", self.daemon.path("nowhere.db"))
        self.assertEqual(done.returncode, 1)
        self.assertFalse(os.path.exists(self.daemon.path("nowhere.db")))


if __name__ == "__main__":
    unittest.main()
