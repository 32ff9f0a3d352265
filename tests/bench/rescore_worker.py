"""Works on generations in a process of its own until none is left, as a worker does turn by turn; prints as JSON
what it took."""

import importlib
import json
import os
import resource
import sys
import time
from itertools import count
from pathlib import Path
from uuid import UUID

import django

from tests.bench.scan_worker import timed


def mapped():
    """Kilobytes of files that are mapped into memory, as SQLite's database is: shared, and given back on demand."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("RssFile:")), 0)


def main(generation_id):
    """Build or clear away the generation and print seconds, processor seconds and megabytes."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    detecting = importlib.import_module("visibility.pipeline.detect.detecting")
    rescoring = importlib.import_module("visibility.pipeline.generations.building")
    runner = importlib.import_module("visibility.pipeline.generations.runner")
    models = importlib.import_module("visibility.models")
    stages = timed(detecting, {"looking": "_find", "storing": "_store"})
    scoring = timed(rescoring, {"scoring": "_score", "switching": "_switch"})
    begun, cpu = time.perf_counter(), time.process_time()
    to_do = models.Generation.objects.filter(pk=UUID(generation_id)).exclude(state=models.Generation.State.CURRENT)
    for turn in count():
        if not to_do.exists():
            break
        runner.work_on(UUID(generation_id), f"bench-{turn}")
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - mapped()
    took = {
        "wall": wall,
        "cpu": cpu,
        "peak": peak / 1024,
        **{stage: taken["wall"] for stage, taken in (stages | scoring).items()},
    }
    print(json.dumps(took))


if __name__ == "__main__":
    main(sys.argv[1])
