"""The figures of a day, or of now: of each subject, over all engines and by engine."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from visibility.metrics.counts import Counts, Key, numbers, optional
from visibility.metrics.intervals import MIN_TOPICS, Estimate, estimate_mean, estimate_rate
from visibility.metrics.prominence import Placed, prominence
from visibility.metrics.samples import sample, score_sample
from visibility.metrics.voice import share_of_voice


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval, 0–100."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Figure:
    """A value, 0–100, None where unmeasured, with its 95 % intervals.

    `topic` speaks of prompts like these and is None below four topics; `panel` speaks of exactly these prompts and is
    None where each was asked once, and below four topics where some had no AI answer.
    """

    value: float | None
    topic: Interval | None = None
    panel: Interval | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one subject over one set of engines, from the prompts that do not name it.

    The counts are those behind the figures: of `answers` to `prompts` of `topics`, so many are `mentioned`, `ranked`
    and `cited`. Where some askings had no AI answer, figures speak of the answers shown, and `shown` is how often one
    was: for `prompts` of `asked` prompts at least once. None where each had one.
    """

    score: Figure
    share_of_voice: Figure
    prominence: Figure
    citation_rate: Figure
    recommended_rate: Figure
    shown: Figure | None
    prompts: int
    topics: int
    answers: int
    mentioned: int
    ranked: int
    cited: int
    asked: int


@dataclass(frozen=True, slots=True)
class SubjectFigures:
    """The figures of one subject: `overall`, the mean of the averaged engines that have answers, and by engine."""

    overall: Figures
    by_engine: Mapping[Key, Figures]


@dataclass(frozen=True, slots=True)
class Headline:
    """The score of one subject over the averaged engines, and its share of voice, 0–100; both as in `Figures`."""

    score: Figure
    share_of_voice: float | None


def measure(counts: Counts) -> dict[Key, SubjectFigures]:
    """The figures of each subject of a day, or of now.

    A prompt that names a subject counts for none of its figures; share of voice leaves out prompts that name any
    subject, and is None with fewer than two subjects or without mentions.
    """
    averaged = counts.is_averaged
    lines = np.vstack([averaged, np.eye(len(averaged), dtype=bool)])
    topic = numbers(counts.topics)
    # [line, subject, engine, prompt], where the first line is the figure over engines
    asked = lines[:, None, :, None] & ~counts.named[:, None, :] & (counts.answers > 0)
    answers = counts.answers * asked
    mentioned, ranked, gain, squares, cited = (
        values * asked for values in (counts.mentioned, counts.ranked, counts.gain, counts.gain_squares, counts.cited)
    )
    score = sample(topic, answers, mentioned)
    placed = prominence(Placed(topic, answers, mentioned, ranked, gain, squares))
    free = lines[:, None, :, None] & ~counts.named.any(axis=0) & (counts.answers > 0)
    voice = share_of_voice(topic, counts.answers * free, counts.mentioned * free, counts.comentions * free)
    citations = sample(topic, counts.sourced * asked, cited)
    recommended = sample(topic, answers, counts.recommended * asked)
    results = (counts.answers + counts.absent) * lines[:, None, :, None] * ~counts.named[:, None, :]
    reached = sample(topic, results, answers)
    shown = estimate_rate(reached) if counts.absent.any() else None
    lacks = (results > answers).any(axis=(-2, -1))
    rates = estimate_rate(score), voice, estimate_mean(placed), estimate_rate(citations), estimate_rate(recommended)
    sums = [values.sum(axis=(-2, -1)) for values in (answers, mentioned, ranked, cited)]

    def figures(line: int, place: int) -> Figures:
        """Of one subject over the engines of one line."""
        at = line, place
        number = [int(values[at]) for values in (score.prompts, score.topics, *sums, reached.prompts)]
        is_thin = bool(lacks[at]) and number[1] < MIN_TOPICS
        of_score, of_voice, of_prominence, of_citations, of_recommendations = (
            _figure(each, at, without_panel=is_thin) for each in rates
        )
        return Figures(
            of_score,
            of_voice if len(counts.subjects) > 1 else Figure(None),
            of_prominence,
            of_citations,
            of_recommendations,
            _figure(shown, at) if shown and lacks[at] else None,
            *number,
        )

    return {
        subject: SubjectFigures(
            figures(0, place), {engine: figures(line, place) for line, engine in enumerate(counts.engines, start=1)}
        )
        for place, subject in enumerate(counts.subjects)
    }


def measure_scores(counts: Counts) -> dict[Key, Headline]:
    """Of `measure` the scores and shares of voice over the averaged engines alone, at a fifth of its cost."""
    of_scores = score_sample(counts)
    score = estimate_rate(of_scores)
    averaged = counts.is_averaged
    lacks = ((counts.absent > 0) & averaged[:, None] & ~counts.named[:, None, :]).any(axis=(-2, -1))
    is_thin = lacks & (of_scores.topics < MIN_TOPICS)
    voices = of_scores.total * ~counts.named.any(axis=0)
    every = np.broadcast_to(voices.sum(axis=0), voices.shape)
    share = sample(of_scores.topic, every, voices, by_answers=True).value
    return {
        subject: Headline(
            _figure(score, (place,), without_panel=bool(is_thin[place])),
            optional(float(share[place]), 100) if len(counts.subjects) > 1 else None,
        )
        for place, subject in enumerate(counts.subjects)
    }


def _figure(estimate: Estimate, at: tuple[int, ...], *, without_panel: bool = False) -> Figure:
    columns = (estimate.value, estimate.low, estimate.high, estimate.panel_low, estimate.panel_high)
    value, low, high, panel_low, panel_high = (optional(float(column[at]), 100) for column in columns)
    return Figure(value, _interval(low, high), None if without_panel else _interval(panel_low, panel_high))


def _interval(low: float | None, high: float | None) -> Interval | None:
    return None if low is None or high is None else Interval(low, high)
