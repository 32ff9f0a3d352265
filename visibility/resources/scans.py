"""What agents see of scans: the latest one, how far one is, what came of a request to start one."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, Timestamp
from visibility.resources.brands import RunResource
from visibility.resources.comparisons import Comparison


class LatestScan(Resource):
    """The most recent run of a site."""

    site: UUID
    run: RunResource | None = Field(description="null where there is none yet")
    comparison: Comparison | None = Field(description="whom answers prefer, where the run is a comparison; else null")


class EngineProgress(Resource):
    """How far a run is with one engine, in answers."""

    engine: str
    total: int
    done: int
    failed: int


class ScanStatus(Resource):
    """How far a run is, and when to look again."""

    site: UUID
    run: RunResource
    percent: float = Field(description="0–100: answered and failed, of all")
    eta_seconds: int | None = Field(description="by the speed so far; null when ended or not yet known")
    poll_after_seconds: int | None = Field(description="look again after so many seconds; null: it has ended")
    engines: list[EngineProgress]
    cost_usd: float = Field(description="charged by the providers so far, in US dollars, as far as they tell")
    unanswered_cost_usd: float = Field(description="of that, for calls that gave no answer; these take no credits")
    uncosted_calls: int = Field(description="charged calls whose cost is not known, and so not in `costUsd`")


class StartedScanResource(Resource):
    """What came of a request to scan. Where nothing was started, `run` is the one that stands in its way."""

    run: RunResource
    started: bool
    reason: Literal["started", "already_active", "cooldown"]
    next_allowed_at: Timestamp
    credits_spent: int = Field(description="reserved by this request; what gets no answer is given back at the end")


class StartedComparisonResource(StartedScanResource):
    """What came of a request to compare."""

    competitors: list[UUID] = Field(
        description="ids of those that `run` compares, by name; not those asked for, where nothing was started"
    )


class StartedAudit(Resource):
    """What came of a request to audit. Where nothing was started, `run` is the audit that is active."""

    run: RunResource
    started: bool
    reason: Literal["already_active"] | None = Field(description="why nothing was started; null where it was")
    credits_spent: int = Field(description="reserved by this request; pages not fetched are given back at the end")
