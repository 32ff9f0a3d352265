"""Answers as they are shown: read with their mentions and citations in a fixed number of statements."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from brands.models import Brand, Competitor
from visibility.models import Answer, Citation, Mention
from visibility.resources.answers import AnswerCitation, AnswerResource, MentionSpan, Span

MAX_TEXT = 4_000
"""Characters of an answer that are shown."""


def subject_names(brand: Brand) -> dict[UUID | None, str]:
    """The names of the brand, under None, and of its competitors."""
    return {None: brand.name, **dict(Competitor.objects.filter(brand=brand).values_list("pk", "name"))}


def shown_answers(
    answers: Sequence[Answer], names: Mapping[UUID | None, str], longest: int | None = MAX_TEXT
) -> list[AnswerResource]:
    """The answers, which come with their versions; `names` are those of the brand (None) and its competitors.

    Of each text the first `longest` characters are shown; None: all. What lies behind is left out, but for citations
    without a place.
    """
    ids = [answer.pk for answer in answers]
    mentions = _by_answer(Mention.objects.filter(answer__in=ids).order_by("start", "competitor_id"))
    citations = _by_answer(Citation.objects.filter(answer__in=ids).order_by("position"))
    return [
        _shown(answer, answer.text[:longest], mentions[answer.pk], citations[answer.pk], names) for answer in answers
    ]


def _by_answer(rows: Iterable[Any]) -> Mapping[UUID, list[Any]]:
    rows_by_answer: dict[UUID, list[Any]] = defaultdict(list)
    for row in rows:
        rows_by_answer[row.answer_id].append(row)
    return rows_by_answer


def _shown(
    answer: Answer,
    text: str,
    mentions: Sequence[Mention],
    citations: Sequence[Citation],
    names: Mapping[UUID | None, str],
) -> AnswerResource:
    brand_mentions = (mention for mention in mentions if mention.competitor_id is None)
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
        named=any(mention.stance != Mention.Stance.NOT_FOUND for mention in brand_mentions),
        text=text,
        length=len(answer.text),
        mentions=[
            MentionSpan(
                start=mention.start,
                end=mention.end,
                competitor=mention.competitor_id,
                name=names[mention.competitor_id],
                rank=mention.rank,
                stance=mention.stance,
            )
            for mention in mentions
            if mention.end <= len(text) and mention.competitor_id in names
        ],
        citations=[_citation(citation, len(text)) for citation in citations],
    )


def _citation(citation: Citation, length: int) -> AnswerCitation:
    return AnswerCitation(
        url=citation.url,
        domain=citation.domain,
        title=citation.title,
        cls=citation.cls,
        competitor=citation.competitor_id,
        spans=[Span(start=start, end=end) for start, end in citation.spans if end <= length],
    )
