"""What the doors show of brands at a glance."""

import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Quota, Resource, Timestamp, UntrustedText, WordedText
from brands.models import Cadence
from visibility.counts.resources import HERE, IN_GENERAL, EngineNow, NowFigures, Percentage, Standing, TopicResult
from visibility.models.recommendations import Level
from visibility.recommendations.cards import ShownCard
from visibility.recommendations.resources import DiagnosisFact
from visibility.runs.resources import RunSummary
from visibility.scores.now_resources import ChangeResource
from visibility.scores.resources import Change

Role = Literal["owner", "editor", "viewer"]
LAST_SCAN = "the day of the newest measured answers; null: none, or not for this key"


class BrandResource(Resource):
    """A brand whose visibility is measured; called a site on the agent door."""

    id: UUID
    name: UntrustedText
    domain: UntrustedText
    cadence: Cadence


class BrandListItem(BrandResource):
    """A brand with its most recent run."""

    latest_run: RunSummary | None


class BrandList(Resource):
    """The brands that a key's owner owns or collaborates on, by name."""

    brands: list[BrandListItem]


class BrandDetail(Resource):
    """One brand with its most recent run."""

    brand: BrandResource
    latest_run: RunSummary | None


class Site(BrandListItem):
    """A brand as agents know it, with its score of now and the caller's role: viewers may not change it. What the key
    may not see is null."""

    role: Role
    score: Percentage = Field(description="of now, over all engines; that of latestRun is of that run alone")
    as_of: datetime.date | None


class Sites(Resource):
    """The sites that a key's owner owns or collaborates on, by name."""

    sites: list[Site]
    added_at: str | None = Field(default=None, description="the page where people add one; no tool does")


class Totals(Resource):
    """All sites together."""

    sites: int
    measured: int
    open_recommendations: int | None


class ConfirmedChange(Resource):
    """A confirmed change of the score, in points, and its day."""

    since: datetime.date
    delta: float


class SiteSummary(BrandResource):
    """One line of the portfolio; what the key may not see is null."""

    role: Role
    score: Percentage
    low: Percentage = Field(description=IN_GENERAL)
    high: Percentage
    panel_low: Percentage = Field(description=HERE)
    panel_high: Percentage
    answers: int | None = Field(description="of now, that the score counts")
    as_of: datetime.date | None
    change: Change | None = Field(description="of the last measured day since the one before")
    confirmed: ConfirmedChange | None = Field(description="the latest confirmed change that is still reported")
    open_recommendations: int | None
    audit_score: Percentage
    last_scan: datetime.date | None = Field(description=LAST_SCAN)
    next_scan: Timestamp | None = Field(description="null: nothing is scheduled")


class AccountUse(Resource):
    """What the account of the key's owner may use, and has used."""

    sites: Quota
    credits: Quota
    drafts: Quota
    writer_calls: Quota


class CreditsForecast(Resource):
    """What the scans that are scheduled until the credits are renewed will take, and what is left."""

    scheduled: int
    left: int
    is_enough: bool


class Portfolio(Resource):
    """All sites of a key at a glance, those with the lowest score first."""

    summary: list[WordedText]
    totals: Totals
    account: AccountUse
    credits_forecast: CreditsForecast
    withheld: list[str] = Field(description="parts that this key lacks the scope for")
    sites: list[SiteSummary]


class RecommendationLine(Resource):
    """A recommendation in one line, with who has a task."""

    id: UUID
    title: WordedText
    priority: int
    impact: Level
    effort: Level
    owners: list[str]


def line_of(card: ShownCard) -> RecommendationLine:
    """A card in one line."""
    row = card.row
    values = {name: getattr(row, name) for name in ("id", "priority", "impact", "effort")}
    return RecommendationLine(title=card.title, owners=card.owners, **values)


class Week(Resource):
    """The facts of the last whole week, Monday to Sunday (UTC)."""

    first_day: datetime.date
    last_day: datetime.date
    measured_days: int
    score: Percentage = Field(description="of its last measured day")
    change: Change | None = Field(description="since the last measured day before the week")
    scans: int
    new_recommendations: int | None
    closed_recommendations: int | None


class Brief(Resource):
    """What there is to say of one site, the most important first; what the key may not see is null."""

    site_id: UUID
    name: UntrustedText
    domain: UntrustedText
    description: UntrustedText
    aliases: list[UntrustedText]
    cadence: Cadence
    role: Role
    summary: list[WordedText]
    now: NowFigures | None
    by_engine: list[EngineNow] | None
    competitors: list[Standing] | None
    strengths: list[TopicResult] | None = Field(description="topics where no competitor is named more often")
    weaknesses: list[TopicResult] | None = Field(
        description="topics where a competitor is, by more than 10 points; the worst first"
    )
    changes: list[ChangeResource] | None
    diagnosis: list[DiagnosisFact] | None = Field(description="how it stands and why")
    recommendations: list[RecommendationLine] | None
    open_recommendations: int | None = Field(description="without housekeeping")
    open_chores: int | None = Field(description="housekeeping")
    last_scan: datetime.date | None = Field(description=LAST_SCAN)
    latest_run: RunSummary | None = Field(description="of any kind; an import has the day of its upload")
    is_recounting: bool | None
    scan_credits: int | None = Field(description="that a scan takes now; null: no prompt or engine")
    week: Week | None
    withheld: list[str] = Field(description="parts that this key lacks the scope for")
