"""Whether the parts of the service work together: database, schema, worker."""

from dataclasses import dataclass

import structlog
from django.core.cache import cache
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

log = structlog.get_logger(__name__)

HEARTBEAT_KEY = "worker-heartbeat"
_current: set[str] = set()


@dataclass(frozen=True, slots=True)
class Health:
    """What works now. Without a worker the doors answer, but no scan moves."""

    database: bool
    migrations: bool
    worker: bool

    @property
    def ready(self) -> bool:
        """Whether all of it works."""
        return self.database and self.migrations and self.worker


def check() -> Health:
    """Look at each part; never raises."""
    database = _database_answers()
    return Health(database=database, migrations=database and _migrations_applied(), worker=worker_alive())


def worker_alive() -> bool:
    """Whether a worker has been heard lately: it writes the key, which expires by itself."""
    try:
        return cache.get(HEARTBEAT_KEY) is not None
    except Exception:  # each cache backend has its own family of errors
        log.exception("cache unavailable")
        return False


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return True
    except Error:
        log.exception("database unavailable")
        return False


def _migrations_applied() -> bool:
    """Whether the schema is that of the code; once true it is not asked again: only a new start changes the code."""
    if connection.alias in _current:
        return True
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        log.exception("migrations unreadable")
        return False
    if not pending:
        _current.add(connection.alias)
    return not pending
