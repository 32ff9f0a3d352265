"""Looks answers through for mentions and citations. Can be repeated at any time from what is stored."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from uuid import UUID

from django.db.models import Q

from brands.models import Brand
from brands.querysets import BrandScopedQuerySet
from visibility.detection.citations import find_citations
from visibility.detection.detector import DETECTOR_VERSION, detect
from visibility.detection.matching import Dictionary
from visibility.detection.types import BRAND, FoundCitation, FoundMention
from visibility.engines.protocol import Source
from visibility.models import Answer, Citation, Mention
from visibility.scans.names import domains_of, names_of

CHUNK = 100
"""Answers that are held in memory, and stored in one transaction, at a time."""

Guard = Callable[[], AbstractContextManager[None]]
"""Opens the transaction that a chunk is written in; a fenced one for the worker of a run."""


def detect_answers(brand: Brand, answers: BrandScopedQuerySet, guard: Guard) -> int:
    """Look through those of `answers` that the current detector has not seen, and return how many.

    The findings of an earlier detector are replaced in the same transaction; each chunk is complete in itself,
    so that a repeat after a crash goes on where the last chunk ended.
    """
    dictionary, domains = Dictionary(names_of(brand)), domains_of(brand)
    unseen = answers.filter(~Q(detector_version=DETECTOR_VERSION), state=Answer.State.ANSWERED)
    ids = list(unseen.order_by("pk").values_list("pk", flat=True))
    for chunk in _chunks(ids):
        seen = Answer.objects.filter(pk__in=chunk)
        mentions: list[Mention] = []
        citations: list[Citation] = []
        for answer in seen.select_related("version").only("text", "sources", "version__text"):
            sources = [Source(**source) for source in answer.sources]
            found = detect(answer.text, answer.version.text, sources, dictionary)
            mentions += [_mention(answer, each) for each in found]
            citations += [_citation(answer, each) for each in find_citations(sources, domains)]
        with guard():
            Mention.objects.filter(answer__in=chunk).delete()
            Citation.objects.filter(answer__in=chunk).delete()
            Mention.objects.bulk_create(mentions, batch_size=500)
            Citation.objects.bulk_create(citations, batch_size=500)
            seen.update(detector_version=DETECTOR_VERSION)
    return len(ids)


def _chunks(ids: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    for start in range(0, len(ids), CHUNK):
        yield ids[start : start + CHUNK]


def _mention(answer: Answer, found: FoundMention) -> Mention:
    return Mention(
        answer=answer,
        competitor_id=found.subject if found.subject != BRAND else None,
        start=found.start,
        end=found.end,
        text=found.text[:300],
        rank=found.rank,
        rule=found.rule[:40],
    )


def _citation(answer: Answer, found: FoundCitation) -> Citation:
    owner, competitor = Citation.Owner.OTHER, None
    if found.subject is not None:
        owner = Citation.Owner.OWN if found.subject == BRAND else Citation.Owner.COMPETITOR
        competitor = found.subject or None
    return Citation(
        answer=answer,
        url=found.url,
        url_digest=hashlib.sha256(found.url.encode()).hexdigest(),
        domain=found.domain,
        title=found.title,
        position=found.position,
        owner=owner,
        competitor_id=competitor,
    )
