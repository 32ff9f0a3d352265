"""The protocol: which methods there are, what they answer, and the words of its own errors."""

from typing import Any, cast

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from mcp_bridge.call import SCOPE_KEY, Call, NotAdmitted
from mcp_bridge.dispatch import Dispatcher
from mcp_bridge.instructions import INSTRUCTIONS
from mcp_bridge.registry import Registry
from mcp_bridge.requests import SERVED_REVISIONS
from mcp_bridge.results import COMPLETE

NAME = "brand-visibility-service"
VERSION = "1.0.0"
LIST_SECONDS = 300
"""How long clients may keep the list of tools; it depends on the key."""
ERROR_NAMES = {
    types.INVALID_PARAMS: "invalid_params",
    types.METHOD_NOT_FOUND: "method_not_found",
    types.INVALID_REQUEST: "invalid_request",
    types.PARSE_ERROR: "parse_error",
}
"""What the call log says of errors of the protocol."""


def build_server(registry: Registry, dispatcher: Dispatcher) -> Server[dict[str, Any]]:
    """A server with the tools of the registry and nothing else: no resources, no prompts."""

    async def list_tools(context: ServerRequestContext[Any, Any], params: object) -> HandlerResult:
        caller = await dispatcher.jobs.run(call_of(context).admit)
        return {
            "tools": registry.definitions(caller.scopes),
            "ttlMs": LIST_SECONDS * 1000,
            "cacheScope": "private",
            **COMPLETE,
        }

    async def call_tool(
        context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> HandlerResult:
        call, tool = call_of(context), registry.find(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, "There is no tool with this name. tools/list lists the tools.")
        call.name = params.name
        return await dispatcher.call(call, tool, params.arguments or {})

    server: Server[dict[str, Any]] = Server(
        NAME,
        version=VERSION,
        title="Brand Visibility Service",
        instructions=INSTRUCTIONS.replace("{prefix}", registry.prefix),
        get_tool_input_schema=registry.input_schema,
        on_list_tools=cast(Any, list_tools),
        on_call_tool=cast(Any, call_tool),
    )

    _let_discover(server)
    server.middleware = [explained]
    return server


def _let_discover(server: Server[dict[str, Any]]) -> None:
    """Discovery names all revisions that are served, as refusals of another one do; the library's own names the
    modern one alone."""

    async def discover(context: ServerRequestContext[Any, Any], params: types.RequestParams) -> HandlerResult:
        return types.DiscoverResult(
            supported_versions=list(SERVED_REVISIONS),
            capabilities=server.get_capabilities(protocol_version=context.protocol_version),
            instructions=server.instructions,
        )

    server.add_request_handler("server/discover", types.RequestParams, discover)


def call_of(context: ServerRequestContext[Any, Any]) -> Call:
    """The call that the application put on the request."""
    if context.request is None:
        raise RuntimeError("The server is used without HTTP.")
    call: Call = context.request.scope[SCOPE_KEY]
    return call


async def explained(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Name the error for the call log, and let each error of the protocol say what to do next."""
    call = call_of(ctx)
    try:
        return await call_next(ctx)
    except NotAdmitted:
        raise MCPError(types.INVALID_REQUEST, "This key has no access here.") from None
    except ValidationError:
        call.error_code = ERROR_NAMES[types.INVALID_PARAMS]
        raise MCPError(types.INVALID_PARAMS, _malformed(ctx.method)) from None
    except MCPError as error:
        call.error_code = ERROR_NAMES.get(error.error.code, "protocol_error")
        if error.error.code == types.METHOD_NOT_FOUND:
            raise MCPError(types.METHOD_NOT_FOUND, _NO_METHOD) from None
        raise


_NO_METHOD = "This server has tools only. Use tools/list and tools/call."


def _malformed(method: str) -> str:
    if method == "tools/call":
        return "The params are malformed. Give name, which is a string, and arguments, which is an object."
    return "The params are malformed. Correct them and send the request again."
