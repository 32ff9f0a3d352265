"""Results as they are same: short or whole, with what is missing or left out and the calls that bring it."""

from collections.abc import Iterator
from typing import Any

import orjson

from apikeys.text.size import estimate_of
from mcp_bridge.arguments import MAX_LIMIT, Arguments, ListingArguments
from mcp_bridge.missing import Body, Steps, missing_of
from mcp_bridge.registry import Tool
from mcp_bridge.short.projection import Omitted, Short, limited, shorten
from visibility.resources.steps import NextStep, next_step, written_step

MISSING, NEXT_STEP, OMITTED, SEE_MORE = "missing", "nextStep", "omitted", "seeMore"
_CHARACTERS_A_TOKEN = 3
_MUCH = 6000
"""Tokens from which on a model is not sent to the whole of a long list."""


def for_reader(tool: Tool[Any], arguments: Arguments, result: str, steps: Steps) -> str:
    """The JSON of a result of the tool, short or whole as the arguments ask for, with what it cannot tell.

    `nextStep` is the call that goes on from it, `missing` has what it cannot tell and what would, `omitted` names and
    counts what was left out, and `seeMore` has the calls that bring that; each stands there only where there is
    something to say.
    """
    short = tool.short if isinstance(arguments, ListingArguments) else None
    if short is None and not tool.missing and tool.leads_to is None:
        return result
    body = orjson.loads(result)
    beside = _beside(tool, body, steps)
    if short is not None and isinstance(arguments, ListingArguments):
        if arguments.whole:
            omitted = +limited(body, short, arguments.limit)
        else:
            omitted = +shorten(body, short, arguments.limit, estimate_of(beside))
        if omitted:
            body[OMITTED] = [{"part": part, "count": count} for part, count in omitted.items()]
            more = _steps(tool.name, arguments, short, body, omitted, len(result))
            body[SEE_MORE] = [written_step(step) for step in more]
    return orjson.dumps(body | beside).decode()


def _beside(tool: Tool[Any], body: Body, steps: Steps) -> Body:
    """Where the result leads, and what is missing of it. It leads nowhere where nothing is there."""
    beside: Body = {}
    if missing := missing_of(body, tool.missing, steps):
        beside[MISSING] = missing
    step = tool.leads_to(body) if tool.leads_to else None
    if step is not None and not body.get(NEXT_STEP):
        beside[NEXT_STEP] = written_step(steps.allowed(step))
    return beside


def _steps(
    tool: str, arguments: ListingArguments, short: Short, body: dict[str, Any], omitted: Omitted, length: int
) -> Iterator[NextStep]:
    """More rows, then those listed whole; everything where that is not too much."""
    same = arguments.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"limit"})
    main = short.rows[0] if short.rows and not short.digest else ""
    count = len(_rows(body, main)) if main else 0
    if hidden := omitted[main]:
        every = count + hidden
        wanted = min(every, MAX_LIMIT)
        why = f"{'All' if wanted == every else f'{wanted} of'} {every} {main} instead of {count}."
        yield next_step(tool, why, **same, limit=wanted)
    if arguments.whole or not any(part != main for part in omitted):
        return
    if short.by_ids and (rows := _rows(body, main)[short.first_whole :]):
        why = f"One of the {main} whole, by its id; several may be given."
        yield next_step(tool, why, **same, **{short.by_ids: [rows[0]["id"]]})
        return
    tokens, meant = length / _CHARACTERS_A_TOKEN, "Everything"
    if hidden and tokens > _MUCH:
        tokens, meant, same["limit"] = tokens * count / (count + hidden), f"These {count} {main}", count
    why = f"{meant} in full, about {max(round(tokens / 1000), 1)} thousand tokens."
    yield next_step(tool, why, **same, detail="full")


def _rows(body: Any, path: str) -> list[Any]:
    for name in path.split("."):
        body = body.get(name) if isinstance(body, dict) else None
    return body if isinstance(body, list) else []
