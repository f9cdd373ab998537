"""What the parts share: where the packages are, and a machine that systemd has booted."""

import contextlib
import ctypes
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from daemon import TIME_LIMIT_S, Daemon
from root import CHECKOUT, PATH

RELEASE = os.environ.get("RELEASE", "bookworm")
FOLDER = os.path.join(CHECKOUT, "build", "tests", "packages", RELEASE)
CLONE_NEWNET = 0x40000000


def say(text):
    print(text, file=sys.stderr, flush=True)


def package(name):
    """The path of the package that `build` made."""
    [path] = glob.glob(os.path.join(FOLDER, f"{name}_*.deb"))
    return path


def version_of(path):
    return subprocess.run(["dpkg-deb", "--field", path, "Version"], check=True, capture_output=True,
                          text=True).stdout.strip()


def repack(path, folder, suffix):
    """The same package as a later version; its path."""
    tree = os.path.join(folder, "tree")
    subprocess.run(["dpkg-deb", "--raw-extract", path, tree], check=True)
    control = os.path.join(tree, "DEBIAN", "control")
    with open(control, encoding="utf-8") as file:
        text = file.read()
    with open(control, "w", encoding="utf-8") as file:
        file.write(text.replace(version_of(path), version_of(path) + suffix))
    target = os.path.join(folder, os.path.basename(path).replace("_", "-later_", 1))
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, target], check=True, capture_output=True)
    shutil.rmtree(tree)
    return target


def cgroup_folders():
    """Where this process is in each hierarchy that systemd uses: cgroup2, and v1's name=systemd."""
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        mounts = [line.split() for line in file]
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        places = dict(line.rstrip("\n").split(":", 2)[1:] for line in file)
    for words in mounts:
        kind, options = words[words.index("-") + 1], words[-1].split(",")
        if kind == "cgroup2" and "" in places:
            yield words[4] + places[""].rstrip("/")
        elif kind == "cgroup" and "name=systemd" in options and "name=systemd" in places:
            yield words[4] + places["name=systemd"].rstrip("/")


def remove_cgroup(place):
    """False while a process is in it; in v1 also one that has ended and nobody has waited for."""
    for folder, _, _ in os.walk(place, topdown=False):
        with contextlib.suppress(OSError):
            os.rmdir(folder)
    return not os.path.isdir(place)


class Booted:
    """A root that systemd has booted, with a network of its own; powered off at the end of `with`."""

    def __init__(self, folder, *options, first=("--boot",)):
        name = f"skirmish-{os.getpid()}-{time.monotonic_ns()}"  # the same in each: nspawn creates it in all
        self.cgroups = [os.path.join(place, name) for place in cgroup_folders()]
        for place in self.cgroups:
            for old in glob.glob(os.path.join(os.path.dirname(place), "skirmish-*-*")):  # of runs that are over
                if not os.path.exists(f"/proc/{os.path.basename(old).split('-')[1]}"):
                    remove_cgroup(old)
            os.mkdir(place)
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--settings=no",
             "--link-journal=no", "--resolv-conf=off", "--timezone=off", "--console=pipe",
             f"--directory={folder}", *options, *first],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, preexec_fn=self.enter_cgroups,
            env={"PATH": PATH, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"})
        self.leader = None

    def enter_cgroups(self):
        for place in self.cgroups:
            with open(os.path.join(place, "cgroup.procs"), "w", encoding="ascii") as file:
                file.write("0")

    def __enter__(self):
        try:
            self.wait_until_begun()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def printed(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def wait_until_begun(self):
        """nspawn's child is the first process of the machine once it has its own namespaces."""
        until = time.monotonic() + TIME_LIMIT_S
        own = os.stat("/proc/self/ns/net").st_ino
        while self.leader is None:
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"nothing was started:\n{self.printed()}")
            with contextlib.suppress(OSError, IndexError):
                with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as file:
                    child = file.read().split()[-1]
                if os.stat(f"/proc/{child}/ns/net").st_ino != own and os.readlink(f"/proc/{child}/root") == "/":
                    with open(f"/proc/{child}/status", encoding="ascii") as file:
                        if re.search(r"^NSpid:\t\d+\t(?:\d+\t)*1$", file.read(), re.M):
                            self.leader = child
            time.sleep(0.05)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()  # an orderly power off
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        for place in self.cgroups:
            until = time.monotonic() + 5
            while not remove_cgroup(place) and time.monotonic() < until:
                time.sleep(0.05)

    def run(self, *arguments, check=True):
        """What a command inside prints."""
        done = subprocess.run(
            ["nsenter", "--target", self.leader, "--all", "--root", "--wd", "--", "/usr/bin/env", "-i", f"PATH={PATH}",
             "HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def wait_until_booted(self):
        until = time.monotonic() + TIME_LIMIT_S
        while True:
            said = self.run("systemctl", "is-system-running", check=False).strip()
            if said in ("running", "degraded"):
                return said
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError(f"it does not boot: {said}\n{self.printed()}")
            time.sleep(0.2)

    @contextlib.contextmanager
    def network(self):
        """Sockets that this thread opens meanwhile are of the machine's network."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/thread-self/ns/net", encoding="ascii") as own, \
                open(f"/proc/{self.leader}/ns/net", encoding="ascii") as other:
            if libc.setns(other.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
            try:
                yield
            finally:
                libc.setns(own.fileno(), CLONE_NEWNET)


class Served(Daemon):
    """A daemon that something else has started; tests talk to it as to one of theirs."""

    def __init__(self, port=7777, metrics_port=9777):
        self.port, self.metrics_port, self.scheme = port, metrics_port, "ws"
        self.folder = tempfile.TemporaryDirectory(prefix="skirmish-served-")

    def __exit__(self, *_):
        self.folder.cleanup()

    def log(self):
        return b""

    def wait_until_ready(self):
        until = time.monotonic() + TIME_LIMIT_S
        while True:
            with contextlib.suppress(OSError):
                if self.get("/readyz").status == 200:
                    return
            assert time.monotonic() < until, "the daemon is not ready"
            time.sleep(0.05)
