"""Django's Redis cache with less to do for each command, and its variant that counts every request of the service."""

import threading
from functools import cached_property
from typing import Any, cast

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache, RedisCacheClient

_COUNT = """
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return count
"""


class OneClient(RedisCacheClient):
    """Keeps the client that Django makes anew for each command, which costs more than the command."""

    def __init__(self, servers: Any, **options: Any) -> None:
        super().__init__(servers, **options)
        self._clients: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The client to write with, or the one to read with."""
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]

    @cached_property
    def _count(self) -> Any:
        return self.get_client(write=True).register_script(_COUNT)

    def count(self, key: str, timeout: int) -> int:
        """One more; the first makes the number, which lives for so many seconds. Atomic, one round trip."""
        return int(self._count(keys=[key], args=[timeout]))


_clients: dict[str, OneClient] = {}
_making = threading.Lock()


def shared_client(servers: Any, **options: Any) -> OneClient:
    """The one client of a process for these servers. Django makes a cache for each thread and each context that asks
    for it: with connections of its own, these would stay open until Python's collector comes."""
    key = repr((servers, options))
    with _making:
        if key not in _clients:
            _clients[key] = OneClient(servers, **options)
        return _clients[key]


class Cache(RedisCache):
    """The cache that CACHE_URL names."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = shared_client


class RateCache(Cache):
    """The same cache for django-ratelimit, which adds a one and increments what is there already: `add` does either,
    and `incr` tells what it came to, so that a request costs one round trip. Django gives each thread its own."""

    _counted: tuple[str, int] | None = None

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Count one; whether it is the first. A zero is put there as anything else is, and counts nothing."""
        if not value:
            return bool(super().add(key, value, timeout, version))
        counter = self.make_and_validate_key(key, version=version)
        self._counted = (
            counter,
            cast(OneClient, self._cache).count(counter, cast(int, self.get_backend_timeout(timeout))),
        )
        return self._counted[1] == 1

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """What `add` has just counted; raises ValueError for any other key."""
        counter, counted = self._counted or ("", 0)
        if counter != self.make_and_validate_key(key, version=version):
            raise ValueError(f"Key {key!r} was not counted.")
        return counted
