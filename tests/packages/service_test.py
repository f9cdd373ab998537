"""The packages in a root that systemd has booted: from `apt install` to purge, while two people play.

The tests are numbered: each begins with the running service that the one before it left.
"""

import json
import os
import re
import shutil
import ssl
import subprocess
import tempfile
import time
import unittest

from client import Case, Schemas, attack, move
from daemon import TIME_LIMIT_S, make_certificate
from packages import RELEASE, Booted, Served, package, repack, say, version_of
from root import Machine, Root

CONFIG = "/etc/skirmish/skirmishd.conf"
DATABASE = "/var/lib/skirmish/skirmish.db"
EXPOSURE_MAX = 1.4


class Service(Case):

    @classmethod
    def setUpClass(cls):
        cls.root = Root(RELEASE, False, say)
        cls.addClassCleanup(cls.root.close)
        os.makedirs(cls.root.path("/srv/packages"))
        for name in ("skirmishd", "skirmish"):
            shutil.copy(package(name), cls.root.path("/srv/packages", f"{name}.deb"))
        chosen = ["/srv/packages/skirmishd.deb", "/srv/packages/skirmish.deb"]
        apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]
        with Machine(cls.root, has_network=True) as machine:
            machine.run([*apt, "update"])
            machine.run([*apt, "--no-install-recommends", "install", "systemd", "systemd-sysv", "dbus", "man-db"])
            # The booted machine has no network.
            machine.run([*apt, "--download-only", "install", *chosen])
        cls.machine = cls.enterClassContext(Booted(cls.root.folder))
        cls.machine.wait_until_booted()
        cls.machine.run("apt-get", "-q", "-y", "install", *chosen)
        cls.enterClassContext(cls.machine.network())
        cls.daemon = cls.enterClassContext(Served())
        cls.daemon.wait_until_ready()
        cls.schemas = Schemas(cls.daemon)

    # ---- what systemd says ----

    def systemctl(self, *arguments, **how):
        return self.machine.run("systemctl", *arguments, **how)

    def shown(self, name):
        return self.systemctl("show", "--property", name, "--value", "skirmishd").strip()

    def journal(self):
        return self.machine.run("journalctl", "--no-pager", "--output=cat", "--unit=skirmishd")

    def wait_for(self, label, ask):
        until = time.monotonic() + TIME_LIMIT_S
        while True:
            value = ask()
            if value:
                return value
            self.assertLess(time.monotonic(), until, f"{label}\n{self.journal()}")
            time.sleep(0.1)

    def configure(self, text):
        with open(self.root.path(CONFIG), "a", encoding="utf-8") as file:
            file.write(text)

    async def finish(self, alice, bob, match, turn):
        """The last turn of a match: alice's pike wins."""
        await alice.submit(match, turn, attack("a1", 1, 1))
        await bob.submit(match, turn, move("b1", 2, 1))
        await alice.expect("over", match=match)
        await bob.expect("over", match=match)
        self.machine.run("skirmish", "verify", str(match), "--database", DATABASE)

    async def begin(self):
        """A match of two people after its first turn."""
        alice, bob, match = await self.pair()
        await self.play(alice, bob, match, 0, [move("a1", 1, 2)], [move("b1", 1, 1)])
        return alice, bob, match

    # ---- its life ----

    def test_01_it_runs_as_its_own_user_and_starts_at_boot(self):
        self.assertEqual(self.systemctl("is-active", "skirmishd").strip(), "active")
        self.assertEqual(self.systemctl("is-enabled", "skirmishd").strip(), "enabled")
        user = self.machine.run("stat", "--format=%U %a", f"/proc/{self.shown('MainPID')}", DATABASE,
                                "/var/lib/skirmish")
        self.assertEqual(user.split("\n"), ["skirmish 555", "skirmish 600", "skirmish 700", ""])
        self.assertIn(b"<title>", self.daemon.get("/").body)
        self.machine.run("skirmish", "health")

    async def test_02_two_people_play(self):
        alice, bob, match = await self.begin()
        await self.finish(alice, bob, match, 1)

    def test_03_manual_pages(self):
        for name, words in (("skirmish", "skirmish-play"), ("skirmishd", "--database"),
                            ("skirmishd.conf", "metrics-port"), ("skirmish-bot-replay", "web service")):
            self.assertIn(words, self.machine.run("man", "--pager=cat", name).replace("\N{HYPHEN}", "-"))

    def test_04_reload(self):
        process = self.shown("MainPID")
        self.configure("malformed-max = 6\n")
        self.systemctl("reload", "skirmishd")
        self.wait_for("reloaded", lambda: re.search(r"info reloaded$", self.journal(), re.M))
        self.assertEqual(self.shown("MainPID"), process)
        self.assertNotIn("not reloaded", self.journal())

    def test_05_a_wrong_configuration_is_no_reason_to_end_or_to_start_again(self):
        process = self.shown("MainPID")
        with open(self.root.path(CONFIG), encoding="utf-8") as file:
            good = file.read()
        self.configure("nonsense = 1\n")
        self.systemctl("reload", "skirmishd")
        self.wait_for("not reloaded", lambda: "not reloaded: " in self.journal())
        self.assertEqual(self.shown("MainPID"), process)
        self.systemctl("restart", "skirmishd", check=False)
        self.wait_for("failed", lambda: self.shown("ActiveState") == "failed")
        self.assertEqual(self.shown("ExecMainStatus"), "2")
        self.assertEqual(self.shown("NRestarts"), "0")
        with open(self.root.path(CONFIG), "w", encoding="utf-8") as file:
            file.write(good)
        self.systemctl("start", "skirmishd")
        self.daemon.wait_until_ready()

    def test_05_the_certificate_is_its_groups_and_renewed_by_a_reload(self):
        """The steps of deploy/README.md, "TLS"."""
        with open(self.root.path(CONFIG), encoding="utf-8") as file:
            good = file.read()
        self.configure("tls-certificate = /etc/skirmish/certificate.pem\ntls-key = /etc/skirmish/key.pem\n")
        folder = self.root.path("/srv")
        for name, verb in (("first", "restart"), ("renewed", "reload")):
            certificate, _ = make_certificate(folder, name)
            self.machine.run("install", "-m", "644", f"/srv/{name}.pem", "/etc/skirmish/certificate.pem")
            self.machine.run("install", "-m", "640", "-g", "skirmish", f"/srv/{name}.key", "/etc/skirmish/key.pem")
            self.systemctl(verb, "skirmishd")
            with open(certificate, encoding="ascii") as file:
                wanted = file.read()
            self.wait_for(name, lambda: ssl.get_server_certificate(("127.0.0.1", 7777)) == wanted)
        with open(self.root.path(CONFIG), "w", encoding="utf-8") as file:
            file.write(good)
        self.machine.run("rm", "/etc/skirmish/certificate.pem", "/etc/skirmish/key.pem")
        self.systemctl("restart", "skirmishd")
        self.daemon.wait_until_ready()

    async def test_06_after_a_crash_it_starts_again_and_players_resume(self):
        alice, bob, match = await self.begin()
        process = self.shown("MainPID")
        self.systemctl("kill", "--kill-who=main", "--signal=SEGV", "skirmishd")
        self.wait_for("another process", lambda: self.shown("MainPID") not in ("0", process))
        self.daemon.wait_until_ready()
        self.assertEqual(self.shown("NRestarts"), "1")
        await self.finish(*await self.back(alice, bob, match=match), match, 1)

    async def test_07_a_loop_that_hangs_is_ended_by_the_watchdog(self):
        alice, bob, match = await self.begin()
        process = self.shown("MainPID")
        self.systemctl("kill", "--kill-who=main", "--signal=STOP", "skirmishd")
        self.wait_for("another process", lambda: self.shown("MainPID") not in ("0", process))
        self.assertIn("watchdog", self.machine.run("journalctl", "--no-pager", "--unit=skirmishd").lower())
        self.daemon.wait_until_ready()
        await self.finish(*await self.back(alice, bob, match=match), match, 1)

    async def test_08_a_full_disk_stops_nothing_but_writing(self):
        self.systemctl("stop", "skirmishd")
        self.machine.run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", "/var/lib/skirmish")
        self.systemctl("start", "skirmishd")
        self.daemon.wait_until_ready()
        alice, bob, match = await self.begin()
        process = self.shown("MainPID")
        self.machine.run("sh", "-c", "cat /dev/zero >/var/lib/skirmish/fill", check=False)
        for number in range(90):  # until the space is used that the file has already
            answer = await alice.ask("submit", match=match, turn=1, commands=[], ready=False,
                                     command_id=f"full-{number}")
            if answer["type"] == "error":
                break
        self.assertEqual(answer.get("code"), "store_unavailable", answer)
        self.assertEqual(self.daemon.get("/readyz").status, 503)
        self.assertEqual(self.daemon.get("/healthz").status, 200)
        self.machine.run("rm", "/var/lib/skirmish/fill")
        self.daemon.wait_until_ready()
        await self.finish(alice, bob, match, 1)
        self.assertEqual(self.shown("MainPID"), process)
        self.systemctl("stop", "skirmishd")
        self.machine.run("umount", "/var/lib/skirmish")
        self.systemctl("start", "skirmishd")
        self.daemon.wait_until_ready()

    def test_09_what_it_could_reach_is_little(self):
        said = self.machine.run("systemd-analyze", "security", "--no-pager", "skirmishd.service")
        exposure = float(re.search(r"Overall exposure level for skirmishd.service: ([\d.]+)", said).group(1))
        say(f"exposure {exposure}")
        self.assertLessEqual(exposure, EXPOSURE_MAX, said)

    async def test_10_stopping_stores_what_was_sent_and_closes_connections(self):
        alice, bob, match = await self.begin()
        await alice.submit(match, 1, attack("a1", 1, 1))
        self.systemctl("stop", "skirmishd")
        self.assertEqual(self.shown("Result"), "success")
        self.assertEqual(self.shown("ExecMainStatus"), "0")
        self.assertEqual([await client.close_code() for client in (alice, bob)], [1001, 1001])
        self.systemctl("start", "skirmishd")
        self.daemon.wait_until_ready()
        alice, bob = await self.back(alice, bob, match=match)
        await bob.submit(match, 1, move("b1", 2, 1))
        await alice.expect("over", match=match)

    async def test_11_an_upgrade_interrupts_no_match(self):
        alice, bob, match = await self.begin()
        self.configure("# of the operator\n")
        process, old = self.shown("MainPID"), version_of(package("skirmishd"))
        repository = self.root.path("/srv/repository")
        os.makedirs(repository)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("skirmishd", "skirmish"):
                shutil.copy(repack(package(name), folder, "+1"), repository)
        with open(os.path.join(repository, "Packages"), "wb") as file:
            subprocess.run(["dpkg-scanpackages", "--multiversion", "."], cwd=repository, stdout=file, check=True,
                           stderr=subprocess.DEVNULL)
        with open(self.root.path("/srv/list"), "w", encoding="ascii") as file:
            file.write("deb [trusted=yes] file:/srv/repository ./\n")
        source = ["-o", "Dir::Etc::SourceList=/srv/list", "-o", "Dir::Etc::SourceParts=-", "-q", "-y"]
        self.machine.run("apt-get", *source, "update")
        self.machine.run("apt-get", *source, "upgrade")
        for name in ("skirmishd", "skirmish"):
            self.assertEqual(self.machine.run("dpkg-query", "--show", "--showformat=${Version}", name), old + "+1")
        self.assertEqual([await client.close_code() for client in (alice, bob)], [1001, 1001])
        self.daemon.wait_until_ready()
        self.assertNotIn(self.shown("MainPID"), ("0", process))
        with open(self.root.path(CONFIG), encoding="utf-8") as file:
            self.assertIn("# of the operator\n", file.read())
        await self.finish(*await self.back(alice, bob, match=match), match, 1)

    async def test_12_a_backup_is_restored(self):
        """The steps of deploy/README.md."""
        alice, bob, match = await self.begin()
        as_user = ("setpriv", "--reuid=skirmish", "--regid=skirmish", "--clear-groups")
        copy = "/var/lib/skirmish/copy.db"
        self.machine.run(*as_user, "skirmish", "backup", copy, "--database", DATABASE)
        self.machine.run(*as_user, "skirmish", "verify", "--all", "--database", copy)
        later = await self.player()
        self.machine.run("mv", copy, "/var/backups/copy.db")
        self.systemctl("stop", "skirmishd")
        self.machine.run("sh", "-c", f'before=$(mktemp -d /var/backups/skirmish-XXXXXX) && mv {DATABASE}* "$before"')
        self.machine.run("install", "-o", "skirmish", "-g", "skirmish", "-m", "600", "/var/backups/copy.db", DATABASE)
        self.systemctl("start", "skirmishd")
        self.daemon.wait_until_ready()
        await self.finish(*await self.back(alice, bob, match=match), match, 1)
        stranger = await self.connect()
        await stranger.refused("bad_token", "hello", protocol=1, token=later.token)

    def test_13_removed_it_keeps_the_database_and_purged_it_does_not(self):
        self.machine.run("apt-get", "-q", "-y", "remove", "skirmishd")
        self.assertNotEqual(self.systemctl("is-active", "skirmishd", check=False).strip(), "active")
        for path in (DATABASE, CONFIG):
            self.assertTrue(os.path.exists(self.root.path(path)), path)
        self.machine.run("apt-get", "-q", "-y", "purge", "skirmishd", "skirmish")
        for path in ("/var/lib/skirmish", "/etc/skirmish", "/usr/share/skirmish", "/usr/bin/skirmishd"):
            self.assertFalse(os.path.lexists(self.root.path(path)), path)
        left = json.loads(self.machine.run("systemctl", "list-units", "--all", "--output=json", "skirmishd*") or "[]")
        self.assertEqual([unit for unit in left if unit["load"] == "loaded"], [])


if __name__ == "__main__":
    unittest.main()
