"""What results cost a model: every reading tool in short stays within its limit, however much there is."""

import json

import pytest
from jsonschema import Draft202012Validator

from apikeys.scopes import ALL_SCOPES
from apikeys.text.size import estimate
from mcp_bridge.registry import Registry
from mcp_bridge.tools import ALL_TOOLS
from tests.amounts import some
from tests.asking.world import BRANDS, imported, with_evidence
from tests.factories import ApiKeyFactory, UserFactory
from tests.mcp.conftest import PREFIX, data_of
from tests.mcp.crowded import crowded_site
from tests.mcp.tokens import QUESTION, limit, tokens

DEFINITIONS = {
    definition["name"]: definition for definition in Registry(ALL_TOOLS, prefix=PREFIX).definitions(ALL_SCOPES)
}
READING = [tool.name for tool in ALL_TOOLS if not tool.creates]


def arguments_of(tool, brand):
    """Arguments with which a reading tool has most to say of the brand; None where it has nothing to speak of."""
    properties = DEFINITIONS[PREFIX + tool]["inputSchema"]["properties"]
    run = brand.runs.order_by("created_at").last()
    prompt = brand.prompts.order_by("text").first()
    values = {"siteId": brand, "runId": run, "promptId": prompt}
    ids = {name: str(row.pk) for name, row in values.items() if name in properties and row is not None}
    return ids | ({"question": QUESTION} if "question" in properties else {})


def assert_small_and_true(agent, key, tool, brand):
    """The result is within its limit, what its schema says, and names what it leaves out."""
    result = agent.call(key, tool, arguments_of(tool, brand))
    data, text = data_of(result), result.content[0].text
    assert tokens(text) <= limit(tool), (brand.name, tool)
    Draft202012Validator(DEFINITIONS[PREFIX + tool]["outputSchema"]).validate(data)
    for step in data.get("seeMore", ()):
        assert not agent.call(key, step["tool"].removeprefix(PREFIX), step["arguments"]).is_error, step
    return text


@pytest.mark.parametrize("tool", READING)
def test_results_are_small_where_there_is_more_than_enough(agent, db, tool):
    brand = crowded_site()
    text = assert_small_and_true(agent, ApiKeyFactory(owner=brand.owner), tool, brand)
    assert tokens(text) <= estimate(text) * 1.03


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_results_are_small_over_real_answers(agent, reference_data):
    owner = UserFactory(email="demo@example.com")
    names = some(BRANDS, len(BRANDS))
    brands = imported(reference_data / "real-answers" / "answers.jsonl", owner, names)
    with_evidence(brands.values())
    key = ApiKeyFactory(owner=owner)
    for brand in brands.values():
        for tool in READING:
            assert_small_and_true(agent, key, tool, brand)


def test_models_are_shown_little_before_they_begin():
    shown = [
        {part: definition[part] for part in ("name", "description", "inputSchema")}
        for definition in DEFINITIONS.values()
    ]
    assert tokens(json.dumps(shown, ensure_ascii=False, separators=(",", ":"))) <= 8_000
    assert tokens(json.dumps(list(DEFINITIONS.values()), ensure_ascii=False, separators=(",", ":"))) <= 25_000
