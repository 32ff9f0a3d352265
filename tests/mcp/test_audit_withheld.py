"""The score of an audit is for keys that may read audits, at every door and in every tool that shows runs."""

import json

import pytest

from apikeys.caller import Caller
from mcp_bridge.tools import ALL_TOOLS
from tests.audit.stored import audited
from tests.factories import ApiKeyFactory, DailyScoreFactory, PromptFactory
from tests.mcp.conftest import data_of
from tests.mcp.test_isolation import TABLE, filled
from tests.rest.conftest import scopes_without
from tests.rest.routes import routes
from visibility.insights.recommendations import recommend_from_audit
from visibility.services.reading.reporting import latest_runs

SCORE = 73.31
SHOWN_BY_TOOLS = {
    "list_sites", "get_portfolio_summary", "get_latest_scan", "get_scan_status", "get_audit_scores", "ask",
}  # fmt: skip
SHOWN_BY_REST = {"/api/v1/brands", "/api/v1/brands/{id}", "/api/v1/brands/{id}/runs"}


@pytest.fixture
def rows(cast, settings):
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    DailyScoreFactory(brand=cast.brand)
    run = audited(cast.brand, failing=["CIT-06"], score=SCORE)
    recommend_from_audit(run)
    ids = {"{site}": str(cast.brand.pk), "{run}": str(run.pk), "{prompt}": str(PromptFactory(brand=cast.brand).pk)}
    return {**ids, "{wish}": "in Rome"}


def showing(agent, key, rows):
    """The tools that only read, and show the score to this key."""
    shown = set()
    for tool in ALL_TOOLS:
        if tool.only_reads or tool.name == "ask":
            arguments = filled(TABLE[tool.name].arguments, rows)
            if tool.name == "ask":
                arguments["question"] = "What is the score of the audit, and how did the last runs go?"
            result = agent.call(key, tool.name, arguments)
            # In words a figure has one decimal.
            if str(SCORE) in result.content[0].text or "73.3 %" in result.content[0].text:
                shown.add(tool.name)
    return shown


@pytest.mark.django_db
def test_no_tool_shows_it_to_a_key_without_the_scope(agent, cast, rows):
    everything = ApiKeyFactory(owner=cast.owner)
    assert showing(agent, everything, rows) == SHOWN_BY_TOOLS
    without = ApiKeyFactory(owner=cast.owner, scopes=scopes_without("read:audits"))
    assert showing(agent, without, rows) == set()


@pytest.mark.django_db
def test_no_endpoint_shows_it_to_a_key_without_the_scope(api, cast, rows):
    def shown(key):
        found = set()
        for route in routes():
            if route.startswith("/api/v1/brands"):
                answer = api.get(route.replace("{id}", rows["{site}"]), key)
                assert answer.status_code == 200
                if str(SCORE) in json.dumps(answer.json()):
                    found.add(route)
        return found

    assert shown(ApiKeyFactory(owner=cast.owner)) == SHOWN_BY_REST
    assert shown(ApiKeyFactory(owner=cast.owner, scopes=scopes_without("read:audits"))) == set()


@pytest.mark.django_db
def test_only_the_score_of_audits_is_withheld(agent, cast, rows):
    without = ApiKeyFactory(owner=cast.owner, scopes=scopes_without("read:audits"))
    run = data_of(agent.call(without, "get_latest_scan", {"siteId": rows["{site}"]}))["run"]
    assert (run["kind"], run["status"], run["score"]) == ("audit", "succeeded", None)
    cast.brand.runs.update(kind="visibility")
    run = data_of(agent.call(without, "get_latest_scan", {"siteId": rows["{site}"]}))["run"]
    assert run["score"] == SCORE


@pytest.mark.django_db
def test_pages_show_it_to_people(client, cast, rows):
    """A signed-in person has every scope on the brands that they see, and sees no others."""
    [run] = latest_runs(Caller.from_user(cast.viewer), brand_ids=[cast.brand.pk])[cast.brand.pk]
    assert run.score == SCORE
    assert latest_runs(Caller.from_user(cast.stranger), brand_ids=[cast.brand.pk]) == {}
