"""How alike two answers to one prompt are."""

import numpy as np

from visibility.metrics.counts import Counts, Key, optional
from visibility.metrics.samples import sample, score_sample


def repeatability(counts: Counts) -> dict[Key, float | None]:
    """By subject the chance, 0–100, that two answers of one engine to one prompt agree on mentioning it.

    The simple agreement (Holsti 1969) of all pairs of a cell with k mentions in n answers is
    (k(k - 1) + (n - k)(n - k - 1))/(n(n - 1)); its mean over prompts, then over the averaged engines. None where no
    prompt was asked twice.
    """
    asked = score_sample(counts)
    answers = np.where(asked.answers > 1, asked.answers, 0.0)
    mentioned, others = asked.total, asked.answers - asked.total
    pairs = np.maximum(answers * (answers - 1), 1.0)
    agreement = (mentioned * (mentioned - 1) + others * (others - 1)) / pairs
    value = sample(asked.topic, answers, answers * agreement).value
    return {subject: optional(float(value[place]), 100) for place, subject in enumerate(counts.subjects)}
