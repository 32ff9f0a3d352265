"""The brands of the reports, each with the same real answers, as an operator imports them."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from uuid import UUID

from django.core.management import call_command
from django.test import override_settings

from apikeys.models import User
from brands.models import Brand, Competitor
from tests.asking.world import BRANDS, SOLD, imported, with_evidence
from visibility.models import Answer, Prompt

REPORTED = ("Sony", "Apple", "Samsung", "Garmin")
UNNAMED = "Fairphone"
UNNAMED_DOMAIN = "fairphone.com"
UNNAMED_RIVALS = (("Samsung", "samsung.com"), ("Google", "google.com"), ("Motorola", "motorola.com"))
UNNAMED_TOPIC = "smartphone-budget-600"
"""All that the brand sells; no answer names it."""


@contextmanager
def ids_in_order(first: int = 1) -> Iterator[None]:
    """Competitors, prompts and answers that are made meanwhile have ids in the order of making: what nothing else
    tells apart comes in the order of ids."""
    fields = [model._meta.get_field("id") for model in (Answer, Competitor, Prompt)]
    defaults = [field._get_default for field in fields]
    for field in fields:
        field._get_default = partial(_next_id, count(first))
    try:
        yield
    finally:
        for field, default in zip(fields, defaults, strict=True):
            field._get_default = default


def _next_id(numbers: Iterator[int]) -> UUID:
    return UUID(int=next(numbers))


@override_settings(SCAN_LEASE_SECONDS=3600)
def reported(answers: Path, owner: User) -> dict[str, Brand]:
    """Four brands that answers name and one that none does, each with what it sells decided, and their evidence."""
    with ids_in_order():
        brands = imported(answers, owner, sold=SOLD)
    chosen = {name: brands[name] for name in BRANDS if name in REPORTED}
    chosen[UNNAMED] = _unnamed(answers, owner)
    with_evidence(chosen.values())
    return chosen


@override_settings(SCAN_LEASE_SECONDS=3600)
def first_reported(answers: Path, owner: User) -> dict[str, Brand]:
    """The first of these brands alone, as it is among all."""
    with ids_in_order():
        brands = imported(answers, owner, REPORTED[:1], SOLD)
    with_evidence(brands.values())
    return brands


def _unnamed(answers: Path, owner: User) -> Brand:
    options = [argument for rival in UNNAMED_RIVALS for argument in ("--competitor", *rival)]
    options += ["--owner", owner.email, "--topic", UNNAMED_TOPIC]
    with ids_in_order(2**64):
        arguments = [str(answers), "--new-brand", UNNAMED, UNNAMED_DOMAIN, *options]
        call_command("import_answers", *arguments, stdout=io.StringIO(), stderr=io.StringIO())
    return Brand.objects.get(owner=owner, name=UNNAMED)
