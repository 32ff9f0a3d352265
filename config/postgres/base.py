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

RESTED_SECONDS = 5.0
"""After so long without use the server is asked: its machine may have gone without a word."""


class DatabaseWrapper(base.DatabaseWrapper):
    """As Django's; every connection is looked at when it leaves the pool."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that works. Each dead one leaves the pool for good, so this comes to an end."""
        while True:
            connection = super().get_new_connection(conn_params)
            if self.pool is None or _works(connection):
                return connection
            self.pool.putconn(connection)


def _works(connection: psycopg.Connection[Any]) -> bool:
    """Whether the server is still there. That it has something to say unasked, such as a goodbye, costs no round trip
    to see."""
    now = time.monotonic()
    rested = now - getattr(connection, "used_at", now) > RESTED_SECONDS
    connection.used_at = now  # type: ignore[attr-defined]
    if not rested and not _speaks(connection):
        return True
    try:
        # Not a statement of our own: that would begin a transaction, unless the connection commits by itself.
        ConnectionPool.check_connection(connection)
    except psycopg.Error:
        connection.close()
        return False
    return True


def _speaks(connection: psycopg.Connection[Any]) -> bool:
    """Whether there is something to read, the end included."""
    if connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
