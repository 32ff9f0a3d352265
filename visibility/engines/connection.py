"""The clients of providers, shared by engines with the same key, and nothing told to the logs."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

from visibility.engines.spec import EngineSpec

Client = TypeVar("Client")


class Connections:
    """The clients of one event loop: engines of one provider and key share theirs, and with it its connections."""

    def __init__(self) -> None:
        self._clients: dict[tuple[str, str, float], tuple[object, Callable[[], Awaitable[None]]]] = {}

    def client(
        self, kind: str, spec: EngineSpec, make: Callable[[], tuple[Client, Callable[[], Awaitable[None]]]]
    ) -> Client:
        """The client of this kind for the provider and key of `spec`.

        `make` gives a new one and what closes it. Called inside the running loop, which the client then belongs to.
        """
        key = (kind, spec.account, spec.timeout)
        if key not in self._clients:
            self._clients[key] = make()
        return cast(Client, self._clients[key][0])

    async def aclose(self) -> None:
        """Close all; safe to repeat. Whoever asks afterwards gets new ones."""
        clients, self._clients = self._clients, {}
        await asyncio.gather(*(close() for _, close in clients.values()), return_exceptions=True)


def keep_quiet(*loggers: str) -> None:
    """Silence the debug logs of a provider's library: they repeat headers, and a provider may repeat the key in one.

    To be called after its import, which may have raised them by an environment variable of its own.
    """
    for name in loggers:
        logging.getLogger(name).setLevel(logging.WARNING)
