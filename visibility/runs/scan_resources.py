"""What agents see of scans: how far one is, and what came of starting one."""

from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, Timestamp
from visibility.runs.resources import RunResource


class LatestScan(Resource):
    """The most recent run of a site, of a kind if one was asked for; null: there is none."""

    site_id: UUID
    run: RunResource | None


class EngineProgress(Resource):
    """How many answers of an engine a run has."""

    engine: str
    surface: str
    total: int
    done: int
    failed: int


class ScanStatus(Resource):
    """How far a run is. `pollAfterSeconds` null: it has ended, do not ask again."""

    site_id: UUID
    run: RunResource
    percent: float
    eta_seconds: int | None = Field(description="null: it has ended, or nothing is answered yet")
    poll_after_seconds: int | None
    engines: list[EngineProgress]


class StartedScan(Resource):
    """The run that was started, or with `started` false the one that is in its way, and why."""

    site_id: UUID
    run: RunResource
    started: bool
    reason: str | None = Field(description="already_active or cooldown; null: it was started")
    next_allowed_at: Timestamp
    credits_spent: int
