"""What a change of the brand's score is made of: by topic, by engine and by wording.

The score is the sum over cells, an engine with a wording, of weight × rate. With the same weights on both sides the
change is Σ w d (Kitagawa 1955, the component of rates), so the parts of each of the three partitions sum to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visibility.metrics.counts import Counts, Floats, Integers, Key
from visibility.metrics.series import arrange


@dataclass(frozen=True, slots=True)
class Part:
    """What one topic, engine or wording adds, in points: its own rates `before` and `after` (0–100), and the part
    (0–1) that it is of the score (`weight`)."""

    key: Key
    points: float
    weight: float
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A change of the score on the cells that both sides answered; 0–100 and points. The largest parts come first;
    those of each partition sum to `after` - `before`."""

    before: float
    after: float
    topics: Sequence[Part]
    engines: Sequence[Part]
    wordings: Sequence[Part]


def decompose(before: Sequence[Counts], after: Sequence[Counts]) -> Decomposition | None:
    """The change of the first subject's score from some days, pooled, to later ones; None without a shared cell."""
    if not before or not after:
        return None
    latest, series = after[-1], arrange([*before, *after])
    split = sum(place < len(before) for place in series.places)
    sides = series.pooled(0, split), series.pooled(split, series.size)
    usable = (sides[0].answers > 0) & (sides[1].answers > 0) & ~series.named[0] & series.averaged[:, None]
    if not usable.any():
        return None
    prompts = usable.sum(axis=1, keepdims=True)
    weight = usable / np.maximum(prompts, 1) / np.count_nonzero(prompts)
    earlier, later = (side.mentioned[0] / np.maximum(side.answers, 1e-12) for side in sides)
    engine, prompt = np.indices(weight.shape)
    topics = list(dict.fromkeys(latest.topics))
    topic = np.array([topics.index(each) for each in latest.topics])[prompt]
    return Decomposition(
        100 * float((weight * earlier).sum()),
        100 * float((weight * later).sum()),
        *(
            _parts(keys, number, weight, earlier, later)
            for keys, number in ((topics, topic), (series.engines, engine), (latest.prompts, prompt))
        ),
    )


def _parts(keys: Sequence[Key], number: Integers, weight: Floats, before: Floats, after: Floats) -> list[Part]:
    """The parts of the cells, added up by `number`, the place of each cell's key in `keys`."""
    total, earlier, later = (
        np.bincount(number.ravel(), values.ravel(), len(keys)).tolist()
        for values in (weight, weight * before, weight * after)
    )
    parts = [
        Part(key, 100 * (then - now), share, 100 * now / share, 100 * then / share)
        for key, share, now, then in zip(keys, total, earlier, later, strict=True)
        if share > 0
    ]
    return sorted(parts, key=lambda part: (-abs(part.points), str(part.key)))
