"""Share of voice: of the answers that mention the brand or its competitors, counted once for each, whose they are."""

import numpy as np

from visibility.metrics.cells import Cells, Weighting, gather, weighted
from visibility.metrics.correlation import known_alike
from visibility.metrics.intervals import Interval, design_size, interval_of
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
    rows = np.broadcast_to(usable[:, None], table.named.shape)
    every = table.mentioned.sum(axis=1, keepdims=True)  # of all subjects, by answer
    own = gather(table, table.mentioned, rows)
    cells = voice_cells(table.topic, own.total)
    panel = voice_panel(own, gather(table, table.mentioned * every, rows).total)
    return voice_interval(cells, panel).estimates(cells.value)


def voice_cells(topic: Integers, mentions: Floats) -> Cells:
    """The shares as cells: of the mentions of all subjects by engine and prompt, each is a subject's or is not.

    `mentions` is shaped [..., subject, engine, prompt]. Within an engine mentions count alike.
    """
    every = np.broadcast_to(mentions.sum(axis=-3, keepdims=True), mentions.shape)
    sums = mentions.sum(axis=(-2, -1))
    return weighted(Cells(topic, every, mentions, mentions, sums, every), Weighting.ANSWERS)


def voice_panel(own: Cells, together: Floats) -> Cells:
    """The shares as means over answers of linearised values: r + (x - r·m) ÷ m̄, where an answer has x mentions of the
    subject and m of all, and m̄ is the engine's mean of m. So they vary as the shares do where the questions are kept.

    `own` holds x, `together` the cells' sums of x·m, shaped alike: [..., subject, engine, prompt].
    """
    mentions = own.total.sum(axis=-3, keepdims=True)
    squares = together.sum(axis=-3, keepdims=True)  # the sum of x·m over subjects is m²
    of_engine = mentions.sum(axis=-1, keepdims=True)
    answers = np.where(of_engine > 0, np.broadcast_to(own.answers, own.total.shape), 0.0)
    mean = of_engine / np.maximum(answers.sum(axis=-1, keepdims=True), 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(of_engine > 0, own.total.sum(axis=-1, keepdims=True) / of_engine, 0.0)
        error = np.where(of_engine > 0, (own.total - share * mentions) / mean, 0.0)
        spread = np.where(of_engine > 0, (own.total - 2 * share * together + share**2 * squares) / mean**2, 0.0)
        stretch = np.where(of_engine > 0, squares.sum(axis=-1, keepdims=True) / of_engine / mean, 1.0)
    cells = Cells(
        own.topic,
        answers,
        answers * share + error,
        answers * share**2 + 2 * share * error + spread,
        own.positives,
        answers,
        np.maximum(stretch.max(axis=(-2, -1), initial=1.0), 1.0),
    )
    return weighted(cells, Weighting.ANSWERS)


def voice_interval(cells: Cells, panel: Cells) -> Interval:
    """The topic interval of the shares, below four topics the panel interval of `panel`.

    The variance between topics is that of the linearised ratio (Cochran 1977, section 6.3).

    With mentions as observations the weight of a topic is m_t/M, and what it adds to V is (x_t - r m_t)/M, squared.
    The size is at most what the likeness of mentions within prompts and topics leaves, and at most that of all
    subjects together, Σ r(1 - r)/Σ V: one with few mentions shows too little of its variance.
    """
    share, variance = cells.value, cells.topic_variance().sum(axis=-1, keepdims=True)
    size = design_size(cells, *known_alike(cells))
    with np.errstate(divide="ignore", invalid="ignore"):
        common = (share * (1 - share)).sum(axis=-1, keepdims=True) / variance
    size = np.where(variance > 0, np.minimum(size, common), size)
    return interval_of(cells, size, panel, is_rate=False)
