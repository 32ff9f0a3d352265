"""Whether figures changed from one measured day to the next: a verdict for each subject, engine and metric.

One family for each pair of days, whoever asks: all subjects × (the all-engine figure and each engine) × the three
metrics. So the same change gets the same verdict through every door.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum

import numpy as np

from visibility.metrics.contrasts import Contrast, rate_contrast, voice_contrast
from visibility.metrics.pairs import Pair
from visibility.metrics.table import Floats
from visibility.metrics.verdicts import Judgement, Verdict, judge


class Metric(StrEnum):
    """The figures whose change is judged, in the order of a family's first axis."""

    SCORE = "score"
    SHARE_OF_VOICE = "share_of_voice"
    CITATION_RATE = "citation_rate"


@dataclass(frozen=True, slots=True)
class Change:
    """The change of one figure of one subject; `engine` None is the all-engine figure. In points, 0–100.

    None where there is nothing to tell: all of them where the figure is unmeasured on either day, interval and
    minimum below two topics or where nothing varies. `p` and `adjusted_p` are 0–1, `adjusted_p` over the family.
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


def compare(pair: Pair) -> list[Change]:
    """Judge the whole family of two days, on the prompts that each engine answered on both.

    Where the all-engine figure is one engine's alone, that engine's changes are tested once and listed under both.
    """
    contrast = family_contrast(pair)
    judgement = judge(contrast)
    changes = [
        _change(contrast, judgement, (number, line, place), subject, engine, metric)
        for place, subject in enumerate(pair.subjects)
        for line, (engine, _) in enumerate(pair.lines)
        for number, metric in enumerate(Metric)
    ]
    if pair.lone:
        changes += [replace(change, engine=pair.lone) for change in changes if change.engine is None]
    return changes


def family_contrast(pair: Pair) -> Contrast:
    """All differences of a pair of days, shaped [metric, line, subject]."""
    contrasts = (
        rate_contrast(pair, pair.before.mentioned, pair.now.mentioned),
        voice_contrast(pair),
        rate_contrast(pair, pair.before.cited, pair.now.cited),
    )
    parts = ([getattr(contrast, field.name) for contrast in contrasts] for field in fields(Contrast))
    return Contrast(*(np.stack(np.broadcast_arrays(*part), axis=-3) for part in parts))


def confirmed(changes: Sequence[tuple[Verdict, float | None]]) -> bool:
    """Whether a change may be reported as a development: the two latest (oldest first) moved, in one direction."""
    latest = changes[-2:]
    directions = {delta > 0 for verdict, delta in latest if verdict == Verdict.MOVED and delta is not None}
    return len(latest) == 2 and all(verdict == Verdict.MOVED for verdict, _ in latest) and len(directions) == 1


def _change(
    contrast: Contrast,
    judgement: Judgement,
    index: tuple[int, int, int],
    subject: str,
    engine: str | None,
    metric: Metric,
) -> Change:
    return Change(
        subject=subject,
        engine=engine,
        metric=metric,
        verdict=Verdict(judgement.verdict[index]),
        delta=_told(100 * contrast.delta, index),
        low=_told(100 * judgement.low, index),
        high=_told(100 * judgement.high, index),
        minimum_detectable=_told(100 * judgement.minimum, index),
        p=_told(judgement.p, index),
        adjusted_p=_told(judgement.adjusted, index),
    )


def _told(values: Floats, index: tuple[int, int, int]) -> float | None:
    value = float(values[index])
    return None if np.isnan(value) else value
