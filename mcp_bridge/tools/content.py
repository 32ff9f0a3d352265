"""Content: what is worth writing for a site, and writing it."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field

from apikeys.caller import Caller
from apikeys.errors import ErrorCode
from apikeys.scopes import Scope
from mcp_bridge.arguments import CreatingArguments, SiteArguments, TopicArguments
from mcp_bridge.following import from_opportunities
from mcp_bridge.missing import Body, empty, first_of, scan_first
from mcp_bridge.registry import Tool, editable_site
from mcp_bridge.short.projection import Short
from visibility.models.prompts import MAX_TOPIC
from visibility.resources.steps import NextStep, next_step
from visibility.resources.writing import ContentReport, Format, WrittenDraftResource
from visibility.services.content.drafts import prepare_draft
from visibility.services.content.opportunities import content_report


class GenerateDraftArguments(SiteArguments, CreatingArguments):
    opportunity_id: Annotated[str, Field(max_length=40)] | None = Field(
        default=None, description="from {prefix}get_content_opportunities; give this or a topic"
    )
    topic: Annotated[str, Field(max_length=MAX_TOPIC)] | None = Field(
        default=None, description="a topic of your own; give this or an opportunityId"
    )
    format: Format | None = Field(default=None, description="else what suits the opportunity, or an article")


def _opportunities(caller: Caller, arguments: TopicArguments) -> ContentReport:
    return content_report(caller, brand_id=arguments.site_id, topic=arguments.topic)


def _draft(caller: Caller, arguments: GenerateDraftArguments) -> Callable[[], WrittenDraftResource]:
    return prepare_draft(
        caller,
        brand_id=arguments.site_id,
        opportunity_id=arguments.opportunity_id or "",
        topic=arguments.topic or "",
        format=arguments.format or "",
    )


_OPPORTUNITIES = Short(
    rows=("opportunities", "searches", "drafts", "pages"),
    leave_out=(
        "opportunities[].questions[].promptId",
        "opportunities[].engines",
        *(f"opportunities[].pages[].{name}" for name in ("title", "competitors", "answers", "named")),
        *(f"pages[].{name}" for name in ("title", "competitors")),
        "opportunities[1:].evidence",
        "opportunities[].evidence[].promptId",
        "drafts[].writer",
        "drafts[].topic",
    ),
    at_most={
        "drafts": 3,
        "pages": 3,
        "searches": 3,
        "opportunities[].pages": 1,
        "opportunities[].questions": 1,
        "opportunities[].competitors": 5,
        "opportunities[].sources": 3,
        "opportunities[].evidence": 2,
        "opportunities[].drafts": 1,
    },
    texts={
        "opportunities[].title": 120,
        "opportunities[].why": 200,
        "opportunities[].questions[].text": 120,
        "opportunities[].evidence[].text": 200,
        "drafts[].title": 100,
        "searches[].query": 80,
    },
)

_GAPS = "Opportunities follow from questions where competitors are named and the site is not."


def _instead(body: Body) -> NextStep:
    """Where one topic has none: those of all; where no topic has any: what they would follow from."""
    if body["topic"] is None:
        return next_step("get_competitor_gaps", _GAPS, siteId=body["site"])
    return next_step("get_content_opportunities", body["howToGetMore"], siteId=body["site"])


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="get_content_opportunities",
        title="Content opportunities",
        description=(
            "Lists pages worth writing for a site, ranked, with evidence from stored answers: where competitors are "
            "named or cited and the site is not, and which sources answers rest on. Also lists engines' searches and "
            "drafts already made."
        ),
        scope=Scope.READ_CONTENT,
        arguments=TopicArguments,
        result=ContentReport,
        handler=_opportunities,
        leads_to=from_opportunities,
        missing=(first_of(scan_first("opportunities"), empty("opportunities", "nothing_found", _instead)),),
        short=_OPPORTUNITIES,
    ),
    Tool(
        name="generate_content_draft",
        title="Write a content draft",
        description=(
            "Writes a page for an opportunity or a topic, from quoted sources only: missing facts are gaps marked "
            "[fact needed: …]. Uses one of the month's drafts; with too few sources it refuses. Read its checks, "
            "and have people fill the gaps before it is published."
        ),
        scope=Scope.WRITE_CONTENT,
        arguments=GenerateDraftArguments,
        result=WrittenDraftResource,
        writer=_draft,
        brand_of=editable_site,
        open_world=True,
        errors=frozenset({ErrorCode.QUOTA_EXCEEDED, ErrorCode.UPSTREAM_UNAVAILABLE, ErrorCode.CONFLICT}),
    ),
)
