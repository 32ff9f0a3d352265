"""What a model is shown of the tools: complete, small, and true to what they take and return."""

import html
import json
import re

import pytest
from jsonschema import Draft202012Validator

from apikeys.scopes import ALL_SCOPES, Scope
from mcp_bridge.registry import Registry, Tool
from mcp_bridge.server import INSTRUCTIONS
from mcp_bridge.tools import ALL_TOOLS
from tests.mcp.conftest import MODES, PREFIX

DEFINITIONS = Registry(ALL_TOOLS, prefix=PREFIX).definitions(ALL_SCOPES)
NAMES = [definition["name"] for definition in DEFINITIONS]
MAX_WORDS = 60


def positions(schema):
    """Each schema within the schema."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from positions(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from positions(value)


def each(test):
    return pytest.mark.parametrize("definition", DEFINITIONS, ids=NAMES)(test)


@each
def test_a_definition_is_complete(definition):
    assert definition["title"]
    assert len(definition["description"].split()) < MAX_WORDS
    assert set(definition["annotations"]) == {
        "title",
        "readOnlyHint",
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
    }
    assert "{prefix}" not in json.dumps(definition)


@each
def test_schemas_are_valid_and_leave_nothing_untyped(definition):
    for name in ("inputSchema", "outputSchema"):
        schema = definition[name]
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        for position in positions(schema):
            if position.get("type") == "object":
                assert "properties" in position or "additionalProperties" in position, position
            assert position.get("type") != "array" or "items" in position, position
    assert definition["inputSchema"]["additionalProperties"] is False


@each
def test_each_argument_is_explained(definition):
    for name, field in definition["inputSchema"]["properties"].items():
        assert field.get("description"), name


@each
def test_only_tools_that_change_something_take_an_idempotency_key(definition):
    creates = "idempotencyKey" in definition["inputSchema"]["properties"]
    begins = definition["name"].removeprefix(PREFIX).split("_")[0]
    assert creates == (begins in ("run", "generate", "refine", "add"))
    assert definition["annotations"]["readOnlyHint"] is not creates
    assert definition["annotations"]["destructiveHint"] is False


@each
def test_texts_name_tools_that_there_are(definition):
    assert set(re.findall(rf"\b{PREFIX}\w+", json.dumps(definition))) <= set(NAMES)


@each
def test_texts_name_tools_as_they_are_called(definition):
    bare = "|".join(name.removeprefix(PREFIX) for name in NAMES if "_" in name.removeprefix(PREFIX))
    assert not re.findall(rf"\b(?:{bare})\b", json.dumps(definition))


def test_the_instructions_name_tools_that_there_are():
    words = INSTRUCTIONS.replace("{prefix}", PREFIX).replace(":", " ").replace(".", " ").split()
    assert {word for word in words if word.startswith(PREFIX)} <= set(NAMES)


@pytest.mark.parametrize("mode", MODES)
def test_clients_are_shown_the_same_in_the_same_order(agent, key, mode):
    for _ in range(2):
        tools = agent.session(key, lambda client: client.list_tools(), mode=mode).tools
        assert [tool.name for tool in tools] == NAMES
    for tool, definition in zip(tools, DEFINITIONS, strict=True):
        assert (tool.input_schema, tool.output_schema) == (definition["inputSchema"], definition["outputSchema"])


def test_clients_are_told_how_to_work_with_the_service(agent, key):
    for mode in MODES:
        told = agent.session(key, _instructions, mode=mode)
        assert f"{PREFIX}list_sites" in told and "{" not in told
        assert "untrusted" in told
        assert f"Inside, {html.escape('< > &')} stand for < > &" in told


async def _instructions(client):
    return client.instructions


def test_the_prefix_is_one_setting():
    registry = Registry(ALL_TOOLS, prefix="other_")
    listed = registry.definitions(ALL_SCOPES)
    assert [definition["name"] for definition in listed] == [f"other_{tool.name}" for tool in ALL_TOOLS]
    assert PREFIX not in json.dumps(listed)


def test_two_tools_of_one_name_are_refused():
    with pytest.raises(ValueError, match="Two tools"):
        Registry([ALL_TOOLS[0], Tool(**_fields(ALL_TOOLS[0]))], prefix=PREFIX)


def test_a_tool_has_a_handler_or_a_writer_and_a_brand_if_it_creates():
    fields = _fields(ALL_TOOLS[0])
    for changed in (
        {"handler": None},
        {"writer": lambda caller, arguments: None},
        {"brand_of": lambda caller, arguments: None},
    ):
        with pytest.raises(ValueError, match=fields["name"]):
            Tool(**fields | changed)


def _fields(tool):
    return {name: getattr(tool, name) for name in Tool.__dataclass_fields__}


def test_every_scope_opens_a_tool():
    assert {tool.scope for tool in ALL_TOOLS} == set(Scope)
