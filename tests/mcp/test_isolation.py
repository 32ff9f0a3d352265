"""Who gets what, for every tool and every kind of caller. A tool that is not in the table fails."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from apikeys.scopes import ALL_SCOPES
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import (
    BrandFactory,
    CompetitorFactory,
    DailyScoreFactory,
    RecommendationFactory,
    RunFactory,
)
from tests.factories import make_key as key_with
from tests.mcp.conftest import PREFIX, error_of, give_evidence, let_scan, make_prompt
from tests.rest.test_isolation import CALLERS
from tests.rest.test_isolation import REFUSED as REFUSED_BY_REST

REFUSED = {**REFUSED_BY_REST, "no scope": "insufficient_scope"}
"""Without its scope a tool answers with an error of its own, not of HTTP."""
OF_THE_ACCOUNT = {**REFUSED, **dict.fromkeys(("stranger", "superuser", "viewer", "editor", "owner"), "ok")}
OF_A_SITE = {**OF_THE_ACCOUNT, "stranger": "not_found", "superuser": "not_found"}
CHANGES_A_SITE = {**OF_A_SITE, "viewer": "read_only_collaborator"}


@dataclass(frozen=True)
class Row:
    """Who gets what of one tool, and what it is called with; words in braces are ids of the test's rows."""

    scope: str
    outcomes: dict[str, str]
    arguments: dict[str, Any] = field(default_factory=lambda: {"siteId": "{site}"})


PROMPT = {"promptId": "{prompt}"}
QUESTION = {"siteId": "{site}", "question": "Who leads?", "about": "standing"}
RIVAL = {"siteId": "{site}", "name": "Rival", "domain": "rival.example"}
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
    "get_prompt_detail": Row("read:prompts", OF_A_SITE, PROMPT),
    "generate_prompts": Row("write:prompts", CHANGES_A_SITE),
    "refine_prompt": Row("write:prompts", CHANGES_A_SITE, {**PROMPT, "wording": "Which bike in {caller}?"}),
    "get_prompt_competitor_results": Row("read:prompts", OF_A_SITE, PROMPT),
    "list_competitors": Row("read:competitors", OF_A_SITE),
    "add_competitor": Row("write:competitors", CHANGES_A_SITE, RIVAL),
    "get_competitor_gaps": Row("read:competitors", OF_A_SITE),
    "run_competitor_comparison": Row("run:visibility", CHANGES_A_SITE),
    "get_recommendations": Row("read:recommendations", OF_A_SITE),
    "get_content_opportunities": Row("read:content", OF_A_SITE),
    "generate_content_draft": Row("write:content", CHANGES_A_SITE, {"siteId": "{site}", "topic": "bikes"}),
    "get_voice_profile": Row("read:voice", OF_A_SITE),
    "get_review_themes": Row("read:voice", OF_A_SITE),
    "get_buyer_criteria": Row("read:voice", OF_A_SITE),
    "get_positioning_claims": Row("read:voice", OF_A_SITE),
    "ask": Row("read:sites", OF_A_SITE, QUESTION),
}


@pytest.fixture
def rows(cast):
    """Rows below the site, by the words that stand for their ids."""
    for factory in (DailyScoreFactory, RecommendationFactory):
        factory(brand=cast.brand)
    CompetitorFactory(brand=cast.brand, name="Other")
    let_scan(cast.brand)
    run = RunFactory(brand=cast.brand, trigger="import")
    prompt = make_prompt(cast.brand)
    give_evidence(cast.brand, prompt)
    return {"{site}": str(cast.brand.pk), "{run}": str(run.pk), "{prompt}": str(prompt.pk)}


def filled(arguments, rows, caller="Rome"):
    return {name: rows.get(value, value).replace("{caller}", caller) for name, value in arguments.items()}


def call_as(agent, authorization, tool, arguments):
    """The HTTP refusal, or the code of the tool's error, or ok."""
    params = {"name": PREFIX + tool, "arguments": arguments}
    headers = {} if authorization is None else {"Authorization": authorization}
    response = agent.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, **headers)
    if response.status_code != 200:
        return f"{response.status_code} {response.json()['error']}"
    result = response.json()["result"]
    return result["_meta"]["error"]["code"] if result["isError"] else "ok"


def test_every_tool_is_in_the_table():
    assert [tool.name for tool in ALL_TOOLS] == list(TABLE)


@pytest.mark.parametrize("tool", TABLE)
def test_each_caller_gets_what_the_table_says(agent, cast, callers, rows, tool):
    outcomes = {}
    for caller in CALLERS:
        cast.brand.competitors.filter(name="Rival").delete()
        cast.brand.runs.filter(trigger="agent").delete()
        outcomes[caller] = call_as(agent, callers[caller], tool, filled(TABLE[tool].arguments, rows, caller))
    assert outcomes == TABLE[tool].outcomes


@pytest.mark.parametrize("tool", TABLE)
def test_each_tool_needs_its_own_scope_and_no_other(agent, cast, rows, tool):
    scope, arguments = TABLE[tool].scope, filled(TABLE[tool].arguments, rows)
    refused = agent.call(key_with(owner=cast.owner, scopes=sorted(ALL_SCOPES - {scope}))[1], tool, arguments)
    assert (error_of(refused).code, error_of(refused).details) == ("insufficient_scope", {"requiredScope": scope})
    alone = key_with(owner=cast.owner, scopes=[scope])[1]
    assert call_as(agent, f"Bearer {alone}", tool, arguments) == TABLE[tool].outcomes["owner"]
    listed = agent.session(alone, lambda client: client.list_tools()).tools
    assert [each.name for each in listed] == [PREFIX + name for name, row in TABLE.items() if row.scope == scope]


@pytest.mark.parametrize("tool", [tool for tool, row in TABLE.items() if row.arguments])
def test_what_belongs_to_others_and_what_never_was_look_the_same(agent, key, rows, tool):
    other = BrandFactory(name="Other", domain="other.example")
    nothing = "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e"
    arguments = filled(TABLE[tool].arguments, rows)
    texts = set()
    for site, prompt in ((str(other.pk), str(make_prompt(other).pk)), (nothing, nothing)):
        wrong = {"siteId": site} if "siteId" in arguments else {"promptId": prompt}
        result = agent.call(key, tool, {**arguments, **wrong})
        assert error_of(result).code == "not_found"
        texts.add(result.content[0].text)
    assert len(texts) == 1


def test_the_brief_and_the_portfolio_withhold_what_the_key_lacks_the_scope_for(agent, cast, rows):
    key = key_with(owner=cast.owner, scopes=["read:sites"])[1]
    brief = agent.data(key, "get_site_brief", siteId=rows["{site}"], period="week")
    assert brief["withheld"] == ["scores", "competitors", "recommendations", "diagnosis"]
    parts = ("now", "byEngine", "competitors", "strengths", "weaknesses", "changes", "recommendations", "week")
    assert {brief[part] for part in parts} == {None} and brief["summary"] == []
    portfolio = agent.data(key, "get_portfolio_summary")
    assert portfolio["withheld"] == ["scores", "recommendations", "audits"]
    [site] = portfolio["sites"]
    assert {site[part] for part in ("score", "low", "change", "openRecommendations", "auditScore")} == {None}
