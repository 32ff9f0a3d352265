"""Detection of stored answers: mentions, citations and untracked names, each written with what it was read by."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import transaction

from apikeys.text import storable
from brands.models import Brand
from brands.names import BrandNames, Tracked, names_of
from visibility.detection import Detector, Policy, Source, Subject, find_citations
from visibility.detection import Mention as Found
from visibility.models import Answer, Citation, Mention, UntrackedName
from visibility.models.answers import AnswerQuerySet

BATCH = 100
BRAND = "brand"
"""The key of the brand among the subjects of a detector; competitors have their ids."""


@dataclass(frozen=True, slots=True)
class Read:
    """What was found in an answer: rows that are not saved."""

    answer: int
    mentions: Sequence[Mention]
    citations: Sequence[Citation]
    untracked: Sequence[UntrackedName]


class Reader:
    """Reads answers for a brand and its competitors with the names of one version. Prepared once a job."""

    def __init__(self, brand: Brand) -> None:
        self.brand = brand
        names = names_of(brand)
        self.names_version = names.version
        self.detector = Detector(_subjects(names, brand.description))
        self.domains = {_key(tracked): tracked.domains for tracked in (names.brand, *names.competitors)}

    def read(self, answer: Answer) -> Read:
        """What is found in an answer, as rows that are not saved."""
        sources = [(source.get("url", ""), source.get("title", "")) for source in answer.sources]
        found = self.detector.detect(answer.text, answer.version.text, sources)
        cited = find_citations([Source(*source) for source in sources], self.domains, brand=BRAND)
        citations = [
            Citation(
                answer=answer,
                brand_id=answer.brand_id,
                day=answer.day,
                url=storable(citation.url),
                digest=hashlib.blake2b(citation.url.encode(errors="replace"), digest_size=16).digest(),
                domain=citation.domain[:253],
                title=storable(citation.title),
                position=citation.position,
                source_class=citation.source_class,
                is_own=citation.owner == BRAND,
                competitor_id=_competitor(citation.owner),
            )
            for citation in cited
        ]
        names = [
            UntrackedName(answer=answer, name=each.name, start=each.start, end=each.end, domain=each.domain)
            for each in found.untracked
        ]
        return Read(answer.pk, [_mention(answer, each) for each in found.mentions], citations, names)

    def names_in(self, prompt: str) -> frozenset[str]:
        """The keys of the subjects that a prompt itself names."""
        return frozenset(mention.subject for mention in self.detector.detect(prompt).mentions)


def detect(reader: Reader, answers: AnswerQuerySet, progress: Callable[[int], None] = lambda number: None) -> int:
    """Read the answers that were not read with these names yet; returns how many. May run twice, and be killed."""
    stale = answers.answered().exclude(names_version=reader.names_version).select_related("version").order_by("pk")
    number = 0
    for batch in _batches(stale.iterator(chunk_size=BATCH)):
        _write(reader, batch)
        number += len(batch)
        progress(len(batch))
    return number


def _write(reader: Reader, answers: Sequence[Answer]) -> None:
    found = [reader.read(answer) for answer in answers]  # before the transaction: it takes as long as it takes
    with transaction.atomic():
        replace(found)
        Answer.objects.filter(pk__in=[read.answer for read in found]).update(names_version=reader.names_version)


def replace(found: Sequence[Read]) -> None:
    """Write what was found in answers in place of what stands there, in the caller's transaction."""
    answers = [read.answer for read in found]
    # One at a time: an import and the worker may be reading the same answers.
    list(Answer.objects.filter(pk__in=answers).select_for_update(no_key=True).order_by("pk").values_list("pk"))
    for model in (Mention, Citation, UntrackedName):
        model._base_manager.filter(answer__in=answers).delete()
    Mention.objects.bulk_create((row for read in found for row in read.mentions), batch_size=1_000)
    Citation.objects.bulk_create((row for read in found for row in read.citations), batch_size=1_000)
    UntrackedName.objects.bulk_create((row for read in found for row in read.untracked), batch_size=1_000)


def _mention(answer: Answer, found: Found) -> Mention:
    return Mention(
        answer=answer,
        competitor_id=_competitor(found.subject),
        start=found.start,
        end=found.end,
        rank=found.rank,
        rule=found.rule[:20],
        rank_rule=found.rank_rule[:20],
        stance=found.stance,
        quote_start=found.quote_start,
        quote_end=found.quote_end,
    )


def _subjects(names: BrandNames, description: str) -> Iterator[Subject]:
    for tracked in (names.brand, *names.competitors):
        policies = {
            name.text: Policy(name.case_sensitive, name.required_near, name.forbidden_near)
            for name in tracked.names
            if name.case_sensitive or name.required_near or name.forbidden_near
        }
        yield Subject(
            key=_key(tracked),
            names=[name.text for name in tracked.names],
            domains=tracked.domains,
            policies=policies,
            description=description if tracked.competitor is None else "",
        )


def _key(tracked: Tracked) -> str:
    return BRAND if tracked.competitor is None else str(tracked.competitor)


def _competitor(key: str | None) -> str | None:
    return None if key in (None, BRAND) else key


def _batches(answers: Iterator[Answer]) -> Iterable[list[Answer]]:
    return iter(lambda: list(islice(answers, BATCH)), [])
