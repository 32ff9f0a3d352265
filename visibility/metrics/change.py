"""Whether figures changed from one measured day to another: a verdict for each subject, engine and metric.

The brand's own score over all engines is a test of its own. All other figures of a pair of days are one family,
however few are asked for, so that the same change always gets the same verdict."""

from dataclasses import dataclass, replace

import numpy as np

from visibility.metrics.contrasts import Metric, family_contrast
from visibility.metrics.counts import Counts, Flags, Key, optional
from visibility.metrics.series import Pair, arrange
from visibility.metrics.units import Contrast, Units
from visibility.metrics.verdicts import Judgement, Verdict, judge

Index = tuple[int, int, int]
"""The place of a figure in a family: metric, subject, line."""


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one figure in points, after less before; `engine` None is the figure over engines.

    `low` to `high` is its interval at the level at which it was tested, 95 % for the brand's own score and more in a
    family: 0 lies outside of it where the change is `moved`, and nowhere else. `within_noise` where it lies within
    ± 10. `minimum_detectable` is the smallest change that would have been called moved in four cases of five, None
    where none is known. `units`: the test speaks of prompts like these (topics), or of exactly these prompts
    (prompts, answers); None where nothing was measured. `p` and `adjusted_p` are 0–1."""

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
    units: Units | None


def compare(before: Counts, after: Counts) -> list[Change]:
    """The change of every figure between two days, on the cells that both answered and the subjects that both count.

    Empty where they share no engine. The caller makes sure of all else that makes days comparable: an engine's model,
    the locale, the detector.
    """
    series = arrange([before, after])
    if not series.engines:
        return []
    pair = series.pair(*series.days)
    contrast = family_contrast(pair)
    return changes(pair, contrast, judge(contrast, own_test(pair)))


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


def changes(pair: Pair, contrast: Contrast, judgement: Judgement) -> list[Change]:
    """The figures of a judged family."""
    points = [contrast.delta, judgement.low, judgement.high, judgement.minimum]
    listed = []
    for index, subject, engine, metric in places(pair):
        delta, low, high, minimum = (optional(float(values[index]), 100) for values in points)
        p, adjusted = (optional(float(values[index])) for values in (judgement.p, judgement.adjusted))
        verdict = Verdict(str(judgement.verdict[index]))
        units = None if delta is None else list(Units)[int(judgement.units[index])]
        change = Change(subject, engine, metric, verdict, delta, low, high, minimum, p, adjusted, units)
        # The size of a share of voice is known only roughly: enough for the verdict, not to be shown.
        listed.append(replace(change, minimum_detectable=None) if metric is Metric.SHARE_OF_VOICE else change)
    return listed
