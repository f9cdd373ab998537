"""--help and unknown options of every script, and the folders that tests/crash/run leaves behind."""

import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
SCRIPTS = ["deploy/build", "deploy/cluster/run", "deploy/install-deps", "deploy/new-ruleset", "deploy/package",
           "deploy/release", "deploy/run", "deploy/sbom", "tests/run", "tests/one", "tests/ruleset/follow",
           "tests/crash/rounds.py", "tests/crash/start.py", "tests/fresh/readme",
           "tests/property/matrix", "tests/property/racers_setup", "tests/reference/compare.py",
           "tests/sim/faults", *(os.path.relpath(path, ROOT) for path in glob.glob(ROOT + "/tests/*/run"))]
HANDS_ON = {"deploy/run"}  # passes unknown options to the daemon


class ScriptCase(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="skirmish-scripts-")
        self.addCleanup(folder.cleanup)
        self.temp = os.path.join(folder.name, "tmp")
        self.copy = os.path.join(folder.name, "checkout")
        os.makedirs(self.temp)
        for part in ("deploy", "tests"):
            shutil.copytree(os.path.join(ROOT, part), os.path.join(self.copy, part),
                            ignore=shutil.ignore_patterns("node_modules", "corpus", "__pycache__"))
        shutil.copy(os.path.join(ROOT, "CMakePresets.json"), self.copy)

    def start(self, script, *options):
        return subprocess.Popen([os.path.join(self.copy, script), *options], text=True, cwd=self.copy,
                                env={"PATH": "/usr/bin:/bin", "HOME": self.copy, "TMPDIR": self.temp},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_script(self, script, *options):
        process = self.start(script, *options)
        out, errors = process.communicate(timeout=600)
        return process.returncode, out, errors


class Options(ScriptCase):

    def listed(self):
        return sorted(path for path in glob.glob(self.copy + "/**", recursive=True) if "__pycache__" not in path)

    def test_help_is_printed_and_nothing_is_made(self):
        before = self.listed()
        for script in SCRIPTS:
            with self.subTest(script):
                status, out, errors = self.run_script(script, "--help")
                self.assertEqual((status, errors), (0, ""))
                self.assertIn(os.path.basename(script), out)
        self.assertEqual(self.listed(), before)

    def test_an_unknown_option_is_named_and_nothing_is_made(self):
        before = self.listed()
        for script in SCRIPTS:
            if script not in HANDS_ON:
                with self.subTest(script):
                    status, out, errors = self.run_script(script, "--nonsense")
                    self.assertEqual(status, 2)
                    self.assertTrue("--nonsense" in errors or os.path.basename(script) in errors, out + errors)
        self.assertEqual(self.listed(), before)

    def test_an_unknown_preset_is_answered_with_the_list(self):
        status, _, errors = self.run_script("deploy/build", "relaese")
        self.assertEqual(status, 2)
        self.assertRegex(errors, r"relaese'.*\n[^$]* release bench crash asan tsan fuzz coverage")


class CrashLeavesNothing(ScriptCase):

    def start_hanging(self):
        """A part that creates a folder and never ends."""
        with open(os.path.join(self.copy, "tests", "crash", "points"), "w", encoding="ascii") as file:
            file.write('#!/bin/sh\nmkdir "$TMPDIR/made"\nsleep 30\n')
        for built in ("release/tests/load", "crash/tests/powerloss", "asan/tests/corrupt"):
            path = os.path.join(self.copy, "build", built)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii"):
                os.chmod(path, 0o755)
        process = self.start("tests/crash/run", "--only", "points")
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        while not glob.glob(self.temp + "/*/made"):
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        return process

    def test_when_it_is_told_to_stop(self):
        process = self.start_hanging()
        process.send_signal(signal.SIGTERM)
        process.wait()
        self.assertEqual(os.listdir(self.temp), [])

    def test_after_it_was_killed(self):
        process = self.start_hanging()
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertNotEqual(os.listdir(self.temp), [])
        process = self.start_hanging()
        self.assertEqual(len(os.listdir(self.temp)), 1)
        process.send_signal(signal.SIGTERM)
        process.wait()


if __name__ == "__main__":
    unittest.main()
