"""The files of a checkout, and a simple C reader for the rules."""

import os
import re
import subprocess


class Tree:
    """All files that belong to the project, by their path from the root."""

    def __init__(self, root):
        self.root = root
        self.paths = sorted(p for p in list_paths(root) if os.path.isfile(self.full(p)))
        self._texts = {}

    def full(self, path):
        return os.path.join(self.root, path)

    def text(self, path):
        if path not in self._texts:
            with open(self.full(path), encoding="utf-8", errors="replace", newline="") as file:
                self._texts[path] = file.read()
        return self._texts[path]

    def lines(self, path):
        """(number, line) pairs, numbered from 1."""
        return enumerate(self.text(path).split("\n"), 1)

    def with_suffix(self, *suffixes, under=("",)):
        return [p for p in self.paths if p.endswith(suffixes) and p.startswith(tuple(under))]

    def c_files(self, *under):
        return self.with_suffix(".c", ".h", under=under or ("",))

    def scripts(self):
        """(path, interpreter) of every file that starts with #!"""
        for path in self.paths:
            if "." in os.path.basename(path) and not path.endswith((".sh", ".py")):
                continue
            with open(self.full(path), "rb") as file:
                first = file.readline(200).decode("utf-8", "replace")
            if first.startswith("#!"):
                yield path, first[2:].strip()

    def sources(self):
        """Files written by hand; not the data of tests."""
        suffixes = (".c", ".h", ".in", ".py", ".sh", ".md", ".sql", ".js", ".css", ".html",
                    ".cmake", "CMakeLists.txt")
        written = set(self.with_suffix(*suffixes)) | {path for path, _ in self.scripts()}
        written |= {p for p in self.with_suffix(".json") if not p.startswith("tests/")}
        return sorted(p for p in written if "/corpus/" not in p)


def list_paths(root):
    """Files that git tracks or would track; without git, all except built and installed ones."""
    if os.path.exists(os.path.join(root, ".git")):
        command = ["git", "-C", root, "ls-files", "-z", "-co", "--exclude-standard"]
        listed = subprocess.run(command, check=True, capture_output=True).stdout
        return {os.fsdecode(path) for path in listed.split(b"\0") if path}
    found = set()
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in ("node_modules", "__pycache__")
                      and (folder, name) != (root, "build")]
        found.update(os.path.relpath(os.path.join(folder, name), root) for name in files)
    return found


COMMENT_OR_STRING = re.compile(
    r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""", re.S | re.X)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def strip_comments(text):
    """The text with comments blanked; line numbers do not change."""
    return COMMENT_OR_STRING.sub(
        lambda m: blank(m) if m.group().startswith("/") else m.group(), text)


def strip_all(text):
    """The text with comments, strings and preprocessor lines blanked."""
    text = COMMENT_OR_STRING.sub(blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", blank, text, flags=re.M)


def line_of(text, position):
    return text.count("\n", 0, position) + 1
