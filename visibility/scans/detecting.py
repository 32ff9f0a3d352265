"""Looks answers through for mentions and citations. Can be repeated at any time from what is stored."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from uuid import UUID

from django.db.models import Q

from brands.querysets import BrandScopedQuerySet
from visibility.detection.citations import find_citations
from visibility.detection.detector import detect
from visibility.detection.types import BRAND, FoundCitation, FoundMention
from visibility.engines.protocol import Source
from visibility.models import Answer, Citation, Mention
from visibility.scans.names import Lexicon

CHUNK = 100
"""Answers that are held in memory, and stored in one transaction, at a time."""

Guard = Callable[[], AbstractContextManager[None]]
"""Opens the transaction that a chunk is written in; a fenced one for the worker of a run."""


def unseen(lexicon: Lexicon, answers: BrandScopedQuerySet) -> BrandScopedQuerySet:
    """Those of `answers` that were not looked through by the current detector for the current names."""
    return answers.filter(~Q(detector_version=lexicon.stamp), state=Answer.State.ANSWERED)


def detect_answers(lexicon: Lexicon, answers: BrandScopedQuerySet, guard: Guard) -> int:
    """Look through those of `answers` that are unseen, and return how many there were.

    Earlier findings are replaced in the same transaction; each chunk is complete in itself, so that a repeat after
    a crash goes on where the last chunk ended.
    """
    ids = list(unseen(lexicon, answers).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(ids), CHUNK):
        _detect_chunk(lexicon, ids[start : start + CHUNK], guard)
    return len(ids)


def _detect_chunk(lexicon: Lexicon, ids: Sequence[UUID], guard: Guard) -> None:
    mentions: list[Mention] = []
    citations: list[Citation] = []
    chunk = Answer.objects.filter(pk__in=ids)
    for answer in chunk.select_related("version").only("text", "sources", "version__text"):
        sources = [Source(**source) for source in answer.sources]
        found = detect(answer.text, answer.version.text, sources, lexicon.dictionary)
        mentions += [_mention(answer, each) for each in found]
        citations += [_citation(answer, each) for each in find_citations(sources, lexicon.domains)]
    with guard():
        # Two runs of one day may look through the answers of a third: one waits here and finds them seen.
        locked = unseen(lexicon, chunk).select_for_update().order_by("pk")
        mine = set(locked.values_list("pk", flat=True))
        Mention.objects.filter(answer__in=mine).delete()
        Citation.objects.filter(answer__in=mine).delete()
        Mention.objects.bulk_create((each for each in mentions if each.answer_id in mine), batch_size=500)
        Citation.objects.bulk_create((each for each in citations if each.answer_id in mine), batch_size=500)
        Answer.objects.filter(pk__in=mine).update(detector_version=lexicon.stamp)


def _mention(answer: Answer, found: FoundMention) -> Mention:
    return Mention(
        answer=answer,
        competitor_id=found.subject if found.subject != BRAND else None,
        start=found.start,
        end=found.end,
        text=found.text[:300],
        rank=found.rank,
        rule=found.rule[:40],
        rank_rule=found.rank_rule,
        stance=found.stance.value,
        quote_start=found.quote_start,
        quote_end=found.quote_end,
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
        cls=found.cls.value,
        competitor_id=competitor,
    )
