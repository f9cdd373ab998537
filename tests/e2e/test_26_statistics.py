"""`/api/v1/statistics`: counts over finished matches, computed on another thread and cached."""

import datetime
import json
import unittest

from client import Case, attack, move


class Statistics(Case):

    def statistics(self):
        answer = self.daemon.get("/api/v1/statistics")
        self.assertEqual(answer.status, 200, answer.body)
        self.assertTrue(answer.headers["content-type"].startswith("application/json"))
        return json.loads(answer.body)

    async def test_what_is_told_of_finished_matches_and_no_others(self):
        # Both want the middle: a bounce, and before it a refusal that is taken back.
        alice, bob, match = await self.pair()
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [])
        await alice.submit(match, 1, move("a1", 9, 9))
        await self.play(alice, bob, match, 1, [move("a1", 1, 1)], [move("b1", 1, 1)])
        self.assertEqual(self.statistics()["refusals"], [], "nothing about a running match is shown")
        await bob.get("done", "resign", match=match, command_id="r")
        await alice.expect("over")
        alice, bob, second = await self.pair()
        await self.play(alice, bob, second, 0, [move("a1", 1, 2)], [move("b1", 1, 1)])
        await alice.submit(second, 1, attack("a1", 1, 1))
        await bob.submit(second, 1, move("b1", 2, 1))
        await alice.expect("over", match=second)
        await self.pair()
        await self.restart()  # the cache has expired
        told = self.statistics()
        day = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
        self.assertEqual(told["days"], [{"day": day, "ruleset": "tactics", "matches": 3, "finished": 2}])
        self.assertEqual(told["seats"], [
            {"ruleset": "tactics", "seat": 0, "games": 2, "wins": 2, "draws": 0},
            {"ruleset": "tactics", "seat": 1, "games": 2, "wins": 0, "draws": 0}])
        self.assertEqual(told["models"], [
            {"ruleset": "tactics", "model": "pike", "games": 4, "wins": 2, "draws": 0}])
        refused = {(row["check"], row["verdict"]): (row["submitted"], row["resolved"]) for row in told["refusals"]}
        self.assertEqual(told["cells"], [{"ruleset": "tactics", "x": 1, "y": 1, "bounces": 1, "matches": 1}])
        self.assertEqual(told["openings"], [
            {"ruleset": "tactics", "seat": seat, "kind": "move", "unit": unit, "x": 1, "y": y,
             "dir": None, "item": None, "played": played, "won": won}
            for seat, unit, y, played, won in ((0, "a1", 2, 2, 2), (1, "b1", 1, 2, 0))])
        self.assertEqual({row["ruleset"] for row in told["refusals"]}, {"tactics"})
        expected = dict(self.query(
            "SELECT check_name || ' ' || verdict, submitted || ' ' || resolved FROM refusal_stats"))
        self.assertEqual({f"{check} {verdict}": f"{submitted} {resolved}"
                          for (check, verdict), (submitted, resolved) in refused.items()}, expected)
        self.assertTrue(any(submitted > 0 for submitted, _ in refused.values()), refused)
        # Cached: the same answer, although another match has started.
        await self.pair()
        self.assertEqual(self.statistics(), told)

    async def test_requests_do_not_delay_a_stop(self):
        for _ in range(3):
            raw = self.daemon.connect()
            raw.sendall(b"GET /api/v1/statistics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.addCleanup(raw.close)
        code, _ = self.daemon.stop()
        self.assertEqual(code, 0)
        self.daemon.process.stdout.close()
        self.daemon.start()
        self.daemon.wait_until_ready()
        self.assertLessEqual(len(self.statistics()["cells"]), 500)


if __name__ == "__main__":
    unittest.main()
