"""Methods of the protocol that this server does not have."""

import pytest

from tests.factories import ApiKeyFactory

REVISION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.mark.parametrize("method", ["subscriptions/listen", "resources/list", "prompts/list", "logging/setLevel"])
def test_a_method_that_is_not_there_is_answered_with_what_there_is(agent, method):
    params = {"notifications": {"toolsListChanged": True}, "_meta": META}
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    answer = agent.post(message, ApiKeyFactory(), mcp_protocol_version=REVISION, mcp_method=method)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["id"] == 7
    assert answer.json()["error"]["code"] == -32601
    assert "tools/list" in answer.json()["error"]["message"]
