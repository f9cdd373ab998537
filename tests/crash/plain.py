"""A player over a plain socket: many frames at once, with as little work per frame as possible."""

import json
import socket
import struct

TIME_LIMIT_S = 300


class Player:
    """Says hello; then `send` sends several frames at once and `expect` reads the answers."""

    def __init__(self, port, token=None, name=None):
        self.raw = socket.create_connection(("127.0.0.1", port), TIME_LIMIT_S)
        self.raw.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                         b"Sec-WebSocket-Key: c2l4dGVlbiBieXRlcy4uLg==\r\nSec-WebSocket-Version: 13\r\n"
                         b"Sec-WebSocket-Protocol: skirmish.v1\r\n\r\n")
        self.buffer, self.at = b"", 0
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        assert self.buffer.startswith(b"HTTP/1.1 101"), self.buffer
        self.at = self.buffer.index(b"\r\n\r\n") + 4
        self.send({"type": "hello", "id": "hello", "protocol": 1,
                   **({"token": token} if token else {"name": name})})
        self.welcome = self.answer("hello")
        assert self.welcome["type"] == "welcome", self.welcome

    def fill(self):
        piece = self.raw.recv(1 << 20)
        if not piece:
            raise EOFError
        self.buffer = self.buffer[self.at:] + piece
        self.at = 0

    def send(self, *frames):
        self.raw.sendall(b"".join(self.frame(json.dumps(frame).encode()) for frame in frames))

    @staticmethod
    def frame(data):
        """Masks with zeros, which changes nothing."""
        if len(data) < 126:
            return struct.pack(">BBI", 0x81, 0x80 | len(data), 0) + data
        if len(data) < 65536:
            return struct.pack(">BBHI", 0x81, 0x80 | 126, len(data), 0) + data
        return struct.pack(">BBQI", 0x81, 0x80 | 127, len(data), 0) + data

    def take(self, count):
        while len(self.buffer) - self.at < count:
            self.fill()
        self.at += count
        return self.buffer[self.at - count:self.at]

    def receive(self):
        """The bytes of the next message."""
        while True:
            first, size = self.take(2)
            if size == 126:
                [size] = struct.unpack(">H", self.take(2))
            elif size == 127:
                [size] = struct.unpack(">Q", self.take(8))
            data = self.take(size)
            if first & 15 == 8:
                raise EOFError(data)
            if first & 15 == 1:
                return data

    def answer(self, number):
        """Returns the answer to this frame; skips others."""
        while True:
            frame = json.loads(self.receive())
            if frame.get("id") == number:
                return frame

    def ask(self, **frame):
        self.send({"id": "ask", **frame})
        return self.answer("ask")

    def close(self):
        self.raw.close()
