"""The tool about recommendations."""

from typing import Literal

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import SiteListing
from mcp_bridge.pages import page_address
from mcp_bridge.registry import Reply, Step, tool
from visibility.recommendations.reads import list_for_agents
from visibility.recommendations.resources import SiteRecommendations


class RecommendationArguments(SiteListing):
    """The site, and which recommendations."""

    status: Literal["open", "in_progress", "done", "dismissed", "resolved", "all"] = "open"


@tool("Recommendations", Scope.READ_RECOMMENDATIONS)
def get_recommendations(caller: Caller, arguments: RecommendationArguments) -> Reply[SiteRecommendations]:
    """Lists what to do for a site, the most urgent first, with reasons. detail: "full" adds all evidence and
    payload.fixPrompt, a prompt to paste into an assistant; combine it with limit."""
    status = None if arguments.status == "all" else arguments.status
    found = list_for_agents(caller, arguments.site_id, status, full=arguments.is_full)
    decided = f"People change a status at {page_address('brand-todo', found.site_id)}; no tool does."
    found = found.model_copy(update={"summary": [*found.summary, decided]})
    step = None
    if found.recommendations and not arguments.is_full:
        call = {"siteId": found.site_id, "status": arguments.status, "detail": "full", "limit": 1}
        step = Step("get_recommendations", call, "evidence and fix prompt of the first")
    return Reply(found, step, rows="recommendations")
