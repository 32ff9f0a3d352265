"""REST endpoints against a bare view: requests a second, p50, p95, ratio, SQL statements. Runs on PostgreSQL.

The limit runs on the same server software with the same database: a Django view without middleware that executes
the very statements that the endpoint executed and dumps the same payload with orjson.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import django
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.bench.load import burst, fetch, get
from tests.live import free_port, without_static_files

AIM_RATIO, AIM_STATEMENTS = 2.5, 4
ROUNDS, SECONDS, CONNECTIONS = 3, 2.0, 4


@contextmanager
def served(module, settings, port, environment):
    """gunicorn with one ASGI worker, as in production, until the block ends."""
    command = [
        sys.executable, "-m", "gunicorn", f"{module}:application", "-k", "asgi", "-w", "1",
        "--bind", f"127.0.0.1:{port}", "--no-control-socket", "--log-level", "error",
    ]  # fmt: skip
    without_static_files(environment)
    process = subprocess.Popen(command, env={**environment, "DJANGO_SETTINGS_MODULE": settings})
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


def wait_for(port, scenario):
    """Until the server answers the scenario."""
    for _ in range(100):
        try:
            return fetch(port, get(scenario.path, scenario.key))
        except (ConnectionError, RuntimeError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"no answer on port {port}")


def record(scenarios):
    """The statements and the payload of each scenario, as the endpoint itself produces them."""
    client, recorded = Client(), {}
    for scenario in scenarios:
        header = f"Bearer {scenario.key}"
        client.get(scenario.path, headers={"Authorization": header})  # the first call of a key also notes its use
        with CaptureQueriesContext(connection) as captured:
            response = client.get(scenario.path, headers={"Authorization": header})
        sql = [query["sql"] for query in captured.captured_queries]
        recorded.setdefault(scenario.path, {})[header] = {"sql": sql, "payload": json.loads(response.content)}
    return recorded


def measure(scenarios, recorded, ports):
    """Alternate between the service and the limit, and print a line for each scenario; returns the missed aims."""
    missed = []
    print("endpoint                   req/s  p50 ms  p95 ms  limit/s    p50    p95  ratio  SQL")
    for scenario in scenarios:
        ours, limits = [], []
        for _ in range(ROUNDS):
            for port, loads in zip(ports, (ours, limits), strict=True):
                request = get(scenario.path, scenario.key)
                loads.append(burst(port, request, connections=CONNECTIONS, seconds=SECONDS))
        mine, limit = (sorted(loads, key=lambda load: load.rate)[ROUNDS // 2] for loads in (ours, limits))
        ratio = limit.rate / mine.rate
        statements = len(recorded[scenario.path][f"Bearer {scenario.key}"]["sql"])
        print(
            f"{scenario.name:<24}{mine.rate:>8.0f}{mine.p50:>8.1f}{mine.p95:>8.1f}{limit.rate:>9.0f}"
            f"{limit.p50:>7.1f}{limit.p95:>7.1f}{ratio:>7.2f}{statements:>5}",
            flush=True,
        )
        if ratio > AIM_RATIO or statements > AIM_STATEMENTS:
            missed.append(scenario.name)
    return missed


def main():
    """Make the data, serve both, measure. Exit status 1 when an aim is missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    os.environ["RATE_LIMIT"] = "100000000/m"
    django.setup()
    from tests.bench.data import scenarios as make_scenarios  # noqa: PLC0415 -- models need django.setup() first

    call_command("migrate", verbosity=0)
    scenarios = make_scenarios()
    recorded = record(scenarios)
    replay = Path(tempfile.mkdtemp()) / "replay.json"
    replay.write_text(json.dumps(recorded))
    environment = {**os.environ, "BENCH_REPLAY": str(replay)}
    ports = free_port(), free_port()
    with ExitStack() as stack:
        stack.enter_context(served("config.asgi", "config.settings.test", ports[0], environment))
        stack.enter_context(served("tests.bench.bare", "tests.bench.settings_bare", ports[1], environment))
        for port in ports:
            wait_for(port, scenarios[0])
        missed = measure(scenarios, recorded, ports)
    print(f"Aims: ratio ≤ {AIM_RATIO}, statements ≤ {AIM_STATEMENTS}. Missed: {', '.join(missed) or 'none'}.")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
