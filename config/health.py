"""What a load balancer asks: is the process up (/healthz), and can it serve (/readyz)."""

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from psycopg.errors import DiskFull, ReadOnlySqlTransaction

from apikeys.release import VERSION
from brands.later import has_worker
from config.drain import leaving

PATIENCE_SECONDS = 1.5
RELEASE = tuple(int(part) for part in VERSION.split(".")[:2])
_OLDEST = re.compile(r"_from_(\d+)_(\d+)$")
WRITE_EVERY_SECONDS = 5.0
_HEARTBEAT = """
INSERT INTO apikeys_counter (key, value, expires_at) VALUES ('heartbeat', 1, now() + interval '1 day')
ON CONFLICT (key) DO UPDATE SET value = apikeys_counter.value + 1, expires_at = excluded.expires_at
"""
# A row finds room in its old page when the disk is full; a sort that does not fit into memory needs new room.
_NEW_ROOM = (
    "SET LOCAL work_mem = '64kB'",
    "SELECT max(n) FROM (SELECT n FROM generate_series(1, 20000) AS n ORDER BY -n OFFSET 0) AS sorted",
)


class HealthMiddleware:
    """Answers both paths before anyone looks at the host: a load balancer calls by whatever address it has."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.readiness = Readiness()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == "/healthz":
            return _answer({"status": "ok"}, 200)
        if request.path_info == "/readyz":
            if leaving.is_set():
                return _answer({"status": "leaving"}, 503)
            parts = self.readiness.look()
            ready = all(parts[name] == "ok" for name in ("database", "disk", "migrations"))
            return _answer({"status": "ok" if ready else "unavailable", **parts}, 200 if ready else 503)
        return self.get_response(request)


class Readiness:
    """Whether this process can serve: its database takes a write, and has the tables that the code expects.

    The state of the worker is told beside it and decides nothing: without one, pages and programs still read.
    """

    def __init__(self) -> None:
        # A look at a database that hangs does not end and keeps this thread; those that wait for it give up in time.
        self._looker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="health")
        self._written_at = -WRITE_EVERY_SECONDS

    def look(self) -> dict[str, str]:
        """The state of database, disk, migrations and worker: "ok", or what is wrong. Answers within two seconds."""
        parts = dict.fromkeys(("database", "disk", "migrations", "worker"), "unknown")
        try:
            return parts | self._looker.submit(self._look).result(PATIENCE_SECONDS)
        except (DatabaseError, TimeoutError) as error:
            return parts | {"database": f"away ({type(error).__name__})"}

    def _look(self) -> dict[str, str]:
        try:
            self._write()
            return {
                "database": "ok",
                "disk": "ok",
                "migrations": migrations_state(),
                "worker": "ok" if has_worker() else "none is running",
            }
        except DatabaseError as error:
            if isinstance(error.__cause__, DiskFull):
                return {"database": "ok", "disk": "full"}
            if isinstance(error.__cause__, ReadOnlySqlTransaction):
                return {"database": "takes no writes"}
            raise
        finally:
            connection.close()

    def _write(self) -> None:
        """Write something, unless this process has just done so."""
        if time.monotonic() - self._written_at >= WRITE_EVERY_SECONDS:
            write()
            self._written_at = time.monotonic()


def write() -> None:
    """Write to the database what needs new room on its disk. Raises DatabaseError where it takes no write."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in (_HEARTBEAT, *_NEW_ROOM):
            cursor.execute(statement)


def migrations_state() -> str:
    """ "ok", or how many are not applied yet, or are of a newer release that this one cannot run beside.

    Releases run beside the next one, but for a migration whose name ends with the oldest that can: `_from_0_3`.
    """
    executor = MigrationExecutor(connection)
    loader = executor.loader
    if waiting := executor.migration_plan(loader.graph.leaf_nodes()):
        return f"{len(waiting)} are not applied"
    known = loader.disk_migrations.keys() | loader.replacements.keys()
    unknown = [name for app, name in loader.applied_migrations.keys() - known if app in loader.migrated_apps]
    oldest = [tuple(map(int, found.groups())) for found in map(_OLDEST.search, unknown) if found]
    newer = [release for release in oldest if release > RELEASE]
    return f"{len(newer)} are of a newer release" if newer else "ok"


def _answer(body: dict[str, str], status: int) -> HttpResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
