"""Reads back what a proof keeps."""

from pydantic import TypeAdapter

from visibility.insights.proofs.types import StoredPlan, StoredResult
from visibility.models import Proof

_PLAN = TypeAdapter(StoredPlan)
_RESULT = TypeAdapter(StoredResult)


def plan_of(proof: Proof) -> StoredPlan:
    """What was frozen."""
    return _PLAN.validate_python(proof.plan)


def result_of(proof: Proof) -> StoredResult:
    """What a judged proof says."""
    return _RESULT.validate_python(proof.result)
