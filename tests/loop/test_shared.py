"""Recommendations on one topic share a proof, which goes with the last of them."""

import pytest

from tests.loop.conftest import TOPICS, done, judged
from visibility.insights.proofs.stored import plan_of, result_of
from visibility.models import EngineConfig, Proof, Recommendation
from visibility.services.recommendations.deciding import set_status

pytestmark = pytest.mark.usefixtures("planted")


def test_two_on_one_topic_share_it(world, opened):
    first = done(world, opened, 3).proof
    second = done(world, world.gap(2, kind="search", subject="battery"), 3, 14).proof
    assert first == second
    plan = plan_of(second)
    assert plan.gap_days == [world.date(1), world.date(2)]
    assert plan.baseline == [world.date(3)]
    assert "3 Nov 2026 and 4 Nov 2026, when gaps were found, are left out" in plan.sentence
    assert second.done_at == first.done_at


def test_answers_that_opened_the_second_are_not_judged(world, opened):
    proof = done(world, opened, 3).proof
    world.scan(4)
    done(world, world.gap(4, kind="search", subject="battery"), 4)
    world.scan(*range(5, 5 + plan_of(proof).scans))
    assert world.date(4) not in result_of(judged(proof)).days


def test_another_metric_is_another_proof(world, opened):
    first = done(world, opened, 3).proof
    assert done(world, world.gap(1, kind="own_page_lost", subject="page"), 3).proof != first


def test_another_topic_is_another_proof(world, opened):
    first = done(world, opened, 3).proof
    assert done(world, world.gap(1, topic=TOPICS[1]), 3).proof != first


@pytest.mark.parametrize("status", ["open", "in_progress", "dismissed"])
def test_it_goes_with_the_last_of_them(world, opened, status):
    other = world.gap(1, kind="search", subject="battery")
    done(world, opened, 3)
    done(world, other, 3)
    set_status(world.owner, recommendation=opened, status=status, reason="not ours")
    assert Proof.objects.count() == 1
    set_status(world.owner, recommendation=other, status=status, reason="not ours")
    assert not Proof.objects.exists()
    assert not Recommendation.objects.exclude(proof=None).exists()


def test_a_verdict_stays(world, opened):
    proof = done(world, opened, 3).proof
    world.scan(*range(4, 4 + plan_of(proof).scans))
    row = set_status(world.owner, recommendation=opened, status="open")
    assert row.proof == proof
    world.scan(10, 11)
    again = done(world, row, 11).proof
    assert again not in (None, proof)
    assert Proof.objects.count() == 2


def test_what_was_resolved_meanwhile_is_still_proven(world, opened):
    proof = done(world, opened, 3).proof
    Recommendation.objects.filter(pk=opened.pk).update(status="resolved")
    world.scan(*range(4, 4 + plan_of(proof).scans))
    assert judged(proof).recommendations.get() == opened
    assert EngineConfig.objects.count() == 0
