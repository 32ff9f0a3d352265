"""How often the brand is mentioned against another subject in the same answers: ahead, behind, level, not told
apart."""

from dataclasses import dataclass, fields
from enum import StrEnum
from math import ceil, log2

import numpy as np

from visibility.metrics.contrasts import rate_contrast
from visibility.metrics.counts import Counts, Floats, Key, numbers, optional
from visibility.metrics.multiplicity import ALPHA, holm
from visibility.metrics.series import Pair, Side
from visibility.metrics.units import Contrast, Units
from visibility.metrics.verdicts import Verdict, judgement


class Kind(StrEnum):
    """How the brand does against the other. `level`: as often, for a difference of 10 points would have shown;
    `too_close`: not told apart."""

    AHEAD = "ahead"
    BEHIND = "behind"
    LEVEL = "level"
    TOO_CLOSE = "too_close"


@dataclass(frozen=True, slots=True)
class Relation:
    """How many points more often the brand is mentioned than another, with the interval at the level of its test: 0
    lies outside of it where the brand is ahead or behind, and nowhere else. `level` where it lies within ± 10.

    `only_one` are the answers that name only the brand, `only_other` those that name only the other; where that was
    not counted, the most that can. `chance` (0–1) is that of a difference so clear to anyone where nobody differs.
    `units`: the test speaks of prompts like these (topics), or of exactly these. All but the counts None where no
    prompt is free of both."""

    kind: Kind | None
    delta: float | None
    low: float | None
    high: float | None
    only_one: int
    only_other: int
    chance: float | None
    units: Units | None


def find_relations(counts: Counts) -> dict[Key, Relation]:
    """The relation of the first subject, the brand, to each other one, over the averaged engines of one day.

    Paired by answer. The others share 5 % by Holm, so that each needs so many units as let an exact test reject at
    its part. Empty without others or answers.
    """
    pair = _pair(counts)
    if len(pair.subjects) == 0 or not pair.averaged.any() or not pair.after.answers.any():
        return {}
    whole = rate_contrast(pair)
    contrast = Contrast(*(getattr(whole, field.name)[:, :1] for field in fields(Contrast)))  # the line over engines
    adjusted = holm(contrast.p[:, 0])[:, None]
    with np.errstate(invalid="ignore"):
        level = ALPHA / max(int(np.count_nonzero(adjusted > ALPHA)), 1)
    judged = judgement(contrast, adjusted, np.full(adjusted.shape, level))
    usable = ~pair.named[:, None, :] & (pair.after.answers > 0)
    ours, theirs = ((side.mentioned * usable).sum(axis=(-2, -1)).round() for side in (pair.after, pair.before))
    columns = [values[:, 0] for values in (contrast.delta, judged.low, judged.high, adjusted)]
    relations = {}
    for place, other in enumerate(pair.subjects):
        delta, low, high = (optional(float(column[place]), 100) for column in columns[:3])
        relations[other] = Relation(
            _kind(Verdict(str(judged.verdict[place, 0])), delta),
            delta,
            low,
            high,
            int(ours[place]),
            int(theirs[place]),
            optional(float(columns[3][place])),
            None if delta is None else list(Units)[int(judged.units[place, 0])],
        )
    return relations


def _kind(verdict: Verdict, delta: float | None) -> Kind | None:
    if delta is None:
        return None
    if verdict is Verdict.MOVED:
        return Kind.AHEAD if delta > 0 else Kind.BEHIND
    return Kind.LEVEL if verdict is Verdict.WITHIN_NOISE else Kind.TOO_CLOSE


def _pair(counts: Counts) -> Pair:
    """The same answers twice: those that name only each other subject, and those that name only the brand."""
    others = counts.subjects[1:]
    averaged = np.array([engine in counts.averaged for engine in counts.engines], dtype=bool)
    answers = counts.answers * averaged[:, None]
    named = counts.named[1:] | counts.named[:1]
    measured = int(np.count_nonzero(((answers > 0) & ~named[:, None, :]).any(axis=(-2, -1))))
    theirs, ours = (each * averaged[:, None] for each in _only(counts))
    return Pair(
        others,
        counts.engines,
        averaged,
        numbers(counts.topics),
        named,
        Side(answers, theirs, theirs),
        Side(answers, ours, ours),
        luck=None,
        least_units=1 + ceil(log2(max(measured, 1) / ALPHA)),
        paired=True,
    )


def _only(counts: Counts) -> tuple[Floats, Floats]:
    """The answers that name only each other subject, and only the brand. Where it is not known how many name both,
    the least possible makes the test more cautious, never less: it adds as many to either side."""
    theirs, ours = counts.mentioned[1:], counts.mentioned[:1]
    least = np.maximum(theirs + ours - counts.answers, 0.0)
    both = np.where(np.isnan(counts.without_brand[1:]), least, theirs - counts.without_brand[1:])
    return theirs - both, ours - both
