"""hello, names, tokens, bots; and clients that send nonsense."""

import asyncio
import hashlib
import json
import signal
import unittest

from client import PIKES, Case

MESSAGE_MAX = 16 * 1024
CREATE_MAX = 256 * 1024


class Hello(Case):

    async def test_a_new_player_gets_a_token_and_comes_back_with_it(self):
        alice = await self.player("alice")
        self.assertRegex(alice.token, "^[0-9a-f]{64}$")
        other = await self.connect()
        welcome = await other.get("welcome", "hello", protocol=1, token=alice.token)
        self.assertEqual((welcome["name"], welcome["player"]), (alice.name, alice.player))
        self.assertNotIn("token", welcome)

    async def test_the_token_is_stored_as_a_hash_only(self):
        alice = await self.player("alice")
        [(stored,)] = self.query("SELECT token_hash FROM player WHERE id = ?", alice.player)
        self.assertEqual(stored, hashlib.sha256(bytes.fromhex(alice.token)).digest())
        await self.restart()
        for name in (self.daemon.database, self.daemon.database + "-wal"):
            with open(name, "rb") as file:
                data = file.read()
            self.assertFalse(alice.token.encode() in data)
            self.assertFalse(bytes.fromhex(alice.token) in data)
        self.assertFalse(alice.token.encode() in self.daemon.log())

    async def test_a_token_is_good_after_a_restart(self):
        alice = await self.player("alice")
        await self.restart()
        self.assertEqual((await self.again(alice)).name, alice.name)

    async def test_only_ping_is_answered_before_hello(self):
        client = await self.connect()
        await client.get("pong", "ping")
        await client.refused("hello_first", "list")
        await client.refused("hello_first", "create", ruleset="tactics")
        await client.get("welcome", "hello", protocol=1, name="first-hello")

    async def test_a_second_hello_is_refused(self):
        alice = await self.player("alice")
        await alice.refused("already_hello", "hello", protocol=1, name="another")

    async def test_another_version_is_refused_and_hello_may_be_said_again(self):
        client = await self.connect()
        await client.refused("unsupported_protocol", "hello", protocol=2, name="from-tomorrow")
        await client.get("welcome", "hello", protocol=1, name="from-tomorrow")

    async def test_a_name_is_taken_whatever_its_case(self):
        await (await self.connect()).get("welcome", "hello", protocol=1, name="Zoe The First")
        client = await self.connect()
        await client.refused("name_taken", "hello", protocol=1, name="zOE tHE fIRST")
        await client.get("welcome", "hello", protocol=1, name="Zoe The Second")

    async def test_two_players_who_want_one_name_at_once_do_not_both_get_it(self):
        clients = [await self.connect() for _ in range(5)]
        answers = await asyncio.gather(*(client.ask("hello", protocol=1, name="wanted")
                                         for client in clients))
        self.assertEqual(sorted(answer.get("code", "") for answer in answers),
                         ["", *["name_taken"] * 4])

    async def test_bad_names_are_refused(self):
        client = await self.connect()
        for name in (" x", "x ", "\t", "a\x7fb", "zoë", "a\nb"):
            with self.subTest(name):
                await client.refused("bad_name", "hello", protocol=1, name=name)
        await client.get("welcome", "hello", protocol=1, name="!" + 22 * "~" + "'")

    async def test_names_that_are_too_long_or_empty_are_malformed(self):
        client = await self.connect()
        for name in ("", 25 * "x"):
            error = await client.refused("malformed", "hello", protocol=1, name=name)
            self.assertEqual(error["at"], "/name")

    async def test_hello_needs_either_a_name_or_a_token(self):
        client = await self.connect()
        await client.refused("malformed", "hello", protocol=1)
        await client.refused("malformed", "hello", protocol=1, name="x", token=64 * "0")

    async def test_an_unknown_token_is_refused(self):
        client = await self.connect()
        for token in (64 * "0", "x", 128 * "f"):
            await client.refused("bad_token", "hello", protocol=1, token=token)

    async def test_a_renewed_token_voids_the_old_one_and_keeps_connections(self):
        alice = await self.player("alice")
        other = await self.again(alice)
        token = (await alice.get("token", "renew_token"))["token"]
        self.assertNotEqual(token, alice.token)
        await other.get("matches", "list")
        client = await self.connect()
        await client.refused("bad_token", "hello", protocol=1, token=alice.token)
        welcome = await client.get("welcome", "hello", protocol=1, token=token)
        self.assertEqual(welcome["player"], alice.player)
        await self.restart()
        client = await self.connect()
        await client.refused("bad_token", "hello", protocol=1, token=alice.token)
        await client.get("welcome", "hello", protocol=1, token=token)

    async def test_bots_are_marked_for_everybody_and_play_unrated(self):
        bot, alice = await self.player("bot", bot=True), await self.player("alice")
        joined, state = await alice.create()
        await bot.join(joined["match"])
        seated = await alice.expect("seated")
        self.assertTrue(seated["bot"])
        state = await alice.get("state", "resume", match=joined["match"], seq=0)
        self.assertEqual([player["bot"] for player in state["players"]], [False, True])
        self.assertFalse(state["rated"])
        await self.restart()
        [alice] = await self.back(alice)
        state = await alice.get("state", "resume", match=joined["match"], seq=0)
        self.assertEqual(([player["bot"] for player in state["players"]], state["rated"]),
                         ([False, True], False))
        self.assertTrue((await (await self.connect()).get(
            "welcome", "hello", protocol=1, token=bot.token))["bot"])

    async def test_two_people_play_rated_unless_told_otherwise(self):
        for how, is_rated in (({}, True), ({"rated": False}, False), ({"seed": 64 * "5"}, False)):
            alice, bob, match = await self.pair(**how)
            state = await bob.get("state", "resume", match=match, seq=0)
            self.assertEqual(state["rated"], is_rated, how)


class Nonsense(Case):

    async def test_missing_unknown_and_wrong_members_are_told_with_their_place(self):
        alice = await self.player("alice")
        second = await self.player("alice")
        for client, kind, members, at in (
                (alice, "leave", {}, "/match"),
                (alice, "leave", {"match": "1"}, "/match"),
                (alice, "leave", {"match": 1, "more": 1}, "/more"),
                (alice, "create", {"ruleset": "tactics", "clock": {"turn_ms": 9}}, "/clock/turn_ms"),
                (second, "submit", {"match": 1, "turn": 0, "command_id": "x"}, "/commands"),
                (second, "submit", {"match": 1, "turn": 0, "commands": []}, "/command_id"),
                (second, "answer_draw", {"match": 1, "accept": None}, "/accept"),
                (second, "chat", {"match": 1, "text": 501 * "x"}, "/text")):
            with self.subTest(kind, **members):
                error = await client.refused("malformed", kind, **members)
                self.assertEqual(error["at"], at)

    async def test_an_unknown_frame_is_malformed(self):
        alice = await self.player("alice")
        error = await alice.refused("malformed", "dance")
        self.assertEqual(error["at"], "/type")

    async def test_the_fifth_malformed_message_closes_the_connection(self):
        alice = await self.player("alice")
        for text in ("", "{", "[]", '{"type":"ping","type":"ping"}', '{"type":1}'):
            await alice.socket.send(text)
        self.assertEqual(await alice.close_code(), 1008)
        kinds = [frame.get("code", frame["type"]) for frame in alice.inbox]
        self.assertEqual(kinds, [*["malformed"] * 5, "closing"])
        await self.again(alice)

    async def test_more_frames_than_the_limit_are_not_looked_at(self):
        alice = await self.player("alice")
        self.daemon.process.send_signal(signal.SIGSTOP)  # so that it receives all of them at once
        ids = [await alice.send("ping") for _ in range(300)]
        self.daemon.process.send_signal(signal.SIGCONT)
        frames = [await alice.receive() for _ in range(300)]
        codes = [frame.get("code", frame["type"]) for frame in frames]
        self.assertEqual(set(codes), {"pong", "rate_limited"})
        self.assertGreaterEqual(codes.count("pong"), 99)
        self.assertEqual([frame["id"] for frame in frames], ids)  # each is answered once
        # the connection stays open, and is accepted again after the time in the answer
        await asyncio.sleep(max(frame.get("retry_ms", 0) for frame in frames) / 1000)
        await alice.get("pong", "ping")

    async def test_what_is_no_json_is_answered_with_its_id(self):
        alice = await self.player("alice")
        await alice.socket.send('{"type":"ping","id":"half')
        self.assertNotIn("id", await alice.expect("error", code="malformed"))
        await alice.socket.send('{"type":"ping","id":"whole",}')
        await alice.expect("error", code="malformed", id="whole")

    async def test_welcome_says_how_many_frames_are_heard(self):
        client = await self.connect()
        welcome = await client.get("welcome", "hello", protocol=1, name="how many")
        self.assertEqual((welcome["frames_per_second"], welcome["frames_burst"]), (50, 100))

    async def test_a_frame_of_more_than_16_KiB_is_too_large(self):
        alice = await self.player("alice")
        text = json.dumps({"type": "ping", "id": "x"})
        await alice.socket.send(text + (MESSAGE_MAX - len(text)) * " ")
        await alice.expect("pong", id="x")
        await alice.socket.send(text + (MESSAGE_MAX - len(text) + 1) * " ")
        self.assertEqual((await alice.expect("error", id="x"))["code"], "too_large")
        await alice.get("pong", "ping")

    async def test_create_may_have_256_KiB_and_no_more(self):
        alice = await self.player("alice")
        text = json.dumps({"type": "create", "id": "x", "ruleset": "tactics", "params": PIKES})
        await alice.socket.send(text + (CREATE_MAX - len(text)) * " ")
        await alice.expect("joined", id="x")
        await alice.socket.send(text + (CREATE_MAX - len(text) + 1) * " ")
        # 1006: the close frame was lost, because later data met a closed socket
        self.assertIn(await alice.close_code(), (1009, 1006))


class Impatient(Case):
    options = ("--hello-timeout", "5s")

    async def test_a_client_without_a_hello_in_time_is_disconnected(self):
        alice = await self.player("alice")
        client = await self.connect()
        self.assertEqual(await client.close_code(), 1008)
        self.assertEqual(client.inbox[-1]["type"], "closing")
        await alice.get("pong", "ping")
        self.assertEqual(self.daemon.metrics()['skirmish_limited_total{option="hello-timeout"}'], 1)


if __name__ == "__main__":
    unittest.main()
