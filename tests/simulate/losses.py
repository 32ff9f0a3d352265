"""Histories of citations drawn from known populations, and whether a loss is told of any page or topic in them."""

from dataclasses import dataclass

import numpy as np

from tests.simulate.months import GRID, quantiles
from visibility.metrics.development import MIN_POOLED
from visibility.metrics.losses import find_losses


@dataclass(frozen=True)
class Citations:
    """`topics` of `prompts` each, asked `samples` times of each of `engines` on each of `days`. Of each topic `pages`
    are cited at about `rate`, each prompt at its own. `wander` is the part of a page's propensity that wanders day by
    day with `memory`. From day `lost` on the first page is cited `kept` as often."""

    topics: int = 6
    prompts: int = 4
    engines: int = 2
    samples: int = 3
    pages: int = 3
    rate: float = 0.4
    days: int = 30
    wander: float = 0.0
    memory: float = 0.0
    lost: int = -1
    kept: float = 0.0


def draw(rng, plan, repetitions):
    """Shares by [repetition, topic, page, day, cell], a cell being a prompt of an engine."""
    normal, cells = rng.standard_normal, plan.prompts * plan.engines
    of_page = (repetitions, plan.topics, plan.pages)
    level = normal((*of_page, 1)) * (0.6 * (1 - plan.wander)) ** 0.5 + normal((*of_page, plan.prompts)) * 0.4**0.5
    level = np.repeat(level, plan.engines, axis=-1)
    state, shares = normal((*of_page, 1)), []
    for day in range(plan.days):
        if day:
            state = plan.memory * state + (1 - plan.memory**2) ** 0.5 * normal(state.shape)
        chance = np.interp(level + (0.6 * plan.wander) ** 0.5 * state, GRID, quantiles(plan.rate))
        if 0 <= plan.lost <= day:
            chance[:, 0, 0] *= plan.kept
        shares.append(rng.binomial(plan.samples, chance, (*of_page, cells)) / plan.samples)
    return np.stack(shares, axis=-2)


def subjects(plan, shares):
    """What is looked at: each page over all cells of all topics, and each topic over its own (an answer that cites
    two pages counts once; here as the larger share)."""
    repetitions = len(shares)
    everything = plan.topics * plan.prompts * plan.engines
    pages = shares.sum(axis=-1).reshape(repetitions, -1, plan.days)
    topics = shares.max(axis=2).sum(axis=-1)
    cells = [np.full(pages.shape, float(everything)), np.full(topics.shape, float(plan.prompts * plan.engines))]
    return np.concatenate([pages, topics], axis=1), np.concatenate(cells, axis=1)


def looks(seed, plan, repetitions):
    """By history and look, from the fifth day on: whether any subject opens, and whether the first page does."""
    cited, cells = subjects(plan, draw(np.random.default_rng(seed), plan, repetitions))
    tests = cited.shape[1]
    began = [
        find_losses(cited[..., : day + 1], cells[..., : day + 1], tests).began
        for day in range(MIN_POOLED + 1, plan.days)
    ]
    opened = np.stack(began, axis=-1) >= 0
    return opened.any(axis=1), opened[:, 0]


def false_losses(seed, plan, repetitions):
    """The part of histories without change in which any loss is told, whenever."""
    every, _ = looks(seed, plan, repetitions)
    return float(every.any(axis=-1).mean())


def seen_losses(seed, plan, repetitions):
    """The part of histories in which the planted loss is told within a week."""
    _, first = looks(seed, plan, repetitions)
    return float(first[:, plan.lost - MIN_POOLED - 1 : plan.lost + 7 - MIN_POOLED - 1].any(axis=-1).mean())
