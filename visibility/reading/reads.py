"""What readers found, counted by code: the newest reading of each topic."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Count

from brands.models import Brand
from visibility.detection.visible import read
from visibility.models import Mention, Reading, Statement
from visibility.models.reading import Facet

LEAST_ANSWERS = 3
"""Answers that say the same, or two engines, from which on a finding is told."""


@dataclass(frozen=True, slots=True)
class StatementQuote:
    """The words of one answer or review, white space folded, without signs of Markdown."""

    text: str
    value: str
    engine: str = ""
    answer_id: int | None = None
    prompt_id: UUID | None = None
    review_id: int | None = None
    stars: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What answers on a topic say of the brand (`subject` None) or a competitor under one heading: by engine in k
    of the n read answers that name it; `values`: in how many of those that give one value each is given, `every`: in
    how many of all. Of reviews (`topic` None) the engine is "", and n are all that were read."""

    topic: UUID | None
    subject: UUID | None
    facet: Facet
    heading: str
    by_engine: Mapping[str, tuple[int, int]]
    values: Mapping[str, int]
    every: Mapping[str, int]
    quotes: Sequence[StatementQuote]
    read_on: date

    @property
    def k(self) -> int:
        """Answers that say it."""
        return sum(k for k, _ in self.by_engine.values())

    @property
    def n(self) -> int:
        """Read answers that name its subject."""
        return sum(n for _, n in self.by_engine.values())

    @property
    def is_telling(self) -> bool:
        """Whether three answers, or two engines, say it."""
        return self.k >= LEAST_ANSWERS or sum(k > 0 for k, _ in self.by_engine.values()) > 1


def findings_of(brand: Brand, readings: Iterable[Reading] | None = None) -> list[Finding]:
    """What the newest reading of each topic, and of the reviews, found; the most answers first. Empty where nobody
    has read. `readings` are these where they are read already."""
    newest = last_readings(brand).values() if readings is None else readings
    found = [each for reading in newest for each in _findings(reading)]
    return sorted(found, key=lambda each: (-each.k, each.facet, each.heading))


def last_readings(brand: Brand) -> dict[UUID | None, Reading]:
    """The newest reading of each topic, and of the reviews (None)."""
    newest = (
        Reading.objects.filter(brand=brand)
        .select_related("topic")
        .order_by("topic_id", "-made_at", "-id")
        .distinct("topic_id")
    )
    return {reading.topic_id: reading for reading in newest}


def _findings(reading: Reading) -> Iterator[Finding]:
    """The rows of one reading, grouped by subject, facet and heading."""
    rows = reading.statements.order_by("pk").select_related("answer__engine", "review")
    groups: dict[tuple[UUID | None, str, str], list[Statement]] = defaultdict(list)
    for row in rows:
        groups[row.competitor_id, row.facet, row.heading].append(row)
    naming = _naming(reading)
    for (subject, facet, heading), statements in groups.items():
        texts = {row.answer_id or row.review_id: row for row in statements}
        said = Counter(row.answer.engine.name if row.answer else "" for row in texts.values())
        given: dict[int | None, set[str]] = defaultdict(set)
        for row in statements:
            given[row.answer_id or row.review_id].add(row.value)
        single = Counter(next(iter(each)) for each in given.values() if len(each) == 1)
        every = Counter(value for each in given.values() for value in each)
        yield Finding(
            topic=reading.topic_id,
            subject=subject,
            facet=Facet(facet),
            heading=heading,
            by_engine={engine: (said[engine], n) for engine, n in naming[subject].items()},
            values=_most_first(single),
            every=_most_first(every),
            quotes=[_quote(row) for row in texts.values()],
            read_on=reading.made_at.date(),
        )


def _most_first(values: Counter[str]) -> dict[str, int]:
    return dict(sorted(values.items(), key=lambda each: (-each[1], each[0])))


def _naming(reading: Reading) -> Mapping[UUID | None, Mapping[str, int]]:
    """By subject and engine, how many of the answers that were read name it; of reviews all that were read."""
    if reading.topic_id is None:
        return defaultdict(lambda: {"": len(reading.read)})
    naming: dict[UUID | None, dict[str, int]] = defaultdict(dict)
    rows = (
        Mention.objects.filter(answer__in=reading.read).order_by().values_list("competitor", "answer__engine__name")
    )
    for subject, engine, number in rows.annotate(Count("answer", distinct=True)):
        naming[subject][engine] = number
    return naming


def _quote(row: Statement) -> StatementQuote:
    text = row.answer.text if row.answer else row.review.text if row.review else ""
    shown = " ".join(read(text[row.start : row.end]).text.replace("\0", " ").split())
    if row.answer:
        return StatementQuote(shown, row.value, row.answer.engine.name, row.answer.pk, row.answer.prompt_id)
    return StatementQuote(shown, row.value, review_id=row.review_id, stars=row.review.stars if row.review else None)
