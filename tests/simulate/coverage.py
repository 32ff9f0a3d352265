"""Days drawn from known populations: how often the service's intervals hold the truth.

Many days are drawn at once: arrays are shaped [day, subject, engine, prompt], as in `visibility.metrics.cells`.
"""

from dataclasses import dataclass

import numpy as np

from tests.measurement.simulation import beta
from visibility.metrics.cells import Cells, Weighting, weighted
from visibility.metrics.intervals import mean_interval, panel_interval, rate_interval, wilson
from visibility.metrics.share_of_voice import voice_cells, voice_interval

RIVALS = (0.3, 0.15)
TOPIC_PART = 0.6
"""The correlation of prompts of one topic ÷ that of answers to one prompt."""
RANKS = np.array([1, 2, 3, 6])
STRONG, WEAK = 0.8, 0.15
"""What the cited pages of a subject carry of an answer: the one or the other."""
STRONG_PART, STRONG_PART_OF_RIVALS = 0.25, 0.1
PUBLISHED = np.array([1 / 3, 1 / 6, 1 / 12])
FAILED = 0.2
"""The part of its prompts that a failing engine does not answer; the others it answers once."""
ROUNDING = 1e-9
AT_ONCE = 60_000
"""So many prompts on so many days are drawn together."""
FIGURES = (
    "score",
    "panel",
    "share of voice",
    "prominence",
    "citation rate",
    "reciprocal rank",
    "first three",
    "impression",
    "as published",
)


@dataclass(frozen=True)
class Drawn:
    """What days are drawn from: `wordings` a topic and `samples` a prompt in turn, the brand's rate, ρ.

    `engines`: "one", or "failing": a second one that answers less. `alone`: no rivals are tracked.
    """

    topics: int
    wordings: tuple[int, ...]
    samples: tuple[int, ...]
    rate: float
    correlation: float
    engines: str = "one"
    alone: bool = False

    @property
    def rates(self):
        """Of the brand and its rivals."""
        return (self.rate,) if self.alone else (self.rate, *RIVALS)


def simulate(seed, drawn, days):
    """The part of the days whose interval holds the truth, for each of `FIGURES` and for pooled answers ("pooled").

    None where no day has an interval.
    """
    rng = np.random.default_rng(seed)
    topic, answers = _asked(rng, drawn)
    at_once = min(days, max(50, AT_ONCE // len(topic)))
    parts = [_simulate(rng, drawn, topic, answers, at_once) for _ in range(-(-days // at_once))]
    held = {name: np.concatenate([part[name] for part in parts])[:days] for name in parts[0]}
    return {name: None if np.isnan(column).all() else float(np.nanmean(column)) for name, column in held.items()}


def _simulate(rng, drawn, topic, answers, days):
    """By figure and day, whether its interval holds the truth; NaN where there is none."""
    chances = _chances(rng, drawn, topic, len(answers), days)
    asked = answers[None, None]  # alike on all days and for all subjects
    mentions = _some(rng, asked, chances)
    rates = {"score": _cells(topic, asked, ((mentions, 1.0),)), **_ranked(rng, topic, asked, mentions, chances)}
    cites = _some(rng, asked, _chances(rng, drawn, topic, len(answers), days))
    rates |= {"citation rate": _cells(topic, asked, ((cites, 1.0),)), **_cited(rng, drawn, topic, asked, cites)}
    means = {"prominence", "reciprocal rank", "impression", "as published"}
    held = {
        name: _held((mean_interval if name in means else rate_interval)(cells), _truth(name, drawn))
        for name, cells in rates.items()
    }
    score = rates["score"]
    held["panel"] = _held(panel_interval(score), (score.weight * chances).sum(axis=(-2, -1))[:, 0])
    if not drawn.alone:
        held["share of voice"] = _held(voice_interval(voice_cells(topic, mentions)), _truth("share of voice", drawn))
    low, high = wilson(mentions[:, 0].sum(axis=(-2, -1)), answers.sum())
    held["pooled"] = ((low <= drawn.rate) & (drawn.rate <= high)).astype(np.float64)
    return held


def _asked(rng, drawn):
    """The topic of each prompt, and its answers by engine."""
    counts = [drawn.wordings[number % len(drawn.wordings)] for number in range(drawn.topics)]
    topic = np.repeat(np.arange(drawn.topics), counts)
    samples = np.array([drawn.samples[prompt % len(drawn.samples)] for prompt in range(len(topic))], dtype=float)
    if drawn.engines == "one":
        return topic, samples[None]
    answered = np.ones_like(samples)
    answered[rng.permutation(len(topic))[: int(FAILED * len(topic))]] = 0
    return topic, np.stack([samples, answered])


def _chances(rng, drawn, topic, engines, days):
    """The chance in an answer: engines share what a topic has, and differ by prompt."""
    rates = np.broadcast_to(np.array(drawn.rates)[:, None], (days, len(drawn.rates), drawn.topics))
    of_topic = beta(rng, rates, TOPIC_PART * drawn.correlation, rates.shape)
    inner = (1 - TOPIC_PART) * drawn.correlation / (1 - TOPIC_PART * drawn.correlation)
    shape = (days, len(drawn.rates), engines, len(topic))
    return beta(rng, np.broadcast_to(of_topic[:, :, None, topic], shape), inner, shape)


def _some(rng, number, chance):
    return rng.binomial(number.astype(np.int64), np.clip(chance, 0, 1)).astype(np.float64)


def _cells(topic, answers, parts, weighting=Weighting.PROMPTS):
    """Cells of answers of which so many (an array) have this value, for each of `parts`; the others 0."""
    total = sum(number * value for number, value in parts)
    squares = sum((number * value**2).sum(axis=(-2, -1)) for number, value in parts)
    positives = sum(number.sum(axis=(-2, -1)) for number, _ in parts)
    return weighted(Cells(topic, answers, total, squares, positives, answers), weighting)


def _ranked(rng, topic, answers, mentions, chances):
    """A mention is first with the chance of a mention, else second, third or sixth alike: often is early, too."""
    first = _some(rng, mentions, chances)
    second = _some(rng, mentions - first, np.full_like(first, 1 / 3))
    third = _some(rng, mentions - first - second, np.full_like(first, 1 / 2))
    numbers = (first, second, third, mentions - first - second - third)
    prominence = tuple(zip(numbers, 1 / np.log2(1 + RANKS), strict=True))
    return {
        "prominence": _cells(topic, answers, prominence, Weighting.ANSWERS),
        "reciprocal rank": _cells(topic, answers, tuple(zip(numbers, 1 / RANKS, strict=True)), Weighting.ANSWERS),
        "first three": _cells(topic, answers, ((first + second + third, 1.0),)),
    }


def _cited(rng, drawn, topic, answers, cites):
    """Some prompts are answered from the own pages for the most part, those of the brand more often."""
    parts = np.array([STRONG_PART, *(STRONG_PART_OF_RIVALS for _ in drawn.rates[1:])])[:, None, None]
    strong = _some(rng, cites, beta(rng, np.broadcast_to(parts, cites.shape), drawn.correlation, cites.shape))
    third = _some(rng, cites, np.full_like(cites, 1 / 3))
    sixth = _some(rng, cites - third, np.full_like(cites, 1 / 2))
    published = zip((third, sixth, cites - third - sixth), PUBLISHED, strict=True)
    return {
        "impression": _cells(topic, answers, ((strong, STRONG), (cites - strong, WEAK))),
        "as published": _cells(topic, answers, tuple(published)),
    }


def _truth(name, drawn):
    """What the figure of the brand is in the population that topics, prompts and answers are drawn from."""
    rate = drawn.rate
    first = drawn.correlation * rate * (1 - rate) + rate**2
    return {
        "share of voice": rate / sum(drawn.rates),
        "prominence": first + (rate - first) * (1 / np.log2(1 + RANKS[1:])).mean(),
        "reciprocal rank": first + (rate - first) * (1 / RANKS[1:]).mean(),
        "first three": first + (rate - first) * 2 / 3,
        "impression": rate * (STRONG_PART * STRONG + (1 - STRONG_PART) * WEAK),
        "as published": rate * PUBLISHED.mean(),
    }.get(name, rate)


def _held(interval, truth):
    """Whether the brand's intervals hold the truth; NaN where there is none."""
    low, high = interval.low[:, 0], interval.high[:, 0]
    held = (low <= truth + ROUNDING) & (truth - ROUNDING <= high)
    return np.where(np.isnan(low), np.nan, held)
