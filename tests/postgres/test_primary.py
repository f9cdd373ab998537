"""Of several hosts in an address, what writes finds the primary; what only reads takes the first."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(ROOT, "tests", "e2e"), os.path.join(ROOT, "tests", "cluster")]

from cluster import Postgres  # noqa: E402
from daemon import PROGRAM, TIME_LIMIT_S, Daemon  # noqa: E402

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")


class Primary(unittest.TestCase):
    def setUp(self):
        """The address names the standby first."""
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sk-primary-"))
        os.chmod(folder, 0o711)  # the user of PostgreSQL passes through
        self.primary = self.run_server(Postgres(folder))
        self.standby = self.run_server(Postgres(folder, self.primary))
        self.both = self.primary.url(f"{self.standby.port},127.0.0.1:{self.primary.port}")

    def run_server(self, server):
        server.start()
        self.addCleanup(server.stop, "immediate")
        return server

    def skirmish(self, *arguments):
        done = subprocess.run([SKIRMISH, *arguments, "--database", self.both], capture_output=True, text=True,
                              timeout=TIME_LIMIT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_nodes_and_commands_that_write_use_the_primary(self):
        with Daemon("--node", "one", "--database", self.both) as daemon:
            daemon.wait_until_ready()  # its beats are stored
        self.assertEqual(self.primary.rows("SELECT name FROM node"), [["one"]])
        self.skirmish("prune", "--older-than", "90d", "--yes")
        self.assertEqual(self.primary.rows("SELECT command FROM admin_log"), [["prune"]])

        # The standby may be behind.
        last = self.primary.rows("SELECT pg_current_wal_lsn()")[0][0]
        while self.standby.rows(f"SELECT pg_last_wal_replay_lsn() >= '{last}'") != [[True]]:
            pass
        self.assertIn("\ntrue\n", self.skirmish("query", "--csv", "SELECT pg_is_in_recovery()::text"))
        self.skirmish("verify", "--all")  # which counts in temporary tables
        self.assertIn("read-only", self.refusal("?target_session_attrs=any"))  # the address decides

    def refusal(self, rest):
        """What a node says that cannot start."""
        done = subprocess.run([PROGRAM, "--port", "0", "--metrics-port", "0", "--admin-socket", "none", "--node", "one",
                               "--database", self.both + rest], capture_output=True, text=True, timeout=TIME_LIMIT_S,
                              check=False)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr
