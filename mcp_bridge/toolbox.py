"""The tools that only read, in the hands of an engine that answers: with the caller's own scopes and sites."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings

from apikeys.caller import Caller
from mcp_bridge.arguments import parse
from mcp_bridge.missing import Steps
from mcp_bridge.reading import for_reader
from mcp_bridge.registry import Tool
from mcp_bridge.results import failure, tool_error, written
from visibility.writers.tasks import ToolOffer


class ReadingTools:
    """Of these tools those that change nothing, wait for nothing, and that the caller's scopes allow."""

    def __init__(self, caller: Caller, tools: Iterable[Tool[Any]]) -> None:
        self._caller = caller
        prefix = settings.TOOL_PREFIX
        tools = tuple(tools)
        self._scopes = {tool.name: tool.scope for tool in tools}
        self._tools = {
            f"{prefix}{tool.name}": tool for tool in tools if tool.only_reads and tool.scope in caller.scopes
        }

    @property
    def offers(self) -> Sequence[ToolOffer]:
        """The tools as tools/list describes them."""
        definitions = {name: tool.definition(settings.TOOL_PREFIX) for name, tool in self._tools.items()}
        return [
            ToolOffer(name, definition["description"], definition["inputSchema"]["properties"])
            for name, definition in definitions.items()
        ]

    def read(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """What a client of this door would get as text for the same call, a refusal included."""
        called = self._tools[tool]
        try:
            self._caller.require(called.scope)
            parsed = parse(called.arguments, arguments)
            result = written(called.effect(self._caller, parsed)())
            return for_reader(called, parsed, result, Steps(self._scopes, self._caller.scopes))
        except Exception as exc:
            error = tool_error(exc, settings.TOOL_PREFIX, called.arguments.model_fields, arguments)
            text: str = failure(error)["content"][0]["text"]
            return text
