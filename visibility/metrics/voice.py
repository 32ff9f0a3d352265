"""Share of voice: the part of each subject in all mentions of the brand and its rivals, one an answer."""

import numpy as np

from visibility.metrics.counts import Floats, Integers
from visibility.metrics.intervals import Estimate, estimate, panel_interval
from visibility.metrics.samples import Sample, sample


def share_of_voice(topic: Integers, answers: Floats, mentioned: Floats, comentions: Floats) -> Estimate:
    """The share of each subject; over several engines the mean of those that have mentions. NaN without mentions.

    Arrays are shaped [..., subject, engine, prompt] without the prompts that name any subject; `comentions` as in
    `Row`. Mentions are the observations, so the variance between topics is that of the linearised ratio (Cochran
    1977, section 6.3).
    """
    every = np.broadcast_to(mentioned.sum(axis=-3, keepdims=True), mentioned.shape)
    voices = sample(topic, every, mentioned, by_answers=True)
    linearised = _linearised(topic, answers, mentioned, comentions)
    return estimate(voices, linearised, panel_interval(linearised, is_rate=False))


def _linearised(topic: Integers, answers: Floats, mentioned: Floats, comentions: Floats) -> Sample:
    """The shares as means over answers of r + (x - r m)/m̄, where an answer has x mentions of the subject and m of
    all, and m̄ is the engine's mean of m: these vary as the shares do where the prompts are fixed."""
    every = mentioned.sum(axis=-3, keepdims=True)
    squares = comentions.sum(axis=-3, keepdims=True)  # Σ x·m over subjects is m²
    of_engine = every.sum(axis=-1, keepdims=True)
    known = of_engine > 0
    answers = np.where(known, answers, 0.0)
    mean = of_engine / np.maximum(answers.sum(axis=-1, keepdims=True), 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(known, mentioned.sum(axis=-1, keepdims=True) / of_engine, 0.0)
        error = np.where(known, (mentioned - share * every) / mean, 0.0)
        spread = np.where(known, (mentioned - 2 * share * comentions + share**2 * squares) / mean**2, 0.0)
        stretch = np.where(known, squares.sum(axis=-1, keepdims=True) / of_engine / mean, 1.0)
    return sample(
        topic,
        answers,
        answers * share + error,
        answers * share**2 + 2 * share * error + spread,
        positives=mentioned.sum(axis=(-2, -1)),
        stretch=np.maximum(stretch.max(axis=(-2, -1), initial=1.0), 1.0),
        by_answers=True,
    )
