"""What becomes of a change that is known: whether it holds, goes on, or the figure is back where it was before."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

import numpy as np

from visibility.metrics.change import family_contrast
from visibility.metrics.changes.confirming import LEVEL, interval
from visibility.metrics.changes.day_effects import with_day_effects
from visibility.metrics.changes.series import Series
from visibility.metrics.development import MAX_POOLED
from visibility.metrics.intervals import MIN_TOPICS
from visibility.metrics.pairs import DayCounts, Pair, aligned, named_before, numbers_of_topics
from visibility.metrics.verdicts import ALPHA, p_values

TOLD = timedelta(days=28)
"""How long a change is told after the day on which it became known, unless the figure is back before."""
_SCORE = (0, 0, 0)
"""The place of the first subject's score over engines in a family."""
_MIN_SINCE = 2
"""The fewest days since a change began that a later day can be held against."""


class State(StrEnum):
    """What has become of a change."""

    HOLDS = "holds"
    WENT_ON = "went_on"
    RECOVERED = "recovered"


@dataclass(frozen=True, slots=True)
class Difference:
    """Between some days and later ones on the cells that both have, in parts of 1, with its 95 % interval; None where
    nothing varies, or on one topic. `p` is 1 where it cannot be tested."""

    delta: float
    low: float | None
    high: float | None
    p: float

    def shows(self, direction: int, level: float) -> bool:
        """Whether it lies in that direction, beyond chance."""
        return self.delta * direction > 0 and self.p <= level


Compare = Callable[[Series, slice, slice], Difference | None]
"""Holds days of a series (the second slice) against others (the first); None where they share nothing."""


@dataclass(frozen=True, slots=True)
class Course:
    """What became of a change up to `day`, the latest on which it can be followed: `change` is that day's difference
    to the days before the change; `told_until` the last day on which it is told."""

    state: State
    since: date
    told_until: date
    day: date
    change: Difference


def over_topics(series: Series, before: slice, now: slice) -> Difference | None:
    """The difference of the score, the topics being what varies; of fewer than four topics the questions."""
    pair = series.pair(series.pooled(before.start, before.stop), series.pooled(now.start, now.stop))
    contrast = family_contrast(replace(pair, on_questions=_topics(pair) < MIN_TOPICS))
    low, high = interval(contrast, ALPHA)
    delta, p, least, most = (float(values[_SCORE]) for values in (contrast.delta, p_values(contrast), low, high))
    if np.isnan(delta):
        return None
    return Difference(delta, None, None, p) if np.isnan(least) else Difference(delta, least, most, p)


def _topics(pair: Pair) -> int:
    """Of how many topics the prompts are that both sides answered, those left out that name the first subject."""
    shared = ((pair.before.answers > 0) & (pair.now.answers > 0)).any(axis=0)
    return len(np.unique(pair.topic[shared & ~pair.named[:, 0]]))


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Days on all engines and prompts that any of them has, all of these engines averaged: the keys of the prompts
    and of their topics (those of the latest day that has a prompt), and the days as a series."""

    prompts: tuple[str, ...]
    topics: tuple[str, ...]
    series: Series


def side_by_side(days: Sequence[DayCounts], subjects: Collection[str]) -> SideBySide:
    """The days, oldest first, on these of their subjects, which each of them counts."""
    days = [day.narrowed(day.engines, subjects) for day in days]
    topic_of = {prompt: topic for day in days for prompt, topic in zip(day.prompts, day.topics, strict=True)}
    engines, prompts = tuple(sorted({name for day in days for name in day.engines})), tuple(sorted(topic_of))
    topics = tuple(topic_of[prompt] for prompt in prompts)
    cells = (len(engines), len(prompts))
    nothing = np.zeros((*cells, len(days[-1].subjects)))
    model = replace(
        days[-1],
        engines=engines,
        averaged=frozenset(engines),
        prompts=prompts,
        topics=topics,
        named=np.zeros(nothing.shape[1:], dtype=bool),
        answers=np.zeros(cells),
        mentioned=nothing,
        cited=nothing,
    )
    model = replace(model, named=np.logical_or.reduce([named_before(day, model) for day in days]))
    series = Series(
        subjects=model.subjects,
        engines=engines,
        averaged=np.ones(len(engines), dtype=bool),
        topic=numbers_of_topics(topics),
        named=model.named,
        dates=tuple(day.day for day in days),
        days=tuple(aligned(day, model) for day in days),
    )
    return SideBySide(prompts, topics, series)


def follow(series: Series, base: int, known_on: date, direction: int, compare: Compare) -> Course | None:
    """Follow a change through the days of `series`: the first `base` are those before it, the others those since it
    began, up to 28 days after it became known. `direction` is 1 for a rise and -1 for a fall. None where no day since
    shares a cell with those before.

    It has recovered when two measured days in a row each lie beyond chance (1 %, as in a confirmation) back from the
    first days of the change, up to seven of them, and each is more than half of the way back and not beyond chance
    (5 %) still off the days before it.
    It went on when two in a row each lie beyond chance further than those first days; and holds again once two in a
    row do not.

    Each day is judged by what it and the days before it tell of the luck of days: so what was said of it stays.
    """
    before, end = slice(0, base), series.size
    state, since, told_until = State.HOLDS, series.dates[base], known_on + TOLD
    for place in range(base + _MIN_SINCE + 1, series.size):
        if series.dates[place] <= known_on:
            continue
        so_far = _so_far(series, place)
        first_days = slice(base, min(base + MAX_POOLED, place - 1))
        both = [slice(day, day + 1) for day in (place - 1, place)]
        moved = [compare(so_far, first_days, day) for day in both]
        is_back = all(move and move.shows(-direction, LEVEL) for move in moved)
        if is_back and _is_as_before(so_far, before, first_days, both, direction, compare):
            state, since, told_until = State.RECOVERED, series.dates[place - 1], series.dates[place]
            end = place + 1
            break
        further = [move is not None and move.shows(direction, LEVEL) for move in moved]
        next_state = State.WENT_ON if all(further) else state if any(further) else State.HOLDS
        if next_state != state:
            state, since = next_state, series.dates[place - 1]
    for place in reversed(range(base, end)):
        if change := compare(_so_far(series, place), before, slice(place, place + 1)):
            return Course(state, since, told_until, series.dates[place], change)
    return None


def _is_as_before(
    series: Series, before: slice, first_days: slice, days: Sequence[slice], direction: int, compare: Compare
) -> bool:
    """Whether each of the days is as those before the change were, and more than half of the way back to them: where
    chance is wide, much else would pass for no difference."""
    change, offs = compare(series, before, first_days), [compare(series, before, day) for day in days]
    return all(
        change and off and 2 * off.delta * direction < change.delta * direction and not off.shows(direction, ALPHA)
        for off in offs
    )


def _so_far(series: Series, place: int) -> Series:
    """The series up to one of its days, with what these days tell of their luck."""
    return with_day_effects(replace(series, days=series.days[: place + 1], dates=series.dates[: place + 1]))
