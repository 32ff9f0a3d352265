"""The queue on Redis or Valkey: kombu's, of which a worker survives that the server goes away while it works.

When the connection is lost kombu tears it down, then wants to give back through it what the worker still has. The
error that comes of this is none of a connection, and ends the worker. Nothing has to be given back: what is done is
in the rows, and a message that comes again finds its run taken.
"""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as NotConnected


class Channel(redis.Channel):
    """As kombu's; a channel whose connection is gone says so, in the words that workers understand."""

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection is None or self.connection.client is None:
            raise NotConnected("The connection to the queue is gone.")
        parameters: dict[str, Any] = super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]
        return parameters


class Transport(redis.Transport):
    """Use it as `redis://`; see config.celery."""

    Channel = Channel
