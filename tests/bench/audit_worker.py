"""Audits in a process of its own, as a worker carries them out: prints as JSON what each took.

Libraries are loaded before the clock starts, those of the parser too unless it is to be `cold`: a worker loads them
once in its life.
"""

import json
import os
import resource
import sys
import time
from uuid import UUID

import django


def main(run_id, local_pause, cold):
    """Carry out the audit and print seconds, processor seconds (of this process and of its parsers) and megabytes."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from visibility.audit.parse.child import ParsingChild  # noqa: PLC0415 -- models need django.setup() first
    from visibility.audit.parse.starter import STARTER  # noqa: PLC0415
    from visibility.pipeline.circumstances import Circumstances  # noqa: PLC0415
    from visibility.pipeline.runner import execute  # noqa: PLC0415

    if not cold:
        with ParsingChild() as child:
            child.parse(b"<p>warm", url="https://x.example/", content_type="text/html")
    begun, cpu = time.perf_counter(), time.process_time()
    execute(UUID(run_id), f"bench {run_id}", Circumstances(local_pause=local_pause))
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    STARTER.end()
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
    main(sys.argv[1], float(sys.argv[2]), sys.argv[3] == "cold")
