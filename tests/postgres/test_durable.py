"""A node does not start on a server that acknowledges what is not on disk."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(ROOT, "tests", "e2e"), os.path.join(ROOT, "tests", "cluster")]

from cluster import Postgres  # noqa: E402
from daemon import PROGRAM, TIME_LIMIT_S, Daemon  # noqa: E402


class Durable(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="sk-durable-"))
        os.chmod(folder, 0o711)  # the user of PostgreSQL passes through
        self.server = Postgres(folder)
        self.addCleanup(self.server.stop, "immediate")

    def run_sql(self, sql):
        subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, self.server.url()], check=True)

    def expect_refused(self, *words):
        """The message has the setting and what to do; nothing is made in the database."""
        done = subprocess.run([PROGRAM, "--port", "0", "--metrics-port", "0", "--admin-socket", "none", "--node", "one",
                               "--database", self.server.url()], capture_output=True, text=True, timeout=TIME_LIMIT_S,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        for word in ("cannot use the database", "acknowledged turns could be lost", *words):
            self.assertIn(word, done.stderr)
        self.assertEqual(self.server.rows("SELECT 1 FROM pg_tables WHERE schemaname = 'public'"), [])

    def expect_started(self):
        with Daemon("--node", "one", "--database", self.server.url()) as daemon:
            daemon.wait_until_ready()

    def test_fsync_must_be_on(self):
        self.server.start("fsync=off")
        self.expect_refused("fsync is off", "set fsync = on in postgresql.conf")
        self.server.stop()
        self.server.start()
        self.expect_started()

    def test_synchronous_commit_must_be_on(self):
        self.server.start()
        self.run_sql("ALTER DATABASE postgres SET synchronous_commit = off")
        self.expect_refused("synchronous_commit is off", "ALTER ROLE ... SET synchronous_commit = on")
        self.run_sql("ALTER ROLE skirmish SET synchronous_commit = on")
        self.expect_started()
