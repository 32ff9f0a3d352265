"""What reviews speak about. Pure."""

from collections.abc import Sequence

from visibility.evidence.types import AnswerText, ReviewText, Theme


def find_themes(reviews: Sequence[ReviewText], answers: Sequence[AnswerText]) -> list[Theme]:
    """The themes of the reviews, those of most reviews first; `answers` are those that name the brand."""
    raise NotImplementedError
