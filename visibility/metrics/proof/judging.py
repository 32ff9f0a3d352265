"""What scans after the work say, held against the baseline and against the brand's other topics. Pure."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from visibility.metrics.change import Metric
from visibility.metrics.pairs import DayCounts
from visibility.metrics.proof.types import ProofResult, ProofVerdict

Key = TypeVar("Key")


def judge_proof(baseline: Sequence[DayCounts], after: Sequence[DayCounts], topic: str, metric: Metric) -> ProofResult:
    """The difference of the differences. Days are pooled; prompts that both sides have count."""
    raise NotImplementedError


def verdicts(results: Mapping[Key, ProofResult]) -> dict[Key, ProofVerdict]:
    """The verdicts of proofs that share a false-discovery rate of 5 % (Benjamini and Hochberg 1995): those of one
    brand in one month."""
    raise NotImplementedError
