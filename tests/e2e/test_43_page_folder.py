"""The folder that the page is read from: --web, and its limits."""

import os
import tempfile
import unittest

from daemon import Daemon, run

FILES_MAX = 256
PATH_MAX = 127  # of "/a/b.js"
BYTES_MAX = 4 << 20


class Folder:
    """A page of index.html and other files: {"assets/x.js": b"..."}."""

    def __init__(self, files, index=b"<!doctype html>"):
        self.place = tempfile.TemporaryDirectory(prefix="skirmish-web-")
        for name, content in {**({} if index is None else {"index.html": index}), **files}.items():
            path = os.path.join(self.place.name, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)

    def __enter__(self):
        return self.place.name

    def __exit__(self, *_):
        self.place.cleanup()


def many(count):
    return {f"assets/{i}.js": b"" for i in range(count)}


class Page(unittest.TestCase):

    def test_what_is_served_at_the_limits(self):
        longest = "assets/" + "x" * (PATH_MAX - len("/assets/.js")) + ".js"
        cases = (
            ("few", {"assets/a.js": b"a", "assets/b.css": b"b"}, "assets/a.js"),
            ("most files", many(FILES_MAX - 1), f"assets/{FILES_MAX - 2}.js"),
            ("longest path", {longest: b"x"}, longest),
            ("most bytes", {"assets/a.js": b"x" * (BYTES_MAX - len(b"<!doctype html>"))}, "assets/a.js"),
        )
        for label, files, asked in cases:
            with self.subTest(label), Folder(files) as folder, Daemon("--web", folder) as daemon:
                answer = daemon.get("/" + asked)
                self.assertEqual(answer.status, 200)
                self.assertEqual(answer.body, files[asked])
                self.assertEqual(daemon.get("/").body, b"<!doctype html>")

    def test_what_is_no_page(self):
        cases = (
            ("no folder", None, "No such file"),
            ("nothing in it", Folder({}, index=None), "there is no index.html"),
            ("one file too many", Folder(many(FILES_MAX)), "too large"),
            ("a path too long", Folder({"assets/" + "x" * (PATH_MAX - len("/assets/.js") + 1) + ".js": b""}),
             "too large"),
            ("a byte too many", Folder({"assets/a.js": b"x" * BYTES_MAX}), "too large"),
            ("only compressed", Folder({"assets/a.js.gz": b"x"}), "only compressed"),
        )
        for label, folder, expected in cases:
            with self.subTest(label), tempfile.TemporaryDirectory() as place:
                name = folder.place.name if folder else os.path.join(place, "nothing")
                ended = run("--web", name, "--port", "0", "--metrics-port", "-1",
                            "--database", os.path.join(place, "test.db"))
                self.assertNotEqual(ended.returncode, 0)
                self.assertIn(expected, ended.stderr)
                if folder:
                    folder.place.cleanup()


if __name__ == "__main__":
    unittest.main()
