"""Limits of HTTP requests per address, and the host names that are allowed."""

import contextlib
import json
import socket
import time
import unittest

from daemon import TEXT, TIME_LIMIT_S, Answer, Daemon, Socket, frame, upgrade_request


RATE, BURST = 1, 5


class From:
    """A client at another address of this machine's loopback."""

    def __init__(self, daemon, address):
        self.daemon, self.address = daemon, address

    def connect(self):
        raw = socket.create_connection(("127.0.0.1", self.daemon.port), TIME_LIMIT_S, (self.address, 0))
        raw.settimeout(TIME_LIMIT_S)
        return raw

    def get(self, path, *headers, host="localhost"):
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers, "", ""]
        with self.connect() as raw:
            raw.sendall("\r\n".join(lines).encode())
            data = b""
            while piece := raw.recv(1 << 16):
                data += piece
        return Answer(data)


def statuses(client, path, count, *headers):
    return [client.get(path, *headers).status for _ in range(count)]


def until_refused(ask, begun):
    """Sends requests until 429. BURST are allowed, and RATE per second since `begun`, on any machine.

Unit tests, which have a simulated clock, check exact numbers.
    """
    allowed = 0
    while (status := ask()) == 200:
        allowed += 1
    assert status == 429, status
    most = BURST + (time.monotonic() - begun) * RATE
    assert BURST <= allowed <= most, f"{allowed} were allowed, and {BURST} to {most} should be"


class Rate(unittest.TestCase):

    def daemon(self, *options):
        return self.enterContext(Daemon("--http-rate", str(RATE), "--http-burst", str(BURST),
                                        "--http-work", "100000000", *options))

    def refused(self, daemon):
        return daemon.metrics()['skirmish_limited_total{option="http-rate"}']

    def until_refused(self, client, *headers):
        until_refused(lambda: client.get("/api/v1/matches", *headers).status, time.monotonic())

    def test_too_many_requests_get_429_and_retry_after(self):
        daemon = self.daemon()
        while (refused := daemon.get("/api/v1/matches")).status == 200:
            pass
        self.assertEqual((refused.status, refused.headers["retry-after"]), (429, "1"))
        self.assertEqual(json.loads(refused.body)["error"]["code"], "rate_limited")
        self.assertEqual(self.refused(daemon), 1)
        time.sleep(1.1)
        self.assertEqual(daemon.get("/api/v1/matches").status, 200)

    def test_addresses_do_not_share_it(self):
        daemon = self.daemon()
        self.until_refused(From(daemon, "127.0.0.2"))
        self.until_refused(From(daemon, "127.0.0.3"))

    def test_files_count_as_a_tenth_and_what_is_not_there_too(self):
        daemon = self.daemon()
        client = From(daemon, "127.0.0.2")
        begun = time.monotonic()
        self.assertEqual(statuses(client, "/", 25) + statuses(client, "/nothing", 25), [200] * 25 + [404] * 25)
        tenths = 10 * BURST
        until = time.monotonic() + TIME_LIMIT_S
        while client.get("/nothing").status == 404:
            self.assertLess(time.monotonic(), until)
            tenths += 1
        self.assertLessEqual(tenths, 10 * (BURST + RATE * (time.monotonic() - begun)))

    def test_links_to_matches_count_like_the_api(self):
        daemon = self.daemon()
        client = From(daemon, "127.0.0.2")
        until_refused(lambda: client.get("/?join=1").status, time.monotonic())

    def test_probes_from_this_machine_are_free(self):
        daemon = self.daemon()
        self.assertEqual(statuses(daemon, "/healthz", 60), [200] * 60)
        self.assertEqual(set(statuses(daemon, "/readyz", 60)), {200})
        self.assertEqual(statuses(daemon, "/api/v1/matches", 5), [200] * 5)

    def test_behind_a_proxy_each_client_has_its_own_on_one_connection_too(self):
        daemon = self.daemon("--trusted-proxies", "127.0.0.1")
        with daemon.connect() as raw:
            answers = raw.makefile("rb")

            def ask(client):
                raw.sendall(f"GET /api/v1/matches HTTP/1.1\r\nHost: localhost\r\n"
                            f"X-Forwarded-For: {client}\r\n\r\n".encode())
                head = b""
                while (line := answers.readline()) != b"\r\n":
                    head += line
                answers.read(int(Answer(head).headers["content-length"]))
                return Answer(head).status

            begun = time.monotonic()
            for client in ("192.0.2.1", "192.0.2.2"):
                until_refused(lambda asker=client: ask(asker), begun)
        until = time.monotonic() + TIME_LIMIT_S
        while daemon.get("/healthz", "X-Forwarded-For: 192.0.2.3").status != 429:
            self.assertLess(time.monotonic(), until, "a probe for another client is not free")

    def test_a_proxy_that_names_nobody_has_one_for_all(self):
        daemon = self.daemon("--trusted-proxies", "127.0.0.1")
        self.until_refused(daemon)

    def test_clients_that_do_not_wait_are_slowed_down(self):
        daemon = self.daemon()
        self.assertEqual(statuses(daemon, "/api/v1/matches", 5), [200] * 5)
        before = self.refused(daemon)
        began = time.monotonic()
        while time.monotonic() - began < 1.5:
            daemon.get("/api/v1/leaderboard")
        self.assertLessEqual(self.refused(daemon) - before, 1.5 / 0.25 + 1,
                             "one after the other, each takes a quarter of a second")

    def test_a_page_load_fits_the_default_many_times(self):
        with Daemon("--http-burst", "500") as daemon:
            index = daemon.get("/").body.decode()
            prefix = index.split("assets/", 1)[1].split("/", 1)[0]
            client = From(daemon, "127.0.0.2")
            for _ in range(20):
                loads = ["/"] + [f"/assets/{prefix}/server/web/app.js"] * 40
                api = ["/api/v1/matches?status=over&limit=20"] * 6
                self.assertEqual({client.get(path).status for path in loads + api}, {200})

    def test_websockets_pay_for_lists_from_the_same(self):
        daemon = self.daemon()
        with Socket(daemon) as connection:
            connection.send(frame(TEXT, b'{"type":"hello","protocol":1,"name":"ann"}'))
            connection.receive()
            self.until_refused(daemon)
            connection.send(*[frame(TEXT, b'{"type":"list","id":"l"}')] * 10)
            heard = [json.loads(connection.receive()[1])["type"] for _ in range(10)]
            self.assertIn("error", heard)


class UnderWay(unittest.TestCase):
    """Requests in progress on other threads, or whose answers are not read."""

    def wait_for_reads(self, daemon, count):
        until = time.monotonic() + TIME_LIMIT_S
        while daemon.metrics()["skirmish_reads"] != count:
            self.assertLess(time.monotonic(), until, daemon.metrics()["skirmish_reads"])
            time.sleep(0.01)

    def test_requests_of_clients_that_hang_up_are_dropped(self):
        with Daemon() as daemon:
            for _ in range(50):
                for path in ("matches", "statistics", "leaderboard", "matches/1/replay", "matches/1/moments"):
                    with daemon.connect() as raw:
                        raw.sendall(f"GET /api/v1/{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            self.wait_for_reads(daemon, 0)
            self.assertEqual(daemon.metrics()["skirmish_http_answer_bytes"], 0)
            self.assertEqual(daemon.get("/api/v1/matches", "Accept-Encoding: gzip").status, 200)

    def fill(self, daemon, connections):
        """Matches whose list does not fit a socket's buffers; clients that do not read it."""
        for name in ("ann", "ben", "cat", "dan"):
            with Socket(daemon) as connection:
                connection.send(frame(TEXT, json.dumps({"type": "hello", "protocol": 1, "name": name}).encode()))
                connection.receive()
                for i in range(40):
                    connection.send(frame(TEXT, b'{"type":"create","ruleset":"tactics","clock":null,"id":"%d"}' % i))
                    while f'"id":"{i}"'.encode() not in connection.receive()[1]:
                        pass
        for _ in range(connections):
            raw = socket.socket()
            self.addCleanup(raw.close)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            raw.connect(("127.0.0.1", daemon.port))
            # answers one after the other, none of which is read
            raw.sendall(b"GET /api/v1/matches?limit=200 HTTP/1.1\r\nHost: localhost\r\n\r\n" * 300)
            yield raw

    def wait_until_full(self, daemon, count):
        """This many answers wait for their readers, and nothing changes any more."""
        until = time.monotonic() + TIME_LIMIT_S
        seen = []
        while len(seen) < 4 or seen[-4:] != [seen[-1]] * 4 or seen[-1][0] != count or seen[-1][1] == 0:
            self.assertLess(time.monotonic(), until, seen[-4:])
            figures = daemon.metrics()
            seen.append([figures[name] for name in ("skirmish_reads", "skirmish_http_answer_bytes")])
            time.sleep(0.1)

    def test_answers_that_nobody_reads_count_until_the_reader_is_cut(self):
        with Daemon("--reads-per-address", "3", "--handshake-timeout", "20s") as daemon:
            held = list(self.fill(daemon, 3))
            self.wait_until_full(daemon, 3)
            refused = daemon.get("/api/v1/matches")
            self.assertEqual((refused.status, refused.headers["retry-after"]), (429, "1"))
            self.assertEqual(From(daemon, "127.0.0.2").get("/api/v1/matches").status, 200)
            self.assertEqual(daemon.get("/").status, 200, "files are not concerned")
            self.assertGreaterEqual(daemon.metrics()['skirmish_limited_total{option="reads-per-address"}'], 1)
            for raw in held[:1]:
                raw.close()
            self.wait_for_reads(daemon, 2)
            self.assertEqual(daemon.get("/api/v1/matches").status, 200)
            self.wait_for_reads(daemon, 0)  # they were cut

    def test_all_together_have_a_limit(self):
        with Daemon("--reads-max", "2", "--handshake-timeout", "60s") as daemon:
            held = list(self.fill(daemon, 2))
            self.wait_until_full(daemon, 2)
            refused = From(daemon, "127.0.0.2").get("/api/v1/matches")
            self.assertEqual((refused.status, refused.headers["retry-after"]), (503, "1"))
            self.assertEqual(json.loads(refused.body)["error"]["code"], "busy")
            for raw in held:
                raw.close()
            self.wait_for_reads(daemon, 0)

    def test_what_follows_a_request_has_a_limit(self):
        # Of what is freed, AddressSanitizer keeps less than is measured here.
        with Daemon("--handshake-timeout", "60s", environment={"ASAN_OPTIONS": "quarantine_size_mb=8"}) as daemon:
            list(self.fill(daemon, 0))
            before = daemon.metrics()["process_resident_memory_bytes"]
            with daemon.connect() as raw, contextlib.suppress(ConnectionError, TimeoutError):
                raw.settimeout(2)
                raw.sendall(b"GET /api/v1/matches HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100000)
            self.assertEqual(daemon.get("/healthz").status, 200)
            self.assertLess(daemon.metrics()["process_resident_memory_bytes"] - before, 64 << 20)


class Names(unittest.TestCase):

    def status(self, daemon, host):
        return daemon.get("/healthz") if host is None else \
            Answer(daemon.exchange(f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()))

    def upgrade(self, daemon, host, *headers):
        with Socket(daemon, f"Origin: http://{host}", *headers, host=host) as connection:
            return connection.answer.status

    def expect(self, daemon, cases):
        for host, status in cases:
            with self.subTest(host):
                self.assertEqual(self.status(daemon, host).status, status)
                self.assertEqual(self.upgrade(daemon, host), 101 if status == 200 else status)

    def test_on_this_machine_a_page_of_another_name_is_refused(self):
        with Daemon() as daemon:
            port = daemon.port
            self.expect(daemon, ((f"127.0.0.1:{port}", 200), (f"[::1]:{port}", 200), (f"localhost:{port}", 200),
                                 (f"192.168.1.5:{port}", 200), (f"skirmish.localhost:{port}", 200),
                                 (socket.gethostname(), 200), (f"evil.example:{port}", 403),
                                 ("127.0.0.1.evil.example", 403), ("localhost.evil.example", 403)))
            self.assertEqual(daemon.refused("name"), 6)
            self.assertEqual(daemon.log().count(b"refused a request for the host evil.example"), 1)
            self.assertEqual(daemon.exchange(b"GET /healthz HTTP/1.0\r\n\r\n")[:15], b"HTTP/1.1 200 OK",
                             "no name at all")

    def test_names_are_listed(self):
        with Daemon("--hosts", "play.example.org, game.lan") as daemon:
            self.expect(daemon, ((f"play.example.org:{daemon.port}", 200), ("GAME.lan", 200), ("127.0.0.1", 200),
                                 ("localhost", 200), ("example.org", 403), ("evil.example", 403)))

    def test_every_name(self):
        with Daemon("--hosts", "*") as daemon:
            self.expect(daemon, (("evil.example", 200), ("localhost", 200)))

    def test_a_trusted_proxy_passes_the_host_on(self):
        with Daemon("--trusted-proxies", "127.0.0.1") as daemon:
            self.expect(daemon, (("play.example.org", 200), ("localhost", 200)))
        with Daemon("--trusted-proxies", "127.0.0.1", "--hosts", "play.example.org") as daemon:
            self.expect(daemon, (("play.example.org", 200), ("evil.example", 403)))

    def test_the_metrics_allow_the_same_names(self):
        for options, cases in (((), (("localhost:9777", 200), ("127.0.0.1", 200), ("prometheus", 200),
                                     ("evil.example", 403), ("127.0.0.1.evil.example:9777", 403))),
                               (("--hosts", "metrics.lan"), (("metrics.lan", 200), ("evil.example", 403))),
                               (("--hosts", "*"), (("evil.example", 200),))):
            with Daemon(*options) as daemon:
                for host, status in cases:
                    request = f"GET /metrics HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
                    with self.subTest((options, host)):
                        self.assertEqual(Answer(daemon.exchange(request, daemon.metrics_port)).status, status)

    def test_from_another_machine_every_name_is_allowed_unless_some_are_listed(self):
        with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # nothing is sent
            except OSError:
                self.skipTest("this machine has no other address than its loopback")
            own = probe.getsockname()[0]
        for options, name, status in (((), "game.lan", 200), (("--hosts", "game.lan"), "game.lan", 200),
                                      (("--hosts", "game.lan"), "evil.example", 403), ((), own, 200)):
            with self.subTest((options, name)), Daemon("--address", "0.0.0.0", *options) as daemon, \
                    socket.create_connection((own, daemon.port), TIME_LIMIT_S) as raw:
                raw.sendall(upgrade_request(f"Origin: http://{name}:{daemon.port}", host=f"{name}:{daemon.port}"))
                self.assertEqual(Answer(raw.recv(4096)).status, 101 if status == 200 else status)


if __name__ == "__main__":
    unittest.main()
