"""A WebSocket to a server (RFC 6455), for text messages: asyncio and the standard library."""

import asyncio
import base64
import hashlib
import os
import ssl as tls
import struct
import time
from typing import Dict, List, Optional, Tuple
from urllib.parse import SplitResult, urlsplit

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
NORMAL, PROTOCOL_ERROR, UNSUPPORTED, LOST, NOT_UTF8, TOO_LONG = 1000, 1002, 1003, 1006, 1007, 1009

MESSAGE_MAX = 64 * 1024 * 1024
_CONTROL_MAX = 125
_HEAD_MAX = 16384
_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_PORTS = {"ws": 80, "http": 80, "wss": 443, "https": 443}


class Closed(ConnectionError):
    """The connection is over.  1006: it was lost."""

    def __init__(self, code: int = LOST, reason: str = "") -> None:
        super().__init__(f"closed with {code}{': ' if reason else ''}{reason}")
        self.code = code
        self.reason = reason


class _Violation(Exception):
    """The other side sent what the RFC forbids; it is closed with this code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def split_url(url: str) -> SplitResult:
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError(f"an address is like ws://127.0.0.1:7777/, not {url}")
    return parts


def mask(data: bytes, key: bytes) -> bytes:
    size = len(data)
    keys = (key * (size // 4 + 1))[:size]
    return (int.from_bytes(data, "big") ^ int.from_bytes(keys, "big")).to_bytes(size, "big")


def encode(opcode: int, data: bytes) -> bytes:
    """A whole frame from a client: masked, by a key that nobody can guess."""
    size = len(data)
    if size < 126:
        head = struct.pack(">BB", 0x80 | opcode, 0x80 | size)
    elif size < 65536:
        head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, size)
    else:
        head = struct.pack(">BBQ", 0x80 | opcode, 0x80 | 127, size)
    key = os.urandom(4)
    return head + key + mask(data, key)


async def _read_head(reader: asyncio.StreamReader) -> Tuple[int, Dict[str, str]]:
    """Status and headers of the answer to the handshake."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise Closed(LOST, "no answer to the handshake") from error
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(head) > _HEAD_MAX or len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
        raise Closed(LOST, "the answer to the handshake is not HTTP")
    pairs = (line.partition(":") for line in lines)
    return int(words[1]), {name.strip().lower(): value.strip() for name, _, value in pairs}


class WebSocket:
    """Made by `connect`.  `send` and `receive` raise Closed once the connection is over."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int = MESSAGE_MAX) -> None:
        self._reader = reader
        self._writer = writer
        self._most = most
        self._closing = False
        self._parts: List[bytes] = []
        self._size = 0
        self.heard_at = time.monotonic()
        self._open = False  # the first frame of a message has come, and not its last

    @classmethod
    async def connect(cls, url: str, subprotocol: str, ssl: Optional[tls.SSLContext] = None,
                      timeout_s: float = 30) -> "WebSocket":
        """Raises Closed or OSError when there is no WebSocket at that address."""
        try:
            return await asyncio.wait_for(cls._connect(url, subprotocol, ssl), timeout_s)
        except asyncio.TimeoutError as error:
            raise Closed(LOST, "no connection in time") from error

    @classmethod
    async def _connect(cls, url: str, subprotocol: str, ssl: Optional[tls.SSLContext]) -> "WebSocket":
        parts = split_url(url)
        is_secure = parts.scheme in ("wss", "https")
        context = (ssl or tls.create_default_context()) if is_secure else None
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port or _PORTS[parts.scheme],
                                                       ssl=context, limit=_HEAD_MAX)
        try:
            await cls._shake_hands(reader, writer, parts, subprotocol)
        except BaseException:
            writer.close()
            raise
        return cls(reader, writer)

    @staticmethod
    async def _shake_hands(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, parts: SplitResult,
                           subprotocol: str) -> None:
        key = base64.b64encode(os.urandom(16))
        path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        host = parts.netloc.rpartition("@")[2]
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: Upgrade", "Upgrade: websocket",
                 "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key.decode()}",
                 f"Sec-WebSocket-Protocol: {subprotocol}", "", ""]
        writer.write("\r\n".join(lines).encode())
        status, headers = await _read_head(reader)
        accept = base64.b64encode(hashlib.sha1(key + _MAGIC).digest()).decode()
        if status != 101:
            raise Closed(LOST, f"the server answered the handshake with {status}")
        if (headers.get("sec-websocket-accept") != accept or headers.get("upgrade", "").lower() != "websocket" or
                headers.get("sec-websocket-protocol") != subprotocol or "sec-websocket-extensions" in headers):
            raise Closed(LOST, "the server's answer to the handshake is not valid")

    async def send(self, text: str) -> None:
        if self._closing:
            raise Closed()
        try:
            self._writer.write(encode(TEXT, text.encode()))
            await self._writer.drain()
        except OSError as error:
            raise Closed(LOST, str(error)) from error

    async def receive(self) -> str:
        """The next message.  Pings are answered, a close too."""
        try:
            while True:
                message = await self._take_frame()
                if message is not None:
                    return message
        except _Violation as violation:
            self._send_close(violation.code)
            raise Closed(violation.code, str(violation)) from violation
        except (asyncio.IncompleteReadError, OSError) as error:
            if isinstance(error, Closed):
                raise
            raise Closed(LOST, str(error)) from error

    async def close(self, code: int = NORMAL, timeout_s: float = 1) -> None:
        """Says goodbye, waits a moment for the answer, and ends the connection."""
        try:
            if not self._closing:
                self._send_close(code)
                await asyncio.wait_for(self._until_closed(), timeout_s)
        except (Closed, asyncio.TimeoutError):
            pass
        self.abort()

    def abort(self) -> None:
        self._closing = True
        self._writer.close()

    async def _until_closed(self) -> None:
        while True:
            await self.receive()

    def _send_close(self, code: int) -> None:
        if not self._closing:
            self._closing = True
            self._writer.write(encode(CLOSE, struct.pack(">H", code)))

    async def _read_frame(self) -> Tuple[bool, int, bytes]:
        first, size = await self._reader.readexactly(2)
        self.heard_at = time.monotonic()
        if first & 0x70:
            raise _Violation(PROTOCOL_ERROR, "a reserved bit is set")
        if size & 0x80:
            raise _Violation(PROTOCOL_ERROR, "a frame of the server is masked")
        is_last, opcode = bool(first & 0x80), first & 15
        if opcode >= CLOSE and (size > _CONTROL_MAX or not is_last):
            raise _Violation(PROTOCOL_ERROR, "a control frame is too long or in fragments")
        if size == 126:
            size, = struct.unpack(">H", await self._reader.readexactly(2))
        elif size == 127:
            size, = struct.unpack(">Q", await self._reader.readexactly(8))
        if size + self._size > self._most:
            raise _Violation(TOO_LONG, "a message is too long")
        return is_last, opcode, await self._reader.readexactly(size)

    async def _take_frame(self) -> Optional[str]:
        """The message that the next frame completes, if it does."""
        is_last, opcode, data = await self._read_frame()
        if opcode == PING:
            if not self._closing:
                self._writer.write(encode(PONG, data))
        elif opcode == CLOSE:
            self._take_close(data)
        elif opcode in (TEXT, CONTINUATION):
            return self._take_part(is_last, opcode, data)
        elif opcode == BINARY:
            raise _Violation(UNSUPPORTED, "a binary message")
        elif opcode != PONG:
            raise _Violation(PROTOCOL_ERROR, "an unknown opcode")
        return None

    def _take_part(self, is_last: bool, opcode: int, data: bytes) -> Optional[str]:
        if (opcode == CONTINUATION) != self._open:
            raise _Violation(PROTOCOL_ERROR, "a fragment is out of place")
        self._parts.append(data)
        self._size += len(data)
        self._open = not is_last
        if self._open:
            return None
        whole = b"".join(self._parts)
        self._parts, self._size = [], 0
        try:
            return whole.decode()
        except UnicodeDecodeError as error:
            raise _Violation(NOT_UTF8, "a message is not UTF-8") from error

    def _take_close(self, data: bytes) -> None:
        code = struct.unpack(">H", data[:2])[0] if len(data) >= 2 else 1005
        self._send_close(NORMAL if code == 1005 else code)
        raise Closed(code, data[2:].decode("utf-8", "replace"))
