"""The reference of the tools, made from the tools themselves: `python -m tests.mcp.reference --write`."""

import json
import os
import sys
from importlib import import_module
from pathlib import Path

import django

FILE = Path(__file__).resolve().parent.parent.parent / "docs" / "tools.md"
EXAMPLE_ID = "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e"
HEAD = """\
# The tools

Written by `python -m tests.mcp.reference --write` from the tools themselves; a test keeps it equal to them. How to
connect, what all results share and what each error means is in [agents.md](agents.md).

Each call can be refused with `invalid_arguments`, `insufficient_scope`, `unavailable` and `internal_error`; what else
a tool can be refused with stands with it.
"""


def reference(tools, prefix: str) -> str:
    """The whole page."""
    parts = [HEAD]
    area = ""
    for tool in tools:
        if area_of(tool) != area:
            area = area_of(tool)
            parts.append(f"## {area.capitalize()}\n")
        parts.append(section(tool, tool.definition(prefix)))
    return "\n".join(parts)


def area_of(tool) -> str:
    """The module that the tool stands in."""
    function = tool.handler or tool.writer
    return function.__module__.rsplit(".", 1)[-1].replace("_", " ")


def section(tool, definition) -> str:
    """One tool."""
    schema = definition["inputSchema"]
    lines = [f"### {definition['name']}", "", definition["description"], ""]
    facts = [f"Scope: `{tool.scope}`."]
    if tool.creates:
        facts.append("Creates something; takes `idempotencyKey`.")
    # Models need django.setup() before they are imported.
    if errors := import_module("tests.mcp.codes").known_errors(tool):
        facts.append("Errors: " + ", ".join(f"`{code}`" for code in sorted(errors)) + ".")
    lines += [" ".join(facts), ""]
    if schema["properties"]:
        lines += ["| Argument | Type | Meaning |", "|---|---|---|"]
        required = set(schema.get("required", ()))
        for name, field in schema["properties"].items():
            shown = f"`{name}`" if name in required else f"`{name}` (optional)"
            lines.append(f"| {shown} | {type_of(field, schema)} | {meaning(field)} |")
        lines.append("")
    call = {"name": definition["name"], "arguments": example_of(schema)}
    lines += ["Example:", "", "```json", json.dumps(call, ensure_ascii=False), "```", ""]
    output = described_output(tool)
    lines += ["Returns:", "", "```", "\n".join(shape(output, output)), "```", ""]
    return "\n".join(lines)


def described_output(tool):
    """The schema of the result with the words about its fields."""
    return import_module("mcp_bridge.schemas").output_schema(tool.result, short=tool.short, described=True)


def meaning(field) -> str:
    """The description, with the default where there is one."""
    default = field.get("default")
    text = field.get("description", "")
    return f"{text} (default: `{json.dumps(default)}`)" if default is not None else text


def type_of(field, root) -> str:
    """The type of an argument, in a few words."""
    field = resolved(field, root)
    if "anyOf" in field:
        return " or ".join(type_of(part, root) for part in field["anyOf"] if part.get("type") != "null")
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if field.get("type") == "array":
        return f"list of {type_of(field['items'], root)}"
    return field.get("format") or field.get("type") or "value"


def example_of(schema) -> dict:
    """The required arguments, filled in."""
    return {
        name: example_value(resolved(field, schema))
        for name, field in schema["properties"].items()
        if name in schema.get("required", ())
    }


def example_value(field):
    """A value for an argument."""
    if field.get("examples"):
        return field["examples"][0]
    if field.get("format") == "uuid":
        return EXAMPLE_ID
    return {"string": "…", "integer": field.get("minimum", 1), "boolean": True, "array": []}[field["type"]]


def resolved(field, root):
    """The schema behind a reference."""
    if "$ref" in field:
        return {**root["$defs"][field["$ref"].rsplit("/", 1)[1]], **{k: v for k, v in field.items() if k != "$ref"}}
    return field


def shape(field, root, indent="", name="", suffix="") -> list[str]:
    """The result as an outline: one line for each field."""
    field = resolved(field, root)
    if isinstance(field.get("type"), list):
        [kind, _] = field["type"]
        shown = {**field, "type": kind, "enum": [value for value in field.get("enum", ()) if value is not None]}
        if not shown["enum"]:
            del shown["enum"]
        return shape(shown, root, indent, name, " or null")
    if "anyOf" in field:
        parts = [part for part in field["anyOf"] if part.get("type") != "null"]
        merged = {**parts[0], **{k: v for k, v in field.items() if k != "anyOf"}}
        return shape(merged, root, indent, name, " or null" if len(parts) < len(field["anyOf"]) else "")
    about = f"  {field['description']}" if field.get("description") and name else ""
    if field.get("type") == "array":
        inner = resolved(field["items"], root)
        if "properties" not in inner:
            return [f"{indent}{name}: list of {type_of(inner, root)}{suffix}{about}"]
        return [f"{indent}{name}: list{suffix} of{about}", *fields(inner, root, indent + "  ")]
    if "properties" in field:
        if not name:
            return fields(field, root, indent)
        return [f"{indent}{name}:{suffix}{about}", *fields(field, root, indent + "  ")]
    if field.get("additionalProperties") is True:
        return [f"{indent}{name}: object{suffix}{about}"]
    if "additionalProperties" in field:
        return [f"{indent}{name}: {type_of(field['additionalProperties'], root)} by name{suffix}{about}"]
    return [f"{indent}{name}: {type_of(field, root).replace('`', '')}{suffix}{about}"]


def fields(schema, root, indent) -> list[str]:
    """The lines of an object's fields."""
    return [line for name, field in schema["properties"].items() for line in shape(field, root, indent, name)]


def current() -> str:
    """The page as it has to be now. Django has to be set up before."""
    return reference(import_module("mcp_bridge.tools").ALL_TOOLS, "svc_")


def main() -> int:
    """Print the page, or write it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    if "--write" in sys.argv[1:]:
        FILE.write_text(current())
    else:
        sys.stdout.write(current())
    return 0


if __name__ == "__main__":
    sys.exit(main())
