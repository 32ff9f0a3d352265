"""Things that happen at once, in real threads."""

from collections.abc import Callable, Sequence
from threading import Barrier, Thread
from typing import Any

from django.db import connection

PATIENCE = 30


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Make all calls at the same moment; what each returned, or the exception that it raised, in their order.

    Needs a test with `django_db(transaction=True, serialized_rollback=True)`: threads see only what is committed.
    """
    results: list[Any] = [TimeoutError("The call did not end.")] * len(calls)
    barrier = Barrier(len(calls), timeout=PATIENCE)

    def make(place: int, call: Callable[[], Any]) -> None:
        try:
            barrier.wait()
            results[place] = call()
        except Exception as error:
            results[place] = error
        finally:
            connection.close()

    threads = [Thread(target=make, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return results
