"""The tools that the conformance suite asks a server under test to have, added to the service's own."""

from collections.abc import Callable
from typing import Any, cast

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from mcp_bridge.results import COMPLETE

RED_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
TEXT = {"type": "text", "text": "This is a simple text response for testing."}
IMAGE = {"type": "image", "data": RED_PIXEL, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}

CONTENT: dict[str, list[dict[str, Any]]] = {
    "test_simple_text": [TEXT],
    "test_image_content": [IMAGE],
    "test_audio_content": [AUDIO],
    "test_embedded_resource": [
        {
            "type": "resource",
            "resource": {
                "uri": "test://embedded-resource",
                "mimeType": "text/plain",
                "text": "This is an embedded resource content.",
            },
        }
    ],
    "test_multiple_content_types": [
        {"type": "text", "text": "Multiple content types test:"},
        IMAGE,
        {
            "type": "resource",
            "resource": {
                "uri": "test://mixed-content-resource",
                "mimeType": "application/json",
                "text": '{"test":"data","value":123}',
            },
        },
    ],
    "test_error_handling": [{"type": "text", "text": "This tool intentionally returns an error for testing"}],
    "test_missing_capability": [TEXT],
    "test_streaming_elicitation": [TEXT],
    "test_logging_tool": [TEXT],
    "json_schema_2020_12_tool": [TEXT],
    "test_custom_header": [TEXT],
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
    "test_custom_header": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "required": ["region"],
        "additionalProperties": False,
    },
}


def add_fixtures(server: Server[Any]) -> None:
    """Let the server answer for the fixture tools, too; everything else it answers as in the service."""
    own_schema = cast(Callable[[str], Any], server.get_tool_input_schema)

    async def with_fixtures(context: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        params = context.params or {}
        if context.method == "tools/call" and params.get("name") in CONTENT:
            return answer(str(params["name"]))
        result = await call_next(context)
        if context.method == "tools/list":
            return {**cast(dict[str, Any], result), "tools": [*cast(Any, result)["tools"], *definitions()]}
        return result

    server.get_tool_input_schema = lambda name: schema_of(name) if name in CONTENT else own_schema(name)
    server.middleware = [*server.middleware, with_fixtures]


def answer(name: str) -> dict[str, Any]:
    """What the tool of this name returns, or raises."""
    if name == "test_missing_capability":
        raise MCPError(
            types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            "This tool needs sampling, which the client has not declared.",
            {"requiredCapabilities": {"sampling": {}}},
        )
    return {"content": CONTENT[name], "isError": name == "test_error_handling", **COMPLETE}


def schema_of(name: str) -> dict[str, Any]:
    """The schema of the arguments of a fixture tool."""
    return SCHEMAS.get(name, NOTHING)


def definitions() -> list[dict[str, Any]]:
    """The fixture tools as tools/list shows them."""
    return [
        {"name": name, "description": "For the conformance suite.", "inputSchema": schema_of(name)}
        for name in CONTENT
    ]
