"""What a tool is, and which there are."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from apikeys.caller import Caller
from apikeys.db.written import Written
from apikeys.errors import ErrorCode
from apikeys.resources import Resource
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import editable_brand
from mcp_bridge.arguments import Arguments, CreatingArguments, ListingArguments, SiteArguments
from mcp_bridge.following import Follow
from mcp_bridge.missing import Rule
from mcp_bridge.schemas import input_schema, output_schema
from mcp_bridge.short.projection import Short

A = TypeVar("A", bound=Arguments)
Answer = Resource | Written[Any]
"""The resource, or for speed one that is written already."""
Effect = Callable[[], Answer]
NO_ERRORS: frozenset[ErrorCode] = frozenset()
PREFIX = "{prefix}"
"""Stands for the prefix of tool names in descriptions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[A]):
    """A tool of the agent door. `name` is without the prefix; in texts `{prefix}` stands for it.

    Either `handler` answers: it asks a service and returns the resource. Or, where an engine has to be asked first,
    which takes long, `writer` does that outside of a transaction and returns what is then to be stored.
    A tool that creates something has `brand_of`: the brand that the call is about, which raises unless the caller may
    change it. What such a tool stores and the record of its result are one transaction.
    `errors` are the codes that its service raises, besides those that all tools of its kind share: the reference of
    the tools prints them. `open_world` says that engines or the web are asked. `short` is what its result is cut to
    unless the caller asks for all of it; `missing` are the rules by which it says what it cannot tell,
    `leads_to` tells the call that goes on from it.
    """

    name: str
    title: str
    description: str
    scope: Scope
    arguments: type[A]
    result: type[Resource]
    handler: Callable[[Caller, A], Answer] | None = None
    writer: Callable[[Caller, A], Effect] | None = None
    brand_of: Callable[[Caller, A], Brand] | None = None
    short: Short | None = None
    missing: tuple[Rule, ...] = ()
    leads_to: Follow | None = None
    open_world: bool = False
    errors: frozenset[ErrorCode] = NO_ERRORS

    def __post_init__(self) -> None:
        if (self.handler is None) == (self.writer is None):
            raise ValueError(f"{self.name}: give a handler or a writer.")
        if self.creates != issubclass(self.arguments, CreatingArguments):
            raise ValueError(f"{self.name}: creating tools have brand_of and CreatingArguments, others neither.")
        if (self.short is not None) != issubclass(self.arguments, ListingArguments):
            raise ValueError(f"{self.name}: results with a short form take ListingArguments, others do not.")

    @property
    def creates(self) -> bool:
        """Whether a call changes something."""
        return self.brand_of is not None

    @property
    def only_reads(self) -> bool:
        """Whether a call changes nothing and waits for nothing but the database."""
        return self.writer is None and not self.creates

    def effect(self, caller: Caller, arguments: A) -> Effect:
        """What a call does in the end, with everything slow done already. The slow part blocks here."""
        if self.writer is not None:
            return self.writer(caller, arguments)
        handler = self.handler
        if handler is None:
            raise ValueError(f"{self.name} has neither handler nor writer.")
        return lambda: handler(caller, arguments)

    def definition(self, prefix: str) -> dict[str, Any]:
        """The tool as tools/list shows it."""
        definition = {
            "name": f"{prefix}{self.name}",
            "title": self.title,
            "description": self.description,
            "inputSchema": input_schema(self.arguments),
            "outputSchema": output_schema(
                self.result, short=self.short, can_miss=bool(self.missing), leads_on=self.leads_to is not None
            ),
            "annotations": {
                "title": self.title,
                "readOnlyHint": not self.creates,
                "destructiveHint": False,
                "idempotentHint": not self.creates,
                "openWorldHint": self.open_world,
            },
        }
        named: dict[str, Any] = json.loads(json.dumps(definition).replace(PREFIX, prefix))
        return named


class Registry:
    """The tools by their names with the prefix, in a fixed order."""

    def __init__(self, tools: Iterable[Tool[Any]], *, prefix: str) -> None:
        self.prefix = prefix
        self.tools: dict[str, Tool[Any]] = {}
        for tool in tools:
            if self.tools.setdefault(f"{prefix}{tool.name}", tool) is not tool:
                raise ValueError(f"Two tools are named {tool.name}.")
        self._definitions = {name: tool.definition(prefix) for name, tool in self.tools.items()}

    def find(self, name: str) -> Tool[Any] | None:
        """The tool with this full name."""
        return self.tools.get(name)

    def definitions(self, scopes: frozenset[str]) -> list[dict[str, Any]]:
        """The tools that a key with these scopes may call, in their fixed order."""
        return [self._definitions[name] for name, tool in self.tools.items() if tool.scope in scopes]

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """The schema of a tool's arguments; None for a tool that there is not."""
        definition = self._definitions.get(name)
        return definition["inputSchema"] if definition else None


def editable_site(caller: Caller, arguments: SiteArguments) -> Brand:
    """The `brand_of` of tools with a siteId: the site, if the caller may change it."""
    return editable_brand(caller, arguments.site_id)
