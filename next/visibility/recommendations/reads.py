"""Reads of recommendations."""

from uuid import UUID

from apikeys.caller import Caller
from brands.access import readable_brand
from visibility.models import Recommendation
from visibility.recommendations.resources import Recommendations

_COLUMNS = (
    *("id", "kind", "title", "summary", "status", "priority", "impact", "effort", "evidence", "payload"),
    *("created_at", "updated_at", "status_changed_at", "first_seen_run", "last_seen_run"),
)


def list_recommendations(caller: Caller, brand_id: UUID, status: str | None) -> Recommendations:
    """The recommendations of a brand in one state (None: in all), the most urgent first, then the newest."""
    brand = readable_brand(caller, brand_id)
    rows = Recommendation.objects.filter(brand=brand).order_by("-priority", "-created_at", "id")
    if status is not None:
        rows = rows.filter(status=status)
    return Recommendations.model_validate({"brand": brand.pk, "recommendations": list(rows.values(*_COLUMNS))})
