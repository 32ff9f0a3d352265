"""Reads what samples are made of: answers with their wordings, ranks and cited pages; in one statement where the
database has known them for a while."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.db.models import (
    BigIntegerField,
    Count,
    F,
    FloatField,
    Min,
    Model,
    QuerySet,
    Sum,
    TextField,
    UUIDField,
    Value,
)
from django.db.models.functions import Cast

from visibility.detection.types import BRAND
from visibility.measured.names import TrackedNames
from visibility.metrics.types import NO_PAGES, CitedPages
from visibility.models import Answer, Citation, Mention, PromptVersion

AT_ONCE = 10_000
"""Answers that are named in one statement."""

_Found = TypeVar("_Found", bound=Model)
_WORDING_FIELDS = ("pk", "prompt_id", "prompt__topic", "locale", "text")
_ANSWER, _WORDING, _MENTION, _CITATION = range(4)
_COLUMNS = (
    *("part", "answer", "subject", "run", "number", "engine", "surface", "state", "text", "attached", "published"),
)
_ANSWER_COLUMNS = {
    **{"answer": F("pk"), "subject": F("brand_id"), "run": F("run_id"), "number": F("version_id")},
    **{"engine": F("engine"), "surface": F("surface"), "state": F("state"), "text": F("served_model")},
}
_WORDING_COLUMNS = {
    **{"subject": F("prompt_id"), "number": F("pk")},
    **{"engine": F("prompt__topic"), "surface": F("locale"), "text": F("text")},
}
_MENTION_COLUMNS = {"answer": F("answer_id"), "subject": F("competitor_id"), "number": F("first")}
_CITATION_COLUMNS = {
    **{"answer": F("answer_id"), "subject": F("competitor_id"), "number": F("number"), "engine": F("owner")},
    **{"attached": F("attached"), "published": F("published")},
}
_CITED = ("competitor_id", "number", "attached", "published")
_NO_ID = Cast(Value(None), UUIDField())
_NO_TEXT = Value("", output_field=TextField())
_MISSING = {
    **dict.fromkeys(("answer", "subject", "run"), _NO_ID),
    "number": Cast(Value(None), BigIntegerField()),
    **dict.fromkeys(("engine", "surface", "state", "text"), _NO_TEXT),
    **dict.fromkeys(("attached", "published"), Cast(Value(None), FloatField())),
}


class AnswerRow(NamedTuple):
    """What is read of each answer; the names are those of its fields."""

    pk: UUID
    brand_id: UUID
    run_id: UUID
    engine: str
    surface: str
    state: str
    version_id: int
    served_model: str


class WordingRow(NamedTuple):
    """What a wording says, in which locale it is asked, and the prompt that it is of with the topic of today."""

    prompt_id: UUID
    topic: str
    locale: str
    text: str

    @property
    def topic_key(self) -> str:
        """The topic as people choose it: the id of a prompt that states none."""
        return self.topic or str(self.prompt_id)


@dataclass(frozen=True, slots=True)
class SampleRows:
    """What is stored of some answers: ranks and cited pages by answer, wordings by key."""

    answers: Sequence[AnswerRow]
    wordings: Mapping[int, WordingRow]
    ranks: Mapping[UUID, Mapping[str, int | None]]
    pages: Mapping[UUID, CitedPages]


def read_rows(answers: QuerySet[Answer, Any], tracked_by_brand: Sequence[TrackedNames]) -> SampleRows:
    """Of any answers, those of a run that is about to end, too: four statements, more for many answers.

    The answers are named one by one: of a run and a generation that are new the database knows nothing yet, takes
    both for a single row, and compares each row with each answer where they are joined.
    """
    rows = [AnswerRow(*row) for row in answers.order_by().values_list(*AnswerRow._fields)]
    answered = [row.pk for row in rows if row.state == Answer.State.ANSWERED]
    wordings = PromptVersion.objects.filter(pk__in={row.version_id for row in rows}).order_by()
    mentions = _of_answers(Mention.of_all_generations.visible(), tracked_by_brand, answered)
    citations = _of_answers(Citation.of_all_generations.all(), tracked_by_brand, answered)
    return SampleRows(
        rows,
        {pk: WordingRow(*row) for pk, *row in wordings.values_list(*_WORDING_FIELDS)},
        _ranks(row for some in mentions for row in _ranked(some).values_list("answer_id", "competitor_id", "first")),
        _pages(row for some in citations for row in _cited(some).values_list("answer_id", "owner", *_CITED)),
    )


def read_rows_at_once(answers: QuerySet[Answer, Any], tracked_by_brand: Sequence[TrackedNames]) -> SampleRows:
    """The same of answers that were analysed a while ago, in one statement."""
    parts: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for part, *row in _union(answers.order_by(), [tracked.generation for tracked in tracked_by_brand]):
        parts[part].append(tuple(row))
    rows = [
        AnswerRow(answer, brand, run, engine, surface, state, version, model)
        for answer, brand, run, version, engine, surface, state, model, *_ in parts[_ANSWER]
    ]
    wordings = {
        version: WordingRow(prompt, topic, locale, text)
        for _, prompt, _, version, topic, locale, _, text, *_ in parts[_WORDING]
    }
    return SampleRows(
        rows,
        wordings,
        _ranks((answer, competitor, rank) for answer, competitor, _, rank, *_ in parts[_MENTION]),
        _pages(
            (answer, owner, competitor, number, attached, published)
            for answer, competitor, _, number, owner, _, _, _, attached, published in parts[_CITATION]
        ),
    )


def _union(answers: QuerySet[Answer, Any], generations: Sequence[UUID]) -> Iterable[tuple[Any, ...]]:
    """The answers come first, as their columns give the types."""
    wordings = PromptVersion.objects.filter(pk__in=answers.values("version_id")).order_by()
    answered = answers.filter(state=Answer.State.ANSWERED).values("pk")
    mentions = Mention.of_all_generations.visible().filter(generation__in=generations, answer__in=answered)
    citations = Citation.of_all_generations.filter(generation__in=generations, answer__in=answered)
    rows: Iterable[tuple[Any, ...]] = _part(answers, _ANSWER, **_ANSWER_COLUMNS).union(
        _part(wordings, _WORDING, **_WORDING_COLUMNS),
        _part(_ranked(mentions.order_by()), _MENTION, **_MENTION_COLUMNS),
        _part(_cited(citations.order_by()), _CITATION, **_CITATION_COLUMNS),
        all=True,
    )
    return rows


def _part(rows: Any, part: int, **columns: Any) -> Any:
    every = {**_MISSING, **columns, "part": Value(part)}
    named = {f"sample_{name}": every[name] for name in _COLUMNS}
    return rows.annotate(**named).values_list(*named)


def _ranked(mentions: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    """The best rank of each subject in each answer."""
    ranked: QuerySet[Any, Any] = mentions.values("answer_id", "competitor_id").annotate(first=Min("rank"))
    return ranked


def _cited(citations: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    """How many pages of whom each answer cites, with their impressions."""
    cited: QuerySet[Any, Any] = citations.values("answer_id", "owner", "competitor_id").annotate(
        number=Count("pk"), attached=Sum("impression"), published=Sum("impression_published")
    )
    return cited


def _of_answers(
    rows: QuerySet[_Found], tracked_by_brand: Sequence[TrackedNames], answers: Sequence[UUID]
) -> Iterator[QuerySet[_Found]]:
    """The rows of these answers that belong to the tracked generations, some answers at a time."""
    generations = [tracked.generation for tracked in tracked_by_brand]
    for start in range(0, len(answers), AT_ONCE):
        yield rows.filter(generation__in=generations, answer__in=answers[start : start + AT_ONCE]).order_by()


def _subject(competitor_id: UUID | None) -> str:
    return str(competitor_id) if competitor_id else BRAND


def _ranks(rows: Iterable[tuple[Any, ...]]) -> dict[UUID, dict[str, int | None]]:
    """The best rank of each subject that is visible, by answer; None where none can be told."""
    ranks: dict[UUID, dict[str, int | None]] = defaultdict(dict)
    for answer, competitor, rank in rows:
        ranks[answer][_subject(competitor)] = rank
    return dict(ranks)


def _pages(rows: Iterable[tuple[Any, ...]]) -> dict[UUID, CitedPages]:
    """What is cited, by answer. Pages of a competitor that is removed meanwhile are anybody's."""
    pages: dict[UUID, CitedPages] = {}
    for answer, owner, competitor, number, attached, published in rows:
        known = pages.get(answer, NO_PAGES)
        if owner == Citation.Owner.OWN or (owner == Citation.Owner.COMPETITOR and competitor):
            subject = _subject(competitor)
            known = replace(
                known,
                by_subject={**known.by_subject, subject: number},
                attached={**known.attached, subject: attached or 0.0},
                published={**known.published, subject: published or 0.0},
            )
        pages[answer] = replace(known, total=known.total + number)
    return pages
