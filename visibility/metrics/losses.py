"""Whether what was cited day after day is cited no more: a loss that is confirmed over two days or more. Pure.

What counts on a day are cells, an engine with a prompt: `cited` sums the share of each cell's answers that cite it,
and `cells` how many there are. So answers to one prompt, which are alike, count as one.

A loss began on day d when the up to seven days before, three at least, each had three quarters of their mean or more;
when the day and all after it, two at least, are each below every one of them, and together have a twentieth of their
rate or less; and when Fisher's exact test of these days against those gives p ≤ `LEVEL` over the number of subjects
that are looked at. `tests.simulate.losses` shows how often that is told where nothing was lost.
"""

from dataclasses import dataclass

import numpy as np

from visibility.metrics.development import MAX_POOLED, MIN_POOLED
from visibility.metrics.distributions import gammaln
from visibility.metrics.table import Flags, Floats, Integers

LEVEL = 0.0003
KEPT = 0.05
STEADY = 0.75
RECOVERED = 0.75
"""The part of its best seven days at which what was lost is back."""
_CELL = 1e-9


@dataclass(frozen=True, slots=True)
class Losses:
    """Of each subject: the place of the day on which a loss began, -1 without; the shares before and since; whether
    it is cited about as much as on its best days."""

    began: Integers
    before: Floats
    since: Floats
    recovered: Flags


def find_losses(cited: Floats, cells: Floats, tests: int) -> Losses:
    """Look at the last day of each row; both are shaped [subject, day], oldest first. `tests` is how many subjects
    are looked at together."""
    days = cited.shape[-1]
    rates = np.divide(cited, cells, out=np.zeros_like(cited), where=cells > 0)
    began = np.full(cited.shape[:-1], -1, dtype=np.int64)
    best = np.full(cited.shape[:-1], LEVEL / max(tests, 1))
    before, since = np.zeros_like(best), np.zeros_like(best)
    for day in range(max(MIN_POOLED, days - 1 - MAX_POOLED), days - 1):
        base = slice(max(0, day - MAX_POOLED), day)
        sums = [values[..., part].sum(axis=-1) for part in (base, slice(day, None)) for values in (cited, cells)]
        old, new = (np.divide(a, b, out=np.zeros_like(a), where=b > 0) for a, b in (sums[:2], sums[2:]))
        least = rates[..., base].min(axis=-1)
        is_lower = (rates[..., day:].max(axis=-1) < least) & (least >= STEADY * old) & (new <= KEPT * old)
        p = np.ones_like(best)
        p[is_lower] = _fisher(*(values[is_lower] for values in sums))
        better = is_lower & (p <= best)
        began, best = np.where(better, day, began), np.where(better, p, best)
        before, since = np.where(better, old, before), np.where(better, new, since)
    return Losses(began, before, since, _recovered(cited, cells))


def _fisher(old: Floats, old_cells: Floats, new: Floats, new_cells: Floats) -> Floats:
    """The chance of so few or fewer of the later cells, of all that cite it; parts of cells count against a loss."""
    few, many = np.ceil(new - _CELL), np.floor(old + _CELL)
    total, drawn, all_cells = few + many, np.rint(new_cells), np.rint(old_cells + new_cells)
    whole = _log_choose(all_cells, drawn)
    chance = np.zeros_like(few)
    for hits in range(int(few.max(initial=0)) + 1):
        possible = (hits <= few) & (hits <= total) & (drawn - hits <= all_cells - total)
        log = _log_choose(total, np.minimum(hits, total)) + _log_choose(
            all_cells - total, np.clip(drawn - hits, 0, all_cells - total)
        )
        chance += np.where(possible, np.exp(log - whole), 0.0)
    return chance


def _log_choose(number: Floats, chosen: Floats) -> Floats:
    log: Floats = gammaln(number + 1) - gammaln(chosen + 1) - gammaln(number - chosen + 1)
    return log


def _recovered(cited: Floats, cells: Floats) -> Flags:
    """Whether the last two days have three quarters or more of the share of the best days in a row before them."""
    days = cited.shape[-1]
    if days < MIN_POOLED + 2:
        return np.zeros(cited.shape[:-1], dtype=bool)
    window = min(MAX_POOLED, days - 2)
    shares = []
    for start in range(days - 2 - window + 1):
        part = slice(start, start + window)
        sums = cited[..., part].sum(axis=-1), cells[..., part].sum(axis=-1)
        shares.append(np.divide(*sums, out=np.zeros_like(sums[0]), where=sums[1] > 0))
    sums = cited[..., -2:].sum(axis=-1), cells[..., -2:].sum(axis=-1)
    latest = np.divide(*sums, out=np.zeros_like(sums[0]), where=sums[1] > 0)
    best = np.max(shares, axis=0)
    recovered: Flags = (best > 0) & (latest >= RECOVERED * best)
    return recovered
