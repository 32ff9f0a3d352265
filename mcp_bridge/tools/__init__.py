"""All tools, area by area, in the order in which tools/list shows them."""

from typing import Any

from mcp_bridge.registry import Tool
from mcp_bridge.tools import (
    ask,
    audit,
    competitors,
    content,
    prompt_writing,
    prompts,
    recommendations,
    scans,
    sites,
    visibility,
    voice,
)

ALL_TOOLS: tuple[Tool[Any], ...] = (
    *sites.TOOLS,
    *scans.TOOLS,
    *audit.TOOLS,
    *visibility.TOOLS,
    *prompts.TOOLS,
    *prompt_writing.TOOLS,
    *competitors.TOOLS,
    *recommendations.TOOLS,
    *content.TOOLS,
    *voice.TOOLS,
    *ask.TOOLS,
)
