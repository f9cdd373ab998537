"""A terminal with a shell, as used by a reader who pastes a README's blocks."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

ROWS, COLUMNS = 50, 100

BARE_SHELL = ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"]

# No prompt, so that the output is that of the commands alone; a command that
# fails says so.  noediting: the line editor would echo what is typed.
SETUP = r"""
stty -echo; PS1= PS2= PROMPT_COMMAND=
trap 'echo "[failed with status $?: $BASH_COMMAND]"' ERR
"""
DONE = "[the block is done]"
FAILED = re.compile(r"^\[failed with status \d+: .*\]$", re.M)


class Terminal:
    """Types into a shell and collects what it prints.

    `shell` is the command that starts it, an interactive bash without files of
    its own; it is started in `folder` with `environment`.
    """

    def __init__(self, shell, folder=None, environment=None):
        self.screen = ""  # what was printed since the last input
        self.history = ""
        self.is_busy = False  # a command that was started has not ended
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.shell = subprocess.Popen(
            shell, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(theirs)
        self.file = ours
        self.run(SETUP)
        if not self.wait_until_done(300):
            raise RuntimeError(f"no shell could be started: {self.screen}")
        self.idle_group = os.tcgetpgrp(self.file)

    def read(self, timeout_s):
        """Reads output; False if none came in time or the shell has ended."""
        if not select.select([self.file], [], [], timeout_s)[0]:
            return False
        try:
            data = os.read(self.file, 65536)
        except OSError:  # a pseudo-terminal whose other side is closed
            return False
        text = data.decode("utf-8", "replace").replace("\r\n", "\n")
        self.screen += text
        self.history += text
        return True

    def type(self, text):
        """Forgets earlier output."""
        while self.read(0):
            pass
        self.screen = ""
        self.history += text
        data = text.encode()
        while data:
            data = data[os.write(self.file, data[:1024]):]
            self.read(0)

    def run(self, commands):
        self.is_busy = True
        self.type(f"{commands.strip()}\necho '{DONE}'\n")

    def start(self, commands):
        """Of these the last stays in the foreground."""
        self.is_busy = True
        self.type(f"{commands.strip()}\n")

    def end(self, key, timeout_s):
        """Presses a key to end the command in the foreground; False if it does not end."""
        self.type(key)
        if not self.wait_until(self.is_idle, timeout_s):
            return False
        os.write(self.file, f"echo '{DONE}'\n".encode())
        return self.wait_until_done(timeout_s)

    def is_idle(self):
        """Whether the shell itself is in the foreground."""
        return os.tcgetpgrp(self.file) == self.idle_group

    def wait_until(self, condition, timeout_s):
        """Reads until condition() holds; False if it does not in time."""
        end = time.monotonic() + timeout_s
        while not condition():
            left = end - time.monotonic()
            if left <= 0:
                return False
            self.read(min(left, 1))
            if self.shell.poll() is not None and not self.read(0):
                return condition()
        return True

    def wait_until_done(self, timeout_s):
        if not self.wait_until(lambda: DONE + "\n" in self.screen, timeout_s):
            return False
        self.screen = self.screen.replace(DONE + "\n", "")
        self.is_busy = False
        return True

    def text(self):
        """The screen without colours and overwritten text."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[^\n]*\r", "", self.screen)

    def failures(self):
        return FAILED.findall(self.screen)

    def close(self):
        """Ends the command in the foreground and hangs up."""
        if self.shell.poll() is None and not self.is_idle() and not self.end("\x03", 3):
            os.killpg(os.tcgetpgrp(self.file), signal.SIGKILL)
        os.close(self.file)
        try:
            self.shell.wait(3)
        except subprocess.TimeoutExpired:
            self.shell.kill()
            self.shell.wait()
