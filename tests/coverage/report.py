#!/usr/bin/env python3
"""Prints how many lines of each folder the tests ran, from what the programs of the preset
`coverage` noted; fails when the rules library or the protocol are below their limit."""

import collections
import gzip
import json
import os
import subprocess
import sys
import tempfile

BUILD = "build/coverage"
LIMITS = {"common": 95.0, "proto": 95.0}  # percent of lines
FOLDERS_SHOWN = 2  # components of a path that make a row


def notes():
    """Of every object that was compiled, whether it ran or not."""
    for folder, _, names in os.walk(BUILD):
        for name in names:
            if name.endswith(".gcno"):
                yield os.path.join(os.path.abspath(folder), name)


def lines_of(paths):
    """{file: {line: times it was run}}; a header's lines are run by many objects."""
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    root = os.getcwd() + os.sep
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["gcov", "--json-format", "--preserve-paths", "--hash-filenames", *paths],
                       cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        for name in os.listdir(folder):
            with gzip.open(os.path.join(folder, name)) as file:
                report = json.load(file)
            for source in report["files"]:
                path = os.path.normpath(os.path.join(report["current_working_directory"],
                                                     source["file"]))
                if not path.startswith(root) or path.startswith(root + "build"):
                    continue
                for line in source["lines"]:
                    counts[path[len(root):]][line["line_number"]] += line["count"]
    return counts


def percent(run, all_of_them):
    return 100.0 * run / all_of_them if all_of_them else 100.0


def rows_of(counts, folder_of):
    rows = collections.defaultdict(lambda: [0, 0])
    for path, lines in counts.items():
        row = rows[folder_of(path)]
        row[0] += sum(1 for count in lines.values() if count > 0)
        row[1] += len(lines)
    return rows


def print_rows(rows):
    for folder, (run, lines) in sorted(rows.items()):
        print(f"{folder:36} {run:6} of {lines:6} lines {percent(run, lines):6.1f}%")


def write_missed(counts, path):
    """The lines that no test ran, as FILE:LINE, for who wants to run them too."""
    with open(path, "w", encoding="utf-8") as file:
        for source, lines in sorted(counts.items()):
            for line in sorted(line for line, count in lines.items() if count == 0):
                print(f"{source}:{line}", file=file)


def main():
    counts = {path: lines for path, lines in lines_of(list(notes())).items()
              if not path.startswith("tests/")}
    print_rows(rows_of(counts, lambda path: os.sep.join(path.split(os.sep)[:-1][:FOLDERS_SHOWN + 1])))
    print()
    tops = rows_of(counts, lambda path: path.split(os.sep)[0])
    print_rows(tops)
    missed = os.path.join(BUILD, "missed.txt")
    write_missed(counts, missed)
    print(f"\nLines that were not run: {missed}")
    failed = [top for top, limit in LIMITS.items() if percent(*tops[top]) < limit]
    for top in failed:
        print(f"{top}: less than {LIMITS[top]}%")
    print(f"{len(LIMITS) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
