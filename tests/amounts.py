"""How much tests look at: a sample while `make test` runs, all of it where PROOFS is set, as `make proofs` does."""

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
PROOFS = bool(os.environ.get("PROOFS"))


def some(items: Iterable[T], every: int) -> list[T]:
    """Each so-manieth of the items, from the first; all of them for proofs."""
    return list(items)[:: 1 if PROOFS else every]
