"""deploy/release: the same bytes from a checkout and from its own tarball, which builds; REUSE; the SBOM."""

import filecmp
import json
import os
import re
import subprocess
import tempfile
import unittest

from root import CHECKOUT


def run(*command, **how):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **how)
    assert done.returncode == 0, done.stdout
    return done.stdout


class Release(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        made = run("deploy/release", "--changed", os.path.join(cls.folder, "first"), cwd=CHECKOUT).split()
        [cls.tarball, cls.sbom] = made
        run("tar", "-C", cls.folder, "-xzf", cls.tarball)
        cls.tree = os.path.join(cls.folder, os.path.basename(cls.tarball).removesuffix(".tar.gz"))

    def test_the_tarball_makes_itself(self):
        again = run("deploy/release", "--source", os.path.join(self.folder, "again"), cwd=self.tree).strip()
        self.assertTrue(filecmp.cmp(self.tarball, again, False))

    def test_every_file_has_a_licence(self):
        said = run("reuse", "--root", self.tree, "lint", cwd=self.tree)
        self.assertIn("Congratulations", said)

    def test_style_without_git(self):
        self.assertFalse(os.path.exists(os.path.join(self.tree, ".git")))
        modules = "tests/page/node_modules"
        os.symlink(os.path.join(CHECKOUT, modules), os.path.join(self.tree, modules))
        run("deploy/build", "bench", cwd=self.tree)
        said = run("tests/tidy/run", cwd=self.tree)
        self.assertRegex(said, r"(?m)^\d+ passed, 0 failed$")

    def test_the_sbom_has_what_the_programs_are_linked_with(self):
        with open(self.sbom, encoding="utf-8") as file:
            document = json.load(file)
        self.assertEqual(document["spdxVersion"], "SPDX-2.3")
        known = {one["SPDXID"]: one for one in document["packages"]}
        linked = {known[one["relatedSpdxElement"]]["comment"].split()[0] for one in document["relationships"]
                  if one["relationshipType"] == "DYNAMIC_LINK"}
        with open(os.path.join(CHECKOUT, "CMakeLists.txt"), encoding="utf-8") as file:
            modules = re.findall(r"pkg_check_modules\(\w+ (?:REQUIRED )?IMPORTED_TARGET (\S+)\)", file.read())
        wanted = {module if module.startswith("lib") else f"lib{module}" for module in modules} - {"libcriterion"}
        names = {"libzlib": "libz"}
        self.assertEqual({names.get(one, one) for one in wanted} | {"libc", "libm"}, linked)
        for one in document["packages"]:
            self.assertTrue(one["versionInfo"] and one["licenseDeclared"], one)
        self.assertEqual(known["SPDXRef-skirmish"]["checksums"][0]["checksumValue"],
                         run("sha256sum", self.tarball).split()[0])


if __name__ == "__main__":
    unittest.main()
