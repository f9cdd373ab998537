"""RFC 6455 by its sections: what a client may send, byte by byte, and what it gets.

One daemon and one table, without TLS and with it.  A row is (section and case, bytes, expectation); the bytes
are sent on a new connection, after the handshake.  `Split` rows are sent in two TCP segments.
"""

import json
import socket
import struct
import tempfile
import unittest

from daemon import (BINARY, CLOSE, CONTINUATION, KEY, PING, PONG, TEXT, Answer, Daemon,
                    SecureDaemon, Socket, frame, make_certificate, upgrade_request)

# Expectations: a list of frames that come, in order, and whether the connection then ends.  A text
# stands for the answer to a ping message with this id.
OPEN = "open"  # the last entry: it still works


def code(number):
    return CLOSE, struct.pack(">H", number) if number else b""


def fails(number):
    """A close frame with this code and any reason, then the end."""
    return [("fails", number)]


def message(name="1", size=None):
    """A ping of the game's protocol, of so many bytes."""
    text = json.dumps({"type": "ping", "id": name}, ensure_ascii=False).encode()
    return text if size is None else text + b" " * (size - len(text))


def text(name="1", size=None):
    return frame(TEXT, message(name, size))


def header(first, second, *rest):
    return bytes([first, second]) + b"".join(rest)


def unmasked(opcode, data=b"", final=True):
    return bytes([(0x80 if final else 0) | opcode, len(data)]) + data


def masked(data, mask):
    return bytes([0x81, 0x80 | len(data)]) + mask + bytes(
        byte ^ mask[i % 4] for i, byte in enumerate(data))


def long_form(data, form, opcode=TEXT):
    """A frame whose length has this many bytes, whether it needs them or not."""
    size = struct.pack(">H" if form == 2 else ">Q", len(data))
    return header(0x80 | opcode, 0x80 | (126 if form == 2 else 127), size, bytes(4), data)


def pieces(data, *cuts):
    """One message, cut at these places."""
    edges = [0, *cuts, len(data)]
    parts = [data[a:b] for a, b in zip(edges, edges[1:])]
    return b"".join(frame(TEXT if i == 0 else CONTINUATION, part, final=i == len(parts) - 1)
                    for i, part in enumerate(parts))


class Split:
    """Bytes that are sent in segments."""

    def __init__(self, *segments):
        self.segments = segments


def masking():
    for name, data in (("text", unmasked(TEXT, message())), ("empty text", unmasked(TEXT)),
                       ("binary", unmasked(BINARY, b"x")), ("ping", unmasked(PING, b"x")),
                       ("pong", unmasked(PONG)), ("close", unmasked(CLOSE, b"\x03\xe8")),
                       ("a continuation", frame(TEXT, b"{", final=False)
                        + unmasked(CONTINUATION, b"}"))):
        yield f"5.1 not masked: {name}", data, fails(1002)
    yield "5.1 not masked, behind a good one", text("a") + unmasked(TEXT, message()), \
        fails(1002)
    for mask in (bytes(4), b"\xff" * 4, b"\x00\x00\x00\x01", b"\x80\x40\x20\x10"):
        yield f"5.3 mask {mask.hex()}", masked(message(), mask), ["1", OPEN]
    # The position in the mask continues across segments.
    whole = text("mask")
    for cut in range(1, len(whole)):
        yield f"5.3 a segment ends behind byte {cut}", Split(whole[:cut], whole[cut:]), \
            ["mask", OPEN]


def reserved():
    for bits in (0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70):
        for name, opcode in (("text", TEXT), ("ping", PING), ("close", CLOSE), ("binary", BINARY)):
            yield f"5.2 reserved bits {bits:02x}: {name}", \
                frame(opcode, b"\x03\xe8", reserved=bits), fails(1002)
        yield f"5.2 reserved bits {bits:02x}: continuation", \
            frame(TEXT, b"{", final=False) + frame(CONTINUATION, b"}", reserved=bits), fails(1002)
    for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
        for name, data in (("empty", b""), ("with data", b"x")):
            yield f"5.2 opcode {opcode} {name}", frame(opcode, data), fails(1002)
        yield f"5.2 opcode {opcode} in a message", \
            frame(TEXT, b"{", final=False) + frame(opcode, b"x"), fails(1002)
    yield "5.2 opcode 3 behind a good message", text("a") + frame(3), fails(1002)


def lengths():
    for size in (60, 124, 125, 126, 127, 128, 255, 256, 4096, 16383, 16384):
        yield f"5.2 a length of {size}", text("1", size), ["1", OPEN]
    for size in (0, 1, 125):
        yield f"5.2 a length of {size} in two bytes", long_form(b"x" * size, 2), fails(1002)
    for size in (0, 1, 125, 126, 4096):
        yield f"5.2 a length of {size} in eight bytes", long_form(b"x" * size, 8), fails(1002)
    for size in ((1 << 63), (1 << 63) + 5, (1 << 64) - 1):
        yield f"5.2 a length of {size:#x}", frame(TEXT, b"x", length=size), fails(1002)
    for size in (16385, 65535, 65536, 1 << 32, (1 << 63) - 1):
        yield f"10.4 {size} bytes are announced", frame(TEXT, b"x", length=size), fails(1009)
    yield "10.4 too many bytes in pieces", frame(TEXT, b" " * 16384, final=False) \
        + frame(CONTINUATION, b" "), fails(1009)
    yield "10.4 too many pieces", frame(TEXT, final=False) \
        + frame(CONTINUATION, final=False) * 1024, fails(1008)
    yield "10.4 as many pieces as may be", frame(TEXT, message(), final=False) \
        + frame(CONTINUATION, final=False) * 1022 + frame(CONTINUATION), ["1", OPEN]


def fragments():
    data = message("pieces")
    for cut in range(0, len(data) + 1, 3):
        yield f"5.4 two pieces, cut at {cut}", pieces(data, cut), ["pieces", OPEN]
    yield "5.4 single bytes", pieces(data, *range(1, len(data))), ["pieces", OPEN]
    yield "5.4 empty pieces before", frame(TEXT, final=False) + frame(CONTINUATION, final=False) \
        + frame(CONTINUATION, data), ["pieces", OPEN]
    yield "5.4 an empty last piece", frame(TEXT, data, final=False) + frame(CONTINUATION), \
        ["pieces", OPEN]
    yield "5.4 two messages in pieces", pieces(message("a"), 5) + pieces(message("b"), 9), \
        ["a", "b", OPEN]
    yield "5.4 nothing to continue", frame(CONTINUATION, b"x"), fails(1002)
    yield "5.4 nothing to continue, not final", frame(CONTINUATION, b"x", final=False), fails(1002)
    yield "5.4 nothing to continue, empty", frame(CONTINUATION), fails(1002)
    yield "5.4 nothing left to continue", pieces(data, 5) + frame(CONTINUATION), fails(1002)
    yield "5.4 nothing to continue behind a ping", frame(PING) + frame(CONTINUATION), fails(1002)
    for name, opcode in (("text", TEXT), ("binary", BINARY)):
        for final in (True, False):
            yield f"5.4 a {name} in a message, final {final}", \
                frame(TEXT, b"{", final=False) + frame(opcode, b"x", final=final), fails(1002)
    yield "5.4 a ping between", frame(TEXT, data[:4], final=False) + frame(PING, b"p") \
        + frame(CONTINUATION, data[4:]), [(PONG, b"p"), "pieces", OPEN]
    yield "5.4 a pong between", frame(TEXT, data[:4], final=False) + frame(PONG, b"p") \
        + frame(CONTINUATION, data[4:]), ["pieces", OPEN]
    yield "5.4 pings between all", b"".join(
        frame(PING, bytes([65 + i])) + frame(TEXT if i == 0 else CONTINUATION, data[i:i + 1],
                                             final=i == len(data) - 1)
        for i in range(len(data))), [*((PONG, bytes([65 + i])) for i in range(len(data))), "pieces",
                                     OPEN]
    yield "5.4 a close between", frame(TEXT, data[:4], final=False) + frame(CLOSE, b"\x03\xe8"), \
        [code(1000)]


def control():
    for size in (0, 1, 2, 124, 125):
        yield f"5.5.2 a ping of {size}", frame(PING, b"p" * size), [(PONG, b"p" * size), OPEN]
        yield f"5.5.3 a pong of {size}", frame(PONG, b"p" * size), [OPEN]
    yield "5.5.2 a ping of bytes that are no text", frame(PING, b"\x00\xff\xc0\xfe"), \
        [(PONG, b"\x00\xff\xc0\xfe"), OPEN]
    yield "5.5.2 ten pings", b"".join(frame(PING, bytes([i])) for i in range(10)), \
        [*((PONG, bytes([i])) for i in range(10)), OPEN]
    whole = frame(PING, b"ping")
    for cut in range(1, len(whole)):
        yield f"5.5.2 a ping, segment of {cut}", Split(whole[:cut], whole[cut:]), \
            [(PONG, b"ping"), OPEN]
    for name, opcode in (("close", CLOSE), ("ping", PING), ("pong", PONG)):
        for size in (126, 127, 70000):
            yield f"5.5 a {name} of {size}", frame(opcode, b"x" * size), fails(1002)
        yield f"5.5 a {name} of 5 bytes, length in two", long_form(b"\x03\xe8abc", 2, opcode), \
            fails(1002)
        yield f"5.5 a {name} in pieces", frame(opcode, b"\x03\xe8", final=False), fails(1002)


CLOSE_CODES = (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999,
               4000, 4999)
NO_CLOSE_CODES = (0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535)


def closes():
    yield "5.5.1 without a code", frame(CLOSE), [code(None)]
    yield "5.5.1 one byte", frame(CLOSE, b"\x03"), fails(1002)
    for number in CLOSE_CODES:
        yield f"7.4 code {number}", frame(CLOSE, struct.pack(">H", number)), [code(number)]
        yield f"7.4 code {number} and a reason", \
            frame(CLOSE, struct.pack(">H", number) + "größer".encode()), [code(number)]
    for number in NO_CLOSE_CODES:
        yield f"7.4 code {number}", frame(CLOSE, struct.pack(">H", number)), fails(1002)
        yield f"7.4 code {number} and a reason", frame(CLOSE, struct.pack(">H", number) + b"why"), \
            fails(1002)
    yield "5.5.1 the longest reason", frame(CLOSE, b"\x03\xe8" + b"r" * 123), [code(1000)]
    for name, bad in BAD_TEXTS:
        yield f"8.1 a reason that is no UTF-8: {name}", frame(CLOSE, b"\x03\xe8" + bad), fails(1007)
    yield "5.5.1 a message behind it", frame(CLOSE, b"\x03\xe8") + text(), [code(1000)]
    yield "5.5.1 a ping behind it", frame(CLOSE, b"\x03\xe8") + frame(PING), [code(1000)]
    yield "5.5.1 another behind it", frame(CLOSE, b"\x03\xe8") + frame(CLOSE, b"\x03\xe9"), \
        [code(1000)]
    yield "5.5.1 nonsense behind it", frame(CLOSE, b"\x03\xe8") + b"\xff" * 300, [code(1000)]
    yield "5.5.1 a message before it is answered", text("a") + frame(CLOSE, b"\x03\xe8"), \
        ["a", code(1000)]
    yield "5.5.1 a ping before it is answered", frame(PING, b"p") + frame(CLOSE, b"\x03\xe8"), \
        [(PONG, b"p"), code(1000)]
    whole = frame(CLOSE, b"\x03\xe8bye")
    for cut in range(1, len(whole)):
        yield f"5.5.1 a close, segment of {cut}", Split(whole[:cut], whole[cut:]), [code(1000)]


GOOD_TEXTS = (("ASCII", "plain"), ("the largest of two bytes", "\u07ff"), ("three", "\u0800\u20ac"),
              ("around the surrogates", "\ud7ff\ue000"), ("the last of the plane", "\uffff\ufffd"),
              ("four", "\U00010000\U0001f600"), ("the last", "\U0010ffff"))

BAD_TEXTS = (
    ("a lone tail", b"\x80"), ("another lone tail", b"\xbf"), ("a tail too many", b"\xc3\xa9\xa9"),
    ("half of two", b"\xc3"), ("two of three", b"\xe2\x82"), ("one of three", b"\xe2"),
    ("three of four", b"\xf0\x9f\x98"), ("one of four", b"\xf0"),
    ("half, then ASCII", b"\xc3A"), ("two of three, then ASCII", b"\xe2\x82A"),
    ("overlong NUL", b"\xc0\x80"), ("overlong slash", b"\xc0\xaf"), ("overlong c1", b"\xc1\xbf"),
    ("overlong of three", b"\xe0\x9f\xbf"), ("overlong of four", b"\xf0\x8f\xbf\xbf"),
    ("first surrogate", b"\xed\xa0\x80"), ("last surrogate", b"\xed\xbf\xbf"),
    ("a pair of surrogates", b"\xed\xa0\xbd\xed\xb8\x80"), ("past the end", b"\xf4\x90\x80\x80"),
    ("f5", b"\xf5\x80\x80\x80"), ("five bytes", b"\xf8\x88\x80\x80\x80"),
    ("six bytes", b"\xfc\x84\x80\x80\x80\x80"), ("fe", b"\xfe"), ("ff", b"\xff"))


def texts():
    for name, good in GOOD_TEXTS:
        yield f"8.1 {name}", text(good), [good, OPEN]
        data = message(good)
        start, end = data.index(good.encode()), data.index(good.encode()) + len(good.encode())
        for cut in range(start, end + 1):
            yield f"8.1 {name}, a piece ends at {cut - start}", pieces(data, cut), [good, OPEN]
        yield f"8.1 {name}, byte by byte", pieces(data, *range(1, len(data))), [good, OPEN]
    for name, bad in BAD_TEXTS:
        for place, data in (("alone", bad), ("at the end", b'{"type":"ping"}        ' + bad),
                            ("in the middle", b'{"type":"ping","id":"' + bad + b' and more"}')):
            yield f"8.1 {name} {place}", frame(TEXT, data), fails(1007)
        for cut in range(1, len(bad)):
            yield f"8.1 {name}, a piece ends at {cut}", pieces(bad, cut), fails(1007)
    yield "5.6 binary", frame(BINARY, message()), fails(1003)
    yield "5.6 an empty binary", frame(BINARY), fails(1003)
    yield "5.6 binary in pieces", frame(BINARY, b"x", final=False) + frame(CONTINUATION), fails(1003)


def handshakes():
    """(section and case, request, status)"""
    good = upgrade_request()
    for label, request, status in (
            ("4.2.1 as it should be", good, 101),
            ("4.2.1 names in other letters", good.replace(b"Sec-WebSocket", b"SEC-websocket"), 101),
            ("4.2.1 values in other letters",
             good.replace(b"websocket\r\n", b"WebSocket\r\n").replace(b"Upgrade\r\n", b"uPGRADE\r\n"),
             101),
            ("4.2.1 no blanks", good.replace(b": ", b":"), 101),
            ("4.2.1 more blanks", good.replace(b": ", b":  \t ").replace(b"\r\n", b" \r\n", 2)
             .replace(b"HTTP/1.1 ", b"HTTP/1.1"), 101),
            ("4.2.1 connection lists it", good.replace(b"Connection: ", b"Connection: keep-alive, "),
             101),
            ("4.2.1 connection in two lines", upgrade_request("Connection: keep-alive"), 101),
            ("4.2.1 a path and a query", good.replace(b"GET /", b"GET /play?x=%20y"), 101),
            ("4.2.1 an empty line before it", b"\r\n" + good, 101),
            ("4.2.1 HTTP/1.0", good.replace(b"HTTP/1.1", b"HTTP/1.0"), 400),
            ("4.2.1 HTTP/2.0", good.replace(b"HTTP/1.1", b"HTTP/2.0"), 505),
            ("4.2.1 no Host", good.replace(b"Host: localhost\r\n", b""), 400),
            ("4.2.1 two Hosts", upgrade_request("Host: localhost"), 400),
            ("4.2.1 no Connection", good.replace(b"Connection: Upgrade\r\n", b""), 400),
            ("4.2.1 Connection: close", good.replace(b"Connection: Upgrade", b"Connection: close"),
             400),
            ("4.2.1 Connection: upgraded", good.replace(b": Upgrade\r\n", b": Upgraded\r\n"), 400),
            ("4.2.1 no key", good.replace(b"Sec-WebSocket-Key", b"X-Key"), 400),
            ("4.2.1 an empty key", good.replace(KEY.encode(), b""), 400),
            ("4.2.1 a key of 15 bytes", good.replace(KEY.encode(), b"c2l4dGVlbiBieXRlcy4u"), 400),
            ("4.2.1 a key of 17 bytes", good.replace(KEY.encode(), b"c2l4dGVlbiBieXRlcy4uLi4="),
             400),
            ("4.2.1 two keys", upgrade_request(f"Sec-WebSocket-Key: {KEY}"), 400),
            ("4.2.1 POST", upgrade_request(method="POST"), 400),
            ("4.2.1 HEAD", upgrade_request(method="HEAD"), 400),
            ("4.2.2 a subprotocol of ours", upgrade_request("Sec-WebSocket-Protocol: skirmish.v1"),
             101),
            ("4.2.2 ours in the second line", upgrade_request("Sec-WebSocket-Protocol: chat",
                                                              "Sec-WebSocket-Protocol: skirmish.v1"),
             101),
            ("4.2.2 only others", upgrade_request("Sec-WebSocket-Protocol: chat"), 400),
            ("4.4 no version", good.replace(b"Sec-WebSocket-Version", b"X-Version"), 426),
            *((f"4.4 version {word!r}", upgrade_request(version=word), 426)
              for word in ("0", "7", "8", "12", "14", "113", "13, 8", "x", "")),
            ("9.1 an extension", upgrade_request("Sec-WebSocket-Extensions: permessage-deflate"),
             101)):
        yield label, request, status


GROUPS = (masking, reserved, lengths, fragments, control, closes, texts)


class Conformance(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(cls.start())
        cls.daemon.wait_until_ready()

    @classmethod
    def start(cls):
        return Daemon("--address-factor", "1000")

    def send(self, connection, data):
        if not isinstance(data, Split):
            connection.send(data)
            return
        connection.raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for segment in data.segments:
            connection.send(segment)

    def check_frame(self, connection, expected):
        opcode, data = connection.receive()
        if isinstance(expected, str):
            self.assertEqual(opcode, TEXT, data)
            answer = json.loads(data)
            self.assertEqual((answer["type"], answer.get("id")), ("pong", expected))
        else:
            self.assertEqual((opcode, data), expected)

    def check_failure(self, connection, number):
        """Answers to what was right may come before it."""
        opcode, data = connection.receive()
        while opcode in (TEXT, PONG):
            opcode, data = connection.receive()
        self.assertEqual(opcode, CLOSE)
        self.assertEqual(struct.unpack(">H", data[:2])[0], number)
        data[2:].decode()

    def check(self, data, expectation):
        with Socket(self.daemon) as connection:
            self.send(connection, data)
            for expected in expectation:
                if expected == OPEN:
                    connection.send(text("still"))
                    self.check_frame(connection, "still")
                    return
                if expected[0] == "fails":
                    self.check_failure(connection, expected[1])
                else:
                    self.check_frame(connection, expected)
            # The server ends the connection first (7.1.1), whatever the client does.
            self.assertEqual(connection.receive(), (None, b""))

    def test_sections(self):
        for group in GROUPS:
            for label, data, expectation in group():
                with self.subTest(label):
                    self.check(data, expectation)

    def test_handshakes(self):
        for label, request, status in handshakes():
            with self.subTest(label), self.daemon.connect() as raw:
                raw.sendall(request)
                answer = Answer(raw.recv(4096))
                self.assertEqual(answer.status, status)
                self.assertEqual("sec-websocket-accept" in answer.headers, status == 101)
                self.assertEqual(answer.headers.get("sec-websocket-version"),
                                 "13" if status == 426 else None)
                self.assertNotIn("sec-websocket-extensions", answer.headers)

    def test_there_are_many_cases_and_no_two_have_one_label(self):
        labels = [label for group in (*GROUPS, handshakes) for label, _, _ in group()]
        self.assertGreaterEqual(len(labels), 200)
        self.assertEqual(len(labels), len(set(labels)))


class ConformanceOverTls(Conformance):

    @classmethod
    def start(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        return SecureDaemon(*make_certificate(folder, "conformance"), "--address-factor", "1000")


if __name__ == "__main__":
    unittest.main()
