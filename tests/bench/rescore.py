"""Histories that are measured again after an edit of names: answers a second, memory, and whether others wait.

While a worker builds the next generation, the REST trend is read and the brand's row is locked over and over, as
readers and ending scans do. `python -m tests.bench.rescore [ANSWERS …]` runs on the database that DATABASE_URL names,
else on SQLite.
"""

import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from statistics import quantiles

import django
from django.core.management import call_command
from django.db import connection, transaction

from tests.bench.load import Connection
from tests.bench.rest import served
from tests.live import ROOT, answers, environment, free_port, wait_for

SIZES = {"postgresql": (10_000, 100_000), "sqlite": (2_000, 10_000)}
AIM_MEMORY = 1.2
PROBE_SECONDS = 0.1


@dataclass(slots=True)
class Waits:
    """How long others waited, in milliseconds."""

    reads: list[float] = field(default_factory=list)
    locks: list[float] = field(default_factory=list)

    def line(self) -> str:
        """Median, 95 % and longest of each."""
        return "".join(
            f"{_p(each, 50):>8.1f}{_p(each, 95):>8.1f}{max(each):>8.0f}" for each in (self.reads, self.locks)
        )


def _p(values, percent):
    return quantiles(values, n=100)[percent - 1] if len(values) > 1 else values[0]


class Probe:
    """Reads the trend and locks the brand's row, ten times a second, until the block ends."""

    def __init__(self, bench, brand, key, port):
        self.waits = Waits()
        self._bench, self._brand = bench, brand
        begin, end = (int(bench.FIRST_DAY.timestamp() + days * 86_400) * 1_000 for days in (0, 364))
        self._connection = Connection(port, f"/api/v1/brands/{brand.pk}/visibility?from={begin}&to={end}", key)
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._repeat, args=each) for each in self._acts()]

    def _acts(self):
        return (self._read, self.waits.reads), (self._lock, self.waits.locks)

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
        status, body = self._connection.get()
        assert status == 200, body

    def _lock(self):
        with transaction.atomic():
            self._bench.lock_brand(self._brand)


def worked(generation):
    """What a worker process took to build the generation, or to clear it away."""
    command = [sys.executable, "-m", "tests.bench.rescore_worker", str(generation.pk)]
    ended = subprocess.run(command, cwd=ROOT, env=environment(), check=True, stdout=subprocess.PIPE)
    return json.loads(ended.stdout)


HEAD = (
    "answers   wall s  answers/s  cpu ms  look ms store ms score ms  switch s  clear s   MB"
    "  | read ms p50     p95     max | lock ms p50     p95     max"
)


def measure(bench, size, port) -> float:
    """Edit the names of a new brand with so many answers, print the line; returns the worker's peak of megabytes."""
    brand, key = bench.filled_brand(size)
    number = bench.Answer.objects.filter(brand=brand).count()
    idle = Probe(bench, brand, key, port)
    with idle:
        time.sleep(3)
    with Probe(bench, brand, key, port) as waits:
        generation = bench.edited(brand)
        took = worked(generation)
        bench.check(brand, generation)
        cleared = worked(bench.retired(generation))
    each = {stage: 1_000 * took[stage] / number for stage in ("cpu", "looking", "storing", "scoring")}
    print(
        f"{number:>7,}{took['wall']:>9.1f}{number / took['wall']:>11.0f}{each['cpu']:>8.2f}{each['looking']:>9.2f}"
        f"{each['storing']:>9.2f}{each['scoring']:>9.2f}{took['switching']:>10.2f}{cleared['wall']:>9.1f}"
        f"{took['peak']:>5.0f}  |    {waits.line()[:24]} |    {waits.line()[24:]}\n{'nothing to do':>88}  |    "
        f"{idle.waits.line()[:24]} |    {idle.waits.line()[24:]}",
        flush=True,
    )
    return took["peak"]


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
        peaks = [measure(bench, size, port) for size in sizes or SIZES[connection.vendor]]
    growth = peaks[-1] / peaks[0]
    print(f"Aim: memory of the largest ≤ {AIM_MEMORY} × that of the smallest; it is {growth:.2f}.")
    return int(growth > AIM_MEMORY)


if __name__ == "__main__":
    raise SystemExit(main([int(each) for each in sys.argv[1:]]))
