"""The prompts that people choose, and the filters in the endpoint's address."""

import json

import pytest
from asgiref.sync import async_to_sync

from apikeys.scopes import READ_SCOPES
from mcp_bridge.prompts import ARGUMENTS, FOLDER, all_prompts
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import make_key
from tests.live import ROOT
from tests.mcp.conftest import HEADERS, LIST, MODES, URL

FIVE = ["check_my_page", "compare_with", "plan_content", "weekly_report", "why_did_we_fall"]
MOST_BYTES = 1_600
"""Of the list of prompts, which clients load with the tools."""


@pytest.mark.parametrize("mode", MODES)
def test_the_five_prompts_are_listed(agent, key, mode):
    listed = agent.session(key, lambda client: client.list_prompts(), mode=mode)
    assert [each.name for each in listed.prompts] == FIVE
    assert len(listed.model_dump_json(exclude_none=True)) <= MOST_BYTES


@pytest.mark.parametrize("mode", MODES)
def test_a_prompt_has_what_the_person_filled_in(agent, key, mode):
    asked = {"site": "Acme\n", "topic": ""}
    prompt = agent.session(key, lambda client: client.get_prompt("plan_content", asked), mode=mode)
    assert prompt.messages[0].content.text.endswith("What is asked for: site: Acme\n")


def test_a_prompt_without_arguments_is_whole(agent, key):
    prompt = agent.session(key, lambda client: client.get_prompt("weekly_report"))
    assert ARGUMENTS not in prompt.messages[0].content.text


@pytest.mark.parametrize("name", FIVE)
def test_a_prompt_names_tools_that_only_read(name):
    reads = {tool.name for tool in ALL_TOOLS if not tool.creates}
    prompt = all_prompts()[name]
    assert prompt.tools
    assert prompt.tools <= reads


def test_prompts_are_shown_as_far_as_the_key_may_use_their_tools(agent, cast):
    _, key = make_key(owner=cast.owner, scopes=sorted(READ_SCOPES - {"read:audits"}))
    listed = agent.session(key, lambda client: client.list_prompts())
    assert [each.name for each in listed.prompts] == [name for name in FIVE if name != "check_my_page"]


@pytest.mark.parametrize("name", ["nonsense", "check_my_page"])
def test_a_prompt_that_is_not_listed_is_refused(agent, cast, name):
    _, key = make_key(owner=cast.owner, scopes=["read:sites"])
    body = {"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": name}}
    assert "prompts/list lists the prompts" in agent.post(body, key).json()["error"]["message"]


def listed_at(agent, key, query):
    async def send():
        async with agent.http(key) as client:
            return await client.post(f"{URL}?{query}", json=LIST, headers=HEADERS)

    return [tool["name"] for tool in async_to_sync(send)().json()["result"]["tools"]]


def test_the_address_may_ask_for_tools_that_only_read(agent, key):
    reads = [f"svc_{tool.name}" for tool in ALL_TOOLS if not tool.creates]
    assert listed_at(agent, key, "readonly=1") == reads
    assert len(listed_at(agent, key, "readonly=0")) == len(ALL_TOOLS)


@pytest.mark.parametrize("query", ["tools=ask,svc_list_sites", "tools=svc_ask&tools=list_sites,nonsense"])
def test_the_address_may_name_the_tools(agent, key, query):
    assert sorted(listed_at(agent, key, query)) == ["svc_ask", "svc_list_sites"]


def test_both_filters_hold_together(agent, key):
    assert listed_at(agent, key, "tools=ask,add_competitor&readonly=1") == ["svc_ask"]


def test_the_plugin_and_the_registry_entry_are_sound_json():
    for name in ("plugin/.claude-plugin/plugin.json", "plugin/.mcp.json", "server.json"):
        assert json.loads((ROOT / name).read_text())
    assert sorted(file.stem for file in FOLDER.glob("*.md")) == FIVE
