"""A database that is away: told apart from other failures, and told in the log in a few lines instead of hundreds."""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg
from django.db import DatabaseError, InterfaceError, OperationalError

logger = logging.getLogger(__name__)

TELL_SECONDS = 60.0
"""While an outage lasts each kind of failure is told once in this time."""
_FILE_ERRORS = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_READ_ONLY = psycopg.errors.ReadOnlySqlTransaction


def is_away(error: BaseException | None) -> bool:
    """Whether the database does not answer, takes no writes, or says that its file is damaged: it may be well again
    in a moment, and nothing is wrong with what it was asked."""
    if isinstance(error, OperationalError | InterfaceError):
        return True
    return isinstance(error, DatabaseError) and (isinstance(error.__cause__, _READ_ONLY) or says_damaged(error))


def says_damaged(error: BaseException) -> bool:
    """Whether SQLite could make nothing of the bytes that it read from its file."""
    cause = error.__cause__
    return isinstance(cause, sqlite3.Error) and getattr(cause, "sqlite_errorcode", 0) & 0xFF in _FILE_ERRORS


class Outage:
    """What this process has seen fail since it last worked. A call that does not fail costs nothing.

    Of each kind of failure the first is logged, then one a minute with the number since; and once that it is over.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()
        self._since: float | None = None
        self._failures = 0
        self._logged_at: dict[str, float] = {}

    def failed(self, error: BaseException, tell: Callable[..., Any] = logger.error) -> None:
        """Count a failure, and tell it if none of its kind was told lately. Not on standard output, which is for the
        results of commands, unless `tell` says so."""
        cause = error.__cause__ or error
        kind = type(cause).__name__
        now = time.monotonic()
        with self._lock:
            is_new = kind not in self._logged_at or now - self._logged_at[kind] >= TELL_SECONDS
            if is_new:
                self._logged_at[kind] = now
            if self._since is None:
                self._since, self._failures = now, 0
            self._failures += 1
            failures, lasted = self._failures, round(now - self._since)
        if is_new:
            reason = (str(cause).splitlines() or [""])[0]
            # Where the other side is gone the place in our code says nothing.
            exception = None if _is_gone(cause) else error
            since = f"{failures} failures in {lasted} s" if failures > 1 else "the first failure"
            tell(f"{self._what} is unavailable ({kind}: {reason}); {since}", exc_info=exception)

    def works(self) -> None:
        """Say that it is over, if anything had failed."""
        if self._since is None:
            return
        with self._lock:
            since, self._since = self._since, None
        if since is not None:
            lasted = round(time.monotonic() - since)
            logger.warning(f"{self._what} is back after {lasted} s; {self._failures} calls failed")


def _is_gone(cause: BaseException) -> bool:
    """Whether nobody answered, or with a goodbye."""
    if isinstance(cause, psycopg.OperationalError):
        return cause.sqlstate is None or cause.sqlstate.startswith(("08", "57P"))
    return isinstance(cause, OSError)


DATABASE = Outage("The database")
