"""Answers as they are shown: read with their mentions and citations in one statement."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.db.models import F, IntegerField, QuerySet, TextField, Value
from django.db.models.functions import Cast

from brands.models import Brand
from brands.services.tracked import read_names
from visibility.models import Answer, Citation, Mention
from visibility.resources.answers import AnswerCitation, AnswerResource, MentionSpan, Span

MAX_TEXT = 4_000
"""Characters of an answer that are shown."""


def subject_names(brand: Brand) -> dict[UUID | None, str]:
    """The names of the brand, under None, and of its competitors."""
    return {None: brand.name, **{pk: rival.name for pk, rival in read_names(brand).rivals.items()}}


def shown_answers(
    answers: Sequence[Answer], names: Mapping[UUID | None, str], longest: int | None = MAX_TEXT
) -> list[AnswerResource]:
    """The answers, which come with their versions; `names` are those of the brand (None) and its competitors.

    Of each text the first `longest` characters are shown; None: all. What lies behind is left out, but for citations
    without a place.
    """
    mentions: dict[UUID, list[_Row]] = defaultdict(list)
    citations: dict[UUID, list[_Row]] = defaultdict(list)
    for row in map(_Row._make, _rows([answer.pk for answer in answers])):
        (citations if row.is_citation else mentions)[row.answer].append(row)
    return [
        _shown(answer, answer.text[:longest], mentions[answer.pk], citations[answer.pk], names) for answer in answers
    ]


class _Row(NamedTuple):
    """A mention (its place, rank and stance) or a citation (its place among the sources, and what is cited)."""

    is_citation: bool
    answer: UUID
    competitor: UUID | None
    place: int
    end: int | None
    rank: int | None
    text: str
    domain: str
    title: str
    cls: str
    spans: str


def _rows(answers: Collection[UUID]) -> Iterable[tuple[Any, ...]]:
    """One statement: the citations in the order of the sources, the mentions in that of the text."""
    cited = _part(
        Citation.objects.filter(answer__in=answers),
        is_citation=Value(True),
        place=F("position"),
        text=F("url"),
        domain=F("domain"),
        title=F("title"),
        cls=F("cls"),
        spans=Cast("spans", TextField()),
    )
    mentioned = _part(
        Mention.objects.filter(answer__in=answers),
        is_citation=Value(False),
        place=F("start"),
        end=F("end"),
        rank=F("rank"),
        text=F("stance"),
    )
    rows: QuerySet[Any, Any] = cited.union(mentioned, all=True).order_by("shown_place", "shown_competitor")
    return rows


def _part(rows: Any, **columns: Any) -> Any:
    no_text = Value("", output_field=TextField())
    no_number = Cast(Value(None), IntegerField())
    every = {
        **dict.fromkeys(_Row._fields, no_text),
        **{"answer": F("answer_id"), "competitor": F("competitor_id"), "end": no_number, "rank": no_number},
        **columns,
    }
    named = {f"shown_{name}": every[name] for name in _Row._fields}
    return rows.order_by().annotate(**named).values_list(*named)


def _shown(
    answer: Answer,
    text: str,
    mentions: Sequence[_Row],
    citations: Sequence[_Row],
    names: Mapping[UUID | None, str],
) -> AnswerResource:
    brand_mentions = (mention for mention in mentions if mention.competitor is None)
    return AnswerResource(
        id=answer.pk,
        run=answer.run_id,
        engine=answer.engine,
        version=answer.version.number,
        sample=answer.sample,
        answered_at=answer.answered_at,
        served_model=answer.served_model,
        searched=answer.searched,
        refused=answer.refused,
        named=any(mention.text != Mention.Stance.NOT_FOUND for mention in brand_mentions),
        text=text,
        length=len(answer.text),
        mentions=[
            MentionSpan(
                start=mention.place,
                end=mention.end,
                competitor=mention.competitor,
                name=names[mention.competitor],
                rank=mention.rank,
                stance=mention.text,
            )
            for mention in mentions
            if mention.end is not None and mention.end <= len(text) and mention.competitor in names
        ],
        citations=[_citation(citation, len(text)) for citation in citations],
    )


def _citation(citation: _Row, length: int) -> AnswerCitation:
    return AnswerCitation(
        url=citation.text,
        domain=citation.domain,
        title=citation.title,
        cls=citation.cls,
        competitor=citation.competitor,
        spans=[Span(start=start, end=end) for start, end in orjson.loads(citation.spans) if end <= length],
    )
