"""What real tokenizers count in results, against what the service promises and estimates."""

import json
import subprocess

import pytest

from apikeys.tokens import tokens_of
from tests.conformance.test_conformance import BIN, HERE, suite
from tests.mcp.conftest import LIST
from tests.mcp.test_definitions import TOKENS as TOKENS_OF_THE_LIST
from tests.mcp.test_steps import TOKENS, agent, calls_about, owned

__all__ = ["agent", "owned", "suite"]

pytestmark = pytest.mark.proof
TOO_LOW = 1.02
"""How much more a tokenizer may count than the estimate says, in a result of more than SMALL tokens."""
SMALL = 200


@pytest.fixture(scope="module")
def counted(suite):
    """Texts with their tokens, the more of two tokenizers."""

    def count(texts):
        command = [BIN / "node", HERE / "tokens.mjs"]
        done = subprocess.run(
            command, input=json.dumps(texts), capture_output=True, text=True, timeout=120, check=True
        )
        return zip(texts, json.loads(done.stdout), strict=True)

    return count


def test_the_list_of_tools_is_as_short_as_promised(counted, agent, owned):
    listed = agent.post(LIST, owned[0]).json()["result"]["tools"]
    [(_, tokens)] = counted([json.dumps(listed, separators=(",", ":"))])
    assert tokens <= TOKENS_OF_THE_LIST


@pytest.mark.parametrize("site", ["Garmin", "Sony", "Kryton", "Empty"])
def test_default_results_are_as_short_as_promised(counted, agent, owned, site):
    key, sites = owned
    texts = [result.content[0].text for *_, result in calls_about(agent, key, sites[site])]
    found = list(counted(texts))
    assert max(tokens for _, tokens in found) <= TOKENS
    assert [text for text, tokens in found if tokens > max(SMALL, TOO_LOW * tokens_of(text.encode()))] == []
