"""Competitors: the rivals that a site is measured beside."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.scopes import Scope
from mcp_bridge.arguments import CreatingArguments, SiteArguments, TopicArguments
from mcp_bridge.following import from_competitors, from_gaps
from mcp_bridge.missing import call, empty, first_of, rival, scan_first
from mcp_bridge.registry import Tool, editable_site
from mcp_bridge.short.projection import Short
from visibility.models import Run
from visibility.resources.competitors import AddedCompetitor, CompetitorList
from visibility.resources.gaps import CompetitorGaps
from visibility.resources.scans import StartedComparisonResource
from visibility.services.competitors.gaps import competitor_gaps
from visibility.services.competitors.listing import competitors_of, watch_competitor
from visibility.services.scans.comparisons import MAX_RIVALS, start_comparison
from visibility.services.scans.status import started_comparison_resource

Name = Annotated[str, Field(min_length=1, max_length=200)]


class AddCompetitorArguments(SiteArguments, CreatingArguments):
    name: Name = Field(description="as answers write it")
    domain: Annotated[str, Field(min_length=1, max_length=253)] = Field(
        description="its main domain", examples=["rival.example"]
    )
    aliases: list[Name] = Field(default=[], max_length=50, description="other names that answers use for it")


class ComparisonArguments(SiteArguments, CreatingArguments):
    competitor_ids: list[UUID] | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_RIVALS,
        description="ids from {prefix}list_competitors; left out: the five most visible",
    )


class GapArguments(TopicArguments):
    competitor_id: UUID | None = Field(
        default=None, description="only gaps where this competitor stands; id from {prefix}list_competitors"
    )


def _competitors(caller: Caller, arguments: TopicArguments) -> CompetitorList:
    return competitors_of(caller, brand_id=arguments.site_id, topic=arguments.topic)


def _add(caller: Caller, arguments: AddCompetitorArguments) -> AddedCompetitor:
    return watch_competitor(
        caller,
        brand_id=arguments.site_id,
        name=arguments.name,
        domain=arguments.domain,
        aliases=arguments.aliases,
    )


def _compare(caller: Caller, arguments: ComparisonArguments) -> StartedComparisonResource:
    started = start_comparison(
        caller,
        brand_id=arguments.site_id,
        trigger=Run.Trigger.AGENT,
        competitor_ids=arguments.competitor_ids,
    )
    return started_comparison_resource(started)


def _gaps(caller: Caller, arguments: GapArguments) -> CompetitorGaps:
    return competitor_gaps(
        caller, brand_id=arguments.site_id, competitor_id=arguments.competitor_id, topic=arguments.topic
    )


_COMPETITORS = Short(
    rows=("competitors", "suggestions"),
    leave_out=(
        "suggestions[].firstSeen",
        "suggestions[].lastSeen",
        "suggestions[].quote",
        "suggestions[].examples",
    ),
    at_most={
        "suggestions": 10,
        "onTopic.subjects": 6,
        "competitors[].aliases": 3,
        "ambiguousNames": 5,
        "ambiguousNames[].longer": 3,
    },
)

_GAPS = Short(
    rows=("gaps", "pages"),
    leave_out=(
        "gaps[1:].evidence",
        "gaps[].evidence[].promptId",
        "gaps[].engines[].asOf",
        "gaps[].engines[].age",
        "gaps[].stage",
        *(f"gaps[].pages[].{name}" for name in ("title", "competitors", "answers", "named")),
        *(f"pages[].{name}" for name in ("title", "competitors")),
        "gaps[].competitors[1:].id",
    ),
    at_most={"pages": 4, "gaps[].pages": 1, "gaps[].sources": 3, "gaps[].evidence": 2, "gaps[].competitors": 5},
    texts={"gaps[].text": 150, "gaps[].evidence[].text": 250},
    unless={"gaps[].ownPageCited": False},
)

_RIVALS = call(
    "list_competitors", "A gap is where a competitor is named and the site is not: see whom it is held beside."
)

TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="list_competitors",
        title="List competitors",
        description=(
            "Lists the rivals that a site is measured beside, each with its score, share of voice and 95 % "
            "intervals, the names that need care, and how many more the plan allows. Use it to compare the site with"
            " its rivals."
        ),
        scope=Scope.READ_COMPETITORS,
        arguments=TopicArguments,
        result=CompetitorList,
        handler=_competitors,
        leads_to=from_competitors,
        missing=(first_of(rival, scan_first("score")),),
        short=_COMPETITORS,
    ),
    Tool(
        name="add_competitor",
        title="Add a competitor",
        description=(
            "Starts to watch a rival of a site. Its figures for the past are worked out from stored answers, at no "
            "cost. Use it when the user names a rival that {prefix}list_competitors does not show."
        ),
        scope=Scope.WRITE_COMPETITORS,
        arguments=AddCompetitorArguments,
        result=AddedCompetitor,
        handler=_add,
        brand_of=editable_site,
        errors=frozenset({ErrorCode.QUOTA_EXCEEDED, ErrorCode.CONFLICT}),
    ),
    Tool(
        name="get_competitor_gaps",
        title="Competitor gaps",
        description=(
            "Lists the prompts where answers name a competitor and not the site, the most consistent first, with "
            "counts by engine, the sources that these answers cite and quotes. Use it to decide where to catch up."
        ),
        scope=Scope.READ_COMPETITORS,
        arguments=GapArguments,
        result=CompetitorGaps,
        handler=_gaps,
        leads_to=from_gaps,
        missing=(first_of(scan_first("gaps"), empty("gaps", "no_gap", _RIVALS)),),
        short=_GAPS,
    ),
    Tool(
        name="run_competitor_comparison",
        title="Compare with competitors",
        description=(
            "Asks the engines to choose between a site and its competitors, question by question, which spends "
            "credits and takes minutes; at most once an hour. Poll {prefix}get_scan_status, then read "
            "{prefix}get_latest_scan with kind comparison. Use it when the user asks who wins head to head."
        ),
        scope=Scope.RUN_VISIBILITY,
        arguments=ComparisonArguments,
        result=StartedComparisonResource,
        handler=_compare,
        brand_of=editable_site,
        open_world=True,
        errors=frozenset({ErrorCode.QUOTA_EXCEEDED, ErrorCode.NO_ENGINE_CONFIGURED, ErrorCode.CONFLICT}),
    ),
)
