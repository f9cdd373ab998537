"""The image of deploy/Containerfile, built by buildah on a base that debootstrap made, and started as it says."""

import glob
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest

from client import Case, Schemas, attack, move
from packages import RELEASE, Booted, Served, say
from root import CHECKOUT, LOCAL_CERTIFICATES, base_archive

BASE = "localhost/debian:12-slim"
IMAGE = "localhost/skirmish-test"
ENVIRONMENT = {**os.environ, "BUILDAH_ISOLATION": "chroot"}


class Container(Case):

    @classmethod
    def buildah(cls, *arguments, **how):
        done = subprocess.run(["buildah", "--root", cls.path("images"), "--runroot", cls.path("run"), *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, env=ENVIRONMENT,
                              **how)
        assert done.returncode == 0, f"buildah {' '.join(arguments)}:\n{done.stdout}\n{done.stderr}"
        return done.stdout.strip()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.work, name)

    @classmethod
    def remove(cls):
        cls.buildah("umount", "--all")
        cls.buildah("rm", "--all")
        shutil.rmtree(cls.work)

    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.mkdtemp(prefix="skirmish-container-", dir="/var/tmp")
        cls.addClassCleanup(cls.remove)
        container = cls.buildah("from", "scratch")
        cls.buildah("add", container, base_archive(RELEASE, say), "/")
        for certificate in glob.glob(LOCAL_CERTIFICATES + "/*.crt"):
            cls.buildah("add", container, certificate, LOCAL_CERTIFICATES + "/")
        cls.buildah("run", container, "--", "update-ca-certificates")
        cls.buildah("commit", "--rm", container, BASE)
        cls.buildah("build", "--format", "docker", "--pull=never", "-f", "deploy/Containerfile", "-t", IMAGE, ".",
                    cwd=CHECKOUT)
        cls.config = json.loads(cls.buildah("inspect", "--type", "image", IMAGE))["Docker"]["config"]
        container = cls.buildah("from", "--pull=never", IMAGE)
        folder = cls.buildah("mount", container)
        volume = cls.path("volume")
        shutil.copytree(os.path.join(folder, "var/lib/skirmish"), volume)
        os.chown(volume, 10001, 10001)
        options = [f"--setenv={variable}" for variable in cls.config["Env"]]
        cls.machine = cls.enterClassContext(Booted(
            folder, "--read-only", f"--bind={volume}:/var/lib/skirmish", "--user=skirmish",
            "--drop-capability=all", "--no-new-privileges=yes", f"--chdir={cls.config['WorkingDir']}",
            *options, first=cls.config["Entrypoint"]))
        cls.enterClassContext(cls.machine.network())
        cls.daemon = cls.enterClassContext(Served())
        cls.daemon.wait_until_ready()
        cls.schemas = Schemas(cls.daemon)

    def test_1_what_the_image_says_about_itself(self):
        self.assertEqual(self.config["User"], "10001")
        self.assertEqual(self.config["StopSignal"], "SIGTERM")
        self.assertEqual(list(self.config["Volumes"]), ["/var/lib/skirmish"])
        self.assertEqual(list(self.config["ExposedPorts"]), ["7777/tcp"])
        labels = self.config["Labels"]
        self.assertEqual(labels["org.opencontainers.image.licenses"], "MIT")
        self.assertEqual(labels["org.opencontainers.image.title"], "Skirmish")

    def test_2_it_runs_as_its_own_user_on_a_root_that_it_cannot_write(self):
        with open(f"/proc/{self.machine.leader}/status", encoding="ascii") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        self.assertEqual(set(status["Uid"].split()), {"10001"})
        self.assertEqual(int(status["CapEff"], 16), 0)
        self.assertIn("Read-only", self.machine.run("sh", "-c", "echo >/etc/x", check=False))

    def test_3_the_health_check_passes(self):
        kind, *command = self.config["Healthcheck"]["Test"]
        self.assertEqual(kind, "CMD")
        self.machine.run(*command)

    async def test_4_two_people_play_until_it_is_stopped_and_the_volume_has_it(self):
        alice, bob, match = await self.pair()
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [move("b1", 1, 1)])
        await alice.submit(match, 1, attack("a1", 1, 1))
        os.kill(int(self.machine.leader), signal.Signals[self.config["StopSignal"]])
        self.assertEqual([await client.close_code() for client in (alice, bob)], [1001, 1001])
        self.assertEqual(self.machine.process.wait(60), 0, self.machine.printed())
        stored = sqlite3.connect(self.path("volume/skirmish.db"))
        self.addCleanup(stored.close)
        self.assertEqual(stored.execute("SELECT count(*) FROM match_submission WHERE match = ? AND turn = 1",
                                        (match,)).fetchone(), (1,))


if __name__ == "__main__":
    unittest.main()
