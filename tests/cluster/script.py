"""deploy/cluster/run as somebody tries it for the first time: with the commands that it prints, and Ctrl-C."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from cluster import ROOT, Process, last_lines, wait_until
from ports import free_port
from reader import Wrong

SCRIPT = os.path.join("deploy", "cluster", "run")
SKIRMISH = os.path.join("build", "bin", "skirmish")
OFFSETS = (3, 4, 5, 6, 14, 15, 16)  # from its port to its others
BY_CTRL_C = 130
PARAMS = '{"placement":false,"turn_limit":6}'


def is_free(port):
    with socket.socket() as probe, contextlib.suppress(OSError):
        probe.bind(("127.0.0.1", port))
        return True
    return False


def free_block():
    """A port whose others are free, too."""
    while True:
        port = free_port()
        if all(is_free(port + offset) for offset in OFFSETS):
            return port


class Script(Process):
    """In a session of its own, as in a terminal of its own."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="skirmish-script-")
        os.chmod(self.home, 0o711)  # the user of PostgreSQL passes through
        super().__init__(self.home, "script")
        self.folder = os.path.join(self.home, "cluster")
        self.port = free_block()
        self.commands = []
        # Tests may run where Ctrl-C is ignored, and bash cannot undo that: a handler is not inherited.
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def start(self):
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.log_path)
        self.run(SCRIPT, "--no-build", "--port", self.port, "--folder", self.folder,
                 environment={"HOME": self.home}, cwd=ROOT, start_new_session=True)

        def is_ready():
            if not self.is_running():
                raise Wrong(f"deploy/cluster/run ended: {self.log()}")
            return "Ctrl-C stops" in last_lines(self.log_path)

        wait_until(is_ready, "deploy/cluster/run")
        printed = last_lines(self.log_path)
        self.commands = re.findall(r"^  (\S.*)$", printed, re.MULTILINE)
        if self.url() not in printed or len(self.commands) != 4:
            raise Wrong(f"an address and four commands were expected: {printed}")

    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def call(self, word, node="one"):
        """What the printed command with this word says; that one is about the first node, this may be another."""
        export, [command] = self.commands[0], [line for line in self.commands if word in line]
        done = subprocess.run(["/bin/sh", "-c", f"{export}\n{command.replace('/one.pid', f'/{node}.pid')}"],
                              capture_output=True, text=True, check=False, cwd=ROOT)
        if done.returncode != 0:
            raise Wrong(f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def owner(self):
        """The node that has the only match."""
        listed = self.call("query")
        found = re.search(r"^ *1 +(\w+)$", listed, re.MULTILINE)
        if found is None:
            raise Wrong(f"the match has no node: {listed}")
        return found.group(1)

    def pid(self, node):
        """Empty while the file is rewritten."""
        with open(os.path.join(self.folder, node + ".pid"), encoding="ascii") as file:
            return file.read().strip()

    def processes(self):
        """All that it has started, found by their HOME: some are in sessions of their own."""
        found = {}  # pid -> command line
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                with open(f"/proc/{pid}/environ", "rb") as environ, open(f"/proc/{pid}/cmdline", "rb") as words:
                    has_home = self.home.encode() in environ.read()
                    line = words.read().replace(b"\0", b" ").decode(errors="replace")
                # PostgreSQL overwrites its environment, and works in its folder.
                if has_home or os.readlink(f"/proc/{pid}/cwd").startswith(self.home):
                    found[int(pid)] = line
        return found

    def stop(self):
        """Ctrl-C reaches all processes of the terminal."""
        os.killpg(self.process.pid, signal.SIGINT)
        status = self.process.wait(60)
        if status != BY_CTRL_C:
            raise Wrong(f"Ctrl-C: it ended with {status}, not with {BY_CTRL_C}: {self.log()}")
        if left := self.processes():
            raise Wrong("Ctrl-C: these still run:\n" + "\n".join(left.values()))

    def close(self):
        if self.is_running():
            self.terminate()
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.home, ignore_errors=True)  # who was killed may still write


class Player(Process):
    """Somebody at `skirmish play`, who passes each turn."""

    def __init__(self, script):
        super().__init__(script.home, "player")
        self.run(SKIRMISH, "play", "--ruleset", "tactics", "--params", PARAMS, "--against", "greedy",
                 "--url", script.url(), "--token-file", os.path.join(script.home, "tokens"), cwd=ROOT,
                 stdin=subprocess.PIPE)

    def shown(self):
        with open(self.log_path, encoding="utf-8") as file:
            return file.read()

    def wait_for_prompt(self, turn):
        def is_asked():
            if not self.is_running():
                raise Wrong(f"skirmish play ended before turn {turn}: {self.log()}")
            _, is_shown, rest = self.shown().rpartition(f"turn {turn}\n")
            return is_shown and "> " in rest

        wait_until(is_asked, f"turn {turn} of skirmish play")

    def play(self, *turns):
        for turn in turns:
            self.wait_for_prompt(turn)
            self.process.stdin.write(b"pass\n")
            self.process.stdin.flush()

    def end(self):
        status = self.process.wait(60)
        if status != 0 or "draw" not in self.shown():
            raise Wrong(f"skirmish play ended with {status}: {self.log()}")


def kill_owner(script, player):
    """kill -9 of the node that has the match, which goes on.  Where is not asserted: after five seconds the same
    node is there again, and on a busy machine it may be the first to continue the match."""
    owner = script.owner()
    before = script.pid(owner)
    script.call("kill -9", owner)
    killed_s = time.monotonic()
    player.play(2)
    player.wait_for_prompt(3)
    print(f"killed {owner}, at {script.owner()} the match went on after {time.monotonic() - killed_s:.1f} s")
    wait_until(lambda: script.pid(owner) not in ("", before), f"{owner} is started again", 30)


def try_out(script):
    script.start()
    player = Player(script)
    try:
        player.play(0, 1)
        player.wait_for_prompt(2)
        kill_owner(script, player)
        script.stop()
        script.start()
        player.play(3, 4, 5)
        player.end()
    finally:
        player.kill()
    verified = script.call("verify")
    print(verified, end="")
    if not verified.startswith("1 of 1 match holds"):
        raise Wrong(verified)
    script.stop()


def run_script():
    """Lists what is wrong."""
    script = Script()
    try:
        try_out(script)
        return []
    except (Wrong, RuntimeError, OSError, subprocess.TimeoutExpired) as error:
        return [str(error)]
    finally:
        script.close()
