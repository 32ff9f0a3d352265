"""Whether the parts of the service work together: database, schema, worker.

A database may hang, and with it whoever asks it: it is looked at in a thread of its own, one at a time in each
process, and nobody waits for that longer than a moment.
"""

import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime
from dataclasses import dataclass

import structlog
from django.core.cache import cache
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from apikeys.db.outages import DATABASE
from visibility.services.probe import try_to_write

log = structlog.get_logger(__name__)

HEARTBEAT_KEY = "worker-heartbeat"
WAIT_SECONDS = 1.5
"""A load balancer has its answer within two."""
FRESH_SECONDS = 1.0
"""However often it is asked the database is looked at once in this time."""
_current: set[str] = set()


@dataclass(frozen=True, slots=True)
class Database:
    """What was found: whether it answers, takes writes and has the schema of the code, and what is wrong."""

    answers: bool = False
    writable: bool = False
    migrated: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """What works now, and in `problems` what does not, in words. Without a worker doors answer, but no scan moves."""

    database: bool
    writable: bool
    migrations: bool
    worker: bool
    problems: list[str]

    @property
    def ready(self) -> bool:
        """Whether all of it works."""
        return self.database and self.writable and self.migrations and self.worker


def check() -> Health:
    """Look at each part; never raises, and never takes longer than two seconds."""
    database, worker = _LOOKS.latest(), worker_alive()
    silent = "" if worker else "No worker has been seen within the last minute."
    return Health(
        database=database.answers,
        writable=database.writable,
        migrations=database.migrated,
        worker=worker,
        problems=[problem for problem in (database.problem, silent) if problem],
    )


def worker_alive() -> bool:
    """Whether a worker has been heard lately: it writes the key, which expires by itself."""
    try:
        return cache.get(HEARTBEAT_KEY) is not None
    except Exception:  # each cache backend has its own family of errors
        log.exception("cache unavailable")
        return False


class _Looks:
    """One look at the database at a time, shared by all who ask meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._look: Future[Database] | None = None
        self._began = 0.0

    def latest(self) -> Database:
        """What the look under way finds, or a new one where the last is over; it hangs where that does not end."""
        with self._lock:
            now = time.monotonic()
            if self._look is None or (self._look.done() and now - self._began >= FRESH_SECONDS):
                self._look, self._began = Future(), now
                threading.Thread(target=_look, args=(self._look,), name="readiness", daemon=True).start()
            look, began = self._look, self._began
        try:
            return look.result(timeout=max(began + WAIT_SECONDS - time.monotonic(), 0.0))
        except NotInTime:
            return Database(problem=f"The database did not answer within {WAIT_SECONDS:g} seconds.")


_LOOKS = _Looks()


def _look(into: Future[Database]) -> None:
    try:
        into.set_result(_look_at_database())
    except Exception as error:  # or all who ask would wait for it for ever
        log.exception("the database could not be looked at")
        into.set_result(Database(problem=f"The database could not be checked: {type(error).__name__}."))
    finally:
        connection.close()


def _look_at_database() -> Database:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        migrated = _migrations_applied()
    except Error as error:
        DATABASE.failed(error)
        return Database(problem="The database does not answer.")
    refusal = try_to_write()
    if not refusal:
        DATABASE.works()
    missing = "" if migrated else "Migrations are missing: python manage.py migrate."
    return Database(True, not refusal, migrated, refusal or missing)


def _migrations_applied() -> bool:
    """Whether the schema is that of the code; once true it is not asked again: only a new start changes the code."""
    if connection.alias in _current:
        return True
    executor = MigrationExecutor(connection)
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not pending:
        _current.add(connection.alias)
    return not pending
