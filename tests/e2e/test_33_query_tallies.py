"""The tool counts ready-made questions in its own pass; the results must equal those of the views.

Each question is asked twice: by its name, and by its SQL text, which uses the views.
"""

import glob
import json
import os
import sqlite3
import subprocess
import unittest

from client import Case, attack, move
from daemon import PROGRAM, TIME_LIMIT_S

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
QUERIES = sorted(glob.glob(os.path.join(ROOT, "migrations", "queries", "*.sql")))
SNARL = json.dumps({"mode": "versus", "heroes": ["ada"]})
CLOCK = {"turn_ms": 600000, "bank_ms": 600000}


class Tallies(Case):
    options = ("--frames-per-second", "100000", "--frames-burst", "100000")

    def skirmish(self, *arguments):
        done = subprocess.run([SKIRMISH, *arguments], capture_output=True, text=True, timeout=TIME_LIMIT_S)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def play_bots(self):
        for ruleset, params in (("tactics", None), ("halma", None), ("racers", None), ("snarl", SNARL)):
            how = [] if params is None else ["--params", params]
            self.skirmish("arena", "--url", self.daemon.url(), "--ruleset", ruleset, "--games", "3", *how,
                          "greedy", "random")

    async def play_people(self):
        """Bounces, refusals in both places, replaced and withdrawn submissions, a clock; one match is not over."""
        for is_finished in (True, False):
            alice, bob, match = await self.pair(clock=CLOCK)
            await self.play(alice, bob, match, 0, [], [move("b1", 1, 1)])
            await alice.submit(match, 1, move("a1", 9, 9))
            await alice.submit(match, 1, move("a1", 1, 2), ready=False)
            await alice.get("withdrawn", "withdraw", match=match, turn=1, command_id="w")
            await alice.submit(match, 1, move("a1", 0, 2), ready=False)
            await alice.submit(match, 1, move("a1", 0, 2), move("a1", 2, 2), ready=True)
            await bob.submit(match, 1)
            await bob.expect("turn", match=match, turn=2)
            await alice.expect("turn", match=match, turn=2)
            await self.play(alice, bob, match, 2, [move("a1", 1, 2)], [move("b1", 1, 2)])
            await self.play(alice, bob, match, 3, [move("a1", 1, 2)], [])
            await alice.submit(match, 4, move("a1", 0, 2), ready=False)
            await alice.get("withdrawn", "withdraw", match=match, turn=4, command_id="v")
            if is_finished:
                await self.play(alice, bob, match, 4, [attack("a1", 1, 1)], [])
                await bob.expect("over", match=match)

    def asked(self, database, sql, *parameters):
        return self.skirmish("query", "--database", database, "--csv", "--rows", "0", sql, *parameters)

    def compare(self, database):
        """{name: its lines}"""
        answers = {}
        player, now = (self.query(sql)[0][0] for sql in (
            "SELECT name FROM player JOIN seat ON player = id WHERE NOT player.is_bot LIMIT 1",
            "SELECT max(at) / 1000 FROM record"))
        for path in QUERIES:
            name = os.path.splitext(os.path.basename(path))[0]
            with open(path, encoding="utf-8") as file:
                text = file.read()
            parameters = {"load": [f"now={now}"], "busiest": ["to=2100-01-01"]}.get(name, [])
            if "-- needs player" in text:
                parameters = [f"player={player}"]
            with self.subTest(question=name):
                answer = self.asked(database, name, *parameters)
                self.assertEqual(answer, self.asked(database, "\n" + text, *parameters))
                answers[name] = answer.splitlines()[1:]
        return answers

    async def test_a_question_and_its_views_say_the_same(self):
        self.play_bots()
        await self.play_people()
        answers = self.compare(self.daemon.database)
        for name in ("bounces", "deaths", "first_deaths", "openings", "refusals", "repeats", "thinkers", "turns"):
            self.assertTrue(answers[name], f"nothing to compare: {name}")
        self.assertEqual({line.split(",")[0] for line in answers["turns"]}, {"halma", "racers", "snarl", "tactics"})
        self.assertEqual({line.split(",")[0] for line in answers["openings"]}, {"halma", "racers", "snarl", "tactics"})

        database = self.daemon.path("damaged.db")
        with sqlite3.connect(f"file:{self.daemon.database}?mode=ro", uri=True) as source:
            copy = sqlite3.connect(database)
            source.backup(copy)
        for number, body in enumerate(("", "{", "null", "[]", "{}", '{"events":1,"commands":[1,null],"verdicts":[[1]]}',
                                       '{"events":[{}],"used_ms":{},"verdicts":{}}')):
            copy.execute("UPDATE record SET body = ? WHERE rowid IN (SELECT rowid FROM record"
                         " WHERE kind IN ('turn', 'submission') ORDER BY match DESC, seq LIMIT 3 OFFSET ?)",
                         (body, 4 * number))
        copy.commit()
        copy.close()
        self.assertNotEqual(self.compare(database)["turns"], answers["turns"])


if __name__ == "__main__":
    unittest.main()
