"""The order of the queue: what is lost, how surely, and how far the own hands reach."""

from collections.abc import Sized
from math import sqrt

from visibility.models.recommendations import Level
from visibility.recommendations.material import Material

OWN_PAGE, NEW_PAGE, SHOP, EDITOR, SEEN = 1.0, 0.8, 0.7, 0.6, 0.4
"""How far it lies in the brand's own hands: to edit a page, to write one, to be listed by a shop, by an editor. What
is only seen better afterwards comes last."""
HIGH, MEDIUM = 60, 30


def priority_of(material: Material, showing: Sized, k: int, n: int, *, reach: float) -> int:
    """0 to 100: the root of the share of all answers that show it, how surely (k of n), and `reach`."""
    share = len(showing) / len(material.answers) if material.answers else 0.0
    return round(100 * sqrt(share) * k / (n + 1) * reach)


def impact_of(priority: int) -> Level:
    """The same in three levels."""
    return Level.HIGH if priority >= HIGH else Level.MEDIUM if priority >= MEDIUM else Level.LOW
