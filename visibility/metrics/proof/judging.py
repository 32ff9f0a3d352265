"""What scans after the work say, held against the baseline and against the brand's other topics. Pure."""

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

import numpy as np

from visibility.metrics.change import Metric
from visibility.metrics.pairs import DayCounts
from visibility.metrics.proof.difference import ALPHA, Difference, difference, smoothed
from visibility.metrics.proof.sides import Side, Topics, by_topic, line_up, topic_figures, weights
from visibility.metrics.proof.sizes import Outlook, least_rise, share_of_chance
from visibility.metrics.proof.types import Judged, ProofResult, ProofVerdict, WhyNot
from visibility.metrics.table import Integers
from visibility.metrics.verdicts import benjamini_hochberg

Key = TypeVar("Key")


def judge_proof(
    baseline: Sequence[DayCounts],
    after: Sequence[DayCounts],
    topic: str,
    metric: Metric,
    controls: Collection[str] | None = None,
) -> ProofResult:
    """The change of the brand's figure on the topic, less its mean change on the other topics.

    Days are pooled on each side. Only engines that are averaged and prompts that are answered on both sides count,
    without the prompts that name the brand. `controls` are the topics that may be held against this one (those that
    nobody worked on); None is all others. `baseline` must hold no day on which the gap opened. Judge once, when the
    scans of the plan are done: who looks after each of them is wrong more often.
    """
    sides = line_up(baseline, after, topic, metric, controls)
    if isinstance(sides, WhyNot):
        return not_comparable(sides)
    panel, before, later = sides
    topics = topic_figures(before, later, panel.topic)
    moves = difference(topics)
    p = float(moves.p)
    own, control, delta = (100 * float(part) for part in (moves.own, moves.control, moves.delta))
    if np.isnan(moves.low):
        return ProofResult(own, control, delta, None, None, p, None)
    least = least_rise(_outlook(topics, before, later, panel.topic, moves))
    low, high = 100 * float(moves.low), 100 * float(moves.high)
    return ProofResult(own, control, delta, low, high, p, None if least is None else 100 * least)


def not_comparable(why: WhyNot) -> ProofResult:
    """A result that says why there is none."""
    return ProofResult(None, None, None, None, None, None, None, why)


def verdicts(results: Mapping[Key, ProofResult]) -> dict[Key, Judged]:
    """The verdicts of proofs that share a false-discovery rate of 5 % (Benjamini and Hochberg 1995), those of one
    brand in one month, each with its p adjusted for the others."""
    p = np.array([np.nan if result.p is None else result.p for result in results.values()], dtype=np.float64)
    adjusted = benjamini_hochberg(p) if results else p
    return {
        key: _judged(result, float(value))
        for (key, result), value in zip(results.items(), adjusted.tolist(), strict=True)
    }


def _judged(result: ProofResult, adjusted: float) -> Judged:
    if result.p is None or result.delta is None:
        return Judged(ProofVerdict.NOT_COMPARABLE, None)
    if adjusted > ALPHA:
        return Judged(ProofVerdict.NOT_SEEN, adjusted)
    return Judged(ProofVerdict.MOVED_UP if result.delta > 0 else ProofVerdict.MOVED_DOWN, adjusted)


def _outlook(topics: Topics, before: Side, after: Side, topic: Integers, moves: Difference) -> Outlook:
    """What the scans rested on, had the topic not risen."""
    both = (before.answers > 0) & (after.answers > 0)
    weight = weights(both, topic)
    earlier, later = (by_topic(weight**2 / np.maximum(side.answers, 1.0), topic) for side in (before, after))
    level = smoothed(topics)
    level[0] = np.clip(level[0] - topics.change[0] * earlier[0] / (earlier[0] + later[0]), 0.0, 1.0)
    return Outlook(
        level,
        earlier,
        later,
        share_of_chance(topics.chance / (earlier + later), topics.level, topics.size),
        moves.movement,
        float((moves.expected - moves.control).max()),
    )
