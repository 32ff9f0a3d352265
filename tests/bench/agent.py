"""The agent endpoint against its limits: processor time for a call, calls a second, database connections.

The limit of a call is what a bare view with the same SQL costs and what the protocol's library costs by itself; the
cost of HTTP, which is a part of both, counts once. All run under the same server software, one after the other in the
same run, on PostgreSQL. `raw` calls come over plain sockets, `client` calls through the official client.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import django
import httpx2
import psycopg
from django.core.management import call_command
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.bench.load import Connection, burst, fetch
from tests.live import free_port, without_static_files

AIM = 1.5
CONNECTIONS, SECONDS, ROUNDS = 4, 2.0, 5
MANY_CALLS = 10_000
REVISION = "2026-07-28"
SERVICE = "config.asgi"
LIMIT = "tests.bench.bare_agent"


@dataclass(frozen=True, slots=True)
class Measured:
    """What a burst of calls took: processor milliseconds of the server for each, calls a second, latency in ms."""

    cpu: float
    rate: float
    p50: float
    p95: float


def message(name, arguments, key):
    """A tool call in the newest revision, as the bytes of an HTTP request."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": REVISION,
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": name, "arguments": arguments, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {REVISION}\r\n"
        f"Mcp-Method: tools/call\r\nMcp-Name: {name}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Server:
    """One ASGI worker of gunicorn, as in production."""

    def __init__(self, module, **environment):
        self.port = free_port()
        command = [
            sys.executable, "-m", "gunicorn", f"{module}:application", "-k", "asgi", "-w", "1",
            "--bind", f"127.0.0.1:{self.port}", "--no-control-socket", "--log-level", "error",
        ]  # fmt: skip
        without_static_files({**os.environ, **environment})
        self.process = subprocess.Popen(command, env={**os.environ, **environment})

    def cpu(self):
        """Processor seconds of the worker up to now."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        ticks = 0
        for pid in children:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def wait(self, request):
        """Until the server answers."""
        for _ in range(200):
            try:
                return fetch(self.port, request)
            except (ConnectionError, OSError):
                time.sleep(0.1)
        raise RuntimeError("the server does not answer")

    def measure(self, request):
        """One burst of calls."""
        before = self.cpu()
        load = burst(self.port, request, connections=CONNECTIONS, seconds=SECONDS)
        cpu = 1000 * (self.cpu() - before) / load.requests
        return Measured(cpu, load.rate, load.p50, load.p95)


@contextmanager
def serving(module, request, **environment):
    """A server that answers the request, until the block ends."""
    server = Server(module, **environment)
    try:
        server.wait(request)
        yield server
    finally:
        server.process.terminate()
        server.process.wait(20)


async def client_rate(port, key, name, arguments):
    """Calls a second of four sessions of the official client."""
    url, until = f"http://127.0.0.1:{port}/mcp", time.perf_counter() + SECONDS

    async def session():
        calls, headers = 0, {"Authorization": f"Bearer {key}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            while time.perf_counter() < until:
                result = await client.call_tool(name, arguments)
                if result.is_error:
                    raise RuntimeError(result.content)
                calls += 1
        return calls

    begun = time.perf_counter()
    calls = sum(await asyncio.gather(*(session() for _ in range(CONNECTIONS))))
    return calls / (time.perf_counter() - begun)


@dataclass(frozen=True, slots=True)
class Round:
    """One burst at the service and at each of its limits, one right after the other: a machine that is slower for a
    while is slower for all."""

    mine: Measured
    sql: Measured
    sdk: Measured
    http: Measured

    @property
    def limit(self):
        """Milliseconds of processor time; what HTTP costs is a part of both limits, and counts once."""
        return self.sql.cpu + self.sdk.cpu - self.http.cpu

    @property
    def ratio(self):
        return self.mine.cpu / self.limit


def measure(request, replay, through_client):
    """The round with the median ratio, and what `through_client` finds at the service's port."""
    with ExitStack() as stack:
        mine = stack.enter_context(serving(SERVICE, request))
        limits = {
            limit: stack.enter_context(serving(LIMIT, request, BENCH_LIMIT=limit, BENCH_REPLAY=replay))
            for limit in ("sql", "sdk", "http")
        }
        for server in (mine, *limits.values()):
            server.measure(request)  # not counted: everything is loaded and prepared after it
        rounds = [
            Round(mine.measure(request), **{limit: server.measure(request) for limit, server in limits.items()})
            for _ in range(ROUNDS)
        ]
        rounds.sort(key=lambda each: each.ratio)
        return rounds[ROUNDS // 2], asyncio.run(through_client(mine.port))


def database_connections():
    """Connections to the database, this one not counted."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        sql = (
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return connection.execute(sql).fetchone()[0]


def connections_after(server, request, calls):
    """Database connections after so many calls over four connections."""
    links = [Connection(server.port, request) for _ in range(CONNECTIONS)]
    for n in range(calls):
        status, body = links[n % CONNECTIONS].ask()
        if status != 200:
            raise RuntimeError(f"{status} {body[:200]!r}")
    for link in links:
        link.close()
    return database_connections()


def main():
    """Make the data, measure each tool, then the connections. Exit status 1 when an aim is missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    os.environ["RATE_LIMIT"] = "100000000/m"
    django.setup()
    from tests.bench.agent_data import record, scenarios  # noqa: PLC0415 -- models need django.setup() first

    call_command("migrate", verbosity=0)
    key, calls = scenarios()
    replay = Path(tempfile.mkdtemp()) / "replay.json"
    replay.write_text(json.dumps(record(key, calls)))
    missed = []
    print("tool                       calls/s  client/s  p50 ms  p95 ms  CPU ms    sql    sdk   http  limit  ratio")
    for name, arguments in calls:
        request = message(name, arguments, key)
        through_client = partial(client_rate, key=key, name=name, arguments=arguments)
        found, client = measure(request, str(replay), through_client)
        mine = found.mine
        print(
            f"{name:<26}{mine.rate:>8.0f}{client:>10.0f}{mine.p50:>8.1f}{mine.p95:>8.1f}{mine.cpu:>8.2f}"
            f"{found.sql.cpu:>7.2f}{found.sdk.cpu:>7.2f}{found.http.cpu:>7.2f}{found.limit:>7.2f}{found.ratio:>7.2f}",
            flush=True,
        )
        if found.ratio > AIM:
            missed.append(name)
    request = message(*calls[0], key)
    with serving(SERVICE, request) as server:
        few, many = (connections_after(server, request, calls) for calls in (100, MANY_CALLS))
    print(f"database connections: {few} after 100 calls, {many} after {MANY_CALLS:,} more")
    if many > few:
        missed.append("connections")
    print(f"Aims: ratio ≤ {AIM}, connections flat. Missed: {', '.join(missed) or 'none'}.")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
