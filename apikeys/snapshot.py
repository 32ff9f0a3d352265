"""One state of the database for several statements."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """One state of the database for all reads of the block, whatever others commit meanwhile; it writes nothing."""
    if connection.in_atomic_block:  # a test's transaction
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
