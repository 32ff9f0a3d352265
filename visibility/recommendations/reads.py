"""Reads of recommendations."""

from uuid import UUID

from apikeys.caller import Caller
from brands.access import readable_brand
from brands.models import Brand
from visibility.models import Diagnosis, Recommendation, Topic
from visibility.recommendations.resources import (
    DiagnosisFact,
    RecommendationResource,
    RecommendationRow,
    Recommendations,
    SiteRecommendations,
)

SHORT_EVIDENCE = 300


def list_recommendations(caller: Caller, brand_id: UUID, status: str | None) -> Recommendations:
    """The recommendations of a brand in one state (None: in all), the most urgent first, then the newest."""
    brand = readable_brand(caller, brand_id)
    rows = Recommendation.objects.filter(brand=brand).order_by("-priority", "-created_at", "id")
    if status is not None:
        rows = rows.filter(status=status)
    listed = list(rows.values(*RecommendationResource.model_fields, "proof"))
    for row in listed:
        row["payload"] = {**row["payload"], "proof": (row.pop("proof") or {}).get("result")}
    return Recommendations.model_validate({"brand": brand.pk, "recommendations": listed})


def list_for_agents(caller: Caller, brand_id: UUID, status: str | None, *, full: bool) -> SiteRecommendations:
    """The same for agents; in short unless `full`."""
    rows = list_recommendations(caller, brand_id, status).recommendations
    listed: list[RecommendationRow | RecommendationResource] = list(rows) if full else [_short(row) for row in rows]
    state = "" if status is None else f" with the status {status}"
    summary = [f"{len(rows) or 'No'} recommendation{'s' * (len(rows) != 1)}{state}."]
    return SiteRecommendations(site_id=brand_id, summary=summary, total=len(rows), recommendations=listed)


def _short(row: RecommendationResource) -> RecommendationRow:
    names = ("id", "kind", "title", "summary", "status", "priority", "impact", "effort")
    return RecommendationRow(
        evidence_pieces=len(row.evidence),
        first_evidence=row.evidence[0].text[:SHORT_EVIDENCE] if row.evidence else None,
        **{name: getattr(row, name) for name in names},
    )


def diagnosis_of(brand: Brand, topic: Topic | None = None) -> list[DiagnosisFact]:
    """How the brand stands and why, over all topics or on one; empty where nothing is measured."""
    row = Diagnosis.objects.filter(brand=brand, topic=topic).first()
    facts = row.facts if row else []
    return [DiagnosisFact.model_validate({"slot": slot, "sentence": sentence}) for slot, sentence in facts]
