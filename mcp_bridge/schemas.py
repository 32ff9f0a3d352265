"""JSON Schemas of arguments and results, from the same models that check and write them."""

import json
import re
from collections import Counter
from typing import Any

from pydantic import BaseModel

from apikeys.resources import Resource
from mcp_bridge.short.projection import Short


def input_schema(model: type[BaseModel]) -> dict[str, Any]:
    """What a tool accepts: a schema that refuses unknown arguments."""
    schema = _plain(model.model_json_schema(by_alias=True, mode="validation"))
    for field in schema["properties"].values():
        if field.get("default", ...) is None:
            del field["default"]
    return schema


def output_schema(
    model: type[Resource],
    *,
    short: Short | None = None,
    can_miss: bool = False,
    leads_on: bool = False,
    described: bool = False,
) -> dict[str, Any]:
    """What a tool returns: the fields of the result itself are there but for those that a short form leaves out.

    The list of tools has to stay small, and who looks at a result reads the names of its fields. So only the
    reference has it `described`, and what only the full form shows with more than its type.
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
    left_out = short.leave_out if short is not None else ()
    schema["required"] = [name for name in schema["properties"] if name not in left_out]
    if short is not None:
        schema["properties"] |= _OF_SHORT
    if leads_on:
        schema["properties"]["nextStep"] = _ANY_OBJECT | {"type": ["object", "null"]}
    if can_miss:
        schema["properties"]["missing"] = {"type": "array", "items": _ANY_OBJECT}
    if not described:
        for path in left_out:
            _loosen(schema, path)
        _without_unused(schema)
    return schema


def _loosen(schema: dict[str, Any], path: str) -> None:
    """Say no more of what stands at a path than its type."""
    *way, name = [step.partition("[")[0] for step in path.split(".")]
    part: dict[str, Any] = schema
    for step in way:
        part = _object(schema, part.get("properties", {}).get(step, {}))
    properties = part.get("properties", {})
    field = properties.get(name, {})
    if "$ref" in field.get("items", {}):
        properties[name] = {"type": field["type"], "items": _ANY_OBJECT}
    elif "anyOf" in field:
        properties[name] = _ANY_OBJECT | {"type": ["object", "null"]}
    elif "$ref" in field:
        properties[name] = _ANY_OBJECT
    elif field.get("type") not in (None, "array", "object"):
        properties[name] = {"type": field["type"]}


def _object(schema: dict[str, Any], field: dict[str, Any]) -> dict[str, Any]:
    """The object that a field holds: itself, as items, or where it is not null."""
    field = field.get("items") or next(iter(field.get("anyOf", ())), field)
    definition: dict[str, Any] = schema.get("$defs", {}).get(field.get("$ref", "").rpartition("/")[2], {})
    return definition


def _without_unused(schema: dict[str, Any]) -> None:
    """Leave out the definitions that nothing points to any more."""
    definitions: dict[str, Any] = schema.pop("$defs", {})
    waiting, used = [schema], dict[str, Any]()
    while waiting:
        for name in _DEFINITION.findall(json.dumps(waiting.pop())):
            if name not in used:
                used[name] = definitions[name]
                waiting.append(definitions[name])
    if used:
        schema["$defs"] = {name: definition for name, definition in definitions.items() if name in used}
        _put_in_place(schema)


def _put_in_place(schema: dict[str, Any]) -> None:
    """Write definitions that one field alone points to where that field is."""
    definitions = schema["$defs"]
    counts = Counter(_DEFINITION.findall(json.dumps(schema)))
    for holder in (schema, *list(definitions.values())):
        for name, field in holder.get("properties", {}).items():
            holder["properties"][name] = _in_place(field, definitions, counts)
    if not definitions:
        del schema["$defs"]


def _in_place(field: Any, definitions: dict[str, Any], counts: Counter[str]) -> Any:
    if isinstance(field, list):
        return [_in_place(part, definitions, counts) for part in field]
    if not isinstance(field, dict):
        return field
    name = str(field.get("$ref", "")).rpartition("/")[2]
    if name and counts[name] == 1:
        return definitions.pop(name)
    return {key: _in_place(part, definitions, counts) for key, part in field.items()}


_DEFINITION = re.compile(r"#/\$defs/(\w+)")
_ANY_OBJECT: dict[str, Any] = {"type": "object", "additionalProperties": True}


_OF_SHORT: dict[str, Any] = {
    "omitted": {
        "type": "array",
        "items": {"type": "object", "properties": {"part": {"type": "string"}, "count": {"type": "integer"}}},
    },
    "seeMore": {"type": "array", "items": _ANY_OBJECT},
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
