"""Programs of this Debian release. Their packages are not installed, because that would start services: they are
unpacked in build/tests/proxies."""

import glob
import os
import shutil
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
FOLDER = os.path.join(ROOT, "build", "tests", "proxies")
PACKAGES = ("nginx", "haproxy", "apache2-bin", "caddy", "prometheus")


def unpack():
    """Downloads the packages and their dependencies that are not installed."""
    done = os.path.join(FOLDER, "done")
    if os.path.exists(done):
        return
    archives = os.path.join(FOLDER, "archives")
    os.makedirs(os.path.join(archives, "partial"), exist_ok=True)
    subprocess.run(["apt-get", "-q", "-y", "-o", "Debug::NoLocking=1", "-o",
                    f"Dir::Cache::archives={archives}", "-o", "APT::Sandbox::User=",
                    "--no-install-recommends", "--download-only", "install", *PACKAGES],
                   check=True, stdout=sys.stderr)
    for package in glob.glob(os.path.join(archives, "*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, FOLDER], check=True)
    shutil.rmtree(archives)
    with open(done, "w", encoding="ascii"):
        pass


def program(name):
    places = [os.path.join(FOLDER, "usr", "sbin"), os.path.join(FOLDER, "usr", "bin"), "/usr/sbin", "/usr/bin"]
    return shutil.which(name, path=":".join(places))
