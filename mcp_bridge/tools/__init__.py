"""All tools, area by area, in the order in which tools/list shows them."""

from typing import Any

from mcp_bridge.registry import Tool
from mcp_bridge.tools import sites

ALL_TOOLS: tuple[Tool[Any], ...] = (*sites.TOOLS,)
