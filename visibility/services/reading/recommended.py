"""A row of the recommendation queue as the fields of its resource: the topic by its name, what its proof says."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from visibility.resources.recommendations import RecommendationResource

_COLUMNS = {"first_seen_run": "first_seen_run_id", "last_seen_run": "last_seen_run_id"}
_MADE = frozenset({"first_seen_at", "proof"})
"""Fields that no column of their own holds."""
_OF_PROOF = ("state", "metric", "verdict", "plan", "result", "done_at", "judged_at")
RECOMMENDATION_FIELDS = (
    *(_COLUMNS.get(name, name) for name in RecommendationResource.model_fields if name not in _MADE),
    *(f"proof__{name}" for name in _OF_PROOF),
    "brand__next_run_at",
)
"""What one statement reads of a recommendation, of its proof, and when the next scan is due."""


def recommendation_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the resource, from the values of `RECOMMENDATION_FIELDS` by their names."""
    return {
        **row,
        "topic": _topic_name(row),
        "factors": row["factors"] or None,
        "proof": _proof(row),
    }


def _topic_name(row: Mapping[str, Any]) -> str | None:
    """As people write it, which is kept when the recommendation is found; else as prompts state it. The id of a
    prompt that states none is no name."""
    if name := row["payload"].get("topic_name"):
        return str(name)
    return None if _is_id(row["topic"]) else row["topic"] or None


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _proof(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """What was planned, and where it is judged what was found; None where nothing is being proven."""
    stored = {name: row[f"proof__{name}"] for name in _OF_PROOF}
    if stored["state"] is None:
        return None
    plan, result = stored.pop("plan") or {}, stored.pop("result") or {}
    said = result if stored["verdict"] else plan
    return {
        **stored,
        **{name: plan.get(name) for name in ("scans", "answers", "credits")},
        **{name: result.get(name) for name in ("delta", "low", "high")},
        "verdict": stored["verdict"] or None,
        "baseline": plan.get("baseline", []),
        "least": said.get("least"),
        "sentence": said.get("sentence"),
        "next_scan_at": None if stored["verdict"] else row["brand__next_run_at"],
    }
