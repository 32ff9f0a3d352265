"""JSON Schemas of arguments and results, from the same models that check and write them."""

from typing import Any

from pydantic import BaseModel

from apikeys.resources import Resource
from mcp_bridge.short.projection import Short


def input_schema(model: type[BaseModel]) -> dict[str, Any]:
    """What a tool accepts: a schema that refuses unknown arguments."""
    return _plain(model.model_json_schema(by_alias=True, mode="validation"))


def output_schema(model: type[Resource], *, short: Short | None = None, described: bool = False) -> dict[str, Any]:
    """What a tool returns. Every field is there, so that defaults say nothing; where there is a short form, those of
    the result itself that it never leaves out.

    Only the reference has it `described`: who looks at a result reads the names of its fields, and the list of tools
    has to stay small.
    """
    schema = _plain(model.model_json_schema(by_alias=True, mode="serialization"))
    for part in (schema, *schema.get("$defs", {}).values()):
        properties = part.get("properties", {})
        part.pop("required", None)
        for name, field in properties.items():
            field.pop("default", None)
            if not described:
                field.pop("description", None)
            properties[name] = _short(field)
        if properties and (short is None or part is schema):
            part["required"] = [name for name in properties if short is None or name not in short.leave_out]
    if short is not None:
        schema["properties"] |= _OF_SHORT
    return schema


_OF_SHORT: dict[str, Any] = {
    "omitted": {
        "type": "array",
        "items": {"type": "object", "properties": {"part": {"type": "string"}, "count": {"type": "integer"}}},
    },
    "seeMore": {"type": "array", "items": {"type": "object", "additionalProperties": True}},
}
"""What the short form adds to a result."""


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Without the titles that are made of names, and without the words about the model as a whole: both say nothing
    that names and descriptions of tools do not."""
    for part in (schema, *schema.get("$defs", {}).values()):
        part.pop("title", None)
        part.pop("description", None)
        for field in part.get("properties", {}).values():
            field.pop("title", None)
    return schema


def _short(field: dict[str, Any]) -> dict[str, Any]:
    """A field that may be null in its shorter form: `{"type": ["number", "null"]}` instead of two alternatives."""
    alternatives: list[dict[str, Any]] = field.get("anyOf", [])
    if len(alternatives) != 2 or alternatives[1] != {"type": "null"} or "type" not in alternatives[0]:
        return field
    short = alternatives[0] | {name: value for name, value in field.items() if name != "anyOf"}
    short["type"] = [alternatives[0]["type"], "null"]
    values = short.get("enum") or ([short.pop("const")] if "const" in short else [])
    if values:
        short["enum"] = [*values, None]
    return short
