"""`skirmish reset-token`: a lost or stolen token is replaced, also while the daemon runs."""

import os
import subprocess
import unittest

from client import Case
from daemon import PROGRAM

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")


def reset(*arguments):
    return subprocess.run([SKIRMISH, "reset-token", *arguments], capture_output=True, text=True,
                          timeout=60)


class ResetToken(Case):

    options = ("--log-level", "debug")

    async def test_the_new_one_works_and_the_old_one_does_not(self):
        alice, bob, match = await self.pair()
        done = reset(alice.name.upper(), "--database", self.daemon.database)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^[0-9a-f]{64}\n$")
        token = done.stdout.strip()
        self.assertNotEqual(token, alice.token)

        stranger = await self.connect()
        await stranger.refused("bad_token", "hello", protocol=1, token=alice.token)
        await self.play(alice, bob, match, 0, [], [])  # who is connected stays so
        again = await self.connect()
        welcome = await again.get("welcome", "hello", protocol=1, token=token)
        self.assertEqual((welcome["player"], welcome["name"]), (alice.player, alice.name))
        await self.restart()
        again = await self.connect()
        await again.get("welcome", "hello", protocol=1, token=token)
        self.assertNotIn(token.encode(), self.daemon.log())

    async def test_an_unknown_player_is_an_error_and_nothing_changes(self):
        alice = await self.player("alice")
        for arguments, code, words in (
                (("nobody", "--database", self.daemon.database), 1, "there is no player nobody"),
                (("--database", self.daemon.database), 2, "takes the name of a player"),
                ((alice.name, "--database", "/nonexistent/x.db"), 1, "/nonexistent/x.db")):
            with self.subTest(arguments):
                done = reset(*arguments)
                self.assertEqual((done.returncode, done.stdout), (code, ""))
                self.assertIn(words, done.stderr)
        await self.again(alice)


if __name__ == "__main__":
    unittest.main()
