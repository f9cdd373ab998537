"""Manual pages and completions have every command and every option of the programs."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from skirmish import PROGRAM, TIME_LIMIT_S

BIN = os.path.dirname(os.path.abspath(PROGRAM))
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
COMPLETIONS = os.path.join(ROOT, "deploy", "completions")
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "SIGNALS", "EXIT STATUS", "SEE ALSO"]
ENVIRONMENT = {**os.environ, "PATH": BIN + ":" + os.environ["PATH"], "TERM": "dumb"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=TIME_LIMIT_S,
                          env=ENVIRONMENT).stdout


def options_of(text):
    return re.findall(r"^  (--[a-z-]+)", text, re.M)


def commands():
    """Every command in the help, also those of two words, such as `bot replay`."""
    return re.findall(r"^  ([a-z][a-z-]*(?: [a-z]+)?)  ", output("skirmish", "--help"), re.M)


class ManualPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        output(os.path.join(ROOT, "deploy", "man", "make"), os.path.join(BIN, "skirmish"),
               os.path.join(BIN, "skirmishd"), cls.folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def shown(self, page):
        """The page as a reader sees it, without line breaks."""
        shown = output("mandoc", "-T", "utf8", "-O", "width=500", os.path.join(self.folder, page))
        return re.sub(".\b", "", shown)  # bold is a letter printed twice

    def source(self, page):
        with open(os.path.join(self.folder, page), encoding="utf-8") as file:
            return file.read().replace("\\-", "-")

    def test_are_without_a_fault(self):
        pages = [os.path.join(self.folder, page) for page in sorted(os.listdir(self.folder))]
        done = subprocess.run(["mandoc", "-T", "lint", *pages], capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout + done.stderr, "")

    def test_one_for_each_command(self):
        wanted = {f"skirmish-{name.replace(' ', '-')}.1" for name in commands()}
        self.assertGreater(len(wanted), 20)
        self.assertEqual(set(os.listdir(self.folder)), wanted | {"skirmish.1", "skirmishd.8", "skirmishd.conf.5"})

    def test_the_first_page_names_the_others(self):
        page = self.source("skirmish.1")
        for name in commands():
            self.assertIn(f"skirmish-{name.replace(' ', '-')}\\fR(1)", page)

    def test_every_option_of_every_command(self):
        for name in commands():
            options = options_of(output("skirmish", *name.split(), "--help"))
            page = self.source(f"skirmish-{name.replace(' ', '-')}.1")
            self.assertEqual(re.findall(r"^\\fB(--[a-z-]+)", page, re.M), options, name)

    def test_every_option_of_the_daemon(self):
        options = options_of(output("skirmishd", "--help"))
        self.assertEqual(re.findall(r"^\\fB(--[a-z-]+)", self.source("skirmishd.8"), re.M), options)

    def test_every_option_of_the_configuration(self):
        defaults = output("skirmishd", "--print-defaults")
        options = re.findall(r"^#([a-z-]+) =", defaults, re.M)
        flags = {option[2:] for option in options_of(output("skirmishd", "--help"))}
        self.assertGreater(len(options), 30)
        self.assertLessEqual(set(options), flags)
        self.assertEqual(re.findall(r"^\\fB([a-z-]+)", self.source("skirmishd.conf.5"), re.M), options)

    def test_sections_are_in_the_usual_order(self):
        for page in os.listdir(self.folder):
            sections = re.findall(r"^\.SH (.*)", self.source(page), re.M)
            self.assertEqual(sections, [name for name in SECTIONS if name in sections], page)
            for name in ("NAME", "COMMANDS" if page == "skirmish.1" else "DESCRIPTION", "SEE ALSO"):
                self.assertIn(name, sections, page)

    def test_has_what_the_help_says(self):
        for name in ("play", "resolve", "query"):
            page = " ".join(self.shown(f"skirmish-{name}.1").split())
            for word in output("skirmish", name, "--help").split():
                if word not in ("usage:", "options:", "status:", "Exit", "exit"):
                    self.assertIn(word, page, name)


class Completion(unittest.TestCase):
    """What each shell offers at the end of a line."""

    def expect(self, complete):
        names = {name.split()[0] for name in commands()}
        self.assertLessEqual(names, complete("skirmish "))
        self.assertEqual(complete("skirmish ver"), {"verify"})
        pairs = [name.split() for name in commands() if " " in name]
        self.assertIn(["bot", "replay"], pairs)
        for first in {first for first, _ in pairs}:
            self.assertLessEqual({second for one, second in pairs if one == first}, complete(f"skirmish {first} "))
        for name in ("play", "verify", *(" ".join(pair) for pair in pairs)):
            options = options_of(output("skirmish", *name.split(), "--help"))
            self.assertLessEqual(set(options), complete(f"skirmish {name} --"), name)
        self.assertEqual(complete("skirmish play --ruleset "), {"halma", "racers", "snarl", "tactics"})
        self.assertEqual(complete("skirmish schema h"), {"halma"})
        self.assertEqual(complete("skirmish query refu"), {"refusals"})
        options = options_of(output("skirmishd", "--help"))
        self.assertLessEqual(set(options), complete("skirmishd --"))

    def test_bash(self):
        script = os.path.join(COMPLETIONS, "skirmish.bash")

        def complete(line):
            words = line.split(" ")
            code = (f"source '{script}'; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1));"
                    " _$1 \"$1\" \"${COMP_WORDS[-1]}\" \"${COMP_WORDS[-2]}\"; printf '%s\\n' \"${COMPREPLY[@]}\"")
            return set(output("bash", "-c", code, "bash", *words).split())

        self.expect(complete)

    def test_fish(self):
        script = os.path.join(COMPLETIONS, "skirmish.fish")

        def complete(line):
            lines = output("fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'").splitlines()
            return {line.split("\t")[0] for line in lines}

        self.expect(complete)

    def test_zsh(self):
        known = output("zsh", "-f", "-c", f"fpath=('{COMPLETIONS}' $fpath); autoload -Uz compinit; compinit -u -D;"
                       " print $_comps[skirmish] $_comps[skirmishd]")
        self.assertEqual(known.split(), ["_skirmish", "_skirmish"])

        def complete(line):
            """zsh completes only at a terminal: these replace its functions and print their arguments."""
            words = line.split(" ")
            code = ("_describe() { local name=$@[-1]; print -rl -- ${${(P)name}%%:*} }; compadd() { print -rl -- $@ };"
                    f" _files() {{ : }}; words=(\"$@\") CURRENT=$# PREFIX=$@[-1] service=$1;"
                    f" source '{COMPLETIONS}/_skirmish' | grep -- \"^$PREFIX\" || :")
            return set(output("zsh", "-f", "-c", code, "zsh", *words).split())

        self.expect(complete)


if __name__ == "__main__":
    unittest.main()
