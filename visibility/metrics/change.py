"""Whether figures changed from one measured day to another: a verdict for each subject, engine and metric.

The brand's own score over all engines is a test of its own. The rest is one family of a pair of days, whoever asks:
so the same change gets the same verdict through every door."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from visibility.metrics.contrasts import Contrast, Metric, family_contrast
from visibility.metrics.counts import Counts, Flags, Key, optional
from visibility.metrics.series import Pair, arrange
from visibility.metrics.verdicts import Judgement, Verdict, judge

Index = tuple[int, int, int]
"""The place of a figure in a family: metric, subject, line."""
Basis = Literal["topics", "panel"]


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one figure in points, after less before; `engine` None is the figure over engines.

    `low` to `high` is its 95 % interval, None where topics do not differ; `minimum_detectable` the smallest change
    that would have been called moved in four cases of five, None where none is known. `basis`: whether the test
    speaks of prompts like these or, below four topics, of exactly these prompts. `p` and `adjusted_p` are 0–1."""

    subject: Key
    engine: Key | None
    metric: Metric
    verdict: Verdict
    delta: float | None
    low: float | None
    high: float | None
    minimum_detectable: float | None
    p: float | None
    adjusted_p: float | None
    basis: Basis


def compare(before: Counts, after: Counts) -> list[Change]:
    """The change of every figure between two days, on the cells that both answered and the subjects that both count.

    Empty where they share no engine. What else makes days incomparable (an engine's model, the locale, the detector)
    the caller knows.
    """
    series = arrange([before, after])
    if not series.engines:
        return []
    pair = series.pair(*series.days)
    contrast = family_contrast(pair)
    return changes(pair, contrast, judge(contrast, own_test(pair)), "panel" if series.on_panel else "topics")


def own_test(pair: Pair) -> Flags:
    """The figure that is a test of its own, the first subject's score over engines; [metric, subject, line]."""
    own = np.zeros((len(Metric), len(pair.subjects), len(pair.lines)), dtype=bool)
    own[:1, :1, :1] = bool(pair.averaged.any())
    return own


def places(pair: Pair) -> list[tuple[Index, Key, Key | None, Metric]]:
    """The place of each figure in the family of a pair, with its subject, engine and metric. An engine that is alone
    in the figure over engines is tested once and listed under both."""
    return [
        ((number, place, line), subject, name, metric)
        for number, metric in enumerate(Metric)
        for place, subject in enumerate(pair.subjects)
        for line, (engine, _) in enumerate(pair.lines)
        for name in ((None, pair.lone) if engine is None and pair.lone is not None else (engine,))
    ]


def changes(pair: Pair, contrast: Contrast, judgement: Judgement, basis: Basis) -> list[Change]:
    """The figures of a judged family."""
    points = [contrast.delta, judgement.low, judgement.high, judgement.minimum]
    listed = []
    for index, subject, engine, metric in places(pair):
        delta, low, high, minimum = (optional(float(values[index]), 100) for values in points)
        p, adjusted = (optional(float(values[index])) for values in (judgement.p, judgement.adjusted))
        verdict = Verdict(str(judgement.verdict[index]))
        change = Change(subject, engine, metric, verdict, delta, low, high, minimum, p, adjusted, basis)
        # Of a share of voice the size is known roughly: good enough for the verdict, not to be given.
        listed.append(replace(change, minimum_detectable=None) if metric is Metric.SHARE_OF_VOICE else change)
    return listed
