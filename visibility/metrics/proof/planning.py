"""How many scans a proof needs, and what they can show. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from visibility.metrics.change import Metric
from visibility.metrics.pairs import DayCounts
from visibility.metrics.planning import NEARLY_AS_FINE
from visibility.metrics.proof.difference import PRIOR
from visibility.metrics.proof.sides import Panel, all_of, averaged, by_topic, weights, with_controls
from visibility.metrics.proof.sizes import Outlook, least_rise, share_of_chance
from visibility.metrics.proof.types import ProofPlan, WhyNot
from visibility.metrics.proof.wandering import Wandering, wandering

TARGET = 15.0
"""Points; the smallest change of a topic that is worth a proof where nobody says otherwise."""
MAX_SCANS = 14


def plan_proof(
    baseline: Sequence[DayCounts],
    topic: str,
    metric: Metric,
    target: float = TARGET,
    earlier: Sequence[DayCounts] = (),
    controls: Collection[str] | None = None,
) -> ProofPlan:
    """What a proof of the brand's change on this topic takes, by the days of the baseline.

    `earlier` days only tell how much topics move by themselves: those before the gap opened, and that of the gap.
    `controls` are as in `judge_proof`. Where no number of scans reaches the target the plan is the finest: with the
    fewest scans that show nearly as much.
    """
    engines = averaged(baseline)
    if not baseline or not engines:
        return _no_plan(WhyNot.NO_BASELINE, target)
    panel = all_of(baseline, engines)
    places = np.flatnonzero((panel.pooled(baseline, metric).answers > 0).any(axis=0))
    if topic not in {panel.day.topics[place] for place in places}:
        return _no_plan(WhyNot.NO_BASELINE, target)
    chosen = with_controls(panel, places, topic, controls)
    if isinstance(chosen, WhyNot):
        return _no_plan(chosen, target)
    outlook, wander = _outlook(chosen, baseline, [*earlier, *baseline], metric)
    sizes = [_least(outlook, wander, len(baseline), scans) for scans in range(1, MAX_SCANS + 1)]
    scans, least, reaches = _chosen(sizes, target)
    answers = chosen.pooled(baseline, metric).answers / len(baseline)
    return ProofPlan(
        scans=scans,
        answers=round(scans * float(answers.sum())),
        topic_answers=round(scans * float(answers[:, chosen.topic == 0].sum())),
        controls=chosen.controls,
        least=least,
        target=target,
        reaches_target=reaches,
    )


def _no_plan(why: WhyNot, target: float) -> ProofPlan:
    return ProofPlan(0, 0, 0, 0, None, target, False, why)


def _chosen(sizes: Sequence[float | None], target: float) -> tuple[int, float | None, bool]:
    """So many scans, what they show (points), and whether that reaches the target."""
    finite = [(scans, 100 * size) for scans, size in enumerate(sizes, 1) if size is not None]
    if not finite:
        return MAX_SCANS, None, False
    for scans, size in finite:
        if size <= target:
            return scans, size, True
    finest = min(size for _, size in finite)
    scans, size = next(pair for pair in finite if pair[1] <= NEARLY_AS_FINE * finest)
    return scans, size, False


def _least(outlook: Outlook, wander: Wandering, before: int, after: int) -> float | None:
    """The smallest rise that so many days before and after show."""
    return least_rise(
        replace(
            outlook,
            after=outlook.before * before / after,
            movement=np.asarray(wander.of_mean(before) + wander.of_mean(after)),
        )
    )


def _outlook(
    panel: Panel, baseline: Sequence[DayCounts], days: Sequence[DayCounts], metric: Metric
) -> tuple[Outlook, Wandering]:
    """What the days tell of the topics, and how much these wander."""
    side, topic = panel.pooled(baseline, metric), panel.topic
    weight = weights(side.answers > 0, topic)
    answers = np.maximum(side.answers, 1.0)
    rate = side.hits / answers
    plain, before = by_topic(weight * rate, topic), by_topic(weight**2 / answers, topic)
    chance = by_topic(weight**2 * rate * (1 - rate) / np.maximum(answers - 1, 1.0), topic)
    share = share_of_chance(chance / before, plain, 1 / before)
    level = (plain / before + PRIOR * plain[1:].mean()) / (1 / before + PRIOR)
    wander = wandering([panel.pooled([day], metric) for day in days], topic, level, share)
    return Outlook(level, before, before, share, np.zeros(())), wander
