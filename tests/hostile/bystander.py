"""The effect of an attack on others: two players of a small match, measured without it and with it.

Daemon and players share one processor, and the attack has another one and the lowest priority: this measures
how long the server lets them wait, not who gets the processor. They have priority over other processes where
that is allowed. The daemon has one processor for all its threads, which is less than usual.

The players come from another address than the attack.  The daemon is the one that is released, with its default
limits.  Where its database is decides what idle means: in memory a turn takes less than a millisecond, so that
every millisecond that the server is busy shows; a disk would hide ten of them.
"""

import contextlib
import glob
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

from client import PIKES
from daemon import PING, PONG, TEXT, TIME_LIMIT_S, Daemon, SecureDaemon, Socket, frame, make_certificate
from measure import cpu_s, descriptors, percentile, rss_bytes

HERE = os.path.dirname(os.path.abspath(__file__))
PACE_S = 0.025  # per turn: within the rate of a connection
STALLED_S = 10  # a turn that takes this long ends the measurement
BEAT_US = 200000  # as with systemd; the daemon notifies twice as often


def processors():
    """(the server's, the attack's): sets; the same if there is only one."""
    usable = sorted(os.sched_getaffinity(0))
    return {usable[0]}, {usable[1 % len(usable)]}


@contextlib.contextmanager
def first_of_all(cpus):
    """Gives this process and its children priority on these processors."""
    before, priority = os.sched_getaffinity(0), os.getpriority(os.PRIO_PROCESS, 0)
    os.sched_setaffinity(0, cpus)
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
        os.setpriority(os.PRIO_PROCESS, 0, priority)


class Beats:
    """The other end of NOTIFY_SOCKET: when the daemon notified the watchdog."""

    def __init__(self):
        self.name = f"@skirmish-beats-{os.getpid()}-{id(self)}"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + self.name[1:])
        self.times = []
        self.environment = {"NOTIFY_SOCKET": self.name, "WATCHDOG_USEC": str(BEAT_US)}
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        with contextlib.suppress(OSError):
            while True:
                if self.socket.recv(256).startswith(b"WATCHDOG=1"):
                    self.times.append(time.monotonic())

    def longest_gap(self, since):
        """The longest pause, including the one until now."""
        times = [since, *(at for at in list(self.times) if at > since), time.monotonic()]
        return max(after - before for before, after in zip(times, times[1:]))

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


class Player(Socket):

    def __init__(self, daemon, name):
        super().__init__(daemon)
        self.raw.settimeout(STALLED_S)
        self.ask("hello", protocol=1, name=name)

    def say(self, kind, **members):
        self.send(frame(TEXT, json.dumps({"type": kind, "id": kind, **members}).encode()))

    def hear(self):
        """The next message."""
        while True:
            opcode, data = self.receive()
            assert opcode is not None, "the bystander was disconnected"
            if opcode == PING:
                self.send(frame(PONG, data))
            elif opcode == TEXT:
                return json.loads(data)

    def ask(self, kind, **members):
        self.say(kind, **members)
        while (answer := self.hear()).get("id") != kind:
            pass
        assert answer["type"] != "error", answer
        return answer


class Pair:
    """Two players who step back and forth."""

    def __init__(self, daemon):
        self.players = [Player(daemon, "ann"), Player(daemon, "ben")]
        first, second = self.players
        self.match = first.ask("create", ruleset="tactics", params={**PIKES, "turn_limit": 1000000}, clock=None,
                               rated=False)["match"]
        second.ask("join", match=self.match)
        self.turn = 0

    def take_turn(self):
        """Seconds from the first frame to the last answer."""
        began = time.monotonic()
        x = 1 if self.turn % 2 else 0
        for player, unit, y in zip(self.players, ("a1", "b1"), (3, 0)):
            player.say("submit", match=self.match, turn=self.turn, command_id=str(self.turn),
                       commands=[{"kind": "move", "unit": unit, "target": [x, y]}], ready=True)
        try:
            for player in self.players:
                self.wait_for_turn(player)
        except TimeoutError:
            return STALLED_S
        self.turn += 1
        return time.monotonic() - began

    def wait_for_turn(self, player):
        while True:
            told = player.hear()
            assert told["type"] != "error", told
            if told["type"] == "turn" and told["turn"] > self.turn:
                return

    def play(self, seconds):
        """How long each turn took."""
        times = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            times.append(self.take_turn())
            if times[-1] >= STALLED_S:
                break
            time.sleep(max(0, PACE_S - times[-1]))
        return times

    def close(self):
        for player in self.players:
            player.raw.close()


class Attacker:
    """The process of an attack."""

    def __init__(self, name, port, cpus):
        def give_way():
            os.sched_setaffinity(0, cpus)
            os.nice(39)  # the lowest, whatever it was

        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, "attacks.py"), name, str(port)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        preexec_fn=give_way)
        line = self.process.stdout.readline()
        assert line == "ready\n", f"{name} did not prepare itself: {line!r}"

    def go(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def end(self):
        """Ends it and returns its figures; all its connections are gone."""
        self.process.stdin.close()
        text = self.process.stdout.read()
        self.process.wait(TIME_LIMIT_S)
        self.process.stdout.close()
        return json.loads(text)

    def close(self):
        self.process.kill()
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                file.close()


def stored_bytes(daemon):
    return sum(os.path.getsize(path) for path in glob.glob(glob.escape(daemon.database) + "*"))


def wait_until_quiet(pid):
    """Waits until earlier requests are answered."""
    for _ in range(40):
        before = cpu_s(pid)
        time.sleep(0.1)
        if cpu_s(pid) - before <= 0.02:
            return


class Released(Daemon):
    """With the default limits."""

    generous = {}


class ReleasedSecure(SecureDaemon):

    generous = {}


@contextlib.contextmanager
def released(is_secure, environment):
    """One of the two."""
    with contextlib.ExitStack() as stack:
        if is_secure:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            daemon = ReleasedSecure(*make_certificate(folder, "server"), environment=environment)
        else:
            daemon = Released(environment=environment)
        yield stack.enter_context(daemon)


class Result:
    """One round: figures, and what is wrong with them."""

    P50_MAX, P95_MAX, GAP_MAX_S = 3, 10, 2
    SHARE_MAX = 0.10  # of memory and descriptors, beside:
    MEMORY_FLOOR, FILES_FLOOR = 16 << 20, 8
    # The write-ahead log, and the size of a record beyond the bytes that were sent.
    STORED_FLOOR, RECORD_BYTES = 8 << 20, 4096
    # Matches that the attack was granted stay in memory, in the file and in its log.
    MEMORY_FACTOR, STORED_FACTOR = 10, 3

    def faults(self):
        granted = self.granted["granted_bytes"]
        memory_max = self.rss_before * (1 + self.SHARE_MAX) + self.MEMORY_FLOOR + self.MEMORY_FACTOR * granted
        files_max = self.files_before * (1 + self.SHARE_MAX) + self.FILES_FLOOR
        stored_max = self.STORED_FLOOR + self.RECORD_BYTES * self.records + self.STORED_FACTOR * granted
        rows = (("p50 of a turn, times idle", self.p50, self.P50_MAX),
                ("p95 of a turn, times idle", self.p95, self.P95_MAX),
                ("seconds between two beats", self.gap_s, self.GAP_MAX_S),
                ("bytes of memory afterwards", self.rss_after, memory_max),
                ("descriptors afterwards", self.files_after, files_max),
                ("bytes of the database", self.stored, stored_max))
        return [f"{what}: {value:.6g}, at most {most:.6g}" for what, value, most in rows if value > most]

    HEAD = ("attack", "p50", "p95", "beat s", "peak MB", "MB after", "files", "db MB", "granted")

    def row(self, label):
        return (label, f"{self.p50:.1f}", f"{self.p95:.1f}", f"{self.gap_s:.2f}", f"{self.rss_peak / 1e6:.0f}",
                f"{(self.rss_after - self.rss_before) / 1e6:+.1f}", f"{self.files_after - self.files_before:+d}",
                f"{self.stored / 1e6:.1f}", str(self.granted["granted"]))


class Peak:
    """The largest memory during `with`."""

    def __init__(self, pid):
        self.pid, self.bytes, self.over = pid, rss_bytes(pid), threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def watch(self):
        while not self.over.wait(0.1):
            self.bytes = max(self.bytes, rss_bytes(self.pid))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def settle(result, pid):
    """Waits until the memory of the attack is freed, with a limit."""
    until = time.monotonic() + TIME_LIMIT_S / 4
    while True:
        result.rss_after, result.files_after = rss_bytes(pid), descriptors(pid)
        if not any("afterwards" in fault for fault in result.faults()) or time.monotonic() > until:
            return
        time.sleep(0.2)


class Calm:
    """The time of a turn when nothing else happens, as measured in this run."""

    NOISE_MAX = 1.5
    TRIES = 6

    def __init__(self):
        self.p50 = None

    def idle(self, pair, seconds):
        """Idle turns, repeated until they are as fast as the fastest so far: slow ones would hide an
        effect."""
        best = None
        for _ in range(self.TRIES):
            times = pair.play(seconds)
            p50 = percentile(times, 0.5)
            self.p50 = min(self.p50 or p50, p50)
            if best is None or p50 < percentile(best, 0.5):
                best = times
            if percentile(best, 0.5) <= self.NOISE_MAX * self.p50:
                break
        return best


def measure(attack, seconds, idle_seconds, calm):
    """One round on a new daemon: idle, then under the attack."""
    own, theirs = processors()
    result = Result()
    with contextlib.ExitStack() as stack:
        stack.enter_context(first_of_all(own))
        beats = stack.enter_context(contextlib.closing(Beats()))
        daemon = stack.enter_context(released(attack.is_secure, beats.environment))
        pid = daemon.process.pid
        daemon.wait_until_ready()
        pair = stack.enter_context(contextlib.closing(Pair(daemon)))
        pair.play(0.3)
        result.files_before = descriptors(pid)
        attacker = stack.enter_context(contextlib.closing(Attacker(attack.__name__, daemon.port, theirs)))
        wait_until_quiet(pid)
        idle = calm.idle(pair, idle_seconds)
        records = daemon.metrics()["skirmish_store_records_total"]
        stored = stored_bytes(daemon)
        result.rss_before = rss_bytes(pid)
        began = time.monotonic()
        with Peak(pid) as peak:
            attacker.go()
            attacked = pair.play(seconds)
        result.gap_s = beats.longest_gap(began)
        result.rss_peak = peak.bytes
        result.p50, result.p95 = (percentile(attacked, share) / percentile(idle, share) for share in (0.5, 0.95))
        result.idle_ms = percentile(idle, 0.5) * 1000
        result.turns = len(attacked)
        result.granted = attacker.end()
        result.records = daemon.metrics()["skirmish_store_records_total"] - records
        result.stored = stored_bytes(daemon) - stored
        settle(result, pid)
    return result


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))) for row in rows)
