"""Whose sources an engine's answers rest on. Each page counts once in each answer that cites it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from visibility.detection.types import BRAND, FoundCitation, SourceClass
from visibility.metrics.types import CitedPages


@dataclass(frozen=True, slots=True)
class CitedDomain:
    """A domain with its class, how often its pages are cited, by how many answers, and its share of all citations."""

    domain: str
    cls: SourceClass
    citations: int
    answers: int
    share: float


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


def top_domains(answers: Sequence[Sequence[FoundCitation]], limit: int | None = None) -> list[CitedDomain]:
    """The domains that are cited, most citations first, then most answers, then by name.

    Where pages of one domain are of several classes the domain has the one of most of its citations.
    """
    citations: Counter[str] = Counter()
    citing: Counter[str] = Counter()
    classes: Counter[tuple[str, SourceClass]] = Counter()
    for answer in answers:
        pages = _pages(answer)
        citations.update(page.domain for page in pages)
        citing.update({page.domain for page in pages})
        classes.update((page.domain, page.cls) for page in pages)
    main = {domain: cls for (domain, cls), _ in sorted(classes.items(), key=lambda item: (item[1], item[0]))}
    found = [
        CitedDomain(domain, main[domain], count, citing[domain], count / citations.total())
        for domain, count in citations.items()
    ]
    return sorted(found, key=lambda each: (-each.citations, -each.answers, each.domain))[:limit]


def _pages(answer: Sequence[FoundCitation]) -> list[FoundCitation]:
    """One for each canonical URL."""
    return list({citation.url: citation for citation in reversed(answer)}.values())
