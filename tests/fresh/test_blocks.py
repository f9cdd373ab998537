"""The reader of a page notices everything that is wrong."""

import os
import sys
import unittest

sys.dont_write_bytecode = True

from blocks import PageError, Reader, pattern_of, read_steps
from terminal import BARE_SHELL, Terminal

ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TERM": "xterm"}


def follow(page):
    """(passed, failed, problems) of a page."""
    problems = []
    reader = Reader(lambda: Terminal(BARE_SHELL, "/", ENVIRONMENT),
                    lambda line, problem: problems.append((line, problem)))
    return *reader.follow(read_steps(page)), problems


class Patterns(unittest.TestCase):
    def test_three_dots_match_anything_in_a_line_and_any_lines(self):
        for label, expected, printed, is_whole, matches in (
                ("the same", "a\nb\n", "a\nb\n", True, True),
                ("another line", "a\n", "b\n", True, False),
                ("a line too many", "a\n", "a\nb\n", True, False),
                ("more may come", "a\n", "a\nb\n", False, True),
                ("a line is missing", "a\nb\n", "a\n", True, False),
                ("inside a line", "id ... ok\n", "id 17 ok\n", True, True),
                ("not over the end of a line", "id ... ok\n", "id 17\n ok\n", True, False),
                ("any lines", "...\nz\n", "x\ny\nz\n", True, True),
                ("no lines", "...\nz\n", "z\n", True, True),
                ("nothing but dots", "...\n", "", True, True),
                ("special characters", "[a]*\n", "[a]*\n", True, True),
                ("spaces at the end", "a\n", "a  \n", True, True)):
            with self.subTest(label):
                found = pattern_of(expected, is_whole).match(printed)
                self.assertEqual(bool(found), matches)


class Pages(unittest.TestCase):
    def test_a_page_with_a_block_without_a_kind_is_refused(self):
        for label, page in (
                ("no kind", "```\nls\n```\n"),
                ("another kind", "```python\n1\n```\n"),
                ("no end", "```sh\nls\n"),
                ("output of nothing", "```text\na\n```\n"),
                ("two outputs", "```sh\nls\n```\n```text\n```\n```text\n```\n"),
                ("an unknown action", "<!-- terminal: one, dances -->\n"),
                ("an unknown comment", "<!-- terminl: one -->\n"),
                ("an unknown key", "<!-- terminal: one, ends by magic -->\n")):
            with self.subTest(label), self.assertRaises(PageError):
                read_steps(page)

    def test_blocks_run_in_order_in_their_terminals(self):
        page = ("```sh\nx=1\n```\n```sh\necho $x\n```\n```text\n1\n```\n"
                "<!-- terminal: other -->\n```sh\necho \"[$x]\"\n```\n```text\n[]\n```\n")
        self.assertEqual(follow(page), (3, 0, []))

    def test_lines_are_typed_into_a_program_that_stays_and_a_key_ends_it(self):
        page = ("<!-- terminal: one, stays -->\n```sh\ncat\n```\n"
                "```json\n{}\n```\n```text\n{}\n```\n<!-- terminal: one, ends by Ctrl-D -->\n"
                "```sh\necho after\n```\n```text\nafter\n```\n")
        self.assertEqual(follow(page), (4, 0, []))

    def test_failures_are_reported_with_their_line(self):
        for label, page, line, part in (
                ("other output", "```sh\necho a\n```\n```text\nb\n```\n", 1, "expected:\nb"),
                ("a command fails", "\n```sh\nfalse\ntrue\n```\n", 2, "failed with status 1: false"),
                ("what should stay ends", "<!-- terminal: a, stays -->\n```sh\nfalse\n```\n"
                 "```text\nready\n```\n", 2, "failed with status 1"),
                ("typed into nothing", "```json\n{}\n```\n", 1, "runs nothing")):
            with self.subTest(label):
                passed, failed, problems = follow(page)
                self.assertEqual((passed, failed), (0, 1))
                self.assertEqual(problems[0][0], line)
                self.assertIn(part, problems[0][1])

    def test_a_block_marked_not_run_is_not_run(self):
        self.assertEqual(follow("<!-- not run: no -->\n```sh\nfalse\n```\n"), (0, 0, []))


if __name__ == "__main__":
    unittest.main()
