"""The queue, lists of matches, and the HTTP API."""

import json
import re
import unittest

from client import PIKES, Case, move, pikes, provoked


def number(row):
    """Of the match that a row of a list is about."""
    return row["id"]


class Queue(Case):

    async def test_two_players_who_want_the_same_are_paired(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        await alice.get("queued", "queue", ruleset="tactics", params=PIKES)
        await bob.get("done", "queue", ruleset="tactics", params=PIKES)
        seats = set()
        for client in (alice, bob):
            joined = await client.expect("joined")
            self.assertNotIn("id", joined)
            seats.add(joined["seat"])
            state = await client.expect("state", match=joined["match"])
            self.assertEqual((state["status"], state["seq"]), ("running", 3))
        self.assertEqual(seats, {0, 1})
        await self.play(alice, bob, joined["match"], 0, [], [])
        state = await alice.get("state", "resume", match=joined["match"], seq=0)
        self.assertTrue(state["rated"])
        self.assertIsNotNone(state["clock"])

    async def test_other_params_are_another_queue(self):
        alice, bob, carol = [await self.player("player") for _ in range(3)]
        await alice.get("queued", "queue", ruleset="tactics", params=pikes(turn_limit=11))
        await bob.get("queued", "queue", ruleset="tactics", params=pikes(turn_limit=12))
        # the same params with defaults written out
        await carol.get("done", "queue", ruleset="tactics",
                        params=pikes(turn_limit=12, placement=False, start_rows=1))
        self.assertEqual((await bob.expect("joined"))["match"],
                         (await carol.expect("joined"))["match"])
        self.assertEqual(await alice.seen(), [])
        await alice.get("done", "queue", ruleset="tactics", params=pikes(turn_limit=11),
                        cancel=True)

    async def test_who_waits_is_listed_with_what_they_want(self):
        def queue(*names):
            listed = json.loads(self.daemon.get("/api/v1/queue").body)["queue"]
            return [row for row in listed if row["name"] in names]
        ann, bob = await self.player("ann"), await self.player("bob")
        long = {**pikes(turn_limit=18), "models": {f"m{i}": pikes()["models"]["pike"] for i in range(40)} |
                pikes()["models"]}
        await ann.get("queued", "queue", ruleset="tactics", rating_min=1400, rating_max=4000)
        await bob.get("queued", "queue", ruleset="tactics", params=long)
        rows = queue(ann.name, bob.name)
        self.assertEqual([(row["name"], row["rating"], row["bot"]) for row in rows],
                         [(ann.name, None, False), (bob.name, None, False)])
        seek = rows[0]["seek"]
        self.assertEqual((seek["ruleset"], seek["params"], seek["rating_min"], seek["rating_max"]),
                         ("tactics", {}, 1400, 4000))
        self.assertEqual((seek["settings"]["turn_ms"], seek["settings"]["rated"]), (60000, True))
        self.assertIsNone(rows[1]["seek"]["params"], "they are long")
        await bob.get("done", "queue", ruleset="tactics", cancel=True)
        self.assertEqual(len(queue(ann.name, bob.name)), 1)
        carol = await self.player("carol")
        await carol.get("done", "queue", ruleset="tactics", rating_max=1500)
        self.assertEqual((await ann.expect("joined"))["match"], (await carol.expect("joined"))["match"])
        self.assertEqual(queue(ann.name, carol.name), [])

    async def test_a_player_who_waits_twice_is_not_paired_with_themselves(self):
        alice = await self.player("alice")
        other = await self.again(alice)
        for client in (alice, other, alice):
            await client.get("queued", "queue", ruleset="tactics", params=pikes(turn_limit=13))

    async def test_the_wait_ends_with_cancel_and_with_the_connection(self):
        alice, bob, carol = [await self.player("player") for _ in range(3)]
        params = pikes(turn_limit=14)
        await alice.get("queued", "queue", ruleset="tactics", params=params)
        await alice.get("done", "queue", ruleset="tactics", params=params, cancel=True)
        await bob.get("queued", "queue", ruleset="tactics", params=params)
        await bob.close()
        while self.daemon.metrics()["skirmish_net_websockets"] > 2:
            pass
        await carol.get("queued", "queue", ruleset="tactics", params=params)

    async def test_what_cannot_be_played_is_refused(self):
        alice = await self.player("alice")
        await alice.refused("unknown_ruleset", "queue", ruleset="chess")
        error = await alice.get("error", "queue", ruleset="tactics", params={"rows": 1})
        self.assertEqual(error["at"], "/params/rows")


class Lists(Case):

    async def all_of(self, client, **how):
        rows, after = [], {}
        while True:
            page = await client.get("matches", "list", **how, **after)
            self.assertLessEqual(len(page["matches"]), 50)
            rows += page["matches"]
            if page["next"] is None:
                return rows
            after = {"after": page["next"]}

    async def test_the_newest_come_first_in_pages_of_fifty(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        made = [(await client.create())[0]["match"]
                for client in (alice, bob) for _ in range(35)]
        self.assertEqual((await alice.get("matches", "list"))["next"] is None, False)
        rows = await self.all_of(alice, status="waiting")
        numbers = [number(row) for row in rows]
        self.assertEqual(numbers, sorted(set(numbers), reverse=True))
        self.assertLessEqual(set(made), set(numbers))
        rows = await self.all_of(bob, mine=True)
        self.assertEqual(sorted(number(row) for row in rows), made[35:])

    async def test_the_filters_pass_what_they_say(self):
        alice, bob, match = await self.pair()
        carol = await self.player("carol")
        waiting, _ = await carol.create()
        for how, has_running, has_waiting in (
                ({}, True, True), ({"status": "any"}, True, True),
                ({"status": "running"}, True, False), ({"status": "waiting"}, False, True),
                ({"status": "over"}, False, False), ({"ruleset": "tactics"}, True, True),
                ({"ruleset": "chess"}, False, False), ({"mine": True}, False, True)):
            with self.subTest(**how):
                numbers = {number(row) for row in await self.all_of(carol, **how)}
                self.assertEqual((match in numbers, waiting["match"] in numbers),
                                 (has_running, has_waiting))
        row = next(row for row in await self.all_of(carol) if number(row) == match)
        self.assertEqual((row["ruleset"], row["version"], row["status"], row["players"]),
                         ("tactics", 1, "running", [alice.name, bob.name]))

    async def test_private_matches_are_shown_to_their_players_only(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        joined, _ = await alice.create(visibility="private")
        match = joined["match"]
        self.assertIn(match, [number(row) for row in await self.all_of(alice, mine=True)])
        self.assertNotIn(match, [number(row) for row in await self.all_of(bob)])
        self.assertNotIn(match, [number(row) for row in self.http("matches")["matches"]])
        path = f"/api/v1/matches/{match}"
        self.assertEqual(self.daemon.get(path).status, 404)
        self.assertEqual(self.daemon.get(path + "/replay").status, 404)
        for client, status in ((alice, 200), (bob, 404)):
            answer = self.daemon.get(path, f"Authorization: Bearer {client.token}")
            self.assertEqual(answer.status, status)
        answer = self.daemon.get(path, "Authorization: Bearer " + 64 * "0")
        self.assertEqual(answer.status, 401)

    def http(self, path, *headers):
        answer = self.daemon.get(f"/api/v1/{path}", *headers)
        self.assertEqual(answer.status, 200, answer.data)
        return json.loads(answer.body)

    async def test_http_shows_the_same_lists(self):
        alice, bob, match = await self.pair()
        waiting, _ = await (await self.player("carol")).create()
        numbers = [number(row) for row in self.http("matches?limit=200")["matches"]]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertLessEqual({match, waiting["match"]}, set(numbers))
        page = self.http("matches?limit=1")
        self.assertEqual([number(row) for row in page["matches"]], [waiting["match"]])
        page = self.http(f"matches?limit=1&after={page['next']}")
        self.assertEqual([number(row) for row in page["matches"]], [match])
        numbers = [number(row) for row in self.http("matches?status=running")["matches"]]
        self.assertIn(match, numbers)
        self.assertNotIn(waiting["match"], numbers)
        mine = self.http("matches?mine=1", f"Authorization: Bearer {alice.token}")["matches"]
        self.assertEqual([number(row) for row in mine], [match])
        self.assertEqual(self.daemon.get("/api/v1/matches?mine=1").status, 401)

    async def test_http_shows_a_match_and_its_replay(self):
        alice, bob, match = await self.pair()
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [move("b1", 1, 1)])
        await alice.submit(match, 1, move("a1", 0, 2))
        shown = self.http(f"matches/{match}")
        self.assertEqual((number(shown), shown["status"], shown["players"]),
                         (match, "running", [alice.name, bob.name]))
        answer = self.daemon.get(f"/api/v1/matches/{match}/replay")
        rows = [json.loads(line) for line in answer.body.splitlines()]
        self.assertIn("ndjson", answer.headers["content-type"])
        text = json.dumps(rows)
        self.assertIn("[1, 2]", text)
        self.assertNotIn("[0, 2]", text, "what is not resolved yet")
        [(seed, salt)] = self.query("SELECT hex(seed), hex(salt) FROM match WHERE id = ?", match)
        for secret in (seed, salt):
            self.assertNotIn(secret.lower(), (text + json.dumps(shown)).lower())
        await bob.get("done", "resign", match=match, command_id="r")
        over = await alice.expect("over")
        answer = self.daemon.get(f"/api/v1/matches/{match}/replay")
        self.assertIn(over["seed"], answer.body.decode())
        shown = self.http(f"matches/{match}")
        self.assertEqual((shown["winner"], shown["reason"]), (0, "resignation"))

    async def test_http_says_what_is_not_there(self):
        for path in ("/api/v1/matches/999999", "/api/v1/matches/999999/replay", "/api/v1/nothing",
                     "/api/v1/matches/1/x", "/api/v1/matches/x", "/nothing"):
            with self.subTest(path):
                answer = self.daemon.get(path)
                self.assertEqual(answer.status, 404)
                if path.startswith("/api/"):
                    code = json.loads(answer.body)["error"]["code"]
                    self.assertIn(code, ("not_found", "unknown_match"))
                    provoked.add(code)

    def test_what_is_not_utf8_is_refused_before_the_store_is_asked(self):
        for path in ("/api/v1/matches?ruleset=%FF", "/api/v1/matches?status=a%00", "/api/v1/matches?code=%C3",
                     "/api/v1/queue?ruleset=%ED%A0%80", "/api/v1/statistics?ruleset=%C0%80",
                     "/api/v1/matches/1?code=%FF", "/?join=1&code=%FF", "/api/v1/matches/%FF"):
            with self.subTest(path):
                self.assertEqual(self.daemon.get(path).status, 400)
        self.assertEqual(self.daemon.get("/api/v1/matches?ruleset=%C3%A4").status, 200)

    async def test_the_leaderboard_counts_rated_matches(self):
        alice, bob, match = await self.pair()
        await bob.get("done", "resign", match=match, command_id="r")
        await alice.expect("over")
        text = json.dumps(self.http("leaderboard"))
        self.assertIn(alice.name, text)
        carol, dave, match = await self.pair(rated=False)
        await dave.get("done", "resign", match=match, command_id="r")
        await carol.expect("over")
        self.assertNotIn(carol.name, json.dumps(self.http("leaderboard")))

    async def test_the_metrics_count_what_happens(self):
        before = self.daemon.metrics()
        alice, bob, match = await self.pair()
        await self.play(alice, bob, match, 0, [], [])
        after = self.daemon.metrics()
        for name, count in (("skirmish_turns_total", 1), ("skirmish_submissions_total", 2)):
            self.assertEqual(after[name] - before[name], count, name)
        self.assertGreaterEqual(after["skirmish_matches_live"], 1)
        self.assertEqual(after["skirmish_store_errors_total"], 0)

    async def test_the_page_says_how_to_connect(self):
        self.assertIn(b"skirmish.v1", self.daemon.get("/").body)
        self.assertEqual(self.daemon.get("/readyz").status, 200)


class Proxied(Case):
    """The daemon believes what this machine says about the address that players see."""

    options = ("--trusted-proxies", "127.0.0.1")

    async def test_a_card_has_an_address_only_if_the_proxy_tells_it(self):
        creator = await self.player()
        match = (await creator.get("joined", "create", ruleset="tactics", params=PIKES))["match"]
        proto = "X-Forwarded-Proto: https"
        cases = (
            ((proto, "X-Forwarded-Prefix: /"), "https://localhost/"),
            ((proto, "X-Forwarded-Prefix: /skirmish"), "https://localhost/skirmish/"),
            ((proto, "X-Forwarded-Prefix: /skirmish/"), "https://localhost/skirmish/"),
            ((proto, "X-Forwarded-Prefix: /a/b"), "https://localhost/a/b/"),
            (("X-Forwarded-Proto: http", "X-Forwarded-Prefix: /"), "http://localhost/"),
            ((proto,), None),  # it may remove a path
            ((proto, "X-Forwarded-Prefix:"), None),
            ((proto, "X-Forwarded-Prefix: skirmish"), None),
            ((proto, "X-Forwarded-Prefix: /a, /b"), None),
            ((proto, "X-Forwarded-Prefix: /a", "X-Forwarded-Prefix: /b"), None),
            ((proto, f"X-Forwarded-Prefix: /{'a' * 1000}"), None),
            (("X-Forwarded-Prefix: /",), None),
            (("X-Forwarded-Proto: ftp", "X-Forwarded-Prefix: /"), None),
        )
        for headers, place in cases:
            with self.subTest(headers):
                page = self.daemon.get(f"/?join={match}", *headers).body.decode()
                self.assertIn("invites you", page)
                urls = re.findall('property="og:url" content="([^"]*)"', page)
                self.assertEqual(urls, [f"{place}?join={match}"] if place else [])


class Waiting(Case):
    """A daemon of its own, where nobody else waits."""

    LISTED = 50  # SEEK_LIST_MAX

    async def test_the_longest_waiting_players_are_listed(self):
        names = []
        for place in range(self.LISTED + 1):
            client = await self.player("waits")
            await client.get("queued", "queue", ruleset="tactics", params=pikes(turn_limit=10 + place))
            names.append(client.name)
            if place >= self.LISTED - 2:  # one fewer, as many, one more
                listed = json.loads(self.daemon.get("/api/v1/queue").body)["queue"]
                self.assertEqual([row["name"] for row in listed], names[:self.LISTED])


if __name__ == "__main__":
    unittest.main()
