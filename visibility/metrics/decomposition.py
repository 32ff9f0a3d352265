"""What a change of a score is made of, and what changed at the same time in the same cells.

A score is the sum over cells, an engine with a wording, of weight × rate: each engine has the same weight, and in it
each wording. With the same weights on both sides the difference is the sum of each cell's weight × difference. Put
together by topic, by engine or by wording, the cells make three partitions of it, and each sums to the whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from visibility.metrics.change import family_contrast
from visibility.metrics.pairs import Pair
from visibility.metrics.table import Flags, Floats
from visibility.metrics.verdicts import ALPHA, benjamini_hochberg, p_values


@dataclass(frozen=True, slots=True)
class Cell:
    """What an engine's answers to one wording, the numbers of both, add to the difference."""

    engine: int
    wording: int
    share: float


@dataclass(frozen=True, slots=True)
class Share:
    """What one topic, engine or wording adds to a difference, in points: `before` and `after` are its own rates,
    0–100, `weight` the part (0–1) that it is of the whole. `cells` are its own, those first that add most in its
    direction."""

    key: str
    points: float
    weight: float
    before: float
    after: float
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Three partitions of a difference, the largest parts of each first; each sums to `delta`, in points."""

    delta: float
    topics: Sequence[Share]
    engines: Sequence[Share]
    wordings: Sequence[Share]


@dataclass(frozen=True, slots=True)
class OwnChange:
    """The change of another's own rate in the same cells, beyond chance; 0–100 and points."""

    key: str
    before: float
    after: float


def decompose(pair: Pair, topics: Sequence[str], wordings: Sequence[str]) -> Decomposition:
    """The parts of the difference of the first subject's score over the averaged engines of the pair. `topics` and
    `wordings` are the keys of each prompt.

    Prompts that name the subject are no part of its score; cells that only one side answered are no part of the
    difference.
    """
    weight, before, after = _cells(pair, ~pair.named[:, 0])
    shares = weight * (after - before)
    names = np.array(pair.engines)[:, None], np.array(topics)[None, :], np.array(wordings)[None, :]
    by_engine, by_topic, by_wording = (
        _partition(np.broadcast_to(keys, shares.shape), weight, before, after, shares) for keys in names
    )
    return Decomposition(100 * float(shares.sum()), by_topic, by_engine, by_wording)


def together(key: str, shares: Sequence[Share]) -> Share:
    """Several parts of one partition as one."""
    weight = sum(share.weight for share in shares)
    before, after = (
        sum(share.weight * rate for share, rate in zip(shares, rates, strict=True)) / weight
        for rates in ([share.before for share in shares], [share.after for share in shares])
    )
    return Share(key, sum(share.points for share in shares), weight, before, after, ())


def changed_beyond_chance(pair: Pair) -> list[OwnChange]:
    """Of all subjects but the first: whose own rate changed in the cells that make the first one's score, tested
    over topics; the false discovery rate over them is 5 %. The largest changes first."""
    if len(pair.subjects) < 2:
        return []
    others = pair.named | pair.named[:, :1]
    contrast = family_contrast(replace(pair, named=others))
    adjusted = benjamini_hochberg(p_values(contrast)[0, 0, 1:])
    changes = []
    for place, p in enumerate(adjusted, start=1):
        if p <= ALPHA:
            weight, before, after = _cells(pair, ~others[:, place], place)
            changes.append(
                OwnChange(pair.subjects[place], *(100 * float((weight * x).sum()) for x in (before, after)))
            )
    return sorted(changes, key=lambda change: (-abs(change.after - change.before), change.key))


def whole_parts(points: Sequence[float], total: float) -> list[float]:
    """The parts rounded to hundredths so that they sum to the rounded total: what is left over goes to those whose
    rounding took most from them (largest remainder)."""
    exact = 100 * np.array(points, dtype=np.float64)
    floor = np.floor(exact)
    missing = round(100 * total) - int(floor.sum())
    order = np.argsort(floor - exact, kind="stable")
    for place in order[: max(missing, 0)]:
        floor[place] += 1
    for place in order[::-1][: max(-missing, 0)]:
        floor[place] -= 1
    return [float(value) / 100 + 0.0 for value in floor]


def _cells(pair: Pair, counts: Flags, subject: int = 0) -> tuple[Floats, Floats, Floats]:
    """The weight of each cell, and its rates before and after; shaped [engine, prompt]."""
    usable = (pair.before.answers > 0) & (pair.now.answers > 0) & counts & pair.averaged[:, None]
    wordings = usable.sum(axis=1, keepdims=True)
    engines = max(1, np.count_nonzero(wordings))
    weight = np.where(usable, 1.0 / np.maximum(wordings, 1) / engines, 0.0)
    rates = (side.mentioned[..., subject] / np.maximum(side.answers, 1e-12) for side in (pair.before, pair.now))
    before, after = (np.where(usable, rate, 0.0) for rate in rates)
    return weight, before, after


def _partition(keys: NDArray[np.str_], weight: Floats, before: Floats, after: Floats, shares: Floats) -> list[Share]:
    parts = []
    for key in sorted(set(keys[weight > 0].tolist())):
        mask = (keys == key) & (weight > 0)
        total, points = float(weight[mask].sum()), float(shares[mask].sum())
        cells = [
            Cell(int(engine), int(wording), float(shares[engine, wording])) for engine, wording in np.argwhere(mask)
        ]
        cells.sort(key=lambda cell: (-cell.share if points >= 0 else cell.share, cell.engine, cell.wording))
        before_rate, after_rate = (100 * float((weight * rate)[mask].sum()) / total for rate in (before, after))
        parts.append(Share(str(key), 100 * points, total, before_rate, after_rate, cells))
    return sorted(parts, key=lambda part: (-abs(part.points), part.key))
