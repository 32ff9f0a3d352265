"""Measured days in a row, on the engines, prompts and subjects of the latest, and any of them pooled."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np

from visibility.metrics.day_effects import DayEffects
from visibility.metrics.pairs import Counts, DayCounts, Pair, aligned, has_few_topics, named_before, numbers_of_topics
from visibility.metrics.table import Flags, Floats, Integers


@dataclass(frozen=True)
class Series:
    """Days that can be compared, oldest first, the latest of them last.

    `subjects`, `engines`, `averaged` and `topic` as in `Pair`; `named` flags what a prompt names on any of the days;
    `dates` are those of the days, `day_effects` what is known of their luck. `on_questions` as in `Pair`: of the
    prompts that the last two days share.
    """

    subjects: tuple[str, ...]
    engines: tuple[str, ...]
    averaged: Flags
    topic: Integers
    named: Flags
    dates: tuple[date, ...]
    days: tuple[Counts, ...]
    day_effects: DayEffects | None = None
    on_questions: bool = False

    @property
    def size(self) -> int:
        """How many days there are."""
        return len(self.days)

    def pair(self, before: Counts, now: Counts) -> Pair:
        """Two days, or two groups of pooled days, side by side."""
        return Pair(
            self.subjects,
            self.engines,
            self.averaged,
            self.topic,
            self.named,
            before,
            now,
            self.day_effects,
            on_questions=self.on_questions,
        )

    @cached_property
    def sums(self) -> "_Sums":
        """Sums over the days from the first on."""
        known = [(day.answers > 0).astype(np.float64) for day in self.days]
        parts = [
            [values / np.maximum(day.answers, 1.0)[..., None] for values in (day.mentioned, day.cited)]
            for day in self.days
        ]
        mentioned, cited = zip(*parts, strict=True)
        return _Sums(*map(_running, (known, [day.answers for day in self.days], mentioned, cited)))

    def pooled(self, start: int, stop: int) -> Counts:
        """The days from `start` to before `stop` as one: of each cell the mean of the days' parts, over the days that
        answered it. A day counts as much as another, whatever its number of answers."""
        sums = self.sums
        days, answers, mentioned, cited = (
            values[stop] - values[start] for values in (sums.days, sums.answers, sums.mentioned, sums.cited)
        )
        number = np.maximum(days, 1.0)
        # Differences of running sums leave rounding where there is nothing.
        mean = np.where(days > 0, answers / number, 0.0)
        factor = (mean / number)[..., None]
        return Counts(mean, mentioned * factor, cited * factor, number)


@dataclass(frozen=True, slots=True)
class _Sums:
    """Over the days before each, from none to all: on how many a cell was answered, its answers, and the sums of
    the parts of them that mention and cite each subject. The first axis is that of days."""

    days: Floats
    answers: Floats
    mentioned: Floats
    cited: Floats


def arrange(today: DayCounts, before: Sequence[DayCounts]) -> Series:
    """The days as a series, on the engines, prompts and subjects of today that the day before it (the last of
    `before`) has, too. Days further back that did not count all these subjects are left out.

    The figure over engines is that of the engines that were averaged on both of these days.
    """
    last = before[-1]
    model = today.narrowed(last.engines, last.subjects)
    days = [day for day in before if set(model.subjects) <= set(day.subjects)]
    averaged = today.averaged & last.averaged
    return Series(
        subjects=model.subjects,
        engines=model.engines,
        averaged=np.array([engine in averaged for engine in model.engines], dtype=bool),
        topic=numbers_of_topics(model.topics),
        named=np.logical_or.reduce([model.named, *(named_before(day, model) for day in days)]),
        dates=(*(day.day for day in days), today.day),
        days=(*(aligned(day, model) for day in days), model.counts),
        on_questions=has_few_topics(model, (aligned(last, model).answers > 0) & (model.answers > 0)),
    )


def _running(values: Sequence[Floats]) -> Floats:
    return np.concatenate([np.zeros((1, *values[0].shape)), np.cumsum(values, axis=0)])
