"""Histories of topics drawn from known populations: a gap opens, a baseline is measured, work is done or not, scans
follow. How often the service's own code says that the topic moved, and finds a rise of the size that its plan tells.

Only the drawing is done here, the opening of gaps, and what a naive baseline and a naive test would say.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np
from scipy.special import betaincinv, ndtr, stdtr

from tests.simulate.changes import PROMPT_CORRELATION, topic_of
from visibility.detection.types import BRAND
from visibility.metrics.change import Metric
from visibility.metrics.pairs import DayCounts
from visibility.metrics.proof.difference import ALPHA, difference
from visibility.metrics.proof.judging import judge_proof
from visibility.metrics.proof.planning import plan_proof
from visibility.metrics.proof.sides import Side, topic_figures

GRID = np.linspace(-6, 6, 2401)
BEFORE = 5
"""Measured days before the gap's."""
RIVAL = 0.5
LEAD = 0.2
START = date(2026, 1, 1)


@dataclass(frozen=True)
class Wander:
    """`part` of what a topic gives to a prompt's propensity wanders from day to day, with `memory`, the correlation
    of one day with the next."""

    part: float = 0.0
    memory: float = 0.0


@dataclass(frozen=True)
class Tide:
    """What happens to all topics after the baseline: `size` points for a brand in half of the answers, at most half
    of the room, by `form`: everywhere as many points, a part of the room, a part of what is there, or log-odds."""

    form: str = "none"
    size: float = 0.0


@dataclass(frozen=True)
class History:
    """`topics` with `wordings` in turn; `alike` is the part of a prompt's propensity that its topic gives, on the
    scale of normal scores. The gap `opens` on a topic where a rival leads by 20 % of the answers, or on the one that
    has fallen most. `baseline` days follow it after a `pause`, then the work, then `scans`."""

    topics: int
    wordings: tuple[int, ...] = (1,)
    samples: int = 3
    engines: int = 1
    rate: float = 0.3
    alike: float = 0.6
    wander: Wander = Wander()
    tide: Tide = Tide()
    opens: str = "lead"
    baseline: int = 3
    pause: int = 0
    scans: int = 7

    @property
    def topic(self):
        """The topic of each prompt."""
        return topic_of(self.topics, self.wordings)


@dataclass(frozen=True)
class Drawn:
    """`chances` of a mention by day, history and prompt; `hits` by day, history, engine and prompt, up to the end of
    the baseline; `gap` the topic of each history whose gap opened."""

    chances: np.ndarray
    hits: np.ndarray
    gap: np.ndarray


def draw(rng, history, number, scans):
    """So many histories of the same kind, with room for so many scans."""
    first = BEFORE + 1 + history.pause
    days = first + history.baseline + scans
    chances = _tide(_propensities(rng, history, number, days), history, first + history.baseline)
    hits = answer(rng, history, chances[: first + history.baseline])
    return Drawn(chances, hits, _opened(rng, history, hits))


def answer(rng, history, chances):
    """Answers to each prompt of each engine, all of which see the same propensities."""
    shape = (*chances.shape[:-1], history.engines, chances.shape[-1])
    return rng.binomial(history.samples, np.broadcast_to(chances[..., None, :], shape)).astype(np.float64)


def _propensities(rng, history, number, days):
    topic, normal, wander = history.topic, rng.standard_normal, history.wander
    scale = 1 / PROMPT_CORRELATION - 1
    quantiles = betaincinv(history.rate * scale, (1 - history.rate) * scale, ndtr(GRID))
    level = normal((number, history.topics)) * (1 - wander.part) ** 0.5
    own = normal((number, len(topic))) * (1 - history.alike) ** 0.5
    state, chances = normal(level.shape), []
    for _ in range(days):
        of_topic = history.alike**0.5 * (level + wander.part**0.5 * state)
        chances.append(np.interp(of_topic[:, topic] + own, GRID, quantiles))
        state = wander.memory * state + (1 - wander.memory**2) ** 0.5 * normal(state.shape)
    return np.stack(chances)


def _tide(chances, history, first):
    tide, later = history.tide, chances[first:]
    size = tide.size / 100
    if tide.form == "points":
        later = np.clip(later + size * min(1, history.rate / 0.5, (1 - history.rate) / 0.5), 0, 1)
    elif tide.form == "room":
        later = later + size * 2 * min(1, history.rate / 0.5) * (1 - later)
    elif tide.form == "part":
        later = later * (1 - 2 * size)
    elif tide.form == "odds":
        odds = later / np.maximum(1 - later, 1e-12) * np.exp(4 * size)
        later = odds / (1 + odds)
    return np.concatenate([chances[:first], later])


def _opened(rng, history, hits):
    """Which topic's gap opens on its day; ties by chance."""
    figures = _figures(history, hits[: BEFORE + 1])
    chance = rng.random(figures.shape[1:])
    if history.opens == "fall":
        return (figures[BEFORE] - figures[:BEFORE].mean(axis=0) + 1e-6 * chance).argmin(axis=-1)
    answers = np.bincount(history.topic) * history.engines * history.samples
    rival = rng.binomial(answers, rng.beta(RIVAL, 1 - RIVAL, figures.shape[1:])) / answers
    lead = rival - figures[BEFORE]
    return np.where(lead >= LEAD, 1 + chance, lead).argmax(axis=-1)


def _figures(history, hits):
    """Each topic's figure, by day and history."""
    member = np.eye(history.topics)[history.topic] / np.bincount(history.topic)
    return hits.mean(axis=-2) / history.samples @ member


@dataclass(frozen=True)
class Alarms:
    """Of histories in which nobody did anything: the parts that moved (up or down), by the service; where the gap's
    own day is the baseline (`naive`), and by how many points the difference then is too large (`naive_points`), and
    is with the service's baseline (`points`); by a t-test against the others that takes topics for alike and the tide
    for even (`plain`); by a z-test of the topic's own answers, without a control (`alone`)."""

    moved: float
    up: float
    naive: float
    naive_points: float
    points: float
    plain: float
    alone: float


def alarms(seed, history, number):
    """Judge so many histories of the same kind."""
    rng = np.random.default_rng(seed)
    drawn = draw(rng, history, number, history.scans)
    later = answer(rng, history, drawn.chances[len(drawn.hits) :]).sum(axis=0)
    after = _side(history, later, history.scans)
    start = len(drawn.hits) - history.baseline
    own = _topics(history, drawn, _side(history, drawn.hits[start:].sum(axis=0), history.baseline), after)
    naive = _topics(history, drawn, _side(history, drawn.hits[BEFORE], 1), after)
    judged, fooled = difference(own), difference(naive)
    moved = judged.p <= ALPHA
    return Alarms(
        float(moved.mean()),
        float((moved & (judged.delta > 0)).mean()),
        float((fooled.p <= ALPHA).mean()),
        100 * float(fooled.delta.mean()),
        100 * float(judged.delta.mean()),
        float((_plain(own) <= ALPHA).mean()),
        float((_alone(own) <= ALPHA).mean()),
    )


def _side(history, hits, days):
    return Side(np.full(hits.shape, float(history.samples * days)), hits)


def _topics(history, drawn, before, after):
    return topic_figures(before, after, history.topic).with_first(drawn.gap)


def _plain(topics):
    """p of a t-test of the topic against the others, as if all were alike."""
    others = topics.change[..., 1:]
    controls = others.shape[-1]
    error = np.sqrt(others.var(axis=-1, ddof=1) * (1 + 1 / controls))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (topics.change[..., 0] - others.mean(axis=-1)) / error
    return np.where(error > 0, 2 * stdtr(controls - 1, -np.abs(t)), 1.0)


def _alone(topics):
    """p of a z-test of the topic alone."""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.abs(topics.change[..., 0]) / np.sqrt(topics.chance[..., 0])
    return np.where(topics.chance[..., 0] > 0, 2 * ndtr(-z), 1.0)


@dataclass(frozen=True)
class Found:
    """Of histories whose topic rises by what the plan tells: the part with a plan that tells a size (`told`) and,
    among these, the number of them, the median size (points) and scans, and the part in which the rise is found;
    `other` is the part in which the topic is said to have fallen."""

    told: float
    number: int
    least: float
    scans: float
    found: float
    other: float


def found(seed, history, number, target):
    """Plan so many histories, let their topic rise by the size that the plan tells, scan as often as it asks, and
    judge: through the functions that the service calls, day by day."""
    rng = np.random.default_rng(seed)
    drawn = draw(rng, history, number, history.scans)
    rows = [_proven(rng, history, drawn, place, target) for place in range(number)]
    told = np.array([row for row in rows if row is not None]).reshape(-1, 4)
    if not len(told):
        return Found(0.0, 0, np.nan, np.nan, np.nan, np.nan)
    least, scans, up, down = told.T
    return Found(
        len(told) / number, len(told), float(np.median(least)), float(np.median(scans)), up.mean(), down.mean()
    )


def _proven(rng, history, drawn, place, target):
    """Size and scans of the plan of one history, and whether a rise, or a fall, was found."""
    days = [_day(history, hits[place], number) for number, hits in enumerate(drawn.hits)]
    start, name = len(days) - history.baseline, _name(drawn.gap[place])
    plan = plan_proof(days[start:], name, Metric.SCORE, target, earlier=days[:start])
    if plan.least is None:
        return None
    scans = min(plan.scans, history.scans)
    chances = drawn.chances[len(days) : len(days) + scans, place].copy()
    own = history.topic == drawn.gap[place]
    chances[:, own] = risen(chances[:, own], plan.least / 100)
    after = [_day(history, hits, len(days) + number) for number, hits in enumerate(answer(rng, history, chances))]
    result = judge_proof(days[start:], after, name, Metric.SCORE)
    seen = result.p <= ALPHA
    return plan.least, scans, seen and result.delta > 0, seen and result.delta < 0


def risen(chances, rise):
    """The chances with their mean risen by so much, each by the same part of its room; at most to 1."""
    room = 1 - chances.mean()
    return chances + min(rise / room, 1.0) * (1 - chances)


def _day(history, hits, number):
    prompts = len(history.topic)
    engines = tuple(f"e{place}" for place in range(history.engines))
    return DayCounts(
        day=START + timedelta(number),
        subjects=(BRAND,),
        engines=engines,
        averaged=frozenset(engines),
        prompts=tuple(f"p{place:03}" for place in range(prompts)),
        topics=tuple(_name(place) for place in history.topic),
        named=np.zeros((prompts, 1), dtype=bool),
        answers=np.full(hits.shape, float(history.samples)),
        mentioned=hits[..., None],
        cited=np.zeros((*hits.shape, 1)),
    )


def _name(place):
    return f"t{place:02}"


def kinds(history, **axes):
    """The history with every combination of the axes."""
    histories = [history]
    for name, values in axes.items():
        histories = [replace(kind, **{name: value}) for kind in histories for value in values]
    return histories
