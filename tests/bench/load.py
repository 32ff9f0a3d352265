"""A small HTTP load: keep-alive connections over plain sockets, so that the client costs little beside the server."""

import socket
import threading
import time
from dataclasses import dataclass
from statistics import quantiles


@dataclass(frozen=True, slots=True)
class Load:
    """What a burst of requests showed: requests a second, and latencies in milliseconds."""

    rate: float
    p50: float
    p95: float
    requests: int


def get(path, key):
    """A GET as bytes, for `burst`."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n".encode()


class Connection:
    """One keep-alive connection that repeats one request and reads bodies by their Content-Length."""

    def __init__(self, port, request):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.request = request
        self.buffer = b""

    def ask(self):
        """Send the request once and return (status, body)."""
        self.socket.sendall(self.request)
        while b"\r\n\r\n" not in self.buffer:
            self._receive()
        head, _, rest = self.buffer.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        self.buffer = rest
        while len(self.buffer) < length:
            self._receive()
        body, self.buffer = self.buffer[:length], self.buffer[length:]
        return int(head[9:12]), body

    def _receive(self):
        chunk = self.socket.recv(262_144)
        if not chunk:
            raise ConnectionError("the server closed the connection")
        self.buffer += chunk

    def close(self):
        self.socket.close()


def fetch(port, request):
    """One request; returns the body of a 200 and raises on anything else."""
    connection = Connection(port, request)
    status, body = connection.ask()
    connection.close()
    if status != 200:
        raise RuntimeError(f"{request[:80]!r}: {status} {body[:200]!r}")
    return body


def burst(port, request, *, connections, seconds):
    """Repeat one request on several connections for some seconds."""
    latencies, until = [], time.perf_counter() + seconds

    def work():
        connection = Connection(port, request)
        while (begun := time.perf_counter()) < until:
            status, body = connection.ask()
            if status != 200:
                raise RuntimeError(f"{request[:80]!r}: {status} {body[:200]!r}")
            latencies.append((time.perf_counter() - begun) * 1000)
        connection.close()

    begun = time.perf_counter()
    threads = [threading.Thread(target=work) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = time.perf_counter() - begun
    cuts = quantiles(latencies, n=20)
    return Load(rate=len(latencies) / spent, p50=cuts[9], p95=cuts[18], requests=len(latencies))
