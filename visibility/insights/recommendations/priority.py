"""How urgent a recommendation is, from factors that its reader sees. Comparable across kinds. Pure.

    priority = 100 · (0.35 · √reach + 0.25 · k/(n+1) + 0.15 · engines + 0.15 · effect + 0.10 · ease)

`reach` is the share of the unbranded answers of now that it concerns; k of n answers that could show the gap do;
`engines` is the share of the engines of now that show it; `effect` is 1 where it was measured, 0.6 where it is
plausible and 0.3 where nothing is known; `ease` is 1, 0.5 or 0 for low, medium and high effort.
"""

import hashlib
from collections.abc import Mapping
from math import sqrt

from visibility.insights.recommendations.kind import Effect, Effort, Factors, Observation

EFFECTS: Mapping[Effect, float] = {Effect.KNOWN: 1.0, Effect.LIKELY: 0.6, Effect.UNKNOWN: 0.3}
EASE: Mapping[Effort, float] = {Effort.LOW: 1.0, Effort.MEDIUM: 0.5, Effort.HIGH: 0.0}
WEIGHTS = {"reach": 0.35, "consistency": 0.25, "engines": 0.15, "effect": 0.15, "ease": 0.10}


def priority(factors: Factors) -> int:
    """0–100, 100 the most urgent."""
    parts = {
        "reach": sqrt(min(max(factors.reach, 0.0), 1.0)),
        "consistency": min(factors.answers / (factors.of_answers + 1), 1.0),
        "engines": factors.engines / factors.of_engines if factors.of_engines else 0.0,
        "effect": EFFECTS[factors.effect],
        "ease": EASE[factors.effort],
    }
    return round(100 * sum(WEIGHTS[name] * part for name, part in parts.items()))


def worth(observation: Observation, urgency: int) -> tuple[object, ...]:
    """What to sort by, the most urgent first: of equals what more answers and more engines show, and more of those
    that could. The last part only keeps the order of what nothing tells apart."""
    factors = observation.factors
    return (
        -urgency,
        -factors.answers,
        -factors.engines,
        factors.of_answers,
        -len(observation.prompts),
        hashlib.sha256(observation.subject.encode()).digest(),
    )
