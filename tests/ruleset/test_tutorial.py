"""The ruleset of common/rules/README.md: the page's code is the code that is tested, and the game is played by
bots, over the wire, in the terminal and from files, with no line written for it outside its folder."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from client import Case
from daemon import SANITIZER, TIME_LIMIT_S

SKIRMISH = os.environ["SKIRMISH"]
LINES_MAX = 150
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def run(program, *arguments, stdin=""):
    """(exit status, output, complaints)"""
    done = subprocess.run([program, *arguments], input=stdin, capture_output=True, text=True, timeout=TIME_LIMIT_S,
                          check=False, cwd=ROOT)
    assert not SANITIZER.search(done.stderr), done.stderr
    return done.returncode, done.stdout, done.stderr


class Page(unittest.TestCase):
    def test_the_blocks_of_the_page_are_the_ruleset(self):
        page = read("common", "rules", "README.md")
        code = "".join(re.findall(r"^```c\n(.*?)^```$", page, re.M | re.S))
        own = read("tests", "ruleset", "coins", "coins.c")
        # A block ends where a part does; the empty line between two parts is between the blocks.
        self.assertEqual([line for line in code.splitlines() if line], [line for line in own.splitlines() if line])
        self.assertLessEqual(len(own.splitlines()), LINES_MAX)
        self.assertIn(read("tests", "ruleset", "coins", "CMakeLists.txt").strip(), page)

    def test_new_ruleset_writes_one_to_start_from(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run("deploy/new-ruleset", "my_game", folder)[0], 0)
            source = os.path.join(folder, "my_game", "my_game.c")
            self.assertEqual(run("gcc", *WARNINGS, f"-I{ROOT}", "-fsyntax-only", source), (0, "", ""))
            with open(source, encoding="utf-8") as file:
                written = file.read()
            self.assertIn("const struct sk_ruleset sk_ruleset_my_game = {\n    .name = \"my_game\",", written)
            self.assertNotIn("coins_", written)
            for label, arguments, status in (
                    ("again", ("my_game", folder), 1), ("one that exists", ("halma", folder), 1), ("no name", (), 2),
                    ("a bad name", ("My-Game", folder), 2), ("a word too many", ("a", folder, "b"), 2)):
                with self.subTest(label):
                    code, out, err = run("deploy/new-ruleset", *arguments)
                    self.assertEqual((code, out), (status, ""))
                    self.assertTrue(err)
            self.assertEqual(os.listdir(folder), ["my_game"])


class Rules(unittest.TestCase):
    """Without a server."""

    params = {"size": 5, "turn_limit": 9}

    def resolve(self, **members):
        request = {"ruleset": "coins", "params": self.params, "seed": "00" * 32, **members}
        code, out, err = run(SKIRMISH, "resolve", stdin=json.dumps(request))
        answer = json.loads(out)
        self.assertEqual(code, 1 if "error" in answer else 0, err)
        return answer

    def state(self, **changes):
        return {"players": [{"seat": 0, "points": 0, "at": [1, 2]}, {"seat": 1, "points": 0, "at": [3, 2]}],
                "coins": [[2, 2]] * 9, **changes}

    def test_it_is_listed_with_its_words(self):
        self.assertRegex(run(SKIRMISH, "rulesets")[1], r"(?m)^coins\b")
        document = json.loads(run(SKIRMISH, "schema", "coins")[1])
        self.assertEqual(document["words"]["too_far"], "That is more than one step.")
        self.assertEqual(document["board"], {"cols": "size", "rows": "size"})
        self.assertEqual(document["bots"], ["random", "greedy"])

    def test_both_move_at_once(self):
        for label, commands, verdicts, cells in (
                ("one step", ([1, 1], [3, 3]), (None, None), ([1, 1], [3, 3])),
                ("the same cell", ([2, 2], [2, 2]), (("occupied", "move"),) * 2, ([1, 2], [3, 2])),
                ("one stays", ([1, 1], None), (None, None), ([1, 1], [3, 2])),
                ("they change places", ([2, 2], [3, 3]), (None, None), ([2, 2], [3, 3])),
                ("too far", ([1, 4], [3, 3]), (("too_far", "one_step"), None), ([1, 2], [3, 3])),
                ("off the board", ([-1, 2], [3, 3]), (("out_of_bounds", "on_board"), None), ([1, 2], [3, 3]))):
            with self.subTest(label):
                given = self.resolve(state=self.state(), turn=3, commands=[
                    [] if to is None else [{"kind": "move", "to": to}] for to in commands])
                self.assertEqual([player["at"] for player in given["state"]["players"]], list(cells))
                for seat, verdict in enumerate(verdicts):
                    if verdict is not None:
                        self.assertEqual(given["verdicts"][seat], [{"verdict": verdict[0], "check": verdict[1]}])

    def test_two_commands_are_one_too_many(self):
        given = self.resolve(state=self.state(), turn=0, commands=[[{"kind": "move", "to": [1, 1]}] * 2, []])
        self.assertEqual(given["verdicts"][0], [{"verdict": "multiple_commands", "check": "single_command"}] * 2)

    def test_coins_are_taken_and_decide(self):
        given = self.resolve(state=self.state(coins=[[2, 2]] * 5 + [[0, 0]] * 4), turn=3,
                             commands=[[{"kind": "move", "to": [2, 2]}], []])
        self.assertEqual([event["kind"] for event in given["events"]], ["moved"] * 2 + ["took_a_coin"] * 5)
        self.assertEqual(given["state"]["outcome"], {"winner": 0, "reason": "most_coins"})

    def test_the_limit_of_turns_is_a_draw(self):
        given = self.resolve(state=self.state(), turn=8, commands=[[], []])
        self.assertEqual(given["state"]["outcome"], {"winner": None, "reason": "draw_turn_limit"})

    def test_states_that_no_match_has_are_refused(self):
        players = self.state()["players"]
        for label, changes, at in (
                ("off the board", {"coins": [[5, 0]] + [[2, 2]] * 8}, "/state/coins/0"),
                ("a player off the board", {"players": [{**players[0], "at": [0, -1]}, players[1]]},
                 "/state/players/0/at"),
                ("a player too few", {"players": players[:1]}, "/state/players"),
                ("a player too many", {"players": players * 2}, "/state/players"),
                ("a coin too many", {"coins": [[2, 2]] * 10}, "/state/coins"),
                ("a coin too few", {"coins": [[2, 2]] * 8}, "/state"),
                ("both on one cell", {"players": [players[0], {**players[1], "at": players[0]["at"]}]}, "/state"),
                ("seats in another order", {"players": players[::-1]}, "/state")):
            with self.subTest(label):
                given = self.resolve(state=self.state(**changes), turn=0, commands=[[], []])
                self.assertEqual(given["error"]["at"], at, given)

    def test_params_of_the_schema_are_taken_and_others_refused(self):
        self.params = {"size": 3}
        self.assertEqual(self.resolve()["error"]["at"], "/params/size")


class Played(Case):
    options = ("--frames-per-second", "100000", "--frames-burst", "100000")

    async def test_a_person_plays_a_bot_to_the_end_and_proves_it(self):
        alice = await self.player()
        joined = await alice.get("joined", "create", ruleset="coins", params={"size": 5},
                                 seats=[None, {"bot": {"level": "greedy"}}])
        match = joined["match"]
        state = await alice.expect("state", match=match)
        opened = state["turn_open"]
        while opened is not None:
            hints = (await alice.get("hints", "hints", match=match))["commands"]
            self.assertGreaterEqual(len(hints), 4)
            await alice.get("accepted", "submit", match=match, turn=opened["turn"], commands=hints[:1],
                            command_id=f"t{opened['turn']}", ready=True)
            opened = (await alice.expect("turn", match=match)).get("turn_open")
        over = await alice.expect("over", match=match)
        self.assertIn(over["reason"], ("most_coins", "draw_turn_limit"))
        self.assertEqual(await alice.seen("bot_failed"), [])
        database = ("--database", self.daemon.database)
        self.assertEqual(run(SKIRMISH, "verify", str(match), *database)[0], 0)
        code, shown, _ = run(SKIRMISH, "replay", str(match), *database)
        self.assertEqual(code, 0)
        self.assertIn("P0", shown)
        self.assertRegex(shown, r"greedy bot moved from \d,\d to \d,\d")
        with tempfile.NamedTemporaryFile("w+", suffix=".jsonl") as file:
            file.write(run(SKIRMISH, "export", str(match), *database)[1])
            file.flush()
            self.assertIn("1 holds", run(SKIRMISH, "import", "--check", file.name)[1])

    async def test_a_level_that_a_ruleset_does_not_have_is_refused(self):
        alice = await self.player()
        error = await alice.get("error", "create", ruleset="coins", seats=[None, {"bot": {"level": "search"}}])
        self.assertEqual((error["code"], error["at"]), ("not_allowed", "/seats/1/bot"))
        self.assertIn("no bot of this level", error["message"])
        for arguments in (("arena", "--ruleset", "coins", "search", "random"),
                          ("bot", "--ruleset", "coins", "--level", "search"),
                          ("play", "--ruleset", "coins", "--against", "search")):
            with self.subTest(arguments):
                code, out, err = run(SKIRMISH, *arguments, "--url", self.daemon.url())
                self.assertEqual((code, out), (2, ""))
                self.assertIn("coins has no bot of the level: search", err)

    async def test_greedy_beats_random(self):
        code, out, err = run(SKIRMISH, "arena", "--ruleset", "coins", "--games", "10", "--json", "greedy", "random",
                             "--url", self.daemon.url())
        self.assertEqual(code, 0, err)
        self.assertGreaterEqual(json.loads(out)["bots"][0]["wins"], 8)

    async def test_a_person_plays_in_the_terminal(self):
        _, shown, _ = run(SKIRMISH, "play", "--ruleset", "coins", "--against", "greedy", "--url", self.daemon.url(),
                          stdin="1\nsend\n1\nsend\nresign\nyes\n")
        self.assertIn("move 2,5", shown)
        self.assertIn("P0", shown)
        self.assertIn("greedy bot moved from", shown)


if __name__ == "__main__":
    unittest.main()
