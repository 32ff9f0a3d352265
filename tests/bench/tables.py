"""A table of a million answers as a file, from a real server: memory, time, and that it is whole.

    python -m tests.bench.tables [ROWS [TABLE …]]

The brand of `generate_load_data` gets its answers, mentions and citations multiplied in the database; gunicorn serves
the file over HTTP to a client that counts its rows and keeps none. Measured is what the serving process takes at its
highest beyond what it takes when it has served a small file. Runs on PostgreSQL.
"""

import csv
import http.client
import os
import sys
import time
from pathlib import Path

import django
from django.core.management import call_command

from tests.bench.rest import served
from tests.live import free_port

AIM_MB, ROWS = 100, 1_000_000
TABLES = ("answers", "mentions", "citations")
_ID = "md5({}::text || number)::uuid"
_MULTIPLIED = {
    "visibility_answer": {
        "id": _ID.format("id"),
        "sample": "sample + 2 * number",
        "position": "position + {run} * number",
        "import_key": "NULL",
    },
    "visibility_mention": {"answer_id": _ID.format("answer_id")},
    "visibility_citation": {"answer_id": _ID.format("answer_id")},
}
"""What is other in each copy of a row."""


def multiply(brand, rows):
    """Have as many answers of the brand, each with the mentions and citations of the answer that it is a copy of."""
    from django.apps import apps  # noqa: PLC0415 -- models need django.setup() first
    from django.db import connection  # noqa: PLC0415

    answers, per_run = brand.answers.count(), brand.answers.count() // brand.runs.count()
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE own AS SELECT id FROM visibility_answer WHERE brand_id = %s", [brand.pk])
        for model in (apps.get_model("visibility", name) for name in ("Answer", "Mention", "Citation")):
            table, other = model._meta.db_table, _MULTIPLIED[model._meta.db_table]
            columns = [
                field.column
                for field in model._meta.local_concrete_fields
                if field.column in other or not field.primary_key
            ]
            names = ", ".join(f'"{column}"' for column in columns)
            values = ", ".join(other.get(column, f'"{column}"').format(run=per_run) for column in columns)
            of_brand = f"{'id' if table == 'visibility_answer' else 'answer_id'} IN (SELECT id FROM own)"
            cursor.execute(
                f"INSERT INTO {table} ({names}) SELECT {values} FROM {table},"
                f" generate_series(1, {rows // answers - 1}) AS number WHERE {of_brand}"
            )


def memory(pid, name):
    """MB that a process takes now (VmRSS) or took at its highest (VmHWM)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))


def worker_of(server):
    """The process that serves, below the one that was started."""
    return int(Path(f"/proc/{server}/task/{server}/children").read_text().split()[0])


def download(port, path, cookie):
    """How many rows the file has, its size in bytes and the seconds it took; read as a script would."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=900)
    started = time.perf_counter()
    connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "identity"})
    response = connection.getresponse()
    assert response.status == 200, (response.status, response.read()[:300])
    size = 0

    def lines():
        nonlocal size
        for line in response:
            size += len(line)
            yield line.decode()

    rows = sum(1 for _ in csv.reader(lines())) - 1
    connection.close()
    return rows, size, time.perf_counter() - started


def wait_for(port):
    """Until the server answers."""
    for _ in range(300):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"no answer on port {port}")


def main(rows=ROWS, *names):
    """Make the data, serve the files, measure. Exit code 1 for a missed aim."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    os.environ["RATE_LIMIT"] = "100000000/m"
    django.setup()
    from django.conf import settings  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from brands.models import Brand  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    if not Brand.objects.exists():
        call_command("generate_load_data", brands=2, answers=2_000)
    small, brand = Brand.objects.order_by("pk")[:2]
    multiply(brand, rows)
    client = Client()
    client.force_login(brand.owner)
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    port, missed = free_port(), False
    print("table          rows        MB  seconds  rows/s  idle MB  highest MB  taken MB")
    with served("config.asgi", "config.settings.test", port, dict(os.environ)) as server:
        wait_for(port)
        worker = worker_of(server.pid)
        for name in names or TABLES:
            download(port, f"/brands/{small.pk}/tables/{name}.csv", cookie)
            Path(f"/proc/{worker}/clear_refs").write_text("5")  # the highest is that of now again
            idle = memory(worker, "VmRSS")
            count, size, seconds = download(port, f"/brands/{brand.pk}/tables/{name}.csv", cookie)
            highest = memory(worker, "VmHWM")
            is_whole = count == expected(brand, name)
            missed = missed or highest - idle > AIM_MB or not is_whole
            print(
                f"{name:<12}{count:>9,}{size / 1e6:>10.0f}{seconds:>9.0f}{count / seconds:>8.0f}{idle:>9.0f}"
                f"{highest:>12.0f}{highest - idle:>10.1f}{'' if is_whole else '  not whole'}",
                flush=True,
            )
    print(f"Aim: {AIM_MB} MB beyond the idle process, every row there. {'Missed.' if missed else 'Met.'}")
    return 1 if missed else 0


def expected(brand, name):
    """How many rows the table has."""
    from visibility.models import Answer, Citation, Mention  # noqa: PLC0415

    if name == "answers":
        return Answer.objects.filter(brand=brand, state="answered").count()
    return {"mentions": Mention, "citations": Citation}[name].objects.filter(answer__brand=brand).count()


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:2]), *sys.argv[2:]))
