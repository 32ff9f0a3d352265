"""Tools about sites at a glance."""

from typing import Literal

from pydantic import Field

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from apikeys.text import marked
from mcp_bridge.arguments import Listing, SiteArguments
from mcp_bridge.pages import page_address
from mcp_bridge.registry import Reply, Step, tool
from visibility.overview import reads
from visibility.overview.brief import read_brief
from visibility.overview.portfolio import read_portfolio
from visibility.overview.resources import Brief, Portfolio, Sites


@tool("List sites", Scope.READ_SITES)
def list_sites(caller: Caller, arguments: Listing) -> Reply[Sites]:
    """Lists the sites (brands) that this key can see, with their ids. Call it first: other tools take these ids."""
    found = reads.list_sites(caller)
    found = found.model_copy(update={"added_at": page_address("add-brand")})
    sites = sorted(found.sites, key=lambda site: site.latest_run is None)
    step = Step("get_site_brief", {"siteId": sites[0].id}, "how the first one does") if sites else None
    return Reply(found, step, rows="sites")


@tool("Portfolio summary", Scope.READ_SITES)
def get_portfolio_summary(caller: Caller, arguments: Listing) -> Reply[Portfolio]:
    """Compares all sites: score with interval, change, open recommendations, last and next scan; and what the account
    may still use. Use it for questions about several sites, or about quotas and credits."""
    found = read_portfolio(caller)
    step = Step("get_site_brief", {"siteId": found.sites[0].id}, "the site to look at first") if found.sites else None
    return Reply(found, step, rows="sites")


class BriefArguments(SiteArguments):
    """The site, and whether the last week is wanted, too."""

    period: Literal["week"] | None = Field(default=None, description="adds the last whole week, Monday to Sunday")


@tool("Site brief", Scope.READ_SITES)
def get_site_brief(caller: Caller, arguments: BriefArguments) -> Reply[Brief]:
    """Sums up one site: how often answers name it, against whom it leads or trails, its strong and weak topics,
    confirmed changes and the first recommendations. The best first call about a site."""
    found = read_brief(caller, arguments.site_id, week=arguments.period is not None)
    site = {"siteId": found.site_id}
    if found.weaknesses:
        topic = marked(found.weaknesses[0].topic)
        step = Step("get_competitor_gaps", {**site, "topic": topic}, "the prompts behind the weakest topic")
    elif found.now is not None:
        step = Step("list_prompts", site, "which prompts name the site least")
    else:
        step = Step("list_prompts", site, "what would be asked in a scan")
    return Reply(found, step, rows="weaknesses strengths changes competitors recommendations")
