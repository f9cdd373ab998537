"""Timers on an idle server: cycles end when they are due, not at the next frame."""

import asyncio
import statistics
import time

from client import PIKES, Case
from daemon import Daemon

CYCLE_MS = 300
CYCLES = 50

# The constant lateness on an idle server, compared with a busy one in the same run.
MARGIN_S = 0.1


class OnTime(Case):

    async def match(self, name):
        """Two silent players: every turn is ended by its cycle."""
        player, other = await self.player(name), await self.player(name)
        joined, _ = await player.create(params={**PIKES, "turn_limit": CYCLES + 2}, cycle_ms=CYCLE_MS)
        await other.join(joined["match"])
        return player, other

    async def lateness(self, player):
        """The median of the turns' intervals beyond the cycle, in seconds: single delays of a busy machine do
        not change it."""
        await player.expect("turn", turn=1)
        late, before = [], time.monotonic()
        for turn in range(2, CYCLES + 2):
            await player.expect("turn", turn=turn)
            late.append(time.monotonic() - before - CYCLE_MS / 1000)
            before = time.monotonic()
        return statistics.median(late)

    async def keep_busy(self, client):
        while True:
            await client.get("pong", "ping")
            await asyncio.sleep(0.02)

    async def test_cycles_are_as_punctual_on_an_idle_server_as_on_a_busy_one(self):
        idle = await self.match("idle")
        self.daemon = self.enterContext(Daemon())
        self.daemon.wait_until_ready()
        noise = asyncio.ensure_future(self.keep_busy(await self.player("busy")))
        busy = await self.match("not-idle")
        try:
            late_s = await asyncio.gather(*map(self.lateness, idle + busy))
        finally:
            noise.cancel()
        self.assertLess(max(late_s[:2]), max(late_s[2:]) + MARGIN_S)
