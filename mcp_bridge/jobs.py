"""Where blocking work runs: few threads, which leave no database connection behind."""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from django.db import close_old_connections

T = TypeVar("T")


class ThreadJobs:
    """Runs blocking functions for the event loop in a bounded pool. What exceeds it waits without thread and
    connection."""

    def __init__(self, threads: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name)

    async def run(self, function: Callable[[], T]) -> T:
        """The result of `function`, run in the context of the caller (its request id, for the log)."""
        job = partial(contextvars.copy_context().run, _with_fresh_connections, function)
        return await asyncio.get_running_loop().run_in_executor(self._executor, job)

    def close(self) -> None:
        """Take no more work; what has not begun is dropped. Does not wait for what has."""
        self._executor.shutdown(wait=False, cancel_futures=True)


def _with_fresh_connections(function: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return function()
    finally:
        close_old_connections()
