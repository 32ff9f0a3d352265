"""How all providers are connected to: long silences allowed, connections kept, nothing told to the logs."""

import logging

import httpx2

from visibility.engines.spec import EngineSpec

CONNECT_SECONDS = 10.0
KEEPALIVE_SECONDS = 60.0


def timeouts(spec: EngineSpec) -> httpx2.Timeout:
    """The engine's own patience for an answer; a connection is there soon or not at all."""
    return httpx2.Timeout(spec.timeout, connect=CONNECT_SECONDS)


def most_connections(spec: EngineSpec) -> int:
    """Twice as many as calls may be under way: connections that are being closed count too."""
    return 2 * spec.concurrency


def limits(spec: EngineSpec) -> httpx2.Limits:
    """Every connection is kept for the next call, not only the clients' default of a few."""
    most = most_connections(spec)
    return httpx2.Limits(max_connections=most, max_keepalive_connections=most, keepalive_expiry=KEEPALIVE_SECONDS)


def keep_quiet(*loggers: str) -> None:
    """Silence the debug logs of a provider's library: they repeat headers, and a provider may repeat the key in one.

    To be called after its import, which may have raised them by an environment variable of its own.
    """
    for name in loggers:
        logging.getLogger(name).setLevel(logging.WARNING)
