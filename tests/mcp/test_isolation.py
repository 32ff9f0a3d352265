"""Who gets what, for every tool and every kind of caller. A tool that is not in the table fails."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from mcp_bridge.tools import ALL_TOOLS
from tests.factories import (
    ApiKeyFactory,
    BrandFactory,
    CompetitorFactory,
    DailyScoreFactory,
    PromptFactory,
    RecommendationFactory,
    RunFactory,
    own_pages,
)
from tests.mcp.conftest import PREFIX, error_of
from tests.rest.conftest import scopes_without
from tests.rest.test_isolation import CALLERS
from tests.rest.test_isolation import REFUSED as REFUSED_BY_REST

WATCHED = "A competitor to compare with"
REFUSED = (*REFUSED_BY_REST[:-1], "insufficient_scope")
"""Without its scope a tool answers with an error of its own, not of HTTP."""
OF_THE_ACCOUNT = (*REFUSED, "ok", "ok", "ok", "ok", "ok")
OF_A_SITE = (*REFUSED, "not_found", "not_found", "ok", "ok", "ok")
CHANGES_A_SITE = (*REFUSED, "not_found", "not_found", "read_only_collaborator", "ok", "ok")


@dataclass(frozen=True)
class Row:
    """Who gets what of one tool, and what it is called with; words in braces are ids of the test's rows."""

    scope: str
    outcomes: tuple[str, ...]
    arguments: dict[str, Any] = field(default_factory=lambda: {"siteId": "{site}"})


TABLE = {
    "list_sites": Row("read:sites", OF_THE_ACCOUNT, {}),
    "get_portfolio_summary": Row("read:sites", OF_THE_ACCOUNT, {}),
    "get_site_brief": Row("read:sites", OF_A_SITE),
    "get_latest_scan": Row("read:visibility", OF_A_SITE),
    "get_scan_status": Row("read:visibility", OF_A_SITE, {"siteId": "{site}", "runId": "{run}"}),
    "run_visibility_scan": Row("run:visibility", CHANGES_A_SITE),
    "run_audit_scan": Row("run:audits", CHANGES_A_SITE),
    "get_audit_scores": Row("read:audits", OF_A_SITE),
    "get_audit_findings": Row("read:audits", OF_A_SITE),
    "get_visibility_scores": Row("read:visibility", OF_A_SITE),
    "list_prompts": Row("read:prompts", OF_A_SITE),
    "get_prompt_detail": Row("read:prompts", OF_A_SITE, {"promptId": "{prompt}"}),
    "get_prompt_competitor_results": Row("read:prompts", OF_A_SITE, {"promptId": "{prompt}"}),
    "generate_prompts": Row("write:prompts", CHANGES_A_SITE, {"siteId": "{site}", "topic": "bikes", "count": 1}),
    "refine_prompt": Row("write:prompts", CHANGES_A_SITE, {"promptId": "{prompt}", "instruction": "{wish}"}),
    "list_competitors": Row("read:competitors", OF_A_SITE),
    "add_competitor": Row(
        "write:competitors", CHANGES_A_SITE, {"siteId": "{site}", "name": "Rival", "domain": "rival.example"}
    ),
    "get_competitor_gaps": Row("read:competitors", OF_A_SITE),
    "run_competitor_comparison": Row("run:visibility", CHANGES_A_SITE),
    "get_recommendations": Row("read:recommendations", OF_A_SITE),
    "get_content_opportunities": Row("read:content", OF_A_SITE),
    "generate_content_draft": Row("write:content", CHANGES_A_SITE, {"siteId": "{site}", "topic": "bikes"}),
    "get_voice_profile": Row("read:voice", OF_A_SITE),
    "get_review_themes": Row("read:voice", OF_A_SITE),
    "get_buyer_criteria": Row("read:voice", OF_A_SITE),
    "get_positioning_claims": Row("read:voice", OF_A_SITE),
    "ask": Row("read:sites", OF_A_SITE, {"siteId": "{site}", "question": "What is the score?"}),
}


@pytest.fixture
def rows(cast, settings):
    """Rows below the site, by the words that stand for their ids."""
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    settings.AUDIT_LOCAL_HOSTS = {cast.brand.domain: ("127.0.0.1", 9)}
    prompt = PromptFactory(brand=cast.brand)
    own_pages(cast.brand)
    CompetitorFactory(brand=cast.brand, name=WATCHED)
    DailyScoreFactory(brand=cast.brand)
    RecommendationFactory(brand=cast.brand)
    # An import does not stand in the way of a scan.
    run = RunFactory(brand=cast.brand, trigger="import")
    ids = {"{site}": str(cast.brand.pk), "{run}": str(run.pk), "{prompt}": str(prompt.pk)}
    return {**ids, "{wish}": "in Rome"}


def filled(arguments, rows):
    return {name: rows.get(value, value) if isinstance(value, str) else value for name, value in arguments.items()}


def outcome_of(agent, key, tool, arguments):
    """The HTTP refusal, or the code of the tool's error, or ok."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": PREFIX + tool, "arguments": arguments},
    }
    response = agent.post(message, key)
    if response.status_code != 200:
        return f"{response.status_code} {response.json()['error']}"
    result = response.json()["result"]
    return result["_meta"]["error"]["code"] if result["isError"] else "ok"


def test_every_tool_is_in_the_table():
    assert [tool.name for tool in ALL_TOOLS] == list(TABLE)


@pytest.mark.parametrize("tool", TABLE)
def test_each_caller_gets_what_the_table_says(agent, cast, callers, rows, tool):
    outcomes = {}
    for number, caller in enumerate(CALLERS):
        rows["{wish}"] = f"in district {number}"  # the same wish twice would change nothing
        cast.brand.runs.exclude(trigger="import").delete()
        cast.brand.competitors.exclude(name=WATCHED).delete()
        outcomes[caller] = outcome_of(agent, callers[caller], tool, filled(TABLE[tool].arguments, rows))
    assert outcomes == dict(zip(CALLERS, TABLE[tool].outcomes, strict=True))


@pytest.mark.parametrize("tool", TABLE)
def test_each_tool_needs_its_own_scope_and_no_other(agent, cast, rows, tool):
    scope, arguments = TABLE[tool].scope, filled(TABLE[tool].arguments, rows)
    refused = agent.call(ApiKeyFactory(owner=cast.owner, scopes=scopes_without(scope)), tool, arguments)
    step = {"tool": None, "arguments": {}, "why": f"Ask the operator for a key with the scope {scope}."}
    assert error_of(refused).details == {"requiredScope": scope, "nextStep": step}
    alone = ApiKeyFactory(owner=cast.owner, scopes=[scope])
    assert outcome_of(agent, alone, tool, arguments) == TABLE[tool].outcomes[-1]
    listed = agent.session(alone, lambda client: client.list_tools()).tools
    assert [each.name for each in listed] == [PREFIX + name for name, row in TABLE.items() if row.scope == scope]


@pytest.mark.parametrize("tool", [tool for tool, row in TABLE.items() if "siteId" in row.arguments])
def test_a_site_of_others_and_one_that_never_was_look_the_same(agent, key, rows, tool):
    other = BrandFactory(name="Other", domain="other.example")
    texts = set()
    for site in (str(other.pk), "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e"):
        result = agent.call(key, tool, {**filled(TABLE[tool].arguments, rows), "siteId": site})
        assert error_of(result).code == "not_found"
        texts.add(result.content[0].text)
    assert len(texts) == 1
