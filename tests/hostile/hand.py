"""A client for attacks: many run in one process, and each frame is made once and sent many times.

It reads only as much of an answer as is needed to count it.
"""

import contextlib
import itertools
import json
import re
import select
import socket
import struct

SERVER = "127.0.0.1"
PATIENCE_S = 20
CHUNK = 1 << 18

UPGRADE = (b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
           b"Sec-WebSocket-Key: c2l4dGVlbiBieXRlcy4uLg==\r\nSec-WebSocket-Version: 13\r\n\r\n")

# What the server has acknowledged.
GRANTED = re.compile(rb'"type":"(?:joined|accepted|withdrawn|queued|welcome)"')

names = itertools.count()


def packed(text, opcode=1):
    """A frame with a mask of zeros, so that the payload is sent unchanged."""
    size = len(text)
    if size < 126:
        head = bytes([0x80 | opcode, 0x80 | size])
    elif size < 65536:
        head = bytes([0x80 | opcode, 0x80 | 126]) + struct.pack(">H", size)
    else:
        head = bytes([0x80 | opcode, 0x80 | 127]) + struct.pack(">Q", size)
    return head + bytes(4) + text


def message(kind, **members):
    """A frame of this type; its id is the type."""
    return packed(json.dumps({"type": kind, "id": kind, **members}, separators=(",", ":")).encode())


def connect(port, address):
    raw = socket.socket()
    raw.settimeout(PATIENCE_S)
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    raw.bind((address, 0))
    raw.connect((SERVER, port))
    return raw


class Gone(Exception):
    """The server has closed or refused the connection."""


class Hand:
    """One WebSocket.  Set-up waits for answers (`ask`), an attack does not (`pour`, `drain`)."""

    def __init__(self, port, address, label="x", hello=True, token=None):
        self.raw = connect(port, address)
        self.data = b""
        self.rest = memoryview(b"")
        self.granted = 0
        self.token = token
        try:
            self.raw.sendall(UPGRADE)
            while b"\r\n\r\n" not in self.data:
                self.fill()
            head, _, self.data = self.data.partition(b"\r\n\r\n")
            if b" 101 " not in head:
                raise Gone(head)
            if hello:
                self.hello(label)
        except (OSError, Gone):
            self.raw.close()
            raise

    def hello(self, label):
        if self.token is not None:
            self.ask("hello", protocol=1, token=self.token)
            return
        name = f"{label[:12]}{next(names)}-{id(self) % 99991}"
        self.token = self.ask("hello", protocol=1, name=name)["token"]

    def fill(self):
        piece = self.raw.recv(CHUNK)
        if not piece:
            raise Gone
        self.data += piece

    # ---- requests one after another ----

    def receive(self):
        """The next message, as an object."""
        while True:
            size, start = self.size()
            while size is None or len(self.data) < start + size:
                self.fill()
                size, start = self.size()
            opcode, text = self.data[0] & 15, self.data[start:start + size]
            self.data = self.data[start + size:]
            if opcode == 1:
                return json.loads(text)
            if opcode == 9:
                self.raw.sendall(packed(text, 10))

    def size(self):
        if len(self.data) < 2:
            return None, 0
        size = self.data[1]
        if size == 126:
            return (None, 0) if len(self.data) < 4 else (struct.unpack(">H", self.data[2:4])[0], 4)
        if size == 127:
            return (None, 0) if len(self.data) < 10 else (struct.unpack(">Q", self.data[2:10])[0], 10)
        return size, 2

    def ask(self, kind, expect_error=False, **members):
        """The answer; if the server says when to try again, it waits and tries again."""
        while True:
            self.raw.sendall(message(kind, **members))
            answer = self.receive()
            while answer.get("id") != kind:
                if answer["type"] == "closing":
                    raise Gone(answer)
                answer = self.receive()
            if answer["type"] != "error" or expect_error:
                return answer
            if "retry_ms" not in answer:
                raise Gone(f"{kind}: {answer}")
            select.select([], [], [], answer["retry_ms"] / 1000)

    def expect(self, kind):
        while True:
            answer = self.receive()
            if answer["type"] == kind:
                return answer

    # ---- as much as possible ----

    def pour(self, data):
        """Sends the rest of the last data, else `data`; false if the connection is gone."""
        if not self.rest:
            self.rest = memoryview(data)
        with contextlib.suppress(BlockingIOError):
            try:
                self.rest = self.rest[self.raw.send(self.rest, socket.MSG_DONTWAIT):]
            except (OSError, TimeoutError) as error:
                if isinstance(error, BlockingIOError):
                    raise
                return False
        return True

    def drain(self):
        """Reads what has arrived; None if the connection is gone."""
        try:
            piece = self.raw.recv(CHUNK, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return b""
        except OSError:
            return None
        self.granted += len(GRANTED.findall(piece))
        return piece or None

    def close(self):
        self.raw.close()

    def fileno(self):
        return self.raw.fileno()
