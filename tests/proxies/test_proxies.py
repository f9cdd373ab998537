"""The configurations of deploy/proxy, in the proxies of this Debian release.

Each proxy runs on loopback, in front of a daemon. In its file only ports, names and the certificate, which is
self-signed, are replaced.
"""

import glob
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
from urllib.parse import urljoin

from unpacked import FOLDER, ROOT, program, unpack

sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from daemon import (CLOSE, TEXT, TIME_LIMIT_S, Answer, Daemon, Socket, frame,  # noqa: E402
                    make_certificate, read_all)
from ports import free_port  # noqa: E402

# Clients connect from this address; connections from 127.0.0.1 are the proxy's.
CLIENT, OTHER = "127.0.0.5", "127.0.0.6"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Proxy:
    """One proxy in front of one daemon, with the interface that `Socket` needs."""

    name = None
    source = CLIENT

    def __init__(self, daemon, folder, certificate, key):
        self.folder, self.port = folder, free_port()
        self.context = ssl.create_default_context(cafile=certificate)
        both = self.write("both.pem", "".join(read(path) for path in (certificate, key)))
        text = read(os.path.join(ROOT, "deploy", "proxy", self.file))
        for old, new in (("/etc/ssl/skirmish/fullchain.pem", certificate),
                         ("/etc/ssl/skirmish/privkey.pem", key),
                         ("/etc/ssl/skirmish/both.pem", both),
                         ("127.0.0.1:7777", f"127.0.0.1:{daemon.port}")):
            assert old in text or old.endswith(".pem"), f"{self.file} has no {old}"
            text = text.replace(old, new)
        path = self.write(self.file, self.adapted(text))
        self.log = open(os.path.join(folder, "log"), "w+b")
        libraries = ":".join(glob.glob(os.path.join(FOLDER, "usr/lib/*-linux-gnu*")))
        self.process = subprocess.Popen(
            self.command(path), stdout=self.log, stderr=self.log, cwd=folder,
            env={**os.environ, "LD_LIBRARY_PATH": libraries, "HOME": folder,
                 "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder})

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def wait_until_ready(self):
        until = time.monotonic() + TIME_LIMIT_S
        while True:
            try:
                if self.get("/readyz").status == 200:
                    return
            except OSError:
                pass
            self.log.seek(0)
            said = self.log.read().decode()
            assert self.process.poll() is None and time.monotonic() < until, said
            time.sleep(0.1)

    def connect(self, port=None):
        raw = socket.create_connection(("127.0.0.1", port or self.port), TIME_LIMIT_S,
                                       source_address=(self.source, 0))
        return self.context.wrap_socket(raw, server_hostname="127.0.0.1")

    def get(self, path, *headers):
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close",
                 *headers, "", ""]
        with self.connect() as raw:
            raw.sendall("\r\n".join(lines).encode())
            return Answer(read_all(raw))

    def stop(self):
        self.process.terminate()
        self.process.wait(TIME_LIMIT_S)
        self.log.close()


class Nginx(Proxy):
    file = "nginx.conf"

    def adapted(self, text):
        text = text.replace("listen 443", f"listen 127.0.0.1:{self.port}")
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in (
            "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return (f"daemon off; pid {self.folder}/pid; error_log stderr;\nevents {{}}\n"
                f"http {{\naccess_log off;\n{temporary}{text}}}\n")

    def command(self, path):
        return [program("nginx"), "-p", self.folder, "-c", path, "-e", "stderr"]


class Haproxy(Proxy):
    file = "haproxy.cfg"

    def adapted(self, text):
        return text.replace("bind :443", f"bind 127.0.0.1:{self.port}")

    def command(self, path):
        return [program("haproxy"), "-db", "-f", path]


class Apache(Proxy):
    file = "apache.conf"
    modules = ("mpm_event", "authz_core", "ssl", "alias", "headers", "proxy", "proxy_http")

    def adapted(self, text):
        text = text.replace("*:443", f"127.0.0.1:{self.port}")
        places = [os.path.join(FOLDER, "usr/lib/apache2/modules"), "/usr/lib/apache2/modules"]
        place = next(place for place in places if os.path.isdir(place))
        load = "".join(f"LoadModule {name}_module {place}/mod_{name}.so\n" for name in self.modules)
        user = "User www-data\nGroup www-data\n" if os.geteuid() == 0 else ""
        return (f"{load}{user}ServerName localhost\nServerRoot {self.folder}\n"
                f"PidFile {self.folder}/pid\nDefaultRuntimeDir {self.folder}\n"
                f"ErrorLog /dev/stderr\nMutex default:{self.folder}\n"
                f"Listen 127.0.0.1:{self.port}\n{text}")

    def command(self, path):
        return [program("apache2"), "-d", self.folder, "-f", path, "-DFOREGROUND"]


class Caddy(Proxy):
    file = "Caddyfile"

    def adapted(self, text):
        text = text.replace("play.example.org", f"https://127.0.0.1:{self.port}")
        text = text.replace("# tls ", "tls ")
        return "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n" + text

    def command(self, path):
        return [program("caddy"), "run", "--config", path, "--adapter", "caddyfile"]


class Proxies(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        unpack()

    def started(self, kind):
        """One proxy, with a daemon of its own behind it."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        os.chmod(folder, 0o755)
        daemon = self.enterContext(Daemon("--trusted-proxies", "127.0.0.1",
                                          "--connections-per-address", "3"))
        proxy = kind(daemon, folder, *make_certificate(folder, "proxy"))
        self.addCleanup(proxy.stop)
        proxy.wait_until_ready()
        return proxy, daemon

    def opened(self, proxy, path="/", *headers):
        host = f"127.0.0.1:{proxy.port}"
        return self.enterContext(Socket(proxy, f"Origin: https://{host}", *headers, host=host,
                                        path=path))

    def check_game(self, proxy, path):
        connection = self.opened(proxy, path, "Sec-WebSocket-Protocol: skirmish.v1")
        self.assertEqual(connection.answer.status, 101, connection.answer.data)
        self.assertEqual(connection.answer.headers["sec-websocket-protocol"], "skirmish.v1")
        name = f"Guest {len(path)}"
        for message in ({"type": "hello", "id": "1", "protocol": 1, "name": name},
                        {"type": "list", "id": "2"}):
            connection.send(frame(TEXT, json.dumps(message).encode()))
            opcode, data = connection.receive()
            self.assertEqual((opcode, json.loads(data)["id"]), (TEXT, message["id"]), data)
        connection.send(frame(CLOSE, b"\x03\xe8"))
        self.assertEqual(connection.close_code(), 1000)
        connection.raw.close()

    def check_page(self, proxy, path):
        page = proxy.get(path)
        self.assertEqual(page.status, 200)
        links = re.findall(rb'(?:src|href)="([^"#:]+)"', page.body)
        self.assertTrue(links)
        for link in links:
            answer = proxy.get(urljoin(path, link.decode()))
            self.assertEqual(answer.status, 200, link)
        self.assertEqual(proxy.get(urljoin(path, "api/v1/rulesets")).headers["content-type"],
                         "application/json")

    def check_card(self, proxy, path):
        """A link to a match is described with the address that players see."""
        connection = self.opened(proxy, path, "Sec-WebSocket-Protocol: skirmish.v1")
        frames = ({"type": "hello", "protocol": 1, "name": f"Host {len(path)}"},
                  {"type": "create", "id": "2", "ruleset": "tactics"})
        for message in frames:
            connection.send(frame(TEXT, json.dumps(message).encode()))
        joined = {}
        while joined.get("id") != "2":
            joined = json.loads(connection.receive()[1])
        connection.raw.close()
        place = f"https://127.0.0.1:{proxy.port}{path}"
        page = proxy.get(f"{path}?join={joined['match']}").body.decode()
        self.assertIn(f'<meta property="og:url" content="{place}?join={joined["match"]}">', page)
        picture = re.search('<meta property="og:image" content="([^"]*)">', page).group(1)
        self.assertTrue(picture.startswith(f"{place}assets/"), picture)

    def check_addresses(self, proxy):
        """One client may have three connections, whatever X-Forwarded-For it sends."""
        forged = "X-Forwarded-For: 192.0.2.1"
        until = time.monotonic() + TIME_LIMIT_S
        while True:
            held = [self.opened(proxy, "/", forged) for _ in range(3)]
            if [one.answer.status for one in held] == [101] * 3:
                break
            for one in held:  # earlier connections were still counted
                one.raw.close()
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        self.assertEqual(self.opened(proxy, "/", forged).answer.status, 429)
        proxy.source = OTHER
        self.assertEqual(self.opened(proxy).answer.status, 101)
        proxy.source = CLIENT

    def check(self, kind):
        proxy, daemon = self.started(kind)
        for path in ("/", "/skirmish/"):
            self.check_page(proxy, path)
            self.check_game(proxy, path)
            self.check_card(proxy, path)
        moved = proxy.get("/skirmish")
        self.assertEqual(moved.status, 301)
        self.assertTrue(moved.headers["location"].endswith("/skirmish/"))
        self.check_addresses(proxy)
        self.assertEqual(daemon.refused("origin"), 0)
        with Socket(proxy, "Origin: https://evil.example", host="127.0.0.1") as refused:
            self.assertEqual(refused.answer.status, 403)

    def test_nginx(self):
        self.check(Nginx)

    def test_haproxy(self):
        self.check(Haproxy)

    def test_apache(self):
        self.check(Apache)

    def test_caddy(self):
        self.check(Caddy)


if __name__ == "__main__":
    unittest.main()
