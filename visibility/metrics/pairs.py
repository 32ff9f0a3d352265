"""The answers of measured days, counted, and two days side by side."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from visibility.detection.types import BRAND
from visibility.metrics.day_effects import UNKNOWN, DayEffects
from visibility.metrics.intervals import MIN_TOPICS
from visibility.metrics.table import Flags, Floats, Integers, Table, tabulate
from visibility.metrics.types import AnswerOutcome


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one day: the answers by engine and prompt, and how many of them mention and cite each subject.

    `answers` is shaped [engine, prompt], the others [engine, prompt, subject]. Further axes may stand before these:
    they hold repetitions that are reckoned at once, as simulations do. `days` are those that are pooled in them, by
    engine and prompt where not all are of as many.
    """

    answers: Floats
    mentioned: Floats
    cited: Floats
    days: Floats | float = 1.0


@dataclass(frozen=True, slots=True)
class DayCounts:
    """The answers of one measured day, counted, so that any days can be held against one another without them.

    `prompts` are keys of wordings and `topics` the topic of each; `averaged` the engines of the all-engine figure.
    `named` is shaped [prompt, subject]; `answers` and the rest as in `Counts`.
    """

    day: date
    subjects: tuple[str, ...]
    engines: tuple[str, ...]
    averaged: frozenset[str]
    prompts: tuple[str, ...]
    topics: tuple[str, ...]
    named: Flags
    answers: Floats
    mentioned: Floats
    cited: Floats

    @property
    def counts(self) -> Counts:
        """The counts without their names."""
        return Counts(self.answers, self.mentioned, self.cited)

    def narrowed(self, engines: Collection[str], subjects: Collection[str]) -> "DayCounts":
        """The day on those of its engines and subjects that are among the given ones."""
        rows = [number for number, engine in enumerate(self.engines) if engine in engines]
        columns = [number for number, subject in enumerate(self.subjects) if subject in subjects]
        return replace(
            self,
            subjects=tuple(self.subjects[number] for number in columns),
            engines=tuple(self.engines[number] for number in rows),
            named=self.named[:, columns],
            answers=self.answers[rows],
            mentioned=self.mentioned[rows][..., columns],
            cited=self.cited[rows][..., columns],
        )

    def of_prompts(self, chosen: Sequence[int], *, topic: str) -> "DayCounts":
        """The day on these of its prompts, by their places, as those of one topic."""
        return replace(
            self,
            prompts=tuple(self.prompts[number] for number in chosen),
            topics=(topic,) * len(chosen),
            named=self.named[chosen],
            answers=self.answers[:, chosen],
            mentioned=self.mentioned[:, chosen],
            cited=self.cited[:, chosen],
        )


@dataclass(frozen=True, slots=True)
class Pair:
    """Two days. `subjects` and `engines` name the axes, `averaged` flags the engines of the all-engine figure,
    `topic` numbers each prompt's topic from 0, `named` flags by prompt and subject whether the prompt names it.
    `on_questions`: the topics are too few to be a sample, and the test is one of exactly these prompts.
    A prompt counts for an engine with answers on both days. `day_effects` is what the luck of a day adds to chance;
    None where both are of one day, whose luck they share."""

    subjects: tuple[str, ...]
    engines: tuple[str, ...]
    averaged: Flags
    topic: Integers
    named: Flags
    before: Counts
    now: Counts
    day_effects: DayEffects | None = None
    on_questions: bool = False

    @property
    def units(self) -> Integers:
        """What differs independently: the number of each prompt's topic, or of the prompt itself."""
        return np.arange(len(self.topic)) if self.on_questions else self.topic

    @property
    def lone(self) -> str | None:
        """The engine whose figure the all-engine figure is, where it is a single one's."""
        return self.engines[int(self.averaged.argmax())] if self.averaged.sum() == 1 else None

    @property
    def lines(self) -> list[tuple[str | None, Flags]]:
        """What is compared: the all-engine figure (None), and each engine that is not already that figure."""
        masks = np.eye(len(self.engines), dtype=bool)
        singles = [(name, mask) for name, mask in zip(self.engines, masks, strict=True) if name != self.lone]
        return [(None, self.averaged), *singles] if self.averaged.any() else [*singles]


def pair_days(
    before: Sequence[AnswerOutcome],
    now: Sequence[AnswerOutcome],
    subjects: Sequence[str],
    averaged: Collection[str],
) -> Pair | None:
    """The answers of engine and prompt that both days have; None where they share none.

    `averaged` names the engines of the all-engine figure. A prompt has the topic that it has in `now`. The order of
    outcomes does not matter. Raises ValueError where a subject is given twice.
    """
    days = (count_day(date.min, outcomes, subjects, averaged) for outcomes in (before, now))
    return pair_counts(*days)


def count_day(
    day: date, outcomes: Sequence[AnswerOutcome], subjects: Sequence[str], averaged: Collection[str]
) -> DayCounts:
    """The answers of one day, counted. `averaged` names the engines of the all-engine figure. The order of outcomes
    does not matter; a prompt with two topics has the first of them. Raises ValueError where a subject is given twice.
    """
    if len(set(subjects)) != len(subjects):
        raise ValueError("subjects must differ")
    table = tabulate(outcomes, subjects)
    counts = count(table)
    return DayCounts(
        day=day,
        subjects=tuple(subjects),
        engines=table.engines,
        averaged=frozenset(averaged) & frozenset(table.engines),
        prompts=table.prompts,
        topics=tuple(table.topics[number] for number in table.topic),
        named=mention_counts_by_prompt(table),
        answers=counts.answers,
        mentioned=counts.mentioned,
        cited=counts.cited,
    )


def pair_counts(before: DayCounts, now: DayCounts) -> Pair | None:
    """Two counted days, on the engines and prompts that share an answered cell; None where there are none.

    Topics and the engines of the all-engine figure are those of `now`, subjects those that both days count. The luck
    of two different days is taken to be what is usual.
    """
    later = now.narrowed([engine for engine in now.engines if engine in before.engines], before.subjects)
    first, second = aligned(before, later), later.counts
    shared = (first.answers > 0) & (second.answers > 0)
    if not shared.any():
        return None
    engines, prompts = np.flatnonzero(shared.any(axis=1)), np.flatnonzero(shared.any(axis=0))
    cells = np.ix_(engines, prompts)
    mask = shared[cells]
    names = tuple(later.engines[number] for number in engines)
    return Pair(
        subjects=later.subjects,
        engines=names,
        averaged=np.array([name in now.averaged for name in names], dtype=bool),
        topic=numbers_of_topics(now.topics[number] for number in prompts),
        named=(later.named | named_before(before, later))[prompts],
        before=_masked(first, cells, mask),
        now=_masked(second, cells, mask),
        day_effects=None if before.day == now.day else UNKNOWN,
        on_questions=has_few_topics(later, shared),
    )


def has_few_topics(day: DayCounts, answered: Flags) -> bool:
    """Whether the prompts that are `answered` (by engine and prompt) and do not name the brand are of fewer than four
    topics, which say too little of others."""
    chosen = np.asarray(answered.any(axis=0))
    if BRAND in day.subjects:
        chosen = chosen & ~day.named[:, day.subjects.index(BRAND)]
    return len({day.topics[number] for number in np.flatnonzero(chosen)}) < MIN_TOPICS


def _masked(counts: Counts, cells: tuple[Integers, ...], mask: Flags) -> Counts:
    mentioned, cited = (values[cells] * mask[..., None] for values in (counts.mentioned, counts.cited))
    return Counts(counts.answers[cells] * mask, mentioned, cited)


def aligned(day: DayCounts, model: DayCounts) -> Counts:
    """The counts of a day on the engines, prompts and subjects of another, whose subjects it must have; 0 answers
    where it has none of a cell."""
    counts = Counts(
        np.zeros((len(model.engines), len(model.prompts))),
        *(np.zeros((len(model.engines), len(model.prompts), len(model.subjects))) for _ in range(2)),
    )
    (engines, from_engines), (prompts, from_prompts) = (
        _places(model.engines, day.engines),
        _places(model.prompts, day.prompts),
    )
    _, subjects = _places(model.subjects, day.subjects)
    there, here = np.ix_(from_engines, from_prompts), np.ix_(engines, prompts)
    counts.answers[here] = day.answers[there]
    counts.mentioned[here] = day.mentioned[there][..., subjects]
    counts.cited[here] = day.cited[there][..., subjects]
    return counts


def named_before(day: DayCounts, model: DayCounts) -> Flags:
    """Whether a day's prompts named the subjects, on the prompts and subjects of another day."""
    named = np.zeros((len(model.prompts), len(model.subjects)), dtype=bool)
    prompts, from_prompts = _places(model.prompts, day.prompts)
    _, subjects = _places(model.subjects, day.subjects)
    named[prompts] = day.named[np.ix_(from_prompts, subjects)]
    return named


def numbers_of_topics(topics: Iterable[str]) -> Integers:
    """The number of each prompt's topic, from 0, in the order of their names."""
    return np.unique(list(topics), return_inverse=True)[1]


def count(table: Table) -> Counts:
    """The rows of the table by engine and prompt."""
    answers = np.zeros((len(table.engines), len(table.topic)))
    mentioned = np.zeros((*answers.shape, table.named.shape[1]))
    cited = np.zeros_like(mentioned)
    cell = (table.engine, table.prompt)
    np.add.at(answers, cell, 1.0)
    np.add.at(mentioned, cell, table.mentioned)
    np.add.at(cited, cell, table.cited)
    return Counts(answers, mentioned, cited)


def mention_counts_by_prompt(table: Table) -> Flags:
    """Whether each prompt names each subject."""
    named = np.zeros((len(table.topic), table.named.shape[1]), dtype=bool)
    np.logical_or.at(named, table.prompt, table.named)
    return named


def _places(names: Sequence[str], among: Sequence[str]) -> tuple[Integers, Integers]:
    """Which of the names stand among others, and where."""
    place = {name: number for number, name in enumerate(among)}
    both = [(number, place[name]) for number, name in enumerate(names) if name in place]
    here, there = np.array(both, dtype=np.int64).reshape(-1, 2).T
    return here, there
