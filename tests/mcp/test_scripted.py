"""An agent that follows descriptions and steps alone comes from a question to a draft, over real HTTP."""

import io

import pytest
from django.core.management import call_command

from brands.models import Brand
from tests.factories import ApiKeyFactory, BrandFactory, CompetitorFactory, PromptFactory, UserFactory, own_pages
from tests.live import live_web
from tests.mcp.conftest import PREFIX, error_of
from tests.mcp.scripted import MAX_CALLS, ScriptedAgent
from tests.mcp.tokens import Door
from tests.scans.history import ended_run
from visibility.models import ContentDraft

pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True, serialized_rollback=True)]
QUESTION = "Why are we behind Samsung on smartphones?"
BEGINNINGS = ["first_by_ask", "first_by_brief"]


def draft_of(key, beginning):
    """What the agent makes of the question, and the calls that it took."""
    with live_web() as live:
        agent = ScriptedAgent(Door(live.url, key.raw), "Sony")
        draft = agent.work(QUESTION, getattr(agent, beginning))["draft"]
    assert len(agent.made) <= MAX_CALLS
    *_, (_, _, report), _ = agent.made
    [opportunity] = [row for row in report["opportunities"] if row["id"] == draft["opportunityId"]]
    assert opportunity["competitors"] == ["Samsung"]
    return draft, [name for name, *_ in agent.made]


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_from_a_question_to_a_draft(beginning):
    owner = UserFactory(email="agent@example.com")
    brand = BrandFactory(owner=owner, name="Sony", domain="sony.example")
    CompetitorFactory(brand=brand, name="Samsung", domain="samsung.example")
    CompetitorFactory(brand=brand, name="Bose", domain="bose.example")
    prompts = [
        PromptFactory(brand=brand, topic=topic, text=f"which {topic} would you buy, wish {n}?")
        for topic in ("smartphones", "headphones", "televisions", "cameras")
        for n in range(4)
    ]
    texts = [*["Samsung Galaxy is best."] * 4, *["Sony is best, Bose is good."] * 4, *["Sony is best."] * 8]
    ended_run(brand, prompts, texts=texts)
    own_pages(brand, "smartphones")
    draft, calls = draft_of(ApiKeyFactory(owner=owner), beginning)
    assert "smartphones" in draft["topic"] and ContentDraft.objects.get().brand == brand
    assert calls[-3:] == ["svc_get_competitor_gaps", "svc_get_content_opportunities", "svc_generate_content_draft"]


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_from_a_question_to_a_draft_over_real_answers(reference_data, beginning):
    owner = UserFactory(email="agent@example.com")
    call_command(
        "import_answers", str(reference_data / "real-answers" / "answers.jsonl"),
        "--new-brand", "Sony", "sony.com", "--owner", owner.email, "--competitor", "Samsung", "samsung.com",
        "--competitor", "LG", "lg.com", "--competitor", "Bose", "bose.com",
        "--topic", "smartphone-budget-600", "--topic", "tv-55-inch-1000",
        "--topic", "headphones-wireless-200", "--topic", "earbuds-workout-150",
        stdout=io.StringIO(), stderr=io.StringIO(),
    )  # fmt: skip
    own_pages(Brand.objects.get(), "smartphones under $600")
    draft, calls = draft_of(ApiKeyFactory(owner=owner), beginning)
    assert "smartphones" in draft["topic"]
    assert calls[0] == "svc_list_sites" and calls[-1] == "svc_generate_content_draft"


@pytest.mark.django_db
def test_a_draft_without_sources_is_refused_with_the_step_that_brings_some(agent, key, cast):
    about = {"siteId": str(cast.brand.pk)}
    error = error_of(agent.call(key, "generate_content_draft", {**about, "topic": "anvils", "idempotencyKey": "a"}))
    assert error.details["reason"] == "too_few_sources"
    assert error.details["nextStep"]["tool"] == f"{PREFIX}run_audit_scan"
    assert error.details["nextStep"]["arguments"] == about
