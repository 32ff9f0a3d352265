"""Visibility: the scores of a site."""

from typing import Annotated, Any

from pydantic import Field

from apikeys.caller import Caller
from apikeys.db.written import Written
from apikeys.scopes import Scope
from mcp_bridge.arguments import TopicArguments, invalid_arguments
from mcp_bridge.following import from_scores
from mcp_bridge.missing import change, engines_left_out, interval, not_asked_yet, scan_first, trend_elsewhere
from mcp_bridge.registry import Tool
from mcp_bridge.short.changes import AT_MOST_OF_CHANGES, LEFT_OUT_OF_CHANGES
from mcp_bridge.short.projection import Short
from visibility.api.windows import MAX_EPOCH_MS, days_between
from visibility.engines.surfaces import MAX_ENGINE_NAME
from visibility.resources.scores import VisibilityScores
from visibility.services.reading.scores import written_scores

EpochMs = Annotated[int, Field(ge=0, le=MAX_EPOCH_MS)]


class ScoresArguments(TopicArguments):
    from_: EpochMs | None = Field(
        default=None, alias="from", description="first day, epoch milliseconds; left out: 30 days that end with to"
    )
    to: EpochMs | None = Field(default=None, description="last day, epoch milliseconds; left out: now")
    engine: str | None = Field(
        default=None, max_length=MAX_ENGINE_NAME, description="figures by engine of this one alone"
    )


def _scores(caller: Caller, arguments: ScoresArguments) -> Written[VisibilityScores]:
    try:
        first, last = days_between(arguments.from_, arguments.to)
    except ValueError as refusal:
        raise invalid_arguments({"from": str(refusal).removeprefix("from ")}) from None
    return written_scores(
        caller,
        brand_id=arguments.site_id,
        first=first,
        last=last,
        engine=arguments.engine,
        topic=arguments.topic,
    )


_FIGURES = (
    "shareOfVoiceLow",
    "shareOfVoiceHigh",
    "shareOfVoiceInterval",
    "citationRateLow",
    "citationRateHigh",
    "citationRateInterval",
)
_OF_DAY = (
    "panelLow",
    "panelHigh",
    "prominenceLow",
    "prominenceHigh",
    "prominenceInterval",
    "byLocale",
    "comparable",
    "change",
    "changeWeek",
    "changeMonth",
    "confirmation",
    "monitor",
    "runs",
)

_SCORES = Short(
    rows=("trend", "byEngine", "shareOfVoice", "topics"),
    both_ends=("topics",),
    newest_last=True,
    at_most={
        "trend": 5,
        "topics": 6,
        "topics[].subjects": 3,
        "topic.trend": -5,
        **AT_MOST_OF_CHANGES,
        "topic.subjects": 6,
        "now.leftOut": 5,
    },
    leave_out=(
        # What stands in `byEngine`.
        "now.engines",
        *(f"now.{name}" for name in (*_OF_DAY, *_FIGURES[2:])),
        *LEFT_OUT_OF_CHANGES,
        "trend[].changeRecords",
        *(f"byEngine[].{name}" for name in ("surface", "models", *_FIGURES)),
        *(
            f"trend[].{name}"
            for name in (
                *_OF_DAY,
                *_FIGURES,
                "engines",
                "prominence",
                "prominenceBounds",
                "mentions",
                "ranked",
                "failed",
                "prompts",
                "topics",
            )
        ),
        # The sentence `development` stays.
        *(f"change.{name}" for name in ("change", "changeWeek", "changeMonth", "confirmation", "monitor", "changes")),
        *(f"topics[].subjects[].{name}" for name in ("competitor", "panelLow", "panelHigh", "noInterval", "engines")),
        "topic.trend[].panelLow",
        "topic.trend[].panelHigh",
        "shareOfVoice[].shareOfVoiceLow",
        "shareOfVoice[].shareOfVoiceHigh",
        "shareOfVoice[].shareOfVoiceInterval",
        "budgets.score.shares",
        "budgets.change.shares",
        "budgets.score.allowed",
        "budgets.change.allowed",
    ),
    unless={
        "now.failed": 0,
        "now.prominenceBounds": None,
        "byEngine[].averaged": True,
    },
)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="get_visibility_scores",
        title="Visibility scores",
        description=(
            "Returns how often answers name a site: now, over time, by engine, by topic and beside its competitors, "
            "with 95 % intervals, what may be called a change (`development`), and what makes the figures surer. "
            "Use it for any question about visibility, share of voice, topics or trends."
        ),
        scope=Scope.READ_VISIBILITY,
        arguments=ScoresArguments,
        result=VisibilityScores,
        handler=_scores,
        leads_to=from_scores,
        missing=(
            scan_first("now"),
            change,
            interval,
            trend_elsewhere,
            not_asked_yet,
            engines_left_out,
        ),
        short=_SCORES,
    ),
)
