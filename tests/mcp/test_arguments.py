"""Arguments as models and clients write them: what is read, what is passed over, what is refused."""

from datetime import date
from typing import Literal

import pytest
from pydantic import Field

from apikeys.errors import ServiceError
from mcp_bridge.arguments import Arguments, Creating, Day, SiteListing, parse
from mcp_bridge.registry import input_schema
from mcp_bridge.tools import ALL_TOOLS
from tests.mcp.conftest import MODES
from visibility.models.prompts import Stage

SITE = "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e"
UNWANTED = {"additionalProperties", "anyOf", "oneOf", "allOf", "const", "$ref", "$defs", "default", "title"}
TYPES = {"string", "integer", "boolean", "array"}
TOOLS = {tool.name: tool for tool in ALL_TOOLS}


class Looking(SiteListing):
    stage: Stage | None = None
    active: bool | None = None
    archive: bool = False
    aliases: list[str] = []
    topic: str | None = Field(default=None, min_length=1)
    from_: Day | None = Field(default=None, alias="from")
    to: Day | None = None
    dry_run: bool = False
    period: Literal["week"] | None = None


class Writing(Creating):
    count: int = 10
    topic: str | None = None


def read(**given):
    return parse(Looking, {"siteId": SITE, **given})


def problems_of(model=Looking, **given):
    with pytest.raises(ServiceError) as refusal:
        parse(model, {"siteId": SITE, **given})
    return {each["path"]: each["problem"] for each in refusal.value.details["arguments"]}


def keywords_of(schema):
    for name, value in schema.items():
        yield name
        for inner in value.values() if name == "properties" else [value]:
            if isinstance(inner, dict):
                yield from keywords_of(inner)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_schema_has_only_keywords_that_every_client_takes(tool):
    assert not UNWANTED & set(keywords_of(input_schema(TOOLS[tool].arguments)))


@pytest.mark.parametrize("tool", TOOLS)
def test_each_argument_has_one_plain_type(tool):
    properties = input_schema(TOOLS[tool].arguments)["properties"].values()
    assert {each["type"] for each in properties} <= TYPES


@pytest.mark.parametrize("tool", TOOLS)
def test_what_is_optional_is_only_not_required(tool):
    schema, fields = input_schema(TOOLS[tool].arguments), TOOLS[tool].arguments.model_fields.values()
    assert schema.get("required", []) == [field.alias for field in fields if field.is_required()]


@pytest.mark.parametrize("name", ["from", "to"])
def test_a_day_is_a_plain_text(name):
    assert input_schema(Looking)["properties"][name] == {"type": "string"}


@pytest.mark.parametrize("written", [3, "3", " 3 ", "3.0", 3.0, "+3"])
def test_a_number_may_be_a_text(written):
    assert read(limit=written).limit == 3


@pytest.mark.parametrize("written", ["three", "3.5", 3.5, "", "1_0", "0x3", True, [3], "9" * 5_000])
def test_what_is_no_whole_number_is_refused(written):
    assert problems_of(Writing, count=written) == {"count": "must be a whole number"}


@pytest.mark.parametrize(("written", "bound"), [("0", "1 or more"), ("501", "500 or fewer"), (501, "500 or less")])
def test_a_number_in_a_text_has_its_bounds(written, bound):
    assert problems_of(limit=written)["limit"].startswith(f"must be {bound.split(' or')[0]}")


@pytest.mark.parametrize(("written", "meant"), [("true", True), ("False", False), (" TRUE", True), (False, False)])
def test_a_truth_may_be_a_text(written, meant):
    assert read(active=written).active is meant


@pytest.mark.parametrize("written", ["yes", "1", 1, 0, "on", "null"])
def test_what_is_neither_true_nor_false_is_refused(written):
    assert problems_of(active=written) == {"active": "must be true or false"}


@pytest.mark.parametrize(
    "written", ["2026-11-01", "2026-11-01T23:59:59Z", 1_793_491_200_000, "1793491200000", 1_793_491_200_000.0]
)
def test_a_day_may_be_written_as_iso_8601_or_as_epoch_milliseconds(written):
    assert read(**{"from": written}).from_ == date(2026, 11, 1)


@pytest.mark.parametrize(
    "name", ["limit", "detail", "stage", "active", "archive", "aliases", "topic", "from", "period"]
)
def test_null_means_left_out(name):
    assert read(**{name: None}) == read()


@pytest.mark.parametrize("name", ["limit", "stage", "active", "topic", "from", "period"])
def test_an_empty_text_of_what_is_optional_means_left_out(name):
    assert read(**{name: ""}) == read()


@pytest.mark.parametrize("written", [None, ""])
def test_what_is_required_cannot_be_left_out_so(written):
    assert list(problems_of(siteId=written)) == ["siteId"]


def test_an_empty_idempotency_key_is_refused():
    assert list(problems_of(Writing, idempotencyKey="")) == ["idempotencyKey"]


@pytest.mark.parametrize(
    "name",
    ["toolCallId", "sessionId", "action", "chatInput", "x", "top", "_meta", "page", "userId", "", "é", "a" * 50_000],
)
def test_an_unknown_name_is_passed_over(name):
    assert read(**{name: {"any": ["thing"]}}).ignored == [name]


@pytest.mark.parametrize(
    ("written", "right"),
    [
        *(
            ("site_id", "siteId"),
            ("siteID", "siteId"),
            ("SITE-ID", "siteId"),
            ("site", "siteId"),
            ("siteIds", "siteId"),
        ),
        *(("limt", "limit"), ("limits", "limit"), ("detial", "detail"), ("topics", "topic"), ("topicName", "topic")),
        *(("form", "from"), ("fromDate", "from"), ("from_date", "from"), ("TO", "to"), ("toDate", "to")),
        *(("dry_run", "dryRun"), ("dryrun", "dryRun"), ("dry", "dryRun"), ("stag", "stage"), ("alias", "aliases")),
    ],
)
def test_a_slip_for_a_real_name_is_refused_with_that_name(written, right):
    assert problems_of(**{written: "x"}) == {written: f"is no argument of this tool; write {right}"}


def test_a_slip_is_refused_together_with_what_else_is_wrong():
    assert set(problems_of(limt=3, detail="long")) == {"limt", "detail"}


@pytest.mark.parametrize("slip", ["idempotencykey", "idempotency_key", "idempotenceKey", "idempotency"])
def test_a_misspelled_idempotency_key_is_not_passed_over(slip):
    assert slip in problems_of(Writing, **{slip: "one"})


def test_arguments_are_the_same_however_they_were_written():
    plain, odd = (
        {"count": 3, "topic": "bikes"},
        {"count": "3", "topic": "bikes", "toolCallId": "7", "idempotencyKey": "k"},
    )
    assert parse(Writing, plain).canonical() == parse(Writing, odd).canonical()


def test_names_that_cost_much_to_compare_are_read_quickly():
    assert len(read(**{f"name{number}" * 9: 1 for number in range(50_000)}).ignored) == 50_000


@pytest.mark.parametrize("mode", MODES)
def test_a_result_notes_what_was_passed_over(agent, key, cast, mode):
    given = {"siteId": str(cast.brand.pk), "toolCallId": "call_7", "sessionId": 3}
    result = agent.call(key, "get_site_brief", given, mode=mode).structured_content
    assert result["notes"] == ["Passed over, as this tool takes no such arguments: toolCallId, sessionId."]


def test_a_note_is_short_and_shows_no_hidden_characters(agent, key):
    given = {f"{number}\u202e{'a' * 100}": 1 for number in range(7)}
    [note] = agent.data(key, "list_sites", **given)["notes"]
    assert note.endswith(", 2 more.") and "\u202e" not in note and len(note) < 300


def test_a_result_without_unknown_arguments_has_no_note(agent, key):
    assert "notes" not in agent.data(key, "list_sites")


def test_a_reading_call_with_a_slip_gets_the_call_with_the_right_name(agent, key, cast):
    error = agent.error(key, "list_prompts", site_id=str(cast.brand.pk), limt="2", chatInput="x")
    assert error.details["nextStep"]["arguments"] == {"siteId": str(cast.brand.pk), "limit": "2"}
    assert not agent.call(key, "list_prompts", error.details["nextStep"]["arguments"]).is_error


def test_a_slip_in_a_call_that_changes_something_changes_nothing(agent, key, cast):
    given = {"siteId": str(cast.brand.pk), "name": "Rival", "domain": "rival.example", "idempotency_key": "one"}
    error = agent.error(key, "add_competitor", **given)
    assert (error.code, error.message.count("write idempotencyKey")) == ("invalid_arguments", 1)
    assert not cast.brand.competitors.exists() and "nextStep" not in error.details


@pytest.mark.parametrize("tool", TOOLS)
def test_unknown_names_and_texts_for_numbers_work_with_every_tool(agent, key, tool):
    """None is refused for its names or types: with what they need left out, only that is missing."""
    takes = TOOLS[tool].arguments
    given = {"toolCallId": "call_7", **({"limit": "3"} if "limit" in takes.names() else {})}
    result = agent.call(key, tool, given)
    required = {field.alias for field in takes.model_fields.values() if field.is_required()}
    refused = {each["path"] for each in result.meta["error"]["details"]["arguments"]} if result.is_error else set()
    assert refused == required


def test_arguments_of_nothing_take_anything():
    assert parse(Arguments, {"limt": 1}).ignored == ["limt"]
