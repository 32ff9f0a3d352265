"""What clients in Python make of the tools, each by its own converter: run by an interpreter that has them.

`python clients.py CLIENT URL KEY` prints as JSON which tools the client converted, which ones it refused and why, and
the result of a call that went through it.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

import httpx
from agents.mcp import MCPServerStreamableHttp, MCPUtil
from agents.tool_context import ToolContext
from google.genai._mcp_utils import mcp_to_gemini_tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_google_genai._function_utils import convert_to_genai_function_declarations
from langchain_mcp_adapters.client import MultiServerMCPClient
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

FILLED = {"string": "", "boolean": False, "integer": 1, "array": []}
"""What a model sends that has to fill every argument."""


def converted(tools: Iterable[Any], convert: Callable[[Any], Any]) -> dict[str, Any]:
    """The tools by what the client did with each."""
    found: dict[str, Any] = {"tools": [], "refused": {}}
    for tool in tools:
        try:
            convert(tool)
            found["tools"].append(tool.name)
        except Exception as error:
            found["refused"][tool.name] = f"{type(error).__name__}: {error}"
    return found


async def google_genai(url: str, key: str) -> dict[str, Any]:
    """The SDK of Gemini, which makes function declarations of the tools of a session."""
    async with (
        httpx.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=30) as http,
        streamable_http_client(url, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        found = converted((await session.list_tools()).tools, mcp_to_gemini_tool)
        result = await session.call_tool("svc_list_sites", {})
        return {**found, "result": result.structuredContent}


async def openai_agents(url: str, key: str) -> dict[str, Any]:
    """The Agents SDK with strict schemas, in which a model has to fill every argument."""

    def strict(tool: Any) -> Any:
        function = MCPUtil.to_function_tool(tool, server, convert_schemas_to_strict=True)
        if not function.strict_json_schema:  # it takes the tool without, and only logs why
            raise ValueError("not strict")
        return function

    headers = {"Authorization": f"Bearer {key}"}
    async with MCPServerStreamableHttp({"url": url, "headers": headers}) as server:
        tools = await server.list_tools()
        found = converted(tools, strict)
        sites = json.loads((await server.call_tool("svc_list_sites", {})).content[0].text)["sites"]
        function = strict(next(tool for tool in tools if tool.name == "svc_get_visibility_scores"))
        fields = function.params_json_schema["properties"]
        given = {name: field.get("enum", [FILLED[field["type"]]])[0] for name, field in fields.items()}
        written = json.dumps({**given, "siteId": sites[0]["id"]})
        context = ToolContext(None, tool_name=function.name, tool_call_id="call_1", tool_arguments=written)
        answer = await function.on_invoke_tool(context, written)
        return {**found, "result": json.loads(answer["text"] if isinstance(answer, dict) else answer)}


async def langchain(url: str, key: str) -> dict[str, Any]:
    """LangChain's adapter, whose tools are bound to models of OpenAI and of Gemini."""

    def bound(tool: Any) -> None:
        convert_to_openai_tool(tool, strict=True)
        convert_to_genai_function_declarations([tool])

    service = {"transport": "streamable_http", "url": url, "headers": {"Authorization": f"Bearer {key}"}}
    tools = await MultiServerMCPClient({"service": service}).get_tools()
    answer = await next(tool for tool in tools if tool.name == "svc_list_sites").ainvoke({})
    return {**converted(tools, bound), "result": json.loads(answer[0]["text"])}


CLIENTS = {each.__name__: each for each in (google_genai, openai_agents, langchain)}

if __name__ == "__main__":
    client, url, key = sys.argv[1:]
    print(json.dumps(asyncio.run(CLIENTS[client](url, key))))
