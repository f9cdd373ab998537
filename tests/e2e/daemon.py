"""Starts the daemon under test and talks to it, byte by byte where that matters."""

import base64
import contextlib
import os
import re
import select
import signal
import socket
import ssl
import struct
import subprocess
import tempfile
import time

from ports import held_port

PROGRAM = os.environ.get("SKIRMISHD", "build/bin/skirmishd")
ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))

# Generous: only against hanging, not a measure of speed.
TIME_LIMIT_S = 180

READY = re.compile(r"skirmishd (\S+) listening on http(s?)://(\S+):(\d+)/(?:, http\S+)* \(database (.+)\)\n")
SANITIZER = re.compile(r"ERROR: \w+Sanitizer|runtime error:|WARNING: ThreadSanitizer")
METRICS = re.compile(rb"metrics on (\S+) port (\d+)")


def run(*arguments):
    """A daemon that is expected to end by itself."""
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True,
                          timeout=TIME_LIMIT_S, check=False)


class Daemon:
    """On free ports, with a database of its own; stopped at the end of `with`."""

    # Sanitizer builds are slow, the machine may be busy, and all clients come from one address: these limits
    # are off unless a test sets them.
    generous = {"--frame-work": "1000000", "--http-burst": "0", "--connects-per-second": "0",
                "--players-per-hour": "0", "--hello-timeout": "120s", "--handshake-timeout": "120s",
                "--bot-answer-timeout": "120s",
                "--creates-per-minute": "0", "--matches-per-address": "0",
                "--bot-matches-per-player": "0", "--bot-matches-per-address": "0",
                "--rated-params": "any", "--rated-turns": "0", "--rated-repeats": "0"}

    def __init__(self, *options, environment=None, under=()):
        """`under` is a command that starts it, such as prlimit."""
        self.folder = tempfile.TemporaryDirectory(prefix="skirmishd-")
        self.database = self.new_database()
        self.log_path = self.path("log")
        given = [word for option, value in self.generous.items() if option not in options
                 for word in (option, value)]
        self.port, self.held = held_port()  # also while it is down
        self.options = ["--port", str(self.port), "--metrics-port", "0", "--database", self.database,
                        "--admin-socket", self.path("test.db.admin"), *given, *options]
        self.environment = {**os.environ, **(environment or {})}
        self.under = under
        self.start()

    def new_database(self):
        """A file, or a database of the PostgreSQL server whose socket is in the folder $POSTGRES."""
        server = os.environ.get("POSTGRES")
        if not server:
            return self.path("test.db")
        name = os.path.basename(self.folder.name).lower().replace("-", "_")
        subprocess.run(["psql", "-q", "-h", server, "-U", "skirmish", "-c", f"CREATE DATABASE {name}",
                        "postgres"], check=True)
        return f"postgres://skirmish@/{name}?host={server}"

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def start(self):
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen([*self.under, PROGRAM, *self.options],
                                            stdout=subprocess.PIPE, stderr=log,
                                            env=self.environment, text=True)
        line = self.read_line()
        match = READY.fullmatch(line)
        if not match:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"not ready: {line!r}\n{self.log().decode()}")
        self.ready_line = line
        self.scheme = "ws" + match.group(2)
        found = METRICS.findall(self.log())
        self.metrics_port = int(found[-1][1]) if found else None

    def read_line(self):
        ready, _, _ = select.select([self.process.stdout], [], [], TIME_LIMIT_S)
        return self.process.stdout.readline() if ready else "(silence)"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(TIME_LIMIT_S)
        self.held.close()
        self.process.stdout.close()
        log = self.log().decode(errors="replace")
        self.folder.cleanup()
        assert code in (0, -signal.SIGKILL), f"ended with {code}\n{log}"
        assert not SANITIZER.search(log), log

    def restart(self, number=signal.SIGKILL):
        """Ends it and starts it again, on the same file and the same port."""
        code, _ = self.stop(number)
        self.process.stdout.close()
        self.start()
        return code

    @contextlib.contextmanager
    def down(self):
        """Killed at the beginning of `with`, started again at its end, on the same port."""
        self.stop(signal.SIGKILL)
        self.process.stdout.close()
        yield
        self.start()

    def stop(self, number=signal.SIGTERM):
        """Its exit code, and the seconds it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(TIME_LIMIT_S)
        return code, time.monotonic() - began

    def log(self):
        with open(self.log_path, "rb") as file:
            return file.read()

    def wait_for_log(self, words, count=1):
        """Waits until the log has these words so many times."""
        until = time.monotonic() + TIME_LIMIT_S
        while self.log().count(words) < count:
            assert time.monotonic() < until, f"{words} is not in the log:\n{self.log().decode()}"
            time.sleep(0.01)

    def wait_until_ready(self):
        """It listens before its unfinished matches are loaded."""
        until = time.monotonic() + TIME_LIMIT_S
        while self.get("/readyz").status != 200:
            assert time.monotonic() < until, f"not ready:\n{self.log().decode()}"
            time.sleep(0.01)

    def url(self, path="/"):
        return f"{self.scheme}://127.0.0.1:{self.port}{path}"

    def connect(self, port=None):
        raw = socket.create_connection(("127.0.0.1", port or self.port), TIME_LIMIT_S)
        raw.settimeout(TIME_LIMIT_S)
        return raw

    def exchange(self, data, port=None):
        """Sends bytes, returns everything until the other side ends."""
        with self.connect(port) as raw:
            try:
                raw.sendall(data)
                return read_all(raw)
            except (ConnectionResetError, BrokenPipeError):
                return b""

    def get(self, path, *headers, method="GET", port=None, body=b""):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", ""]
        return Answer(self.exchange("\r\n".join(lines).encode() + body, port))

    def metrics(self):
        """Name with labels -> number."""
        text = self.get("/metrics", port=self.metrics_port).body.decode()
        rows = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
        return {name: float(value) for name, value in rows}

    def refused(self, check):
        return self.metrics()[f'skirmish_net_refused_total{{check="{check}"}}']


def read_all(raw):
    data = b""
    while True:
        try:
            piece = raw.recv(65536)
        except ConnectionResetError:
            return data
        if not piece:
            return data
        data += piece


class Answer:
    """An HTTP answer, taken apart."""

    def __init__(self, data):
        self.data = data
        head, _, self.body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        words = first.split(" ")
        self.status = int(words[1]) if len(words) > 1 else None
        self.headers = {name.lower(): value.strip()
                        for name, _, value in (line.partition(":") for line in lines)}


# ---- TLS ----

def make_certificate(folder, name):
    files = [os.path.join(folder, f"{name}.pem"), os.path.join(folder, f"{name}.key")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout", files[1]],
                   check=True, capture_output=True)
    return files


class SecureDaemon(Daemon):
    """One with TLS; `certificate` and `key` are its files."""

    def __init__(self, certificate, key, *options, **how):
        self.context = ssl.create_default_context(cafile=certificate)
        super().__init__("--tls-certificate", certificate, "--tls-key", key, *options, **how)

    def connect(self, port=None):
        raw = super().connect(port)
        if port is not None:
            return raw
        return self.context.wrap_socket(raw, server_hostname="127.0.0.1")


# ---- WebSocket frames by hand ----

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10

KEY = base64.b64encode(b"sixteen bytes...").decode()


def upgrade_request(*headers, method="GET", path="/", upgrade="websocket", version="13",
                    host="localhost"):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: Upgrade", f"Upgrade: {upgrade}",
             f"Sec-WebSocket-Key: {KEY}", f"Sec-WebSocket-Version: {version}", *headers, "", ""]
    return "\r\n".join(lines).encode()


def frame(opcode, data=b"", final=True, reserved=0, length=None):
    """A masked frame; `length` replaces the true length."""
    size = len(data) if length is None else length
    head = bytes([(0x80 if final else 0) | reserved | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", size)
    mask = b"\x12\x34\x56\x78"
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))


class Socket:
    """A WebSocket that can misbehave."""

    def __init__(self, daemon, *headers, **how):
        self.raw = daemon.connect()
        self.raw.sendall(upgrade_request(*headers, **how))
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            try:
                piece = self.raw.recv(4096)
            except ConnectionResetError:
                piece = b""
            if not piece:
                break
            self.buffer += piece
        self.answer = Answer(self.buffer)
        self.buffer = self.answer.body

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.raw.close()

    def send(self, *frames):
        self.raw.sendall(b"".join(frames))

    def take(self, count):
        while len(self.buffer) < count:
            piece = self.raw.recv(65536)
            if not piece:
                raise EOFError
            self.buffer += piece
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def receive(self):
        """(opcode, data) of the next frame; (None, b"") at the end."""
        try:
            first, size = self.take(2)
            if size == 126:
                size, = struct.unpack(">H", self.take(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.take(8))
            return first & 15, self.take(size)
        except (EOFError, ConnectionResetError):
            return None, b""

    def close_code(self):
        """The code of the next close frame; skips others. None if there is none."""
        while True:
            opcode, data = self.receive()
            if opcode is None:
                return None
            if opcode == CLOSE:
                return struct.unpack(">H", data[:2])[0]
