"""The players of `skirmish play` and the others are saved and used again."""

import os
import stat

from client import Case
from daemon import Daemon
from test_34_play_watch import Terminals


class Tokens(Terminals, Case):
    def players(self, like):
        return [name for name, in self.query("SELECT name FROM player WHERE name LIKE ?", like)]

    async def leave(self, terminal):
        await terminal.type("quit")
        code, out, err = await terminal.end()
        self.assertEqual((code, err), (0, ""))
        return out

    async def test_quit_and_come_back_to_the_match(self):
        player = await self.run_program("play", "--ruleset", "halma", "--against", "random", "--name",
                                        "Coming Back")
        await player.type("all", "1", "send")
        await player.until("turn 1")
        out = await self.leave(player)
        match, = self.query("SELECT max(id) FROM match")[0]
        self.assertIn(f"skirmish play --match {match} --name 'Coming Back' --url ws://", out)
        for how in ((), ("--name", "coming back"), ("--match", str(match)), ("--join", str(match))):
            with self.subTest(how=how):
                player = await self.run_program("play", *how)
                self.assertIn("Coming Back (you, seat 0)", await player.until("turn 1"))
                await self.leave(player)
        player = await self.run_program("play")
        await player.type("resign")
        await player.end()
        code, _, err = await (await self.run_program("play")).end()
        self.assertEqual(code, 1)
        self.assertIn("there is no match to continue: start one with --ruleset", err)
        self.assertEqual(len(self.players("coming back")), 1)

    async def test_without_a_name_the_saved_player_is_used_but_never_twice_at_once(self):
        where = ("--token-file", self.daemon.path("guests"))
        others = len(self.players("play-%"))
        first = await self.run_program("play", "--ruleset", "tactics", "--create", *where)
        await first.until("match")
        second = await self.run_program("play", "--ruleset", "tactics", "--create", *where)
        await second.until("match")
        guests = self.players("play-%")
        self.assertEqual(len(guests), others + 2)
        for terminal in (first, second):
            terminal.process.stdin.close()
            await terminal.end()
        third = await self.run_program("play", "--ruleset", "halma", "--against", "random", *where)
        await self.leave(third)
        self.assertEqual(self.players("play-%"), guests)

    async def test_only_the_owner_can_read_the_file(self):
        file = self.daemon.path("own")
        player = await self.run_program("play", "--ruleset", "halma", "--against", "random",
                                        "--token-file", file, "--name", "Owner")
        await self.leave(player)
        self.assertEqual(stat.S_IMODE(os.stat(file).st_mode), 0o600)
        with open(file, encoding="utf-8") as lines:
            server, word, name, token, match = lines.read().splitlines()[0].split("\t")
        self.assertEqual((server, word, name, len(token)),
                         (self.daemon.url("").rstrip("/"), "play", "Owner", 64))
        self.assertGreater(int(match), 0)

    async def test_a_server_that_forgot_the_player_gets_a_new_one_of_the_name(self):
        with Daemon() as other:
            how = ("play", "--ruleset", "tactics", "--create", "--name", "Phoenix", "--url",
                   other.url())
            for _ in range(2):
                player = await self.run_program(*how, url=False)
                await player.until("skirmish play --join 1\n")
                player.process.stdin.close()
                self.assertEqual((await player.end())[0], 0)
                other.stop()
                for name in os.listdir(other.folder.name):
                    if name.startswith("test.db"):
                        os.unlink(other.path(name))
                other.process.stdout.close()
                other.start()

    async def test_without_a_place_for_tokens_everything_else_works(self):
        environment = {"XDG_STATE_HOME": "/dev/null/nowhere"}
        player = await self.run_program("play", "--ruleset", "halma", "--against", "random",
                                        environment=environment)
        await player.type("quit")
        code, _, err = await player.end()
        self.assertEqual(code, 0)
        self.assertIn("cannot save tokens: /dev/null/nowhere/skirmish/tokens", err)
        code, _, err = await (await self.run_program("play", "--ruleset", "halma", "--token-file",
                                                     "/dev/null/x")).end()
        self.assertEqual(code, 1)
        self.assertIn("/dev/null/x: Not a directory", err)
