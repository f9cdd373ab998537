"""Sockets, HTTP and WebSocket: well-formed and malformed input.

Nothing here depends on what messages mean.
"""

import asyncio
import contextlib
import os
import shutil
import socket
import ssl
import tempfile
import time
import unittest
import warnings

import websockets

from daemon import (BINARY, CLOSE, CONTINUATION, KEY, PING, PONG, TEXT, TIME_LIMIT_S, Answer,
                    Daemon, Socket, frame, make_certificate, read_all, upgrade_request)

SUBPROTOCOL = "skirmish.v1"
MESSAGE_MAX = 16 * 1024
PIECES_MAX = 1024
HEAD_MAX = 16 * 1024
BODY_MAX = 64 * 1024
PATH_MAX = 511
QUERY_MAX = 1023


class WithDaemon(unittest.TestCase):
    """One daemon for all tests of a class; each must leave it in good health."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon(*cls.options))
        cls.daemon.wait_until_ready()

    def tearDown(self):
        self.assertEqual(self.daemon.get("/healthz").body, b"ok\n")


class Upgrades(WithDaemon):

    def upgraded(self, *headers, **how):
        with Socket(self.daemon, *headers, **how) as connection:
            return connection.answer

    def test_our_subprotocol_is_agreed_on(self):
        answer = self.upgraded(f"Sec-WebSocket-Protocol: {SUBPROTOCOL}")
        self.assertEqual(answer.status, 101)
        self.assertEqual(answer.headers["sec-websocket-protocol"], SUBPROTOCOL)

    def test_no_subprotocol_is_served_too(self):
        answer = self.upgraded()
        self.assertEqual(answer.status, 101)
        self.assertNotIn("sec-websocket-protocol", answer.headers)

    def test_ours_is_found_among_others(self):
        answer = self.upgraded(f"Sec-WebSocket-Protocol: chat, {SUBPROTOCOL}, metrics")
        self.assertEqual(answer.headers["sec-websocket-protocol"], SUBPROTOCOL)

    def test_only_others_are_refused(self):
        for offered in ("chat", "skirmish.v2", "metrics, chat", "SKIRMISH.V1"):
            with self.subTest(offered):
                self.assertEqual(self.upgraded(f"Sec-WebSocket-Protocol: {offered}").status, 400)

    def test_compression_is_not_agreed_on(self):
        answer = self.upgraded("Sec-WebSocket-Extensions: permessage-deflate")
        self.assertEqual(answer.status, 101)
        self.assertNotIn("sec-websocket-extensions", answer.headers)

    def test_other_upgrades_are_ignored(self):
        """Java's HttpClient and curl --http2 offer HTTP/2 with every request."""
        settings = "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA"
        for word in ("h2c", "H2C", "foo", "websocket2", "x" * 3000):
            with self.subTest(word[:20]):
                answer = self.daemon.get("/healthz", f"Upgrade: {word}", settings,
                                         "Connection: Upgrade, HTTP2-Settings")
                self.assertEqual((answer.status, answer.body), (200, b"ok\n"))
                self.assertNotIn("upgrade", answer.headers)

    def test_http2_with_prior_knowledge_is_refused(self):
        answer = Answer(self.daemon.exchange(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
                                             b"\0\0\0\4\0\0\0\0\0"))
        self.assertEqual(answer.status, 505)

    def test_a_websocket_may_be_one_offer_of_several(self):
        self.assertEqual(self.upgraded(upgrade="h2c, websocket").status, 101)

    def test_an_upgrade_without_a_required_header_is_refused(self):
        cases = (
            ("GET, by POST", upgrade_request(method="POST"), 400),
            ("GET, by HEAD", upgrade_request(method="HEAD"), 400),
            ("a key", upgrade_request().replace(b"Sec-WebSocket-Key", b"X-Key"), 400),
            ("a key of 16 bytes", upgrade_request().replace(KEY.encode(), b"c2hvcnQ="), 400),
            ("a key in base64", upgrade_request().replace(KEY.encode(), b"!" * 22 + b"=="), 400),
            ("one key", upgrade_request(f"Sec-WebSocket-Key: {KEY}"), 400),
            ("Connection", upgrade_request().replace(b"Connection: Upgrade\r\n", b""), 400),
            ("Connection with upgrade",
             upgrade_request().replace(b"Connection: Upgrade", b"Connection: close"), 400),
            ("Host", upgrade_request().replace(b"Host: localhost\r\n", b""), 400),
            ("one Host", upgrade_request("Host: other"), 400),
            ("HTTP/1.1", upgrade_request().replace(b"HTTP/1.1", b"HTTP/1.0"), 400),
            ("version 13, not 8", upgrade_request(version="8"), 426),
            ("version 13, not 014", upgrade_request(version="014"), 426),
            ("a version", upgrade_request().replace(b"Sec-WebSocket-Version", b"X-Version"), 426),
        )
        for label, request, status in cases:
            with self.subTest(label):
                answer = Answer(self.daemon.exchange(request))
                self.assertEqual(answer.status, status)
                self.assertEqual(answer.headers.get("sec-websocket-version"),
                                 "13" if status == 426 else None)

    def test_the_key_is_answered(self):
        """The example of RFC 6455, 1.3."""
        request = upgrade_request().replace(KEY.encode(), b"dGhlIHNhbXBsZSBub25jZQ==")
        with self.daemon.connect() as raw:
            raw.sendall(request)
            self.assertEqual(Answer(raw.recv(4096)).headers["sec-websocket-accept"],
                             "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")

    def test_an_upgrade_may_follow_other_requests(self):
        with self.daemon.connect() as raw:
            raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            data = b""
            while not data.endswith(b"ok\n"):
                data += raw.recv(4096)
            raw.sendall(upgrade_request())
            self.assertIn(b"101", raw.recv(4096)[:12])

    def test_a_message_may_come_with_the_upgrade(self):
        with self.daemon.connect() as raw:
            raw.sendall(upgrade_request() + frame(PING, b"early"))
            data = b""
            while not data.endswith(b"early"):
                data += raw.recv(4096)
            self.assertTrue(data.startswith(b"HTTP/1.1 101"))


class Garbage(WithDaemon):
    """Bytes that are not a request are answered, and the connection ends at once."""

    def test_malformed_requests_are_refused(self):
        get = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
        cases = (
            ("zeros", bytes(5000), 400),
            ("text", b"hello there\r\n\r\n", 400),
            ("TLS", bytes.fromhex("160301020001") + os.urandom(600), 400),
            ("CONNECT", b"CONNECT example.org:80 HTTP/1.1\r\nHost: example.org\r\n\r\n", 400),
            ("no method", b" / HTTP/1.1\r\n\r\n", 400),
            ("unknown method", b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
            ("an absolute path of another scheme", b"GET ftp://test/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
            ("an absolute path and no Host", b"GET http://test/healthz HTTP/1.1\r\n\r\n", 400),
            ("no version", b"GET /healthz\r\n\r\n", 400),
            ("HTTP/3.0", b"GET /healthz HTTP/3.0\r\nHost: localhost\r\n\r\n", 505),
            ("no Host", b"GET /healthz HTTP/1.1\r\n\r\n", 400),
            ("two Hosts", get + b"Host: other\r\n\r\n", 400),
            ("bare line feeds", b"GET /healthz HTTP/1.1\nHost: localhost\n\n", 400),
            ("a blank before the colon", get + b"X : y\r\n\r\n", 400),
            ("a folded line", get + b"X: y\r\n z\r\n\r\n", 400),
            ("a header without a name", get + b": y\r\n\r\n", 400),
            ("a header without a colon", get + b"X\r\n\r\n", 400),
            ("a zero in a header", get + b"X: \0\r\n\r\n", 400),
            ("a carriage return in a header", get + b"X: a\rb\r\n\r\n", 400),
            ("two lengths", get + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("a length that is none", get + b"Content-Length: +1\r\n\r\n", 400),
            ("a body in chunks", get + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            ("a body that is too long", get + b"Content-Length: 9999999\r\n\r\n", 413),
            ("a large header", get + b"X: " + b"x" * 100000 + b"\r\n\r\n", 431),
            ("many headers", get + b"X-Y: z\r\n" * 5000 + b"\r\n", 431),
            ("a long line", b"GET /" + b"x" * 100000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
        )
        for label, data, status in cases:
            with self.subTest(label):
                self.assertEqual(Answer(self.daemon.exchange(data)).status, status)

    def test_sizes_below_at_and_above_their_limits(self):
        """See server_limits.h."""
        def head(size):
            start = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: "
            return start + b"x" * (size - len(start) - 4) + b"\r\n\r\n"

        def body(size):
            start = f"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n".encode()
            return start + b"Connection: close\r\n\r\n" + (b"x" * size if size <= BODY_MAX else b"")

        def path(size):
            return b"GET /" + b"x" * (size - 1) + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

        def query(size):
            name = b"/api/v1/matches?x=" + b"x" * (size - 2)
            return b"GET " + name + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

        for make, limit, within, above in ((head, HEAD_MAX, 200, 431), (body, BODY_MAX, 200, 413),
                                           (path, PATH_MAX, 404, 414), (query, QUERY_MAX, 200, 414)):
            for size, status in ((limit - 1, within), (limit, within), (limit + 1, above)):
                with self.subTest(make.__name__, size=size):
                    before = self.daemon.refused("request")
                    self.assertEqual(Answer(self.daemon.exchange(make(size))).status, status)
                    self.assertEqual(self.daemon.refused("request") - before, size > limit)

    def test_an_absolute_target_is_a_path_here(self):
        for target, status in ((b"http://test/healthz", 200), (b"HTTP://other:1/healthz", 200), (b"http://test", 200),
                               (b"http://test/nowhere", 404)):
            with self.subTest(target):
                request = b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                self.assertEqual(Answer(self.daemon.exchange(request)).status, status)

    def test_a_broken_escape_is_refused(self):
        for path in ("/%", "/%2", "/%zz", "/%00", "/api/v1/matches?limit=%z"):
            with self.subTest(path):
                self.assertEqual(self.daemon.get(path).status, 400)

    def test_random_bytes(self):
        for _ in range(20):
            self.assertNotIn(b"HTTP/1.1 2", self.daemon.exchange(b"\xff" + os.urandom(3000))[:12])

    def test_large_cookies_of_other_applications_are_accepted(self):
        """Cookies are sent to every port of a host; browsers keep 4 KiB each, and many."""
        for size in (5000, 15000):
            cookie = f"Cookie: other={'x' * size}"
            self.assertEqual(self.daemon.get("/healthz", cookie).status, 200)
            with Socket(self.daemon, cookie) as connection:
                self.assertEqual(connection.answer.status, 101)

    def test_a_head_byte_by_byte(self):
        with self.daemon.connect() as raw:
            for byte in b"\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n":
                raw.sendall(bytes([byte]))
                time.sleep(0.0005)
            self.assertTrue(read_all(raw).endswith(b"\r\n\r\nok\n"))

    def test_http_1_0_needs_no_host_and_ends(self):
        answer = Answer(self.daemon.exchange(b"GET /healthz HTTP/1.0\r\n\r\n"))
        self.assertEqual((answer.status, answer.body), (200, b"ok\n"))


class Origins(WithDaemon):

    options = ("--origins", "https://example.org, http://localhost:8080")

    def test_who_may_connect(self):
        cases = (
            ("no origin", None, 101),
            ("this host", "http://localhost", 101),
            ("this host by TLS", "https://localhost", 101),
            ("this host, written otherwise", "HTTP://LOCALHOST", 101),
            ("a listed one", "https://example.org", 101),
            ("a listed one with its port", "http://localhost:8080", 101),
            ("another scheme", "http://example.org", 403),
            ("another port", "http://localhost:8081", 403),
            ("another host", "https://evil.example", 403),
            ("a longer name", "https://example.org.evil.example", 403),
            ("a shorter one", "https://example.or", 403),
            ("a path", "https://evil.example/https://example.org", 403),
            ("null", "null", 403),
            ("very long", "https://" + "x" * 1000, 403),
        )
        for label, origin, status in cases:
            with self.subTest(label):
                headers = [] if origin is None else [f"Origin: {origin}"]
                with Socket(self.daemon, *headers) as connection:
                    self.assertEqual(connection.answer.status, status)

    def test_the_host_of_an_absolute_target_counts_instead_of_the_field(self):
        for origin, status in (("http://target:7", 101), ("http://test", 403)):
            with self.subTest(origin), Socket(self.daemon, f"Origin: {origin}", path="http://target:7/") as connection:
                self.assertEqual(connection.answer.status, status)

    def test_a_refused_one_is_logged_with_what_it_was_compared_to(self):
        with Daemon("--origins", "https://example.org") as daemon:
            for _ in range(3):  # one line per minute
                with Socket(daemon, "Origin: https://play.example", host="127.0.0.1:7777"):
                    pass
            daemon.wait_for_log(b"https://play.example")
            self.assertEqual(daemon.log().count(b"https://play.example"), 1)
            self.assertIn(b"(127.0.0.1:7777)", daemon.log())


class Messages(WithDaemon):

    # A message that no reader can take for a frame, so that something is answered.
    NONSENSE = b"nonsense"

    def connection(self):
        return self.enterContext(Socket(self.daemon))

    def is_answered(self, *frames):
        connection = self.connection()
        connection.send(*frames)
        while True:
            opcode, _ = connection.receive()
            if opcode != PONG:
                return opcode == TEXT

    def test_a_message_is_answered(self):
        self.assertTrue(self.is_answered(frame(TEXT, self.NONSENSE)))

    def test_pieces_make_one_message(self):
        cases = {
            "two": (frame(TEXT, b"non", final=False), frame(CONTINUATION, b"sense")),
            "empty ones": (frame(TEXT, final=False), frame(CONTINUATION, b"x", final=False),
                           frame(CONTINUATION)),
            "only empty ones": (frame(TEXT, final=False), frame(CONTINUATION)),
            "a ping between": (frame(TEXT, b"non", final=False), frame(PING, b"hi"),
                               frame(CONTINUATION, b"sense")),
            "a character between": (frame(TEXT, b"\xe2\x82", final=False),
                                    frame(CONTINUATION, b"\xac")),
            "single bytes": tuple(frame(TEXT if i == 0 else CONTINUATION, b"x", final=i == 499)
                                  for i in range(500)),
        }
        for label, frames in cases.items():
            with self.subTest(label):
                self.assertTrue(self.is_answered(*frames))

    def test_a_piece_that_comes_byte_by_byte(self):
        connection = self.connection()
        for byte in frame(TEXT, self.NONSENSE):
            connection.send(bytes([byte]))
            time.sleep(0.001)
        self.assertEqual(connection.receive()[0], TEXT)

    def test_the_largest_message_passes(self):
        self.assertTrue(self.is_answered(frame(TEXT, b"x" * MESSAGE_MAX)))
        half = b"x" * (MESSAGE_MAX // 2)
        self.assertTrue(self.is_answered(frame(TEXT, half, final=False), frame(CONTINUATION, half)))

    def test_a_message_may_have_so_many_pieces(self):
        def pieces(count):
            return [frame(TEXT if i == 0 else CONTINUATION, b"x", final=i == count - 1) for i in range(count)]

        for count in (PIECES_MAX - 1, PIECES_MAX):
            self.assertTrue(self.is_answered(b"".join(pieces(count))), count)
        refused = self.daemon.refused("fragments")
        connection = self.connection()
        connection.send(b"".join(pieces(PIECES_MAX + 1)))
        self.assertEqual(connection.close_code(), 1008)
        self.assertEqual(self.daemon.refused("fragments"), refused + 1)

    def test_violations_close_the_connection(self):
        too_many = [frame(TEXT if i == 0 else CONTINUATION, final=False) for i in range(2000)]
        cases = (
            ("one byte too many", 1009, frame(TEXT, b"x" * (MESSAGE_MAX + 1))),
            ("too many in pieces", 1009, frame(TEXT, b"x" * MESSAGE_MAX, final=False)
             + frame(CONTINUATION, b"x")),
            ("announced only", 1009, frame(TEXT, b"x", length=1 << 40)),
            ("endless pieces", 1008, b"".join(too_many)),
            ("not UTF-8", 1007, frame(TEXT, b"\xff\xfe")),
            ("half a character", 1007, frame(TEXT, b"\xe2\x82")),
            ("half a character, then another", 1007,
             frame(TEXT, b"\xe2\x82", final=False) + frame(CONTINUATION, b"a")),
            ("a surrogate", 1007, frame(TEXT, b"\xed\xa0\x80")),
            ("an overlong slash", 1007, frame(TEXT, b"\xc0\xaf")),
            ("binary", 1003, frame(BINARY, b"x")),
            ("binary in pieces", 1003, frame(BINARY, b"x", final=False)),
            ("an unknown opcode", 1002, frame(3)),
            ("an unknown control frame", 1002, frame(11)),
            ("a piece of nothing", 1002, frame(CONTINUATION, b"x")),
            ("a message in a message", 1002, frame(TEXT, b"x", final=False) + frame(TEXT, b"y")),
            ("a ping in pieces", 1002, frame(PING, b"x", final=False)),
            ("a reserved bit", 1002, frame(TEXT, b"x", reserved=0x40)),
            ("a long ping", 1002, frame(PING, b"x" * 126)),
            ("a negative length", 1002, frame(TEXT, b"x", length=(1 << 63) + 5)),
        )
        for label, code, data in cases:
            with self.subTest(label):
                connection = self.connection()
                connection.send(data)
                self.assertEqual(connection.close_code(), code)

    def test_the_connection_ends_when_both_have_closed(self):
        connection = self.connection()
        connection.send(frame(BINARY, b"x"))
        self.assertEqual(connection.close_code(), 1003)
        connection.send(frame(CLOSE, b"\x03\xeb"))
        self.assertEqual(connection.receive()[0], None)

    def test_a_ping_is_answered_with_its_text(self):
        connection = self.connection()
        connection.send(frame(PING, b"x" * 125))
        self.assertEqual(connection.receive(), (PONG, b"x" * 125))

    def test_a_close_is_answered_with_its_code(self):
        connection = self.connection()
        connection.send(frame(CLOSE, b"\x03\xe8bye"))
        self.assertEqual(connection.close_code(), 1000)
        self.assertEqual(connection.receive()[0], None)

    def test_nothing_behind_a_close_is_executed(self):
        hello = frame(TEXT, b'{"type":"hello","id":"1","protocol":1,"name":"Closing"}')
        connection = self.connection()
        before = self.daemon.metrics()["skirmish_net_received_messages_total"]
        connection.send(frame(TEXT, self.NONSENSE) + frame(CLOSE, b"\x03\xe8") + hello)
        self.assertEqual(connection.receive()[0], TEXT)  # of what came before
        self.assertEqual(connection.receive(), (CLOSE, b"\x03\xe8"))
        self.assertEqual(connection.receive()[0], None)
        self.assertEqual(self.daemon.metrics()["skirmish_net_received_messages_total"], before + 1)

    def test_a_large_message_in_small_segments(self):
        """Parts that the kernel delivers are not fragments."""
        connection = self.connection()
        connection.raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.send(frame(TEXT, b'{"type":"hello","id":"1","protocol":1,"name":"Segments"}'))
        self.assertIn(b"welcome", connection.receive()[1])
        data = frame(TEXT, b'{"type":"create","id":"2","ruleset":"' + b"x" * 200000 + b'"}')
        for at in range(0, len(data), 100):
            connection.send(data[at:at + 100])
        opcode, text = connection.receive()
        self.assertEqual(opcode, TEXT)
        self.assertIn(b'"id":"2"', text)

    def test_a_flood_of_pings_is_cut(self):
        connection = self.connection()
        until = time.monotonic() + TIME_LIMIT_S
        with self.assertRaises((BrokenPipeError, ConnectionResetError)):
            while time.monotonic() < until:
                connection.send(frame(PING, b"x" * 120) * 20)
                time.sleep(0.01)
        self.assertEqual(self.daemon.refused("control_flood"), 1)

    def test_a_client_that_vanishes_is_dropped(self):
        for _ in range(20):
            with Socket(self.daemon):
                pass
        until = time.monotonic() + TIME_LIMIT_S
        while self.daemon.metrics()["skirmish_net_websockets"] > 0:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def test_a_hundred_clients_at_once(self):
        async def one():
            async with websockets.connect(self.daemon.url(), subprotocols=[SUBPROTOCOL],
                                          open_timeout=TIME_LIMIT_S) as client:
                await client.send("nonsense")
                self.assertIsInstance(await client.recv(), str)
                await asyncio.wait_for(await client.ping(), TIME_LIMIT_S)

        async def many():
            await asyncio.gather(*(one() for _ in range(100)))

        asyncio.run(asyncio.wait_for(many(), TIME_LIMIT_S))


class Limits(unittest.TestCase):

    def refused_after(self, daemon, count, *headers):
        """Opens so many; returns them and what one more is answered."""
        held = [self.enterContext(Socket(daemon, *headers)) for _ in range(count)]
        self.assertEqual([one.answer.status for one in held], [101] * count)
        return held, self.status(daemon, *headers)

    def status(self, daemon, *headers):
        with Socket(daemon, *headers) as connection:
            return connection.answer.status

    def eventually(self, opens):
        until = time.monotonic() + TIME_LIMIT_S
        while not opens():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)

    def test_connections_of_one_address(self):
        with Daemon("--connections-per-address", "5") as daemon:
            held, status = self.refused_after(daemon, 5)
            self.assertNotEqual(status, 101)
            self.assertEqual(daemon.refused("address"), 1)  # the metrics stay within reach
            held[0].raw.close()
            self.eventually(lambda: self.status(daemon) == 101)

    def test_incomplete_messages_of_one_address_are_limited(self):
        """Four of the largest that there may be, and no more."""
        part = frame(TEXT, b" " * 262143, final=False)

        def begin(name):
            connection = self.enterContext(Socket(daemon))
            connection.send(frame(TEXT, b'{"type":"hello","protocol":1,"name":"%s"}' % name))
            self.assertIn(b"welcome", connection.receive()[1])
            connection.send(part, frame(PING, b"x"))
            return connection
        with Daemon("--inbox-address-max", "1MiB", "--frames-per-second", "100000",
                    "--frames-burst", "100000") as daemon:
            held = [begin(name) for name in (b"a", b"b", b"c", b"d")]
            self.assertEqual([connection.receive()[0] for connection in held], [PONG] * 4)
            self.assertEqual(begin(b"e").close_code(), 1013)
            self.assertEqual(daemon.refused("unfinished"), 1)
            held[0].raw.close()
            self.eventually(lambda: daemon.metrics()["skirmish_net_websockets"] == 3)
            held[0] = begin(b"f")
            self.assertEqual(held[0].receive()[0], PONG)
            for connection in held:
                connection.send(frame(CONTINUATION, b"x"))
                self.assertIn(b"malformed", connection.receive()[1])
            self.assertEqual(begin(b"g").receive()[0], PONG, "what has come whole is not kept")
            self.assertEqual(daemon.refused("unfinished"), 1)

    def test_how_fast_one_address_comes(self):
        with Daemon("--connects-per-second", "1") as daemon:
            came = 0
            begun = time.monotonic()
            with contextlib.suppress(ConnectionError):
                while self.status(daemon) == 101:
                    came += 1
            self.assertGreaterEqual(came, 3)
            self.assertLessEqual(came, 3 + (time.monotonic() - begun))
            self.assertEqual(daemon.refused("connects"), 1)
            time.sleep(1.1)
            self.assertEqual(self.status(daemon), 101)

    def test_connections_of_all(self):
        with Daemon("--connections-max", "7", "--connections-per-address", "0") as daemon:
            held, status = self.refused_after(daemon, 7)
            self.assertNotEqual(status, 101)
            self.assertEqual(daemon.refused("full"), 1)  # the metrics stay within reach
            for one in held:
                one.raw.close()
            self.eventually(lambda: self.status(daemon) == 101)

    def test_a_trusted_proxy_speaks_for_its_clients(self):
        with Daemon("--connections-per-address", "2", "--trusted-proxies",
                    "127.0.0.0/8, 10.0.0.1") as daemon:
            for chain, status in (("192.0.2.1", 429), ("6.6.6.6, 192.0.2.2, 10.0.0.1", 429),
                                  ("2001:db8::1", 429), ("[2001:db8:0:1::1]:80", 429),
                                  ("6.6.6.6, " * 1500 + "192.0.2.3", 429)):  # as long as a head may be
                with self.subTest(chain[:40]):
                    _, refused = self.refused_after(daemon, 2, f"X-Forwarded-For: {chain}")
                    self.assertEqual(refused, status)
            # Addresses in one IPv6 /64 are one client; entries further left are not trusted.
            for chain in ("2001:db8::2", "7.7.7.7, 192.0.2.1"):
                self.assertEqual(self.status(daemon, f"X-Forwarded-For: {chain}"), 429)
            self.assertEqual(self.status(daemon, "X-Forwarded-For: 192.0.2.99"), 101)

    def pongs(self, daemon, address):
        """How many of five pings of a new connection from there are answered."""
        with Socket(daemon, *([f"X-Forwarded-For: {address}"] if address else [])) as connection:
            connection.send(*[frame(TEXT, b'{"type":"ping"}') for _ in range(5)])
            return sum(b'"pong"' in connection.receive()[1] for _ in range(5))

    def test_frames_of_one_address(self):
        with Daemon("--frames-burst", "5", "--frames-per-second", "1", "--address-factor", "2",
                    "--trusted-proxies", "127.0.0.0/8") as daemon:
            for first, second in (("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::2")):
                begun = time.monotonic()
                self.assertEqual([self.pongs(daemon, first) for _ in range(2)], [5, 5])
                answered = 10
                while (pongs := self.pongs(daemon, second)) == 5:  # on a busy machine there may be more again
                    answered += 5
                self.assertLessEqual(answered + pongs, 10 + 2 * (time.monotonic() - begun))
            self.assertEqual(self.pongs(daemon, "192.0.2.9"), 5)
            # a proxy that does not name its client does not count as one client
            self.assertEqual([self.pongs(daemon, None) for _ in range(4)], [5, 5, 5, 5])

    def test_others_cannot_speak_for_anybody(self):
        with Daemon("--connections-per-address", "2") as daemon:
            for i in range(2):
                self.enterContext(Socket(daemon, f"X-Forwarded-For: 192.0.2.{i}"))
            self.assertNotEqual(self.status(daemon, "X-Forwarded-For: 192.0.2.9"), 101)

    def test_a_connection_without_a_request_is_closed(self):
        with Daemon("--handshake-timeout", "1s") as daemon:
            for label, data in (("silence", b""), ("half a request", b"GET / HTTP/1.1\r\nHo")):
                with self.subTest(label):
                    self.assertEqual(daemon.exchange(data), b"")
            with daemon.connect() as raw, self.assertRaises(OSError):
                for i in range(TIME_LIMIT_S * 4):  # a byte now and then does not help
                    raw.sendall(b"GET / HTTP/1.1\r\nX: "[i:i + 1] or b"x")
                    time.sleep(0.25)
            self.assertEqual(daemon.refused("timeout"), 2, "an idle connection is no error")

    def test_a_silent_websocket_is_pinged_and_closed(self):
        with Daemon("--ping-interval", "2s") as daemon, Socket(daemon) as connection:
            while True:
                opcode, _ = connection.receive()
                if opcode != TEXT:
                    break
            self.assertEqual(opcode, PING)
            self.assertIsNone(connection.close_code())
            self.assertEqual(daemon.refused("silent"), 1)


class Http(WithDaemon):

    def test_routes(self):
        cases = (
            ("/", 200, "text/html"),
            ("/healthz", 200, "text/plain"),
            ("/readyz", 200, "text/plain"),
            ("/api/v1/rulesets", 200, "application/json"),
            ("/api/v1/rulesets/names", 200, "application/json"),
            ("/api/v1/matches?limit=1", 200, "application/json"),
            ("/api/v1/nothing", 404, "application/json"),
            ("/nothing", 404, "text/plain"),
            ("/healthz/", 404, "text/plain"),
            ("/metrics", 404, "text/plain"),
            ("/api/v2/rulesets", 404, "text/plain"),
            ("/%2e%2e/%2e%2e/etc/passwd", 404, "text/plain"),
            ("/" + "x" * 600, 414, "text/plain"),
            ("/api/v1/matches?" + "x" * 1500, 414, "text/plain"),
        )
        for path, status, content_type in cases:
            with self.subTest(path[:40]):
                answer = self.daemon.get(path)
                self.assertEqual(answer.status, status)
                self.assertTrue(answer.headers["content-type"].startswith(content_type))
                self.assertEqual(int(answer.headers["content-length"]), len(answer.body))
                self.assertEqual(answer.headers["cache-control"],
                                 "no-cache" if path == "/" else "no-store")
                self.assertEqual(answer.headers["x-content-type-options"], "nosniff")
                self.assertIn("content-security-policy", answer.headers)

    def test_head_is_get_without_a_body(self):
        for path in ("/", "/healthz", "/api/v1/rulesets", "/nothing"):
            with self.subTest(path):
                get, head = self.daemon.get(path), self.daemon.get(path, method="HEAD")
                self.assertEqual(head.body, b"")
                self.assertEqual((head.status, head.headers), (get.status, get.headers))

    def test_other_methods_are_not_allowed(self):
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            for path in ("/", "/api/v1/matches", "/nothing"):
                with self.subTest(f"{method} {path}"):
                    answer = self.daemon.get(path, "Content-Length: 5", method=method, body=b"hello")
                    self.assertEqual(answer.status, 405)
                    self.assertEqual(answer.headers["allow"], "GET, HEAD")

    def test_an_unexpected_large_body_is_refused(self):
        answer = self.daemon.get("/", "Content-Length: 50000000", method="POST", body=b"x" * 100000)
        self.assertIn(answer.status, (405, None))

    def test_a_body_with_get_is_skipped(self):
        request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello" \
                  b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        answer = self.daemon.exchange(request)
        self.assertEqual(answer.count(b"200 OK"), 2)
        self.assertTrue(answer.endswith(b"\r\n\r\nready\n"))

    def test_many_requests_on_one_connection(self):
        paths = ["/healthz", "/api/v1/matches", "/nothing", "/api/v1/rulesets"] * 5
        requests = [f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() for path in paths]
        requests.append(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = self.daemon.exchange(b"".join(requests))
        self.assertEqual(answer.count(b"HTTP/1.1 200 OK"), 16)
        self.assertEqual(answer.count(b"HTTP/1.1 404 Not Found"), 5)

    def test_a_slow_reader_gets_all_of_a_large_answer(self):
        whole = self.daemon.get("/api/v1/rulesets").body
        with self.daemon.connect() as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            raw.sendall(b"GET /api/v1/rulesets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            data = b""
            while len(data) < 8192:
                data += raw.recv(512)
                time.sleep(0.005)
            data += read_all(raw)
        self.assertEqual(data.partition(b"\r\n\r\n")[2], whole)

    def test_a_client_that_goes_before_its_answer(self):
        for _ in range(50):
            with self.daemon.connect() as raw:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                raw.sendall(b"GET /api/v1/matches HTTP/1.1\r\nHost: localhost\r\n\r\n")

    def test_tokens_that_are_none(self):
        for value in ("Bearer", "Bearer ", "Bearer x", "bearer " + "0" * 64, "Basic eDp5",
                      "Bearer " + "x" * 2000, "Bearer \x80\xff"):
            with self.subTest(value[:20]):
                answer = self.daemon.get("/api/v1/matches", f"Authorization: {value}")
                self.assertIn(answer.status, (200, 400, 401, 403))


class Metrics(WithDaemon):

    def test_they_are_prometheus_text_on_their_own_port(self):
        answer = self.daemon.get("/metrics", port=self.daemon.metrics_port)
        self.assertEqual(answer.status, 200)
        self.assertTrue(answer.headers["content-type"].startswith("text/plain; version=0.0.4"))
        metrics = self.daemon.metrics()
        self.assertEqual(metrics["skirmish_net_websockets"], 0)
        self.assertIn('skirmish_store_commit_seconds_bucket{le="+Inf"}', metrics)

    def test_every_name_has_a_type_and_help(self):
        text = self.daemon.get("/metrics", port=self.daemon.metrics_port).body.decode()
        for word in ("HELP", "TYPE"):
            named = {line.split()[2] for line in text.splitlines() if line.startswith(f"# {word} ")}
            for line in text.splitlines():
                if not line.startswith("#"):
                    name = line.split("{")[0].split(" ")[0]
                    bases = {name, *(name.removesuffix(end) for end in ("_bucket", "_sum",
                                                                        "_count"))}
                    self.assertTrue(bases & named, f"{name} has no {word}")

    def test_there_is_nothing_else(self):
        for path in ("/", "/healthz", "/api/v1/matches"):
            self.assertEqual(self.daemon.get(path, port=self.daemon.metrics_port).status, 404)
        with self.daemon.connect(self.daemon.metrics_port) as raw:
            raw.sendall(upgrade_request())
            self.assertEqual(Answer(raw.recv(4096)).status, 404)

    def test_they_can_be_off(self):
        with Daemon("--metrics-port=-1") as daemon:
            self.assertIsNone(daemon.metrics_port)


class Tls(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.folder = folder
        cls.certificate, cls.key = make_certificate(folder, "first")
        cls.daemon = cls.enterClassContext(
            Daemon("--tls-certificate", cls.certificate, "--tls-key", cls.key))

    def context(self):
        return ssl.create_default_context(cafile=self.certificate)

    def secured(self, context):
        return context.wrap_socket(self.daemon.connect(), server_hostname="127.0.0.1")

    def test_websocket(self):
        async def talk():
            async with websockets.connect(self.daemon.url(), ssl=self.context(), subprotocols=[SUBPROTOCOL],
                                          open_timeout=TIME_LIMIT_S) as client:
                for size in (1, 1000, MESSAGE_MAX):
                    await client.send("x" * size)
                    self.assertIsInstance(await client.recv(), str)

        self.assertEqual(self.daemon.scheme, "wss")
        asyncio.run(asyncio.wait_for(talk(), TIME_LIMIT_S))

    def test_http(self):
        with self.secured(self.context()) as secured:
            secured.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            self.assertTrue(read_all(secured).endswith(b"ok\n"))

    def test_http2_is_not_agreed_on(self):
        context = self.context()
        context.set_alpn_protocols(["h2", "http/1.1"])
        with self.secured(context) as secured:
            self.assertEqual(secured.selected_alpn_protocol(), "http/1.1")

    def test_old_versions_are_refused(self):
        context = self.context()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.assertRaises(ssl.SSLError):
            self.secured(context)

    def test_plain_requests_are_refused(self):
        answer = self.daemon.exchange(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertNotIn(b"200", answer[:15])
        self.assertNotIn(b"101", self.daemon.exchange(upgrade_request())[:12])

    def test_a_new_certificate_is_read_on_sighup(self):
        with Daemon("--tls-certificate", self.path("live.pem"), "--tls-key",
                    self.path("live.key")) as daemon:
            def served():
                with ssl._create_unverified_context().wrap_socket(daemon.connect()) as secured:
                    return secured.getpeercert(binary_form=True)

            first = served()
            daemon.process.send_signal(1)
            daemon.wait_for_log(b"reloaded")
            self.assertIn(b"live.pem has not changed; the certificate stays in use\n", daemon.log())
            self.copy("second")
            daemon.process.send_signal(1)
            daemon.wait_for_log(b"reloaded", 2)
            self.assertEqual(daemon.log().count(b"has not changed"), 1)
            self.assertIn(b"new connections use the new certificate", daemon.log())
            second = served()
            self.assertNotEqual(second, first)
            for name, source, words in (("live.pem", self.certificate, b"live.key is not the key of"),
                                        ("live.key", self.certificate, b"live.key holds no key"),
                                        ("live.pem", self.key, b"live.pem holds no certificate")):
                shutil.copy(source, self.path(name))
                daemon.process.send_signal(1)
                daemon.wait_for_log(words)
                self.assertNotIn(b"reloaded\n", daemon.log().rpartition(words)[2])
                self.assertEqual(served(), second)

    def path(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            self.copy("first")
        return path

    def copy(self, name):
        """Makes this certificate the live one."""
        for file in make_certificate(self.folder, name) if name != "first" \
                else (self.certificate, self.key):
            live = os.path.join(self.folder, "live" + os.path.splitext(file)[1])
            with open(file, "rb") as source, open(live, "wb") as target:
                target.write(source.read())


if __name__ == "__main__":
    unittest.main()
