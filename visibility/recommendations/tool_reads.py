"""The read of recommendations for agents: the rows of REST, or less of each."""

from uuid import UUID

from apikeys.caller import Caller
from visibility.recommendations import reads
from visibility.recommendations.resources import RecommendationResource
from visibility.recommendations.tool_resources import RecommendationRow, SiteRecommendations

SHORT_EVIDENCE = 300


def list_recommendations(caller: Caller, brand_id: UUID, status: str | None, *, full: bool) -> SiteRecommendations:
    """The recommendations that REST lists in this state (None: in all); in short unless `full`."""
    rows = reads.list_recommendations(caller, brand_id, status).recommendations
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
