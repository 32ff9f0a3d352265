"""How results and errors of tools look on the wire: for an error the argument, what would be right, and which call
helps."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import orjson
from pydantic.alias_generators import to_camel

from apikeys.accounts.caller import Caller
from apikeys.edge.http import as_service_error
from apikeys.errors import ErrorCode, ServiceError
from apikeys.resources import FOR_AGENTS, Resource, Worded
from apikeys.text import clean, unmarked
from apikeys.tokens import tokens_of
from brands.models import Brand
from mcp_bridge.arguments import MAX_LIMIT, Arguments, Creating, Listing, parse, slips
from mcp_bridge.call import AgentCall
from mcp_bridge.registry import Registry, Reply, Step, Tool

COMPLETE = {"resultType": "complete"}
MOST_TOKENS = 1_950
"""Of a short result, so that a tokenizer that counts a little more stays below 2,000."""
_SHOWN_NAMES, _SHOWN_NAME = 5, 40
"""How many names of unknown arguments a note has, and how many characters of each."""
_SOURCES = {
    "runId": ("get_latest_scan", "gives the id of the latest scan"),
    "promptId": ("list_prompts", "gives the ids of prompts"),
    "competitorId": ("list_competitors", "gives the ids of competitors"),
    "competitorIds": ("list_competitors", "gives the ids of competitors"),
    "topic": ("list_prompts", "gives the topics of the site"),
}
"""Where the values of arguments come from, the most specific first."""
_NAMES_HERE = {"text": "wording"}
"""Arguments that services name differently."""


def written(
    registry: Registry,
    tool: Tool,
    caller: Caller,
    arguments: Arguments,
    outcome: Reply[Any] | Resource,
    also: Mapping[str, Any] | None = None,
) -> str:
    """The result as JSON for a model to read, with what is `also` to be said: text by others is between marks; rows
    are cut to what fits."""
    reply = outcome if isinstance(outcome, Reply) else Reply(outcome)
    data: dict[str, Any] = reply.resource.model_dump(mode="json", by_alias=True, context=FOR_AGENTS) | dict(
        also or {}
    )
    if arguments.ignored:
        data["notes"] = [*data.get("notes", []), _passed_over(arguments.ignored)]
    more: dict[str, Any] = {}
    if step := registry.written_step(reply.next_step, caller):
        more["nextStep"] = step
    if reply.rows:
        more = {**_cut(data, more, reply, arguments, f"{registry.prefix}{tool.name}"), **more}
    return orjson.dumps({**data, **more}).decode()


def _cut(
    data: dict[str, Any], more: Mapping[str, Any], reply: Reply[Any], arguments: Arguments, name: str
) -> dict[str, Any]:
    """Leave of the rows in `data` as many as were asked for, else what fits; what is to be added about the others."""
    lists = [each for each in reply.rows.split() if data[each] is not None]  # null: not for this key
    steps = {each: -1 if each == reply.keeps_last else 1 for each in lists}
    whole = {each: data[each][::step] for each, step in steps.items()}
    see_more: dict[str, Any] = {}
    if isinstance(arguments, Listing):
        limit = min(max(map(len, whole.values()), default=1), MAX_LIMIT)
        see_more = {"seeMore": {"tool": name, "arguments": {**arguments.again(), "limit": limit}}}
    if isinstance(arguments, Listing) and (arguments.limit is not None or arguments.is_full):
        shown = {each: rows[: arguments.limit] for each, rows in whole.items()}
    else:
        empty: dict[str, Any] = {each: [] for each in whole}
        counts = {"omitted": {each: len(rows) for each, rows in whole.items()}}
        shown = _rows_that_fit(whole, MOST_TOKENS - _tokens({**data, **empty, **more, **see_more, **counts}))
    omitted = {each: len(rows) - len(shown[each]) for each, rows in whole.items() if len(rows) > len(shown[each])}
    data.update({each: shown[each][::step] for each, step in steps.items()})
    return {"omitted": omitted, **see_more} if omitted else {}


def _rows_that_fit(whole: Mapping[str, list[Any]], left: int) -> dict[str, list[Any]]:
    """The first rows of each list that fit into the tokens left, at least one of each; earlier lists come first."""
    shown = {name: rows[:1] for name, rows in whole.items()}
    left -= sum(_tokens(row) for rows in shown.values() for row in rows)
    for name, rows in whole.items():
        for row in rows[1:]:
            if (size := _tokens(row)) > left:
                break
            left -= size
            shown[name].append(row)
    return shown


def _tokens(data: Any) -> int:
    return tokens_of(orjson.dumps(data)) + 1


def _passed_over(names: Sequence[str]) -> str:
    """A note on what the tool was given and does not take."""
    listed = [clean(name)[:_SHOWN_NAME] for name in names[:_SHOWN_NAMES]]
    more = [f"{len(names) - len(listed)} more"] if len(names) > len(listed) else []
    return f"Passed over, as this tool takes no such arguments: {', '.join([*listed, *more])}."


def success(result: str) -> dict[str, Any]:
    """The result of a tool from its JSON: the same as text and as structured content."""
    content = [{"type": "text", "text": result}]
    return {"content": content, "structuredContent": orjson.loads(result), "isError": False, **COMPLETE}


def failure(
    error: Exception, registry: Registry, tool: Tool, raw_arguments: Mapping[str, Any], call: AgentCall
) -> dict[str, Any]:
    """The result of a failed call, without structured content, which clients would check against the schema.

    The error's code goes to the call log; an unexpected error is logged with its traceback.
    """
    known = _in_words_of_this_door(as_service_error(error), tool)
    call.error_code = str(known.code)
    details = dict(known.details)
    if known.code.status >= 500:
        details["requestId"] = call.request_id
    elif call.caller is not None:
        step = registry.written_step(_step_after(known, tool, raw_arguments, call.caller), call.caller)
        details |= {"nextStep": step} if step else {}
    message = known.message.marked if isinstance(known.message, Worded) else known.message
    described = {"error": {"code": str(known.code), "message": message, "details": details}}
    body = json.loads(json.dumps(described, default=str))
    content = [{"type": "text", "text": orjson.dumps(body).decode()}]
    return {"content": content, "isError": True, "_meta": body, **COMPLETE}


def _in_words_of_this_door(error: ServiceError, tool: Tool) -> ServiceError:
    if error.code == ErrorCode.NOT_FOUND:
        ids = [name for name in tool.arguments.names() if name.endswith("Id")]
        which = " or ".join(ids) or "id"
        return ServiceError(error.code, f"This key sees nothing with this {which}. Take the id from a tool's result.")
    if "argument" not in error.details:
        return error
    argument = error.details["argument"]
    path = to_camel(_NAMES_HERE.get(argument, argument))
    if error.code == ErrorCode.INVALID_ARGUMENTS:  # what to do about the problem is in the message
        problem = error.message.split(". ")[0].removesuffix(".")
        return ServiceError(error.code, error.message, arguments=[{"path": path, "problem": problem}])
    return ServiceError(error.code, error.message, **{**error.details, "argument": path})


def _step_after(error: ServiceError, tool: Tool, raw: Mapping[str, Any], caller: Caller) -> Step | None:
    match error.code:
        case ErrorCode.QUOTA_EXCEEDED:
            return Step("get_portfolio_summary", {}, "lists what the account may use and has used")
        case ErrorCode.CONFLICT if error.details.get("competitorId"):
            return _listing("list_competitors", "shows who has this name or domain", raw, caller)
        case ErrorCode.CONFLICT if error.details.get("needs") == "audit":
            return Step(
                "run_audit_scan", {"siteId": raw.get("siteId"), "dryRun": True}, "says what an audit would spend"
            )
        case ErrorCode.IDEMPOTENCY_IN_PROGRESS:
            return Step(tool.name, raw, "the same call again, after retryAfterSeconds")
        case ErrorCode.NOT_FOUND:
            return _corrected(set(tool.arguments.names()), tool, raw, caller)
        case ErrorCode.INVALID_ARGUMENTS:
            bad = {argument["path"].partition("[")[0] for argument in error.details["arguments"]}
            return _corrected(bad, tool, raw, caller)
    return None


def _corrected(bad: set[str], tool: Tool, raw: Mapping[str, Any], caller: Caller) -> Step | None:
    """The same call with names or a site that fit, or the call that lists what was missing, or the same call without
    what is wrong; never one that changes something."""
    right_names = dict(slips(tool.arguments, raw))
    if right_names and (same := _same({right_names.get(name, name): value for name, value in raw.items()}, tool)):
        return same
    if "siteId" in bad and _site_of(raw, caller) is None:
        if (site := _meant_site(raw.get("siteId"), caller)) is None:
            return Step("list_sites", {}, "gives the ids of sites")
        return _same({**raw, "siteId": str(site)}, tool) or Step("list_sites", {}, "gives the ids of sites")
    for name, (source, why) in _SOURCES.items():
        if name in bad:
            return _listing(source, why, raw, caller)
    return _same({name: value for name, value in raw.items() if name not in bad}, tool)


def _same(arguments: Mapping[str, Any], tool: Tool) -> Step | None:
    """The same call with other arguments, if these fit and it only reads."""
    if issubclass(tool.arguments, Creating):
        return None
    try:
        ignored = parse(tool.arguments, arguments).ignored
    except ServiceError:
        return None
    known = {name: value for name, value in arguments.items() if name not in ignored}
    return Step(tool.name, known, "the same call with arguments that fit")


def _listing(name: str, why: str, raw: Mapping[str, Any], caller: Caller) -> Step:
    """A call that lists what a site has, of the site that was meant; where that is unknown, the list of sites."""
    site = _site_of(raw, caller) or _meant_site(None, caller)
    if site is None:
        return Step("list_sites", {}, f"gives the ids of sites; with one of them {{prefix}}{name} {why}")
    return Step(name, {"siteId": str(site)}, why)


def _site_of(raw: Mapping[str, Any], caller: Caller) -> UUID | None:
    """The site that the arguments name, if the caller sees it."""
    try:
        site = UUID(str(raw.get("siteId")))
    except ValueError:
        return None
    return site if Brand.objects.restrict(caller, "view").filter(pk=site).exists() else None


def _meant_site(text: Any, caller: Caller) -> UUID | None:
    """The site whose name or domain was given for its id; without a text, the only one that the caller sees."""
    sites = list(Brand.objects.restrict(caller, "view").values_list("pk", "name", "domain"))
    wanted = unmarked(text).strip().casefold() if isinstance(text, str) else None
    named = [pk for pk, name, domain in sites if wanted in (name.casefold(), domain.casefold())]
    if wanted is None and len(sites) == 1:
        named = [sites[0][0]]
    return named[0] if len(named) == 1 else None
