"""Recommendations: what to do about visibility."""

from typing import Any, Literal

from pydantic import Field

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import TopicArguments
from mcp_bridge.registry import Tool
from visibility.resources.recommendations import RecommendationList
from visibility.services.reading.reporting import recommendations


class RecommendationArguments(TopicArguments):
    status: Literal["open", "in_progress", "done", "dismissed", "resolved", "all"] = Field(
        default="open", description="only those in this state"
    )


def _recommendations(caller: Caller, arguments: RecommendationArguments) -> RecommendationList:
    status = None if arguments.status == "all" else arguments.status
    return recommendations(caller, brand_id=arguments.site_id, status=status, topic=arguments.topic)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="get_recommendations",
        title="Recommendations",
        description=(
            "Lists what to do about a site's visibility, most urgent first, each with its evidence and a fixPrompt "
            "to hand to an assistant that can edit the site. Use it when the user asks what to improve."
        ),
        scope=Scope.READ_RECOMMENDATIONS,
        arguments=RecommendationArguments,
        result=RecommendationList,
        handler=_recommendations,
    ),
)
