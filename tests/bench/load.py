"""REST, agents, pages and a scan at once: `make load`. What clients wait, and how many are refused or fail.

Each client does one thing after the other on the demo's brand and pauses for a second in between, as people and
agents do. Meanwhile one scan after the other is asked and counted. Prints for each number of clients and each door
the calls, p50 and p95 in milliseconds, refusals (429 and 503) and errors. Each number is tried for LOAD_SECONDS.
Exits with 1 when something failed.
"""

import asyncio
import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from statistics import quantiles
from threading import Event, Thread
from uuid import uuid4

import tests.postgres  # noqa: F401 - starts a server before the settings are read, unless DATABASE_URL names one

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["OPENAI_API_KEY"] = "sk-key-of-the-benchmark"

import django

django.setup()

import aiohttp  # noqa: E402
import orjson  # noqa: E402
from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from apikeys.models import Plan, User  # noqa: E402
from brands.models import Brand  # noqa: E402
from tests.engines.provider import running_provider  # noqa: E402
from tests.factories import UserFactory, make_key  # noqa: E402
from tests.live import live_process, own_database  # noqa: E402
from tests.runs.conftest import SYSTEM, make_brand, make_engine  # noqa: E402
from visibility.demo.seeding import seed_brand  # noqa: E402
from visibility.models import Run  # noqa: E402
from visibility.runs.services import start_scan  # noqa: E402

SECONDS = float(os.environ.get("LOAD_SECONDS") or 180)
CLIENTS = (50, 200)
PAUSE = 1.0
"""Seconds that a client waits between two calls, on average."""
DOORS = ("rest", "rest", "agent", "agent", "pages")
"""Of the clients, in turns."""
TOOLS = ("list_sites", "get_site_brief", "get_visibility_scores", "list_competitors", "get_recommendations")
PARTS = ("", "/visibility", "/recommendations", "/runs")
PAGES = ("", "/answers", "/competitors", "/prompts", "/sources", "/todo")
REFUSED = (429, 503)
PROMPTS = 100


@dataclass
class Waits:
    """What the clients of a door met: milliseconds of each answer, refusals, errors."""

    milliseconds: list[float] = field(default_factory=list)
    refused: int = 0
    errors: dict[str, int] = field(default_factory=dict)

    def add(self, milliseconds: float, status: int, name: str) -> None:
        if status == 200:
            self.milliseconds.append(milliseconds)
        elif status in REFUSED:
            self.refused += 1
        else:
            self.errors[f"{status} {name}"] = self.errors.get(f"{status} {name}", 0) + 1

    def line(self) -> str:
        """For people."""
        if len(self.milliseconds) < 2:
            return f"{len(self.milliseconds)} calls, {self.refused} refused, errors {self.errors}"
        steps = quantiles(self.milliseconds, n=20)
        return (
            f"{len(self.milliseconds):>7,} calls, p50 {steps[9]:>7.0f} ms, p95 {steps[18]:>7.0f} ms, "
            f"{self.refused:>4} refused, {sum(self.errors.values()):>4} errors {self.errors or ''}"
        )


@dataclass(frozen=True)
class Way:
    """Where the service is, and who calls it."""

    url: str
    brand: str
    key: str
    cookie: str

    def call(self, door: str) -> tuple[str, str, dict[str, str], bytes | None]:
        """The next call at a door: its name, address, headers, body."""
        authorization = {"Authorization": f"Bearer {self.key}"}
        if door == "rest":
            part = random.choice(PARTS)
            return part, f"{self.url}/api/v1/brands/{self.brand}{part}", authorization, None
        if door == "pages":
            part = random.choice(PAGES)
            cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={self.cookie}"}
            return part, f"{self.url}/brands/{self.brand}{part}", cookie, None
        tool = random.choice(TOOLS)
        arguments = {} if tool == "list_sites" else {"siteId": self.brand}
        params = {"name": f"{settings.TOOL_PREFIX}{tool}", "arguments": arguments}
        body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        accept = {"Accept": "application/json", "Content-Type": "application/json"}
        return tool, f"{self.url}/mcp", authorization | accept, body


async def client(session: aiohttp.ClientSession, way: Way, door: str, waits: Waits, until: float) -> None:
    """Call and pause until the time is over."""
    await asyncio.sleep(random.uniform(0, PAUSE))
    while time.monotonic() < until:
        name, address, headers, body = way.call(door)
        begun = time.monotonic()
        try:
            method = "POST" if body else "GET"
            async with session.request(method, address, headers=headers, data=body, allow_redirects=False) as answer:
                text = await answer.read()
                status = 500 if b'"isError":true' in text else answer.status
        except (aiohttp.ClientError, TimeoutError) as error:
            status, name = 0, type(error).__name__
        waits.add(1000 * (time.monotonic() - begun), status, name)
        await asyncio.sleep(random.uniform(0.5, 1.5) * PAUSE)


async def press(way: Way, clients: int) -> dict[str, Waits]:
    """What so many clients met, by door."""
    waits = {door: Waits() for door in DOORS}
    until = time.monotonic() + SECONDS
    connector = aiohttp.TCPConnector(limit=clients)
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
        doors = [DOORS[number % len(DOORS)] for number in range(clients)]
        await asyncio.gather(*(client(session, way, door, waits[door], until) for door in doors))
    return waits


@contextmanager
def scanning() -> Iterator[list[Run]]:
    """One scan after the other, of brands of their own, until the block ends."""
    ended, runs = Event(), list[Run]()

    def scan() -> None:
        while not ended.wait(1):
            if not Run.objects.active().exists():
                brand = make_brand(prompts=PROMPTS, samples=1)
                runs.append(start_scan(SYSTEM, brand_id=brand.pk, trigger=Run.Trigger.OPERATOR).run)
        connection.close()

    thread = Thread(target=scan)
    thread.start()
    try:
        yield runs
    finally:
        ended.set()
        thread.join()


def make_way(url: str, owner: User, brand: Brand) -> Way:
    """A key and a session of the brand's owner."""
    browser = Client()
    browser.force_login(owner)
    return Way(url, str(brand.pk), make_key(owner=owner)[1], browser.cookies[settings.SESSION_COOKIE_NAME].value)


def main() -> int:
    """Serve, press, print; 1 when something failed."""
    random.seed(uuid4().int)
    failed = 0
    with ExitStack() as stack:
        database = stack.enter_context(own_database())
        owner = UserFactory(plan=Plan.objects.get(tier="scale"))
        brand = seed_brand(SYSTEM, owner)
        address = stack.enter_context(running_provider("latency=3"))
        make_engine("asked", "m", address, concurrency=20)
        call_command("collectstatic", interactive=False, verbosity=0)
        limits = {
            "RATE_LIMIT": "100000000/m",
            "STATIC_ROOT": str(settings.STATIC_ROOT),
            "SECRET_KEY": settings.SECRET_KEY,  # which signs the session
        }
        serve = (sys.executable, "-m", "config.supervise")
        live = stack.enter_context(live_process(*serve, database=database, **limits))
        way = make_way(live.url, owner, brand)
        runs = stack.enter_context(scanning())
        for clients in CLIENTS:
            before = len(runs)
            waits = asyncio.run(press(way, clients))
            calls = sum(len(each.milliseconds) for each in waits.values())
            rate, begun = calls / SECONDS, len(runs) - before
            print(f"\n{clients} clients for {SECONDS:.0f} s: {rate:.0f} answers a second, {begun} scans begun")
            for door, each in waits.items():
                print(f"  {door:<6}{each.line()}", flush=True)
                failed += sum(each.errors.values())
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
