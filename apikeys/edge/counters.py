"""Django's cache in PostgreSQL, for counters: `add` and `incr` are one statement each, so that no count is lost.

Django's own DatabaseCache counts by reading and then writing, which loses counts. The connection is not one of
Django's pool: a pool that is busy must not look like counters that are silent.
"""

import threading
import time
from typing import Any

import psycopg
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import connection

COUNTED_TOGETHER = 4
"""Requests that the rate limit counts at once, each on a connection: one would be slow with a remote database."""
_ADD = """
INSERT INTO apikeys_counter AS counter (key, value, expires_at) VALUES (%s, %s, now() + make_interval(secs => %s))
ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
WHERE counter.expires_at <= now() RETURNING value
"""
_INCREMENT = "UPDATE apikeys_counter SET value = value + %s WHERE key = %s AND expires_at > now() RETURNING value"


class PostgresCounters(BaseCache):
    """A cache of whole numbers that all processes share. They are lost when PostgreSQL crashes, and nothing else."""

    _thread = threading.local()
    """The connection of each thread. Django makes another cache for each request that a thread answers."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        seconds = (self.get_backend_timeout(timeout) or 0) - time.time()
        return self._value(_ADD, self.make_and_validate_key(key, version), value, seconds) is not None

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        value = self._value(_INCREMENT, delta, self.make_and_validate_key(key, version))
        if value is None:
            raise ValueError(f"The counter {key} does not exist.")
        return value

    def _value(self, statement: str, *parameters: Any) -> int | None:
        """The first value that a statement returns. A connection that broke meanwhile is replaced, once."""
        try:
            row = self._connected().execute(statement, parameters).fetchone()
        except psycopg.OperationalError:
            self.disconnect()
            row = self._connected().execute(statement, parameters).fetchone()
        return None if row is None else int(row[0])

    def disconnect(self) -> None:
        """Close the connection; the next count opens another. Not `close`, which Django calls after each request."""
        if hasattr(self._thread, "connection"):
            self._thread.connection.close()
            del self._thread.connection

    def _connected(self) -> psycopg.Connection:
        open_connection: psycopg.Connection | None = getattr(self._thread, "connection", None)
        if open_connection is None or open_connection.closed:
            parameters = connection.get_connection_params()
            wanted = {name: parameters[name] for name in parameters if name not in ("cursor_factory", "context")}
            open_connection = self._thread.connection = psycopg.connect(**wanted, autocommit=True)
        return open_connection
