"""The order of the queue: how much is lost, how surely, and how much the brand can do itself."""

from collections.abc import Sized
from math import sqrt

from visibility.models.recommendations import Level
from visibility.recommendations.material import Material

OWN_PAGE, NEW_PAGE, SHOP, EDITOR, SEEN = 1.0, 0.8, 0.7, 0.6, 0.4
"""How much of it the brand can do itself: edit a page, write one, be listed by a shop, by an editor; last, what only
makes figures more complete."""
HIGH, MEDIUM = 60, 30


def priority_of(material: Material, showing: Sized, k: int, n: int, *, reach: float) -> int:
    """0 to 100: the root of the share of all answers that show it, how surely (k of n), and `reach`."""
    share = len(showing) / len(material.answers) if material.answers else 0.0
    return round(100 * sqrt(share) * k / (n + 1) * reach)


def impact_of(priority: int) -> Level:
    """The same in three levels."""
    return Level.HIGH if priority >= HIGH else Level.MEDIUM if priority >= MEDIUM else Level.LOW
