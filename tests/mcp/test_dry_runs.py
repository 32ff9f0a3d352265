"""Dry runs of tools that change something: what they tell, and that nothing is left of them."""

import pytest
from django.apps import apps
from django.forms.models import model_to_dict

from apikeys.models import CallLog, IdempotentCall
from apikeys.text import marked
from mcp_bridge.tools import ALL_TOOLS
from tests.factories import CompetitorFactory, make_key
from tests.mcp.conftest import PREFIX, give_evidence, let_scan, make_prompt
from visibility.engines import PRESETS
from visibility.models import Engine
from visibility.runs.what_if import EXAMPLES

pytestmark = pytest.mark.django_db
CREATING = {tool.name: tool.scope for tool in ALL_TOOLS if tool.creates}
SPENDING = {
    "run_visibility_scan": {"credits": 3},
    "run_audit_scan": {"credits": 7},
    "run_competitor_comparison": {"credits": 12},
    "generate_content_draft": {"drafts": 1},
    "add_competitor": {},
    "generate_prompts": {},
    "refine_prompt": {},
}


@pytest.fixture
def calls(cast):
    """The arguments of a call of each tool that would do something."""
    site, prompt = {"siteId": str(cast.brand.pk)}, make_prompt(cast.brand)
    let_scan(cast.brand)
    give_evidence(cast.brand, prompt)
    CompetitorFactory(brand=cast.brand, name="Globex", domain="globex.example")
    return {
        "run_visibility_scan": site,
        "run_audit_scan": {**site, "maxPages": 7},
        "run_competitor_comparison": site,
        "add_competitor": {**site, "name": "Rival", "domain": "https://www.rival.example", "aliases": ["Ri Val"]},
        "generate_prompts": site,
        "generate_content_draft": {**site, "topic": "bikes"},
        "refine_prompt": {"promptId": str(prompt.pk), "wording": "Which bike is best in Rome?"},
    }


def everything():
    """All rows of all tables but the call log."""
    return {
        model.__name__: sorted(str(model_to_dict(row)) for row in model._default_manager.all())
        for model in apps.get_models()
        if model is not CallLog and model._meta.managed
    }


def test_every_tool_that_changes_something_has_a_dry_run(calls):
    assert set(calls) == set(SPENDING) == set(CREATING)


@pytest.mark.parametrize("tool", SPENDING)
def test_a_dry_run_tells_what_would_be_spent(agent, key, calls, tool):
    told = agent.data(key, tool, **calls[tool], dryRun=True)
    assert told["dryRun"] is True
    assert {kind: each["amount"] for kind, each in told["wouldSpend"].items()} == SPENDING[tool]


@pytest.mark.parametrize("tool", SPENDING)
def test_a_dry_run_writes_nothing(agent, key, calls, tool):
    agent.data(key, tool, **calls[tool])  # what a first call makes is there: topics read, counters of the month
    before = everything()
    agent.call(key, tool, {**calls[tool], "dryRun": True, "idempotencyKey": "one"})
    assert everything() == before


@pytest.mark.parametrize("tool", SPENDING)
def test_a_dry_run_leaves_its_key_to_the_call_that_it_leads_to(agent, key, calls, tool):
    before = everything()
    step = agent.data(key, tool, **calls[tool], dryRun=True, idempotencyKey="one")["nextStep"]
    assert everything() == before and not IdempotentCall.objects.exists()
    assert (step["tool"], step["arguments"]["idempotencyKey"], "dryRun" in step["arguments"]) == (
        PREFIX + tool,
        "one",
        False,
    )
    done = agent.data(key, tool, **step["arguments"])
    assert everything() != before and "wouldSpend" not in done


@pytest.mark.parametrize("tool", SPENDING)
def test_a_dry_run_needs_the_scope_of_the_call(agent, cast, calls, tool):
    without = make_key(owner=cast.owner, scopes=[scope for scope in CREATING.values() if scope != CREATING[tool]])[1]
    error = agent.error(without, tool, **calls[tool], dryRun=True)
    assert (error.code, error.details["requiredScope"]) == ("insufficient_scope", CREATING[tool])


@pytest.mark.parametrize("tool", SPENDING)
def test_a_dry_run_needs_the_role_of_the_call(agent, cast, calls, tool):
    viewer = make_key(owner=cast.viewer)[1]
    assert agent.error(viewer, tool, **calls[tool], dryRun=True).code == "read_only_collaborator"


def test_a_dry_run_is_refused_as_the_call_would_be(agent, key, cast, calls):
    cast.owner.own_credits_per_month = 2
    cast.owner.save()
    error = agent.error(key, "run_visibility_scan", **calls["run_visibility_scan"], dryRun=True)
    assert (error.code, error.details["limit"]) == ("quota_exceeded", 2)


def test_a_dry_run_of_a_scan_that_would_not_start_shows_the_one_in_its_way(agent, key, calls):
    started = agent.data(key, "run_visibility_scan", **calls["run_visibility_scan"])
    told = agent.data(key, "run_visibility_scan", **calls["run_visibility_scan"], dryRun=True)
    assert (told["reason"], told["wouldSpend"]) == ("already_active", {})
    assert told["run"]["id"] == started["run"]["id"] and told["nextStep"] == started["nextStep"]


def test_a_dry_run_of_a_scan_starts_none(agent, key, calls):
    told = agent.data(key, "run_visibility_scan", **calls["run_visibility_scan"], dryRun=True)
    assert (told["started"], told["reason"], told["run"], told["creditsSpent"]) == (False, "dry_run", None, 0)


@pytest.mark.parametrize("tool", ["run_visibility_scan", "run_competitor_comparison"])
def test_a_dry_run_without_any_engine_is_refused_with_what_one_would_cost(agent, key, calls, tool):
    Engine.objects.update(is_enabled=False)
    error = agent.error(key, tool, **calls[tool], dryRun=True)
    assert (error.code, "What if an AI engine were set up" in error.message) == ("no_engine_configured", True)
    assert {each["provider"] for each in error.details["whatIf"]} == {PRESETS[name].label for name in EXAMPLES}


def test_a_scan_without_any_engine_is_refused_without_prices(agent, key, calls):
    Engine.objects.update(is_enabled=False)
    assert "whatIf" not in agent.error(key, "run_visibility_scan", **calls["run_visibility_scan"]).details


def test_a_dry_run_that_asks_stored_pages_alone_says_what_an_ai_engine_would_cost(agent, key, calls):
    told = agent.data(key, "run_visibility_scan", **calls["run_visibility_scan"], dryRun=True)
    assert told["whatIf"] and all(0 < each["answerCost"] < each["scanCost"] for each in told["whatIf"])


def test_a_dry_run_of_a_competitor_shows_it_as_it_would_be_tracked(agent, key, calls):
    told = agent.plain(key, "add_competitor", **calls["add_competitor"], dryRun=True)
    assert told["competitor"] == {"id": None, "name": "Rival", "domain": "rival.example", "aliases": ["Ri Val"]}
    assert told["nextStep"]["arguments"]["domain"] == "https://www.rival.example"


def test_a_dry_run_of_a_draft_asks_no_engine_and_gives_no_text(agent, key, calls, monkeypatch):
    monkeypatch.setattr("visibility.content.services.writing_engine", lambda: 1 / 0)
    told = agent.data(key, "generate_content_draft", **calls["generate_content_draft"], dryRun="true")
    assert (told["title"], "markdown" in told) == (marked("Which bike is best?"), False)


@pytest.mark.parametrize(
    ("given", "prompts", "scan"),
    [
        ({"wording": "Which bike is best in Rome?"}, (1, 1), "It asks the new wording alone"),
        ({"archive": True}, (1, 0), "It asks this prompt no more"),
        ({"wording": "Which bike is best?"}, (1, 1), "Nothing changes"),
    ],
)
def test_a_refined_prompt_says_what_it_means_for_answers_and_the_next_scan(agent, key, calls, given, prompts, scan):
    told = agent.data(key, "refine_prompt", promptId=calls["refine_prompt"]["promptId"], **given, dryRun=True)
    effect = told["effect"]
    assert (effect["promptsBefore"], effect["promptsAfter"]) == prompts
    assert effect["answers"] and effect["nextScan"].startswith(scan)


def test_a_dry_run_that_found_no_prompts_offers_no_step(agent, key, cast):
    told = agent.data(key, "generate_prompts", siteId=str(cast.brand.pk), dryRun=True)
    assert told["prompts"] == [] and "nextStep" not in told
