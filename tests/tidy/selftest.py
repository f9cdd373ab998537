"""Shows that every rule can fail: small trees with one violation each.

CLEAN is a tree in which every rule holds. A case adds one file, and names the rule and the line that must be
reported; without a line, the rule must report nothing.
"""

import os
import shutil
import subprocess
import tempfile

from rules import ARCHIVE, RULES, SKIPPED
from tree import Tree


def header(guard, body=""):
    return f"/* What it is for. */\n#ifndef {guard}\n#define {guard}\n{body}\n#endif\n"


def single_rules(ask, tests):
    return f"## Single rules\n\n| rule | ask | tests |\n|---|---|---|\n| it holds | {ask} | {tests} |\n"


CLEAN = {
    "README.md": "# A tree\n\n[License](LICENSE#top), [elsewhere](https://example.org).\n",
    "LICENSE": "Free.\n",
    "CMakeLists.txt": "project(skirmish VERSION 0.2.0 LANGUAGES C)\n",
    "proto/frames.h": header("SK_FRAMES_H", '#define SK_PROTOCOL_VERSION "1.0.0"'),
    "common/base/status.h": header("SK_STATUS_H", "\n#include <stdint.h>\n\nstruct sk_status;\n"),
    "common/core/match.c": """\
/* Calls malloc() in a comment only, and says "free(x)" in a string. */
#include "common/base/status.h"

static const char *const names[] = { "free(x)", "open(" };

static const struct {
    int from;
    int to;
} rows[] = {
    { 1, 2 },
};

int
sk_match_count(const struct sk_ops *ops, int count)
{
    static const int limit = 3;
    int sum = 0;

    for (int i = 0; i < count; i++) {
        sum += ops->open(names[i]) + rows[0].to;
    }
    return sum < limit ? sum : limit;
}
""",
    "server/host/a.h": header("SK_A_H", '\n#include "server/host/b.h"\n\nint sk_a(void);\n'),
    "server/net/front.c": "#include <libwebsockets.h>\n",
    "server/store/sqlite.c": "#include <sqlite3.h>\n",
    "proto/read.c": "#include <json-c/json.h>\n",
    "tests/unit/match.c": '#include "tests/unit/help.h"\n#include <criterion/criterion.h>\n\n'
                          "Test(match, counts)\n{\n}\n",
    "tests/e2e/test_01_hello.py": "a = 1\n",
    "deploy/run": "#!/usr/bin/env bash\necho run\n",
}

LONG_BODY = "    count++;\n"
MARK = "TO" + "DO"

# (rule, path, content, line that must be reported or None)
CASES = [
    ("include-from-root", "common/base/a.c", '#include "status.h"\n', 1),
    ("include-from-root", "tests/unit/a.c", '\n#include "../help.h"\n', 2),
    ("include-direction", "common/base/a.c", '#include "common/core/match.h"\n', 1),
    ("include-direction", "common/core/a.c", '#include "common/rules/tactics/tactics.h"\n', 1),
    ("include-direction", "common/core/a.c", '#include "proto/read.h"\n', 1),
    ("include-direction", "common/rules/halma/a.c", '#include "common/rules/racers/a.h"\n', 1),
    ("include-direction", "common/rules/halma/a.c", '#include "common/rules/halma/a.h"\n', None),
    ("include-direction", "proto/a.c", '#include "server/host/room.h"\n', 1),
    ("include-direction", "server/host/a.c", '#include "server/net/front.h"\n', 1),
    ("include-direction", "server/match/a.c", '#include "server/host/room/room.h"\n', 1),
    ("include-direction", "server/host/session/a.c", '#include "server/host/room/room.h"\n', 1),
    ("include-direction", "server/host/room/a.c", '#include "server/host/lobby/queue.h"\n', 1),
    ("include-direction", "server/host/room/a.c", '#include "server/host/a.h"\n', 1),
    ("include-direction", "server/host/lobby/a.c", '#include "server/host/room/room.h"\n', None),
    ("include-direction", "server/host/lobby/a.c", '#include "server/host/world.h"\n', None),
    ("include-direction", "server/cli/a.c", '#include "tests/unit/help.h"\n', 1),
    ("include-direction", "server/main.c", '#include "server/net/front.h"\n', None),
    ("include-cycle", "server/host/b.c", '#include "server/host/a.h"\n', 1),
    ("include-cycle", "server/host/c.c", '#include "server/host/a.h"\n', None),
    ("declared-where-defined", "server/host/b.c", "static int\none(void)\n{\n}\n\nint\ntwo(void)\n{\n}\n", 7),
    ("declared-where-defined", "server/host/a.c", "int\nsk_a(void)\n{\n}\n", None),
    ("match-is-const", "server/host/a.c", "\nroom->match.pending = NULL;\n", 2),
    ("match-is-const", "server/host/a.c", "room->match.seats[seat].missed++;\n", 1),
    ("match-is-const", "server/replay/a.c", "struct match *match = &a->match;\n\nmatch->seq += 1;\n", 3),
    ("match-is-const", "server/host/a.c", "struct store_match *match;\nmatch->seq = job->match.seq == 1;\n"
                                          "job->match.seq = 1;\n", None),
    ("match-is-const", "server/match/a.c", "room->match.pending = NULL;\n", None),
    ("asked-by-rules", "server/host/a.c", "\nmatch->ruleset->view_make(config);\n", 2),
    ("asked-by-rules", "common/core/a.c", "ruleset->view_make(config);\n", None),
    ("include-foreign", "server/host/a.c", "#include <libwebsockets.h>\n", 1),
    ("include-foreign", "server/store/a.c", "#include <curl/curl.h>\n", 1),
    ("include-foreign", "server/net/a.c", "#include <sqlite3.h>\n", 1),
    ("include-foreign", "server/cli/a.c", "#include <libpq-fe.h>\n", 1),
    ("include-foreign", "server/net/a.c", "#include <json-c/json.h>\n", 1),
    ("include-foreign", "proto/a.c", "#include <criterion/criterion.h>\n", 1),
    ("common-headers", "common/base/a.c", "#include <stdint.h>\n#include <stdio.h>\n", 2),
    ("common-headers", "common/base/status.c", "#include <stdio.h>\n", None),
    ("common-headers", "proto/a.c", "#include <stdio.h>\n", None),
    ("common-calls", "common/base/a.c", "int\nf(void)\n{\n    return rand();\n}\n", 4),
    ("common-calls", "common/base/a.h", "static char *p = malloc (3);\n", 1),
    ("common-calls", "common/base/a.c", 'int a = snprintf(b, 3, "x");\n', 1),
    ("common-calls", "common/base/a.c", "int a = 1 - time(0);\n", 1),
    ("common-globals", "common/core/a.c", "\nstatic int counter;\n", 2),
    ("common-globals", "common/core/a.c", "int counter = 3;\n", 1),
    ("common-globals", "common/core/a.c", 'static const char *names[] = { "a" };\n', 1),
    ("common-globals", "common/core/a.c", "struct sk_match current = { 0 };\n", 1),
    ("common-globals", "common/core/a.c", "struct sk_match *current;\n", 1),
    ("common-globals", "common/core/a.c", "struct pair {\n    int a;\n} pair;\n", 1),
    ("common-globals", "common/core/a.c", "static void (*hook)(void);\n", 1),
    ("common-globals", "common/core/a.c", "static void (*hooks[3])(void) = { f };\n", 1),
    ("common-globals", "common/core/a.c", "static void (*const hook)(void) = f;\n", None),
    ("common-globals", "common/core/a.c", "struct pair last = (struct pair){ 1, 2 };\n", 1),
    ("common-globals", "common/core/a.c", "int f(void)\n{\n    return 1;\n}\nint a, b;\n", 5),
    ("common-globals", "common/core/a.c", "int f(void)\n{\n    static int n = 0;\n}\n", 3),
    ("common-globals", "common/core/a.c", "void (*sk_get(int a))(int);\nint f(int *a);\n", None),
    ("common-globals", "common/core/a.h", "void sk_do(int a, void (*stage)(int *a));\n", None),
    ("common-globals", "common/core/a.c", "typedef int sk_verdict;\nenum { A = 1 };\n", None),
    ("clang-format", "server/a.c", "int a;\nint  b;\n", 2),
    ("top-level", "notes.txt", "x\n", 0),
    ("version", "CHANGELOG.md", "# Changelog\n\n## [0.1.9] - 2026-01-01\n", 3),
    ("version", "CHANGELOG.md", "## [0.2.0] - 2026-01-01\n\n## [0.1.9] - 2025-01-01\n", None),
    ("version", "proto/js/package.json", '{"version": "0.2.1"}\n', 1),
    ("version", "proto/PROTOCOL.md", "This is version 1.1.\n", 1),
    ("version", "proto/PROTOCOL.md", "This is version 1.0.0. It says so.\n", None),
    ("header-guard", "proto/a.h", "#ifndef SK_A_H\n#define SK_A_H\n#endif\n", 1),
    ("header-guard", "proto/a.h", "/* A. */\n#pragma once\n", 1),
    ("header-guard", "proto/a.h", "/* A. */\n#ifndef A_H\n#define A_H\n#endif\n", 1),
    ("header-guard", "proto/a.h", header("SK_STATUS_H"), 1),
    ("header-guard", "proto/a.h", header("SK_A_H"), None),
    ("white-space", "proto/a.c", "int a;", 1),
    ("white-space", "proto/a.c", "int a;\n\tint b;\n", 2),
    ("white-space", "deploy/a.sh", "echo a\necho b \n", 2),
    ("white-space", "proto/a.c", "int a;\r\n", 1),
    ("white-space", "proto/a.c", "int a;\n\n", 2),
    ("line-length", "tests/unit/a.c", "int a;\n/* " + "x" * 98 + "\n", 2),
    ("line-length", "tests/unit/a.c", "/* " + "\u00fc" * 97 + "\n", None),
    ("open-marks", "proto/a.c", f"int a;\n/* {MARK}: more */\n", 2),
    ("open-marks", "proto/a.c", "mktemp a.XXXXXX\n", None),
    ("function-length", "proto/a.c", "int\nf(void)\n{\n" + LONG_BODY * 101 + "}\n", 3),
    ("function-length", "proto/a.c", "int\nf(void)\n{\n" + LONG_BODY * 100 + "}\n", None),
    ("file-length", "tests/unit/a.c", "int a;\n" * 701, 700),
    ("line-length", "server/web/a.js", "// " + "x" * 118 + "\n", 1),
    ("line-length", "server/web/a.js", "// " + "x" * 117 + "\n", None),
    ("eslint", "server/web/a.js", "export function a() {\n    return b;\n}\n", 2),
    ("eslint", "server/web/a.js", "export const a = document.body;\n", None),
    ("prettier", "server/web/a.js", "export const a = [1,2];\n", 0),
    ("prettier", "server/web/a.js", "export const a = [1, 2];\n", None),
    ("flake8", "tests/a.py", "a = 1\nimport os\n", 2),
    ("flake8", "tests/a", "#!/usr/bin/python3\nimport os\n", 2),
    ("flake8", "tests/a.py", "import os\nprint(os.name)\n", None),
    ("shellcheck", "deploy/a", "#!/usr/bin/env bash\necho $1\n", 2),
    ("shellcheck", "deploy/a", "#!/usr/bin/env bash\necho \"$1\"\n", None),
    ("script-mode", "deploy/a", "#!/usr/bin/env bash\n", 1),
    ("unit-names", "tests/unit/unit_gone.c", "int a;\n", 0),
    ("unit-names", "tests/unit/unit_core_match.c", "int a;\n", None),
    ("e2e-numbers", "tests/e2e/test_hello.py", "a = 1\n", 0),
    ("e2e-numbers", "tests/e2e/test_01_other.py", "a = 1\n", 0),
    ("e2e-numbers", "tests/e2e/test_02_other.py", "a = 1\n", None),
    ("faults-have-places", "tests/sim/faults", 'print("gone")\nprint("0 passed")\n', 1),
    ("single-rules", "common/rules/a/README.md", single_rules("`sk_gone`", "`match`: counts"), 5),
    ("single-rules", "common/rules/a/README.md", single_rules("check `gone`", "`match`: counts"), 5),
    ("single-rules", "common/rules/a/README.md", single_rules("all of it", "`match`: vanishes"), 5),
    ("single-rules", "common/rules/a/README.md", single_rules("all of it", "`gone`: counts"), 5),
    ("single-rules", "common/rules/a/README.md", single_rules("all of it", "the same"), 5),
    ("single-rules", "common/rules/a/README.md", single_rules("all of it", "`match`: counts"), None),
    ("links", "proto/A.md", "x\n\n[here](B.md#part)\n", 3),
    ("links", "proto/A.md", "x\n[1]: ../nowhere\n", 2),
    ("links", "proto/A.md", "`[a](b)`\n```\n[a](b)\n```\n[a](../LICENSE) [b](#a)\n", None),
]

# For common-symbols: (C that makes up the archive, what must be reported).
ARCHIVE_CASES = [
    ("int sk_a(void) { return 1; }", None),
    ("const char *const sk_names[] = { \"a\" };", None),
    ("extern int sk_b(void); int sk_a(void) { return sk_b(); }", None),
    ("extern int puts(const char *); int sk_a(void) { return puts(\"a\"); }", "needs puts"),
    ("static int counter; int sk_a(void) { return counter++; }", "keeps counter"),
    ("int sk_counter = 3;", "keeps sk_counter"),
    ("_Thread_local int sk_counter;", "keeps sk_counter"),
    ("", "no symbols"),
]


def write(root, path, content):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8", newline="") as file:
        file.write(content)


def make_clean_tree(root, clang_format):
    for path, content in CLEAN.items():
        write(root, path, content)
    os.chmod(os.path.join(root, "deploy/run"), 0o755)
    shutil.copy(clang_format, os.path.join(root, ".clang-format"))


def run_case(root, case):
    """Returns what is wrong with the rule, or None."""
    name, path, content, expected = case
    write(root, path, content)
    try:
        found = [line for where, line, _ in RULES[name](Tree(root)) if where == path]
    finally:
        os.remove(os.path.join(root, path))
    wanted = [] if expected is None else [expected]
    if found != wanted:
        return f"[{name}] reports {path} at {found}, not at {wanted}, for: {content[:60]!r}"
    return None


def run_archive_case(root, case):
    source, expected = case
    build = os.path.join(root, "build")
    shutil.rmtree(build, ignore_errors=True)
    write(root, "build/a.c", source + "\n")
    subprocess.run(["gcc", "-std=c11", "-O2", "-c", "a.c"], cwd=build, check=True)
    os.makedirs(os.path.dirname(os.path.join(root, ARCHIVE)))
    subprocess.run(["ar", "rc", os.path.join(root, ARCHIVE), "a.o"], cwd=build, check=True)
    found = [message for _, _, message in RULES["common-symbols"](Tree(root))]
    shutil.rmtree(build)
    if bool(found) != bool(expected) or (expected and expected not in found[0]):
        return f"[common-symbols] reports {found}, not {expected!r}, for: {source}"
    return None


def run_foreign_case(root):
    """Without git, built and installed files do not belong to the project."""
    foreign = ("build/a.c", "tests/page/node_modules/a.js", "tests/__pycache__/a.pyc")
    for path in foreign:
        write(root, path, "")
    found = set(Tree(root).paths) & set(foreign)
    for path in foreign:
        shutil.rmtree(os.path.dirname(os.path.join(root, path)))
    return f"read without git: {sorted(found)}" if found else None


def faults_of_clean_tree(root):
    tree = Tree(root)
    for name, check in RULES.items():
        for path, line, message in check(tree):
            yield f"the clean tree breaks [{name}] at {path}:{line}: {message}"


def rules_without_case():
    shown = {name for name, _, _, expected in CASES if expected is not None}
    return [f"no case shows that [{name}] can fail"
            for name in RULES if name not in shown | {"common-symbols"}]


def run_self_test(project_root):
    """Returns how many cases pass and fail; prints those that fail."""
    with tempfile.TemporaryDirectory(prefix="tidy-") as root:
        make_clean_tree(root, os.path.join(project_root, ".clang-format"))
        outcomes = [next(faults_of_clean_tree(root), None)]
        outcomes += [run_case(root, case) for case in CASES if case[0] not in SKIPPED]
        outcomes.append(run_foreign_case(root))
        outcomes += [run_archive_case(root, case) for case in ARCHIVE_CASES]
    outcomes += rules_without_case() or [None]
    faults = [fault for fault in outcomes if fault]
    for fault in faults:
        print(f"tests/tidy/selftest.py:0: {fault}")
    return len(outcomes) - len(faults), len(faults)
