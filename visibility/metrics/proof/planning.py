"""How many scans a proof needs, and what they can show. Pure."""

from collections.abc import Sequence

from visibility.metrics.change import Metric
from visibility.metrics.pairs import DayCounts
from visibility.metrics.proof.types import ProofPlan

TARGET = 15.0
"""Points; the smallest change of a topic that is worth a proof where nobody says otherwise."""
MAX_SCANS = 14


def plan_proof(baseline: Sequence[DayCounts], topic: str, metric: Metric, target: float = TARGET) -> ProofPlan:
    """What a proof of the brand's change on this topic takes, by the days of the baseline."""
    raise NotImplementedError
