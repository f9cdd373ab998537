"""deploy/package in a bare root: two builds give the same packages, without a complaint of lintian."""

import filecmp
import glob
import os
import shutil
import subprocess
import unittest

from packages import FOLDER, RELEASE, package, say
from root import Machine, Root

NAMES = {"skirmishd", "skirmish", "libskirmish0", "libskirmish-dev", "python3-skirmish", "skirmishd-dbgsym",
         "skirmish-dbgsym", "libskirmish0-dbgsym"}
PACKAGER = ("A & B", "packager@skirmish.invalid")


class Build(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        cls.root = Root(RELEASE, False, say)
        cls.addClassCleanup(cls.root.close)
        cls.root.put_checkout("root", False)
        cls.checkout = f"{cls.root.home('root')}/skirmish"
        cls.machine = cls.enterClassContext(Machine(cls.root, has_network=True))
        cls.machine.run(["./deploy/install-deps", "--package"], folder=cls.checkout)
        for number in ("1", "2"):
            cls.machine.run(["env", f"DEBFULLNAME={PACKAGER[0]}", f"DEBEMAIL={PACKAGER[1]}", "./deploy/package",
                             f"/srv/{number}"], folder=cls.checkout)
        shutil.copytree(cls.root.path("/srv/1"), FOLDER)

    def test_every_package_is_made(self):
        names = {os.path.basename(path).split("_")[0] for path in glob.glob(os.path.join(FOLDER, "*.deb"))}
        self.assertEqual(names, NAMES)

    def test_the_maintainer_is_the_callers(self):
        for name in NAMES:
            said = subprocess.run(["dpkg-deb", "--field", package(name), "Maintainer"], check=True,
                                  capture_output=True, text=True).stdout
            self.assertEqual(said, "{} <{}>\n".format(*PACKAGER))

    def test_two_builds_are_the_same(self):
        for name in sorted(os.listdir(FOLDER)):
            if name.endswith((".deb", ".tar.gz", ".tar.xz", ".dsc")):
                with self.subTest(name):
                    self.assertTrue(filecmp.cmp(*(self.root.path("/srv", number, name) for number in "12"), False))

    def test_lintian_finds_nothing(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0",
                               *glob.glob(os.path.join(FOLDER, "*.changes"))], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_what_is_in_them(self):
        for name, paths in (
                ("skirmishd", ("/usr/bin/skirmishd", "/etc/skirmish/skirmishd.conf",
                               "/usr/share/skirmish/web/index.html", "/proto/js/skirmish.wasm",
                               "/usr/share/man/man8/skirmishd.8.gz", "/usr/share/man/man5/skirmishd.conf.5.gz",
                               "/usr/share/doc/skirmishd/README.md.gz", "/usr/share/doc/skirmishd/proxy/nginx.conf",
                               "/usr/share/doc/skirmishd/monitoring/dashboard.json",
                               "/usr/share/doc/skirmishd/monitoring/alerts.yaml",
                               "/usr/share/doc/skirmishd/cluster/haproxy.cfg",
                               "/usr/lib/sysusers.d/skirmishd.conf", "lib/systemd/system/skirmishd.service")),
                ("skirmish", ("/usr/bin/skirmish", "/usr/share/man/man1/skirmish-play.1.gz",
                              "/usr/share/zsh/vendor-completions/_skirmish",
                              "/usr/share/bash-completion/completions/skirmish")),
                ("libskirmish-dev", ("/usr/include/skirmish.h", "/pkgconfig/skirmish.pc",
                                     "/usr/share/skirmish/js/referee.js", "/usr/share/skirmish/js/skirmish.wasm",
                                     "/usr/share/skirmish/js/skirmish-game.wasm")),
                ("python3-skirmish", ("/usr/lib/python3/dist-packages/skirmish/__init__.py",))):
            listed = subprocess.run(["dpkg-deb", "--contents", package(name)], check=True, capture_output=True,
                                    text=True).stdout
            for path in paths:
                self.assertIn(path + "\n", listed, name)

    def test_the_library_and_python_work_as_installed(self):
        self.machine.run(["sh", "-c", "apt-get -q -y install /srv/1/libskirmish0_*.deb /srv/1/libskirmish-dev_*.deb "
                          "/srv/1/python3-skirmish_*.deb"])
        self.machine.run(["python3", "-c", "import skirmish; "
                          "assert [one['name'] for one in skirmish.Referee().rulesets()]"], folder="/")
        self.machine.run(["sh", "-c", "gcc tests/install/library.c -o /tmp/library $(pkg-config --cflags --libs "
                          "skirmish) && /tmp/library | cmp - tests/install/library.txt"], folder=self.checkout)


if __name__ == "__main__":
    unittest.main()
