"""What the doors show of a run."""

import datetime
from operator import not_
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, Timestamp
from visibility.models import Run
from visibility.models.runs import RunKind, RunStatus, RunTrigger


class RunSummary(Resource):
    """The most recent run of a brand, of any kind."""

    id: UUID
    kind: RunKind
    status: RunStatus
    created_at: Timestamp
    finished_at: Timestamp | None
    score: float | None = Field(
        description="0 to 100: of a visibility run the visibility score, of an audit that of the site (see `kind`); "
        "null: a comparison, not measured, or not for this key"
    )


class Progress(Resource):
    """How far a run is: answers asked for, in an audit pages."""

    total: int
    done: int
    failed: int
    percent: float

    @classmethod
    def of(cls, run: Run) -> "Progress":
        """What is done or has failed, as a share of all."""
        percent = round(100 * (run.done + run.failed) / run.total, 2) if run.total else 0.0
        return cls(total=run.total, done=run.done, failed=run.failed, percent=min(percent, 100.0))


class RunProblem(Resource):
    """Why a run did not end well."""

    code: str
    message: str


class RunResource(Resource):
    """One scan, audit or comparison of a brand."""

    id: UUID
    kind: RunKind
    status: RunStatus
    trigger: RunTrigger
    created_at: Timestamp
    started_at: Timestamp | None
    finished_at: Timestamp | None
    progress: Progress
    score: float | None = Field(description="0 to 100; null: not measured, or not for this key")
    low: float | None
    high: float | None
    engines: list[str] = Field(description="names of the engines that were asked")
    error: RunProblem | None


class Runs(Resource):
    """The most recent runs of a brand, newest first, 60 at most."""

    brand: UUID
    runs: list[RunResource]


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
    repeated: int = Field(
        description="answers that repeat one of an earlier scan of the same day word for word: they count once"
    )


class WhatIf(Resource):
    """What one answer, and one scan, would cost in US dollars of a provider that is not set up, by a price list on a
    day, for an answer of assumed length: no offer, and not what a scan costs now."""

    provider: str
    model: str
    answer_cost: float
    scan_cost: float
    as_of: datetime.date
    price_list: str


class StartedScan(Resource):
    """The run that was started, or with `started` false the one that is in its way, and why."""

    site_id: UUID
    run: RunResource | None = Field(description="null: of a dry run, which would start one")
    started: bool
    reason: str | None = Field(
        description="already_active, cooldown, dry_run, or nothing_new (only stored pages would be asked, none is "
        "new, and `run` has their answers); null: it was started"
    )
    next_allowed_at: Timestamp
    credits_spent: int
    what_if: list[WhatIf] = Field(
        default=[], exclude_if=not_, description="of a dry run without an AI engine: what one would cost"
    )
