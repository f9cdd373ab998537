"""Web services for tests: one that behaves as its path says, and the examples of tests/bots."""

import contextlib
import hashlib
import hmac
import http.server
import json
import os
import socket
import subprocess
import threading
import time

from daemon import ROOT, TIME_LIMIT_S
from ports import free_port

BOTS = os.path.join(ROOT, "tests", "bots")
SECRET = "a secret between the two"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, body, status=200, kind="application/json", **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, dict(self.headers), body))
        with contextlib.suppress(OSError):  # who asked may not have waited
            getattr(self, "on_" + self.path.strip("/").split("?")[0])(json.loads(body))

    def log_message(self, *_):
        pass

    # ---- those that answer ----

    def on_nothing(self, _):
        self.answer(b'{"commands":[]}')

    def on_first(self, question):
        self.answer(json.dumps({"commands": question["hints"][:1]}).encode())

    def on_odd_type(self, question):
        self.answer(json.dumps({"commands": question["hints"][:1]}).encode(), kind="text/plain")

    # ---- those that do not ----

    def on_slow(self, _):
        self.rfile.read(1)  # until who asked hangs up

    def on_drip(self, _):
        """A byte at a time."""
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        while True:  # until who asked hangs up
            self.wfile.write(b" ")
            time.sleep(0.1)

    def on_endless(self, _):
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        while True:
            self.wfile.write(b" " * 65536)

    def on_large(self, _):
        """100 MB, as it says beforehand."""
        self.send_response(200)
        self.send_header("Content-Length", str(100 << 20))
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b" " * (1 << 20))

    def on_at_limit(self, _):
        self.answer(b'{"commands":[]}'.ljust(65536))

    def on_above_limit(self, _):
        self.answer(b'{"commands":[]}'.ljust(65537))

    def on_redirect(self, _):
        self.answer(b"", 307, Location="/first")

    def on_status(self, _):
        self.answer(b'{"commands":[]}', 500)

    def on_html(self, _):
        self.answer(b"<html>It works!</html>", kind="text/html")

    def on_two(self, _):
        self.answer(b'{"commands":[]} {"commands":[]}')

    def on_empty(self, _):
        self.answer(b"")

    def on_closes(self, _):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def on_breaks_off(self, _):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"commands":')
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def on_list(self, _):
        self.answer(b"[]")

    def on_other(self, _):
        self.answer(b'{"moves":[]}')

    def on_word(self, _):
        self.answer(b'{"commands":"all"}')

    def on_resigns(self, _):
        self.answer(b'{"commands":[{"kind":"resign"}]}')

    def on_illegal(self, _):
        self.answer(b'{"commands":[{"kind":"move","unit":"a1","target":[1,1]}]}')

    def on_two_moves(self, board):
        piece = board["pieces"][0]
        self.answer(json.dumps([{"from": piece, "to": [piece]}] * 2).encode())

    def on_no_to(self, board):
        self.answer(json.dumps({"from": board["pieces"][0]}).encode())

    def on_deep(self, _):
        self.answer(b'{"commands":' + b"[" * 20000 + b"]" * 20000 + b"}")


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, *_):
        """Ignores cut connections, which these tests cause."""


class Service:
    """Answers on a port of its own until it is left."""

    def __enter__(self):
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.requests = self.requests = []
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def url(self, path, host="127.0.0.1"):
        return f"http://{host}:{self.port}/{path}"


class Example:
    """One of tests/bots, as a process that can be killed and started again."""

    def __init__(self, name):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        path = os.path.join(BOTS, name)
        self.command = ["/usr/bin/python3", path, str(self.port)] if name.endswith(".py") \
            else ["php", "-S", f"127.0.0.1:{self.port}", path]
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL,
                                        env={**os.environ, "PHP_CLI_SERVER_WORKERS": "4"},
                                        start_new_session=True)
        deadline = time.monotonic() + TIME_LIMIT_S
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError(f"{self.command} does not start")
            time.sleep(0.05)

    def kill(self):
        """With its workers."""
        os.killpg(self.process.pid, 9)
        self.process.wait()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()


def signature(headers, body, secret=SECRET):
    stamp = headers["X-Skirmish-Timestamp"]
    return "sha256=" + hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
