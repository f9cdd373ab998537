"""The program itself: lines of input, exit status, help, schemas."""

import json
import os
import re
import subprocess
import tempfile
import unittest

import jsonschema

from skirmish import (PROGRAM, TIME_LIMIT_S, answer, answers, run, small_params, small_request,
                      small_state)


class Lines(unittest.TestCase):
    def test_answers_come_in_the_order_of_requests(self):
        requests = [small_request(turn=turn) for turn in (7, 3, 5)]
        given, status = answers("\n".join(json.dumps(r) for r in requests) + "\n")
        self.assertEqual([a["turn"] for a in given], [7, 3, 5])
        self.assertEqual(status, 0)

    def test_an_error_does_not_stop_the_batch_and_shows_in_the_exit_status(self):
        lines = [json.dumps(small_request(turn=1)), "nonsense", json.dumps(small_request(turn=2)),
                 '{"ruleset":"chess","params":{}}', json.dumps(small_request(turn=3))]
        given, status = answers("\n".join(lines))
        self.assertEqual([a.get("turn") for a in given], [1, None, 2, None, 3])
        self.assertEqual([a["error"]["code"] for a in given if "error" in a],
                         ["malformed", "unknown_ruleset"])
        self.assertEqual(status, 1)

    def test_a_request_may_ask_for_an_older_version(self):
        room = {"rooms": [{"origin": [0, 0], "bounds": {"rows": 4, "columns": 4},
                           "layout": [[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]]}], "hallways": [],
                "objects": [{"type": "exit", "position": [1, 2]}, {"type": "key", "position": [2, 2]}],
                "starts": {"heroes": [[1, 1]], "adversaries": []}}
        request = {"ruleset": "snarl", "params": {"heroes": ["ada"], "levels": [room]},
                   "commands": [[{"kind": "move", "to": [2, 1]}]]}
        for version, kinds in ((1, ["moved"]), (2, ["moved", "exit_locked"]), (None, ["moved", "exit_locked"])):
            named = request if version is None else {**request, "version": version}
            self.assertEqual([event["kind"] for event in answer(named)["events"]], kinds, version)
        for version, code in ((3, "unknown_ruleset"), (0, "malformed"), ("1", "malformed")):
            error = answer({**request, "version": version})["error"]
            self.assertEqual((error["code"], error["at"]), (code, "/version"))

    def test_a_request_may_span_lines(self):
        text = json.dumps(small_request(turn=9), indent=2)
        given, status = answers(text + "\n\n" + text)
        self.assertEqual(([a["turn"] for a in given], status), ([9, 9], 0))

    def test_an_unfinished_line_does_not_swallow_the_requests_after_it(self):
        for unfinished in ('{"ruleset":"tactics","params":{', '[[[', '{"ruleset":"tac', '"'):
            with self.subTest(unfinished=unfinished):
                whole = json.dumps(small_request(turn=2))
                given, status = answers("\n".join([unfinished, whole, whole]))
                self.assertEqual([a.get("turn") for a in given], [None, 2, 2])
                self.assertEqual(status, 1)

    def test_an_unfinished_request_at_the_end_is_an_error(self):
        given, status = answers('{"ruleset":\n"tactics"')
        self.assertEqual((given[0]["error"]["code"], status), ("malformed", 1))

    def test_no_request_is_no_error(self):
        self.assertEqual(answers(""), ([], 0))
        self.assertEqual(answers("\n \n\t\n"), ([], 0))

    def test_windows_line_ends_are_white_space(self):
        given, status = answers(json.dumps(small_request()) + "\r\n")
        self.assertEqual((len(given), status), (1, 0))

    def test_a_program_can_ask_and_wait_for_each_answer(self):
        with subprocess.Popen([PROGRAM, "resolve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as process:
            for turn in (1, 2, 3):
                process.stdin.write(json.dumps(small_request(turn=turn)) + "\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["turn"], turn)
            process.stdin.close()
            self.assertEqual(process.wait(TIME_LIMIT_S), 0)

    def test_a_request_of_the_largest_size_is_read_and_one_byte_more_is_not(self):
        limit = 4 * 1024 * 1024
        request = json.dumps(small_request(turn=6))
        for length, expected in ((limit - 1, 6), (limit, 6), (limit + 1, None)):
            with self.subTest(length=length):
                line = request + " " * (length - len(request))
                given, _ = answers(line + "\n" + request)
                self.assertEqual([a.get("turn") for a in given], [expected, 6])
                if expected is None:
                    self.assertEqual(given[0]["error"]["code"], "too_large")

    def test_a_full_disk_is_an_error(self):
        request = json.dumps(small_request()) + "\n"
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([PROGRAM, "resolve"], input=request.encode(), stdout=full,
                                  stderr=subprocess.PIPE, timeout=TIME_LIMIT_S, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"could not write", done.stderr)


class Continuing(unittest.TestCase):
    def test_a_state_passed_back_in_leads_to_the_same_hash(self):
        commands = [[[{"unit": "a1", "kind": "move", "target": [1, 3]}], []],
                    [[{"unit": "a2", "kind": "move", "target": [3, 3]}],
                     [{"unit": "b1", "kind": "attack", "target": [1, 1]}]]]
        first = answer(small_request(commands=commands[0]))
        second = answer(small_request(state=first["state"], turn=first["turn"],
                                      commands=commands[1]))
        again = answer(small_request(state=second["state"], turn=second["turn"]))
        self.assertEqual((again["hash"], again["state"]), (second["hash"], second["state"]))

    def test_a_request_without_commands_resolves_nothing(self):
        given = answer(small_request(state=small_state(), turn=4))
        self.assertEqual(given["state"], small_state())
        self.assertEqual((given["turn"], given["verdicts"], given["events"], given["owing"],
                          given["outcome"]), (4, [[], []], [], [0, 1], None))

    def test_a_finished_state_answers_match_over_and_does_not_change(self):
        resigned = answer(small_request(turn=4, commands=[[{"kind": "resign"}], []]))
        self.assertEqual(resigned["outcome"], {"winner": 1, "reason": "resignation"})
        self.assertEqual(resigned["turn"], 5)
        late = answer(small_request(state=resigned["state"], turn=5, commands=[
            [{"kind": "timeout"}], [{"unit": "b1", "kind": "move", "target": [1, 1]}]]))
        self.assertEqual(late["verdicts"], [[{"verdict": "match_over"}]] * 2)
        for same in ("turn", "state", "outcome", "hash"):
            self.assertEqual(late[same], resigned[same])
        self.assertEqual((late["events"], late["owing"]), ([], []))

    def test_params_without_a_roster_use_the_default_one(self):
        default = json.loads(run("params", "tactics").stdout)
        default["placement"] = False
        self.assertEqual(answer({"ruleset": "tactics", "params": {}}),
                         answer({"ruleset": "tactics", "params": default}))


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = json.loads(run("schema", "tactics").stdout)

    def validate(self, name, value):
        jsonschema.Draft202012Validator(self.document[name]).validate(value)

    def test_each_schema_is_valid(self):
        for name in ("params", "state", "view", "command", "event"):
            with self.subTest(name=name):
                jsonschema.Draft202012Validator.check_schema(self.document[name])

    def test_accepted_requests_and_their_answers_fit_the_schemas(self):
        commands = [[{"unit": "a1", "kind": "move", "target": [2, 3]},
                     {"unit": "a2", "kind": "attack", "target": [2, 3]}],
                    [{"unit": "b1", "kind": "move", "target": [2, 1]}, {"kind": "timeout"}]]
        self.validate("params", small_params())
        self.validate("params", json.loads(run("params", "tactics").stdout))
        self.validate("state", small_state())
        for command in commands[0] + commands[1]:
            self.validate("command", command)
        given = answer(small_request(commands=commands))
        self.validate("state", given["state"])
        self.assertTrue(given["events"])
        for event in given["events"]:
            self.validate("event", event)

    def test_refused_requests_do_not_fit_the_schemas(self):
        for name, value in (("params", {"rows": 2}), ("params", {"surprise": 1}),
                            ("command", {"kind": "fly"}),
                            ("command", {"kind": "move", "unit": "a 1", "target": [0, 0]}),
                            ("command", {"kind": "move", "unit": "a1", "target": [0]}),
                            ("state", {"phase": "lunch", "units": []})):
            with self.subTest(name=name, value=value):
                with self.assertRaises(jsonschema.ValidationError):
                    self.validate(name, value)

    def test_checks_are_listed_in_their_order(self):
        self.assertEqual(self.document["checks"], [
            "own_unit", "phase", "single_command", "move_in_bounds", "attack_in_bounds",
            "place_in_bounds", "move_in_pattern", "attack_in_pattern", "start_rows",
            "same_target", "occupied"])


class Usage(unittest.TestCase):
    def test_there_is_help_for_the_program_and_for_each_command(self):
        whole = run("--help")
        self.assertEqual((whole.returncode, whole.stderr), (0, b""))
        self.assertEqual(run("help").stdout, whole.stdout)
        commands = re.findall(r"(?m)^  ([a-z-]+(?: [a-z]+)?)  +\S", whole.stdout.decode())
        self.assertGreater(len(commands), 25)
        for command in commands:
            with self.subTest(command=command):
                words = command.split()
                done = run(*words, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertTrue(done.stdout.startswith(b"usage: skirmish " + command.encode()))
                asked = run("help", *words)
                self.assertEqual((asked.returncode, asked.stdout), (0, done.stdout))

    def test_help_lists_the_most_used_commands_first(self):
        lines = run("--help").stdout.decode().splitlines()
        self.assertTrue(all(len(line) <= 80 for line in lines), lines)
        order = [lines.index(line) for word in ("play", "watch", "connect", "bot", "arena", "replay",
                                                "verify", "query", "admin")
                 for line in lines if line.startswith(f"  {word}  ")]
        self.assertEqual(order, sorted(order))

    def test_wrong_usage_exits_2_and_says_where_help_is(self):
        for arguments in ((), ("fly",), ("help", "fly"), ("resolve", "x"), ("schema",), ("schema", "chess"),
                          ("schema", "tactics", "x"), ("params", "chess"), ("rulesets", "x")):
            with self.subTest(arguments=arguments):
                done = run(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertIn(b"--help", done.stderr)

    def test_version_and_rulesets(self):
        self.assertRegex(run("--version").stdout.decode(), r"^skirmish \d+\.\d+\.\d+\n$")
        self.assertRegex(run("rulesets").stdout.decode(), r"(?m)^tactics +version \d+ ")

    def test_commands_that_need_a_database_do_not_create_it(self):
        with tempfile.TemporaryDirectory() as folder:
            files = {"empty": b"", "nonsense": b"{}\n"}
            for name, text in files.items():
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(text)
            database = os.path.join(folder, "missing.db")
            for command in (["verify", "1"], ["verify", "--all"], ["export", "1"], ["export", "--all"],
                            ["import", f"{folder}/no-such-file"], ["import", f"{folder}/empty"],
                            ["import", f"{folder}/nonsense"], ["replay", "1"], ["what-if", "1", "0"],
                            ["query", "SELECT 1"], ["matches"], ["match", "1"], ["players"], ["player", "ada"],
                            ["leaderboard", "tactics"], ["backup", f"{folder}/copy"], ["migrate"],
                            ["prune", "--older-than", "90d", "--yes"], ["ratings"], ["reset-token", "ada"],
                            ["player", "forget", "ada", "--yes"]):
                done = run(*command, "--database", database)
                with self.subTest(command):
                    self.assertNotEqual(done.returncode, 0, done.stdout)
                    self.assertEqual(sorted(os.listdir(folder)), sorted(files), done.stderr)


if __name__ == "__main__":
    unittest.main()
