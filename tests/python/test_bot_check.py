"""`skirmish bot check`: good bots pass, and of bad ones it says what they do wrong."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import package

SKIRMISH = os.path.join(package.RELEASE, "bin", "skirmish")
EXAMPLE = os.path.join(package.PACKAGE, "examples", "bot.py")
SERVICE = os.path.join(package.ROOT, "proto", "js", "examples", "service.mjs")
ANSWER_S = 200  # the machine may be busy
TIME_LIMIT_S = 4 * ANSWER_S

# Bots that do one thing wrong: what their source adds to the example's.
WRONG = {
    "refused": ("plays a whole", "def on_turn(view, hints):\n"
                "    return [{'kind': 'move', 'unit': hint['unit'], 'target': [99, 99]} for hint in hints[:1]]",
                r"\d+ of its commands were refused as out_of_bounds, by the check \w+\."),
    "deaf to draws": ("draw", "import skirmish\nskirmish.Client._take_offer = lambda *_: None",
                      r"It did not answer a draw offer within 20 s: send answer_draw\."),
    "does not resume": ("connection", "import skirmish\nskirmish.Client._resume = lambda *_: None",
                        r"It sent no commands that count for turn \d+ within 5 s; after a lost connection, send hello"),
    "gone when the server is": ("restarted", "import sys\nimport skirmish\n"
                                "skirmish.Client._resume = lambda *_: sys.exit(1)",
                                r"It ended before the match was over; after a lost connection, send hello"),
    "impatient": ("slow", "import asyncio\nimport skirmish\nrequest = skirmish.Client.request\n\n\n"
                  "async def hurry(client, kind, **members):\n"
                  "    work = request(client, kind, **members)\n"
                  "    return await (work if client.matches == {} else asyncio.wait_for(work, 1))\n\n\n"
                  "skirmish.Client.request = hurry",
                  r"It ended before the match was over; an answer may take some seconds"),
    "sure of itself": ("refused", "import skirmish\nrequest = skirmish.Client.request\n\n\n"
                       "async def trust(client, kind, **members):\n"
                       "    return {**await request(client, kind, **members), 'ready': True}\n\n\n"
                       "skirmish.Client.request = trust",
                       r"It sent no commands that count for turn \d+ within 5 s; if accepted has verdicts"),
    "answers old turns": ("twice", "import secrets\nimport skirmish\n\n\n"
                          "def take(client, link, frame):\n"
                          "    take_(client, link, frame)\n"
                          "    match, now = client.matches.get(frame.get('match')), frame.get('turn_open')\n"
                          "    if match is not None and now is not None and match.seat in now['owing']:\n"
                          "        client._start(client._quietly(client.request(\n"
                          "            'submit', match=match.number, turn=now['turn'], commands=[], ready=True,\n"
                          "            command_id=secrets.token_hex(12))))\n\n\n"
                          "take_, skirmish.Client._take = skirmish.Client._take, take\n"
                          "skirmish.Client._consider = lambda *_: None",
                          r"The server answered \d+ of its frames with the error wrong_turn: .*; ignore frames"),
    "strict": ("not know", "import skirmish\ntake_ = skirmish.Client._take\n\n\n"
               "def take(client, link, frame):\n"
               "    if 'later' in frame['type']:\n"
               "        raise KeyError(frame['type'])\n"
               "    take_(client, link, frame)\n\n\n"
               "skirmish.Client._take = take",
               r"It ended before the match was over; later servers may send more: ignore it\."),
    "ending badly": ("resigns", "import atexit\nimport os\natexit.register(lambda: os._exit(3))",
                     r"It ended with the status 3; after a match it should be 0\."),
    "malformed": ("resigns", "import skirmish\nopen_ = skirmish.Client.open\n\n\n"
                  "async def noisy(client):\n"
                  "    answer = await open_(client)\n"
                  "    client._start(client._quietly(client.request('nonsense')))\n"
                  "    return answer\n\n\n"
                  "skirmish.Client.open = noisy",
                  r"The server answered 1 of its frames with the error malformed: "),
    "not there": ("resigns", "import sys\nsys.exit(0)", r"It ended before the match was over\."),
}


def check(*words):
    limit = () if "--timeout" in words else ("--timeout", str(ANSWER_S))
    return subprocess.run([SKIRMISH, "bot", "check", *limit, *words], capture_output=True, text=True,
                          timeout=TIME_LIMIT_S, env={**os.environ, "PYTHONPATH": package.PACKAGE}, check=False)


class Commands(unittest.TestCase):
    def test_the_example_does_everything_right(self):
        done = check(sys.executable, EXAMPLE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(re.findall(r"(?m)^ok     tactics: ", done.stdout)), 12)
        self.assertIn("12 checked, 0 wrong\n", done.stdout)

    def test_the_bots_that_ship_do_too(self):
        with tempfile.TemporaryDirectory() as folder:
            done = check("--ruleset", "racers", "--", SKIRMISH, "bot", "--level", "random",
                         "--token-file", os.path.join(folder, "tokens"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("12 checked, 0 wrong\n", done.stdout)

    def test_what_a_bot_does_wrong_is_said(self):
        with open(EXAMPLE, encoding="utf-8") as file:
            source = file.read()
        with tempfile.TemporaryDirectory() as folder:
            for name, (only, more, words) in WRONG.items():
                with self.subTest(name):
                    path = os.path.join(folder, "bot.py")
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(source.replace("\n\n\nBot(", f"\n\n\n{more}\n\n\nBot("))
                    limit = re.search(r"within (\d+) s", words)  # it does nothing, which is waited for
                    done = check("--ruleset", "tactics", "--only", only,
                                 "--timeout", limit[1] if limit else str(ANSWER_S), "--", sys.executable, path)
                    self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                    self.assertRegex(done.stdout, rf"(?m)^WRONG  tactics: .*\n(         .*\n)*?         {words}")

    def test_wrong_usage_is_said(self):
        for words, arguments in (("takes a command or an address", ()),
                                 ("the bot does not say what it plays", ("true",)),
                                 ("there is no ruleset: chess", ("--ruleset", "chess", "true"))):
            done = check(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)


class Services(unittest.TestCase):
    def test_the_example_in_javascript_does_everything_right(self):
        with subprocess.Popen(["node", SERVICE, "0"], stdout=subprocess.PIPE, text=True) as process:
            self.addCleanup(process.kill)
            url = re.search(r"http://\S+", process.stdout.readline()).group(0)
            done = check(url)
            process.kill()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("11 checked, 0 wrong\n", done.stdout)

    def test_what_a_service_does_wrong_is_said(self):
        for only, status_of, words in (
                ("other params", None, "Turn 0: The answer was JSON, but not of the form"),
                ("not know", lambda asked, _: 200 if len(asked) == 7 else 400, "Turn 0: .*400"),
                ("twice", lambda asked, seen: 409 if asked in seen else 200, "Turn 0: .*409"),
                ("refused", lambda asked, _: 500 if asked["last"]["error"] == "bad_form" else 200, r"Turn \d+: .*500"),
                ("connection", lambda asked, seen: 410 if asked["turn"] in [each["turn"] for each in seen] else 200,
                 r"Turn \d+: .*410")):
            with self.subTest(only):
                done = check("--ruleset", "tactics", "--only", only, self.start(status_of))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, rf"WRONG  tactics: .*\n         {words}")

    def test_an_answer_that_never_comes_spoils_only_its_own_situation(self):
        over = threading.Event()
        self.addCleanup(over.set)

        def status_of(_, seen):
            if len(seen) == 2:
                over.wait(ANSWER_S)
                sys.exit()  # this thread: nobody listens any more
            return 200

        done = check("--ruleset", "tactics", "--only", "ignores", "--timeout", "20", self.start(status_of))
        self.assertRegex(done.stdout, r"WRONG  tactics: .* twice\n         Turn \d+: .*\n"
                         r"(         .*\n)*ok     tactics: .*\n2 checked, 1 wrong\n")

    def test_a_silent_service_is_told_what_services_do(self):
        over = threading.Event()
        self.addCleanup(over.set)

        def status_of(asked, _):
            if asked["turn"] == 1:
                over.wait(ANSWER_S)
                sys.exit()
            return 200

        for only, words in (("twice", "the same question may come again: answer it again"),
                            ("refused", "the last answer did not count, as last.error says: answer again")):
            with self.subTest(only):
                done = check("--ruleset", "tactics", "--only", only, "--timeout", "3", self.start(status_of))
                self.assertIn(f"         It sent no commands that count for turn 1 within 3 s; {words}.\n", done.stdout)

    def start(self, status_of):
        """The address of a service that answers hints with such a status, or a wrong answer."""
        seen = []
        lock = threading.Lock()  # what comes twice may come at once

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                body = json.dumps({"commands": asked["hints"][:1] if status_of else [{"kind": "fly"}]}).encode()
                with lock:
                    earlier = seen.copy()
                    seen.append(asked)
                self.send_response(status_of(asked, earlier) if status_of else 200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}/"


if __name__ == "__main__":
    unittest.main()
