"""Measured days in a row on the same engines, prompts and subjects, any of them pooled, and two of them as a pair."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from visibility.metrics.counts import Counts, Flags, Floats, Integers, Key, numbers
from visibility.metrics.intervals import PRIOR_LUCK

LEAST_UNITS = 6
"""Of fewer units even the clearest difference has a p above 5 % by an exact test: 2 of the 32 signs of five."""
PRIOR_FREEDOM = 4.0
"""Degrees of freedom of the usual luck of days: so few that false alarms stay as rare with 5 points of it, by the
simulation."""


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck that all topics of an engine share on a day: its variance at a rate of one half (at the rate r it is
    4 r(1 - r) of that) and its degrees of freedom. Shapes broadcast to [..., metric, subject, engine]."""

    variance: Floats
    freedom: Floats


UNKNOWN_LUCK = Luck(np.full((3, 1, 1), PRIOR_LUCK**2), np.full((3, 1, 1), PRIOR_FREEDOM))


@dataclass(frozen=True, slots=True)
class Side:
    """One day, or several pooled: `answers` by [..., engine, prompt], those that mention and cite each subject by
    [..., subject, engine, prompt]. `days` are those pooled in each cell; `sourced` the answers whose cited pages are
    known, None: all."""

    answers: Floats
    mentioned: Floats
    cited: Floats
    days: Floats | float = 1.0
    sourced: Floats | None = None

    @property
    def of_citations(self) -> "Side":
        """The answers whose cited pages are known, and those that cite in the place of those that mention."""
        return Side(self.answers if self.sourced is None else self.sourced, self.cited, self.cited, self.days)


def stacked(sides: Sequence[Side]) -> Side:
    """Sides of the same axes as one with a first axis more, so that all are compared at once."""
    answers, mentioned, cited = (
        np.stack([getattr(side, name) for side in sides]) for name in ("answers", "mentioned", "cited")
    )
    days = np.stack([np.broadcast_to(side.days, side.answers.shape) for side in sides])
    return Side(answers, mentioned, cited, days, np.stack([side.of_citations.answers for side in sides]))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides to compare on the cells that both answered.

    `averaged` flags the engines of the all-engine figure, `named` by [subject, prompt] whether a prompt names one of
    the subjects, and `units` numbers each prompt's topic. Units of a test are topics, or whatever finer there are
    `least_units` of. `luck` None: the sides share their day; `paired`: they are of the same answers, of which each
    counts for one side at most.
    """

    subjects: tuple[Key, ...]
    engines: tuple[Key, ...]
    averaged: Flags
    units: Integers
    named: Flags
    before: Side
    after: Side
    luck: Luck | None
    least_units: int = LEAST_UNITS
    paired: bool = False

    @property
    def sides(self) -> tuple[Side, Side]:
        """The earlier side and the later."""
        return self.before, self.after

    @property
    def lines(self) -> list[tuple[Key | None, Flags]]:
        """The lines to compare: the figure over engines (None), and each engine that is not already that figure."""
        single = zip(self.engines, np.eye(len(self.engines), dtype=bool), strict=True)
        lines: list[tuple[Key | None, Flags]] = [line for line in single if line[0] != self.lone]
        return [(None, self.averaged), *lines] if self.averaged.any() else lines

    @property
    def lone(self) -> Key | None:
        """The engine that is alone in the all-engine figure, if any."""
        return self.engines[int(self.averaged.argmax())] if self.averaged.sum() == 1 else None


@dataclass(frozen=True)
class Series:
    """Comparable days, oldest first, on one set of axes; fields as in `Pair`. `places` are those of the days among
    the given ones."""

    subjects: tuple[Key, ...]
    engines: tuple[Key, ...]
    averaged: Flags
    units: Integers
    named: Flags
    days: tuple[Side, ...]
    luck: Luck | None = UNKNOWN_LUCK
    places: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many days there are."""
        return len(self.days)

    def pair(self, before: Side, after: Side) -> Pair:
        """Two days, or two groups of pooled days."""
        axes = (self.subjects, self.engines, self.averaged, self.units, self.named)
        return Pair(*axes, before, after, self.luck)

    def pooled(self, start: int, stop: int) -> Side:
        """The days from `start` to before `stop` as one: of each cell the mean of the days' rates, over the days that
        answered it. A day counts as much as another, whatever its number of answers."""
        parts = [running[stop] - running[start] for running in self._running]
        mean, mentioned, number = _mean_day(*parts[:3])
        sourced, cited, _ = _mean_day(*parts[3:])
        return Side(mean, mentioned, cited, number, sourced)

    def until(self, stop: int, luck: Luck | None) -> "Series":
        """The series before the day `stop`, with the luck of days as known then."""
        part = replace(self, days=self.days[:stop], luck=luck)
        part.__dict__["_running"] = self._running  # sums up to a day do not depend on later ones
        return part

    @cached_property
    def _running(self) -> tuple[Floats, ...]:
        """Sums over the days before each, from none to all: answered or not, answers, rates of mention; then the same
        of citations."""
        parts: list[list[Floats]] = []
        for day in self.days:
            parts.append([])
            for side in (day, day.of_citations):
                rate = side.mentioned / np.maximum(side.answers, 1.0)[..., None, :, :]
                parts[-1] += [(side.answers > 0).astype(float), side.answers, rate]
        columns = zip(*parts, strict=True)
        return tuple(np.cumsum(np.stack([np.zeros_like(column[0]), *column]), axis=0) for column in columns)


def _mean_day(days: Floats, answers: Floats, rates: Floats) -> tuple[Floats, Floats, Floats]:
    """Answers and positive ones of one day as the mean of several, from sums over them, and the number of days."""
    number = np.maximum(days, 1.0)
    mean = np.where(days > 0, answers / number, 0.0)  # differences of sums leave rounding where there is nothing
    return mean, rates * (mean / number)[..., None, :, :], number


def arrange(days: Sequence[Counts]) -> Series:
    """At least two days, oldest first, on the engines and subjects that the last two share and the prompts of the
    last. Days further back that did not count all these subjects are left out."""
    last, latest = days[-2:]
    subjects = tuple(subject for subject in latest.subjects if subject in last.subjects)
    engines = tuple(engine for engine in latest.engines if engine in last.engines)
    places = [place for place, day in enumerate(days) if set(subjects) <= set(day.subjects)]
    days = [days[place] for place in places]
    sides = [_aligned(day, subjects, engines, latest.prompts) for day in days]
    named = np.logical_or.reduce([_named(day, subjects, latest.prompts) for day in days])
    return Series(
        subjects,
        engines,
        np.array([engine in latest.averaged & last.averaged for engine in engines], dtype=bool),
        numbers(latest.topics),
        named,
        tuple(sides),
        places=tuple(places),
    )


def _aligned(day: Counts, subjects: tuple[Key, ...], engines: tuple[Key, ...], prompts: tuple[Key, ...]) -> Side:
    """A day on other axes, 0 answers where it has none of a cell."""
    engine, from_engine = _common(engines, day.engines)
    prompt, from_prompt = _common(prompts, day.prompts)
    _, from_subject = _common(subjects, day.subjects)
    by_subject = (len(subjects), len(engines), len(prompts))
    sourced = np.zeros(by_subject[1:])
    side = Side(np.zeros(by_subject[1:]), np.zeros(by_subject), np.zeros(by_subject), sourced=sourced)
    cell, from_cell = np.ix_(engine, prompt), np.ix_(from_engine, from_prompt)
    side.answers[cell], sourced[cell] = day.answers[from_cell], day.sourced[from_cell]
    place, origin = np.ix_(np.arange(len(subjects)), engine, prompt), np.ix_(from_subject, from_engine, from_prompt)
    side.mentioned[place], side.cited[place] = day.mentioned[origin], day.cited[origin]
    return side


def _named(day: Counts, subjects: tuple[Key, ...], prompts: tuple[Key, ...]) -> Flags:
    named = np.zeros((len(subjects), len(prompts)), dtype=bool)
    prompt, from_prompt = _common(prompts, day.prompts)
    named[:, prompt] = day.named[np.ix_(_common(subjects, day.subjects)[1], from_prompt)]
    return named


def _common(keys: Iterable[Key], others: Iterable[Key]) -> tuple[Integers, Integers]:
    """The places of the keys that are among others, and their places there."""
    place = {key: number for number, key in enumerate(others)}
    both = [(number, place[key]) for number, key in enumerate(keys) if key in place]
    here, there = np.array(both, dtype=np.int64).reshape(-1, 2).T
    return here, there
