"""Share of voice: of the answers that mention the brand or its competitors, counted once for each, whose they are."""

import numpy as np

from visibility.metrics.cells import Cells, Weighting, weighted
from visibility.metrics.correlation import known_alike
from visibility.metrics.intervals import Interval, design_size, topic_interval
from visibility.metrics.table import Flags, Floats, Integers, Table
from visibility.metrics.types import UNMEASURED, Estimate


def shares_of_voice(table: Table, engines: Flags) -> list[Estimate]:
    """The share of each subject: answers that mention it ÷ the sum of that over all subjects, in percent.

    Prompts that name any subject are left out. Unmeasured with fewer than two subjects or without mentions. Over
    several engines (`engines` chooses) it is the mean of those that have mentions.
    """
    subjects = table.named.shape[1]
    if subjects < 2:
        return [UNMEASURED] * subjects
    usable = engines[table.engine] & ~table.named.any(axis=1)
    mentions = np.zeros((len(table.engines), len(table.topic), subjects))
    np.add.at(mentions, (table.engine, table.prompt), table.mentioned * usable[:, None])
    cells = voice_cells(table.topic, np.moveaxis(mentions, -1, 0))
    return voice_interval(cells).estimates(cells.value)


def voice_cells(topic: Integers, mentions: Floats) -> Cells:
    """The shares as cells: of the mentions of all subjects by engine and prompt, each is a subject's or is not.

    `mentions` is shaped [..., subject, engine, prompt]. Within an engine mentions count alike.
    """
    every = np.broadcast_to(mentions.sum(axis=-3, keepdims=True), mentions.shape)
    sums = mentions.sum(axis=(-2, -1))
    return weighted(Cells(topic, every, mentions, sums, sums, every), Weighting.ANSWERS)


def voice_interval(cells: Cells) -> Interval:
    """The topic interval of the shares, with the variance of the linearised ratio (Cochran 1977, section 6.3).

    With mentions as observations the weight of a topic is m_t/M, and what it adds to V is (x_t - r m_t)/M, squared.
    The size is at most what the likeness of mentions within prompts and topics leaves, and at most that of all
    subjects together, Σ r(1 - r)/Σ V: one with few mentions shows too little of its variance.
    """
    share, variance = cells.value, cells.topic_variance().sum(axis=-1, keepdims=True)
    size = design_size(cells, *known_alike(cells))
    with np.errstate(divide="ignore", invalid="ignore"):
        common = (share * (1 - share)).sum(axis=-1, keepdims=True) / variance
    size = np.where(variance > 0, np.minimum(size, common), size)
    return topic_interval(cells, size)
