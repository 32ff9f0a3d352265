"""How many mentions have a place, and what the others could make of a figure of ranks, in words for people."""

from typing import Protocol

from visibility.metrics.shown import shown
from visibility.resources.brands import Bounds


class Placed(Protocol):
    """Whatever says how many of the mentions have a place."""

    @property
    def mentions(self) -> int | None:
        """Answers that name the subject; None where an earlier release counted."""

    @property
    def ranked(self) -> int | None:
        """Of these, those with a place."""


def places_in_words(placed: Placed) -> str:
    """“13 of 35 mentions have a place”; empty where all have one, or nothing is mentioned."""
    mentions, ranked = placed.mentions, placed.ranked
    if not mentions or ranked is None or ranked == mentions:
        return ""
    return f"{ranked} of {mentions} mention{'s' if mentions > 1 else ''} ha{'ve' if ranked != 1 else 's'} a place"


def bounds_in_words(bounds: Bounds | None) -> str:
    """“12.0 to 41.3 wherever the others stand”; empty without bounds."""
    return f"{shown(bounds.least)} to {shown(bounds.most)} wherever the others stand" if bounds else ""
