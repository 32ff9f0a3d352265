"""Share of voice: of the answers that mention the brand or its competitors, counted once for each, whose they are."""

from collections.abc import Sequence

import numpy as np

from visibility.metrics.cells import ROUNDING
from visibility.metrics.intervals import wilson_of_estimated_size
from visibility.metrics.table import Flags, Floats, Table
from visibility.metrics.types import UNMEASURED, Estimate


def shares_of_voice(table: Table, engines: Flags) -> list[Estimate]:
    """The share of each subject: answers that mention it ÷ the sum of that over all subjects, in percent.

    Prompts that name any subject are left out. Unmeasured with fewer than two subjects or without mentions. Over
    several engines (`engines` chooses) it is the mean of those that have mentions.
    """
    subjects = table.named.shape[1]
    usable = engines[table.engine] & ~table.named.any(axis=1)
    if subjects < 2 or not usable.any():
        return [UNMEASURED] * subjects
    topics, topic = np.unique(table.topic[table.prompt[usable]], return_inverse=True)
    engine, mentioned = table.engine[usable], table.mentioned[usable]
    voices = []
    for number in np.unique(engine):
        mentions = np.zeros((len(topics), subjects))
        np.add.at(mentions, topic[engine == number], mentioned[engine == number])
        if mentions.any():
            voices.append(mentions / mentions.sum())
    return _estimates(voices) if voices else [UNMEASURED] * subjects


def _estimates(voices: Sequence[Floats]) -> list[Estimate]:
    """The mean shares over engines, each given as the part of its mentions that each topic and subject has.

    Wilson's interval with the effective size of the linearised ratio (Cochran 1977, section 6.3), clustered by
    topic: r(1 - r)/v with v = T/(T-1) Σ_t (x_t - r m_t)²/(Σ m)². A subject with few mentions shows too little of its
    variance, so the size is at most the one of all S subjects together, Σ r(1 - r)/Σ v; there are (T-1)(S-1) degrees
    of freedom, as in a table of topics by subjects. Without any spread the size is that of wholly alike topics,
    (Σ m)²/Σ m_t².
    """
    shares = np.mean([voice.sum(axis=0) for voice in voices], axis=0)
    weights = np.mean([voice.sum(axis=1) for voice in voices], axis=0)
    topics = int(np.count_nonzero(weights))
    if topics < 2:
        return [Estimate(100 * float(share)) for share in shares]
    deviations = np.mean([voice - np.outer(voice.sum(axis=1), voice.sum(axis=0)) for voice in voices], axis=0)
    variances = topics / (topics - 1) * (deviations**2).sum(axis=0)
    freedom = (topics - 1) * (len(shares) - 1)
    common = _size((shares * (1 - shares)).sum(), variances.sum(), float(1 / (weights @ weights)))
    estimates = []
    for share, variance in zip(map(float, shares), variances, strict=True):
        size = min(common, _size(share * (1 - share), variance, common))
        low, high = wilson_of_estimated_size(share, size, freedom)
        estimates.append(Estimate(100 * share, 100 * low, 100 * high))
    return estimates


def _size(spread: float, variance: float, otherwise: float) -> float:
    return float(spread / variance) if variance > ROUNDING else otherwise
