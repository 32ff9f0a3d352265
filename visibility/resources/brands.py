"""What brands, runs and trends look like from outside: REST body, tool result, CSV columns."""

from collections.abc import Mapping
from datetime import date as Date
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, Timestamp, UntrustedText
from visibility.resources.change_records import ChangeRecord, DatedChange
from visibility.resources.changes import (
    CONFIRMATION,
    DEVELOPMENT,
    HIGH,
    INTERVAL,
    LOW,
    MONITOR,
    MONTH,
    WEEK,
    Change,
    ChangeFigures,
    Confirmation,
    IntervalOf,
    MetricChange,
    Monitor,
)
from visibility.resources.changes import Percent as Percent  # for those who take it from here
from visibility.resources.plans import Budgets

RunKind = Literal["visibility", "audit", "comparison"]
RunStatus = Literal["queued", "running", "succeeded", "partial", "failed", "cancelled"]
RunTrigger = Literal["schedule", "agent", "web", "operator", "import"]
_KIND = "what was measured: visibility in answers, an audit of the site, or a comparison with competitors"
_STATUS = "`partial`: ended with some questions unanswered"
_LATEST_RUN = "the most recent run of any kind; null before the first"
NoInterval = Literal["too_few_topics", "asked_once", "few_prompts_left"]
NO_INTERVAL = (
    "why low and high are null where it was measured: `asked_once`, fewer than four topics and each prompt asked "
    "once; `few_prompts_left`, most of what was asked is archived"
)
_VOICE = "the brand's part of all mentions of it and its competitors, each counted once per answer"
EARLIER = "; null: counted by an earlier release"
BOUNDS = "prominence where all mentions without a place were last, and first; null: every mention has a place"
_CITED = "how often an answer cites one of the brand's own domains"


class Bounds(Resource):
    """What a figure of ranks is wherever the mentions without a place would stand."""

    least: float = Field(description="were they all last, worth nothing")
    most: float = Field(description="were they all first")
    low: Percent = Field(default=None, description="lower end of the 95 % interval of `least`")
    high: Percent = Field(default=None, description="upper end of the 95 % interval of `most`")


class BrandResource(Resource):
    """A brand whose visibility is measured."""

    id: UUID = Field(description="stands for {id} in paths, and for siteId in tools")
    name: str = Field(description="as it is counted in answers, beside its aliases")
    domain: str = Field(description="its own site: citations of it, and of what stands below it, are the brand's own")
    cadence: Literal["manual", "daily", "weekly", "monthly"] = Field(description="how often it is scanned by itself")


class RunSummary(Resource):
    """The most recent run of a brand in short."""

    id: UUID = Field(description="the run, as the list of runs has it")
    kind: RunKind = Field(description=_KIND)
    status: RunStatus = Field(description=_STATUS)
    created_at: Timestamp = Field(description="when it was asked for")
    finished_at: Timestamp | None = Field(description="when it ended; null while it is under way")
    score: Percent = Field(description="0–100; null: unmeasured, or of an audit without the scope read:audits")


class BrandListItem(BrandResource):
    """A brand with its most recent run."""

    latest_run: RunSummary | None = Field(description=_LATEST_RUN)


class BrandList(Resource):
    """All brands that the key can see, by name."""

    brands: list[BrandListItem] = Field(description="owned, and shared with the key's owner; by name, then id")


class BrandDetail(Resource):
    """One brand and its most recent run."""

    brand: BrandResource = Field(description="the brand itself")
    latest_run: RunSummary | None = Field(description=_LATEST_RUN)


class Progress(Resource):
    """How far a run is, in engine answers (pages for an audit)."""

    total: int = Field(description="planned")
    done: int = Field(description="answered (fetched)")
    failed: int = Field(description="given up on")
    percent: float = Field(description="0–100: answered and failed, of total")


class RunError(Resource):
    """Why a run failed or is incomplete."""

    code: str = Field(description="stable code to branch on")
    message: UntrustedText = Field(description="what happened and what to do, for a person; it may quote a provider")


class RunResource(Resource):
    """One scan run."""

    id: UUID = Field(description="the run; trend items and recommendations refer to it")
    kind: RunKind = Field(description=_KIND)
    status: RunStatus = Field(description=_STATUS)
    trigger: RunTrigger = Field(description="who or what started it; `import`: answers collected elsewhere")
    created_at: Timestamp = Field(description="when it was asked for")
    started_at: Timestamp | None = Field(description="when its first question was asked; null while it is queued")
    finished_at: Timestamp | None = Field(description="when it ended; null while it is under way")
    progress: Progress = Field(description="how far it is")
    score: Percent = Field(
        description="0–100 over its own answers; of an audit its overall score; null: unmeasured, or of an audit "
        "without the scope read:audits"
    )
    low: Percent = Field(description=LOW)
    high: Percent = Field(description=HIGH)
    interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    engines: list[str] = Field(description="names of the engines that were asked")
    error: RunError | None = Field(description="null where nothing went wrong")

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "RunResource":
        """From a row of `RUN_FIELDS`."""
        total, settled = row["total"], row["done"] + row["failed"]
        percent = round(100 * settled / total, 2) if total else (0.0 if row["finished_at"] is None else 100.0)
        code = row["error_code"]
        return cls(
            **{name: row[name] for name in RUN_FIELDS if name not in _FOLDED},
            progress=Progress(total=total, done=row["done"], failed=row["failed"], percent=percent),
            error=RunError(code=code, message=row["error_message"]) if code else None,
        )


RUN_FIELDS = (
    "id", "kind", "status", "trigger", "created_at", "started_at", "finished_at", "total", "done", "failed",
    "score", "low", "high", "interval", "engines", "error_code", "error_message",
)  # fmt: skip
_FOLDED = {"total", "done", "failed", "error_code", "error_message"}
RUN_SUMMARY_FIELDS = ("id", "kind", "status", "created_at", "finished_at", "score")


class RunList(Resource):
    """The most recent runs of a brand, newest first."""

    brand: UUID = Field(description="id of the brand")
    runs: list[RunResource] = Field(description="newest first, 60 at most")


class EngineScore(Resource):
    """The score of one engine on one day, or null where too few of its prompts were answered."""

    engine: str = Field(description="name of the engine")
    surface: Literal["api", "app", "api_imported", "imported", "pages"] | None = Field(
        default=None,
        description="where its answers were taken: asked here, imported from an app, from an API or from a place "
        "not stated, or quoted from stored pages; null: counted by an earlier release",
    )
    models: list[str] = Field(default=[], description="models that answered, as the provider names them")
    score: Percent = Field(description="mention rate over unbranded prompts")
    low: Percent = Field(description=LOW)
    high: Percent = Field(description=HIGH)
    interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    no_interval: NoInterval | None = Field(default=None, description=NO_INTERVAL)
    answers: int = Field(description="answers behind the score; branded prompts are not among them")
    share_of_voice: Percent = Field(default=None, description=_VOICE)
    share_of_voice_low: Percent = Field(default=None, description=LOW)
    share_of_voice_high: Percent = Field(default=None, description=HIGH)
    share_of_voice_interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    citation_rate: Percent = Field(default=None, description=_CITED)
    citation_rate_low: Percent = Field(default=None, description=LOW)
    citation_rate_high: Percent = Field(default=None, description=HIGH)
    citation_rate_interval: IntervalOf | None = Field(default=None, description=INTERVAL)


class LocaleScore(Resource):
    """The score over the prompts of one locale alone, from the same answers as the score over all."""

    locale: str | None = Field(description="BCP 47; null: of prompts that state none")
    engines: list[str] = Field(description="engines that answered in it; the score is their plain mean")
    score: Percent = Field(description="mention rate over unbranded prompts of the locale")
    low: Percent = Field(description=LOW)
    high: Percent = Field(description=HIGH)
    interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    prompts: int = Field(description="prompts behind the score")
    topics: int = Field(description="topics of these prompts")
    answers: int = Field(description="answers behind the score")
    share_of_voice: Percent = Field(description=_VOICE)
    share_of_voice_low: Percent = Field(description=LOW)
    share_of_voice_high: Percent = Field(description=HIGH)
    share_of_voice_interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    citation_rate: Percent = Field(description=_CITED)
    citation_rate_low: Percent = Field(description=LOW)
    citation_rate_high: Percent = Field(description=HIGH)
    citation_rate_interval: IntervalOf | None = Field(default=None, description=INTERVAL)


class ReportedChange(MetricChange):
    """The development of one figure, and whether it may be called a change."""

    confirmed: bool = Field(description="whether the move of the latest days is confirmed")
    called: bool = Field(description="confirmed, or raised by the monitor: only then is it a change")


class SubjectChanges(Resource):
    """What may be said of changes of the brand or of one of its competitors."""

    competitor: UUID | None = Field(description="null: the brand itself")
    name: str
    development: str = Field(description=DEVELOPMENT)
    change: Change | None = Field(
        description="of the score since the measured day before: a note, no change by itself"
    )
    change_week: ChangeFigures | None = Field(description=WEEK)
    change_month: ChangeFigures | None = Field(description=MONTH)
    confirmation: Confirmation | None = Field(description=CONFIRMATION)
    monitor: Monitor | None = Field(description=MONITOR)
    changes: list[ReportedChange] = Field(description="empty where the days cannot be compared")


class ChangeReport(Resource):
    """What changed from the measured day before to the latest one, the brand first, then its competitors by name."""

    brand: UUID
    as_of: Date | None = Field(description="the latest measured day; null before the first")
    subjects: list[SubjectChanges]
    change_records: list[ChangeRecord] = Field(description="what is told as a change of the brand")
    budgets: Budgets


class AllTopicsScore(Resource):
    """The score over all topics, those that the brand does not sell among them."""

    score: Percent = Field(description="mention rate over unbranded prompts on all topics")
    low: Percent = Field(description=LOW)
    high: Percent = Field(description=HIGH)
    prompts: int = Field(description="prompts behind it")
    topics: int = Field(description="topics of these prompts")
    answers: int = Field(description="answers behind it")


class TrendItem(Resource):
    """The measured visibility of one UTC day. Rates are 0–100 with two decimals; unmeasured is null."""

    date: Date = Field(description="a UTC day")
    score: Percent = Field(description="mention rate over unbranded prompts, mean of the day's engines")
    low: Percent = Field(description=LOW)
    high: Percent = Field(description=HIGH)
    interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    panel_low: Percent = Field(
        description="lower end of the 95 % panel interval: exactly these prompts; null where each was asked once"
    )
    panel_high: Percent = Field(description="upper end of the 95 % panel interval")
    prompts: int = Field(description="prompts behind the score")
    topics: int = Field(description="topics of these prompts")
    answers: int = Field(description="answers behind the score; branded prompts are not among them")
    failed: int = Field(description="questions of the day that got no answer")
    share_of_voice: Percent = Field(description=_VOICE)
    share_of_voice_low: Percent = Field(description=LOW)
    share_of_voice_high: Percent = Field(description=HIGH)
    share_of_voice_interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    prominence: Percent = Field(
        description="how early the brand is named; 100: first in every answer; null where no mention has a place"
    )
    prominence_low: Percent = Field(description=LOW)
    prominence_high: Percent = Field(description=HIGH)
    prominence_interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    prominence_bounds: Bounds | None = Field(default=None, description=BOUNDS)
    mentions: int | None = Field(default=None, description=f"answers that name the brand{EARLIER}")
    ranked: int | None = Field(default=None, description=f"of `mentions`, those that have a place{EARLIER}")
    citation_rate: Percent = Field(description=_CITED)
    citation_rate_low: Percent = Field(description=LOW)
    citation_rate_high: Percent = Field(description=HIGH)
    citation_rate_interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    engines: list[EngineScore] = Field(description="one for each engine that was asked, by name")
    by_locale: list[LocaleScore] | None = Field(
        default=None,
        description="each locale by itself where the prompts have several, which the figures above pool; empty: one "
        "locale; null: counted by an earlier release",
    )
    all_topics: AllTopicsScore | None = Field(
        default=None,
        description="the same day over all topics, where some that the brand does not sell are left out of every "
        "other figure; null: none is left out",
    )
    comparable: bool | None = Field(
        description="whether the panel is that of the measured day before; null on the first measured day"
    )
    change: Change | None = Field(description="since the measured day before; null on the first measured day")
    change_week: ChangeFigures | None = Field(default=None, description=WEEK)
    change_month: ChangeFigures | None = Field(default=None, description=MONTH)
    confirmation: Confirmation | None = Field(default=None, description=CONFIRMATION)
    monitor: Monitor | None = Field(default=None, description=MONITOR)
    runs: list[UUID] = Field(description="ids of the visibility runs that were pooled")
    change_records: list[DatedChange] = Field(
        default=[], description="clear changes of the score, or of an engine's, that began on this day"
    )


TREND_FIELDS = tuple(name for name in TrendItem.model_fields if name != "change_records")
"""Those that stand in the columns of a stored day."""


class Trend(Resource):
    """Daily visibility of a brand, oldest day first; only days that were measured."""

    brand: UUID = Field(description="id of the brand")
    trend: list[TrendItem] = Field(description="the measured days of the window, oldest first; none is invented")
