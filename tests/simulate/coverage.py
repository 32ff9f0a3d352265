"""Days drawn from known populations: how often the service's intervals hold the truth."""

from dataclasses import dataclass

import numpy as np

from tests.measurement.simulation import Population, draw_propensities, topic_of_prompts
from visibility.metrics.cells import gather
from visibility.metrics.correlation import cautious, correlation, pooled, sums_of_squares
from visibility.metrics.intervals import panel_interval, topic_interval, wilson
from visibility.metrics.share_of_voice import shares_of_voice
from visibility.metrics.table import Table

RIVALS = {"x": 0.3, "y": 0.15}
BRAND = 0


@dataclass(frozen=True)
class Coverage:
    """Parts of the repetitions whose interval holds the truth, 0–1; None where there is none.

    `pooled` is Wilson's of all answers as if they were independent, held against the same truth as `topic`.
    """

    topic: float
    panel: float | None
    share_of_voice: float
    pooled: float


def population(topics, wordings, samples, rate, correlation):
    """One engine; prompts of a topic are six tenths as alike as answers to one prompt."""
    return Population({"": rate, **RIVALS}, topics, wordings, {"e": samples}, correlation, 0.6 * correlation)


def simulate(seed, drawn_from, repetitions):
    """The coverage of the brand's intervals."""
    rng = np.random.default_rng(seed)
    rates = np.array(list(drawn_from.rates.values()))
    share = rates[BRAND] / rates.sum()
    held = [_held(rng, drawn_from, rates, share) for _ in range(repetitions)]
    return Coverage(*(_part(column) for column in zip(*held, strict=True)))


def _held(rng, drawn_from, rates, share):
    chances = np.column_stack([draw_propensities(rng, drawn_from, rate) for rate in rates])
    table = _draw_table(rng, drawn_from, chances)
    rows = np.ones(len(table.prompt), dtype=bool)
    cells = [gather(table, table.mentioned[:, subject], rows) for subject in range(len(rates))]
    sums = [sums_of_squares(each) for each in cells]
    likeness = cautious(correlation(sums[BRAND]), correlation(pooled(sums)))
    voice = shares_of_voice(table, np.ones(1, dtype=bool))[BRAND]
    return (
        _holds(topic_interval(cells[BRAND], *likeness), rates[BRAND]),
        _holds(panel_interval(cells[BRAND]), chances[:, BRAND].mean()),
        None if voice.low is None else _holds((voice.low / 100, voice.high / 100), share),
        _holds(wilson(table.mentioned[:, BRAND].sum(), len(rows)), rates[BRAND]),
    )


def _draw_table(rng, drawn_from, chances):
    """Answers of the one engine as the service tabulates them."""
    topic = topic_of_prompts(drawn_from)
    samples = drawn_from.samples["e"]
    counts = [samples[prompt % len(samples)] for prompt in range(len(topic))]
    prompt = np.repeat(np.arange(len(topic)), counts)
    mentioned = (rng.random((len(prompt), chances.shape[1])) < chances[prompt]).astype(float)
    nothing = np.zeros_like(mentioned)
    return Table(
        engines=("e",),
        engine=np.zeros_like(prompt),
        prompt=prompt,
        topic=topic,
        ranks=mentioned,
        ranked=np.ones_like(mentioned, dtype=bool),
        mentioned=mentioned,
        prominence=mentioned,
        cited=nothing,
        named=nothing.astype(bool),
    )


def _holds(interval, truth):
    return None if interval is None else interval[0] <= truth <= interval[1]


def _part(column):
    known = [each for each in column if each is not None]
    return float(np.mean(known)) if known else None
