"""The brands of the reports, each with the same real answers, as an operator imports them."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from uuid import UUID

from django.core.management import call_command

from apikeys.models import User
from brands.models import Brand, Competitor
from tests.asking.world import BRANDS, imported, with_evidence
from visibility.insights.recommendations import refresh_recommendations
from visibility.models import TopicChoice

REPORTED = ("Sony", "Apple", "Samsung", "Garmin")
UNNAMED = "Fairphone"
UNNAMED_DOMAIN = "fairphone.com"
UNNAMED_RIVALS = (("Samsung", "samsung.com"), ("Google", "google.com"), ("Motorola", "motorola.com"))
UNNAMED_TOPIC = "smartphone-budget-600"
"""What the brand sells that no answer names, as its owner would tick it."""


@contextmanager
def ids_by_name(first: int = 1) -> Iterator[None]:
    """Competitors that are made meanwhile have ids in the order of making: who is named as often as another comes in
    the order of ids."""
    field, numbers = Competitor._meta.get_field("id"), count(first)
    default, field.default = field.default, lambda: UUID(int=next(numbers))
    try:
        yield
    finally:
        field.default = default


def reported(answers: Path, owner: User) -> dict[str, Brand]:
    """Four brands that answers name and one that none does, with their evidence."""
    with ids_by_name():
        brands = imported(answers, owner)
    chosen = {name: brands[name] for name in BRANDS if name in REPORTED}
    options = [argument for rival in UNNAMED_RIVALS for argument in ("--competitor", *rival)]
    arguments = [str(answers), "--new-brand", UNNAMED, UNNAMED_DOMAIN, "--owner", owner.email, *options]
    with ids_by_name(2**64):
        call_command("import_answers", *arguments, stdout=io.StringIO(), stderr=io.StringIO())
    brand = Brand.objects.get(owner=owner, name=UNNAMED)
    TopicChoice.objects.create(brand=brand, topic=UNNAMED_TOPIC, is_own=True)
    refresh_recommendations(brand)
    chosen[UNNAMED] = brand
    with_evidence(chosen.values())
    return chosen
