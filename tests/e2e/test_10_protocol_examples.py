"""The conversation of PROTOCOL.md, sent and answered as printed; and every example of a frame."""

import json
import os
import re
import unittest

from client import Case
from daemon import ROOT

MARK = re.compile(r"<!-- (\w+) (connects|disconnects) -->"
                  r"|<!-- (client|server)(?: (\w+))?: (\w+) -->\n```json\n(.*?)```", re.S)

# Values that the server chooses: a printed value stands for the same one everywhere.
CHOSEN = ("token", "player", "match", "server", "time_ms", "deadline_ms", "commitment", "seed", "salt",
          "head")
LEFT_OUT = ("presence", "ready")


def marks():
    with open(os.path.join(ROOT, "proto", "PROTOCOL.md"), encoding="utf-8") as file:
        return list(MARK.finditer(file.read()))


class Conversation(Case):

    def setUp(self):
        self.values = {}  # (member, printed) -> what this server says

    def translate(self, value, name=None):
        """A printed frame of a client, with this server's values."""
        if isinstance(value, dict):
            return {key: self.translate(item, key) for key, item in value.items()}
        return self.values.get((name, json.dumps(value)), value)

    def compare(self, printed, told, path="", name=None):
        if name in CHOSEN:
            self.assertEqual(type(printed), type(told), path)
            if name not in ("time_ms", "deadline_ms"):
                known = self.values.setdefault((name, json.dumps(printed)), told)
                self.assertEqual(known, told, path)
        elif isinstance(printed, dict):
            self.assertEqual(list(printed), list(told), path)
            for key, value in printed.items():
                self.compare(value, told[key], f"{path}/{key}", key)
        else:
            self.assertEqual(printed, told, path)

    async def test_the_printed_conversation_is_what_is_said(self):
        clients = {}
        count = 0
        for mark in marks():
            who, what, side, speaker, kind, text = mark.groups()
            if what == "connects":
                clients[who] = await self.connect()
                clients[who].name = who
            elif what == "disconnects":
                await clients.pop(who).close()
            elif speaker is not None and side == "client":
                frame = self.translate(json.loads(text))
                self.assertEqual(frame["type"], kind)
                await clients[speaker].socket.send(json.dumps(frame))
                count += 1
            elif speaker is not None:
                printed = json.loads(text)
                while True:
                    told = await clients[speaker].receive()
                    if told["type"] not in LEFT_OUT:
                        break
                self.assertEqual((printed["type"], kind), (told["type"], kind), told)
                self.compare(printed, told, f"{speaker} {kind}")
                count += 1
        self.assertGreater(count, 25)
        for client in clients.values():
            self.assertEqual([frame for frame in await client.seen()
                              if frame["type"] not in LEFT_OUT], [])

    async def test_every_frame_has_an_example_that_its_schema_takes(self):
        seen = {"client": set(), "server": set()}
        for mark in marks():
            _, what, side, _, kind, text = mark.groups()
            if what is None:
                frame = json.loads(text)
                self.assertEqual(frame["type"], kind)
                schemas = self.schemas.client if side == "client" else self.schemas.frames
                schemas[kind].validate(frame)
                seen[side].add(kind)
        self.assertEqual(seen["client"], set(self.schemas.client))
        self.assertEqual(seen["server"], set(self.schemas.frames))

    async def test_every_example_of_a_client_is_read_by_the_server(self):
        alice = await self.player("alice")
        codes = {}
        for mark in marks():
            _, what, side, speaker, kind, text = mark.groups()
            if what is None and side == "client" and speaker is None:
                await alice.socket.send(text)
                answer = await alice.expect(None, id=json.loads(text)["id"])
                codes[kind] = answer.get("code", answer["type"])
        self.assertEqual(set(codes), set(self.schemas.client))
        self.assertNotIn("malformed", codes.values())
        self.assertEqual(codes["hello"], "already_hello")


if __name__ == "__main__":
    unittest.main()
