"""Reads of recommendations and the diagnosis."""

from collections.abc import Iterable
from uuid import UUID

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from brands.access import readable_brand
from brands.models import Brand
from visibility.models import Recommendation
from visibility.recommendations.cards import ShownCard, resource_of, show
from visibility.recommendations.diagnosis import diagnosis_of
from visibility.recommendations.kinds import CHORES
from visibility.recommendations.resources import (
    RecommendationResource,
    RecommendationRow,
    Recommendations,
    SiteRecommendations,
)
from visibility.recommendations.work import work_of

SHORT_EVIDENCE = 300
MOST_SHOWN = 5
"""Cards that pages, brief and letter show; the rest is folded."""


def list_recommendations(caller: Caller, brand_id: UUID, status: str | None) -> Recommendations:
    """The recommendations of a brand in one state (None: in all), the most urgent first, then the newest."""
    brand = readable_brand(caller, brand_id)
    listed = [resource_of(row, brand) for row in _rows(brand, status)]
    sees_diagnosis = {Scope.READ_VISIBILITY, Scope.READ_COMPETITORS} <= caller.scopes
    diagnosis = diagnosis_of(brand) if sees_diagnosis else None
    return Recommendations(brand=brand.pk, recommendations=listed, diagnosis=diagnosis)


def list_for_agents(caller: Caller, brand_id: UUID, status: str | None, *, full: bool) -> SiteRecommendations:
    """The same for agents; in short unless `full`."""
    brand = readable_brand(caller, brand_id)
    rows = _rows(brand, status)
    chores = sum(row.kind in CHORES for row in rows)
    listed: list[RecommendationRow | RecommendationResource] = [
        resource_of(row, brand) if full else _short(show(row, brand)) for row in rows
    ]
    state = "" if status is None else f" with the status {status}"
    summary = [f"{len(rows) or 'No'} recommendation{'s' * (len(rows) != 1)}{state}."]
    if chores:
        summary.append(f"{chores} of them {'are' if chores > 1 else 'is'} housekeeping (isChore).")
    return SiteRecommendations(
        site_id=brand_id, summary=summary, total=len(rows), chores=chores, recommendations=listed
    )


def first_cards(brand: Brand, most: int = MOST_SHOWN) -> list[ShownCard]:
    """The open cards that pages, brief and letter show first: no housekeeping."""
    return cards_of(brand, work_of(brand).advice[:most])


def cards_of(brand: Brand, rows: Iterable[Recommendation]) -> list[ShownCard]:
    """Rows with their words."""
    return [show(row, brand) for row in rows]


def _rows(brand: Brand, status: str | None) -> list[Recommendation]:
    rows = Recommendation.objects.filter(brand=brand)
    return list(rows if status is None else rows.filter(status=status))


def _short(card: ShownCard) -> RecommendationRow:
    row = card.row
    return RecommendationRow(
        **{name: getattr(row, name) for name in ("id", "kind", "status", "priority", "impact", "effort")},
        title=card.title,
        summary=card.summary,
        is_chore=card.kind.is_chore,
        owners=card.owners,
        evidence_pieces=len(row.evidence),
        first_evidence=row.evidence[0]["text"][:SHORT_EVIDENCE] if row.evidence else None,
    )
