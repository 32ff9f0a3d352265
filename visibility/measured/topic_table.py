"""How everybody stands on each topic: now, and on measured days. Read from the counts of days, not from answers."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

import numpy as np

from brands.models import Brand
from visibility.detection.types import BRAND
from visibility.measured.basis import Basis, EngineDay
from visibility.measured.counts import unpacked
from visibility.measured.generations import rival_names, tracked_names_by_brand
from visibility.measured.now import averaged_of
from visibility.measured.reading import answers_of
from visibility.measured.sampling import read_samples
from visibility.measured.topics import Topic, Topics, read_topics
from visibility.metrics.pairs import DayCounts, aligned, count_day, named_before
from visibility.metrics.topics import TopicFigures, measure_topics
from visibility.models import DayCount

MAX_DAYS = 100
"""Measured days of which one reading shows a topic."""


@dataclass(frozen=True, slots=True)
class TopicRow:
    """Everybody's figures on one topic: the brand's own under `BRAND`, competitors' under their ids as text."""

    topic: Topic
    figures: Mapping[str, TopicFigures]

    @property
    def own(self) -> TopicFigures:
        """The brand's."""
        return self.figures[BRAND]


@dataclass(frozen=True, slots=True)
class TopicTable:
    """The topics whose unbranded prompts are answered now, the brand's strongest first. `names` are those of the
    subjects, the brand's first; `averaged` the engines of the figure over engines; `counts` the answers that the
    rows sum up."""

    basis: Basis
    topics: Topics
    names: Mapping[str, str]
    averaged: frozenset[str]
    rows: Sequence[TopicRow]
    counts: DayCounts | None = None

    def row(self, key: str) -> TopicRow | None:
        """That of a topic, where it is answered."""
        return next((row for row in self.rows if row.topic.key == key), None)


def subject_names(brand: Brand) -> dict[str, str]:
    """The names of the brand, which comes first, and of its competitors, by the keys of subjects."""
    return {BRAND: brand.name, **{str(pk): name for pk, name in rival_names(brand.pk).items()}}


def read_topic_table(
    basis: Basis,
    names: Mapping[str, str],
    averaged: Iterable[str] | None = None,
    *,
    engine: str | None = None,
    packed: Mapping[date, bytes] | None = None,
) -> TopicTable:
    """How everybody of `names` stands on each topic now, in the same prompts and weights as the score.

    `averaged` are the engines of the figure over engines, where they are known already; with `engine` all is of that
    one alone; `packed` are the counts of the engines' days as they are stored, where they were read. It costs two
    statements, one where these are there; more where answers of a day are not counted yet, or now has several days.
    """
    topics = read_topics(basis.brand)
    engines = [day for day in basis.engines if engine in (None, day.engine)]
    if packed is None:
        packed = _packed(basis.brand, {day.day for day in engines})
    wanted = topics.key_of.keys() if basis.with_archived else topics.wordings.keys()
    counts = _counts_now(basis.brand, engines, packed, topics, wanted, list(names))
    if engine is not None:
        chosen = frozenset({engine})
    elif averaged is not None:
        chosen = frozenset(averaged)
    else:
        chosen = frozenset(row.engine for row in averaged_of(basis))
    counts = replace(counts, averaged=chosen)
    measured = measure_topics(counts)
    by_key = {topic.key: topic for topic in topics.topics}
    rows = [TopicRow(by_key[key], figures) for key, figures in measured.items() if figures[BRAND].answers]
    return TopicTable(basis, topics, names, chosen, sorted(rows, key=_strength), counts)


def _strength(row: TopicRow) -> tuple[object, ...]:
    """The highest score first, then the most evidence; the last part only keeps the order of what nothing tells
    apart."""
    own = row.own
    score = -1.0 if own.score.value is None else own.score.value
    return (-score, -own.answers, -own.prompts, row.topic.name)


def _packed(brand: UUID, days: Collection[date]) -> dict[date, bytes]:
    counts = DayCount.objects.filter(brand=brand, date__in=days).order_by()
    return dict(counts.values_list("date", "content"))


def _counts_now(
    brand: UUID,
    engines: Sequence[EngineDay],
    packed: Mapping[date, bytes],
    topics: Topics,
    wanted: Collection[UUID],
    subjects: Sequence[str],
) -> DayCounts:
    """The answers of each engine's own day to the prompts that are `wanted`, as one."""
    days = {engine_day.day for engine_day in engines}
    by_day = {day: unpacked(day, bytes(content)) for day, content in packed.items() if day in days}
    uncounted = [row for row in engines if row.day not in by_day or row.engine not in by_day[row.day].engines]
    parts = [
        counts.narrowed([row.engine for row in engines if row.day == day and row not in uncounted], subjects)
        for day, counts in by_day.items()
    ]
    if uncounted:
        parts.append(_counted(brand, uncounted).narrowed([row.engine for row in uncounted], subjects))
    return _joined(parts, topics, wanted, subjects)


def _counted(brand: UUID, engines: Sequence[EngineDay]) -> DayCounts:
    """The same from the answers: of days that were measured before counts were kept."""
    tracked = tracked_names_by_brand([brand])
    sample = read_samples(tracked, answers_of(engines))[brand]
    outcomes = [outcome for of_engine in sample.outcomes.values() for outcome in of_engine]
    return count_day(date.min, outcomes, tracked[brand].subjects, ())


def _joined(
    parts: Sequence[DayCounts], topics: Topics, wanted: Collection[UUID], subjects: Sequence[str]
) -> DayCounts:
    """The counts of several engines' days on the wordings of `wanted` prompts, by the topics of today."""
    known = [subject for subject in subjects if all(subject in part.subjects for part in parts)]
    engines = tuple(sorted(engine for part in parts for engine in part.engines))
    wordings = {prompt for part in parts for prompt in part.prompts}
    prompts = tuple(sorted(wording for wording in wordings if topics.prompt_of.get(wording) in wanted))
    shape = (len(engines), len(prompts))
    nothing = np.zeros((*shape, len(known)))
    joined = DayCounts(
        day=date.min,
        subjects=tuple(known),
        engines=engines,
        averaged=frozenset(),
        prompts=prompts,
        topics=tuple(topics.key_of[topics.prompt_of[wording]] for wording in prompts),
        named=np.zeros(nothing.shape[1:], dtype=bool),
        answers=np.zeros(shape),
        mentioned=nothing,
        cited=nothing,
    )
    for part in parts:
        counts = aligned(part, joined)
        joined = replace(
            joined,
            named=joined.named | named_before(part, joined),
            answers=joined.answers + counts.answers,
            mentioned=joined.mentioned + counts.mentioned,
        )
    return joined


@dataclass(frozen=True, slots=True)
class TopicDay:
    """The brand's own figures on one topic on a measured day."""

    day: date
    figures: TopicFigures


def read_topic_days(
    brand_id: UUID, topics: Topics, topic: Topic, *, first: date, last: date, engine: str | None = None
) -> list[TopicDay]:
    """The measured days from `first` to `last` on which the topic was asked, oldest first, the latest 100 at most, as
    they were counted: by the engines of that day's figure over engines, or by one alone. One statement."""
    counts = DayCount.objects.filter(brand=brand_id, date__range=(first, last)).order_by("-date")
    rows = list(counts.values_list("date", "content")[:MAX_DAYS])
    wordings = {wording for wording, prompt in topics.prompt_of.items() if prompt in topic.prompts}
    days = [_of_topic(unpacked(day, bytes(content)), topic, wordings, engine) for day, content in reversed(rows)]
    measured = [(counts.day, measure_topics(counts).get(topic.key)) for counts in days]
    return [TopicDay(day, row[BRAND]) for day, row in measured if row is not None and row[BRAND].answers]


def _of_topic(counts: DayCounts, topic: Topic, wordings: Collection[str], engine: str | None) -> DayCounts:
    """The brand's own counts of these wordings, those of one engine or of the day's averaged ones."""
    averaged = counts.averaged if engine is None else frozenset({engine})
    counts = counts.narrowed(averaged, [BRAND])
    chosen = [number for number, wording in enumerate(counts.prompts) if wording in wordings]
    return replace(counts.of_prompts(chosen, topic=topic.key), averaged=averaged)
