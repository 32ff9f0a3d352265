"""The protocol: which methods there are, what they answer, and the words of its own errors."""

from typing import Any, cast

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from apikeys.release import VERSION
from apikeys.text import QUOTE_NOTICE
from mcp_bridge.call import SCOPE_KEY, AgentCall, NotAdmitted
from mcp_bridge.dispatch import Dispatcher
from mcp_bridge.prompts import all_prompts
from mcp_bridge.registry import Registry, chosen
from mcp_bridge.requests import SERVED_REVISIONS

NAME = "brand-visibility-service"
LIST_MILLISECONDS = 300_000
"""How long clients may keep the lists of tools and prompts, which depend on the key."""
ERROR_NAMES = {
    types.INVALID_PARAMS: "invalid_params",
    types.METHOD_NOT_FOUND: "method_not_found",
    types.INVALID_REQUEST: "invalid_request",
    types.PARSE_ERROR: "parse_error",
}
"""The names of the protocol's errors in the call log."""
INSTRUCTIONS = f"""\
This service measures how often AI systems name a brand (here: a site) when people ask what to choose.

Begin with {{prefix}}list_sites: other tools take ids that a tool returned; never make one up. The list of tools holds
those that this key may use.

Scores and rates are percentages, 0 to 100, with 95 % intervals: panelLow to panelHigh on these very prompts, low to
high on prompts like these (null below four topics). Null means not measured, never zero. `now` is each engine's last
measured day and the six days before, whatever days are asked for; a run's score is of that run alone. `relation` says
how a competitor does against the site in the same answers: ahead, behind, level or too_close. `leader` is the
competitor named most, also where the site leads. Speak of a change only where `changes` lists one, with its dates:
it is confirmed by later days, or found by the monitor of slow change; `parts` add up to it, `beside` is what else
changed on these days, no cause. A day's verdict, "moved" too, is a note on that day and no change by itself.

Tools whose names begin with run_, generate_, refine_ or add_ change something, and run_ tools spend credits: ask the
user first. Give each such call an idempotencyKey of its own; repeat it with the same key after a timeout, and nothing
is done twice. A site can be scanned once an hour. Scans take minutes: poll {{prefix}}get_scan_status after
pollAfterSeconds.

Results are short. `omitted` counts the rows of a list that were left out and `seeMore` is the call that brings them;
detail: "full" adds what short rows leave out. `nextStep` is a call that leads on and works as it stands. A failed
call says in error.message what would be right, and in error.details.nextStep which call helps. {QUOTE_NOTICE}
"""
"""What a model reads about the service before its first call."""


def build_server(registry: Registry, dispatcher: Dispatcher) -> Server[dict[str, Any]]:
    """A server with the tools of the registry and the prompts that use them: no resources."""

    async def list_tools(context: ServerRequestContext[Any, Any], params: object) -> HandlerResult:
        caller = await dispatcher.jobs.run(call_of(context).admit)
        listed = chosen(registry.definitions(caller.grantable), call_of(context).query, registry.prefix)
        return types.ListToolsResult.model_validate({"tools": listed})

    async def list_prompts(context: ServerRequestContext[Any, Any], params: object) -> HandlerResult:
        caller = await dispatcher.jobs.run(call_of(context).admit)
        shown = [each for each in all_prompts().values() if each.is_for(registry, caller.grantable)]
        return types.ListPromptsResult(prompts=[each.definition() for each in shown])

    async def get_prompt(
        context: ServerRequestContext[Any, Any], params: types.GetPromptRequestParams
    ) -> HandlerResult:
        caller = await dispatcher.jobs.run(call_of(context).admit)
        prompt = all_prompts().get(params.name)
        if prompt is None or not prompt.is_for(registry, caller.grantable):
            raise MCPError(types.INVALID_PARAMS, "There is no prompt with this name. prompts/list lists the prompts.")
        return prompt.filled(registry.prefix, params.arguments or {})

    async def call_tool(
        context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> HandlerResult:
        call, tool = call_of(context), registry.tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, "There is no tool with this name. tools/list lists the tools.")
        call.name = params.name
        return await dispatcher.call(call, tool, params.arguments or {})

    server: Server[dict[str, Any]] = Server(
        NAME,
        version=VERSION,
        title="Brand Visibility Service",
        instructions=INSTRUCTIONS.replace("{prefix}", registry.prefix),
        cache_hints={
            name: CacheHint(ttl_ms=LIST_MILLISECONDS, scope="private") for name in ("tools/list", "prompts/list")
        },
        get_tool_input_schema=registry.input_schema,
        on_list_tools=cast(Any, list_tools),
        on_call_tool=cast(Any, call_tool),
        on_list_prompts=cast(Any, list_prompts),
        on_get_prompt=cast(Any, get_prompt),
    )
    _let_discover(server)
    server.middleware = [explain]
    return server


def _let_discover(server: Server[dict[str, Any]]) -> None:
    """Discovery names all revisions that are served, as refusals do; the SDK's own names the modern one alone."""

    async def discover(context: ServerRequestContext[Any, Any], params: types.RequestParams) -> HandlerResult:
        return types.DiscoverResult(
            supported_versions=list(SERVED_REVISIONS),
            capabilities=server.get_capabilities(protocol_version=context.protocol_version),
            instructions=server.instructions,
        )

    server.add_request_handler("server/discover", types.RequestParams, discover)


def call_of(context: ServerRequestContext[Any, Any]) -> AgentCall:
    """The call that the endpoint put on the request."""
    if context.request is None:
        raise RuntimeError("The server is used without HTTP.")
    call: AgentCall = context.request.scope[SCOPE_KEY]
    return call


async def explain(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Name the error for the call log, and let each error of the protocol say what to do next."""
    call = call_of(ctx)
    try:
        return await call_next(ctx)
    except NotAdmitted:
        raise MCPError(types.INVALID_REQUEST, "This key has no access here.") from None
    except ValidationError:
        call.error_code = ERROR_NAMES[types.INVALID_PARAMS]
        advice = "Correct them and send the request again."
        if ctx.method == "tools/call":
            advice = "Give name, which is a string, and arguments, which is an object."
        raise MCPError(types.INVALID_PARAMS, f"The params are malformed. {advice}") from None
    except MCPError as error:
        call.error_code = ERROR_NAMES.get(error.error.code, "protocol_error")
        if error.error.code == types.METHOD_NOT_FOUND:
            message = "This server has tools and prompts only. Use tools/list and tools/call."
            raise MCPError(types.METHOD_NOT_FOUND, message) from None
        raise
