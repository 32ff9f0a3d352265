"""One view of the database for several statements."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all statements of the block see the database as it is at the first of them. For reading only.

    Inside a transaction that is open already it changes nothing.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
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
