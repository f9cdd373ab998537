"""tests/run and tests/one, in a small checkout with its own tests."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
PASSES = "echo 1 passed, 0 failed"
PRESETS = """{
  "version": 6,
  "configurePresets": [{"name": "asan", "generator": "Ninja", "binaryDir": "${sourceDir}/build/asan"}]
}"""
HEAD = """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES NONE)
enable_testing()
include(tests/suite.cmake)
sk_preset(good)
sk_preset(bad)
"""
BUILD = """#!/bin/sh
echo "compiling $1"
[ "$1" != asan ] || exec cmake --preset asan
[ "$1" != bad ]
"""


def suite(name, script, *words, within=None):
    return f'sk_suite({within or name} {name} {" ".join(words)} COMMAND sh -c [=[{script}]=])\n'


class Checkout:
    """tests/run and what it calls; deploy/install-deps does nothing, deploy/build only configures."""

    def __init__(self, folder, *suites):
        self.folder = os.path.join(folder, "checkout")
        self.temp = os.path.join(folder, "tmp")
        for path in (self.temp, self.path("tests"), self.path("deploy")):
            os.makedirs(path)
        for name in ("run", "one", "suite.cmake"):
            shutil.copy(os.path.join(ROOT, "tests", name), self.path("tests"))
        self.write("CMakePresets.json", PRESETS)
        self.write("CMakeLists.txt", HEAD + "".join(suites))
        self.write("deploy/install-deps", "#!/bin/sh\n")
        self.write("deploy/build", BUILD)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, path, text):
        with open(self.path(path), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(file.name, 0o755)

    def start(self, *options, **variables):
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.folder, "TMPDIR": self.temp, **variables}
        return subprocess.Popen([self.path("tests/run"), *options], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, *options, **variables):
        """(exit status, what was printed)"""
        process = self.start(*options, **variables)
        printed, _ = process.communicate(timeout=600)
        return process.returncode, printed

    def log(self, name):
        with open(self.path(f"build/asan/Testing/logs/{name}/{name}.log"), encoding="utf-8") as file:
            return file.read()


class RunCase(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="skirmish-runner-")
        self.addCleanup(self.folder.cleanup)

    def checkout(self, *suites):
        return Checkout(self.folder.name, *suites)


class Chooses(RunCase):

    def test_suites_and_tests_by_name_and_long_ones_when_asked(self):
        checkout = self.checkout(suite("a", PASSES), suite("b_1", PASSES, within="b"), suite("b_2", PASSES, within="b"),
                                 suite("b-long", PASSES, "LONG", within="b"))
        for options, passed in (((), 3), (("--long",), 4), (("--only", "a"), 1), (("--only", "b"), 2),
                                (("--only", "b_1", "--only", "a"), 2), (("--only", "b-long"), 1),
                                (("--only", "b", "--long"), 3)):
            status, printed = checkout.run(*options)
            self.assertEqual(status, 0, printed)
            self.assertEqual(printed.splitlines()[-1], f"{passed} passed, 0 failed", options)
        for options in (("--only", "c"), ("--only", "a", "--only", "c")):
            status, printed = checkout.run(*options)
            self.assertEqual(status, 2)
            self.assertIn("'c'", printed)

    def test_nothing_to_run_to_list_all(self):
        checkout = self.checkout(suite("a", "touch ran"), suite("b-long", "touch ran", "LONG", within="b"))
        status, printed = checkout.run("--list")
        self.assertEqual(status, 0, printed)
        self.assertLessEqual({"a", "b", "b-long", "long"}, set(printed.split()))
        self.assertFalse(os.path.exists(checkout.path("ran")))

    def test_which_variables_reach_a_test(self):
        checkout = self.checkout(suite("one", f"env; {PASSES}"))
        names = ["NODE_OPTIONS", "SKIRMISH_DATABASE", "SKIRMISHD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CC", "CFLAGS",
                 "TZ", "PYTHONPATH", "LD_PRELOAD_X", "FUZZ_SECONDS", "LC_TIME"]
        checkout.run(SEED="5", **{name: "hostile" for name in names})
        self.assertNotIn("hostile", checkout.log("one"))
        self.assertIn("\nSEED=5\n", checkout.log("one"))


class Tells(RunCase):

    def test_how_long_it_takes_and_how_far_it_is(self):
        checkout = self.checkout(suite("one", PASSES, "NEEDS", "good"), suite("two", PASSES))
        status, printed = checkout.run()
        self.assertEqual(status, 0, printed)
        self.assertRegex(printed.splitlines()[0], r"takes \d+ to \d+ minutes")
        self.assertRegex(printed, r"3/3 Test +#\d+: ")
        self.assertRegex(printed, r"(?m)^one +1 +0 +\d+\.\d +\d+\.\d$")
        self.assertEqual(printed.splitlines()[-1], "2 passed, 0 failed")

    def test_the_log_of_what_failed(self):
        checkout = self.checkout(suite("good", PASSES), suite("silent", "true"), suite("hurt", "exit 3"),
                                 suite("unbuilt", PASSES, "NEEDS", "bad"),
                                 suite("late", "sleep 60"), "set_tests_properties(late PROPERTIES TIMEOUT 1)\n",
                                 suite("bad", "echo why it failed; echo 4 passed, 2 failed"))
        status, printed = checkout.run()
        self.assertEqual(status, 1)
        self.assertEqual(printed.splitlines()[-1], "5 passed, 7 failed")
        named = re.findall(r"^FAILED: (\w+), see (\S+)$", printed, re.M)
        logs = {name: checkout.path(path) for name, path in named}
        self.assertEqual(set(logs), {"silent", "hurt", "bad", "unbuilt", "late", "build_bad"})
        for name, part in (("bad", "why it failed"), ("build_bad", "compiling bad"), ("hurt", "status 3"),
                           ("silent", "no test")):
            with open(logs[name], encoding="utf-8") as log:
                self.assertIn(part, log.read())
        self.assertIn("\n  | why it failed\n", printed.partition("FAILED: bad, see")[2])

    def test_that_ctest_itself_died(self):
        killer = "sleep 1; kill -KILL $(cut -d ' ' -f 4 /proc/$PPID/stat); sleep 60"  # the parent of tests/one
        checkout = self.checkout(suite("a", PASSES), suite("b", killer))
        status, printed = checkout.run()
        self.assertEqual(status, 1, printed)
        self.assertEqual(printed.splitlines()[-1], "1 passed, 1 failed")
        self.assertIn("FAILED: ctest ended with status 137", printed)

    def test_that_nothing_could_be_built(self):
        checkout = self.checkout("nonsense()\n")
        status, printed = checkout.run()
        self.assertEqual(status, 1)
        self.assertIn("see build/tests/build-asan.log", printed)
        self.assertEqual(printed.splitlines()[-1], "0 passed, 1 failed")


class Counts(RunCase):

    CASES = (
        ("several reports", "1 passed, 0 failed\n2 passed, 1 failed", (3, 1)),
        ("no test in one of them", "1 passed, 0 failed\n0 passed, 0 failed", (1, 1)),
        ("Criterion", "\033[0;34m[====] \033[0mSynthesis: Tested: 3 | Passing: 1 | Failing: 1 | Crashing: 1", (1, 2)),
        ("Criterion without a test", "[====] Synthesis: Tested: 0 | Passing: 0 | Failing: 0 | Crashing: 0", (0, 1)),
        ("unittest", "Ran 5 tests in 0.1s\n\nOK (skipped=1)", (4, 0)),
        ("unittest that failed", "Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=2)", (2, 3)),
        ("unittest without a test", "Ran 0 tests in 0.0s\n\nOK", (0, 1)),
        ("unittest without a verdict", "Ran 5 tests in 0.1s\n", (0, 1)),
        ("nothing", "words", (0, 1)),
    )

    def test_what_programs_report(self):
        result = os.path.join(self.folder.name, "result")
        for label, printed, expected in self.CASES:
            with self.subTest(label):
                done = subprocess.run([os.path.join(ROOT, "tests", "one"), result, "printf", "%s\n", printed],
                                      stdout=subprocess.DEVNULL, check=False)
                with open(result + ".count", encoding="ascii") as file:
                    passed, failed, *_ = file.read().split()
                self.assertEqual((int(passed), int(failed)), expected)
                self.assertEqual(done.returncode, expected[1] > 0)


class RunsBeside(RunCase):

    def test_each_other_without_removing_what_another_needs(self):
        one = f"'{ROOT}/tests/one' '{self.folder.name}'/$1.$i {PASSES}"
        script = f"for i in $(seq 25); do {one} || exit 1; done"
        beside = [subprocess.Popen(["sh", "-c", script, "sh", str(name)], stdout=subprocess.DEVNULL,
                                   env={**os.environ, "TMPDIR": self.folder.name}) for name in range(4)]
        self.assertEqual([process.wait() for process in beside], [0] * 4)


class CleansUp(RunCase):

    def left(self, checkout):
        return os.listdir(checkout.temp) + [name for name in os.listdir("/dev/shm")
                                            if os.path.exists(os.path.join("/dev/shm", name, self.id()))]

    def test_folders_of_tests(self):
        checkout = self.checkout(*(suite(name, f'touch "$TMPDIR/{self.id()}" && {PASSES}', *words)
                                   for name, words in (("one", ()), ("two", ("MEMORY",)))))
        status, printed = checkout.run()
        self.assertEqual(status, 0, printed)
        self.assertEqual(self.left(checkout), [])

    def start_hanging(self):
        """It and the process of its test."""
        script = f'touch "$TMPDIR/{self.id()}" && echo $PPID >new && mv new hangs && sleep 60'
        checkout = self.checkout(suite("one", script, "MEMORY"))
        process = checkout.start()
        while not os.path.exists(checkout.path("hangs")):
            time.sleep(0.05)
        with open(checkout.path("hangs"), encoding="ascii") as file:
            return checkout, process, int(file.read())

    def test_when_it_is_told_to_stop(self):
        checkout, process, _ = self.start_hanging()
        process.terminate()
        process.communicate(timeout=600)
        self.assertEqual(self.left(checkout), [])

    def test_after_a_test_that_was_killed(self):
        checkout, process, test = self.start_hanging()
        os.kill(test, signal.SIGKILL)
        printed, _ = process.communicate(timeout=120)
        self.assertEqual(printed.splitlines()[-1], "0 passed, 1 failed")
        self.assertNotEqual(self.left(checkout), [])
        checkout.write("CMakeLists.txt", HEAD + suite("other", PASSES))
        status, printed = checkout.run()
        self.assertEqual(status, 0, printed)
        self.assertEqual(self.left(checkout), [])


if __name__ == "__main__":
    unittest.main()
