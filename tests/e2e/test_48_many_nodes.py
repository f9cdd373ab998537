"""Many nodes behind one address: the tool's commands go after a match that moved, and play on."""

import asyncio

from client import PIKES, Case, move, pikes
from daemon import TIME_LIMIT_S
from nodes import Nodes
from test_34_play_watch import Terminals

TURNS = 6


class ManyNodes(Terminals, Case):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.nodes = await Nodes(self.daemon.url()).start()
        self.addAsyncCleanup(self.nodes.stop)

    async def run_there(self, *words):
        home = self.daemon.path("home-" + words[0])
        return await self.run_program(*words, "--url", self.nodes.url, url=False,
                                      environment={"HOME": home, "XDG_STATE_HOME": home})

    async def match_of_alice(self, **settings):
        alice = await self.player("alice")
        joined, _ = await alice.create(**settings)
        return alice, joined["match"]

    async def play_turns(self, alice, match, first, last):
        """alice stays where she is, and waits for the turn each time."""
        for turn in range(first, last):
            await alice.submit(match, turn)
            await alice.expect("turn", match=match, turn=turn + 1)

    async def end(self, terminal, words):
        code, out, err = await terminal.end()
        self.assertEqual(code, 0, out + err)
        self.assertIn(words, out)

    async def test_a_bot_finds_the_match_follows_it_and_survives_the_death_of_its_node(self):
        models = {"pike": {**PIKES["models"]["pike"], "health": 1000}}
        alice, match = await self.match_of_alice(params=pikes(models=models))
        bot = await self.run_there("bot", "--join", str(match), "--level", "random")
        await alice.expect("seated")
        await self.play_turns(alice, match, 0, 2)
        await self.nodes.move("/n/three/")
        await self.play_turns(alice, match, 2, 4)
        await self.nodes.kill("/n/three/", "/")
        await self.play_turns(alice, match, 4, TURNS)
        await self.nodes.move("/n/two/")
        await self.nodes.move("/")
        await self.play_turns(alice, match, TURNS, 2 * TURNS)
        await alice.ask("resign", match=match, command_id="r")
        await self.end(bot, f"match {match}: won (resignation)")
        self.assertEqual(self.nodes.connections[:4], ["/", "/n/two/", "/n/three/", "/"])

    async def test_a_match_of_the_queue_on_another_node_is_played(self):
        bot = await self.run_there("bot", "--ruleset", "tactics", "--games", "1", "--level", "random")
        await bot.until("plays random")
        while not self.nodes.followed:
            await asyncio.sleep(0.01)
        [waiting] = self.nodes.followed
        _, match = await self.match_of_alice()
        await self.nodes.say_moved(waiting, match)
        while "/n/two/" not in self.nodes.connections:
            await asyncio.sleep(0.01)
        self.assertNotIn("/", self.nodes.connections[1:], "it does not wait in the queue again")

    async def test_watching_begins_at_another_node_and_goes_on_at_a_third(self):
        alice, match = await self.match_of_alice(seats=[None, {"bot": {"level": "random"}}])
        watcher = await self.run_there("watch", str(match))
        await watcher.until(f"match {match}, tactics")
        await self.nodes.move("/n/three/")
        await alice.submit(match, 0, move("a1", 0, 3))
        await watcher.until("Pike a1 moves from 1,3 to 0,3")
        await self.nodes.kill("/n/three/", "/")
        await alice.submit(match, 1, move("a1", 1, 3))
        await watcher.until("Pike a1 moves from 0,3 to 1,3")
        await alice.ask("resign", match=match, command_id="r")
        await self.end(watcher, "random bot wins: resignation")

    async def test_orders_that_were_answered_by_moved_are_sent_again_there(self):
        alice, match = await self.match_of_alice()
        player = await self.run_there("play", "--join", str(match), "--name", "Terminal")
        await player.type("b1 move 1,1")
        await player.until("> ")
        self.nodes.place = "/n/three/"  # nobody is told
        player.process.stdin.write(b"send\n")
        await player.until("the match moved to another server")
        await player.until("sent")
        await alice.submit(match, 0, move("a1", 1, 2))
        await player.until("Pike a1 moves from 1,3 to 1,2")
        await alice.ask("resign", match=match, command_id="r")
        await self.end(player, "Terminal wins: resignation")
        self.assertEqual(self.nodes.connections, ["/", "/n/two/", "/n/three/"])

    async def test_arena_counts_every_match_though_all_of_them_move(self):
        self.nodes.place = "/"
        arena = await self.run_there("arena", "--ruleset", "tactics", "--params", '{"turn_limit":4}', "--games", "6",
                                     "--parallel", "3", "--cycle-ms", "200", "random", "random")
        while not any(len(matches) >= 3 for matches in self.nodes.followed.values()):
            await asyncio.sleep(0.01)
        await self.nodes.move("/n/three/")
        await self.end(arena, "6 matches of tactics")

    async def test_a_circle_is_left_with_a_message_and_never_a_busy_one(self):
        _, match = await self.match_of_alice()
        self.nodes.place = "/n/nowhere/"
        self.nodes.is_elsewhere = lambda client, frame: frame.get("match") is not None
        watcher = await self.run_there("watch", str(match))
        out, err = await asyncio.wait_for(watcher.process.communicate(), TIME_LIMIT_S)
        self.assertEqual(watcher.process.returncode, 1, out)
        self.assertIn(b"the match moves from server to server", err)
        self.assertEqual(len(self.nodes.connections), 31)

    async def test_a_path_of_another_address_is_not_followed(self):
        _, match = await self.match_of_alice()
        for path in ("//evil.example/", "/\\evil.example/", "wss://evil.example/"):
            self.nodes.place = path
            watcher = await self.run_there("watch", str(match))
            out, err = await asyncio.wait_for(watcher.process.communicate(), TIME_LIMIT_S)
            self.assertEqual(watcher.process.returncode, 1, out + err)
        self.assertEqual(self.nodes.connections, ["/"] * 3)
