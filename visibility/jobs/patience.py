"""Patience with a database that is away, or whose file SQLite calls malformed: sometimes it only read it so."""

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import Error, connection

from apikeys.db.outages import DATABASE, is_away, says_damaged

Result = TypeVar("Result")

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 30.0
"""So long the database counts as away, and answers that were paid for wait in memory."""
_checking = threading.Lock()
_damaged_since: float | None = None


class DamagedDatabase(Exception):
    """The file is damaged and stays so: whoever goes on would spend money on answers that cannot be stored."""


def unless_away(function: Callable[[], Result], otherwise: Result) -> Result:
    """What the function gives, or `otherwise` where the database is away; the next call connects anew.

    Raises DamagedDatabase once the file was found damaged for 30 s.
    """
    try:
        return function()
    except Error as error:
        if connection.in_atomic_block or not is_away(error):
            raise
        DATABASE.failed(error)
        connection.close()
        if says_damaged(error):
            _judge()
        return otherwise


def _judge() -> None:
    """Check the file after an error that calls it malformed."""
    global _damaged_since
    with _checking:
        problem = _problem()
        if not problem:
            _damaged_since = None
            logger.warning("SQLite called the database malformed, but its integrity check passes: the work goes on")
            return
        now = time.monotonic()
        _damaged_since = now if _damaged_since is None else _damaged_since
        lasted = now - _damaged_since
    if lasted >= PATIENCE_SECONDS:
        raise DamagedDatabase(
            f"The database {connection.settings_dict['NAME']} is damaged: {problem}. Stop the service and restore a "
            "backup: python manage.py restore FILE."
        )


def _problem() -> str:
    """What the integrity check finds, on a connection that remembers nothing; empty when all is well."""
    connection.close()
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check(1)")
            [result] = cursor.fetchone()
    except Error as error:
        return str(error)
    finally:
        connection.close()
    return "" if result == "ok" else str(result)
