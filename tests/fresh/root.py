"""A bare Debian in a folder, and a machine that runs in it."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
CHECKOUT = os.path.dirname(os.path.dirname(HERE))
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ORDINARY = "somebody"
LOCAL_CERTIFICATES = "/usr/local/share/ca-certificates"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"


def cache_folder():
    return os.environ.get("SKIRMISH_FRESH_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "skirmish", "fresh")


def debian_mirror():
    """The Debian mirror of this host."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
         "Created-By: Packages"], check=True, capture_output=True, text=True).stdout
    for line in listed.splitlines():
        uri, release, component = line.split()
        if component == "main" and release.isalpha() and uri.rstrip("/").endswith("/debian"):
            return uri
    raise RuntimeError("the host's apt names no Debian mirror (a source whose URI ends in /debian)")


def base_archive(release, say):
    """A tar file with the bare root of a release; made once and kept."""
    folder = cache_folder()
    archive = os.path.join(folder, f"{release}.tar")
    if not os.path.exists(archive):
        os.makedirs(folder, exist_ok=True)
        say(f"making a root of {release} with debootstrap; it is kept in {archive}")
        with tempfile.TemporaryDirectory(dir=folder, prefix="base-") as base:
            root = os.path.join(base, "root")
            subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates", release,
                            root, debian_mirror()], check=True, stdout=sys.stderr)
            subprocess.run(["tar", "-C", root, "-cf", os.path.join(base, "tar"), "."], check=True)
            os.rename(os.path.join(base, "tar"), archive)
    return archive


def remove(folder):
    subprocess.run(["rm", "-rf", "--one-file-system", folder], check=True)


def remove_leftovers():
    """Roots of runs that were killed: their names contain the process id."""
    for folder in glob.glob(os.path.join(cache_folder(), "run-*")):
        process = os.path.basename(folder).split("-")[1]
        if not os.path.exists(f"/proc/{process}"):
            remove(folder)


class Root:
    """A copy of a bare root. Removed at the end, unless it is to be kept."""

    def __init__(self, release, keep, say):
        self.keep = keep
        archive = base_archive(release, say)
        remove_leftovers()
        name = "kept" if keep else f"run-{os.getpid()}"
        self.folder = tempfile.mkdtemp(dir=cache_folder(), prefix=f"{name}-{release}-")
        os.chmod(self.folder, 0o755)
        try:
            subprocess.run(["tar", "-C", self.folder, "-xpf", archive], check=True)
            self.prepare()
        except BaseException:
            self.close()
            raise

    def path(self, *parts):
        """The path on the host of a path in the machine."""
        return os.path.join(self.folder, *(part.lstrip("/") for part in parts))

    def prepare(self):
        """Writes the files that an installer writes, and those that the network needs."""
        with open(self.path("/etc/hosts"), "w", encoding="ascii") as file:
            file.write("127.0.0.1 localhost\n127.0.1.1 fresh\n::1 localhost ip6-localhost\n")
        shutil.copy("/etc/resolv.conf", self.path("/etc/resolv.conf"))
        self.has_certificates = False
        for certificate in glob.glob(LOCAL_CERTIFICATES + "/*.crt"):
            shutil.copy(certificate, self.path(LOCAL_CERTIFICATES))
            self.has_certificates = True
        with Machine(self, has_network=True) as machine:
            machine.run(["update-ca-certificates"])
            machine.run(["useradd", "--create-home", "--shell", "/bin/bash", ORDINARY])

    def home(self, account):
        return "/root" if account == "root" else f"/home/{account}"

    def put_checkout(self, account, has_git):
        """At ~/skirmish: a clone with the checkout's files as they are now, or what their release tarball has.

        Nothing is linked to the host's files, because their owner changes.  The home has
        nothing of an earlier copy's matches."""
        place = self.path(self.home(account), "skirmish")
        for old in (place, self.path(self.home(account), ".local")):
            shutil.rmtree(old, ignore_errors=True)
        if has_git:
            self.clone(place)
        else:
            self.unpack(place)
        with Machine(self, has_network=False) as machine:
            machine.run(["chown", "-R", f"{account}:", os.path.join(self.home(account), "skirmish")])

    def clone(self, place):
        subprocess.run(["git", "clone", "-q", "--no-hardlinks", "--no-checkout", CHECKOUT, place], check=True)
        listed = subprocess.run(["git", "-C", CHECKOUT, "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"], check=True, capture_output=True).stdout
        for name in filter(None, os.fsdecode(listed).split("\0")):
            source, target = os.path.join(CHECKOUT, name), os.path.join(place, name)
            if os.path.lexists(source):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)
        subprocess.run(["git", "-C", place, "reset", "-q"], check=True)

    def unpack(self, place):
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run([os.path.join(CHECKOUT, "deploy", "release"), "--source", "--changed", folder],
                                  check=True, capture_output=True, text=True).stdout.strip()
            os.mkdir(place)
            subprocess.run(["tar", "-C", place, "--strip-components=1", "-xzf", made], check=True)

    def close(self):
        if not self.keep:
            remove(self.folder)


class Machine:
    """A root that runs, with its own processes, mounts, host name and devices, and its own network or the
    host's. Ends with all its processes."""

    def __init__(self, root, has_network):
        self.root = root
        own_network = [] if has_network else ["--net"]
        self.first = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--ipc", "--uts", *own_network,
             os.path.join(HERE, "enter"), root.folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.first.stdout.readline() != "ready\n":
            self.close()
            raise RuntimeError(f"no machine could be started in {root.folder}")
        # unshare's child is the machine's first process.
        with open(f"/proc/{self.first.pid}/task/{self.first.pid}/children", encoding="ascii") as file:
            self.target = file.read().split()[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.first.stdin.close()
        self.first.wait()
        self.first.stdout.close()

    def command(self, arguments, account="root", folder="/"):
        """The command on the host that runs one inside, without the host's environment."""
        home = self.root.home(account)
        environment = [f"HOME={home}", f"USER={account}", f"LOGNAME={account}", f"PATH={PATH}",
                       "SHELL=/bin/bash", "LANG=C.UTF-8", "TERM=xterm"]
        if self.root.has_certificates:
            environment.append(f"NODE_EXTRA_CA_CERTS={CERTIFICATES}")
        return ["nsenter", "--target", self.target, "--mount", "--pid", "--ipc", "--uts", "--net",
                "--root", "--wd", "--",
                "/usr/bin/setpriv", f"--reuid={account}", f"--regid={account}", "--init-groups",
                "/usr/bin/env", "-i", "-C", folder, *environment, *arguments]

    def run(self, arguments, **options):
        """Runs a command; its output is shown only if it fails."""
        done = subprocess.run(self.command(arguments, **options), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(arguments)}: {done.stdout}")
