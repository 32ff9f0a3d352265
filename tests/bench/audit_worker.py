"""Audits in a process of its own, as a worker carries them out: prints as JSON what each took.

Libraries are loaded before the clock starts: a worker loads them once in its life.
"""

import json
import os
import resource
import sys
import time
from uuid import UUID

import django


def main(run_id):
    """Carry out the audit and print seconds, processor seconds (of this process, and of its parser) and megabytes."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from visibility.pipeline.runner import execute  # noqa: PLC0415 -- models need django.setup() first

    begun, cpu = time.perf_counter(), time.process_time()
    execute(UUID(run_id), f"bench {run_id}")
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    parser = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took = {
        "wall": wall,
        "cpu": cpu,
        "parser": parser.ru_utime + parser.ru_stime,
        "peak": peak / 1024,
        "parser_peak": parser.ru_maxrss / 1024,
    }
    print(json.dumps(took))


if __name__ == "__main__":
    main(sys.argv[1])
