"""Which days are collected, when they are judged, and what ends a proof without a verdict."""

import pytest

from tests.factories import CompetitorFactory
from tests.loop.conftest import OWN, done, judged
from tests.scans.history import rescored
from visibility.insights.proofs import judging
from visibility.insights.proofs.judging import judge_proofs
from visibility.insights.proofs.stored import plan_of, result_of
from visibility.models import DayCount, Prompt, Proof, Run
from visibility.pipeline.generations.planning import plan_generation
from visibility.pipeline.overdue import judge_overdue
from visibility.services.prompts.editing import archive_prompt
from visibility.services.scans.starting import start_scan

pytestmark = pytest.mark.usefixtures("planted")


def test_it_comes_with_the_last_scan_of_the_plan(world, opened):
    proof = done(world, opened, 3).proof
    world.rates[OWN] = 0.98
    scans = plan_of(proof).scans
    world.scan(*range(4, 3 + scans))
    proof.refresh_from_db()
    assert (proof.state, proof.result) == ("collecting", {})
    world.scan(3 + scans)
    assert judged(proof).verdict == "moved_up"
    result = result_of(proof)
    assert result.days == [world.date(day) for day in range(4, 4 + scans)]
    assert result.low > 0 and result.low < result.delta < result.high
    assert result.sentence.startswith(f"Moved up: on “{OWN}” Acme is named ")
    assert proof.waits_until is None


def test_once(world, opened):
    proof = done(world, opened, 3).proof
    world.scan(*range(4, 4 + plan_of(proof).scans))
    before = judged(proof).result
    world.rates[OWN] = 1.0
    world.scan(20, 21)
    judge_proofs(world.brand, proof.judged_at)
    assert judged(proof).result == before


def test_the_day_of_the_work_is_none_of_them(world, opened):
    proof = done(world, opened, 3).proof
    world.at(3, 15)
    world.answer(start_scan(world.owner, brand_id=world.brand.pk, trigger=Run.Trigger.WEB).run, 3)
    proof.refresh_from_db()
    assert world.date(3) in plan_of(proof).baseline
    assert plan_of(proof).not_before == world.date(4)


def test_days_without_an_engine_do_not_count(world, opened, settings):
    proof = done(world, opened, 3).proof
    both, settings.EXTRA_ENGINES = settings.EXTRA_ENGINES, settings.EXTRA_ENGINES[:1]
    world.scan(4, 5)
    settings.EXTRA_ENGINES = both
    world.scan(*range(6, 6 + plan_of(proof).scans))
    assert result_of(judged(proof)).days[0] == world.date(6)


def test_three_in_a_row_without_an_engine_end_it(world, opened, settings):
    proof = done(world, opened, 3).proof
    settings.EXTRA_ENGINES = settings.EXTRA_ENGINES[:1]
    world.scan(4, 5, 6)
    assert (judged(proof).verdict, result_of(proof).why_not) == ("not_comparable", "engines_changed")
    assert "chat and search" in result_of(proof).sentence


def test_three_in_a_row_without_its_prompts_end_it(world, opened):
    proof = done(world, opened, 3).proof
    for prompt in world.prompts[:4]:
        archive_prompt(world.owner, prompt=prompt)
    world.scan(4, 5, 6)
    assert (judged(proof).verdict, result_of(proof).why_not) == ("not_comparable", "prompts_changed")


def test_topics_that_are_called_otherwise_meanwhile_stay_what_they_were(world, opened):
    proof = done(world, opened, 3).proof
    Prompt.objects.filter(topic=OWN).update(topic="earphones")
    world.scan(*range(4, 4 + plan_of(proof).scans))
    assert judged(proof).verdict in ("not_seen", "moved_up", "moved_down")


def test_too_few_scans_until_the_last_day_tell_nothing(world, opened):
    proof = done(world, opened, 3).proof
    world.scan(4)
    for day, state in ((63, "collecting"), (64, "collecting"), (65, "judged")):
        world.at(day)
        judge_overdue()
        proof.refresh_from_db()
        assert proof.state == state
    assert result_of(proof).why_not == "no_scans"
    assert f"1 of the {plan_of(proof).scans} scans that were needed came until 4 Jan 2027" in (
        result_of(proof).sentence
    )


def test_a_slow_cadence_has_more_time(world, opened):
    world.brand.cadence = "monthly"
    world.brand.save()
    plan = plan_of(done(world, opened, 3).proof)
    assert (plan.last - plan.not_before).days + 1 == max(60, -(-plan.scans * 31 * 3 // 2))


def test_figures_that_are_counted_anew_are_judged_too(world, opened):
    """The scan that fulfils the plan ended while the next generation was built: its switch judges."""
    proof = done(world, opened, 3).proof
    world.scan(*range(4, 4 + plan_of(proof).scans))
    Proof.objects.update(state="collecting", verdict="", judged_at=None, result={}, waits_until=plan_of(proof).last)
    CompetitorFactory(brand=world.brand, name="Third")
    plan_generation(world.brand)
    rescored(world.brand)
    assert judged(proof).verdict


def test_a_baseline_that_is_gone_tells_nothing(world, opened):
    proof = done(world, opened, 3).proof
    DayCount.objects.filter(date__in=plan_of(proof).baseline).delete()
    world.scan(*range(4, 4 + plan_of(proof).scans))
    assert result_of(judged(proof)).why_not == "no_baseline"


def test_a_worker_that_breaks_off_while_it_judges_leaves_nothing_half_done(world, opened, monkeypatch):
    proof = done(world, opened, 3).proof
    world.scan(4)
    world.at(5)
    run = start_scan(world.owner, brand_id=world.brand.pk, trigger=Run.Trigger.WEB, samples=1).run

    def break_off(brand, results, now):
        raise RuntimeError("the worker dies here")

    with monkeypatch.context() as patched:
        patched.setattr(judging, "share_month", break_off)
        with pytest.raises(AssertionError):
            world.answer(run, 5)
        proof.refresh_from_db()
        assert (proof.state, DayCount.objects.filter(date=world.date(5)).exists()) == ("collecting", False)
    Run.objects.update(not_before=run.created_at)
    world.answer(run, 5)
    assert result_of(judged(proof)).days == [world.date(4), world.date(5)]
