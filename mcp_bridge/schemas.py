"""JSON Schemas of arguments and results, from the same models that check and write them."""

from typing import Any

from pydantic import BaseModel

from apikeys.resources import Resource


def input_schema(model: type[BaseModel]) -> dict[str, Any]:
    """What a tool accepts: a schema that refuses unknown arguments."""
    return _plain(model.model_json_schema(by_alias=True, mode="validation"))


def output_schema(model: type[Resource]) -> dict[str, Any]:
    """What a tool returns."""
    return _plain(model.model_json_schema(by_alias=True, mode="serialization"))


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Without the titles that are made of names, and without the words about the model as a whole: both say nothing
    that names and descriptions of tools do not."""
    for part in (schema, *schema.get("$defs", {}).values()):
        part.pop("title", None)
        part.pop("description", None)
        for field in part.get("properties", {}).values():
            field.pop("title", None)
    return schema
