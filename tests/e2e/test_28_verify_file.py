"""`skirmish verify`: finds damage outside of rows, and recomputes the ratings of a single match."""

import os
import sqlite3
import struct
import subprocess
import unittest

from client import Case
from daemon import PROGRAM, TIME_LIMIT_S

SKIRMISH = os.environ.get("SKIRMISH", os.path.join(os.path.dirname(PROGRAM), "skirmish"))
INDEX_LEAF = 0x0A
FREE_LIST = 32  # of the file's header: the first page of the list, then how many there are


def verify(database, *what):
    return subprocess.run([SKIRMISH, "verify", *what, "--database", database], capture_output=True, text=True,
                          timeout=TIME_LIMIT_S, check=False, stdin=subprocess.DEVNULL)


class VerifyFile(Case):

    async def resigned(self, alice, bob):
        joined, _ = await alice.create()
        match = joined["match"]
        await bob.join(match)
        await alice.expect("seated", match=match, seat=1)
        await alice.get("accepted", "submit", match=match, turn=0, commands=[], command_id=f"s{match}")
        await bob.get("done", "resign", match=match, command_id=f"r{match}")
        await alice.expect("over", match=match)
        return match

    def copy(self, name):
        """A copy of the database with free pages in it, and its size of a page."""
        path = self.daemon.path(name)
        source = sqlite3.connect(f"file:{self.daemon.database}?mode=ro", uri=True)
        database = sqlite3.connect(path)
        source.backup(database)
        source.close()
        database.executescript("PRAGMA journal_mode = DELETE; CREATE TABLE spare AS SELECT zeroblob(100000) AS x; "
                               "DROP TABLE spare")
        size, = database.execute("PRAGMA page_size").fetchone()
        free, = database.execute("PRAGMA freelist_count").fetchone()
        database.close()
        self.assertGreater(free, 5)
        return path, size

    @staticmethod
    def edit(path, change):
        with open(path, "r+b") as file:
            data = bytearray(file.read())
            change(data)
            file.seek(0)
            file.write(data)

    async def test_damage_of_the_file_is_found(self):
        alice, bob = await self.player("alice"), await self.player("bob")
        await self.resigned(alice, bob)

        def other_count(data):
            count, = struct.unpack_from(">I", data, FREE_LIST + 4)
            struct.pack_into(">I", data, FREE_LIST + 4, count - 1)

        def used_page(data):
            trunk, count = struct.unpack_from(">II", data, FREE_LIST)
            at = (trunk - 1) * size
            leaves, = struct.unpack_from(">I", data, at + 4)
            struct.pack_into(">I", data, at + 4, leaves + 1)
            struct.pack_into(">I", data, at + 8 + 4 * leaves, 2)
            struct.pack_into(">I", data, FREE_LIST + 4, count + 1)

        def other_name_in_index(data):
            wanted = b"alice"
            pages = [at for at in range(0, len(data), size)
                     if data[at] == INDEX_LEAF and wanted in data[at:at + size]]
            self.assertEqual(len(pages), 1)
            data[data.index(wanted, pages[0])] ^= 1

        for name, change, said in (
                ("nothing", lambda data: None, None),
                ("free-list", other_count, "[Ff]reelist: size is"),
                ("free-and-used", used_page, "are in use and"),
                ("index", other_name_in_index, "missing from index player_name")):
            with self.subTest(name):
                path, size = self.copy(name)
                self.edit(path, change)
                done = verify(path, "--all")
                told = done.stdout + done.stderr
                self.assertEqual(done.returncode, 0 if said is None else 1, told)
                if said is not None:
                    self.assertRegex(told, f"the database does not hold: differs at file: .*{said}")

    async def test_a_match_named_alone_has_its_ratings_counted_again(self):
        alice, bob, carol, dora = [await self.player(name) for name in ("alice", "bob", "carol", "dora")]
        first = await self.resigned(alice, bob)
        second = await self.resigned(bob, alice)
        other = await self.resigned(carol, dora)
        for column in ("rating_before", "rating_after"):
            with self.subTest(column):
                path, _ = self.copy(column)
                database = sqlite3.connect(path)
                database.execute(f"UPDATE seat SET {column} = {column} + 0.5 WHERE match = ? AND seat = 1", (second,))
                database.commit()
                database.close()
                done = verify(path, str(first), str(other))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                done = verify(path, str(first), str(second))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, rf"match {second} does not hold: differs at seat/1/{column}: "
                                              r"[0-9.]+ is stored, the matches give [0-9.]+")
                self.assertIn("1 of 2 matches hold", done.stdout)


if __name__ == "__main__":
    unittest.main()
