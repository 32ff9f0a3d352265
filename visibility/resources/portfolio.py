"""What agents and pages see of all sites of an account at once."""

from datetime import date as Date

from pydantic import Field

from apikeys.resources import Quota, Resource, Timestamp
from visibility.resources.change_records import ChangeRecord
from visibility.resources.changes import (
    CONFIRMATION,
    DEVELOPMENT,
    INTERVAL,
    LOW,
    MONITOR,
    MONTH,
    WEEK,
    Change,
    ChangeFigures,
    Confirmation,
    IntervalOf,
    Monitor,
    Percent,
)
from visibility.resources.now import CHANGE_RECORDS, FEW_LEFT, NOT_ASKED_YET, PROMPTS_NOTE, FewLeft
from visibility.resources.sites import Site
from visibility.resources.writing import Withheld


class SiteScore(Resource):
    """The score of a site now."""

    as_of: Date = Field(description="the latest measured day")
    based_on: str = Field(description="the engines of the score with their days, in words")
    score: Percent
    low: Percent = Field(description=LOW)
    high: Percent
    not_asked_yet: int | None = Field(description=NOT_ASKED_YET)
    few_left: FewLeft | None = Field(description=FEW_LEFT)
    prompts_note: str | None = Field(description=PROMPTS_NOTE)
    interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    development: str = Field(description=DEVELOPMENT)
    change_records: list[ChangeRecord] = Field(description=CHANGE_RECORDS)
    change: Change | None = Field(description="since the measured day before: a note; null on the first")
    change_week: ChangeFigures | None = Field(description=WEEK)
    change_month: ChangeFigures | None = Field(description=MONTH)
    confirmation: Confirmation | None = Field(description=CONFIRMATION)
    monitor: Monitor | None = Field(description=MONITOR)


class SiteFigures(Site):
    """How a site stands: what is null was not measured, or is withheld from this key."""

    visibility: SiteScore | None = Field(description="null before the first measured day, or withheld")
    open_recommendations: int | None = Field(description="null: withheld")
    audit_score: Percent = Field(description="of the latest finished audit; null while there is none, or withheld")
    next_scan_at: Timestamp | None = Field(description="by the cadence; null: only when somebody starts one")
    credits_per_scan: int = Field(description="what a scan would reserve now; 0: nothing could be asked")
    prompts: Quota = Field(description="active prompts of this site")
    competitors: Quota = Field(description="competitors of this site")


class PortfolioTotals(Resource):
    """The sites in numbers. There is no mean score: sites are asked different questions."""

    sites: int
    measured: int | None = Field(description="sites that have a score; null: withheld")
    changed: int | None = Field(
        description="sites of whose score a change is told (see `changeRecords`); null: withheld"
    )
    moved: int | None = Field(
        description="sites whose latest day moved: notes, no changes until they are confirmed; null: withheld"
    )
    open_recommendations: int | None = Field(description="null: withheld")


class CreditsForecast(Resource):
    """What the cadences of the account's own sites will spend until the month ends, as the sites are now."""

    scans: int
    credits: int
    until: Timestamp
    suffices: bool = Field(description="whether the credits that are left now are enough")


class AccountQuotas(Resource):
    """What the account of the key's owner allows and what is used, whoever used it."""

    plan: str
    sites: Quota
    credits: Quota = Field(description="of this month")
    drafts: Quota = Field(description="of this month")
    writer_calls: Quota = Field(description="of today: calls of an engine that writes")
    credits_forecast: CreditsForecast


class Portfolio(Resource):
    """All sites that the key can see, by name, and what its account may still use."""

    totals: PortfolioTotals
    sites: list[SiteFigures]
    account: AccountQuotas | None = Field(description="null where the account has no plan")
    withheld: list[Withheld] = Field(description="parts that are null because the key lacks their scope")
