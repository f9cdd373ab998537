"""The rules.  Each takes a Tree and yields (path, line, what is wrong and why).

A rule is a function marked with @rule; its name, with dashes, is shown with failures, and its docstring says
what must hold. selftest.py has at least one violation of each.
"""

import json
import os
import re
import shutil
import subprocess
import sys

from tree import line_of, strip_all, strip_comments

RULES = {}


# Rules that cannot be judged on this machine, and why.
SKIPPED = {}


def rule(function):
    RULES[function.__name__.replace("_", "-")] = function
    return function


# ---- includes ----

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.M)

# Headers of other projects, and the folders that may include them. Tests may include any.
FOREIGN_HEADERS = [
    (r"libwebsockets\.h", ["server/net/", "server/client/"]),
    (r"curl/", ["server/net/"]),
    (r"sqlite3\.h|libpq-fe\.h", ["server/store/"]),
    (r"json-c/|json\.h$", ["proto/", "server/cli/", "server/store/"]),
    (r"criterion/", []),
]

COMMON_HEADERS = {"stdint.h", "stddef.h", "stdbool.h", "string.h", "limits.h", "inttypes.h"}

# The one file of common/ that prints: it ends the process after a failed assertion.
COMMON_END = "common/base/status.c"


def includes(tree, *under):
    """(path, line, quoted, angled) of every include."""
    for path in tree.c_files(*under):
        text = strip_comments(tree.text(path))
        for match in INCLUDE.finditer(text):
            yield path, line_of(text, match.start()), match.group(1), match.group(2)


# Inside server/host: the headers that all may include, and the folders from the bottom to the top. Files
# elsewhere are above all of them.
HOST_BASE = ["host.h", "host_struct.h", "world.h", "timers.h", "store_port.h", "bot_port.h", "transport.h"]
HOST_FOLDERS = ["session", "room", "lobby"]


def may_include(path):
    """The folders whose headers this file may include, or None for any."""
    ruleset = re.match(r"common/rules/[^/]+/", path)
    if ruleset:
        return ["common/base/", "common/core/", ruleset.group()]
    if path.startswith("common/base/"):
        return ["common/base/"]
    if path.startswith("common/"):
        return ["common/base/", "common/core/"]
    if path.startswith("proto/"):
        return ["common/", "proto/"]
    beside = ["common/", "proto/", "server/hex.h", "server/kill_point.h", "server/memory.h", "server/metrics_out.h"]
    if path.startswith("server/match/"):
        return beside + ["server/match/", "server/host/store_port.h"]
    if path.startswith("server/host/"):
        below = HOST_FOLDERS[:HOST_FOLDERS.index(path.split("/")[2]) + 1] if path.count("/") > 2 else [""]
        return (beside + ["server/match/", "server/version.h"] + [f"server/host/{name}" for name in HOST_BASE]
                + [f"server/host/{name}/" if name else "server/host/" for name in below])
    if path.startswith("server/"):
        return ["common/", "proto/", "server/"]
    return None


@rule
def include_from_root(tree):
    """Project headers are included by their path from the root."""
    for path, line, quoted, _ in includes(tree, "common/", "proto/", "server/"):
        if quoted and not quoted.startswith(("common/", "proto/", "server/")):
            yield path, line, f'"{quoted}" is not written from the root, as "common/base/x.h" is'
    for path, line, quoted, _ in includes(tree):
        if quoted and ".." in quoted.split("/"):
            yield path, line, f'"{quoted}" climbs with ..; write it from the root'


@rule
def include_direction(tree):
    """base <- core <- rules; core <- proto; core, proto <- match <- host <- the rest of server;
    in the host session <- room <- lobby <- the rest."""
    for path, line, quoted, _ in includes(tree, "common/", "proto/", "server/"):
        if not quoted or not quoted.startswith(("common/", "proto/", "server/", "tests/")):
            continue
        allowed = may_include(path)
        if not quoted.startswith(tuple(allowed)):
            yield path, line, f'"{quoted}" is against the direction: only {" ".join(allowed)}'


def reachable(graph, module):
    """All modules that it includes, directly or not."""
    found, todo = set(), [module]
    while todo:
        for other in graph.get(todo.pop(), ()):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


@rule
def include_cycle(tree):
    """x.c and x.h are one module; no module of server/ includes itself by way of others."""
    edges = []
    for path, line, quoted, _ in includes(tree, "server/"):
        if quoted and quoted.startswith("server/") and quoted[:-2] != path[:-2]:
            edges.append((path, line, quoted))
    graph = {}
    for path, _, quoted in edges:
        graph.setdefault(path[:-2], set()).add(quoted[:-2])
    for path, line, quoted in edges:
        if path[:-2] in reachable(graph, quoted[:-2]):
            yield path, line, f'"{quoted}" comes back to {path[:-2]}: turn one call round, or split a header'


# Headers whose functions are implemented elsewhere, or called through pointers.
DOORS = ("server/host/host.h", "server/host/admin.h", "server/host/bot_port.h", "server/host/store_port.h")
DEFINITION = re.compile(r"^(?!static\b)[a-z][\w *]*\n(\w+)\([^;{}]*\)\n\{", re.M)


@rule
def declared_where_defined(tree):
    """What a file of server/host defines for others is declared in the header beside it."""
    doors = "".join(tree.text(door) for door in DOORS if door in tree.paths)
    for path in tree.with_suffix(".c", under=("server/host/",)):
        beside = path[:-1] + "h"
        declared = doors + (tree.text(beside) if beside in tree.paths else "")
        text = strip_all(tree.text(path))
        for match in DEFINITION.finditer(text):
            if not re.search(rf"\b{match.group(1)}\b", declared):
                yield path, line_of(text, match.start(1)), f"{match.group(1)} is not declared in {beside}"


ASSIGNED = r"[\w.\[\]>-]+(?: [-+|&]?= |\+\+|--)"


@rule
def match_is_const(tree):
    """Only server/match assigns to members of a match; a job's `match` is its row."""
    for path in tree.with_suffix(".c", under=("server/host/", "server/replay/", "server/review/")):
        text = strip_all(tree.text(path))
        names = "|".join(set(re.findall(r"\bstruct match \*?(\w+)", text)) - {"*"})
        pattern = r"(?<!job)(?:->|\.)match\." + ASSIGNED
        pattern += rf"|(?<![\w.>])(?:{names})(?:->|\.)" + ASSIGNED if names else ""
        for match in re.finditer(pattern, text):
            yield path, line_of(text, match.start()), "a match is changed outside server/match: see match/apply.h"


WITH_DEFAULT = re.compile(r"\bruleset->(config_build|seat_count|sizes|owing|outcome|view_make|hints"
                          r"|default_command|guess|state_read|state_form|view_form|snapshot_write|snapshot_read)\(")


@rule
def asked_by_rules(tree):
    """Functions of a ruleset that may be NULL are called through common/core/rules.h only."""
    for path in tree.c_files("proto/", "server/"):
        text = strip_all(tree.text(path))
        for match in WITH_DEFAULT.finditer(text):
            yield path, line_of(text, match.start()), f"may be NULL: call sk_rules_{match[1]}() instead"


@rule
def include_foreign(tree):
    """Each foreign library is included in one folder only."""
    for path, line, quoted, angled in includes(tree):
        if path.startswith("tests/"):
            continue
        for pattern, folders in FOREIGN_HEADERS:
            if re.match(pattern, quoted or angled) and not path.startswith(tuple(folders)):
                owner = " ".join(folders + ["tests/"])
                yield path, line, f"{quoted or angled} may be included in {owner} only"


@rule
def common_headers(tree):
    """common/ includes only system headers without allocation, I/O or clock."""
    for path, line, _, angled in includes(tree, "common/"):
        if angled and angled not in COMMON_HEADERS and path != COMMON_END:
            yield path, line, f"<{angled}> in common/; allowed: {' '.join(sorted(COMMON_HEADERS))}"


# ---- common/ is pure ----

FORBIDDEN_CALL = re.compile(
    r"(?<![\w.>])(malloc|calloc|realloc|reallocarray|aligned_alloc|alloca|strdup|strndup|free"
    r"|v?[fsd]?n?printf|v?snprintf|puts|fputs|putchar|fopen|fread|fwrite|scanf|sscanf"
    r"|time|clock|clock_gettime|gettimeofday|rand|srand|random|getrandom|getenv|open|openat)\s*\(")


@rule
def common_calls(tree):
    """common/ neither allocates nor does I/O, and uses no clock or randomness."""
    for path in set(tree.c_files("common/")) - {COMMON_END}:
        text = strip_all(tree.text(path))
        for match in FORBIDDEN_CALL.finditer(text):
            yield path, line_of(text, match.start()), f"calls {match.group(1)} in common/"


def file_scope(text):
    """Stripped C with the inside of all braces blanked."""
    kept = []
    depth = 0
    for char in text:
        depth -= char == "}"
        kept.append(char if depth <= 0 or char == "\n" else " ")
        depth += char == "{"
    return "".join(kept)


def declarations(text):
    """(position, declaration) of what may be an object: all at file scope, and
    what is static inside functions."""
    flat = file_scope(text)
    start = 0
    for match in re.finditer(r"[;}]", flat):
        declaration = flat[start:match.start()]
        is_function = declaration.partition("{")[0].rstrip().endswith(")") \
            and "=" not in declaration
        if match.group() == "}" and not is_function:
            continue  # of a type or an initialiser: the declaration goes on to its ;
        if match.group() == ";":
            yield start + len(declaration) - len(declaration.lstrip()), declaration
        start = match.end()
    for match in re.finditer(r"^[ \t]+(static\b[^;{}]*)", text, re.M):
        yield match.start(1), match.group(1)


def is_mutable_object(declaration):
    """Whether it declares a variable that is not const. A guess, for formatted code."""
    declared = re.sub(r"\[[^]]*\]|\{\s*\}", "", declaration).partition("=")[0]
    pointer_to_function = re.match(r"[\w\s*]+\(\s*(\*[\w\s*]*)\)\s*\(", declared)
    if pointer_to_function:
        declared = "function " + pointer_to_function.group(1)
    words = re.findall(r"\w+", declared)
    is_type = words[:1] in (["struct"], ["union"], ["enum"]) and len(words) <= 2
    if "(" in declared or len(words) < 2 or is_type or words[0] == "typedef":
        return False
    # The pointer itself must be const, not only what it points to.
    return "const" not in declared.rpartition("*")[2].split()


@rule
def common_globals(tree):
    """common/ has no variables that outlive a call."""
    for path in tree.c_files("common/"):
        text = strip_all(tree.text(path))
        for start, declaration in declarations(text):
            if is_mutable_object(declaration):
                shown = " ".join(declaration.split())
                yield path, line_of(text, start), f"variable that is not const: {shown}"


ARCHIVE = "build/release/common/libsk_common.a"

# Functions that the compiler may call, and our own.
ALLOWED_SYMBOL = re.compile(
    r"sk_\w+|(__)?(memcpy|memset|memmove|memcmp|memchr)(_chk)?|strlen|strcmp|strncmp|__stack_chk_fail"
    r"|_GLOBAL_OFFSET_TABLE_|__\w+[sdt]i[234]")
WRITABLE_SECTION = re.compile(r"\.(data(?!\.rel\.ro)|bss|tdata|tbss)|\*COM\*")


def archive_symbols(path):
    """(member, symbol, section) by nm; an undefined symbol's section is *UND*."""
    listed = subprocess.run(["nm", "-A", "-f", "sysv", path], check=True, capture_output=True,
                            text=True).stdout
    for line in listed.splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 7:
            _, member, symbol = fields[0].split(":", 2)
            yield member, symbol.strip(), fields[6]


@rule
def common_symbols(tree):
    """The compiled rules library needs nothing from outside and has no writable data."""
    if not os.path.exists(tree.full(ARCHIVE)):
        # Without a build the rule is skipped; a build in another place must not skip it.
        if os.path.exists(tree.full("build/release/build.ninja")):
            yield ARCHIVE, 0, "not there although build/release is configured: run deploy/build"
        return
    symbols = list(archive_symbols(tree.full(ARCHIVE)))
    if not symbols:
        yield ARCHIVE, 0, "holds no symbols, so nothing was checked"
    own = {symbol for _, symbol, section in symbols if section != "*UND*"}
    for member, symbol, section in symbols:
        allowed = ALLOWED_SYMBOL.fullmatch(symbol) or member == os.path.basename(COMMON_END) + ".o"
        if section == "*UND*" and symbol not in own and not allowed:
            yield ARCHIVE, 0, f"{member} needs {symbol} from outside the rules library"
        if WRITABLE_SECTION.match(section):
            yield ARCHIVE, 0, f"{member} keeps {symbol} in {section}: no globals in common/"


# ---- form ----

# One version, Debian 12's, because versions format differently.
CLANG_FORMAT_VERSION = "14"


def find_clang_format():
    """The path of clang-format, or None."""
    for program in (f"clang-format-{CLANG_FORMAT_VERSION}", "clang-format"):
        if shutil.which(program):
            said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
            if f"version {CLANG_FORMAT_VERSION}." in said:
                return program
    return None


CLANG_FORMAT = find_clang_format()
if CLANG_FORMAT is None:
    SKIPPED["clang-format"] = (f"only clang-format {CLANG_FORMAT_VERSION}, as in Debian 12, checks the formatting, "
                               "and it is not installed here")


@rule
def clang_format(tree):
    """C is formatted by .clang-format."""
    files = tree.c_files()
    if not files or CLANG_FORMAT is None:
        return
    done = subprocess.run([CLANG_FORMAT, "--dry-run", "-Werror", *files], cwd=tree.root,
                          capture_output=True, text=True)
    places = {}
    for path, line in re.findall(r"^(\S+?):(\d+):\d+: error: ", done.stderr, re.M):
        places.setdefault(path, []).append(int(line))
    for path, at in places.items():
        yield path, at[0], f"differs from clang-format -i (places: {len(at)})"
    if done.returncode != 0 and not places:
        yield ".clang-format", 0, done.stderr.strip()


TOP_LEVEL = {"CMakeLists.txt", "CMakePresets.json", "server", "common", "proto", "migrations",
             "tests", "deploy", "README.md", "LICENSE", "CHANGELOG.md"}


@rule
def top_level(tree):
    """The root holds the agreed entries only; deploy/release adds LICENSES."""
    allowed = TOP_LEVEL if os.path.exists(tree.full(".git")) else TOP_LEVEL | {"LICENSES"}
    for entry in sorted({path.split("/")[0] for path in tree.paths}):
        if entry not in allowed and not entry.startswith("."):
            yield entry, 0, "does not belong at the top level"


@rule
def header_guard(tree):
    """Every header begins with a comment and has its own guard SK_..._H."""
    owners = {}
    for path in tree.with_suffix(".h"):
        text = tree.text(path)
        if not text.startswith("/*"):
            yield path, 1, "does not begin with a comment that says what it is for"
        guard = re.search(r"^#ifndef (SK_\w+_H)\n#define \1\n", text, re.M)
        if not guard or not re.search(r"^#endif\b[^\n]*\n*\Z", text, re.M):
            yield path, 1, "has no include guard SK_..._H around all of it"
            continue
        owner = owners.setdefault(guard.group(1), path)
        if owner != path:
            yield path, 1, f"has the guard of {owner}: one of the two would be skipped"


@rule
def white_space(tree):
    """Files end with one newline; no tabs in C; nothing trails a line."""
    for path in tree.sources():
        text = tree.text(path)
        if text and not text.endswith("\n"):
            yield path, text.count("\n") + 1, "does not end with a newline"
        if text.endswith("\n\n"):
            yield path, text.count("\n"), "ends with an empty line"
        for number, line in tree.lines(path):
            if line != line.rstrip():
                yield path, number, "white space at the end of the line"
            if "\t" in line and path.endswith((".c", ".h")):
                yield path, number, "tab; C is indented with four spaces"


@rule
def line_length(tree):
    """C has at most 100 columns, JavaScript 120; flake8 looks at Python."""
    for paths, columns in ((tree.c_files(), 100), (tree.with_suffix(*JAVASCRIPT), 120)):
        for path in paths:
            for number, line in tree.lines(path):
                if len(line) > columns:
                    yield path, number, f"{len(line)} columns, {columns} are allowed"


# Written in halves so that this file does not break its own rule.
OPEN_MARK = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")


@rule
def open_marks(tree):
    """Open work is an issue, not a comment."""
    for path in tree.sources():
        for number, line in tree.lines(path):
            match = OPEN_MARK.search(line)
            if match:
                yield path, number, f"{match.group()}: do it, or open an issue"


@rule
def function_length(tree):
    """A function has at most 100 lines."""
    for path in tree.with_suffix(".c", under=("common/", "proto/", "server/")):
        start = None
        for number, line in tree.lines(path):
            if line.startswith("{"):
                start = number
            elif line.startswith("}") and start:
                if number - start - 1 > 100:
                    yield path, start, f"function of {number - start - 1} lines, 100 are allowed"
                start = None


@rule
def file_length(tree):
    """A C file has one purpose and at most 700 lines."""
    for path in tree.c_files():
        count = tree.text(path).count("\n")
        if count > 700:
            yield path, 700, f"{count} lines, 700 are allowed: split it"


# Where the version of CMakeLists.txt is repeated, because other tools read it there.
VERSION_PLACES = {
    "CHANGELOG.md": r"(?m)^## \[(\d[^]]*)\]",
    "proto/js/package.json": r'"version": "([^"]*)"',
    "proto/python/pyproject.toml": r'(?m)^version = "([^"]*)"',
    "proto/PROTOCOL.md": r'"server":"skirmishd ([^"]*)"',
}


@rule
def version(tree):
    """The program has one version, and so has the wire; CHANGELOG.md has the program's and its date."""
    def same(path, pattern, expected):
        for match in list(re.finditer(pattern, tree.text(path)))[:1 if path == "CHANGELOG.md" else None]:
            if match.group(1) != expected:
                yield path, line_of(tree.text(path), match.start()), f"version {match.group(1)} instead of {expected}"

    found = "CMakeLists.txt" in tree.paths and re.search(r"^project\(skirmish VERSION ([\d.]+)",
                                                         tree.text("CMakeLists.txt"), re.M)
    for path, pattern in VERSION_PLACES.items() if found else ():
        if path in tree.paths:
            yield from same(path, pattern, found.group(1))
    if "proto/frames.h" in tree.paths and "proto/PROTOCOL.md" in tree.paths:
        wire = re.search(r'SK_PROTOCOL_VERSION "([\d.]+)"', tree.text("proto/frames.h")).group(1)
        yield from same("proto/PROTOCOL.md", r"This is version ([\d.]*\d)", wire)


# ---- linters ----

JAVASCRIPT = (".js", ".mjs")
PAGE_TOOLS = "tests/page/node_modules/.bin"
PROJECT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


def find_linter(name, program):
    """The program's path; without it the rule is skipped."""
    found = shutil.which(program)
    if found is None:
        SKIPPED[name] = f"{os.path.basename(program)} is not installed; deploy/install-deps installs it"
    return found


ESLINT = find_linter("eslint", os.path.join(PROJECT, PAGE_TOOLS, "eslint"))
PRETTIER = find_linter("prettier", os.path.join(PROJECT, PAGE_TOOLS, "prettier"))
FLAKE8 = find_linter("flake8", "flake8")
SHELLCHECK = find_linter("shellcheck", "shellcheck")


def lint(tree, command, paths):
    """(path, line, message) of a linter's output in lines `path:line:column: message`."""
    if not paths or command[0] is None:
        return
    done = subprocess.run([*command, *paths], cwd=tree.root, capture_output=True, text=True)
    said = re.findall(r"^(?:\./)?(\S+?):(\d+):\d+: (.*)$", done.stdout, re.M)
    for path, line, message in said:
        yield path, int(line), message
    if done.returncode != 0 and not said:
        yield command[0], 0, (done.stderr or done.stdout).strip()


def scripts_of(tree, interpreter):
    return [path for path, program in tree.scripts() if re.search(interpreter, program)]


@rule
def eslint(tree):
    """ESLint finds nothing, by tests/page/eslint.config.js."""
    paths = tree.with_suffix(*JAVASCRIPT)
    if not paths or ESLINT is None:
        return
    config = os.path.join(PROJECT, "tests/page/eslint.config.js")
    done = subprocess.run([ESLINT, "--config", config, "--format=json", *paths], cwd=tree.root,
                          capture_output=True, text=True)
    if done.returncode > 1:
        yield "tests/page/eslint.config.js", 0, done.stderr.strip()
        return
    for file in json.loads(done.stdout):
        for found in file["messages"]:
            yield os.path.relpath(file["filePath"], tree.root), found.get("line", 0), found["message"]


@rule
def prettier(tree):
    """JavaScript is formatted by Prettier, with .prettierrc.json."""
    paths = tree.with_suffix(*JAVASCRIPT)
    if not paths or PRETTIER is None:
        return
    config = os.path.join(PROJECT, ".prettierrc.json")
    done = subprocess.run([PRETTIER, "--config", config, "--list-different", *paths], cwd=tree.root,
                          capture_output=True, text=True)
    for path in done.stdout.splitlines():
        yield path, 0, "differs from prettier --write"
    if done.returncode != 0 and not done.stdout:
        yield ".prettierrc.json", 0, done.stderr.strip()


@rule
def flake8(tree):
    """flake8 finds nothing; lines have at most 120 columns."""
    paths = sorted({*tree.with_suffix(".py"), *scripts_of(tree, r"\bpython3?$")})
    # E402: tests put their folders into sys.path before they import.  W503 and W504 contradict each other.
    options = ["--isolated", "--max-line-length=120", "--extend-ignore=E402,W503,W504"]
    yield from lint(tree, [FLAKE8, *options], paths)


@rule
def shellcheck(tree):
    """shellcheck finds nothing."""
    paths = scripts_of(tree, r"\b(ba|da)?sh( |$)")
    # SC2317 and SC2329 report functions that only traps or other scripts call.
    yield from lint(tree, [SHELLCHECK, "--format=gcc", "--exclude=SC2317,SC2329"], paths)


# ---- scripts and pages ----


@rule
def script_mode(tree):
    """Files that start with #! are executable."""
    for path, _ in tree.scripts():
        if not os.access(tree.full(path), os.X_OK):
            yield path, 1, "starts with #! but has no executable bit"


LINK = re.compile(r"!?\[[^]]*\]\(\s*<?([^)\s>]+)[^)]*\)|^\[[^]]+\]:\s*<?(\S+?)>?\s*$", re.M)
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.M | re.S)


@rule
def links(tree):
    """Relative links lead to existing files."""
    for path in tree.with_suffix(".md"):
        text = CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), tree.text(path))
        for match in LINK.finditer(text):
            target = (match.group(1) or match.group(2)).partition("#")[0]
            if not target or re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            if not os.path.exists(os.path.join(tree.root, os.path.dirname(path), target)):
                yield path, line_of(text, match.start()), f"links to {target}, which does not exist"


# ---- names of tests ----

@rule
def unit_names(tree):
    """A unit test is named after the module that it tests: unit_MODULE or unit_MODULE_TOPIC."""
    folders = {os.path.dirname(path) for path in tree.c_files("common/", "proto/", "server/")}
    modules = {folder.split("/")[-1] for folder in folders}
    for path in tree.with_suffix(".c", under=("tests/unit/unit_",)):
        module = os.path.basename(path)[:-len(".c")].split("_")[1]
        if module not in modules:
            yield path, 0, f"there is no module {module}: name it unit_MODULE_TOPIC"


@rule
def e2e_numbers(tree):
    """Every file of end-to-end tests has its own number."""
    owners = {}
    for path in tree.with_suffix(".py", under=("tests/e2e/test_",)):
        number = re.match(r"test_(\d\d)_", os.path.basename(path))
        if not number:
            yield path, 0, "is not named test_NN_BEHAVIOUR.py"
        elif owners.setdefault(number.group(1), path) != path:
            yield path, 0, f"has the number of {owners[number.group(1)]}"


# ---- the rulesets' tables of single rules ----

SECTION = re.compile(r"^## Single rules\n(.*?)(?=^## |\Z)", re.M | re.S)
QUESTIONS = re.compile(r"/\* ---- [^\n]*questions -+ \*/\n(.*)", re.S)
TESTS_CELL = re.compile(r"`(\w+)`: (\w+(?:, \w+)*)")


def names_in_tables(tree, folder, kind):
    """The names in a ruleset's table of checks or stages."""
    for path in tree.with_suffix(".c", under=(folder,)):
        for table in re.findall(rf"^const struct sk_{kind} \w+\[[^]]*\] = {{(.*?)^}};", tree.text(path), re.M | re.S):
            yield from re.findall(r'{\s*"(\w+)"', table)


def questions_of(tree, folder, ruleset):
    """Functions and lists for single questions in the public header."""
    header = f"{folder}{ruleset}.h"
    found = QUESTIONS.search(tree.text(header)) if header in tree.paths else None
    declared = strip_comments(found.group(1)) if found else ""
    return re.findall(rf"^(?!#)[^\n]*?\b({ruleset}_\w+)(?:\(|\[\];)", declared, re.M)


def is_declared(tree, folder, word):
    headers = tree.with_suffix(".h", under=(folder, "common/core/"))
    return any(re.search(rf"\b{word}\b\)?[(\[;]", strip_comments(tree.text(path))) for path in headers
               if not path.endswith("/internal.h"))


def has_test(tree, file, name):
    for path in (f"tests/unit/{file}.c", f"tests/{file}/{file}.c"):
        if path in tree.paths:
            return bool(re.search(rf"^[A-Z]\w*\([^)\n]*\b{name}\b", tree.text(path), re.M))
    return False


def faults_of_row(tree, folder, known, ask, tests):
    """Names in a row's cells that do not exist."""
    kind = next((kind for kind in known if re.match(rf"{kind}s? `", ask)), None)
    for word in re.findall(r"`(\w+)`", ask):
        if not (word in known[kind] if kind else is_declared(tree, folder, word)):
            yield f"there is no {kind or 'declaration of'} {word}"
    for part in tests.split("; "):
        match = TESTS_CELL.fullmatch(part)
        if not match:
            yield f"not `file`: name, name: {part}"
            continue
        for name in match.group(2).split(", "):
            if not has_test(tree, match.group(1), name):
                yield f"{match.group(1)} has no test {name}"


@rule
def faults_have_places(tree):
    """Every fault of tests/sim/faults can still be put into the source."""
    path = "tests/sim/faults"
    if path in tree.paths:
        ran = subprocess.run([sys.executable, tree.full(path), "--places"], capture_output=True, text=True)
        for line in ran.stdout.splitlines()[:-1]:
            yield path, 1, line


@rule
def single_rules(tree):
    """A ruleset's README maps each check, stage and question to its tests, and all of them exist."""
    for path in tree.with_suffix("/README.md", under=("common/rules/",)):
        folder = path[:-len("README.md")]
        if folder == "common/rules/":
            continue  # how to write one
        ruleset = folder.split("/")[-2]
        text = tree.text(path)
        known = {kind: list(names_in_tables(tree, folder, kind)) for kind in ("check", "stage")}
        questions = questions_of(tree, folder, ruleset)
        section = SECTION.search(text)
        asked = set()
        for row in re.finditer(r"^\| [^|\n]+ \| ([^|\n]+) \| ([^|\n]+) \|$", section.group(1) if section else "", re.M):
            if row.group(1) == "ask":
                continue
            asked.update(re.findall(r"`(\w+)`", row.group(1)))
            for fault in faults_of_row(tree, folder, known, row.group(1), row.group(2)):
                yield path, line_of(text, section.start(1) + row.start()), fault
        for name in [*known["check"], *known["stage"], *questions]:
            if name not in asked:
                yield path, 0, f"the table of single rules has no row for {name}"
        program = f"tests/install/{ruleset}_rules.c"
        installed = tree.text(program) if program in tree.paths else ""
        for name in questions:
            if not re.search(rf"\b{name}\b", installed):
                yield program, 0, f"does not ask {name}"
