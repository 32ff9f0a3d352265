"""Sites: which there are, and how they stand."""

from typing import Any

from apikeys.scopes import Scope
from mcp_bridge.arguments import Arguments
from mcp_bridge.registry import Tool
from visibility.services.sites import sites_of
from visibility.site_resources import SiteList

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

TOOLS: tuple[Tool[Any], ...] = (LIST_SITES,)
