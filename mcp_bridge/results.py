"""How results and errors of tools look on the wire."""

from collections.abc import Mapping
from typing import Any

import orjson

from apikeys.caller import Caller
from apikeys.resources import FOR_AGENTS, Resource
from mcp_bridge.arguments import MAX_LIMIT, Arguments, Listing
from mcp_bridge.registry import Registry, Reply, Tool

COMPLETE = {"resultType": "complete"}
BYTES_OF_A_TOKEN = 4
MOST_TOKENS = 1_900
"""Of a short result, so that with its frame it stays below 2,000."""


def written(
    registry: Registry, tool: Tool, caller: Caller, arguments: Arguments, outcome: Reply[Any] | Resource
) -> str:
    """The result as JSON for a model to read: text by others is between marks; rows are cut to what fits."""
    reply = outcome if isinstance(outcome, Reply) else Reply(outcome)
    data: dict[str, Any] = reply.resource.model_dump(mode="json", by_alias=True, context=FOR_AGENTS)
    more: dict[str, Any] = {}
    if step := registry.written_step(reply.next_step, caller):
        more["nextStep"] = step
    if reply.rows and isinstance(arguments, Listing):
        rows = data[reply.rows]
        ordered = rows[::-1] if reply.keeps_last else rows
        shown = _rows_that_fit(ordered, {**data, **more, reply.rows: []}, arguments)
        if shown < len(rows):
            data[reply.rows] = rows[-shown:] if reply.keeps_last else rows[:shown]
            same = arguments.model_dump(mode="json", by_alias=True, exclude_defaults=True)
            all_rows = {**same, "limit": min(len(rows), MAX_LIMIT)}
            see_more = {"tool": f"{registry.prefix}{tool.name}", "arguments": all_rows}
            more = {"omitted": {reply.rows: len(rows) - shown}, "seeMore": see_more, **more}
    return orjson.dumps({**data, **more}).decode()


def success(result: str) -> dict[str, Any]:
    """The result of a tool from its JSON: the same as text and as structured content."""
    content = [{"type": "text", "text": result}]
    return {"content": content, "structuredContent": orjson.loads(result), "isError": False, **COMPLETE}


def failure(body: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a failed call: no structured content, which clients would check against the schema."""
    content = [{"type": "text", "text": orjson.dumps(body).decode()}]
    return {"content": content, "isError": True, "_meta": dict(body), **COMPLETE}


def _rows_that_fit(rows: list[Any], rest: Mapping[str, Any], arguments: Listing) -> int:
    """How many rows are shown: as many as were asked for, else what fits, at least one."""
    if arguments.limit is not None or arguments.is_full:
        return min(arguments.limit or len(rows), len(rows))
    left = MOST_TOKENS * BYTES_OF_A_TOKEN - len(orjson.dumps(rest))
    for shown, row in enumerate(rows):
        left -= len(orjson.dumps(row)) + 1
        if left < 0:
            return max(shown, 1)
    return len(rows)
