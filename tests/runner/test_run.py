"""tests/run itself, in a small checkout with suites of its own."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
TOOLS = "gcc clang clang-format cmake ninja node npm chromium php".split()
PASSES = "echo 1 passed, 0 failed"


class Checkout:
    """tests/run, deploy/* that only say that they were called, and tools that say a version."""

    def __init__(self, folder, *suites):
        self.folder = os.path.join(folder, "checkout")
        self.bin = os.path.join(folder, "bin")
        self.temp = os.path.join(folder, "tmp")
        for path in (self.bin, self.temp, self.path("tests"), self.path("deploy")):
            os.makedirs(path)
        shutil.copy(os.path.join(ROOT, "tests", "run"), self.path("tests/run"))
        self.write("tests/suites", "# a comment\n" + "".join(suite + "\n" for suite in suites))
        self.write(".gitignore", "/build/\n")
        self.write("deploy/install-deps", "#!/bin/sh\n")
        self.write("deploy/build", '#!/bin/sh\necho "compiling $1"\n[ "$1" != bad ]\n')
        for tool in TOOLS:
            self.make_tool(tool, "1")
        subprocess.run(["git", "init", "-q", self.folder], check=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(file.name, 0o755)

    def make_tool(self, name, version):
        self.write(os.path.join(self.bin, name), f"#!/bin/sh\necho {version}\n")

    def start(self, *options, **variables):
        environment = {"PATH": self.bin + ":/usr/bin:/bin", "HOME": self.folder, "TMPDIR": self.temp, **variables}
        return subprocess.Popen([self.path("tests/run"), *options], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, *options, **variables):
        """(exit status, what was printed)"""
        process = self.start(*options, **variables)
        printed, _ = process.communicate(timeout=120)
        return process.returncode, printed


class RunCase(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="skirmish-runner-")
        self.addCleanup(self.folder.cleanup)

    def checkout(self, *suites):
        return Checkout(self.folder.name, *suites)


class Remembers(RunCase):

    def is_run(self, checkout, **variables):
        status, printed = checkout.run(**variables)
        self.assertEqual(status, 0, printed)
        return "unchanged" not in printed

    def test_what_was_green_until_something_changes(self):
        checkout = self.checkout(f"one normal - {PASSES}")
        self.assertTrue(self.is_run(checkout))
        self.assertFalse(self.is_run(checkout))
        checkout.write("source.c", "")
        self.assertTrue(self.is_run(checkout))

    def test_the_versions_of_all_tools(self):
        checkout = self.checkout(f"one normal - {PASSES}")
        self.is_run(checkout)
        for tool in TOOLS:
            checkout.make_tool(tool, "2")
            self.assertTrue(self.is_run(checkout), tool)

    def test_the_environment_that_a_suite_sees(self):
        checkout = self.checkout(f"one normal - env; {PASSES}")
        self.is_run(checkout)
        for name in ("SEED", "CHROMIUM", "https_proxy"):
            self.assertTrue(self.is_run(checkout, **{name: "5"}), name)

    def test_nothing_else_of_the_environment_reaches_a_suite(self):
        checkout = self.checkout(f"one normal - env; {PASSES}")
        names = ["NODE_OPTIONS", "SKIRMISH_DATABASE", "SKIRMISHD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CC", "CFLAGS", "TZ",
                 "PYTHONPATH", "LD_PRELOAD_X", "FUZZ_SECONDS", "LC_TIME"]
        self.is_run(checkout, **{name: "hostile" for name in names})
        with open(checkout.path("build/tests/logs/one.log"), encoding="utf-8") as log:
            self.assertNotIn("hostile", log.read())
        self.assertFalse(self.is_run(checkout, **{name: "other" for name in names}))

    def test_nothing_that_failed(self):
        checkout = self.checkout("one normal - echo 0 passed, 1 failed; exit 1")
        for _ in range(2):
            status, printed = checkout.run()
            self.assertEqual(status, 1)
            self.assertNotIn("unchanged", printed)


class Tells(RunCase):

    def test_what_it_will_do_and_how_far_it_is(self):
        checkout = self.checkout(f"one normal asan,release {PASSES}", f"two normal asan {PASSES}")
        status, printed = checkout.run()
        self.assertEqual(status, 0, printed)
        self.assertRegex(printed.splitlines()[0], r"takes about \d+ minutes")
        self.assertIn("To do: 2 builds (asan release), then 2 suites", printed)
        self.assertRegex(printed, r"build 2 of 2: release")
        self.assertRegex(printed, r"two begins, 2 of 2")
        self.assertEqual(printed.splitlines()[-1], "2 passed, 0 failed")

    def test_the_log_of_what_failed(self):
        checkout = self.checkout(f"good normal - {PASSES}", "silent normal - true", "hurt normal - exit 3",
                                 "unbuilt normal bad true",
                                 "bad normal - echo why it failed; echo 4 passed, 2 failed")
        status, printed = checkout.run()
        self.assertEqual(status, 1)
        self.assertEqual(printed.splitlines()[-1], "5 passed, 6 failed")
        named = re.findall(r"^FAILED: ([\w ]+), see (\S+)$", printed, re.M)
        logs = {name: checkout.path(path) for name, path in named}
        self.assertEqual(set(logs), {"silent", "hurt", "bad", "unbuilt", "build bad"})
        for name, part in (("bad", "why it failed"), ("build bad", "compiling bad"), ("hurt", "status 3"),
                           ("silent", "no test")):
            with open(logs[name], encoding="utf-8") as log:
                self.assertIn(part, log.read())
        self.assertIn("why it failed", printed)


class CleansUp(RunCase):

    def left(self, checkout):
        return os.listdir(checkout.temp) + [name for name in os.listdir("/dev/shm")
                                            if os.path.exists(os.path.join("/dev/shm", name, "one", self.id()))]

    def test_folders_of_suites(self):
        checkout = self.checkout(f'one normal - mkdir "$TMPDIR/a" && touch "$SCRATCH/{self.id()}" && {PASSES}')
        status, printed = checkout.run()
        self.assertEqual(status, 0, printed)
        self.assertEqual(self.left(checkout), [])

    def start_hanging(self):
        checkout = self.checkout(f'one normal - touch "$SCRATCH/{self.id()}" && touch hangs && sleep 30')
        process = checkout.start()
        while not os.path.exists(checkout.path("hangs")):
            time.sleep(0.05)
        os.remove(checkout.path("hangs"))
        return checkout, process

    def test_when_it_is_told_to_stop(self):
        checkout, process = self.start_hanging()
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(self.left(checkout), [])

    def test_after_a_run_that_was_killed(self):
        checkout, process = self.start_hanging()
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        self.assertNotEqual(self.left(checkout), [])
        checkout.write("tests/suites", f"other normal - {PASSES}\n")
        # What it had started holds the lock no more.
        status, printed = checkout.run()
        self.assertEqual(status, 0, printed)
        self.assertEqual(self.left(checkout), [])


if __name__ == "__main__":
    unittest.main()
