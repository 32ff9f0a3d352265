"""What a worker holds as it carries out scan after scan: memory, threads, open files, connections to the cache.

A real worker and scheduler, on the database, queue and cache that the environment names, else on the embedded ones
(`python -m tests.servers python -m tests.bench.worker_memory` for the others), against a provider on loopback. Each
scan is of a brand of its own, so that all are alike, and small. `--scans N` for others than a hundred.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import django
import psutil
from django.conf import settings
from django.core.management import call_command

from config.local.processes import die_with_parent
from tests.live import ROOT, environment, wait_for
from tests.providers.process import provider_process

SCANS, EVERY, WARM = 100, 10, 20
CALLS, SAMPLES, CONCURRENCY, PARAGRAPHS = 8, 2, 8, 2
LOOKS, LOOK_SECONDS = 4, 0.2
MAX_GROWTH = 3.0
"""Megabytes between the scan with which the worker counts as warm and the last one."""
HEAD = f"{'scans':>6}{'MB':>8}{'threads':>9}{'files':>7}{'to the cache':>14}"


def held(process):
    """Megabytes that are the process's alone, threads, open files and sockets, and those of the cache among them: the
    least of some looks, as the scheduler's ticks come in between."""
    looks = []
    for _ in range(LOOKS):
        looks.append(look(process))
        time.sleep(LOOK_SECONDS)
    return tuple(map(min, zip(*looks, strict=True)))


def look(process):
    """As `held`, at this moment."""
    fields = dict(line.split(":") for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()[1:])
    private = sum(int(fields[name].split()[0]) for name in ("Private_Clean", "Private_Dirty"))
    return private / 1024, process.num_threads(), process.num_fds(), to_cache(process)


def to_cache(process):
    """Connections to the server of the cache, or files of the cache in its folder."""
    url = os.environ.get("CACHE_URL")
    if not url:
        folder = str(settings.VAR_DIR / "cache")
        return sum(file.path.startswith(folder) for file in process.open_files())
    if urlsplit(url).port:
        return sum(bool(end.raddr) and end.raddr.port == urlsplit(url).port for end in process.net_connections())
    return len(process.net_connections("unix"))


def start(stack, *arguments):
    """A process of Celery until the stack ends."""
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "config", *arguments, "--loglevel", "WARNING"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment(), preexec_fn=partial(die_with_parent, os.getpid()))
    stack.callback(process.wait, 60)
    stack.callback(process.terminate)
    return process


def main(scans) -> int:
    """Print a line every ten scans. Exit status 1 when a warm worker goes on growing."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from tests.bench import scan_data  # noqa: PLC0415 -- models need django.setup() first

    call_command("migrate", verbosity=0)
    measured = {}
    with ExitStack() as stack:
        provider = stack.enter_context(provider_process(0.0, PARAGRAPHS))
        scan_data.planned_run(provider, CALLS, SAMPLES, CONCURRENCY)  # names the engine's key for the worker
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        worker = start(stack, "worker", "-P", "threads", "-c", str(settings.WORKER_THREADS), "--without-mingle")
        start(stack, "beat", "-s", str(Path(folder, "schedule")), "--pidfile=")
        process = psutil.Process(worker.pid)
        print(HEAD, flush=True)
        for number in range(1, scans + 1):
            run = scan_data.planned_run(provider, CALLS, SAMPLES, CONCURRENCY)
            wait_for(partial(ended, run), what=f"the end of scan {number}")
            if number % EVERY == 0:
                measured[number] = held(process)
                memory, *counts = measured[number]
                print(f"{number:>6}{memory:>8.1f}{counts[0]:>9}{counts[1]:>7}{counts[2]:>14}", flush=True)
    return verdict(measured)


def ended(run):
    """Whether the run succeeded; one that ended otherwise is an error."""
    run.refresh_from_db()
    assert run.status in ("queued", "running", "succeeded"), (run.status, run.error_message)
    return run.status == "succeeded"


def verdict(measured):
    """Print how much was added to a warm worker; 1 when that is too much."""
    warm, last = measured[min(WARM, max(measured))], measured[max(measured)]
    grown, more = last[0] - warm[0], last[3] - warm[3]
    missed = grown > MAX_GROWTH or more > 0
    aim = f"at most {MAX_GROWTH:g} MB, no connection more"
    print(f"From scan {WARM} on: {grown:+.1f} MB, {more:+d} connections to the cache. Aim: {aim}.")
    return 1 if missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scans", type=int, default=SCANS)
    raise SystemExit(main(parser.parse_args().scans))
