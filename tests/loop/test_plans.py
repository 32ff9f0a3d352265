"""What is frozen when work is done."""

import pytest

from tests.loop.conftest import OWN, done
from visibility.insights.proofs.stored import plan_of, result_of
from visibility.models import Prompt, Proof, Recommendation, Run
from visibility.services.prompts.editing import archive_prompt, restore_prompt
from visibility.services.recommendations.previewing import proof_preview

pytestmark = pytest.mark.usefixtures("planted")


def test_done_freezes_a_plan(world, opened):
    proof = done(world, opened, 3).proof
    plan = plan_of(proof)
    assert proof.state == "collecting"
    assert plan.baseline == [world.date(2), world.date(3)]
    assert plan.gap_days == [world.date(1)]
    assert plan.engines == ["chat", "search"]
    assert (len(plan.wordings), len(plan.control_topics)) == (28, 6)
    assert (plan.not_before, plan.last) == (world.date(4), world.date(63))
    assert proof.waits_until == plan.last
    answers = plan.scans * Run.objects.first().total
    assert (plan.answers, plan.credits) == (answers, answers)
    assert plan.sentence.endswith(
        f"{answers:,} answers, {answers:,} credits. The baseline is 4 to 5 Nov 2026; 3 Nov 2026, when the gap "
        "was found, is left out."
    )
    assert f"on “{OWN}” beside your 6 other topics" in plan.sentence


def test_it_is_told_before_and_nothing_is_stored(world, opened):
    world.at(3, 12)
    preview = proof_preview(world.owner, brand_id=world.brand.pk, recommendation_id=opened.pk)
    assert not Proof.objects.exists()
    assert plan_of(done(world, opened, 3).proof).sentence == plan_of(preview.proof).sentence


@pytest.mark.parametrize(("kind", "words"), [("audit_finding", "next audit"), ("review_theme", "No figure")])
def test_where_no_figure_proves_it_that_is_told(world, kind, words):
    row = world.gap(0, kind=kind)
    assert words in proof_preview(world.owner, brand_id=world.brand.pk, recommendation_id=row.pk).unproven


def test_the_days_before_the_gap_are_no_baseline(world, opened):
    assert world.date(0) not in plan_of(done(world, opened, 3).proof).baseline


@pytest.mark.parametrize(("kind", "metric"), [("criterion", "score"), ("own_page_lost", "citation_rate")])
def test_the_kind_says_what_is_measured(world, opened, kind, metric):
    Recommendation.objects.filter(pk=opened.pk).update(kind=kind)
    assert done(world, opened, 3).proof.metric == metric


@pytest.mark.parametrize("kind", ["audit_finding", "review_theme", "mention_gap"])
def test_what_no_figure_of_a_topic_proves_has_no_proof(world, opened, kind):
    Recommendation.objects.filter(pk=opened.pk).update(kind=kind)
    assert done(world, opened, 3).proof is None
    assert not Proof.objects.exists()


def test_without_a_topic_nothing_can_be_proven(world, opened):
    Recommendation.objects.filter(pk=opened.pk).update(topic="")
    proof = done(world, opened, 3).proof
    assert (proof.state, proof.verdict) == ("judged", "not_comparable")
    assert "about no single topic" in result_of(proof).sentence
    assert plan_of(proof).sentence == result_of(proof).sentence


def test_without_other_topics_nothing_can_be_proven(world):
    Prompt.objects.exclude(topic=OWN).delete()
    world.scan(0, 1)
    proof = done(world, world.gap(0), 1).proof
    assert (proof.state, proof.verdict) == ("judged", "not_comparable")
    assert f"no topic beside “{OWN}”" in result_of(proof).sentence


def test_days_that_asked_less_are_no_baseline(world):
    for prompt in world.prompts[-12:]:
        archive_prompt(world.owner, prompt=prompt)
    world.scan(0, 1)
    for prompt in world.prompts[-12:]:
        restore_prompt(world.owner, prompt=prompt)
    world.scan(2, 3)
    plan = plan_of(done(world, world.gap(0), 3).proof)
    assert (plan.baseline, len(plan.wordings)) == ([world.date(2), world.date(3)], 28)


def test_of_days_that_asked_more_the_rest_is(world):
    world.scan(0, 1)
    for prompt in world.prompts[-12:]:
        archive_prompt(world.owner, prompt=prompt)
    world.scan(2, 3)
    plan = plan_of(done(world, world.gap(0), 3).proof)
    assert (len(plan.baseline), len(plan.wordings)) == (3, 16)


def test_a_prompt_without_a_topic_is_one_of_its_own(world):
    prompt = world.prompts[0]
    Prompt.objects.filter(pk=prompt.pk).update(topic="")
    world.scan(0, 1)
    plan = plan_of(done(world, world.gap(0, topic=str(prompt.pk)), 1).proof)
    assert len(plan.control_topics) == 7
    assert plan.wordings[str(prompt.versions.get().pk)] == f"prompt {prompt.pk}"
    assert "“which wireless earbuds are good, number 0?”" in plan.sentence
