"""Days drawn from known populations: how often the service's intervals hold the truth.

Many days are drawn at once: arrays are shaped [day, subject, engine, prompt], as in `visibility.metrics.cells`.
"""

from dataclasses import dataclass

import numpy as np

from tests.measurement.simulation import beta
from visibility.metrics.cells import Cells, Weighting, weighted
from visibility.metrics.intervals import Interval, mean_interval, panel_interval, rate_interval, wilson
from visibility.metrics.ranks import Placed, bounds, rank_cells
from visibility.metrics.share_of_voice import voice_cells, voice_interval, voice_panel

RIVALS = (0.3, 0.15)
TOPIC_PART = 0.6
"""The correlation of prompts of one topic ÷ that of answers to one prompt."""
RANKS = np.array([1, 2, 3, 6])
WORTH = {
    "prominence": 1 / np.log2(1 + RANKS),
    "reciprocal rank": 1 / RANKS,
    "first three": (RANKS <= 3).astype(float),
}
"""What these ranks are worth, by figure."""
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
RANKED = ("prominence", "reciprocal rank", "first three")
MEANS = {"impression", "as published"}


@dataclass(frozen=True)
class Drawn:
    """What days are drawn from: `wordings` a topic and `samples` a prompt in turn, the brand's rate, ρ.

    `engines`: "one", or "failing": a second one that answers less. `alone`: no rivals are tracked. `placeless` are
    the parts of the mentions that have no place: of those that are first, and of the others.
    """

    topics: int
    wordings: tuple[int, ...]
    samples: tuple[int, ...]
    rate: float
    correlation: float
    engines: str = "one"
    alone: bool = False
    placeless: tuple[float, float] = (0.0, 0.0)

    @property
    def rates(self):
        """Of the brand and its rivals."""
        return (self.rate,) if self.alone else (self.rate, *RIVALS)


def simulate(seed, drawn, days, *, ranks_only=False):
    """The part of the days whose interval holds the truth, for each of `FIGURES` and for pooled answers ("pooled"),
    and whose bounds do, for each of `RANKED` ("prominence, bounds").

    From four topics on the truth is that of the population, below that of exactly these questions, as the intervals
    say. None where no day has an interval. `ranks_only`: nothing but what is of ranks.
    """
    rng = np.random.default_rng(seed)
    topic, answers = _asked(rng, drawn)
    at_once = min(days, max(50, AT_ONCE // len(topic)))
    parts = [_simulate(rng, drawn, topic, answers, at_once, ranks_only) for _ in range(-(-days // at_once))]
    held = {name: np.concatenate([part[name] for part in parts])[:days] for name in parts[0]}
    return {name: None if np.isnan(column).all() else float(np.nanmean(column)) for name, column in held.items()}


def _simulate(rng, drawn, topic, answers, days, ranks_only):
    """By figure and day, whether its interval holds the truth; NaN where there is none."""
    chances = _chances(rng, drawn, topic, len(answers), days)
    asked = answers[None, None]  # alike on all days and for all subjects
    mentions = _some(rng, asked, chances)
    score = _cells(topic, asked, ((mentions, 1.0),))
    placed = _placed(rng, drawn, topic, asked, mentions, chances)
    of_ranks = _held_of_ranks(drawn, placed, _expected_of_ranks(chances))
    if ranks_only:
        return of_ranks
    cited = _chances(rng, drawn, topic, len(answers), days)
    cites = _some(rng, asked, cited)
    strong, of_sources = _cited(rng, drawn, topic, asked, cites)
    rates = {"score": score, "citation rate": _cells(topic, asked, ((cites, 1.0),)), **of_sources}
    expected = _expected(chances, cited, strong)
    truths = {name: (_truth(name, drawn), _of_questions(cells, expected[name])) for name, cells in rates.items()}
    held = of_ranks | {
        name: _held((mean_interval if name in MEANS else rate_interval)(cells), *truths[name])
        for name, cells in rates.items()
    }
    held["panel"] = _held(panel_interval(score), *truths["score"])
    if not drawn.alone:
        voices = voice_cells(topic, mentions)
        own = _cells(topic, np.broadcast_to(asked, mentions.shape), ((mentions, 1.0),))
        panel = voice_panel(own, _together(rng, asked, mentions))
        talk = (asked * chances).sum(axis=-1)
        truth = (talk[:, 0] / np.maximum(talk.sum(axis=1), 1e-300)).mean(axis=-1)
        held["share of voice"] = _held(voice_interval(voices, panel), _truth("share of voice", drawn), truth)
    low, high = wilson(mentions[:, 0].sum(axis=(-2, -1)), answers.sum())
    held["pooled"] = ((low <= drawn.rate) & (drawn.rate <= high)).astype(np.float64)
    return held


def _held_of_ranks(drawn, placed, expected):
    """By figure of ranks and day, whether its interval holds the truth, and whether its bounds do."""
    held = {}
    for name, figure in placed.items():
        truths = _truth(name, drawn), _of_questions(figure.mentions, expected[name])
        held[name] = _held(mean_interval(rank_cells(figure)), *truths)
        least, most = map(mean_interval, bounds(figure))
        held[f"{name}, bounds"] = _held(Interval(least.low, most.high, least.on_questions), *truths)
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
    squares = sum(number * value**2 for number, value in parts)
    positives = sum(number.sum(axis=(-2, -1)) for number, _ in parts)
    return weighted(Cells(topic, answers, total, squares, positives, answers), weighting)


def _placed(rng, drawn, topic, answers, mentions, chances):
    """A mention is first with the chance of a mention, else second, third or sixth alike: often is early, too."""
    first = _some(rng, mentions, chances)
    second = _some(rng, mentions - first, np.full_like(first, 1 / 3))
    third = _some(rng, mentions - first - second, np.full_like(first, 1 / 2))
    numbers = (first, second, third, mentions - first - second - third)
    if any(drawn.placeless):
        kept = 1 - np.array(drawn.placeless)[[0, 1, 1, 1]]
        numbers = tuple(
            _some(rng, number, np.full_like(first, part)) for number, part in zip(numbers, kept, strict=True)
        )
    figures = {}
    for name, worth in WORTH.items():
        weighting = Weighting.PROMPTS if name == "first three" else Weighting.ANSWERS
        named = _cells(topic, answers, ((mentions, 1.0),), weighting)
        places = _cells(topic, answers, tuple(zip(numbers, worth, strict=True)), weighting)
        figures[name] = Placed(named, places, sum(numbers))
    return figures


def _together(rng, answers, mentions):
    """By cell the sum over its answers of x·m, x being 1 where it mentions the subject and m of all subjects: the
    mentions of each subject are shared out among the answers by chance."""
    left, of_subject = np.broadcast_to(answers, mentions.shape).copy(), mentions.copy()
    together = np.zeros_like(mentions)
    while left.any():
        named = (rng.random(left.shape) * np.maximum(left, 1.0) < of_subject) & (left > 0)
        together += named * named.sum(axis=1, keepdims=True)
        of_subject -= named
        left -= left > 0
    return together


def _expected(chances, cited, strong):
    """By figure, what an answer to each question is expected to be worth."""
    impression = cited * (strong * STRONG + (1 - strong) * WEAK)
    sources = {"citation rate": cited, "impression": impression, "as published": cited * PUBLISHED.mean()}
    return {"score": chances, **sources}


def _expected_of_ranks(chances):
    """The same of the figures of ranks."""
    return {name: chances * (chances + (1 - chances) * worth[1:].mean()) for name, worth in WORTH.items()}


def _of_questions(cells, expected):
    """The brand's figure on exactly these questions."""
    return (cells.weight * expected).sum(axis=(-2, -1))[:, 0]


def _cited(rng, drawn, topic, answers, cites):
    """Some prompts are answered from the own pages for the most part, those of the brand more often: how
    often, and the figures."""
    parts = np.array([STRONG_PART, *(STRONG_PART_OF_RIVALS for _ in drawn.rates[1:])])[:, None, None]
    chance = beta(rng, np.broadcast_to(parts, cites.shape), drawn.correlation, cites.shape)
    strong = _some(rng, cites, chance)
    third = _some(rng, cites, np.full_like(cites, 1 / 3))
    sixth = _some(rng, cites - third, np.full_like(cites, 1 / 2))
    published = zip((third, sixth, cites - third - sixth), PUBLISHED, strict=True)
    return chance, {
        "impression": _cells(topic, answers, ((strong, STRONG), (cites - strong, WEAK))),
        "as published": _cells(topic, answers, tuple(published)),
    }


def _truth(name, drawn):
    """What the figure of the brand is in the population that topics, prompts and answers are drawn from."""
    rate = drawn.rate
    first = drawn.correlation * rate * (1 - rate) + rate**2
    return {
        "share of voice": rate / sum(drawn.rates),
        **{name: first + (rate - first) * worth[1:].mean() for name, worth in WORTH.items()},
        "impression": rate * (STRONG_PART * STRONG + (1 - STRONG_PART) * WEAK),
        "as published": rate * PUBLISHED.mean(),
    }.get(name, rate)


def _held(interval, truth, of_questions):
    """Whether the brand's intervals hold the truth that they speak of, of the population or of exactly these
    questions; NaN where there is none."""
    truth = np.where(interval.on_questions[:, 0], of_questions, truth)
    low, high = interval.low[:, 0], interval.high[:, 0]
    held = (low <= truth + ROUNDING) & (truth - ROUNDING <= high)
    return np.where(np.isnan(low), np.nan, held)
