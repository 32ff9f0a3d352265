"""Recommendations: what to do about visibility."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import TopicArguments
from mcp_bridge.following import from_recommendations
from mcp_bridge.missing import call, empty
from mcp_bridge.registry import Tool
from mcp_bridge.short.projection import Short
from visibility.resources.recommendations import RecommendationList
from visibility.services.reading.reporting import recommendations

MAX_IDS = 20


class RecommendationArguments(TopicArguments):
    status: Literal["open", "in_progress", "done", "dismissed", "resolved", "all"] = Field(
        default="open", description="only those in this state"
    )
    ids: Annotated[list[UUID], Field(min_length=1, max_length=MAX_IDS)] | None = Field(
        default=None, description="only these, whole, in any state"
    )

    @property
    def whole(self) -> bool:
        """Whether the result is wanted whole."""
        return super().whole or self.ids is not None


def _recommendations(caller: Caller, arguments: RecommendationArguments) -> RecommendationList:
    status = None if arguments.status == "all" or arguments.ids else arguments.status
    return recommendations(
        caller, brand_id=arguments.site_id, status=status, ids=arguments.ids, topic=arguments.topic
    )


_OF_FACTORS = ("engines", "ofEngines", "reach", "effect", "effort")
_OF_PROOF = (
    "metric",
    "delta",
    "low",
    "high",
    "least",
    "scans",
    "answers",
    "credits",
    "baseline",
    "doneAt",
    "judgedAt",
)
_RECOMMENDATIONS = Short(
    rows=("recommendations",),
    by_ids="ids",
    first_whole=1,
    leave_out=(
        "recommendations[1:].evidence",
        "recommendations[].evidence[].promptId",
        "recommendations[1:].summary",
        "recommendations[1:].payload.fixPrompt",
        "recommendations[].payload.engines",
        "recommendations[].payload.age",
        "recommendations[].impact",
        "recommendations[].effort",
        *(f"recommendations[1:].factors.{name}" for name in _OF_FACTORS),
        *(f"recommendations[].proof.{name}" for name in _OF_PROOF),
        "recommendations[].createdAt",
        "recommendations[].updatedAt",
        "recommendations[].firstSeenAt",
        "recommendations[].openedAt",
        "recommendations[].lastSeenAt",
        "recommendations[].statusChangedAt",
        "recommendations[].firstSeenRun",
        "recommendations[].lastSeenRun",
    ),
    at_most={"recommendations[].evidence": 1},
    texts={
        "recommendations[1:].title": 120,
        "recommendations[].statusReason": 120,
        "recommendations[].evidence[].text": 200,
    },
    unless={"recommendations[].status": "open"},
)


_SCANS = call("get_latest_scan", "They follow from scans and audits: see whether there was one, and when.")


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="get_recommendations",
        title="Recommendations",
        description=(
            "Lists what to do about a site's visibility, most urgent first, with evidence and a fixPrompt to hand to "
            "an assistant that can edit the site; and of what is done, whether it helped. Use it when the user asks "
            "what to improve, or what became of it."
        ),
        scope=Scope.READ_RECOMMENDATIONS,
        arguments=RecommendationArguments,
        result=RecommendationList,
        handler=_recommendations,
        leads_to=from_recommendations,
        missing=(empty("recommendations", "nothing_listed", _SCANS),),
        short=_RECOMMENDATIONS,
    ),
)
