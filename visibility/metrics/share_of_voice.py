"""Share of voice: of the answers that mention the brand or its competitors, counted once for each, whose they are."""

from collections.abc import Sequence

import numpy as np

from visibility.metrics.intervals import clustered_wilson
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
            voices.append(mentions)
    return [_share(voices, subject) for subject in range(subjects)]


def _share(voices: Sequence[Floats], subject: int) -> Estimate:
    """The mean share of one subject over engines, each given as mentions by topic and subject.

    The interval is Wilson's with the effective size r(1 - r)/v of the linearised ratio (Cochran 1977, section 6.3),
    v = T/(T-1) Σ_t ((x_t - r m_t)/Σ m)², clustered by topic, at most the number that fully alike topics would give.
    """
    if not voices:
        return UNMEASURED
    totals = [voice.sum() for voice in voices]
    shares = [voice[:, subject].sum() / total for voice, total in zip(voices, totals, strict=True)]
    share = float(np.mean(shares))
    weights = np.mean([voice.sum(axis=1) / total for voice, total in zip(voices, totals, strict=True)], axis=0)
    topics = int(np.count_nonzero(weights))
    if topics < 2:
        return Estimate(100 * share)
    deviations = np.mean(
        [
            (voice[:, subject] - own * voice.sum(axis=1)) / total
            for voice, own, total in zip(voices, shares, totals, strict=True)
        ],
        axis=0,
    )
    variance = topics / (topics - 1) * float(deviations @ deviations)
    size = share * (1 - share) / variance if variance > 0 else 1 / float(weights @ weights)
    low, high = clustered_wilson(share, size, topics)
    return Estimate(100 * share, 100 * low, 100 * high)
