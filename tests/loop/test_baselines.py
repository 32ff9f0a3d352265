"""Where nothing was measured since the gap was found: what becomes the baseline, and until when."""

import pytest

from apikeys.models import Usage
from tests.loop.conftest import done, judged
from visibility.insights.proofs.stored import plan_of, result_of
from visibility.models import Run
from visibility.services.scans.starting import start_scan
from visibility.tasks import tick

pytestmark = pytest.mark.usefixtures("planted")


def test_the_day_after_is_awaited_where_today_opened_the_gap(world, fresh):
    proof = done(world, fresh, 0).proof
    assert proof.state == "baseline"
    assert Run.objects.count() == 1
    assert plan_of(proof).sentence == (
        "No day was measured since the gap was found on 2 Nov 2026, and that day's answers were low because that "
        "is how it was found. The first scan until 3 Nov 2026 becomes the baseline. Today's answers are among "
        "those that found the gap: scan again on 3 Nov 2026."
    )
    world.scan(1)
    proof.refresh_from_db()
    assert (proof.state, plan_of(proof).baseline) == ("collecting", [world.date(1)])
    assert plan_of(proof).not_before == world.date(2)


def test_a_scan_is_started_where_one_can_be(world, fresh):
    proof = done(world, fresh, 5).proof
    run = Run.objects.latest("created_at")
    assert (run.trigger, run.status, run.actor) == ("web", "queued", world.owner.actor)
    assert plan_of(proof).sentence.endswith(f"A scan was started for it: {run.total} answers.")
    world.answer(run, 5)
    proof.refresh_from_db()
    assert (proof.state, plan_of(proof).baseline) == ("collecting", [world.date(5)])


def test_the_scan_that_is_under_way_becomes_it(world, fresh):
    world.at(5)
    start_scan(world.owner, brand_id=world.brand.pk, trigger=Run.Trigger.WEB)
    proof = done(world, fresh, 5).proof
    assert plan_of(proof).sentence.endswith("The scan that is under way becomes it.")
    assert Run.objects.count() == 2


def test_without_credits_it_says_so(world, fresh):
    Usage.objects.filter(user=world.brand.owner, kind="credits").update(used=10**7)
    proof = done(world, fresh, 5).proof
    assert proof.state == "baseline"
    assert "No scan could be started for it: " in plan_of(proof).sentence
    assert Run.objects.count() == 1


def test_later_than_the_day_after_nothing_can_be_compared(world, fresh):
    proof = done(world, fresh, 0).proof
    world.scan(3)
    assert (judged(proof).verdict, result_of(proof).why_not) == ("not_comparable", "no_baseline")


def test_nor_without_any_scan(world, fresh):
    proof = done(world, fresh, 0).proof
    for day, state in ((1, "baseline"), (2, "baseline"), (3, "judged")):
        world.at(day)
        tick()
        proof.refresh_from_db()
        assert proof.state == state
    assert "Scan on the day when the work is done" in result_of(proof).sentence
