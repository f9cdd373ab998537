"""A hundred games between the two halma services of tests/bots, one of which is killed and restarted.

Not part of the normal run: python3 -m unittest services_long, in this folder.
"""

import asyncio
import collections
import subprocess

from daemon import TIME_LIMIT_S
from test_21_services import SKIRMISH, Examples as Base, bot

GAMES = 100
AT_ONCE = 10
CYCLE_MS = 50


class HundredGames(Base):

    async def one(self, watcher, number):
        seats = [bot(self.python.url), bot(self.php.url)]
        joined = await watcher.get("joined", "create", ruleset="halma", cycle_ms=CYCLE_MS,
                                   seats=seats[::1 - 2 * (number % 2)])
        while True:
            frame = await asyncio.wait_for(watcher.expect(None, match=joined["match"]), 60)
            if frame["type"] == "bot_failed":
                self.failures[frame["error"]] += 1
            if frame["type"] == "over":
                return frame["reason"]

    async def player_of_games(self, numbers):
        watcher = await self.player()
        return [await self.one(watcher, number) for number in numbers]

    async def kill_once(self):
        await asyncio.sleep(10)
        self.php.kill()
        await asyncio.sleep(2)
        self.php.start()

    async def test_a_hundred_games_come_to_their_end_and_are_proved(self):
        self.failures = collections.Counter()
        *reasons, _ = await asyncio.gather(
            *[self.player_of_games(range(first, GAMES, AT_ONCE)) for first in range(AT_ONCE)],
            self.kill_once())
        ends = collections.Counter(reason for some in reasons for reason in some)
        print(dict(ends), dict(self.failures))
        self.assertEqual(sum(ends.values()), GAMES)
        self.assertTrue(set(ends) <= {"halmate", "draw_both_halmate", "draw_turn_limit", "stalled"}, ends)
        self.assertGreater(ends["halmate"], GAMES / 4, "they play worse than they should")
        self.assertEqual(self.query("SELECT count(*) FROM match WHERE status <> 'over'"), [(0,)])
        verified = subprocess.run([SKIRMISH, "verify", "--all", "--database", self.daemon.database],
                                  capture_output=True, text=True, timeout=10 * TIME_LIMIT_S)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
