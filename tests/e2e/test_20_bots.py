"""Seats that the server's own bots play: practice in every ruleset, bots among themselves, restarts."""

import asyncio
import os
import subprocess

from client import PIKES, Case
from daemon import PROGRAM, TIME_LIMIT_S

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
LEVELS = ("random", "greedy", "search")


def bot(level):
    return {"bot": {"level": level}}


class Bots(Case):
    options = ("--frames-per-second", "100000", "--frames-burst", "100000")

    def verify(self, match):
        done = subprocess.run([SKIRMISH, "verify", str(match), "--database", self.daemon.database],
                              capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    async def practise(self, ruleset, level, turns):
        """Plays this many turns with random hints; the bot must play its own part."""
        alice = await self.player()
        joined = await alice.get("joined", "create", ruleset=ruleset, seats=[None, bot(level)])
        match = joined["match"]
        state = await alice.expect("state", match=match)
        self.assertEqual((joined["seat"], state["status"], state["rated"]), (0, "running", False))
        self.assertEqual([player["bot"] for player in state["players"]],
                         [False] + [True] * (len(state["players"]) - 1))
        open_now = state["turn_open"]
        for _ in range(turns):
            if 0 in open_now["owing"]:
                hints = (await alice.get("hints", "hints", match=match))["commands"]
                await alice.get("accepted", "submit", match=match, turn=open_now["turn"],
                                commands=hints[:1], command_id=f"t{open_now['turn']}", ready=True)
            turn = await alice.expect("turn", match=match)
            if "turn_open" not in turn:
                break
            open_now = turn["turn_open"]
        self.assertEqual(await alice.seen("bot_failed"), [])
        return match

    async def test_a_person_can_practise_against_a_bot_in_every_ruleset(self):
        self.assertTrue(self.schemas.rulesets)
        for ruleset in self.schemas.rulesets:
            for level in LEVELS:
                with self.subTest(ruleset=ruleset, level=level):
                    self.verify(await self.practise(ruleset, level, 6))

    async def test_bots_play_a_match_among_themselves_to_its_end(self):
        watcher = await self.player()
        joined, _ = await watcher.create(seats=[bot("greedy"), bot("random")], cycle_ms=None)
        self.assertIsNone(joined["seat"])
        over = await watcher.expect("over", match=joined["match"])
        self.assertEqual(await watcher.seen("bot_failed"), [])
        self.verify(joined["match"])
        self.assertIn(over["reason"], ("eliminated", "draw_eliminated", "draw_turn_limit"))

    async def test_a_bot_declines_one_draw_in_each_turn(self):
        alice = await self.player()
        joined, _ = await alice.create(seats=[None, bot("greedy")])
        match = joined["match"]
        await alice.get("done", "offer_draw", match=match)
        await alice.expect("draw", match=match, seat=1, offer="declined")
        await alice.get("done", "offer_draw", match=match)
        await alice.refused("already_offered", "offer_draw", match=match)
        await self.restart()
        alice, = await self.back(alice, match=match)
        await alice.submit(match, 0)
        await alice.expect("turn", match=match, turn=1)
        await alice.get("done", "offer_draw", match=match)
        await alice.expect("draw", match=match, seat=1, offer="declined")
        await alice.get("done", "resign", match=match, command_id="r")
        self.verify(match)

    async def test_a_cycle_plays_turn_after_turn(self):
        watcher = await self.player()
        joined, state = await watcher.create(params={**PIKES, "turn_limit": 12}, cycle_ms=10,
                                             seats=[bot("random"), bot("random")])
        self.assertEqual(state["cycle_ms"], 10)
        await watcher.expect("over", match=joined["match"])
        self.verify(joined["match"])

    async def test_a_match_goes_on_after_the_server_was_killed(self):
        watcher = await self.player()
        joined, _ = await watcher.create(params={**PIKES, "turn_limit": 60}, cycle_ms=50,
                                         seats=[bot("random"), bot("random")])
        alice = await self.player()
        own, _ = await alice.create(seats=[bot("greedy"), None])
        await watcher.expect("turn")
        await self.restart()
        watcher, = await self.back(watcher)
        await watcher.get("joined", "watch", match=joined["match"])
        state = await watcher.expect("state", match=joined["match"])
        if state["status"] != "over":
            await watcher.expect("over", match=joined["match"])
        alice, = await self.back(alice)
        await alice.resume(own["match"], 0)
        await alice.submit(own["match"], 0)
        await alice.expect("turn", match=own["match"])
        self.verify(joined["match"])
        self.verify(own["match"])

    async def test_many_at_once_are_all_served(self):
        watcher = await self.player()
        matches = []
        for _ in range(20):
            joined, _ = await watcher.create(params={**PIKES, "turn_limit": 8}, cycle_ms=None,
                                             seats=[bot("search"), bot("greedy")])
            matches.append(joined["match"])
        await asyncio.gather(*[watcher.expect("over", match=match) for match in matches[:1]])
        for match in matches[1:]:
            await watcher.expect("over", match=match)

    async def test_web_services_are_not_called_unless_that_is_configured(self):
        alice = await self.player()
        for wish in ({"http": "https://example.org/"}, {"name": "somebody"}):
            await alice.refused("not_allowed", "create", ruleset="halma", seats=[None, {"bot": wish}])
