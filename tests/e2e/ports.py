"""Ports for servers that cannot choose one, or that restart on the same one."""

import contextlib
import random
import socket


def ephemeral_from():
    """From here on the kernel gives ports to clients' connections."""
    with contextlib.suppress(OSError), \
            open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
        return int(file.read().split()[0])
    return 32768


given = set()


def free_port():
    """A port below the clients' ports, which any connection may take before the server listens.
    Never the same twice, as the server of the first may not listen yet."""
    last = ephemeral_from() if ephemeral_from() > 12000 else 60000  # some machines have none below
    while True:
        port = random.randrange(10000, last)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            if port not in given:
                given.add(port)
                return port


def held_port():
    """(port, socket): as long as the socket is open, only a server that is given the port can use it."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return held.getsockname()[1], held
