"""What tools/list shows: small enough for a model's context, complete, and true of what comes."""

import json

import jsonschema
import pytest

from apikeys.scopes import Scope
from mcp_bridge.arguments import Creating
from mcp_bridge.tools import ALL_TOOLS
from tests.mcp.conftest import PREFIX

TOKENS = 7_000
BYTES_OF_A_TOKEN = 4.19
"""What tokenizers count in this list, in which there are more words than in results."""


@pytest.fixture
def definitions(agent, key):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    return {tool["name"]: tool for tool in agent.post(message, key).json()["result"]["tools"]}


def test_the_list_leaves_room_in_a_models_context(definitions):
    assert len(json.dumps(list(definitions.values()), separators=(",", ":"))) / BYTES_OF_A_TOKEN <= TOKENS


def test_every_tool_says_what_it_takes_gives_and_does(definitions):
    for tool in ALL_TOOLS:
        shown = definitions[PREFIX + tool.name]
        assert shown["title"] and shown["description"].endswith(".")
        assert "{" not in json.dumps(shown["description"]) and "{prefix}" not in json.dumps(shown)
        assert set(shown["annotations"]) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        writes = tool.scope.startswith(("write:", "run:"))
        assert shown["annotations"]["readOnlyHint"] is not writes
        assert issubclass(tool.arguments, Creating) is writes
        assert ("idempotencyKey" in shown["inputSchema"]["properties"]) is writes
        for schema in (shown["inputSchema"], shown["outputSchema"]):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert "$ref" not in json.dumps(schema)


def test_every_scope_of_a_tool_is_one_that_keys_carry():
    assert {tool.scope for tool in ALL_TOOLS} <= set(Scope)
