"""The code blocks of a Markdown page, and how they are run.

The info string is the kind of a block:

    sh      commands, pasted into a shell
    json    lines, pasted into the program that runs in a terminal
    text    what the block before it must have printed; `...` in a line is
            anything, a line `...` any lines

Other actions of the reader are comments, which a browser hides:

    <!-- terminal: NAME -->           the blocks that follow go to this one
    <!-- terminal: NAME, stays -->    and the next block's last command does not end
    <!-- terminal: NAME, ends by KEY -->  what stays there is ended, by one of KEYS
    <!-- shows: TEXT -->              what the block before shows on the screen, somewhere
    <!-- not run: WHY -->             the next block is not tried
"""

import re

COMMENT = re.compile(r"<!-- (terminal: (?P<terminal>\w+)(, (?P<action>[^>]*))?"
                     r"|shows: (?P<shown>.*)|not run: (?P<reason>[^>]*)) -->")
KINDS = ("sh", "json", "text")
KEYS = {"Ctrl-C": "\x03", "Ctrl-D": "\x04", "q": "q", "quit": "quit\n"}

# Time for a shell command, also one that installs and builds, and for the answer of a running program.
COMMAND_LIMIT_S = 900
ANSWER_LIMIT_S = 300


class PageError(Exception):
    """The page itself is wrong."""


class Step:
    """One thing to do: a block (its kind and text) or an action of a comment."""

    def __init__(self, line, kind, text, terminal):
        self.line = line
        self.kind = kind  # one of KINDS, or `key`
        self.text = text
        self.terminal = terminal
        self.stays = False
        self.skip_reason = None
        self.expected = None  # the text block that follows it


def read_steps(page):
    """The steps of a page, in order. A block without a kind is an error."""
    steps = []
    terminal, stays, reason = "first", False, None
    lines = iter(enumerate(page.split("\n"), 1))
    for number, line in lines:
        comment = COMMENT.fullmatch(line.strip())
        if comment and comment["terminal"]:
            terminal, action = comment["terminal"], comment["action"]
            stays = action == "stays"
            if action and action.startswith("ends by "):
                steps.append(Step(number, "key", key_of(action, number), terminal))
            elif action and not stays:
                raise PageError(f"line {number}: unknown action '{action}'")
        elif comment and comment["shown"]:
            expect(steps, number, f"...\n...{comment['shown']}...\n")
        elif comment:
            reason = comment["reason"]
        elif line.startswith("<!--"):
            raise PageError(f"line {number}: unknown comment {line}")
        elif line.startswith("```"):
            step = Step(number, line[3:].strip(), read_block(lines, number), terminal)
            if step.kind not in KINDS and reason is None:
                raise PageError(f"line {number}: the block is neither {', '.join(KINDS)} nor `not run`")
            step.stays, step.skip_reason = stays, reason
            stays, reason = False, None
            if step.kind == "text" and not step.skip_reason:
                expect(steps, number, step.text)
            else:
                steps.append(step)
    return steps


def key_of(action, number):
    name = action[len("ends by "):]
    if name not in KEYS:
        raise PageError(f"line {number}: unknown key '{name}'")
    return KEYS[name]


def read_block(lines, start):
    text = []
    for _, line in lines:
        if line.startswith("```"):
            return "\n".join(text) + "\n"
        text.append(line)
    raise PageError(f"line {start}: the block has no end")


def expect(steps, number, text):
    """Adds an expected output to the step that prints it."""
    if not steps or steps[-1].expected is not None:
        raise PageError(f"line {number}: output of nothing")
    steps[-1].expected = text


def pattern_of(expected, is_whole):
    """The regular expression for an expected output; is_whole: nothing may follow."""
    if expected is None:
        return re.compile("")
    parts = []
    for line in expected.split("\n")[:-1]:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(map(re.escape, line.split("..."))) + r"[ \t]*(?:\n|\Z)")
    return re.compile("".join(parts) + (r"\Z" if is_whole else ""))


class Reader:
    """A reader who follows a page.

    open_terminal() gives a new Terminal; report(line, message) is called for a
    failure.
    """

    def __init__(self, open_terminal, report):
        self.open_terminal = open_terminal
        self.report = report
        self.terminals = {}

    def follow(self, steps):
        """Does all steps; returns (passed, failed).  After a failure the rest would fail too."""
        passed = 0
        try:
            for step in steps:
                if step.skip_reason:
                    continue
                problem = self.do(step)
                if problem:
                    self.report(step.line, problem)
                    return passed, 1
                passed += 1
            return passed, 0
        finally:
            for terminal in self.terminals.values():
                terminal.close()

    def terminal(self, name):
        if name not in self.terminals:
            self.terminals[name] = self.open_terminal()
        return self.terminals[name]

    def do(self, step):
        """Returns what went wrong, or None."""
        terminal = self.terminal(step.terminal)
        if step.kind == "key":
            ended = terminal.end(step.text, ANSWER_LIMIT_S)
        elif step.kind == "sh" and not step.stays:
            if terminal.is_busy:
                return f"a command still runs in terminal {step.terminal}"
            terminal.run(step.text)
            ended = terminal.wait_until_done(COMMAND_LIMIT_S)
        else:
            if (step.kind == "sh") == terminal.is_busy:
                return f"terminal {step.terminal} runs {'something' if terminal.is_busy else 'nothing'}"
            (terminal.start if step.kind == "sh" else terminal.type)(step.text)
            ended = None
        return self.problem(step, terminal, ended)

    def problem(self, step, terminal, ended):
        if ended is False:
            return f"did not end; so far it printed:\n{terminal.text()}"
        limit_s = 0 if ended else COMMAND_LIMIT_S if step.kind == "sh" else ANSWER_LIMIT_S
        pattern = pattern_of(step.expected, is_whole=ended is True)
        if not terminal.wait_until(lambda: pattern.match(terminal.text()) or terminal.failures(),
                                   limit_s):
            return f"expected:\n{step.expected}\nprinted:\n{terminal.text()}"
        if terminal.failures():
            return f"{terminal.failures()[0]}\n{terminal.text()}"
        return None
