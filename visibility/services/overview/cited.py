"""Whom the answers of now cite, in one statement: for those who look at a brand before they look at its sources."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q

from visibility.detection.types import BRAND, SourceClass
from visibility.measured.basis import EngineDay
from visibility.measured.reading import answers_of
from visibility.measured.topic_table import TopicTable
from visibility.models import Answer, Citation, Mention

TOP = 3
LOOKED_AT = 20
"""Of the most cited sites of others, the one that names the brand least is looked for among so many."""
MIN_ANSWERS = 5
"""Fewer answers say too little of a site to call it the one that names the brand least."""
_OF_SIDES = (SourceClass.OWN, SourceClass.COMPETITOR)


@dataclass(frozen=True, slots=True)
class CitedSite:
    """A cited domain: `answers` of now cite it, `named` of these name the brand."""

    domain: str
    cls: SourceClass
    answers: int
    named: int


@dataclass(frozen=True, slots=True)
class Cited:
    """The sites that most answers cite, most first. `least`: of sites of others that are cited often, the one whose
    answers name the brand in the smallest part; None where each names it in as many."""

    top: Sequence[CitedSite]
    least: CitedSite | None


def cited_now(table: TopicTable) -> Cited:
    """By the answers of now to questions that do not name the brand, counted as `source_report` counts them."""
    engines = table.basis.compared
    if not engines:
        return Cited((), None)
    sites = [_site(row) for row in _rows(engines, _branded(table))]
    return Cited(sites[:TOP], _least(sites))


def _rows(engines: Sequence[EngineDay], branded: Collection[UUID]) -> list[dict[str, Any]]:
    answers = answers_of(engines).filter(state=Answer.State.ANSWERED).exclude(prompt__in=branded)
    naming = Exists(Mention.objects.visible().filter(answer=OuterRef("answer"), competitor=None))
    classes = {_column(cls): Count("pk", filter=Q(cls=cls.value)) for cls in SourceClass}
    cited = Citation.objects.filter(answer__in=answers.values("pk")).order_by().values("domain", "owner")
    counted = cited.annotate(
        answers=Count("answer", distinct=True), named=Count("answer", distinct=True, filter=naming), **classes
    )
    return list(counted.order_by("-answers", "domain", "owner")[:LOOKED_AT])


def _site(row: dict[str, Any]) -> CitedSite:
    """Of the class of most of its citations, as an entry of the table of classes may stand for a part of a domain."""
    cls = min(SourceClass, key=lambda cls: (-row[_column(cls)], cls))
    return CitedSite(row["domain"], cls, row["answers"], row["named"])


def _least(sites: Sequence[CitedSite]) -> CitedSite | None:
    others = [site for site in sites if site.cls not in _OF_SIDES and site.answers >= MIN_ANSWERS]
    others.sort(key=lambda site: (site.named / site.answers, -site.answers, site.domain))
    if len(others) < 2 or others[0].named * others[-1].answers == others[-1].named * others[0].answers:
        return None
    return others[0]


def _branded(table: TopicTable) -> list[UUID]:
    """The prompts that name the brand."""
    counts = table.counts
    if counts is None or BRAND not in counts.subjects:
        return []
    flags = counts.named[:, counts.subjects.index(BRAND)]
    wordings = (wording for wording, is_branded in zip(counts.prompts, flags, strict=True) if is_branded)
    return sorted({table.topics.prompt_of[wording] for wording in wordings})


def _column(cls: SourceClass) -> str:
    return f"of_{cls.value}"
