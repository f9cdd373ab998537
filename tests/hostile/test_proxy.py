"""Matches over a network with faults: nothing is lost, nothing is doubled."""

import asyncio
import os
import random
import sqlite3
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "e2e"))

from client import PIKES  # noqa: E402
from daemon import Daemon  # noqa: E402
from player import Player  # noqa: E402
from proxy import Proxy  # noqa: E402

LONG = os.environ.get("LONG") == "yes"
PAIRS = 40 if LONG else 6
LIMIT_S = 1800 if LONG else 900  # against hanging


def draw(player):
    unit = "a1" if player.seat == 0 else "b1"
    cell = [player.draws.randrange(3), player.draws.randrange(4)]
    return [{"kind": player.draws.choice(("move", "attack")), "unit": unit, "target": cell}]


class Spoiled(unittest.TestCase):

    async def pair(self, number, url):
        players = [Player(f"{name}{number}", PIKES) for name in ("ann", "bob")]
        for i, player in enumerate(players):
            player.draws = random.Random(f"{self.seed} {number} {i}")
        match = await players[0].create(url)
        await players[1].join(url, match)
        await asyncio.gather(*(player.play(url, draw) for player in players))
        return players

    def check(self, database, players):
        """What was acknowledged is stored; what is stored was sent once."""
        for player in players:
            rows = database.execute(
                "SELECT command_id, count(*) FROM record WHERE match = ? AND seat = ? AND "
                "kind = 'submission' GROUP BY command_id", (player.match, player.seat)).fetchall()
            stored = dict(rows)
            self.assertEqual(set(stored.values()) - {1}, set(), f"{player.name}: doubled")
            self.assertEqual(set(player.accepted) - set(stored), set(), f"{player.name}: lost")
            self.assertEqual(set(stored) - set(player.accepted), set(),
                             f"{player.name}: stored and never acknowledged")
            public = database.execute(
                "SELECT count(*) FROM record WHERE match = ? AND kind IN "
                "('created', 'joined', 'turn', 'clock', 'offer', 'ended')", (player.match,))
            self.assertEqual(player.seq, public.fetchone()[0], player.name)

    async def play_all(self, daemon):
        """Plays all pairs at once; returns each pair and the proxy's faults."""
        async with Proxy(daemon.port, self.seed) as proxy:
            pairs = await asyncio.wait_for(
                asyncio.gather(*(self.pair(i, proxy.url()) for i in range(PAIRS))), LIMIT_S)
        return pairs, proxy.counts

    def test_nothing_is_lost_and_nothing_doubled(self):
        self.seed = os.environ.get("SEED", "1")
        with Daemon("--ping-interval", "2s", "--connections-per-address", "0",
                    "--address-factor", "0") as daemon:
            daemon.wait_until_ready()
            pairs, counts = asyncio.run(self.play_all(daemon))
            print(f"seed {self.seed}: {PAIRS} matches, "
                  f"{sum(player.connections for pair in pairs for player in pair)} connections: "
                  f"{counts}")
            database = sqlite3.connect(f"file:{daemon.database}?mode=ro", uri=True)
            for players in pairs:
                self.check(database, players)
            database.close()
            for fault in ("delay", "bytes", "reset", "hole"):
                self.assertGreater(counts[fault], 0, "there were too few faults")


if __name__ == "__main__":
    unittest.main()
