"""Prominence: how often a subject is mentioned times what its places are worth, 1/log2(1 + rank) each.

The discount is that of Järvelin and Kekäläinen 2002. Not every mention has a rank: what a place is worth is estimated
from those that have one.
"""

from dataclasses import dataclass, replace

import numpy as np

from visibility.metrics.counts import Floats, Integers
from visibility.metrics.samples import Sample, sample


@dataclass(frozen=True, slots=True)
class Placed:
    """Answers by [..., subject, engine, prompt]: how many, `mentioned`, `ranked`, and the sums of `gain` and of its
    squares."""

    topic: Integers
    answers: Floats
    mentioned: Floats
    ranked: Floats
    gain: Floats
    gain_squares: Floats


def prominence(placed: Placed) -> Sample:
    """p · ḡ as the mean of linearised values (Särndal, Swensson and Wretman 1992, section 5.6).

    p is how often an engine mentions the subject, ḡ the mean gain of its ranked mentions and r the part of answers
    with one. A ranked mention of gain g has the value ḡ + (p/r)(g - ḡ), one without a rank ḡ, any other answer 0.
    An engine that mentions the subject and never ranks it borrows the others' mean ḡ. Where no mention has a rank at
    all there are no answers: unmeasured.
    """
    named = sample(placed.topic, placed.answers, placed.mentioned, by_answers=True)
    share = named.weight / np.maximum(named.answers, 1.0)
    mentioned, ranked, worth = (
        (share * part).sum(axis=-1, keepdims=True) for part in (placed.mentioned, placed.ranked, placed.gain)
    )
    known = ranked > 0
    engines = np.maximum(known.sum(axis=-2, keepdims=True), 1)
    own = np.where(known, worth / np.where(known, ranked, 1.0), 0.0)
    mean = np.where(known, own, own.sum(axis=-2, keepdims=True) / engines)
    borrowed = np.where(known, 0.0, mentioned).sum(axis=-2, keepdims=True) / engines
    factor = np.where(known, (mentioned + borrowed) / np.where(known, ranked, 1.0), 0.0)
    deviations = placed.gain - mean * placed.ranked
    squares = placed.gain_squares - 2 * mean * placed.gain + mean**2 * placed.ranked
    never_ranked = (mentioned.sum(axis=(-2, -1)) > 0) & ~known.any(axis=(-2, -1))
    answers = np.where(never_ranked[..., None, None], 0.0, named.answers)
    return replace(
        named,
        answers=answers,
        weight=np.where(answers > 0, named.weight, 0.0),
        total=mean * placed.mentioned + factor * deviations,
        squares=mean**2 * placed.mentioned + 2 * mean * factor * deviations + factor**2 * squares,
        positives=placed.ranked.sum(axis=(-2, -1)),
        stretch=np.maximum(factor.max(axis=(-2, -1), initial=0.0), 1.0),
    )
