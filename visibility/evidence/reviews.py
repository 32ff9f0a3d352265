"""The reviews that pages hold: Review markup and testimonials. Pure."""

from collections.abc import Sequence

from visibility.audit.page import ParsedPage
from visibility.evidence.types import ReviewText


def reviews_on(pages: Sequence[ParsedPage]) -> list[ReviewText]:
    """The reviews on these pages, each once."""
    raise NotImplementedError
