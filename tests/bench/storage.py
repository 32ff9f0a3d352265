"""What a thousand answers take in the database: answers, raw bodies, mentions, citations, each with its indexes.

Scans of real bodies, where the reference data is there, and of answers made here, through all four adapters. Runs on
the database that DATABASE_URL names, else on SQLite: `python -m tests.bench.storage`.
"""

import json
import os
from collections import defaultdict
from uuid import uuid4

import django
from django.core.management import call_command
from django.db import connection

from tests.providers.faults import PROTOCOLS
from tests.providers.process import provider_process

CALLS = 1_000
RECORDED = {
    "/responses": "responses",
    "/chat/completions": "chat",
    "/messages": "messages",
    ":generateContent": "gemini",
}
"""How the address of a recorded request ends, and its protocol."""
CITES = ("url_citation", "web_search_result_location", "groundingChunkIndices", "search_results", '"citations"')
"""What stands in bodies that cite."""
TABLES = ("visibility_answer", "visibility_rawbody", "visibility_citation", "visibility_mention")


def recorded_files(folder, citing):
    """The recorded answers by protocol: those that cite, or the others."""
    files = defaultdict(list)
    for row in json.loads((folder / "index.json").read_text()):
        file = folder / row["file"]
        protocol = next((RECORDED[end] for end in RECORDED if row["url"].endswith(end)), None)
        if protocol and row["status"] == 200 and file.suffix == ".json":
            text = file.read_text(errors="replace")
            if any(mark in text for mark in CITES) == citing and '"error": {' not in text:
                files[protocol].append(str(file))
    return dict(files)


def materials(folder):
    """What is scanned: a title, and the files with its bodies (none: made here)."""
    yield "made here, citing", {}
    if (folder / "index.json").is_file():
        yield "recorded, citing", recorded_files(folder, citing=True)
        yield "recorded, without a source", recorded_files(folder, citing=False)
    else:
        print(f"No reference data at {folder}: recorded bodies are left out.")


def sizes():
    """Bytes of each table with its indexes and what is stored beside it."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            return {table: _one(cursor, "SELECT pg_total_relation_size(%s)", table) for table in TABLES}
        parts = "SELECT name FROM sqlite_master WHERE tbl_name = %s"
        pages = f"SELECT SUM(pgsize) FROM dbstat WHERE name IN ({parts})"
        return {table: _one(cursor, pages, table) for table in TABLES}


def rows():
    """How many rows each table has."""
    with connection.cursor() as cursor:
        return {table: _one(cursor, f"SELECT COUNT(*) FROM {table}") for table in TABLES}


def _one(cursor, statement, *parameters):
    cursor.execute(statement, parameters)
    return cursor.fetchone()[0]


def scan(files, planned_run, execute):
    """Scan once; the answers that came, and by table the bytes and rows that were added."""
    protocols = [protocol for protocol in PROTOCOLS if protocol in files or not files]
    before, had = sizes(), rows()
    with provider_process(paragraphs=18, files=files) as provider:
        calls = CALLS // (2 * len(protocols)) * 2 * len(protocols)
        run = planned_run(provider, calls, 2, 20, protocols)
        execute(run.pk, f"bench {uuid4().hex[:8]}")
    run.refresh_from_db()
    after, has = sizes(), rows()
    return run.done, {table: (after[table] - before[table], has[table] - had[table]) for table in TABLES}


def main():
    """Scan each material and print what a thousand of its answers take."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from tests.bench import scan_data  # noqa: PLC0415 -- models need django.setup() first
    from tests.conftest import REFERENCE_DATA  # noqa: PLC0415
    from visibility.pipeline.runner import execute  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    print(f"{connection.vendor}: MB for 1,000 answers, with indexes (rows for each answer in brackets)")
    names = [table.removeprefix("visibility_") for table in TABLES]
    print(f"{'':<28}" + "".join(f"{name:>16}" for name in names) + f"{'all':>8}")
    for title, files in materials(REFERENCE_DATA / "provider-responses"):
        answers, added = scan(files, scan_data.planned_run, execute)
        cells = [f"{size / answers / 1000:>9.2f} ({count / answers:>4.1f})" for size, count in added.values()]
        total = sum(size for size, _ in added.values()) / answers / 1000
        print(f"{title:<28}{''.join(cells)}{total:>8.2f}", flush=True)


if __name__ == "__main__":
    main()
