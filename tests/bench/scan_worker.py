"""One run in a process of its own, as a worker carries it out: prints as JSON what it took.

Libraries are loaded before the clock starts: a worker loads them once in its life.
"""

import importlib
import json
import os
import resource
import sys
import time
from functools import wraps
from uuid import UUID

import django

from visibility.engines.presets import PRESETS

STAGES = {"asking": "_ask", "detecting": "_detect", "scoring": "finish"}


def timed(module, names):
    """Have these functions of a module note the seconds and the processor seconds that they took."""
    taken = {stage: {"wall": 0.0, "cpu": 0.0} for stage in names}

    def wrap(stage, function):
        @wraps(function)
        def clocked(*args, **kwargs):
            begun, cpu = time.perf_counter(), time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                taken[stage]["wall"] += time.perf_counter() - begun
                taken[stage]["cpu"] += time.process_time() - cpu

        return clocked

    for stage, name in names.items():
        setattr(module, name, wrap(stage, getattr(module, name)))
    return taken


def main(run_id, *, together=False):
    """Carry out the run and print seconds, processor seconds and megabytes.

    One of several that begin `together` says a line when it is ready, and waits for one.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    runner = importlib.import_module("visibility.pipeline.runner")
    for preset in PRESETS.values():
        importlib.import_module(preset.adapter.rpartition(".")[0])
    stages = timed(runner, STAGES)
    if together:
        print("ready", flush=True)
        sys.stdin.readline()
    before, begun, cpu = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter(), time.process_time()
    runner.execute(UUID(run_id), f"bench {run_id}")
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"wall": wall, "cpu": cpu, "before": before / 1024, "peak": peak / 1024, "stages": stages}))


if __name__ == "__main__":
    main(sys.argv[1], together="--together" in sys.argv)
