"""One view of the database for several statements."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from django.db import connection, transaction
from psycopg import IsolationLevel
from psycopg.pq import TransactionStatus


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all statements of the block see the database as it is at the first of them. For reading only.

    Inside a transaction that is open already it changes nothing.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        connection.ensure_connection()
        driver = cast(Any, connection.connection)
        usual = driver.isolation_level, driver.read_only
        with connection.wrap_database_errors:
            # What the driver begins its next transaction with, in one statement.
            driver.isolation_level, driver.read_only = IsolationLevel.REPEATABLE_READ, True
        try:
            with transaction.atomic():
                yield
        finally:
            if driver.info.transaction_status == TransactionStatus.IDLE:  # else it is broken, and not used again
                driver.isolation_level, driver.read_only = usual
    else:
        # SQLite: transactions take the lock of the one writer at once, unless they are to read only.
        connection.ensure_connection()
        sqlite = cast(Any, connection)
        usual, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                sqlite.transaction_mode = usual
                yield
        finally:
            sqlite.transaction_mode = usual
