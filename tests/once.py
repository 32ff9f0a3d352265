"""Worlds that are made once for all tests of a module."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def made_once(blocker) -> Iterator[None]:
    """Rows made in this block are there until it ends; what a test with `django_db` does on top is undone after it.

    For fixtures of a module or a class. Hand on keys rather than objects, which tests could change, and use no
    `transaction=True` in such a module.
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
