"""Numbers in templates, written as everywhere else. Built in: no template has to load it."""

from decimal import Decimal

from django import template

from visibility.metrics import shown
from visibility.resources.now import NowItem
from visibility.services.reading.place_words import bounds_in_words, places_in_words

register = template.Library()


@register.filter(name="shown")
def shown_filter(value: float | Decimal | None, digits: int = 1) -> str:
    """The number with so many digits and commas between thousands; empty for what is not there."""
    return "" if value is None or value == "" else f"{Decimal(shown.shown(value, digits)):,}"


@register.filter(name="places_in_words")
def places_filter(now: NowItem) -> str:
    """How many mentions have a place, and between what the prominence lies wherever the others stand."""
    return "; ".join(filter(None, (places_in_words(now), bounds_in_words(now.prominence_bounds))))


@register.filter
def of_questions(interval: str | None) -> str:
    """What stands behind an interval that speaks of exactly the questions that were asked; empty for any other."""
    return shown.on_questions(interval)
