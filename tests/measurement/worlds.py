"""Thirteen worlds of the tree of beta distributions: how often the score's intervals cover the two truths there.

The brand is alone in them, so that no rival tells how far topics are apart.
"""

from dataclasses import dataclass

import numpy as np

from tests.measurement.panels_beta import BRAND, World, draw_panel, draw_window
from visibility.metrics import Interval, measure_scores

WORLDS = {
    "4 topics": (World(topics=4, wordings=(4,), rivals=()), 1),
    "6 topics": (World(topics=6, rivals=()), 1),
    "8 topics": (World(topics=8, rivals=()), 1),
    "24 topics": (World(topics=24, rivals=()), 1),
    "1 engine": (World(engines=1, rivals=()), 1),
    "8 engines": (World(engines=8, rivals=()), 1),
    "a rate of 4 %": (World(rate=0.04, rivals=()), 1),
    "a rate of 96 %": (World(rate=0.96, rivals=()), 1),
    "unequal samples": (World(wordings=(1, 2, 5), samples=(1, 7, 3, 2), rivals=()), 1),
    "all-or-nothing topics": (World(by_topic=0.95, by_wording=0.05, by_cell=0.05, shared=0.9, rivals=()), 1),
    "engines far apart": (World(by_engine=0.5, rivals=()), 1),
    "1 sample a prompt": (World(samples=(1,), rivals=()), 1),
    "a week of days": (World(samples=(1,), rivals=()), 7),
}
"""Worlds with the days of their window; twelve topics, three engines and three samples where nothing else is said."""


@dataclass(frozen=True)
class Coverage:
    """The part of the panels whose interval covers the truth, and the mean width of it (0–1), each None without
    intervals: of exactly these prompts (`here`), and of prompts like these (`general`)."""

    here: float | None
    general: float | None
    here_width: float | None
    general_width: float | None


def cover(seed: list[int], world: World, draws: int, days: int = 1) -> Coverage:
    """What the intervals do on so many panels of a world."""
    rng, here, general = np.random.default_rng(seed), [], []
    for _ in range(draws):
        panel = draw_panel(rng, world)
        score = measure_scores(draw_window(rng, panel, days))[BRAND].score
        here += _judge(score.panel, panel.here)
        general += _judge(score.topic, panel.general)
    parts = [np.mean(judged, axis=0).tolist() if judged else (None, None) for judged in (here, general)]
    return Coverage(parts[0][0], parts[1][0], parts[0][1], parts[1][1])


def _judge(interval: Interval | None, truth: float) -> list[tuple[bool, float]]:
    if interval is None:
        return []
    return [(interval.low - 1e-7 <= truth <= interval.high + 1e-7, (interval.high - interval.low) / 100)]
