"""Numbers in templates, written as everywhere else. Built in: no template has to load it."""

from decimal import Decimal

from django import template

from visibility.metrics import shown

register = template.Library()


@register.filter(name="shown")
def shown_filter(value: float | Decimal | None, digits: int = 1) -> str:
    """The number with so many digits and commas between thousands; empty for what is not there."""
    return "" if value is None or value == "" else f"{Decimal(shown.shown(value, digits)):,}"
