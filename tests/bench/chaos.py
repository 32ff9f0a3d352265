"""Kills and outages under load: `make chaos`. Five minutes; afterwards doctor finds nothing wrong.

A supervisor runs the web server and the worker over a PostgreSQL of their own, callers and scans go on all the time,
and every few seconds something is killed, frozen, stopped, filled up, or has another clock. In the end every run has
ended, and each call that was accepted stands in the call log once. CHAOS_SECONDS shortens it. Exits with 1 else.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request
from uuid import uuid4

import tests.postgres  # noqa: F401 - starts a server before the settings are read, unless DATABASE_URL names one

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["OPENAI_API_KEY"] = "sk-key-of-the-benchmark"

import django

django.setup()

import orjson  # noqa: E402
import psutil  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import DatabaseError, connection  # noqa: E402
from django.db.models import Count  # noqa: E402

from apikeys.models import CallLog  # noqa: E402
from config import postgres  # noqa: E402
from config.doctor.checks import State  # noqa: E402
from config.doctor.examination import CHECKS, examine  # noqa: E402
from tests.engines.provider import running_provider  # noqa: E402
from tests.factories import make_key  # noqa: E402
from tests.live import DIRECT, Live, live_process, used_here, wait_for  # noqa: E402
from tests.runs.conftest import SYSTEM, make_brand, make_engine  # noqa: E402
from visibility.models import ProviderCall, Run  # noqa: E402
from visibility.runs.services import start_scan  # noqa: E402

SECONDS = float(os.environ.get("CHAOS_SECONDS") or 300)
OPTIONS = {"max_connections": "200"}
"""Of PostgreSQL, which else is as durable as in production: what it has confirmed outlives a kill."""
CALLERS = 6
PAUSE = 6.0
"""Seconds between two faults."""
SCAN_EVERY = 20.0
PROMPTS = 60
DISK = "400m"
CLOCKS = ("+300s", "-300s")
END_SECONDS = 180
"""In which all runs end after the last fault."""
INVARIANTS = frozenset({"credits", "ledger", "runs", "bills", "figures"})
LOOKED_AT = INVARIANTS | {"database", "limits", "tables", "disk", "clock", "queue"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "svc_list_sites", "arguments": {}}}


class World:
    """The running service, and what faults are made of."""

    def __init__(self, live: Live, data: Path, database: str, disk: Path | None) -> None:
        self.live, self.data, self.database, self.disk = live, data, database, disk

    def children(self, part: str) -> list[psutil.Process]:
        """The processes of the supervisor whose command has this part."""
        found = psutil.Process(self.live.process.pid).children(recursive=True)
        with suppress(psutil.Error):
            return [each for each in found if part in " ".join(each.cmdline())]
        return []

    def server(self) -> list[psutil.Process]:
        """PostgreSQL's first process and its backends."""
        with suppress(OSError, psutil.Error, IndexError):
            first = psutil.Process(int((self.data / "postmaster.pid").read_text().split()[0]))
            return [first, *first.children()]
        return []


def kill(processes: list[psutil.Process]) -> None:
    for each in processes:
        with suppress(psutil.Error):
            each.kill()


def kill_worker(world: World) -> None:
    kill(world.children("manage.py worker"))


def kill_web(world: World) -> None:
    kill(world.children("gunicorn")[-1:])


def end_worker(world: World) -> None:
    for each in world.children("manage.py worker"):
        each.terminate()


def kill_backend(world: World) -> None:
    kill([each for each in world.server()[1:] if "postgres:" in " ".join(each.cmdline())][-1:])


def freeze_server(world: World) -> None:
    frozen = world.server()
    for each in frozen:
        each.suspend()
    time.sleep(4)
    for each in frozen:
        with suppress(psutil.Error):
            each.resume()


def stop_server(world: World) -> None:
    postgres.stop(world.data)
    time.sleep(3)
    postgres.start(world.data, **OPTIONS)


def kill_server(world: World) -> None:
    kill(world.server()[:1])
    time.sleep(2)
    postgres.start(world.data, **OPTIONS)


def fill_disk(world: World) -> None:
    if world.disk is None:
        return
    filler = world.disk / "filler"
    try:
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(1 << 16))
        time.sleep(5)
    finally:
        filler.unlink(missing_ok=True)


def shift_clock(world: World) -> None:
    """Another worker whose clock is off takes part for a while, and is killed."""
    shift = random.choice(CLOCKS)
    command = ("faketime", "-f", shift, sys.executable, "manage.py", "worker")
    with live_process(*command, database=world.database, ready="", FAKETIME_DONT_FAKE_MONOTONIC="1") as other:
        time.sleep(10)
        os.killpg(other.process.pid, signal.SIGKILL)


FAULTS: tuple[Callable[[World], None], ...] = (
    kill_worker,
    kill_web,
    freeze_server,
    kill_backend,
    shift_clock,
    stop_server,
    end_worker,
    fill_disk,
    kill_server,
)


class Callers:
    """Calls of both doors, each with an id of its own: which were answered, and how."""

    def __init__(self, url: str, key: str) -> None:
        self.url, self.key = url, key
        self.accepted: set[str] = set()
        self.statuses: Counter[str] = Counter()
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(number,)) for number in range(CALLERS)]

    def _run(self, number: int) -> None:
        while not self.ended.wait(0.05):
            request_id = uuid4().hex
            status = self._call(request_id, number % 2 == 0)
            self.statuses[status] += 1
            if status == "200":
                self.accepted.add(request_id)

    def _call(self, request_id: str, is_rest: bool) -> str:
        headers = {"Authorization": f"Bearer {self.key}", "X-Request-ID": request_id}
        if is_rest:
            request = Request(f"{self.url}/api/v1/brands", headers=headers)
        else:
            accept = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
            request = Request(f"{self.url}/mcp", data=orjson.dumps(LIST), headers=headers | accept)
        try:
            with DIRECT.open(request, timeout=60) as response:
                body = response.read()
                failed = b'"isError":true' in body.replace(b" ", b"")
                return "tool error" if failed else str(response.status)
        except HTTPError as refusal:
            return str(refusal.code)
        except (OSError, HTTPException):
            return "no answer"


def scan_on(ended: threading.Event, runs: list[Run]) -> None:
    """Start a scan of another brand each SCAN_EVERY seconds; where the database is away, the next time."""
    while not ended.wait(SCAN_EVERY):
        with suppress(DatabaseError, OSError):
            brand = make_brand(prompts=PROMPTS, samples=1)
            runs.append(start_scan(SYSTEM, brand_id=brand.pk, trigger=Run.Trigger.OPERATOR).run)
        connection.close()


@contextmanager
def own_disk(folder: Path) -> Iterator[Path | None]:
    """A small file system for PostgreSQL; None where nobody may mount one."""
    disk = folder / "disk"
    disk.mkdir(mode=0o711)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=711", "none", disk], check=False)
    if mounted.returncode:
        print("No file system can be mounted here, so none is filled.")
        yield None
        return
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def twice_or_never(accepted: set[str]) -> tuple[int, int]:
    """How many accepted calls are in the call log not at all, and how many calls are there more than once."""
    logged = Counter(CallLog.objects.values_list("request_id", flat=True))
    return len(accepted - logged.keys()), sum(number > 1 for name, number in logged.items() if name)


def main() -> int:
    """Run, break, look; 1 when something is not as it was."""
    random.seed(os.environ.get("CHAOS_SEED", "1"))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="chaos-")))
        folder.chmod(0o711)
        disk = stack.enter_context(own_disk(folder))
        data = (disk or folder) / "postgres"
        database = postgres.start(data, **OPTIONS)
        stack.callback(postgres.stop, data)
        stack.enter_context(used_here(database))
        call_command("migrate", verbosity=0)
        address = stack.enter_context(running_provider("latency=1&rate_500=0.03&rate_cut=0.02"))
        make_engine("asked", "m", address, concurrency=10)
        key = make_key(owner=make_brand(prompts=1).owner)[1]
        serve = (sys.executable, "-m", "config.supervise")
        limits = {"RATE_LIMIT": "1000000/m", "LOG_LEVEL": "ERROR", "DRAIN_SECONDS": "0", "WORKER_GRACE_SECONDS": "10"}
        live = stack.enter_context(live_process(*serve, database=database, **limits))
        world = World(live, data, database, disk)
        runs: list[Run] = []
        callers = Callers(live.url, key)
        threads = [*callers.threads, threading.Thread(target=scan_on, args=(callers.ended, runs))]
        for thread in threads:
            thread.start()
        made = break_things(world)
        callers.ended.set()
        for thread in threads:
            thread.join()
        connection.close()
        connection.close_pool()
        wait_for(lambda: not Run.objects.active().exists(), seconds=END_SECONDS, every=1)
        time.sleep(PAUSE)  # the next sweep
        return report(made, callers, address)


def break_things(world: World) -> Counter[str]:
    """Make one fault after the other until the time is over; returns how many of each were made."""
    made: Counter[str] = Counter()
    begun = time.monotonic()
    number = 0
    while time.monotonic() - begun < SECONDS:
        time.sleep(PAUSE)
        fault = FAULTS[number % len(FAULTS)]
        number += 1
        with suppress(psutil.Error):
            fault(world)
        made[fault.__name__] += 1
        print(f"{time.monotonic() - begun:5.0f} s  {fault.__name__}", flush=True)
    return made


def report(made: Counter[str], callers: Callers, address: str) -> int:
    """Print what was made and what came of it; 1 when something is not as it was."""
    counts = orjson.loads(DIRECT.open(f"{address}/counts").read())
    answered = ProviderCall.objects.filter(outcome="answered").count()
    statuses = dict(Run.objects.values_list("status").annotate(number=Count("pk")).order_by())
    lost, doubled = twice_or_never(callers.accepted)
    print(f"\nFaults: {', '.join(f'{number} {name}' for name, number in made.items())}")
    print(f"Calls by answer: {dict(callers.statuses)}; accepted {len(callers.accepted):,}, not logged {lost}, ")
    print(f"  logged more than once {doubled}. Runs: {statuses}")
    print(f"Answers that the provider gave {counts['answered']:,}, stored {answered:,}")
    bad = bool(lost or doubled)
    for line in examine([each for each in CHECKS if each.name in LOOKED_AT]):
        print(f"  {line.state:<8} {line.check:<9} {line.words}")
        bad |= line.state == State.WRONG or (line.check in INVARIANTS and line.state != State.OK)
    print("Something is not as it was." if bad else "All is as it was.")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
