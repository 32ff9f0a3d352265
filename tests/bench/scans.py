"""Scans against a provider on loopback: how near the whole pipeline comes to the time that answers take anyway.

The limit is ceil(calls / concurrency) × latency: what would remain if asking, storing, detecting and scoring took no
time. Runs on the database that DATABASE_URL names, else on SQLite. `python -m tests.bench.scans [CALLS …]` adds runs
of so many calls: whether time for an answer stays the same.
"""

import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import django
from django.core.management import call_command

from tests.live import ROOT, environment
from tests.providers.process import provider_process

CALLS = 1_000
SAMPLES = 4
CASES = ((3.0, 50), (3.0, 200), (3.0, 500), (0.3, 50), (0.3, 200), (0.3, 500))
LONG_CASE = (0.3, 200)
AIM, AIM_LATENCY, AIM_CONCURRENCY = 1.15, 3.0, 200
PARAGRAPHS = 10
"""About 3,200 characters, ten sources and twenty names: as long as answers with sources are, and fuller of them."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: seconds, processor seconds, megabytes."""

    calls: int
    latency: float
    concurrency: int
    took: dict[str, Any]

    @property
    def ratio(self) -> float:
        """Seconds over those of the limit."""
        return self.took["wall"] / (math.ceil(self.calls / self.concurrency) * self.latency)

    @property
    def missed(self) -> bool:
        """Whether this is a case with an aim, and slower than that."""
        aimed = self.latency >= AIM_LATENCY and self.concurrency <= AIM_CONCURRENCY
        return aimed and self.ratio > AIM

    def line(self) -> str:
        """A row of the table."""
        took, stages = self.took, self.took["stages"].values()
        walls = "".join(f"{stage['wall']:>7.1f}" for stage in stages)
        costs = "".join(f"{1000 * stage['cpu'] / self.calls:>7.2f}" for stage in stages)
        return (
            f"{self.calls:>7,}{self.latency:>7.1f}{self.concurrency:>5}{took['wall']:>8.1f}{self.ratio:>7.2f}{walls}"
            f"{1000 * took['cpu'] / self.calls:>8.2f}{costs}{took['peak']:>6.0f}{took['peak'] - took['before']:>6.0f}"
        )


HEAD = """
                                     seconds in       ms of processor for each answer    peak
  calls latency  c  wall s  ratio  asking detect  score     all asking detect  score    MB   +MB
(answers are analysed while others are asked for: then it counts as asking)""".lstrip("\n")


def measure(bench, calls, latency, concurrency) -> Measured:
    """A scan of a new brand, in a worker of its own, against a provider of its own."""
    with provider_process(latency, PARAGRAPHS) as provider:
        run = bench.planned_run(provider, calls, SAMPLES, concurrency)
        command = [sys.executable, "-m", "tests.bench.scan_worker", str(run.pk)]
        ended = subprocess.run(command, cwd=ROOT, env=environment(), check=True, stdout=subprocess.PIPE)
        bench.check(run, provider.book())
    return Measured(calls, latency, concurrency, json.loads(ended.stdout))


def main(longer) -> int:
    """Measure every case and print a line for each. Exit status 1 when an aim is missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from tests.bench import scan_data  # noqa: PLC0415 -- models need django.setup() first

    call_command("migrate", verbosity=0)
    print(f"Load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.")
    print(HEAD, flush=True)
    missed = []
    for calls, latency, concurrency in [(CALLS, *case) for case in CASES] + [(many, *LONG_CASE) for many in longer]:
        measured = measure(scan_data, calls, latency, concurrency)
        print(measured.line(), flush=True)
        missed += [f"{latency:g} s at {concurrency}"] if measured.missed else []
    aim = f"ratio ≤ {AIM} at {AIM_LATENCY:g} s and up to {AIM_CONCURRENCY} at once"
    print(f"Aim: {aim}. Missed: {', '.join(missed) or 'none'}.")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main([int(each) for each in sys.argv[1:]]))
