"""Hostile and faulty clients: what they cost, and that others can continue.

Every test ends with a client that plays; the daemon runs throughout, and is measured before and after.
"""

import json
import os
import random
import resource
import select
import socket
import struct
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "e2e"))

from daemon import (CONTINUATION, PING, PONG, TEXT, TIME_LIMIT_S, Daemon, Socket,  # noqa: E402
                    frame, read_all, upgrade_request)
from measure import cpu_s, descriptors, percentile, rss_bytes  # noqa: E402

LONG = os.environ.get("LONG") == "yes"

# Sanitizers keep freed memory, so memory is measured only without them.
IS_PLAIN = "asan" not in os.environ.get("SKIRMISHD", "")

RESET = struct.pack("ii", 1, 0)  # SO_LINGER: gone without a word


class Friend(Socket):
    """A client that behaves, and measures how long it waits."""

    def ask(self, kind, **members):
        self.send(frame(TEXT, json.dumps({"type": kind, "id": "f", **members}).encode()))
        while True:
            opcode, data = self.receive()
            assert opcode is not None, "it was cut"
            if opcode == PING:
                self.send(frame(PONG, data))
            elif opcode == TEXT and json.loads(data).get("id") == "f":
                return json.loads(data)

    def hello(self):
        answer = self.ask("hello", protocol=1, name=f"f{random.randrange(1 << 40)}")
        assert answer["type"] == "welcome", answer
        return self

    def waits(self, count, pause_s=0.0):
        """Seconds that each ping took."""
        seconds = []
        for _ in range(count):
            began = time.monotonic()
            self.ask("ping")
            seconds.append(time.monotonic() - began)
            time.sleep(pause_s)
        return seconds


class Hostile(unittest.TestCase):

    options = ("--connections-per-address", "0", "--handshake-timeout", "2s",
               "--ping-interval", "2s", "--hello-timeout", "60s", "--frames-per-second", "10000",
               "--frames-burst", "10000")

    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon(*cls.options))
        cls.daemon.wait_until_ready()

    def setUp(self):
        self.pid = self.daemon.process.pid

    def tearDown(self):
        with Friend(self.daemon) as friend:
            self.assertEqual(friend.hello().ask("ping")["type"], "pong")

    def eventually(self, holds, what):
        until = time.monotonic() + TIME_LIMIT_S
        while not holds():
            self.assertLess(time.monotonic(), until, what)
            time.sleep(0.05)

    def all_gone(self, besides=0):
        self.eventually(lambda: self.daemon.metrics()["skirmish_net_websockets"] <= besides,
                        "connections stay open")

    def test_slow_handshakes(self):
        """200 clients that send a byte per second are disconnected, and delay nobody."""
        request = upgrade_request()
        slow = [self.daemon.connect() for _ in range(200)]
        gone = set()
        with Friend(self.daemon) as friend:
            friend.hello()
            until = time.monotonic() + TIME_LIMIT_S
            for i in range(len(request)):
                for one in set(slow) - gone:
                    try:
                        one.sendall(request[i:i + 1])
                    except OSError:
                        gone.add(one)
                friend.ask("ping")
                readable, _, _ = select.select(list(set(slow) - gone), [], [], 0)
                gone |= {one for one in readable if not self.has_bytes(one)}
                if len(gone) == len(slow):
                    break
                self.assertLess(time.monotonic(), until, f"{len(gone)} of 200 were cut")
                time.sleep(0.3)
        self.assertEqual(len(gone), len(slow))
        for one in slow:
            one.close()

    def test_handshakes_without_a_pause(self):
        """Clients whose request grows all the time are disconnected, too: their next byte is there
        when their time is over."""
        slow = [self.daemon.connect() for _ in range(100)]
        for one in slow:
            one.sendall(b"GET / HTTP/1.1\r\nX: ")
            one.setblocking(False)
        left = set(slow)
        until = time.monotonic() + 6  # three times what they have
        while left and time.monotonic() < until:
            for one in list(left):
                try:
                    one.send(b"x")
                except BlockingIOError:
                    continue
                except OSError:
                    left.remove(one)

        def are_cut():
            readable, _, _ = select.select(list(left), [], [], 0)
            left.difference_update(one for one in readable if not self.has_bytes(one))
            return not left
        self.eventually(are_cut, "connections stay open")
        for one in slow:
            one.close()

    @staticmethod
    def has_bytes(raw):
        try:
            return raw.recv(4096) != b""
        except OSError:
            return False

    def test_announced_and_endless_messages(self):
        """An announced length costs nothing; a message that is too long is cut at the limit."""
        before = rss_bytes(self.pid)
        for length in (1 << 62, 100 << 20):
            for begin in (TEXT, PING):
                held = []
                for _ in range(20):
                    one = Socket(self.daemon)
                    one.send(frame(begin, b"x" * 100, length=length))
                    held.append(one)
                for one in held:
                    self.assertIn(one.close_code(), (1009, 1002, None))
                    one.raw.close()
        with Socket(self.daemon) as one:
            one.send(frame(TEXT, b"", length=100 << 20))
            try:
                for _ in range(100 << 4):  # all of it, unless the server stops reading
                    one.raw.sendall(b"x" * 65536)
                self.assertEqual(one.close_code(), 1009)
            except OSError:
                pass
        if IS_PLAIN:
            self.assertLess(rss_bytes(self.pid) - before, 8 << 20)

    def test_fragments_of_one_byte(self):
        """A message in single bytes is one message, and delays nobody."""
        text = json.dumps({"type": "ping", "id": "x" * 60}).encode()
        pieces = [frame(TEXT if i == 0 else CONTINUATION, text[i:i + 1], final=i == len(text) - 1)
                  for i in range(len(text))]
        with Friend(self.daemon) as friend:
            friend.hello()
            for _ in range(20):
                with Socket(self.daemon) as one:
                    for piece in pieces:
                        one.send(piece)
                    opcode, data = one.receive()
                    while opcode == PING:  # if that takes long, the server pings
                        opcode, data = one.receive()
                    self.assertEqual((opcode, json.loads(data)["type"]), (TEXT, "pong"))
                friend.ask("ping")

    def test_malformed_messages(self):
        """Four are answered, the fifth closes the connection, also with valid messages in between."""
        for label, between in (("in a row", ()), ("with a ping between", (b'{"type":"ping"}',))):
            with self.subTest(label), Socket(self.daemon) as one:
                for i in range(5):
                    for text in (*between, b"nonsense"):
                        one.send(frame(TEXT, text))
                        opcode, data = one.receive()
                        self.assertEqual(opcode, TEXT, f"message {i}")
                        self.assertIn(json.loads(data)["type"], ("pong", "error"))
                opcode, data = one.receive()
                self.assertEqual(json.loads(data)["type"], "closing")
                self.assertEqual(one.close_code(), 1008)

    def test_half_open_connections(self):
        """Clients that vanish are pinged, detected and dropped."""
        files = descriptors(self.pid)
        silent = self.daemon.refused("silent")
        ghosts = [Socket(self.daemon) for _ in range(50)]
        self.assertEqual([ghost.answer.status for ghost in ghosts], [101] * 50)
        # their sockets are open on our side, but answer no ping
        self.eventually(lambda: self.daemon.refused("silent") - silent == 50, "not all were detected")
        self.all_gone()
        for ghost in ghosts:
            ghost.raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            ghost.raw.close()
        self.eventually(lambda: descriptors(self.pid) <= files, "descriptors stay open")

    def test_a_flood_of_pings(self):
        """Others wait at most twice as long; the figures are printed."""
        stop = threading.Event()

        def flood():
            while not stop.is_set():
                try:
                    with Socket(self.daemon) as one:
                        while not stop.is_set():
                            one.send(frame(PING, b"x" * 120) * 20)
                            time.sleep(0.002)
                except OSError:
                    pass

        with Friend(self.daemon) as friend:
            friend.hello()
            calm = percentile(friend.waits(400, 0.003), 0.99)
            threads = [threading.Thread(target=flood) for _ in range(4)]
            for thread in threads:
                thread.start()
            try:
                flooded = percentile(friend.waits(400, 0.003), 0.99)
            finally:
                stop.set()
                for thread in threads:
                    thread.join()
        cut = self.daemon.refused("control_flood")
        print(f"\np99 of a ping: {calm * 1000:.2f} ms alone, {flooded * 1000:.2f} ms beside a "
              f"flood, {flooded / calm:.1f} times; {cut:.0f} were cut")
        self.assertGreater(cut, 0)

    def test_connects_in_a_row(self):
        """500 per second; another connection is served meanwhile, and nothing is left behind."""
        seconds = 60 if LONG else 5
        with Friend(self.daemon) as friend:
            friend.hello()
            files = descriptors(self.pid)
            began = time.monotonic()
            count = 0
            while time.monotonic() - began < seconds:
                due = int((time.monotonic() - began) * 500)
                while count < due:
                    raw = self.daemon.connect()
                    if count % 3 == 0:
                        raw.sendall(upgrade_request())
                    if count % 2 == 0:
                        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                    raw.close()
                    count += 1
                friend.ask("ping")
                time.sleep(0.005)
        print(f"\n{count} connections in {time.monotonic() - began:.1f} s")
        self.all_gone()
        self.eventually(lambda: descriptors(self.pid) <= files, "descriptors stay open")


class Idle(unittest.TestCase):
    """Thousands that send hello and nothing else."""

    def test_idle_connections(self):
        count = 10000 if LONG else 1000
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * count + 1000), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        with Daemon("--connections-per-address", "0", "--address-factor", "0",
                    "--connections-max", str(count + 100),
                    "--ping-interval", "0", "--hello-timeout", "600s") as daemon:
            daemon.wait_until_ready()
            pid = daemon.process.pid
            files, before = descriptors(pid), rss_bytes(pid)
            held = []
            for i in range(count):
                one = Socket(daemon)
                self.assertEqual(one.answer.status, 101, f"connection {i}")
                held.append(one)
            each = (rss_bytes(pid) - before) / count
            used = cpu_s(pid)
            time.sleep(2)
            used = cpu_s(pid) - used
            print(f"\n{count} idle connections: {each / 1024:.1f} KiB each, "
                  f"{used * 50:.1f}% of a core")
            with Friend(daemon) as friend:
                self.assertEqual(friend.hello().ask("ping")["type"], "pong")
            for one in held:
                one.raw.close()
            until = time.monotonic() + TIME_LIMIT_S
            while descriptors(pid) > files:
                self.assertLess(time.monotonic(), until, "descriptors stay open")
                time.sleep(0.1)
            self.assertLess(used, 1, "idle connections keep it busy")
            if IS_PLAIN:
                self.assertLess(each, 10 << 10)


class FewFiles(unittest.TestCase):
    """The process may open only a few files."""

    def test_accepting_resumes_without_spinning(self):
        with Daemon("--connections-per-address", "0", "--address-factor", "0",
                    "--connections-max", "10000",
                    "--hello-timeout", "600s", under=("prlimit", "--nofile=256:256")) as daemon:
            daemon.wait_until_ready()
            pid = daemon.process.pid
            held = []
            for _ in range(400):
                raw = socket.create_connection(("127.0.0.1", daemon.port), TIME_LIMIT_S)
                raw.setblocking(False)
                try:
                    raw.send(upgrade_request())
                except OSError:
                    pass
                held.append(raw)
            time.sleep(0.5)
            used = cpu_s(pid)
            time.sleep(3)
            used = cpu_s(pid) - used
            print(f"\n400 connections at 256 files: {used / 3 * 100:.1f}% of a core")
            self.assertLess(used, 1.5, "it spins")
            for raw in held:
                raw.close()
            until = time.monotonic() + TIME_LIMIT_S
            while True:
                with Friend(daemon) as friend:
                    if friend.answer.status == 101:
                        self.assertEqual(friend.hello().ask("ping")["type"], "pong")
                        break
                self.assertLess(time.monotonic(), until, "it does not accept again")
                time.sleep(0.1)


class Flat(unittest.TestCase):
    """Repeating the same costs no more memory than doing it once."""

    def abuse(self, daemon):
        for _ in range(60):
            raw = daemon.connect()
            raw.sendall(upgrade_request()[:50])
            raw.close()
            with Socket(daemon) as one:
                one.send(frame(TEXT, b"nonsense"), frame(TEXT, b"x" * 9000, final=False))
            with Friend(daemon) as friend:
                friend.hello().ask("create", ruleset="tactics")
                friend.send(frame(PING, b"x" * 100) * 10)
            with daemon.connect() as raw:
                raw.sendall(b"GET /api/v1/matches HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                read_all(raw)

    @unittest.skipUnless(IS_PLAIN, "sanitizers keep freed memory")
    def test_memory_and_descriptors_are_flat(self):
        with Daemon("--connections-per-address", "0", "--address-factor", "0") as daemon:
            daemon.wait_until_ready()
            pid = daemon.process.pid
            figures = []
            for _ in range(6):
                self.abuse(daemon)
                time.sleep(0.3)
                figures.append((rss_bytes(pid), descriptors(pid)))
            print("\nafter each round: " + ", ".join(
                f"{rss >> 10} KiB and {files} files" for rss, files in figures))
            # Matches that wait for a player stay in memory; nothing else may.
            matches = 60 * 16 << 10
            self.assertLess(figures[-1][0] - figures[1][0], 4 * matches)
            self.assertLessEqual(figures[-1][1], figures[0][1] + 2)


if __name__ == "__main__":
    unittest.main()
