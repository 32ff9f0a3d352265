"""How early a subject is named: prominence, reciprocal rank, the first three, mean rank.

Not every mention has a place (a rank that can be told). What a place is worth is estimated from the mentions that
have one, how often the subject is named from all answers; bounds tell what the others could make of it.
"""

from dataclasses import dataclass, replace

import numpy as np

from visibility.metrics.cells import Cells, Weighting, gather
from visibility.metrics.intervals import mean_interval
from visibility.metrics.table import Flags, Floats, Table
from visibility.metrics.types import Bounds, Estimate

LEADING = 3


@dataclass(frozen=True, slots=True)
class RankFigures:
    """`mean_reciprocal_rank`: how often the subject is named × the mean of 1/rank. `top_three`: the same with 1 for
    the first three and else 0. In percent with their intervals; None where mentions have no place at all.

    `mean_rank` is over the `ranked` of the `mentions` answers that name it, of several engines the mean of theirs; it
    says nothing without that number beside it.
    """

    mean_reciprocal_rank: Estimate
    top_three: Estimate
    mean_rank: float | None
    mentions: int
    ranked: int


@dataclass(frozen=True, slots=True)
class Placed:
    """Answers in cells: `mentions` are those that name a subject, `places` what their places are worth (0–1), and
    `ranked` how many have one, shaped as the cells."""

    mentions: Cells
    places: Cells
    ranked: Floats


def prominences(table: Table, engines: Flags) -> list[Estimate]:
    """The prominence of each subject over the chosen engines: a place is worth 1/log2(1 + rank)."""
    return estimates(_place(table, engines, table.prominence, Weighting.ANSWERS))


def rank_figures(table: Table, engines: Flags) -> list[RankFigures]:
    """The figures of each subject of the table over the chosen engines, which count alike.

    Prompts that name the subject are left out.
    """
    ranks = table.ranks
    leading = ((ranks > 0) & (ranks <= LEADING)).astype(np.float64)
    reciprocal = np.divide(1.0, ranks, out=np.zeros_like(ranks), where=ranks > 0)
    figures = zip(
        estimates(_place(table, engines, reciprocal, Weighting.ANSWERS)),
        estimates(_place(table, engines, leading, Weighting.PROMPTS)),
        strict=True,
    )
    rows = _rows(table, engines)
    ranked = rows & (ranks > 0)
    return [
        RankFigures(
            *both,
            _mean_rank(table, ranks[:, column], ranked[:, column]),
            int((rows[:, column] & (table.mentioned[:, column] > 0)).sum()),
            int(ranked[:, column].sum()),
        )
        for column, both in enumerate(figures)
    ]


def estimates(placed: Placed) -> list[Estimate]:
    """The figure of each subject with its interval, and bounds where a mention has no place."""
    cells = rank_cells(placed)
    figures = mean_interval(cells).estimates(cells.value)
    mentions, ranked = placed.mentions.total.sum(axis=(-2, -1)), placed.ranked.sum(axis=(-2, -1))
    if (ranked == mentions).all():
        return figures
    least, most = bounds(placed)
    ends = zip(*(mean_interval(part).estimates(part.value) for part in (least, most)), strict=True)
    return [
        replace(figure, bounds=Bounds(last.value or 0.0, first.value or 0.0, last.low, first.high))
        if unplaced
        else figure
        for figure, unplaced, (last, first) in zip(figures, (ranked < mentions).tolist(), ends, strict=True)
    ]


def rank_cells(placed: Placed) -> Cells:
    """The figure p · ḡ as the mean of linearised values (Särndal, Swensson and Wretman 1992, section 5.6).

    p is how often an engine names the subject, ḡ what its places are worth on average, r the part of answers that
    have one. A mention with a place of worth g has the value ḡ + p/r · (g - ḡ), one without ḡ, any other answer 0:
    the mean is p · ḡ, and the values vary as the estimate does. Where all mentions have a place the values are g.
    Of several engines one that names the subject without any place is reckoned with the mean ḡ of the others.
    Where no mention has a place there are no answers.
    """
    mentions, places, ranked = placed.mentions, placed.places, placed.ranked
    share = mentions.weight / np.maximum(mentions.answers, 1.0)
    named, placed_part, worth = (
        (share * part).sum(axis=-1, keepdims=True) for part in (mentions.total, ranked, places.total)
    )
    known = placed_part > 0
    engines = np.maximum(known.sum(axis=-2, keepdims=True), 1)
    own = np.where(known, worth / np.where(known, placed_part, 1.0), 0.0)
    mean = np.where(known, own, own.sum(axis=-2, keepdims=True) / engines)
    borrowed = np.where(known, 0.0, named).sum(axis=-2, keepdims=True) / engines
    factor = np.where(known, (named + borrowed) / np.where(known, placed_part, 1.0), 0.0)
    deviations = places.total - mean * ranked
    squares = places.squares - 2 * mean * places.total + mean**2 * ranked
    untold = (named.sum(axis=(-2, -1)) > 0) & ~known.any(axis=(-2, -1))
    answers = np.where(untold[..., None, None], 0.0, mentions.answers)
    return replace(
        mentions,
        answers=answers,
        weight=np.where(answers > 0, mentions.weight, 0.0),
        total=mean * mentions.total + factor * deviations,
        squares=mean**2 * mentions.total + 2 * mean * factor * deviations + factor**2 * squares,
        positives=ranked.sum(axis=(-2, -1)),
        stretch=np.maximum(factor.max(axis=(-2, -1), initial=0.0), 1.0),
    )


def bounds(placed: Placed) -> tuple[Cells, Cells]:
    """The figures were all mentions without a place last (worth nothing), and first (worth 1)."""
    mentions, places = placed.mentions, placed.places
    unplaced = mentions.total - placed.ranked
    first = replace(
        mentions,
        total=places.total + unplaced,
        squares=places.squares + unplaced,
        positives=mentions.total.sum(axis=(-2, -1)),
    )
    return replace(mentions, total=places.total, squares=places.squares, positives=places.positives), first


def _place(table: Table, engines: Flags, worth: Floats, weighting: Weighting) -> Placed:
    rows = _rows(table, engines)
    has_place = (table.ranks > 0).astype(np.float64)
    return Placed(
        gather(table, table.mentioned, rows, weighting),
        gather(table, worth, rows),
        gather(table, has_place, rows).total,
    )


def _rows(table: Table, engines: Flags) -> Flags:
    rows: Flags = engines[table.engine][:, None] & ~table.named
    return rows


def _mean_rank(table: Table, ranks: Floats, ranked: Flags) -> float | None:
    """The mean over the engines that rank the subject of their mean ranks."""
    means = [ranks[ranked & (table.engine == number)] for number in np.unique(table.engine[ranked])]
    return float(np.mean([of_engine.mean() for of_engine in means])) if means else None
