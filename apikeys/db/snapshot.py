"""One view of the database for several statements, and nothing in it read twice."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import local
from typing import Any, ParamSpec, TypeVar, cast

from django.db import connection, transaction
from psycopg import IsolationLevel
from psycopg.pq import TransactionStatus

P = ParamSpec("P")
R = TypeVar("R")


class _OfThread(local):
    """What was read in the snapshot that is open in a thread; None outside of one."""

    readings: dict[Hashable, Any] | None = None


_open = _OfThread()


def remembered(read: Callable[P, R]) -> Callable[P, R]:
    """In a snapshot, read once for the same arguments, which are hashable: the database would say the same again.

    For what nobody changes: all readers of the snapshot get the same object. Outside of one it reads each time, and
    so it does in transactions, which may have written meanwhile.
    """

    @wraps(read)
    def reading(*args: P.args, **more: P.kwargs) -> R:
        readings = _open.readings
        if readings is None:
            return read(*args, **more)
        key = _key(read, args, more)
        if key not in readings:
            readings[key] = read(*args, **more)
        return cast(R, readings[key])

    return reading


def remember(read: Callable[P, R], result: R, *args: P.args, **more: P.kwargs) -> None:
    """In a snapshot, let the `remembered` reading give this result for these arguments: another statement has read it
    already. Outside of one nothing is kept."""
    if _open.readings is not None:
        _open.readings[_key(read.__wrapped__, args, more)] = result  # type: ignore[attr-defined]


def _key(read: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> Hashable:
    return read, args, tuple(sorted(more.items()))


@contextmanager
def _remembering() -> Iterator[None]:
    _open.readings = {}
    try:
        yield
    finally:
        _open.readings = None


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all statements of the block see the database as it is at the first of them. For reading only: what is
    `remembered` is read once.

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
            with transaction.atomic(), _remembering():
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
            with transaction.atomic(), _remembering():
                sqlite.transaction_mode = usual
                yield
        finally:
            sqlite.transaction_mode = usual
