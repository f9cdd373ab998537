"""The daemon as a process: options, exit codes, signals, log, and notifications to systemd."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import unittest

import websockets

from daemon import PROGRAM, READY, ROOT, TEXT, TIME_LIMIT_S, Daemon, Socket, frame, run

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")

# Two seconds, and time for a busy machine; a daemon that waits for clients would need a minute.
STOP_LIMIT_S = 30


class CommandLine(unittest.TestCase):

    def test_help_names_every_option_and_exit_status(self):
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in run("--print-defaults").stdout.splitlines():
            option = re.match(r"#([a-z-]+) =", line)
            if option:
                self.assertIn(f"  --{option.group(1)} ", done.stdout)
        self.assertIn("exit status", done.stdout)

    def test_version(self):
        self.assertRegex(run("--version").stdout, r"^skirmishd \d+\.\d+\.\d+\n$")

    def test_the_shipped_configuration_is_the_printed_one(self):
        path = os.path.join(ROOT, "deploy", "skirmishd.conf")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), run("--print-defaults").stdout,
                             "skirmishd --print-defaults > deploy/skirmishd.conf")
        self.assertEqual(run("--config", path, "--check-config").returncode, 0)

    def test_wrong_usage_is_2(self):
        for arguments, words in ((["--nothing", "1"], "--nothing"), (["--port", "x"], "--port"),
                                 (["--port"], "--port"), (["something"], "something"),
                                 (["--config", "/nonexistent"], "/nonexistent"),
                                 (["--tls-key", "x"], "tls-certificate")):
            with self.subTest(arguments):
                done = run(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(words, done.stderr)

    def test_a_wrong_file_is_named_with_its_line(self):
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write("# x\nport = 1\nlog-level = loud\n")
            file.flush()
            done = run("--config", file.name, "--check-config")
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"{file.name}:3: log-level", done.stderr)


class Failures(unittest.TestCase):

    def test_a_database_that_cannot_be_opened_is_3(self):
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "other.db")
            with sqlite3.connect(other) as database:
                database.execute("CREATE TABLE somebody_elses (x)")
            text = os.path.join(folder, "text")
            with open(text, "w", encoding="utf-8") as file:
                file.write("not a database " * 100)
            before = set(os.listdir(folder))
            for path, words in ((os.path.join(folder, "no", "folder.db"), "No such file or directory; create"),
                                (os.path.join(text, "x.db"), "Not a directory"),
                                (folder, "unable to open"), (other, "not a Skirmish database"),
                                (text, "not a database")):
                with self.subTest(path):
                    done = run("--port", "0", "--metrics-port", "0", "--database", path)
                    self.assertEqual(done.returncode, 3, done.stderr)
                    self.assertEqual(done.stderr.count(path), 1, done.stderr)
                    self.assertIn(words, done.stderr)
                    self.assertEqual(set(os.listdir(folder)), before, "it leaves nothing behind")
                    self.assertFalse(os.path.exists(folder + ".lock"))

    def test_a_database_in_use_is_3(self):
        with Daemon() as daemon:
            done = run("--port", "0", "--metrics-port", "0", "--database", daemon.database)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(f"another process has it open ({daemon.process.pid}); stop", done.stderr)
            self.assertTrue(os.path.exists(daemon.database + ".lock"))
            daemon.stop()
            self.assertFalse(os.path.exists(daemon.database + ".lock"))

    def test_a_port_in_use_is_4(self):
        with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            for options, option in ((("--port", port, "--metrics-port", "0"), "--port"),
                                    (("--port", "0", "--metrics-port", port), "--metrics-port")):
                with self.subTest(options):
                    done = run(*options, "--database", os.path.join(folder, "x.db"))
                    self.assertEqual(done.returncode, 4, done.stderr)
                    self.assertRegex(done.stderr, rf"^\S+ error cannot listen on 127.0.0.1 port {port}: "
                                     rf"the port is in use; .* with {option}\n$")

    def test_an_address_of_another_machine_is_4(self):
        with tempfile.TemporaryDirectory() as folder:
            for option in ("--address", "--metrics-address"):
                done = run("--port", "0", "--metrics-port", "0", option, "192.0.2.77", "--database",
                           os.path.join(folder, "x.db"))
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertRegex(done.stderr, rf"no such address; choose another with {option}\n$")

    def test_a_certificate_that_cannot_be_read_is_4(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("--port", "0", "--metrics-port", "0", "--database",
                       os.path.join(folder, "x.db"), "--tls-certificate", "/nonexistent.pem",
                       "--tls-key", "/nonexistent.key")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("/nonexistent.pem", done.stderr)
            done = run("--port", "0", "--metrics-port", "0", "--database",
                       os.path.join(folder, "x.db"), "--tls-certificate", __file__, "--tls-key",
                       __file__)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertRegex(done.stderr, rf"^\S+ error {re.escape(__file__)} holds no certificate in PEM\n$")


class Ready(unittest.TestCase):

    def urls(self, *options):
        with Daemon(*options) as daemon:
            found = re.findall(r"https?://\S+/", daemon.ready_line)
            return [url.replace(f":{daemon.port}/", ":PORT/") for url in found]

    def test_it_prints_an_address_to_click(self):
        self.assertEqual(self.urls(), ["http://127.0.0.1:PORT/"])
        self.assertEqual(self.urls("--address", "127.0.0.2"), ["http://127.0.0.2:PORT/"])

    def test_everywhere_is_printed_as_the_addresses_of_this_machine(self):
        [first, *others] = self.urls("--address", "0.0.0.0")
        self.assertEqual(first, "http://127.0.0.1:PORT/")
        words = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=False).stdout
        own = {f"http://{word}:PORT/" for word in words.split()}
        self.assertLessEqual(set(others), own)
        self.assertEqual(bool(others), any("." in url for url in own))


class DefaultDatabase(unittest.TestCase):
    """Both programs use the same default database."""

    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())
        self.clean = {name: value for name, value in os.environ.items()
                      if name not in ("SKIRMISH_DATABASE", "STATE_DIRECTORY", "XDG_STATE_HOME")}

    def used_by_daemon(self, environment):
        process = subprocess.Popen([PROGRAM, "--port", "0", "--metrics-port", "0"], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   env=environment)
        with process:
            line = process.stdout.readline()
            process.terminate()
        self.assertEqual(process.returncode, 0)
        return READY.fullmatch(line).group(5)

    def test_it_is_found_by_both(self):
        cases = (({"HOME": self.home + "/home"}, "home/.local/state/skirmish/skirmish.db"),
                 ({"HOME": self.home, "XDG_STATE_HOME": self.home + "/state"},
                  "state/skirmish/skirmish.db"),
                 ({"HOME": self.home, "STATE_DIRECTORY": self.home + "/service"},
                  "service/skirmish.db"),
                 ({"HOME": self.home, "SKIRMISH_DATABASE": self.home + "/own.db"}, "own.db"))
        for variables, path in cases:
            with self.subTest(path):
                environment = {**self.clean, **variables}
                path = os.path.join(self.home, path)
                self.assertEqual(self.used_by_daemon(environment), path)
                self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
                done = subprocess.run([SKIRMISH, "verify", "--all"], capture_output=True, text=True,
                                      env=environment, check=False)
                self.assertIn("0 of 0 matches", done.stdout, done.stderr)

    def test_an_operator_means_the_service(self):
        """In a name space with an empty /var/lib that belongs to this user."""
        script = ("mount -t tmpfs none /var/lib && mkdir /var/lib/skirmish && cp \"$1\" "
                  "/var/lib/skirmish/skirmish.db && exec \"$2\" verify --all")
        with Daemon() as daemon:
            daemon.stop()
            done = subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh",
                                   daemon.database, SKIRMISH], capture_output=True, text=True,
                                  env={**self.clean, "HOME": self.home}, check=False)
        if "unshare" in done.stderr or "mount" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertIn("0 of 0 matches", done.stdout, done.stderr)


class Health(unittest.TestCase):

    def health(self, *arguments):
        return subprocess.run([SKIRMISH, "health", *arguments], capture_output=True, text=True,
                              timeout=TIME_LIMIT_S, check=False)

    def test_a_server_that_answers(self):
        with Daemon() as daemon:
            daemon.wait_until_ready()
            url = f"127.0.0.1:{daemon.port}"
            for address in (f"http://{url}", f"http://{url}/", f"ws://{url}/"):
                done = self.health("--ready", address)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "ready\n", ""))
            subprocess.run([SKIRMISH, "admin", "drain", "--database", daemon.database], check=True,
                           capture_output=True)
            for arguments, status in (((), 0), (("--ready",), 1)):
                done = self.health(*arguments, f"http://{url}")
                self.assertEqual((done.returncode, done.stdout), (status, "draining\n"))
            done = self.health(f"http://127.0.0.1:{daemon.metrics_port}")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("not a skirmishd", done.stderr)

    def test_a_server_with_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, name) for name in ("certificate.pem", "key.pem")]
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj",
                            "/CN=example.org", "-out", files[0], "-keyout", files[1]], check=True,
                           capture_output=True)
            with Daemon("--tls-certificate", files[0], "--tls-key", files[1]) as daemon:
                done = self.health(f"https://127.0.0.1:{daemon.port}")
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_no_server(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        done = self.health(f"http://127.0.0.1:{port}")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("does not answer", done.stderr)
        self.assertEqual(self.health("a", "b").returncode, 2)


class Stopping(unittest.TestCase):

    def test_it_stops_soon_when_asked(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number), Daemon() as daemon:
                code, seconds = daemon.stop(number)
                self.assertEqual(code, 0)
                self.assertLess(seconds, STOP_LIMIT_S)

    def test_clients_are_told(self):
        with Daemon() as daemon, Socket(daemon) as polite, Socket(daemon) as rude:
            self.assertEqual((polite.answer.status, rude.answer.status), (101, 101))
            code, seconds = daemon.stop()
            self.assertEqual(code, 0)
            self.assertLess(seconds, STOP_LIMIT_S)
            self.assertEqual(polite.close_code(), 1001)
            self.assertEqual(rude.close_code(), 1001)

    def test_many_clients_are_told(self):
        async def stay(url, opened):
            async with websockets.connect(url, subprotocols=["skirmish.v1"], open_timeout=TIME_LIMIT_S) as client:
                opened.release()
                try:
                    while True:
                        await client.recv()
                except websockets.ConnectionClosed as closed:
                    return closed.rcvd.code if closed.rcvd else None

        async def all_of(daemon):
            opened = asyncio.Semaphore(0)
            tasks = [asyncio.create_task(stay(daemon.url(), opened)) for _ in range(100)]
            for _ in tasks:
                await opened.acquire()
            daemon.process.terminate()
            return await asyncio.gather(*tasks)

        with Daemon() as daemon:
            codes = asyncio.run(asyncio.wait_for(all_of(daemon), TIME_LIMIT_S))
            self.assertEqual(codes, [1001] * 100)
            self.assertEqual(daemon.process.wait(TIME_LIMIT_S), 0)

    def test_a_second_signal_stops_at_once(self):
        with Daemon() as daemon, Socket(daemon):  # otherwise the daemon waits for its answer to the close
            daemon.process.send_signal(signal.SIGSTOP)
            daemon.process.send_signal(signal.SIGINT)
            daemon.process.send_signal(signal.SIGTERM)
            code, _ = daemon.stop(signal.SIGCONT)
            self.assertEqual(code, 1)
            self.assertIn(b"stopping at once", daemon.log())
            self.assertNotIn(b" stopped\n", daemon.log())
            daemon.process.returncode = 0

    def test_it_starts_again_on_its_database(self):
        with Daemon() as daemon:
            for stop in (signal.SIGTERM, signal.SIGKILL, signal.SIGTERM):
                daemon.wait_until_ready()
                daemon.stop(stop)
                daemon.process.stdout.close()
                daemon.start()


class Configured(Daemon):
    """Only options of the file: the command line overrides it."""

    generous = {}


class Reloading(unittest.TestCase):

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path = os.path.join(self.folder, "skirmishd.conf")
        self.write("")

    def write(self, text):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)

    def reload(self, daemon, words, count=1):
        daemon.process.send_signal(signal.SIGHUP)
        daemon.wait_for_log(words, count)

    def status(self, daemon):
        with Socket(daemon, "Origin: https://example.org") as connection:
            return connection.answer.status

    def test_what_can_change_changes(self):
        with Configured("--config", self.path) as daemon:
            self.assertEqual(self.status(daemon), 403)
            self.write("origins = https://example.org\n")
            self.reload(daemon, b"reloaded")
            self.assertEqual(self.status(daemon), 101)
            self.write("log-form = json\n")
            self.reload(daemon, b'"message":"reloaded')
            self.assertEqual(self.status(daemon), 403)

    def pongs(self, daemon, count):
        """Sends this many pings at once; returns how many are answered, and how many refused."""
        with Socket(daemon) as connection:
            connection.send(*[frame(TEXT, b'{"type":"ping"}') for _ in range(count)])
            texts = [connection.receive()[1] for _ in range(count)]
        return sum(b'"pong"' in text for text in texts), sum(b"rate_limited" in text for text in texts)

    def test_limits_change_for_those_who_are_there_and_those_who_come(self):
        self.write("frames-per-second = 1\nframes-burst = 5\n")
        with Configured("--config", self.path) as daemon, Socket(daemon) as old:
            begun = time.monotonic()
            pongs, refused = self.pongs(daemon, 20)
            self.assertEqual(pongs + refused, 20)
            self.assertGreaterEqual(pongs, 5)
            self.assertLess(pongs, min(20, 6 + time.monotonic() - begun))
            self.write("frames-per-second = 100000\nframes-burst = 100\n")
            self.reload(daemon, b"reloaded")
            self.assertEqual(self.pongs(daemon, 20), (20, 0))
            old.send(*[frame(TEXT, b'{"type":"ping"}') for _ in range(20)])
            self.assertTrue(all(b'"pong"' in old.receive()[1] for _ in range(20)))

    def test_every_option_that_is_marked_changes_without_a_restart(self):
        marked, name = {}, None
        for line in run("--print-defaults").stdout.splitlines():
            option = re.match(r"#([a-z-]+) =", line)
            if option:
                marked[option.group(1)] = name == "# (SIGHUP)"
            name = line
        other = {"address": "127.0.0.2", "port": "1", "metrics-address": "127.0.0.2",
                 "metrics-port": "1", "tls-certificate": "/x", "tls-key": "/x",
                 "database": "/x", "origins": "https://example.org", "trusted-proxies": "10.0.0.1",
                 "log-level": "debug", "log-form": "text", "ping-interval": "7s",
                 "outbox-max": "1MiB", "inbox-address-max": "1MiB", "outbox-address-max": "1MiB",
                 "outbox-total-max": "1MiB",
                 "bot-unwatched": "7s", "jobs-max": "77", "http-work": "777",
                 "http-answers-max": "77MiB", "frame-work": "77", "rated-params": "any",
                 "rated-params-file": os.path.join(self.folder, "rated.json")}
        with open(other["rated-params-file"], "w", encoding="utf-8") as file:
            file.write("{}")
        with Configured("--config", self.path) as daemon:
            taken = len(daemon.options)
            named = [option.removeprefix("--") for option in daemon.options[:taken:2]]
            for count, (option, is_marked) in enumerate(sorted(marked.items())):
                if option in named or option.startswith("tls"):
                    continue  # flags go before the file; the two belong together
                value = other.get(option) or ("7s" if re.search("timeout|expire|after", option)
                                              else "7")
                with self.subTest(option):
                    self.write(f"{option} = {value}\n")
                    before = daemon.log().count(b"reloaded")
                    self.reload(daemon, b"reloaded", before + 1)
                    last = daemon.log().decode().splitlines()[-1]
                    self.assertEqual(option not in last, is_marked, last)

    def test_what_cannot_is_named(self):
        with Configured("--config", self.path) as daemon:
            self.write("handshake-timeout = 9s\nconnections-max = 7\nsnapshot-every = 5\n")
            self.reload(daemon, b"need a restart: connections-max, handshake-timeout\n")
            self.assertEqual(daemon.get("/healthz").status, 200)

    def test_a_wrong_file_changes_nothing(self):
        self.write("origins = https://example.org\n")
        with Configured("--config", self.path) as daemon:
            self.write("origins =\nport = x\n")
            self.reload(daemon, b"not reloaded: " + self.path.encode() + b":2: port")
            self.assertEqual(self.status(daemon), 101)


class Log(unittest.TestCase):

    def test_json_lines(self):
        with Daemon("--log-form", "json", "--log-level", "debug") as daemon:
            daemon.exchange(b"GET /\"\\\x01\xff HTTP/1.0\r\n\r\n")
            daemon.stop()
            lines = daemon.log().decode().splitlines()
        self.assertGreater(len(lines), 1)
        for line in lines:
            entry = json.loads(line)
            self.assertEqual(set(entry), {"at", "level", "message"})
            self.assertRegex(entry["at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_text_lines(self):
        with Daemon() as daemon:
            daemon.stop()
            for line in daemon.log().decode().splitlines():
                self.assertRegex(line, r"^\d{4}-\d\d-\d\dT\S+Z (error|warning|info|debug) ")

    def test_the_level_is_kept(self):
        with Daemon("--log-level", "error", "--metrics-port=-1") as daemon:
            daemon.stop()
            self.assertEqual(daemon.log(), b"")

    def test_nothing_that_clients_send_is_in_it(self):
        secret = b"5ecre7" * 8
        with Daemon("--log-level", "debug") as daemon:
            daemon.get("/api/v1/matches", f"Authorization: Bearer {secret.decode()}")
            daemon.get(f"/api/v1/{secret.decode()}?{secret.decode()}")
            daemon.exchange(secret + b"\r\n\r\n")
            for text in (b'{"type":"hello","protocol":1,"token":"%s"}' % secret,
                         b'{"type":"%s"}' % secret, secret, secret + b"\xff"):
                with Socket(daemon) as connection:
                    connection.send(frame(TEXT, text))
                    connection.receive()
            daemon.stop()
            self.assertNotIn(secret, daemon.log())
            self.assertNotIn(secret[:16], daemon.log())


class Unit(unittest.TestCase):
    """deploy/skirmishd.service and its drop-in, as far as they can be tested without systemd as process 1."""

    def setUp(self):
        with open(os.path.join(ROOT, "deploy", "skirmishd.service"), encoding="utf-8") as file:
            self.text = file.read()
        with open(os.path.join(ROOT, "deploy", "cluster", "skirmishd.service.conf"), encoding="utf-8") as file:
            self.drop_in = file.read()

    def test_the_password_file_of_a_node_is_no_credential(self):
        """libpq ignores a password file with mode 0440, which credentials have from systemd 254 on."""
        self.assertIn("Environment=PGPASSFILE=/etc/skirmish/pgpass", self.drop_in.splitlines())
        self.assertNotIn("\nLoadCredential", self.drop_in)

    def test_it_starts_again_unless_that_cannot_help(self):
        lines = self.text.splitlines()
        self.assertLess(lines.index("StartLimitIntervalSec=0"), lines.index("[Service]"))
        self.assertIn("Restart=on-failure", lines)
        self.assertIn("RestartPreventExitStatus=2 3", lines)

    def verify(self, drop_in):
        """What systemd says about the unit with this drop-in."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "skirmishd.service")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.text.replace("/usr/bin/skirmishd", os.path.abspath(PROGRAM)))
            os.mkdir(path + ".d")
            with open(os.path.join(path + ".d", "cluster.conf"), "w", encoding="utf-8") as file:
                file.write(drop_in)
            done = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True,
                                  check=False)
        return done.returncode, done.stderr

    @unittest.skipIf(shutil.which("systemd-analyze") is None, "there is no systemd-analyze")
    def test_systemd_finds_nothing_wrong_with_it(self):
        for drop_in in ("", self.drop_in):
            self.assertEqual(self.verify(drop_in), (0, ""))
        self.assertIn("Nonsense", self.verify("[Service]\nNonsense=1\n")[1])


class Notify(unittest.TestCase):

    def test_systemd_is_notified_of_start_life_and_end(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        for label, name in (("a file", os.path.join(folder, "notify")),
                            ("a name", f"@skirmishd-test-{os.getpid()}")):
            with self.subTest(label), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
                listener.bind(name.replace("@", "\0", 1))
                listener.settimeout(TIME_LIMIT_S)
                heard = []

                def wait_for(word):
                    while not any(word in one for one in heard):
                        heard.append(listener.recv(4096))

                watchdog_s = 8
                environment = {"NOTIFY_SOCKET": name, "WATCHDOG_USEC": str(watchdog_s * 1000000)}
                with Daemon(environment=environment) as daemon:
                    wait_for(b"READY=1")
                    heard.clear()
                    for _ in range(2):
                        began = time.monotonic()
                        heard.append(listener.recv(4096))
                        self.assertLess(time.monotonic() - began, watchdog_s)
                    self.assertEqual(heard, [b"WATCHDOG=1"] * 2)
                    daemon.process.terminate()
                    wait_for(b"STOPPING=1")
                    daemon.process.wait(TIME_LIMIT_S)


if __name__ == "__main__":
    unittest.main()
