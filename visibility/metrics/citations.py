"""Whose sources an engine's answers rest on. Each page counts once in each answer that cites it."""

from collections.abc import Iterable
from dataclasses import dataclass

from visibility.detection.types import BRAND
from visibility.metrics.types import CitedPages


@dataclass(frozen=True, slots=True)
class CitationShare:
    """The citations of a subject's own pages ÷ all citations, in 0–1; None where nothing is cited."""

    own: int
    total: int

    @property
    def value(self) -> float | None:
        """The share."""
        return self.own / self.total if self.total else None


def citation_share(answers: Iterable[CitedPages], subject: str = BRAND) -> CitationShare:
    """The share of a subject in the citations of one engine's answers; over several engines the figure is the plain
    mean of theirs."""
    own = total = 0
    for pages in answers:
        own += pages.by_subject.get(subject, 0)
        total += pages.total
    return CitationShare(own, total)
