"""Worlds that many tests begin with: made by the first one in a process, put back as rows for those that follow.

Each test has the world to itself, in its own transaction, and may change it: the next one finds it as it was made.
"""

from collections.abc import Callable, Hashable
from typing import Any

from django.db import connection

from tests.databases import Rows, all_rows, count_on, insert
from tests.ids import factories, ids_of

_made: dict[Hashable, tuple[Rows, dict[Any, int]]] = {}


def world(name: Hashable, make: Callable[[], object]) -> None:
    """Have in the database what `make` adds to it, which is run once in a process; it must not depend on the test.

    To be asked for before the test makes rows of its own, and once in a test. Rows that migrations made may not be
    changed by it. What it returns, caches and sends to the queue is not kept: read from the database afterwards.
    """
    if name in _made:
        rows, numbers = _made[name]
        insert(connection, rows)
        count_on(connection, rows)
    else:
        before = all_rows(connection)
        with ids_of(str(name)):
            make()
        rows = _added(before, all_rows(connection))
        numbers = {factory: _next_number(factory) for factory in factories()}
        _made[name] = rows, numbers
    for factory, number in numbers.items():
        factory.reset_sequence(number, force=True)


def _added(before: Rows, after: Rows) -> Rows:
    """The rows that are new. Raises where one of before is not there any more: a world only adds."""
    added: Rows = {}
    for name, (columns, rows) in after.items():
        old = {repr(row) for row in before[name][1]}
        new = [row for row in rows if repr(row) not in old]
        assert len(rows) - len(new) == len(old), f"the world changes rows of {name} that were there before"
        if new:
            added[name] = columns, new
    return added


def _next_number(factory: Any) -> int:
    return factory._meta._counter.seq if factory._meta._counter else 0
