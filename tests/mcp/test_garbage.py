"""Whatever is sent: never a failure of the service, never a second effect, never a word of another account."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apikeys.models import CallLog
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import BrandFactory, RecommendationFactory, RunFactory
from tests.mcp.conftest import MODERN, PREFIX, make_prompt

few = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=50)
    | st.uuids().map(str)
    | st.sampled_from(["\0", "' OR 1=1 --", "\u202e", "a" * 70_000, "../..", "{{7*7}}", "%s%n", "\ud83d\ude00"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)
METHODS = st.sampled_from(["tools/call", "tools/list", "initialize", "ping", "server/discover", "resources/read"])
VERSIONS = st.sampled_from(["", "2025-06-18", "2025-11-25", "2026-07-28", "2099-01-01"])
CODES = {"invalid_arguments", "not_found"}


@pytest.fixture
def secret():
    """Rows of another account whose words must not come out."""
    brand = BrandFactory(name="SECRETBRAND", domain="secretbrand.example")
    RecommendationFactory(brand=brand, subject="SECRETBRAND topic")
    prompt = make_prompt(brand, "SECRETBRAND question", "SECRETBRAND topic")
    return {"siteId": str(brand.pk), "runId": str(RunFactory(brand=brand).pk), "promptId": str(prompt.pk)}


def judge(response):
    assert response.status_code in (200, 202, 400, 404), response.text
    assert "SECRETBRAND" not in response.text
    assert "Traceback" not in response.text
    if response.content:
        answer = response.json()
        if "result" in answer and answer["result"].get("isError"):
            assert answer["result"]["_meta"]["error"]["code"] != "internal_error"
        if "error" in answer:
            assert answer["error"]["code"] != -32603


@few
@given(method=METHODS | st.text(max_size=20), params=VALUES, id=VALUES, version=VERSIONS)
def test_any_message(agent, key, secret, method, params, id, version):
    headers = {"MCP_Protocol_Version": version} if version else {}
    judge(agent.post({"jsonrpc": "2.0", "id": id, "method": method, "params": params}, key, **headers))


@few
@given(body=st.binary(max_size=200) | VALUES.map(lambda value: json.dumps(value).encode()), version=VERSIONS)
def test_any_body(agent, key, body, version):
    headers = {"MCP_Protocol_Version": version} if version else {}
    judge(agent.post(body, key, **headers))


@pytest.mark.parametrize("tool", [tool.name for tool in ALL_TOOLS])
@settings(few, max_examples=8)
@given(data=st.data())
def test_any_arguments_of_any_tool(agent, key, secret, tool, data):
    names = [tool.arguments.model_fields for tool in ALL_TOOLS]
    known = sorted({field.alias for fields in names for field in fields.values()})
    arguments = data.draw(st.dictionaries(st.sampled_from(known) | st.text(max_size=8), VALUES, max_size=5))
    arguments |= data.draw(st.sampled_from([{}, secret, {"siteId": secret["siteId"]}]))
    params = {"name": PREFIX + tool, "arguments": arguments}
    response = agent.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, key)
    judge(response)
    result = response.json()["result"]
    if result["isError"]:
        assert result["_meta"]["error"]["code"] in CODES


@few
@given(params=st.dictionaries(st.text(max_size=10), VALUES, max_size=3), name=st.text(max_size=30))
def test_any_modern_call(agent, key, params, name):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**params, **MODERN, "name": name}}
    judge(agent.post(message, key, MCP_Protocol_Version="2026-07-28", Mcp_Method="tools/call"))


def test_the_call_log_contains_no_words_of_callers(agent, key):
    for method in ("SECRET", "tools/SECRET"):
        agent.post({"jsonrpc": "2.0", "id": 1, "method": method}, key)
    call = {"name": "SECRET", "arguments": {"SECRET": "SECRET"}}
    agent.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}, key)
    agent.call(key, "list_prompts", {"siteId": "SECRET"})
    assert CallLog.objects.exists()
    assert not [row for row in CallLog.objects.all() if "SECRET" in f"{row.name}{row.error_code}{row.request_id}"]
