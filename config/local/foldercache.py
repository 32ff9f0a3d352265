"""The cache of the embedded service: diskcache's, one for all threads of a process.

Django makes a cache anew for each thread and each context that asks for it, and one that has files open is only let
go of when Python's collector comes. This one has a connection for each thread, which is closed when the thread ends.
"""

import threading
from typing import Any

from diskcache import DjangoCache

_caches: dict[tuple[str, str], DjangoCache] = {}
_making = threading.Lock()


def folder_cache(folder: str, parameters: dict[str, Any]) -> DjangoCache:
    """The cache in a folder; use it as BACKEND."""
    key = (folder, repr(parameters))
    with _making:
        if key not in _caches:
            _caches[key] = DjangoCache(folder, parameters)
        return _caches[key]
