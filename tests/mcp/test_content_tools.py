"""Briefs, drafts and prompts at the agent door: first prompts of a new site, drafts that are read again."""

import pytest

from apikeys.text import QUOTE_CLOSE, marked
from tests.mcp.conftest import give_evidence, make_prompt
from visibility.models import Draft, Prompt

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(cast):
    return {"siteId": str(cast.brand.pk)}


@pytest.fixture
def drafted(agent, key, cast, site):
    """A brief on the topic of a prompt."""
    give_evidence(cast.brand, make_prompt(cast.brand))
    return agent.data(key, "generate_content_draft", **site, topic="bikes")


def test_a_site_without_prompts_gets_its_first_from_what_the_agent_writes(agent, key, cast, site):
    cast.brand.description = "Bikes for Rome."
    cast.brand.save()
    asked = agent.data(key, "generate_prompts", **site, topic="city bikes", dryRun=True)
    assert asked["prompts"] == [] and "nextStep" not in asked
    assert marked("Bikes for Rome.") in asked["promptToCopy"] and marked("city bikes") in asked["promptToCopy"]
    reply = "Which bike is good on cobbles?\nIs Acme good?"
    made = agent.data(key, "generate_prompts", **site, topic="city bikes", reply=reply)
    assert [each["text"] for each in made["prompts"]] == [marked("Which bike is good on cobbles?")]
    assert Prompt.objects.get().topic.name == "city bikes"


def test_the_empty_list_of_prompts_leads_to_first_ones(agent, key, site):
    step = agent.data(key, "list_prompts", **site)["nextStep"]
    assert (step["tool"], step["arguments"]) == ("svc_generate_prompts", {**site, "dryRun": True})


def test_a_dry_run_that_found_something_offers_to_add_it(agent, key, cast, site):
    give_evidence(cast.brand, make_prompt(cast.brand))
    found = agent.data(key, "generate_prompts", **site, dryRun=True)
    step = found["nextStep"]
    assert (step["tool"], step["arguments"]) == ("svc_generate_prompts", site)
    added = agent.data(key, "generate_prompts", **step["arguments"])
    assert [each["text"] for each in added["prompts"]] == [marked("what is the best bike for the rain")]


def test_a_brief_is_stored_plain_and_has_marks_for_agents(drafted):
    stored = Draft.objects.get()
    assert "<untrusted" not in stored.markdown
    assert drafted["markdown"].startswith(marked(stored.markdown.partition("\n\n## Prompt to paste")[0]))
    assert drafted["markdown"].rpartition(QUOTE_CLOSE)[2].strip().startswith("## Prompt to paste")
    assert drafted["title"] == marked("Which bike is best?")


def test_a_draft_is_listed_and_read_again_without_a_second_one(agent, key, site, drafted):
    listed = agent.data(key, "get_content_opportunities", **site)
    made = [draft["id"] for each in listed["opportunities"] for draft in each["drafts"]]
    made += [draft["id"] for draft in listed["otherDrafts"]]
    assert made == [drafted["id"]] and listed["nextStep"]["arguments"] == {**site, "draftId": drafted["id"]}
    again = agent.data(key, "get_content_opportunities", **listed["nextStep"]["arguments"])
    assert again["draft"] == {name: value for name, value in drafted.items() if name != "nextStep"}
    assert Draft.objects.count() == 1


def test_a_draft_of_nobody_is_not_found(agent, key, site):
    nothing = "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e"
    assert agent.error(key, "get_content_opportunities", **site, draftId=nothing).code == "not_found"


def test_a_draft_that_has_nothing_to_rest_on_leads_to_what_an_audit_would_spend(agent, key, cast, site):
    make_prompt(cast.brand)
    step = agent.error(key, "generate_content_draft", **site, topic="bikes").details["nextStep"]
    assert (step["tool"], step["arguments"]) == ("svc_run_audit_scan", {**site, "dryRun": True})
    assert agent.data(key, "run_audit_scan", **step["arguments"])["dryRun"] is True
