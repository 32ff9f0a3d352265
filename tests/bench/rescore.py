"""Histories that are measured again: answers a second, memory of the worker, and whether others wait.

For each size after an edit of names, which takes citations over, and for the smallest also for a new detector, which
finds everything anew. While a worker builds the next generation, the REST trend is read and the brand's row is locked
over and over, as readers and ending scans do. `python -m tests.bench.rescore [ANSWERS …]` runs on the database that
DATABASE_URL names, else on SQLite.
"""

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from statistics import quantiles

import django
from django.core.management import call_command
from django.db import connection, transaction

from tests.bench.rest import served
from tests.live import ROOT, answers, environment, free_port, wait_for

SIZES = {"postgresql": (10_000, 100_000), "sqlite": (2_000, 10_000)}
AIM_MEMORY = 1.2
PROBE_SECONDS, IDLE_SECONDS = 0.1, 5.0


@dataclass(slots=True)
class Waits:
    """How long others waited, in milliseconds."""

    reads: list[float] = field(default_factory=list)
    locks: list[float] = field(default_factory=list)

    def line(self) -> str:
        """Median, 95 % and longest of each."""
        return "".join(
            f"{_p(each, 50):>10.1f}{_p(each, 95):>8.1f}{max(each):>6.0f} " for each in (self.reads, self.locks)
        )


def _p(values, percent):
    return quantiles(values, n=100)[percent - 1] if len(values) > 1 else values[0]


class Probe:
    """Reads the trend and locks the brand's row, ten times a second, until the block ends."""

    def __init__(self, bench, brand, key, port):
        self.waits = Waits()
        self._bench, self._brand, self._port = bench, brand, port
        self._headers = {"Authorization": f"Bearer {key}"}
        begin, end = (int(bench.FIRST_DAY.timestamp() + days * 86_400) * 1_000 for days in (0, 364))
        self._path = f"/api/v1/brands/{brand.pk}/visibility?from={begin}&to={end}"
        self._ended = threading.Event()
        acts = (self._read, self.waits.reads), (self._lock, self.waits.locks)
        self._threads = [threading.Thread(target=self._repeat, args=each) for each in acts]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self.waits

    def __exit__(self, *error):
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _repeat(self, act, waits):
        while not self._ended.wait(PROBE_SECONDS):
            begun = time.perf_counter()
            act()
            waits.append(1_000 * (time.perf_counter() - begun))
        connection.close()

    def _read(self):
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=60)) as http:
            http.request("GET", self._path, headers=self._headers)
            answer = http.getresponse()
            assert answer.status == 200, answer.read()
            answer.read()

    def _lock(self):
        with transaction.atomic():
            self._bench.lock_brand(self._brand)


def worked(generation):
    """What a worker process took to build the generation, or to clear it away."""
    command = [sys.executable, "-m", "tests.bench.rescore_worker", str(generation.pk)]
    ended = subprocess.run(command, cwd=ROOT, env=environment(), check=True, stdout=subprocess.PIPE)
    return json.loads(ended.stdout)


HEAD = (
    "answers what         wall s  answers/s  cpu ms look ms store ms score ms switch s clear s   MB"
    " | read ms: p50     p95   max | lock ms: p50    p95   max"
)


def measure(bench, size, port, changes) -> float:
    """Measure a new brand with so many answers again and again; returns the worker's peak of megabytes."""
    brand, key = bench.filled_brand(size)
    number, peaks = bench.Answer.objects.filter(brand=brand).count(), []
    with Probe(bench, brand, key, port) as waits:
        time.sleep(IDLE_SECONDS)
    print(f"{number:>7,} {'nothing':<8}{'':>78} | {waits.line()}", flush=True)
    for what in changes:
        generation, before = bench.CHANGES[what](brand)
        with Probe(bench, brand, key, port) as waits:
            took = worked(generation)
        bench.check(brand, generation)
        took["clearing"] = worked(before)["wall"]
        each = "".join(f"{1_000 * took[stage] / number:>8.2f}" for stage in ("cpu", "looking", "storing", "scoring"))
        rate = number / took["wall"]
        print(
            f"{number:>7,} {what:<8}{took['wall']:>11.1f}{rate:>11.0f}{each}{took['switching']:>9.2f}"
            f"{took['clearing']:>8.1f}{took['peak']:>5.0f}     | {waits.line()}",
            flush=True,
        )
        peaks.append(took["peak"])
    return max(peaks)


def main(sizes) -> int:
    """Measure each size. Exit status 1 when memory grows with the number of answers."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from tests.bench import rescore_data as bench  # noqa: PLC0415 -- models need django.setup() first

    os.environ["RATE_LIMIT"] = "100000000/m"
    call_command("migrate", verbosity=0)
    print(f"{connection.vendor}; {bench.materials()[1]}; load before: {os.getloadavg()[0]:.1f} of {os.cpu_count()}.")
    print(HEAD, flush=True)
    port = free_port()
    with served("config.asgi", "config.settings.test", port, environment()):
        wait_for(lambda: answers(f"http://127.0.0.1:{port}/healthz"), what="the server")
        smallest, *others = sizes or SIZES[connection.vendor]
        peaks = [measure(bench, smallest, port, ["names", "detector"])]
        peaks += [measure(bench, size, port, ["names"]) for size in others]
    growth = peaks[-1] / peaks[0]
    print(f"Aim: memory of the largest ≤ {AIM_MEMORY} × that of the smallest; it is {growth:.2f}.")
    return int(growth > AIM_MEMORY)


if __name__ == "__main__":
    raise SystemExit(main([int(each) for each in sys.argv[1:]]))
