"""What a tool is: a function with typed arguments and result, whose docstring agents read."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints
from urllib.parse import parse_qs

from apikeys.accounts.caller import Caller
from apikeys.resources import Resource
from apikeys.scopes import Scope
from brands.access import editable_brand
from brands.models import Brand
from mcp_bridge.arguments import Arguments, Creating, SiteArguments

R = TypeVar("R", bound=Resource)
MOST_WORDS = 60
"""Of a description: all 27 tools together have to fit into a model's context."""


@dataclass(frozen=True, slots=True)
class Step:
    """The call to make next. `tool` is without the prefix, `arguments` are complete."""

    tool: str
    arguments: Mapping[str, Any]
    why: str


@dataclass(frozen=True, slots=True)
class Reply(Generic[R]):
    """A resource, and what agents need besides: the call to make next, and which lists may be cut.

    `rows` names the list that is cut to what a model can read, or several with spaces between, the first with most
    room, unless the caller asked for a number of rows or for everything; of `keeps_last`, one of them, first rows go.
    The step is left out for keys that may not take it.
    """

    resource: R
    next_step: Step | None = None
    rows: str = ""
    keeps_last: str = ""


@dataclass(frozen=True, slots=True)
class Later(Generic[R]):
    """What a slow tool returns after asking engines: `store` runs in the transaction that records the result."""

    store: Callable[[], R | Reply[R]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool of the agent door. `name` is without the prefix; texts have `{prefix}` for it.

    `brand_of` is there for tools that create something: the brand that the call is about; it raises unless the caller
    may change it. What such a tool writes and the record of its result are one transaction.
    """

    name: str
    title: str
    description: str
    scope: Scope
    arguments: type[Arguments]
    result: type[Resource]
    function: Callable[[Caller, Any], Any]
    brand_of: Callable[[Caller, Any], Brand] | None
    is_slow: bool
    asks_engines: bool

    def brand(self, caller: Caller, arguments: Creating) -> Brand:
        """The brand that a call which changes something is about; raises unless the caller may change it."""
        if self.brand_of is None:
            raise TypeError(f"{self.name} changes nothing.")
        return self.brand_of(caller, arguments)

    @property
    def creates(self) -> bool:
        """Whether a call changes something."""
        return self.brand_of is not None

    def for_real(self, arguments: Arguments, why: str = "does it") -> Step:
        """The call of a dry run, without that."""
        return Step(self.name, arguments.again("dry_run"), why)

    def definition(self, prefix: str) -> dict[str, Any]:
        """The tool as tools/list shows it."""
        definition = {
            "name": f"{prefix}{self.name}",
            "title": self.title,
            "description": self.description,
            "inputSchema": input_schema(self.arguments),
            "outputSchema": output_schema(self.result),
            "annotations": {
                "readOnlyHint": not self.creates,
                "destructiveHint": False,
                "idempotentHint": not self.creates,
                "openWorldHint": self.asks_engines,
            },
        }
        named: dict[str, Any] = json.loads(json.dumps(definition).replace("{prefix}", prefix))
        return named


def tool(
    title: str, scope: Scope, *, creates: Callable[[Caller, Any], Brand] | None = None, asks_engines: bool = False
) -> Callable[[Callable[[Caller, Any], Any]], Tool]:
    """Make a tool of a function (caller, arguments) → Resource, Reply or Later of one."""

    def make(function: Callable[[Caller, Any], Any]) -> Tool:
        hints = get_type_hints(function)
        returned = hints.pop("return")
        arguments = list(hints.values())[-1]
        name = function.__name__
        description = " ".join((function.__doc__ or "").split())
        if (creates is not None) != issubclass(arguments, Creating):
            raise TypeError(f"{name}: who takes Creating arguments has to say by `creates` what the call is about.")
        if not 0 < len(description.split()) <= MOST_WORDS:
            raise TypeError(f"{name}: the docstring is the description; it has 1 to {MOST_WORDS} words.")
        return Tool(
            name=name,
            title=title,
            description=description,
            scope=scope,
            arguments=arguments,
            result=get_args(returned)[0] if get_origin(returned) else returned,
            function=function,
            brand_of=creates,
            is_slow=get_origin(returned) is Later,
            asks_engines=asks_engines,
        )

    return make


class Registry:
    """The tools by their names with the prefix, in a fixed order."""

    def __init__(self, tools: Iterable[Tool], *, prefix: str) -> None:
        self.prefix = prefix
        self.tools: dict[str, Tool] = {}
        for each in tools:
            if self.tools.setdefault(f"{prefix}{each.name}", each) is not each:
                raise ValueError(f"Two tools are named {each.name}.")
        self._definitions = {name: each.definition(prefix) for name, each in self.tools.items()}

    def definitions(self, scopes: frozenset[str]) -> list[dict[str, Any]]:
        """The tools that a key with these scopes may call, in their fixed order."""
        return [self._definitions[name] for name, each in self.tools.items() if each.scope in scopes]

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """The schema of a tool's arguments; None for a tool that does not exist."""
        definition = self._definitions.get(name)
        return definition["inputSchema"] if definition else None

    def written_step(self, step: Step | None, caller: Caller) -> dict[str, Any] | None:
        """The step as results show it; None where there is no such tool or the key lacks its scope."""
        known = self.tools.get(f"{self.prefix}{step.tool}") if step else None
        if step is None or known is None or known.scope not in caller.scopes:
            return None
        return {
            "tool": f"{self.prefix}{step.tool}",
            "arguments": json.loads(json.dumps(step.arguments, default=str)),
            "why": step.why.replace("{prefix}", self.prefix),
        }


def chosen(definitions: list[dict[str, Any]], query: str, prefix: str) -> list[dict[str, Any]]:
    """Those of the tools that the query of the endpoint's address asks to list: `tools=` names them, by commas, with
    the prefix or without; `readonly=1` leaves out those that change something. Other tools can still be called."""
    asked = parse_qs(query)
    names = {name.strip() for text in asked.get("tools", ()) for name in text.split(",")} - {""}
    only_reads = asked.get("readonly", ["0"])[-1] not in ("", "0", "false")
    return [
        each
        for each in definitions
        if (not names or names & {each["name"], each["name"].removeprefix(prefix)})
        and (not only_reads or each["annotations"]["readOnlyHint"])
    ]


def editable_site(caller: Caller, arguments: SiteArguments) -> Brand:
    """For `creates`: the site, if the caller may change it."""
    return editable_brand(caller, arguments.site_id)


def input_schema(arguments: type[Arguments]) -> dict[str, Any]:
    """The schema of arguments in the keywords that every client converts: each has one plain type, optional ones are
    only not required. That others are passed over is not mentioned, nor null, which means left out."""
    schema = arguments.model_json_schema(by_alias=True)
    fields, required = schema.get("properties", {}), schema.get("required", [])
    names = [*required, *(name for name in fields if name not in required)]
    properties = {name: _short(fields[name], schema) for name in names}
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def output_schema(result: type[Resource]) -> dict[str, Any]:
    """The types of the top level; what is nested explains itself by its names. Which fields always come is not
    listed, as it would repeat every name."""
    schema = result.model_json_schema(by_alias=True, mode="serialization")
    types = {name: {"type": _types(field, schema)} for name, field in schema["properties"].items()}
    return {"type": "object", "properties": types}


def _short(field: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """One argument without what models do not need: titles, null, limits that a refusal explains, and a default that
    comes first in its enumeration."""
    own, inner = {**field}, None
    if "$ref" in own:
        inner = {**schema["$defs"][own.pop("$ref").rsplit("/", 1)[1]], "description": ""}
    elif "anyOf" in own:
        [inner] = [branch for branch in own.pop("anyOf") if branch.get("type") != "null"]
    if inner is not None:
        return _short({**inner, **own}, schema)
    if "const" in own:
        own["enum"] = [own["const"]]
    default = own.get("default")
    if default and default != next(iter(own.get("enum", ())), None):  # some clients refuse the keyword
        own["description"] = "; ".join([*filter(None, [own.get("description")]), f"default: {default}"])
    known = ("type", "enum", "description", "items")
    return {name: _short(own[name], schema) if name == "items" else own[name] for name in known if own.get(name)}


def _types(field: Mapping[str, Any], schema: Mapping[str, Any]) -> str | list[str]:
    if "$ref" in field:
        return _types(schema["$defs"][field["$ref"].rsplit("/", 1)[1]], schema)
    if "anyOf" in field:
        return sorted({str(_types(branch, schema)) for branch in field["anyOf"]})
    return str(field.get("type", "object"))
