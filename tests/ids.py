"""Ids of rows and numbers of factories that are the same each time: they follow from a name (and from TEST_SEED)."""

import os
import random
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import apps
from factory.django import DjangoModelFactory

SEED = os.environ.get("TEST_SEED", "")
_ids = random.Random()


def begin(name: str) -> None:
    """From now on ids are those of this name, and factories count from their first number."""
    _ids.seed(f"{SEED} {name}")
    for factory in factories():
        factory.reset_sequence(force=True)


@contextmanager
def ids_of(name: str) -> Iterator[None]:
    """Meanwhile ids are those of this name; afterwards those of before go on."""
    before = _ids.getstate()
    _ids.seed(f"{SEED} {name}")
    try:
        yield
    finally:
        _ids.setstate(before)


def factories(base: type[DjangoModelFactory] = DjangoModelFactory) -> Iterator[type[DjangoModelFactory]]:
    """Every factory of a model."""
    for factory in base.__subclasses__():
        yield factory
        yield from factories(factory)


def use_them() -> None:
    """Have models take their ids from here."""
    for model in apps.get_models():
        for field in model._meta.local_fields:
            if field.default is uuid.uuid4:
                # What Django keeps of a default; the default itself stays what migrations know.
                field.__dict__["_get_default"] = _next_id


def _next_id() -> uuid.UUID:
    return uuid.UUID(int=_ids.getrandbits(128), version=4)
