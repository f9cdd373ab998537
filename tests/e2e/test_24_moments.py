"""Finished matches: moments over HTTP and WebSocket, what-if, compression."""

import gzip
import json
import time
import unittest

from client import attack, move
from daemon import TIME_LIMIT_S
from test_30_replay import Played


class Moments(Played):

    def moments(self, match, query="", *headers):
        answer = self.daemon.get(f"/api/v1/matches/{match}/moments{query}", *headers)
        self.assertEqual(answer.status, 200, answer.data)
        return [json.loads(line) for line in answer.body.splitlines()]

    async def test_they_are_those_of_the_terminal(self):
        _, _, match = await self.played()
        told = self.moments(match)
        self.assertEqual(told[:-1], [json.loads(line) for line in self.replay(match, "--json").stdout.splitlines()])
        self.assertEqual(told[-1], {"next": None, "last": 3})
        for view, option in (("1", ("--seat", "1")), ("spectator", ("--spectator",))):
            shown = self.replay(match, "--json", *option).stdout.splitlines()
            self.assertEqual(self.moments(match, f"?view={view}")[:-1], [json.loads(line) for line in shown])

    async def test_they_come_in_pages(self):
        _, _, match = await self.played()
        pages, after = [], None
        while True:
            *page, end = self.moments(match, f"?limit=3{'' if after is None else f'&after={after}'}")
            pages.append([moment["turn"] for moment in page])
            after = end["next"]
            if after is None:
                break
        self.assertEqual(pages, [[0, 1, 2], [3]])

    async def test_they_are_there_when_the_match_is_over(self):
        alice, bob, match = await self.pair()
        self.assertEqual(self.daemon.get(f"/api/v1/matches/{match}/moments").status, 409)
        await bob.get("done", "resign", match=match, command_id="r")
        await alice.expect("over")
        self.assertEqual([moment["turn"] for moment in self.moments(match)[:-1]], [0, 1])
        for path, status in ((f"{match}/moments?view=2", 409), (f"{match}/moments?view=x", 404),
                             (f"{match}/moments?view=9", 404), ("999999/moments", 404)):
            self.assertEqual(self.daemon.get(f"/api/v1/matches/{path}").status, status, path)

    async def test_private_ones_are_shown_by_their_code(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create(visibility="private")
        match, code = joined["match"], joined["code"]
        await bob.join(match, code=code)
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [])
        await bob.get("done", "resign", match=match, command_id="r")
        await alice.expect("over")
        for path in ("", "/replay", "/moments"):
            for wrong in ("", "?code=", f"?code={code}x", "?code=" + 40 * "x"):
                with self.subTest(path=path, code=wrong):
                    self.assertEqual(self.daemon.get(f"/api/v1/matches/{match}{path}{wrong}").status, 404)
            self.assertEqual(self.daemon.get(f"/api/v1/matches/{match}{path}?code={code}").status, 200)
        self.assertEqual(json.loads(self.daemon.get(f"/api/v1/matches/{match}?code={code}").body)["code"], code)
        self.assertNotIn(code, self.daemon.get(f"/api/v1/matches/{match}/replay?code={code}").body.decode())
        carol = await self.player("carol")
        asked = {"match": match, "turn": 0, "commands": [[], []]}
        self.assertEqual((await carol.get("error", "what_if", **asked))["code"], "unknown_match")
        self.assertEqual((await carol.get("error", "what_if", code=code + "x", **asked))["code"], "unknown_match")
        self.assertEqual((await carol.get("what_if", "what_if", code=code, **asked))["turn"], 1)

    async def test_private_ones_are_their_players(self):
        alice = await self.player("ann")
        joined, _ = await alice.create(visibility="private")
        match, code = joined["match"], joined["code"]
        bob = await self.player("bea")
        await bob.get("joined", "join", code=code)
        await bob.get("done", "resign", match=match, command_id="r")
        await alice.expect("over")
        path = f"/api/v1/matches/{match}/moments"
        carol = await self.player("cid")
        for client, status in ((None, 404), (carol, 404), (alice, 200)):
            headers = () if client is None else (f"Authorization: Bearer {client.token}",)
            self.assertEqual(self.daemon.get(path, *headers).status, status)
        error = await carol.get("error", "watch", match=match, ms_per_turn=1)
        self.assertEqual(error["code"], "unknown_match")
        await carol.get("done", "watch", match=match, ms_per_turn=1, code=code)
        error = await carol.get("error", "what_if", match=match, turn=0, commands=[[], []])
        self.assertEqual(error["code"], "unknown_match")

    async def test_long_texts_are_compressed_for_clients_that_accept_it(self):
        _, _, match = await self.played()
        path = f"/api/v1/matches/{match}/moments"
        plain = self.daemon.get(path)
        self.assertNotIn("content-encoding", plain.headers)
        packed = self.daemon.get(path, "Accept-Encoding: deflate, gzip;q=0.8")
        self.assertEqual((packed.headers["content-encoding"], packed.headers["vary"]), ("gzip", "accept-encoding"))
        self.assertLess(len(packed.body), len(plain.body))
        self.assertEqual(gzip.decompress(packed.body), plain.body)
        refused = self.daemon.get(path, "Accept-Encoding: gzip;q=0, identity")
        self.assertEqual(refused.body, plain.body)
        short = self.daemon.get("/api/v1/queue", "Accept-Encoding: gzip")
        self.assertNotIn("content-encoding", short.headers)

    async def test_watching_shows_them_one_after_the_other(self):
        alice, _, match = await self.played()
        match = int(match)
        carol = await self.player("carol")
        await carol.get("done", "watch", match=match, ms_per_turn=1)
        told = [await carol.expect("replay") for _ in range(4)]
        self.assertEqual([frame["moment"] for frame in told], self.moments(match)[:-1])
        self.assertEqual({frame["last"] for frame in told}, {3})
        # From another turn, as a seat saw it, and no further.
        await alice.get("done", "watch", match=match, ms_per_turn=0, turn=2, seat=1)
        moment = (await alice.expect("replay"))["moment"]
        self.assertEqual((moment["turn"], moment["view"]["seat"]), (2, 1))

    async def test_a_show_is_changed_and_ended_by_its_watcher(self):
        _, _, match = await self.played()
        match = int(match)
        carol = await self.player("carol")
        await carol.get("done", "watch", match=match, ms_per_turn=60000)
        self.assertEqual((await carol.expect("replay"))["moment"]["turn"], 0)
        await carol.get("done", "watch", match=match, ms_per_turn=60000, turn=3)
        self.assertEqual((await carol.expect("replay"))["moment"]["turn"], 3)
        await carol.get("done", "watch", match=match, ms_per_turn=50000, turn=1)
        self.assertEqual((await carol.expect("replay"))["moment"]["turn"], 1)
        await carol.get("done", "leave", match=match)
        error = await carol.get("error", "leave", match=match)
        self.assertEqual(error["code"], "not_in_match")

    async def test_a_match_that_is_on_cannot_be_shown_again(self):
        alice, _, match = await self.pair()
        error = await alice.get("error", "watch", match=match, ms_per_turn=10)
        self.assertEqual((error["code"], error["message"]), ("not_allowed", "the match is not over"))

    async def test_what_if_of_a_match_that_is_over(self):
        _, _, match = await self.played()
        match = int(match)
        carol = await self.player("carol")
        told = await carol.get("what_if", "what_if", match=match, turn=2,
                               commands=[[move("a1", 1, 3)], [attack("b1", 1, 2)]])
        self.assertEqual(told["turn"], 3)
        self.assertEqual([event["kind"] for event in told["events"]], ["moved", "attacked"])
        self.assertIsNone(told["outcome"])
        self.assertEqual([unit["at"] for unit in told["view"]["units"]], [[1, 3], [1, 1]])
        happened = self.moments(match)[3]
        same = await carol.get("what_if", "what_if", match=match, turn=2, commands=happened["commands"])
        for member in ("events", "verdicts", "outcome"):
            self.assertEqual(same[member], happened[member])
        self.assertEqual(same["state"], happened["state"])
        for members, code in (({}, "wrong_turn"), ({"turn": 3}, "wrong_turn"), ({"turn": 99}, "wrong_turn"),
                              ({"turn": 0, "commands": [[]]}, "malformed"),
                              ({"turn": 0, "commands": [[{"kind": "dance"}], []]}, "malformed")):
            error = await carol.get("error", "what_if", match=match, **{"commands": [[], []], **members})
            self.assertEqual(error["code"], code, members)

    async def test_what_one_player_asks_at_a_time_has_a_limit(self):
        """8, see reads-per-player; more are refused with a time to wait, and accepted when those are answered."""
        _, _, match = await self.played()
        carol, dave = await self.player("carol"), await self.player("dave")
        asked = {"match": int(match), "turn": 0, "commands": [[], []]}
        refused = 0
        until = time.monotonic() + TIME_LIMIT_S
        while refused == 0:
            self.assertLess(time.monotonic(), until)
            for _ in range(20):
                await carol.send("what_if", **asked)
            for _ in range(20):
                answer = await carol.receive()
                refused += answer["type"] == "error"
                self.assertEqual(answer.get("code", "busy"), "busy")
        self.assertEqual(self.daemon.metrics()['skirmish_limited_total{option="reads-per-player"}'], refused)
        for player in (dave, carol):
            await player.get("what_if", "what_if", **asked)


if __name__ == "__main__":
    unittest.main()
