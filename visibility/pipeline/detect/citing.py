"""Makes rows of the sources of an answer: whose each is, what it supports, how much of the answer it carries."""

import hashlib
from collections.abc import Mapping, Sequence
from uuid import UUID

from visibility.detection.citations.attachment import attach
from visibility.detection.citations.citations import find_citations
from visibility.detection.text.addresses import canonical_url
from visibility.detection.text.reading import Reading
from visibility.detection.types import BRAND, FoundCitation
from visibility.engines.protocol import Source
from visibility.measured.names import TrackedNames
from visibility.metrics.impressions import geo_attached, geo_compat
from visibility.models import Answer, Citation

_DIGITS = 6


def citations_of(tracked: TrackedNames, answer: Answer, read: Reading) -> list[Citation]:
    """The citations of an answer, unsaved, in their order; of the tracked names' generation."""
    if not read.sources:
        return []
    sentences = attach(read)
    citations = find_citations(read.sources, tracked.domains, sentences, tracked.vocabulary.classes)
    attached = geo_attached(sentences, [citation.url for citation in citations]).position_adjusted
    published = _published(answer.text, read.sources)
    return [
        _row(tracked, answer, citation, share, published[citation.url])
        for citation, share in zip(citations, attached, strict=True)
    ]


def _published(text: str, sources: Sequence[Source]) -> Mapping[str, float]:
    """The published code's share of each canonical URL: it numbers the sources as they came."""
    shares: dict[str, float] = {}
    for source, share in zip(sources, geo_compat(text, len(sources)).position_adjusted, strict=True):
        if url := canonical_url(source.url):
            shares[url] = shares.get(url, 0.0) + share
    return shares


def _row(
    tracked: TrackedNames, answer: Answer, citation: FoundCitation, attached: float, published: float
) -> Citation:
    owner, competitor = Citation.Owner.OTHER, None
    if citation.subject is not None:
        owner = Citation.Owner.OWN if citation.subject == BRAND else Citation.Owner.COMPETITOR
        competitor = UUID(citation.subject) if citation.subject else None
    return Citation(
        generation_id=tracked.generation,
        answer=answer,
        url=citation.url,
        url_digest=hashlib.sha256(citation.url.encode()).hexdigest(),
        domain=citation.domain,
        title=citation.title,
        position=citation.position,
        owner=owner,
        cls=citation.cls.value,
        competitor_id=competitor,
        spans=[list(span) for span in citation.spans],
        impression=round(attached, _DIGITS),
        impression_published=round(published, _DIGITS),
    )
