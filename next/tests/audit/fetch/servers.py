"""A server of plain sockets, which can answer as no HTTP library would: each path has a way to behave."""

import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

Behaviour = Callable[[socket.socket], None]
MAX_HEAD = 65_536


@dataclass
class Server:
    """A running one: where it listens, where connections arrived, and the heads of the requests that came."""

    address: tuple[str, int]
    accepted: list[tuple[str, int]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @property
    def paths(self):
        return [head.split(" ")[1] for head in self.requests]


def _serve_one(connection, server, behaviours, tls, before):
    with suppress(OSError), connection:
        before(connection)
        if tls:
            connection = tls.wrap_socket(connection, server_side=True)
        while head := _head(connection):
            server.requests.append(head)
            path = head.split(" ")[1].partition("?")[0]
            behaviours.get(path, behaviours["*"])(connection)
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()


def _head(connection):
    """The head of the next request, as text; nothing when the peer is gone."""
    head = b""
    while b"\r\n\r\n" not in head:
        part = connection.recv(4096) if len(head) < MAX_HEAD else b""
        if not part:
            return ""
        head += part
    return head.decode("latin-1")


def _accept(listener, server, *how):
    with suppress(OSError):
        while True:
            connection, _ = listener.accept()
            server.accepted.append(connection.getsockname()[:2])
            threading.Thread(target=_serve_one, args=(connection, server, *how), daemon=True).start()


@contextmanager
def serving(
    behaviours, *, host="127.0.0.1", port=0, tls: ssl.SSLContext | None = None, before: Behaviour = lambda _: None
):
    """A server whose paths behave as told, those not named as `*`; every connection has a thread.

    `before`: what it does with each connection first, before encryption.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::"
    with socket.create_server((host, port), family=family, backlog=128, dualstack_ipv6=both) as listener:
        server = Server(listener.getsockname()[:2])
        threading.Thread(
            target=_accept, args=(listener, server, {"*": missing, **behaviours}, tls, before), daemon=True
        ).start()
        try:
            yield server
        finally:
            listener.shutdown(socket.SHUT_RDWR)  # closing alone would let it accept one more


def answer(status, *fields, body=b"", length=True):
    """An answer in good HTTP. `fields` are lines; `length` says how long the body is."""
    lines = [f"HTTP/1.1 {status} Whatever", *fields, *([f"Content-Length: {len(body)}"] if length else [])]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


def says(data):
    """Send this, and go on with the next request."""
    return lambda connection: connection.sendall(data)


def ends(data):
    """Send this, and close."""

    def behave(connection):
        connection.sendall(data)
        raise OSError("said all")

    return behave


def forever(first, again, *, pause=0.0):
    """Send `first`, then `again` as often as the peer takes it, with a pause before each."""

    def behave(connection):
        connection.sendall(first)
        stop = threading.Event()
        while True:
            if pause:
                stop.wait(pause)
            connection.sendall(again)

    return behave


def page(body=b"<title>Hello</title>", *fields):
    return says(answer(200, "Content-Type: text/html", *fields, body=body))


def redirect(to, status=301):
    return says(answer(status, f"Location: {to}"))


missing = says(answer(404))
