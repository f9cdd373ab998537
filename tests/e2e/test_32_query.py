"""Questions to the database: the ready-made ones have their answers on a fixture."""

import csv
import fcntl
import glob
import io
import json
import os
import pty
import re
import sqlite3
import struct
import subprocess
import sys
import termios
import unittest

from client import Case, move
from daemon import PROGRAM, TIME_LIMIT_S, Daemon

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")
FIXTURE = os.path.join(ROOT, "tests", "queries", "fixture.sql")
EXPECTED = os.path.join(ROOT, "tests", "queries", "expected")
QUERIES = sorted(os.path.splitext(os.path.basename(path))[0]
                 for path in glob.glob(os.path.join(ROOT, "migrations", "queries", "*.sql")))
PARAMETERS = {
    "busiest": ["from=2026-09-21", "to=2026-09-23T14:00"], "head_to_head": ["player=ann"], "history": ["player=ann"],
    "load": ["now=1790086400"], "open": ["player=dan"], "ratings": ["player=ANN"],
}


def skirmish(*arguments, database):
    return subprocess.run([SKIRMISH, arguments[0], "--database", database, *arguments[1:]],
                          capture_output=True, text=True, timeout=TIME_LIMIT_S)


class Fixture(unittest.TestCase):
    """RECORD=1 writes the answers again; read them before you commit them."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon())
        cls.daemon.wait_until_ready()
        cls.daemon.stop()
        cls.database = cls.daemon.database
        database = sqlite3.connect(cls.database)
        with open(FIXTURE, encoding="utf-8") as file:
            database.executescript(file.read())
        database.close()

    def ask(self, *arguments):
        return skirmish(*arguments, database=self.database)

    def content(self):
        with open(self.database, "rb") as file:
            return file.read()

    def test_every_ready_made_question_has_its_answer(self):
        self.assertGreaterEqual(len(QUERIES), 15)
        for name in QUERIES:
            with self.subTest(question=name):
                done = self.ask("query", name, "--form", "markdown", *PARAMETERS.get(name, []))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                path = os.path.join(EXPECTED, name + ".md")
                if os.environ.get("RECORD"):
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(done.stdout)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(done.stdout, file.read())

    def test_all_of_them_are_listed_and_documented(self):
        listed = self.ask("query", "--list").stdout
        with open(os.path.join(ROOT, "migrations", "README.md"), encoding="utf-8") as file:
            document = file.read()
        for name in QUERIES:
            self.assertTrue(re.search(rf"(?m)^  {name} +\S", listed), name)
            self.assertTrue(re.search(rf"(?m)^\| `{name}` \|", document), name)

    def test_every_column_of_every_view_is_documented(self):
        with open(os.path.join(ROOT, "migrations", "README.md"), encoding="utf-8") as file:
            document = file.read()
        database = sqlite3.connect(self.database)
        views = [name for name, in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")]
        for view in views:
            section = re.search(rf"(?ms)^### {view}\b.*?(?=^##)", document)
            self.assertIsNotNone(section, view)
            for _, column, *_ in database.execute(f"PRAGMA table_info({view})"):
                self.assertTrue(f"`{column}`" in section.group(0), f"{view}.{column}")
        database.close()

    def test_forms_of_output(self):
        sql = "SELECT 7 AS n, 'a,\"b\"|c' AS t, NULL AS absent, x'00ff' AS b, 0.5 AS f"
        self.assertEqual(json.loads(self.ask("query", sql, "--form", "json").stdout),
                         [{"n": 7, "t": 'a,"b"|c', "absent": None, "b": "00ff", "f": 0.5}])
        rows = list(csv.reader(io.StringIO(self.ask("query", sql, "--form", "csv").stdout)))
        self.assertEqual(rows, [["n", "t", "absent", "b", "f"], ["7", 'a,"b"|c', "", "00ff", "0.5"]])
        self.assertEqual(self.ask("query", sql, "--form", "markdown").stdout.splitlines()[2],
                         '| 7 | a,"b"\\|c |  | 00ff | 0.5 |')
        self.assertEqual(self.ask("query", "SELECT 1 AS one WHERE 0", "--form", "json").stdout, "[]\n")
        self.assertEqual(self.ask("query", "SELECT 12 AS n, 'x' AS name").stdout,
                         "n   name\n--  ----\n12  x\n(1 row)\n".replace("n   name", " n  name"))
        hostile = self.ask("query", "SELECT char(27) || '[2J' AS t").stdout
        self.assertNotIn("\x1b", hostile)

    def test_no_form_prints_what_moves_a_cursor_or_turns_text_around(self):
        """C0, DEL, C1, direction marks, line separators, and invalid UTF-8."""
        hostile = [0x01, 0x07, 0x08, 0x09, 0x0d, 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0x061c, 0x200e, 0x202e, 0x2028,
                   0x2067, 0xfeff]
        harmless = "é € 𝄞 \u200d"
        sql = f"SELECT 'a' || char({','.join(map(str, hostile))}) || '{harmless}' AS \"n\x9b\", 'x' AS y"
        for form in ("table", "csv", "json", "markdown"):
            with self.subTest(form):
                out = self.raw("query", sql, "--form", form).decode()
                self.assertEqual([c for c in out if ord(c) in hostile], [])
                self.assertIn(harmless, out)
        shown = "".join(f"\\u{code:04x}" for code in hostile)
        self.assertEqual(self.raw("query", sql, "--csv").decode(), f"n\\u009b,y\na{shown}{harmless},x\n")
        self.assertEqual(json.loads(self.raw("query", sql, "--form", "json")),
                         [{"n\x9b": "a" + "".join(map(chr, hostile)) + harmless, "y": "x"}])
        head, line, row, _ = self.raw("query", sql).decode().splitlines()
        self.assertEqual(row, "a" + "?" * len(hostile) + harmless + "  x")
        self.assertEqual((head, line), ("n?" + " " * (len(row) - 5) + "  y", "-" * (len(row) - 3) + "  -"))
        bytes_of_no_text = "SELECT CAST(x'9b41c3' AS TEXT) AS t"
        self.assertEqual(self.raw("query", bytes_of_no_text, "--csv"), b"t\n\\ufffdA\\ufffd\n")
        self.assertEqual(self.raw("query", bytes_of_no_text), b"t\n---\n?A?\n(1 row)\n")
        self.assertEqual(json.loads(self.raw("query", bytes_of_no_text, "--form", "json")), [{"t": "\ufffdA\ufffd"}])
        self.assertEqual(self.raw("query", "SELECT 'a' || char(10) || 'b' AS t", "--csv"), b't\n"a\nb"\n')

    def test_limits(self):
        done = self.ask("query", "SELECT * FROM match_record", "--rows", "2", "--form", "json")
        self.assertEqual(len(json.loads(done.stdout)), 2)
        self.assertIn("there are more rows", done.stderr)
        done = self.ask("query", "SELECT * FROM match", "--rows", "10", "--form", "json")
        self.assertEqual((len(json.loads(done.stdout)), done.stderr), (10, ""))
        done = self.ask("query", "--rows", "0", "--form", "csv", "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL"
                        " SELECT x + 1 FROM c WHERE x < 3000) SELECT x FROM c")
        self.assertEqual((len(done.stdout.splitlines()), done.stderr), (3001, ""))
        done = self.ask("query", "--time", "1", "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL"
                        " SELECT x + 1 FROM c) SELECT count(*) FROM c")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("longer than 1 s", done.stderr)

    def test_the_time_limit_holds_inside_one_function(self):
        """SQLite checks the clock between two steps of its machine; a single step may take very long."""
        text = "replace(hex(zeroblob({})), '0', 'a')".format
        for label, sql in (("like", f"SELECT {text(5000000)} LIKE '%' || {text(20000)} || 'b'"),
                           ("glob", f"SELECT {text(5000000)} GLOB '*' || {text(20000)} || 'b'"),
                           ("replace", f"SELECT replace({text(3000000)}, {text(1500000)} || 'b', 'x')"),
                           ("instr", f"SELECT instr({text(3000000)}, {text(1500000)} || 'b')")):
            for form in ("table", "csv"):
                with self.subTest(label, form=form):
                    done = self.ask("query", "--time", "1", "--form", form, sql)
                    self.assertEqual((done.returncode, done.stdout), (1, ""))
                    self.assertEqual(done.stderr, "skirmish query: the query took longer than 1 s and was stopped\n")

    def test_nothing_can_be_changed(self):
        before = self.content()
        for sql in ("DELETE FROM match", "INSERT INTO player (name) VALUES ('x')", "DROP TABLE match",
                    "PRAGMA user_version = 7", "ATTACH 'x.db' AS x", "CREATE TEMP TABLE t (x)",
                    "SELECT 1; DELETE FROM match", "VACUUM INTO 'copy.db'", "BEGIN", "",
                    "SELECT nonsense", "SELECT * FROM nowhere"):
            done = self.ask("query", sql)
            self.assertNotEqual(done.returncode, 0, sql)
            self.assertEqual(done.stdout, "", sql)
            self.assertNotEqual(done.stderr, "", sql)
        self.assertEqual(self.content(), before)

    def test_lists(self):
        rows = json.loads(self.ask("matches", "--form", "json").stdout)
        self.assertEqual([row["match"] for row in rows], list(range(10, 0, -1)))
        rows = json.loads(self.ask("matches", "--player", "BOB", "--status", "over",
                                   "--form", "json").stdout)
        self.assertEqual([row["match"] for row in rows], [9, 8, 2, 1])
        rows = json.loads(self.ask("matches", "--ruleset", "halma", "--form", "json").stdout)
        self.assertEqual([row["match"] for row in rows], [6])
        rows = json.loads(self.ask("match", "1", "--form", "json").stdout)
        self.assertEqual([row["seq"] for row in rows], list(range(1, 12)))
        self.assertEqual([row["name"] for row in rows[:4]], [None, "Ann", "Bob", "Ann"])
        rows = json.loads(self.ask("players", "--form", "json").stdout)
        self.assertEqual([row["name"] for row in rows], ["Ann", "Bob", "Dan", "Eve"])
        rows = json.loads(self.ask("player", "ann", "--form", "json").stdout)
        self.assertEqual([row["result"] for row in rows], ["won", "won", "draw", "running", "won", "won"])
        rows = json.loads(self.ask("leaderboard", "--form", "json").stdout)
        self.assertEqual([(row["place"], row["name"]) for row in rows], [(1, "Ann"), (2, "Bob")])

    def test_wrong_usage_is_said(self):
        for arguments, words in ((("query",), "name a query"),
                                 (("query", "nonsense"), "no query of that name"),
                                 (("query", "refusals", "tactics"), "NAME=VALUE"),
                                 (("query", "refusals", "--form", "xml"), "--form is"),
                                 (("query", "history"), "usage: skirmish query history player=NAME"),
                                 (("query", "head_to_head", "other=bob"),
                                  "usage: skirmish query head_to_head player=NAME"),
                                 (("query", "refusals", "ruleset=chess"), "there are: halma racers snarl tactics"),
                                 (("matches", "--status", "foo"),
                                  "--status is waiting, running, over or quarantined, not: foo"),
                                 (("matches", "--ruleset", "chess"), "there are: halma racers snarl tactics"),
                                 (("leaderboard", "--ruleset", "chess"), "there is no ruleset chess"),
                                 (("match",), "takes one argument"),
                                 (("match", "one"), "not the number of a match"),
                                 (("players", "--no-header"), "only with --csv"),
                                 (("players", "x"), "takes no argument")):
            done = self.ask(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(words, done.stderr)
        done = self.ask("query", "refusals", "nobody=1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no parameter :nobody", done.stderr)

    def test_what_is_not_there_is_said_with_where_to_look(self):
        for arguments, words in ((("match", "9999"), "there is no match 9999\nskirmish matches lists them"),
                                 (("player", "nobody"), "there is no player nobody\nskirmish players lists them"),
                                 (("matches", "--player", "nobody"), "there is no player nobody"),
                                 (("query", "history", "player=nobody"), "there is no player nobody"),
                                 (("query", "head_to_head", "player=ann", "other=nobody"), "no player nobody"),
                                 (("query", "busiest", "from=yesterday"),
                                  "there is no time yesterday\nwrite 2026-09-21 or 2026-09-21T14:00, in UTC"),
                                 (("export", "--player", "nobody"), "there is no player nobody")):
            done = self.ask(*arguments)
            self.assertEqual((done.returncode, done.stdout), (1, ""), arguments)
            self.assertTrue(done.stderr.startswith(f"skirmish {arguments[0]}: "), done.stderr)
            self.assertIn(words, done.stderr)

    def test_csv_has_a_header_unless_it_is_not_wanted_and_plain_newlines(self):
        sql = "SELECT 1 AS n, 'a' AS t UNION ALL SELECT 2, 'b,c'"
        self.assertEqual(self.raw("query", sql, "--csv"), b'n,t\n1,a\n2,"b,c"\n')
        self.assertEqual(self.raw("query", sql, "--form", "csv"), b'n,t\n1,a\n2,"b,c"\n')
        self.assertEqual(self.raw("query", sql, "--csv", "--no-header"), b'1,a\n2,"b,c"\n')
        self.assertEqual(self.raw("query", "SELECT 1 WHERE 0", "--csv", "--no-header"), b"")

    def raw(self, *arguments):
        return subprocess.run([SKIRMISH, arguments[0], "--database", self.database, *arguments[1:]],
                              capture_output=True, timeout=TIME_LIMIT_S, check=True).stdout

    def on_terminal(self, width, *arguments):
        """The lines that a terminal of that width gets."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        try:
            subprocess.run([SKIRMISH, arguments[0], "--database", self.database, *arguments[1:]],
                           stdout=theirs, stderr=subprocess.PIPE, timeout=TIME_LIMIT_S, check=True)
            return os.read(ours, 65536).decode().splitlines()
        finally:
            os.close(ours)
            os.close(theirs)

    def test_a_table_is_cut_to_the_terminal_and_to_nothing_else(self):
        sql = "SELECT 123456 AS number, printf('%.50c', 'x') AS long, printf('%.30c', 'y') AS other"
        lines = self.on_terminal(40, "query", sql)
        self.assertEqual([len(line) for line in lines[:3]], [30, 40, 40])
        self.assertRegex(lines[2], "^123456  x+~  y+~$")
        self.assertRegex(self.on_terminal(200, "query", sql)[2], "^123456  x{50}  y{30}$")
        self.assertRegex(self.ask("query", sql).stdout.splitlines()[2], "^123456  x{50}  y{30}$")


class InUse(Case):

    async def test_a_database_in_use_is_asked_while_it_is_played_on(self):
        alice, bob, match = await self.pair()
        for turn in range(3):
            row = turn % 2
            await self.play(alice, bob, match, turn, [move("a1", 1, 2 + row)], [move("b1", 1, 1 - row)])
            done = skirmish("query", f"SELECT turns FROM match_summary WHERE match = {match}",
                            "--form", "json", database=self.daemon.database)
            self.assertEqual(json.loads(done.stdout), [{"turns": turn + 1}], done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
