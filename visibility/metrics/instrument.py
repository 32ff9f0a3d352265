"""Whether an engine itself changed: the form of its answers to the same wordings, on two days against those before.

Two tests have to agree on both days, in one direction, each adjusted for all features (Holm 1979). Over wordings, a
paired t-test (Student 1908): it sees small changes, and takes the luck that all answers of a day share for one. Over
days, a t-test of the day's mean against the spread of the daily means before: it knows that luck, and is weak alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from scipy.special import stdtr

from visibility.metrics.counts import Flags, Floats, Key
from visibility.metrics.form import FEATURES, Form

DAYS_BEFORE = 14
LEAST_DAYS = 7
"""Measured days of these, below which the spread of days is not known."""
LEAST_WORDINGS = 20
CHANCE = 0.003
"""The largest p, adjusted for all features, of either test on either day."""
Day = Mapping[Key, Form]
"""The mean form of a day's answers by wording."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A change of an engine from the day `began` on: by feature its mean before and after, over so many wordings."""

    began: date
    features: Mapping[str, tuple[float, float]]
    wordings: int


def mean_form(forms: Sequence[Form]) -> Form:
    """The mean of several answers; of what is not known of some that over the others."""
    columns = zip(*forms, strict=True)
    known = ([value for value in column if value is not None] for column in columns)
    means = [sum(values) / len(values) if values else None for values in known]
    return Form(*means)  # type: ignore[arg-type]  # only `searched` may be None, as in each of the forms


def find_shift(days: Mapping[date, Day], day: date) -> Shift | None:
    """The change that this day and the measured one before it show against the 14 days before them; None without one,
    and where too little was asked. `days` are those since the engine's last known change."""
    measured = sorted(each for each in days if each <= day)
    if len(measured) < LEAST_DAYS + 2 or measured[-1] != day:
        return None
    began = measured[-2]
    before = [days[each] for each in measured[:-2] if each >= began - timedelta(days=DAYS_BEFORE)]
    if len(before) < LEAST_DAYS:
        return None
    first, second = _compare(before, days[began]), _compare(before, days[day])
    if first is None or second is None:
        return None
    moved = first.moved & second.moved & (np.sign(first.delta) == np.sign(second.delta))
    features = {
        name: (round(float(second.before[place]), 2), round(float(second.after[place]), 2))
        for place, name in enumerate(FEATURES)
        if moved[place]
    }
    return Shift(began, features, second.wordings) if features else None


@dataclass(frozen=True, slots=True)
class _Compared:
    """A day against those before, by feature: the difference on the scale of the test, whether both tests reject, and
    the means over wordings as they are counted."""

    delta: Floats
    moved: Flags
    before: Floats
    after: Floats
    wordings: int


def _compare(before: Sequence[Day], day: Day) -> _Compared | None:
    """None where too few wordings were asked on both sides."""
    asked = [key for key in day if sum(key in each for each in before) >= LEAST_DAYS]
    if len(asked) < LEAST_WORDINGS:
        return None
    nothing = Form(*[np.nan] * len(FEATURES))
    table = np.array([[each.get(key, nothing) for key in asked] for each in (*before, day)], dtype=np.float64)
    scaled = np.log1p(table)  # counts are skewed, and change by parts of themselves
    with np.errstate(invalid="ignore", divide="ignore"):
        known = ~np.isnan(scaled)
        usual = _mean(scaled[:-1], known[:-1], axis=0)
        apart = scaled - usual
        of_wordings = _paired(apart[-1], known[-1] & known[:-1].any(axis=0))
        of_days = _against(_mean(apart, known, axis=1))
        moved = (_holm(of_wordings.p) <= CHANCE) & (_holm(of_days) <= CHANCE)
    both = known[-1] & known[:-1].any(axis=0)
    means = _mean(_mean(table[:-1], known[:-1], axis=0), both, axis=0), _mean(table[-1], both, axis=0)
    return _Compared(of_wordings.mean, moved, *means, len(asked))


@dataclass(frozen=True, slots=True)
class _Paired:
    mean: Floats
    p: Floats


def _paired(apart: Floats, known: Flags) -> _Paired:
    """By feature the mean difference over wordings, and the p of Student's test."""
    number = known.sum(axis=0)
    mean = _mean(apart, known, axis=0)
    squares = np.where(known, (apart - mean) ** 2, 0.0).sum(axis=0)
    error = np.sqrt(squares / (number - 1) / number)
    p = _two_sided(mean, error, number - 1)
    return _Paired(mean, np.where(number >= LEAST_WORDINGS, p, 1.0))


def _against(daily: Floats) -> Floats:
    """By feature the p of the last day's mean as one more draw of those before."""
    earlier, last = daily[:-1], daily[-1]
    known = ~np.isnan(earlier)
    number = known.sum(axis=0)
    mean = _mean(earlier, known, axis=0)
    squares = np.where(known, (earlier - mean) ** 2, 0.0).sum(axis=0)
    error = np.sqrt(squares / (number - 1) * (1 + 1 / number))
    return np.where(number >= LEAST_DAYS, _two_sided(last - mean, error, number - 1), 1.0)


def _two_sided(delta: Floats, error: Floats, freedom: Floats) -> Floats:
    """1 where nothing differs or is known, 0 where something does without any spread."""
    p = 2 * stdtr(np.maximum(freedom, 1), -np.abs(delta) / np.where(error > 0, error, np.nan))
    return np.where(np.isnan(delta) | (delta == 0), 1.0, np.where(error > 0, p, 0.0))


def _holm(p: Floats) -> Floats:
    """The p adjusted for all features (Holm 1979)."""
    order = np.argsort(p)
    adjusted = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted[np.argsort(order)], 1.0)


def _mean(values: Floats, known: Flags, axis: int) -> Floats:
    number = known.sum(axis=axis)
    sums = np.where(known, values, 0.0).sum(axis=axis)
    return np.where(number > 0, sums / np.maximum(number, 1), np.nan)
