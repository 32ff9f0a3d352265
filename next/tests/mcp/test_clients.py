"""The official client, of both eras of the protocol."""

import pytest

from tests.mcp.conftest import MODES


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_lists_tools_and_calls_one(agent, cast, key, mode):
    async def use(client):
        return (await client.list_tools()).tools, await client.call_tool("svc_list_sites", {})

    tools, result = agent.session(key, use, mode=mode)
    assert tools[0].name == "svc_list_sites"
    [site] = result.structured_content["sites"]
    assert (site["id"], site["name"], site["role"]) == (str(cast.brand.pk), "Acme", "owner")
