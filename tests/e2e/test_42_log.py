"""The log of whole matches: no tokens, commands or chat at any level; always readable."""

import itertools
import json
import unittest

from client import Case, move, pikes

NAMES = ['"', "\\", 'a"},{"b":"', "%s%n%x", "\\u0000", "{", "x" * 24]
number = itertools.count(1)


class Log(Case):

    options = ("--log-level", "debug", "--log-form", "json")

    def lines(self):
        return [json.loads(line) for line in self.daemon.log().decode().splitlines()]

    async def test_nothing_that_is_secret_is_in_it(self):
        alice, bob, match = await self.pair(params=pikes(turn_limit=3), visibility="open")
        tokens = [alice.token, bob.token]
        renewed = await alice.get("token", "renew_token")
        tokens.append(renewed["token"])
        alice.token = renewed["token"]
        await alice.submit(match, 0, move("a1", 1, 2), command_id="5ecre7-command")
        await alice.refused("malformed", "submit", match=match, turn=0, command_id="5ecre7-broken",
                            commands=[{"kind": "5ecre7-kind", "unit": "a1"}])
        await alice.get("done", "chat", match=match, text="5ecre7-chat")
        await bob.refused("wrong_turn", "submit", match=match, turn=9, command_id="5ecre7-late",
                          commands=[move("b1", 1, 1)])
        private, _ = await alice.create(visibility="private")
        await self.restart()
        [alice, bob] = await self.back(alice, bob, match=match)
        await bob.submit(match, 0, move("b1", 1, 1), command_id="5ecre7-second")
        await alice.expect("turn", match=match)
        await alice.get("done", "resign", match=match, command_id="5ecre7-resign")
        await bob.expect("over")
        self.daemon.get("/api/v1/matches?mine=1", f"Authorization: Bearer {alice.token}")
        self.daemon.restart(number=15)
        log = self.daemon.log()
        for token in tokens:
            for part in (token, token[:12], token.upper()):
                self.assertNotIn(part.encode(), log)
        for word in (b"5ecre7", b'"move"', b"target", joined_code(private)):
            self.assertNotIn(word, log)

    async def test_every_line_is_json_whatever_players_call_themselves(self):
        for name in NAMES:
            client = await self.connect()
            await client.get("welcome", "hello", protocol=1, name=name)
            await client.refused("unknown_match", "watch", match=10 ** 6 + next(number))
            await client.close()
        for line in self.lines():
            self.assertEqual(set(line), {"at", "level", "message"})
            self.assertIn(line["level"], ("error", "warning", "info", "debug"))

    async def test_a_match_does_not_fill_it(self):
        before = len(self.lines())
        alice, bob, match = await self.pair(params=pikes(turn_limit=1000))
        for turn in range(30):
            await self.play(alice, bob, match, turn, [], [])
        told = [line for line in self.lines()[before:] if line["level"] != "debug"]
        self.assertEqual(told, [])


def joined_code(joined):
    return joined["code"].encode()


if __name__ == "__main__":
    unittest.main()
