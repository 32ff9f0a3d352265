"""What agents see of recommendations: in short, without payload and most evidence."""

from uuid import UUID

from apikeys.resources import MarkedText, Resource, UntrustedText
from visibility.models.recommendations import Level, RecommendationStatus
from visibility.recommendations.resources import RecommendationResource


class RecommendationRow(Resource):
    """One thing to do, and the first piece of its evidence."""

    id: UUID
    kind: str
    title: MarkedText
    summary: MarkedText
    status: RecommendationStatus
    priority: int
    impact: Level
    effort: Level
    evidence_pieces: int
    first_evidence: UntrustedText | None


class SiteRecommendations(Resource):
    """The recommendation queue of a site, the most urgent first."""

    site_id: UUID
    summary: list[str]
    total: int
    recommendations: list[RecommendationRow | RecommendationResource]
