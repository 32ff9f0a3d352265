"""Sites: which there are, and how they stand."""

from typing import Any

from apikeys.caller import Caller
from apikeys.scopes import Scope
from mcp_bridge.arguments import Arguments, TopicArguments
from mcp_bridge.registry import Tool
from visibility.resources.brief import SiteBrief
from visibility.resources.portfolio import Portfolio
from visibility.resources.sites import SiteList
from visibility.services.overview.brief import site_brief
from visibility.services.overview.portfolio import portfolio
from visibility.services.reading.sites import sites_of


def _portfolio(caller: Caller, arguments: Arguments) -> Portfolio:
    return portfolio(caller)


def _brief(caller: Caller, arguments: TopicArguments) -> SiteBrief:
    return site_brief(caller, brand_id=arguments.site_id, topic=arguments.topic)


LIST_SITES = Tool(
    name="list_sites",
    title="List sites",
    description=(
        "Lists the sites (brands) that this key can see, each with its id, the role of the key's owner and the most "
        "recent run. Call it first: the other tools need the id of a site."
    ),
    scope=Scope.READ_SITES,
    arguments=Arguments,
    result=SiteList,
    handler=lambda caller, arguments: sites_of(caller),
)

TOOLS: tuple[Tool[Any], ...] = (
    LIST_SITES,
    Tool(
        name="get_portfolio_summary",
        title="Portfolio summary",
        description=(
            "Returns all sites at once, each with its score, what may be called a change, open recommendations "
            "and next scan, and what the account may still use: credits, quotas, a forecast of the month. Use it to "
            "see where to begin, or before work that spends credits."
        ),
        scope=Scope.READ_SITES,
        arguments=Arguments,
        result=Portfolio,
        handler=_portfolio,
    ),
    Tool(
        name="get_site_brief",
        title="Site brief",
        description=(
            "Returns one site in short: who it is, its competitors, its score by engine, strengths and weaknesses "
            "as k of n answers, and the most urgent recommendations. Use it to begin work on a site."
        ),
        scope=Scope.READ_SITES,
        arguments=TopicArguments,
        result=SiteBrief,
        handler=_brief,
    ),
)
