"""PostgreSQL behind a pool: connections that the server has closed meanwhile, in a restart say, are passed over.

Django's own CONN_HEALTH_CHECKS asks the server each time, which costs every call a round trip, and after a connection
that is dead it waits a second, then two, before it tries the next: with several of them a request fails all the same.
"""

import select
import time
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool

from config.postgres.bounds import BOUNDS, BoundedConnection, NoAnswer

RESTED_SECONDS = 5.0
"""After so long without use the server is asked: its machine may have gone without a word."""
CHECK_SECONDS = 5.0
"""How long the server may take to say that it is there. All connections lead to the same one: none other is tried."""


class DatabaseWrapper(base.DatabaseWrapper):
    """As Django's; every connection is looked at when it leaves the pool, and bounded in what it waits."""

    def get_connection_params(self) -> dict[str, Any]:
        """As Django's, with what the server is told of bounds."""
        parameters: dict[str, Any] = super().get_connection_params()
        if bounds := BOUNDS.options():
            parameters["options"] = f"{parameters.get('options', '')} {bounds}".strip()
        return parameters

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that works. Each dead one leaves the pool for good, so this comes to an end."""
        while True:
            connection = super().get_new_connection(conn_params)
            if self.pool is None:
                return connection
            works = False
            try:
                works = _works(connection)
            finally:
                if not works:
                    self.pool.putconn(connection)
            if works:
                return connection


def _works(connection: BoundedConnection) -> bool:
    """Whether the server is still there; raises NoAnswer where it is and stands still. That it has something to say
    unasked, such as a goodbye, costs no round trip to see."""
    now = time.monotonic()
    rested = now - getattr(connection, "used_at", now) > RESTED_SECONDS
    connection.used_at = now  # type: ignore[attr-defined]
    if not rested and not _speaks(connection):
        return True
    connection.patience = CHECK_SECONDS
    try:
        # Not a statement of our own: that would begin a transaction, unless the connection commits by itself.
        ConnectionPool.check_connection(connection)
    except NoAnswer:
        raise
    except psycopg.Error:
        connection.close()
        return False
    finally:
        connection.patience = None
    return True


def _speaks(connection: psycopg.Connection[Any]) -> bool:
    """Whether there is something to read, the end included."""
    if connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
