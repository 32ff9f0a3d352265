"""Whether figures changed from one measured day to the next: a verdict for each subject, engine and metric.

The brand's own score over all engines is a test of its own. The rest is one family for each pair of days, whoever
asks: all subjects × (the all-engine figure and each engine) × the three metrics. So the same change gets the same
verdict through every door.
"""

from dataclasses import dataclass, fields, replace
from enum import StrEnum

import numpy as np

from visibility.detection.types import BRAND
from visibility.metrics.contrasts import Contrast, rate_contrast, voice_contrast
from visibility.metrics.day_effects import DayEffects
from visibility.metrics.intervals import Kind
from visibility.metrics.pairs import Pair
from visibility.metrics.table import Flags, Floats
from visibility.metrics.verdicts import Judgement, Verdict, judge

Index = tuple[int, int, int]
"""The place of a figure in a family: metric, line, subject."""


class Metric(StrEnum):
    """The figures whose change is judged, in the order of a family's first axis."""

    SCORE = "score"
    SHARE_OF_VOICE = "share_of_voice"
    CITATION_RATE = "citation_rate"


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one figure of one subject; `engine` None is the all-engine figure. In points, 0–100.

    None where there is nothing to tell: all of them where the figure is unmeasured on either day, interval and
    minimum where nothing varies. `on_questions`: tested on exactly these prompts, of fewer than four topics. `p` and
    `adjusted_p` are 0–1, `adjusted_p` over the family. `day_variance` is what the luck of both days has in the
    variance of the change, rates being 0–1.
    """

    subject: str
    engine: str | None
    metric: Metric
    verdict: Verdict
    delta: float | None
    low: float | None
    high: float | None
    minimum_detectable: float | None
    p: float | None
    adjusted_p: float | None
    day_variance: float = 0.0
    on_questions: bool = False

    @property
    def interval(self) -> str | None:
        """What the interval and the test speak of; None without an interval."""
        return None if self.low is None else (Kind.QUESTIONS if self.on_questions else Kind.TOPICS).value


def compare(pair: Pair) -> list[Change]:
    """Judge the whole family of two days, on the prompts that each engine answered on both.

    Where the all-engine figure is one engine's alone, that engine's changes are tested once and listed under both.
    """
    contrast = family_contrast(pair)
    judgement = judge(contrast, own_figures(pair))
    changes = [figure(pair, contrast, judgement, *place) for place in places(pair)]
    if pair.lone:
        changes += [replace(change, engine=pair.lone) for change in changes if change.engine is None]
    return changes


def places(pair: Pair) -> list[tuple[Index, str, str | None, Metric]]:
    """Where each figure of the family stands, with its subject, engine and metric."""
    return [
        ((number, line, place), subject, engine, metric)
        for place, subject in enumerate(pair.subjects)
        for line, (engine, _) in enumerate(pair.lines)
        for number, metric in enumerate(Metric)
    ]


def family_contrast(pair: Pair) -> Contrast:
    """All differences of a pair of days, shaped [metric, line, subject]."""
    score, voice, citations = (_of_metric(pair, number) for number, _ in enumerate(Metric))
    contrasts = (
        rate_contrast(pair, pair.before.mentioned, pair.now.mentioned, score),
        voice_contrast(pair, voice),
        rate_contrast(pair, pair.before.cited, pair.now.cited, citations),
    )
    parts = ([getattr(contrast, field.name) for contrast in contrasts] for field in fields(Contrast))
    return Contrast(*(np.stack(np.broadcast_arrays(*part), axis=-3) for part in parts))


def _of_metric(pair: Pair, number: int) -> DayEffects | None:
    return None if pair.day_effects is None else pair.day_effects.of_metric(number)


def own_figures(pair: Pair) -> Flags:
    """The figures that are tests of their own: the brand's score over all engines. Shaped [metric, line, subject]."""
    lines = [engine for engine, _ in pair.lines]
    places = ((list(Metric), Metric.SCORE), (lines, None), (pair.subjects, BRAND))
    masks = [np.array([item == own for item in axis], dtype=bool) for axis, own in places]
    own: Flags = masks[0][:, None, None] & masks[1][:, None] & masks[2]
    return own


def figure(
    pair: Pair,
    contrast: Contrast,
    judgement: Judgement,
    index: Index,
    subject: str,
    engine: str | None,
    metric: Metric,
) -> Change:
    """One figure of the judged family of a pair."""
    return Change(
        subject=subject,
        engine=engine,
        metric=metric,
        verdict=Verdict(judgement.verdict[index]),
        delta=points(contrast.delta, index),
        low=points(judgement.low, index),
        high=points(judgement.high, index),
        # For a share of voice the size is only roughly known: good enough for the verdict, not to be told.
        minimum_detectable=None if metric is Metric.SHARE_OF_VOICE else points(judgement.minimum, index),
        p=_part(judgement.p, index),
        adjusted_p=_part(judgement.adjusted, index),
        day_variance=_part(contrast.of_days, index) or 0.0,
        on_questions=pair.on_questions,
    )


def points(values: Floats, index: Index) -> float | None:
    """A value of a family in points, None where there is none."""
    value = _part(values, index)
    return None if value is None else 100 * value


def _part(values: Floats, index: Index) -> float | None:
    value = float(values[index])
    return None if np.isnan(value) else value
