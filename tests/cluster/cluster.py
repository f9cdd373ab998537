"""Several nodes on one machine: a private PostgreSQL, a proxy that cuts its connections, nodes and HAProxy.

Everything is on loopback and in one folder, which goes with it.
"""

import asyncio
import contextlib
import glob
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path += [os.path.join(ROOT, "tests", "e2e"), os.path.join(ROOT, "tests", "crash")]

from ports import free_port  # noqa: E402

TIME_LIMIT_S = 120  # against hanging only
NODE_NAMES = ("one", "two", "three", "four", "five")

# A load is many players from one address.
GENEROUS = ["--connections-max", "20000", "--connections-per-address", "0", "--frames-per-second", "100000",
            "--frames-burst", "100000", "--players-per-hour", "0", "--creates-per-minute", "0",
            "--matches-per-address", "0", "--http-burst", "0", "--connects-per-second", "0",
            "--snapshot-every", "8", "--hello-timeout", "120s", "--handshake-timeout", "120s"]


def find_program(name):
    """Debian has neither PostgreSQL nor HAProxy in everybody's PATH."""
    places = [*sorted(glob.glob("/usr/lib/postgresql/*/bin")), os.environ.get("PATH", ""), "/usr/sbin"]
    path = shutil.which(name, path=":".join(places))
    if path is None:
        raise RuntimeError(f"{name} is not installed; run deploy/install-deps --cluster")
    return path


def wait_until(condition, what, seconds=TIME_LIMIT_S):
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise RuntimeError(f"{what}: not within {seconds} s")
        time.sleep(0.02)


def last_lines(path, count=20):
    with open(path, encoding="utf-8", errors="replace") as file:
        return "".join(file.readlines()[-count:])


class Process:
    """A program with a log, which can be killed, stopped and started again."""

    def __init__(self, folder, name):
        self.name, self.log_path = name, os.path.join(folder, name + ".log")
        self.process = None

    def run(self, *words, environment=None, **options):
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen([str(word) for word in words], stdout=log, stderr=log,
                                            env={**os.environ, **(environment or {})}, **options)

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def send(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.is_running():
            self.process.kill()
            self.process.wait()

    def terminate(self):
        """Its status."""
        self.process.terminate()
        return self.process.wait(TIME_LIMIT_S)

    def log(self):
        return f"{self.name}:\n{last_lines(self.log_path)}"


class Postgres:
    """It does not run as root, so root lends it a user."""

    def __init__(self, folder, primary=None):
        """Of a primary: its standby, which has what the primary has committed."""
        name = "postgres" if primary is None else "standby"
        self.data = os.path.join(folder, name)
        self.log_path = os.path.join(folder, name + ".log")
        self.port = free_port()
        self.as_user = {}
        os.mkdir(self.data, 0o700)
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.data, user.pw_uid, user.pw_gid)
            self.as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        if primary is None:
            self.call("initdb", "-U", "skirmish", "-A", "trust", "-E", "UTF8", "--no-locale")
        else:
            self.call("pg_basebackup", "-R", "-c", "fast", "-d", primary.url())
        self.is_started = False

    def call(self, name, *words):
        done = subprocess.run([find_program(name), "-D", self.data, *words], capture_output=True, text=True,
                              cwd="/", timeout=TIME_LIMIT_S, check=False, **self.as_user)
        if done.returncode != 0:
            raise RuntimeError(f"{name} {words}: {done.stdout}{done.stderr}")

    def start(self, *settings):
        """pg_ctl would wait for who has its output: the server has a log."""
        settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=''", *settings]
        with open(self.log_path, "ab") as log:
            done = subprocess.run(
                [find_program("pg_ctl"), "-D", self.data, "-w", "-t", str(TIME_LIMIT_S), "-o",
                 " ".join([f"-p {self.port}", *("-c " + setting for setting in settings)]), "start"],
                stdout=log, stderr=log, cwd="/", check=False, **self.as_user)
        if done.returncode != 0:
            raise RuntimeError(f"PostgreSQL does not start: {last_lines(self.log_path)}")
        self.is_started = True

    def stop(self, how="fast"):
        if self.is_started:
            self.call("pg_ctl", "-m", how, "-w", "stop")
            self.is_started = False

    def pids(self):
        """The postmaster and its children."""
        with open(os.path.join(self.data, "postmaster.pid"), encoding="ascii") as file:
            first = int(file.readline())
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(first)], capture_output=True, text=True,
                                  check=False).stdout
        return [first, *map(int, children.split())]

    def url(self, port=None):
        return f"postgres://skirmish@127.0.0.1:{port or self.port}/postgres"

    def rows(self, select):
        """What a query gives, each row a list."""
        done = subprocess.run(
            [find_program("psql"), "-X", "-At", "-v", "ON_ERROR_STOP=1", "-c",
             f"SELECT row_to_json(q) FROM ({select}) q", self.url()],
            capture_output=True, text=True, check=True, timeout=10 * TIME_LIMIT_S)
        return [list(json.loads(line).values()) for line in done.stdout.splitlines()]

    def stream(self, select):
        """The same, one row after the other: there may be more than fit into memory."""
        words = [find_program("psql"), "-X", "-At", "-v", "ON_ERROR_STOP=1", "-v", "FETCH_COUNT=10000", "-c",
                 f"SELECT row_to_json(q) FROM ({select}) q", self.url()]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as psql:
            for line in psql.stdout:
                yield list(json.loads(line).values())
        if psql.returncode != 0:
            raise RuntimeError(f"psql ended with {psql.returncode}: {select}")


class Cutter(threading.Thread):
    """Passes bytes between the nodes and the database until it is told to cut all connections."""

    def __init__(self, port_behind):
        super().__init__(daemon=True)
        self.port_behind, self.port = port_behind, free_port()
        self.loop = asyncio.new_event_loop()
        self.writers = set()
        self.is_closed = False
        self.cuts = 0
        self.server = None
        self.start()
        wait_until(lambda: self.server is not None, "the cutting proxy")

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.server = self.loop.run_until_complete(
            asyncio.start_server(self.handle, "127.0.0.1", self.port))
        self.loop.run_forever()

    async def handle(self, reader, writer):
        if self.is_closed:
            writer.transport.abort()
            return
        try:
            reader_behind, writer_behind = await asyncio.open_connection("127.0.0.1", self.port_behind)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, writer_behind}
        self.writers |= both
        ways = [asyncio.create_task(self.pass_on(*way)) for way in ((reader, writer_behind), (reader_behind, writer))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for one in both:
            one.transport.abort()
        self.writers -= both

    async def pass_on(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()

    def abort(self):
        for writer in self.writers:
            writer.transport.abort()

    def cut(self, closed_s=0):
        """All connections at once, whatever is under way; new ones are refused for so long."""
        self.cuts += 1
        self.is_closed = closed_s > 0
        self.loop.call_soon_threadsafe(self.abort)
        time.sleep(closed_s)
        self.is_closed = False

    def end(self):
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.call_soon(self.loop.stop)

    def stop(self):
        self.loop.call_soon_threadsafe(self.end)
        self.join()


class Node(Process):
    def __init__(self, folder, name, program, url, environment):
        super().__init__(folder, name)
        self.port, self.metrics_port = free_port(), free_port()
        self.program, self.url, self.environment = program, url, environment
        self.admin_path = os.path.join(folder, name + ".admin")

    def start(self):
        self.run(self.program, "--address", "127.0.0.1", "--port", self.port, "--metrics-port", self.metrics_port,
                 "--database", self.url, "--node", self.name, "--trusted-proxies", "127.0.0.1",
                 "--admin-socket", self.admin_path, *GENEROUS, environment=self.environment)

    def is_ready(self):
        with contextlib.suppress(OSError, urllib.error.URLError):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=1) as answer:
                return answer.status == 200
        return False

    def metrics(self):
        """{name with labels: value}; none if it does not answer."""
        with contextlib.suppress(OSError, urllib.error.URLError):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=2) as answer:
                lines = answer.read().decode().splitlines()
            pairs = [line.rsplit(" ", 1) for line in lines if line[:1] not in ("#", "")]
            return {name: float(value) for name, value in pairs}
        return {}


class Haproxy(Process):
    """deploy/cluster/haproxy.cfg, with these ports.  A patient one does not notice that nodes hang."""

    def __init__(self, folder, nodes, is_patient=False):
        super().__init__(folder, "haproxy")
        self.port = free_port()
        self.path = os.path.join(folder, "haproxy.cfg")
        with open(os.path.join(ROOT, "deploy", "cluster", "haproxy.cfg"), encoding="ascii") as file:
            lines = [line for line in file.read().splitlines() if not line.lstrip().startswith("server ")]
        text = "\n".join(lines + [f"    server {node.name} 127.0.0.1:{node.port}" for node in nodes]) + "\n"
        assert "bind 127.0.0.1:7777" in text and " fall 3 " in text
        text = text.replace("bind 127.0.0.1:7777", f"bind 127.0.0.1:{self.port}")
        if is_patient:
            text = text.replace(" fall 3 ", " fall 1000 ")
        with open(self.path, "w", encoding="ascii") as file:
            file.write(text)

    def start(self):
        self.run(find_program("haproxy"), "-db", "-f", self.path)


class Cluster:
    """Its connections to the database can be cut, unless they are direct: with a standby they are."""

    def __init__(self, program, count=3, environment=None, is_patient=False, is_direct=False, has_standby=False):
        self.folder = tempfile.mkdtemp(prefix="skirmish-cluster-")
        os.chmod(self.folder, 0o711)  # the user of PostgreSQL passes through
        self.postgres = self.standby = self.cutter = self.haproxy = None
        self.nodes = []
        try:
            self.postgres = Postgres(self.folder)
            self.postgres.start("synchronous_standby_names=" + ("*" if has_standby else ""))
            if has_standby:
                self.standby = Postgres(self.folder, self.postgres)
                self.standby.start()
            self.cutter = None if is_direct or has_standby else Cutter(self.postgres.port)
            url = self.url()
            self.nodes = [Node(self.folder, name, program, url, environment or {})
                          for name in NODE_NAMES[:count]]
            self.haproxy = Haproxy(self.folder, self.nodes, is_patient)
        except BaseException:
            self.close()
            raise

    def url(self):
        """By which the nodes reach the database."""
        if self.standby is not None:
            return self.postgres.url(f"{self.postgres.port},127.0.0.1:{self.standby.port}")
        return self.postgres.url(None if self.cutter is None else self.cutter.port)

    def fail_over(self, after_s):
        """The database's machine is gone, and its standby takes over."""
        self.postgres.stop("immediate")
        time.sleep(after_s)
        self.standby.call("pg_ctl", "-w", "promote")
        self.postgres = self.standby

    def start(self):
        """All nodes at once: one of them migrates."""
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            self.wait_for(node)
        self.haproxy.start()
        wait_until(lambda: self.answers("/readyz"), "HAProxy")

    def answers(self, path):
        with contextlib.suppress(OSError, urllib.error.URLError):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.haproxy.port}{path}", timeout=1) as answer:
                return answer.status == 200
        return False

    def wait_for(self, node):
        def is_settled():
            if not node.is_running():
                raise RuntimeError(f"a node ended: {node.log()}")
            return node.is_ready()

        wait_until(is_settled, f"node {node.name}")

    def log(self):
        return "\n".join(process.log() for process in (*self.nodes, self.haproxy) if os.path.exists(process.log_path))

    def close(self):
        for process in (*self.nodes, self.haproxy):
            if process is not None and process.is_running():
                process.send(signal.SIGCONT)
                process.kill()
        if self.cutter is not None:
            self.cutter.stop()
        for server in (self.standby, self.postgres):
            if server is not None:
                server.stop("immediate")
        shutil.rmtree(self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
