"""What scans cost: `make bench`. One worker asks a provider of its own process that answers after three seconds.

A scan of N answers with c under way at once takes at least ⌈N/c⌉ × 3 s; the ratio is from its start until its
figures are there. Then: whether the worker's memory stays flat over many scans. Exits with 1 when a limit is missed;
a machine that is busy with other work misses them.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from urllib.parse import urlencode

import tests.postgres  # noqa: F401 - starts a server before the settings are read, unless DATABASE_URL names one

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["OPENAI_API_KEY"] = "sk-key-of-the-benchmark"

import django

django.setup()

import psutil  # noqa: E402

from tests.engines.provider import running_provider  # noqa: E402
from tests.live import live_process, own_database, wait_for  # noqa: E402
from tests.runs.conftest import SYSTEM, make_brand, make_engine  # noqa: E402
from visibility.models import Engine, Run  # noqa: E402
from visibility.runs.services import start_scan  # noqa: E402

LATENCY = 3
ANSWERS, SAMPLES = 2_000, 5
WINDOWS = (50, 200)
LIMIT = 1.15
"""What a scan may take, in times of the ideal."""
SCANS, WARM = 100, 20
FLAT_MB = 10
"""What the worker may grow between the WARMth and the last of SCANS small scans."""
ENTRY = (
    "**{name} {number}**: it lasts long, weighs little and costs what it should. Most people like its fit and grip."
)
TEXT = "\n".join(
    ["For {question} these are worth a look:", ""]
    + [
        f"{n}. " + ENTRY.format(name=name, number=n)
        for n, name in enumerate(("Acme", "Hoka", "Globex", "Saucony"), 1)
    ]
    + [
        "",
        "Whichever you take, try it on in the evening, when feet are largest, and with the socks that you run in. ",
    ]
    * 6
)
SCRIPT = urlencode({"latency": LATENCY, "text": TEXT})
"""Answers with as much text, and as many names, as real ones."""


@contextmanager
def worker(database: str) -> Iterator[psutil.Process]:
    """A worker that has begun to look for jobs."""
    with live_process(sys.executable, "manage.py", "worker", database=database, ready="") as live:
        time.sleep(6)
        yield psutil.Process(live.process.pid)


def scan(prompts: int, samples: int) -> tuple[Run, float]:
    """A scan of a brand of its own, and the seconds from its start until it is measured."""
    brand = make_brand(prompts=prompts, samples=samples)
    begun = time.monotonic()
    run = start_scan(SYSTEM, brand_id=brand.pk, trigger=Run.Trigger.OPERATOR).run
    wait_for(lambda: not Run.objects.active().filter(pk=run.pk).exists(), seconds=600)
    run.refresh_from_db()
    return run, time.monotonic() - begun


def main() -> int:
    """Scan, measure, print; 1 when a limit is missed."""
    missed = []
    with own_database() as database, running_provider(SCRIPT) as address, worker(database) as process:
        for window in WINDOWS:
            make_engine(f"window-{window}", "m", address, concurrency=window)
            scan(1, 1)  # connects
            cpu = sum(process.cpu_times()[:2])
            run, seconds = scan(ANSWERS // SAMPLES, SAMPLES)
            Engine.objects.update(is_enabled=False)
            ideal = ceil(ANSWERS / window) * LATENCY
            cpu = (sum(process.cpu_times()[:2]) - cpu) / ANSWERS * 1_000
            print(
                f"{run.done:,} of {run.total:,} answers, {window} at once: {seconds:.1f} s, {seconds / ideal:.2f} × "
                f"the ideal; {run.done / seconds:.0f} answers a second; {cpu:.1f} ms of the worker's CPU an answer"
            )
            if seconds / ideal > LIMIT or run.done < run.total:
                missed.append(f"{window} at once")
    with own_database() as database, running_provider() as address, worker(database) as process:
        make_engine("quick", "m", address, concurrency=20)
        sizes = []
        for _ in range(SCANS):
            scan(10, 2)
            sizes.append(process.memory_info().rss / 1e6)
        print(f"The worker after {WARM} scans {sizes[WARM - 1]:.0f} MB, after {SCANS} {sizes[-1]:.0f} MB")
        if sizes[-1] - sizes[WARM - 1] > FLAT_MB:
            missed.append("memory")
    print(f"Limits: {LIMIT} × the ideal, {FLAT_MB} MB. Missed: {', '.join(missed) or 'none'}.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
