"""The life of a proof: what freezes its plan, what it waits for, which days count, when it is judged."""

from types import SimpleNamespace

import pytest

from apikeys.models import Usage
from tests.factories import CompetitorFactory
from tests.loop.conftest import OWN, TOPICS
from tests.scans.history import rescored
from visibility.insights.proofs import planning
from visibility.insights.proofs.judging import judge_proofs
from visibility.insights.proofs.stored import plan_of, result_of
from visibility.insights.recommendations.kind import ProvenBy
from visibility.metrics.proof import planning as sizes
from visibility.models import DayCount, EngineConfig, Prompt, Proof, Recommendation, Run
from visibility.pipeline.generations.planning import plan_generation
from visibility.pipeline.overdue import judge_overdue
from visibility.services.prompts.editing import archive_prompt, restore_prompt
from visibility.services.recommendations.deciding import set_status
from visibility.services.scans.starting import start_scan


def done(world, row, day, hour=12):
    world.at(day, hour)
    return set_status(world.owner, recommendation=row, status="done")


def judged(proof):
    proof.refresh_from_db()
    assert proof.state == "judged", proof.state
    return proof


KINDS = {
    "criterion": ProvenBy.SCORE,
    "search": ProvenBy.SCORE,
    "own_page_lost": ProvenBy.CITATION_RATE,
    "audit_finding": ProvenBy.AUDIT,
    "review_theme": ProvenBy.NOTHING,
}


@pytest.fixture(autouse=True)
def _kinds(monkeypatch):
    """Kinds by what proves them, whatever these kinds themselves say."""
    kinds = [SimpleNamespace(id=kind, proven_by=proof) for kind, proof in KINDS.items()]
    monkeypatch.setattr(planning, "KINDS", kinds)


@pytest.fixture(autouse=True)
def _short_plans(monkeypatch):
    """At most two scans: what counts here is which, not how much they show."""
    monkeypatch.setattr(sizes, "MAX_SCANS", 2)


@pytest.fixture
def opened(world):
    """Four measured days; the answers of the second opened the gap."""
    world.scan(0, 1, 2, 3)
    return world.gap(1)


@pytest.fixture
def fresh(world):
    """A gap that the answers of today have opened: nothing was measured since."""
    world.scan(0)
    return world.gap(0)


class TestPlan:
    def test_done_freezes_a_plan(self, world, opened):
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

    def test_the_days_before_the_gap_are_no_baseline(self, world, opened):
        assert world.date(0) not in plan_of(done(world, opened, 3).proof).baseline

    @pytest.mark.parametrize(("kind", "metric"), [("criterion", "score"), ("own_page_lost", "citation_rate")])
    def test_the_kind_says_what_is_measured(self, world, opened, kind, metric):
        Recommendation.objects.filter(pk=opened.pk).update(kind=kind)
        assert done(world, opened, 3).proof.metric == metric

    @pytest.mark.parametrize("kind", ["audit_finding", "review_theme", "mention_gap"])
    def test_what_no_figure_of_a_topic_proves_has_no_proof(self, world, opened, kind):
        Recommendation.objects.filter(pk=opened.pk).update(kind=kind)
        assert done(world, opened, 3).proof is None
        assert not Proof.objects.exists()

    def test_without_a_topic_nothing_can_be_proven(self, world, opened):
        Recommendation.objects.filter(pk=opened.pk).update(topic="")
        proof = done(world, opened, 3).proof
        assert (proof.state, proof.verdict) == ("judged", "not_comparable")
        assert "about no single topic" in result_of(proof).sentence
        assert plan_of(proof).sentence == result_of(proof).sentence

    def test_without_other_topics_nothing_can_be_proven(self, world):
        Prompt.objects.exclude(topic=OWN).delete()
        world.scan(0, 1)
        proof = done(world, world.gap(0), 1).proof
        assert (proof.state, proof.verdict) == ("judged", "not_comparable")
        assert f"no topic beside “{OWN}”" in result_of(proof).sentence

    def test_days_that_asked_less_are_no_baseline(self, world):
        for prompt in world.prompts[-12:]:
            archive_prompt(world.owner, prompt=prompt)
        world.scan(0, 1)
        for prompt in world.prompts[-12:]:
            restore_prompt(world.owner, prompt=prompt)
        world.scan(2, 3)
        plan = plan_of(done(world, world.gap(0), 3).proof)
        assert (plan.baseline, len(plan.wordings)) == ([world.date(2), world.date(3)], 28)

    def test_of_days_that_asked_more_the_rest_is(self, world):
        world.scan(0, 1)
        for prompt in world.prompts[-12:]:
            archive_prompt(world.owner, prompt=prompt)
        world.scan(2, 3)
        plan = plan_of(done(world, world.gap(0), 3).proof)
        assert (len(plan.baseline), len(plan.wordings)) == (3, 16)

    def test_a_prompt_without_a_topic_is_one_of_its_own(self, world):
        prompt = world.prompts[0]
        Prompt.objects.filter(pk=prompt.pk).update(topic="")
        world.scan(0, 1)
        plan = plan_of(done(world, world.gap(0, topic=str(prompt.pk)), 1).proof)
        assert len(plan.control_topics) == 7
        assert plan.wordings[str(prompt.versions.get().pk)] == f"prompt {prompt.pk}"
        assert "“which wireless earbuds are good, number 0?”" in plan.sentence


class TestBaseline:
    def test_the_day_after_is_awaited_where_today_opened_the_gap(self, world, fresh):
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

    def test_a_scan_is_started_where_one_can_be(self, world, fresh):
        proof = done(world, fresh, 5).proof
        run = Run.objects.latest("created_at")
        assert (run.trigger, run.status, run.actor) == ("web", "queued", world.owner.actor)
        assert plan_of(proof).sentence.endswith(f"A scan was started for it: {run.total} answers.")
        world.answer(run, 5)
        proof.refresh_from_db()
        assert (proof.state, plan_of(proof).baseline) == ("collecting", [world.date(5)])

    def test_the_scan_that_is_under_way_becomes_it(self, world, fresh):
        world.at(5)
        start_scan(world.owner, brand_id=world.brand.pk, trigger=Run.Trigger.WEB)
        proof = done(world, fresh, 5).proof
        assert plan_of(proof).sentence.endswith("The scan that is under way becomes it.")
        assert Run.objects.count() == 2

    def test_without_credits_it_says_so(self, world, fresh):
        Usage.objects.filter(user=world.brand.owner, kind="credits").update(used=10**7)
        proof = done(world, fresh, 5).proof
        assert proof.state == "baseline"
        assert "No scan could be started for it: " in plan_of(proof).sentence
        assert Run.objects.count() == 1

    def test_later_than_the_day_after_nothing_can_be_compared(self, world, fresh):
        proof = done(world, fresh, 0).proof
        world.scan(3)
        assert (judged(proof).verdict, result_of(proof).why_not) == ("not_comparable", "no_baseline")

    def test_nor_without_any_scan(self, world, fresh):
        proof = done(world, fresh, 0).proof
        for day, state in ((1, "baseline"), (2, "baseline"), (3, "judged")):
            world.at(day)
            judge_overdue()
            proof.refresh_from_db()
            assert proof.state == state
        assert "Scan on the day when the work is done" in result_of(proof).sentence


class TestVerdict:
    def test_it_comes_with_the_last_scan_of_the_plan(self, world, opened):
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

    def test_once(self, world, opened):
        proof = done(world, opened, 3).proof
        world.scan(*range(4, 4 + plan_of(proof).scans))
        before = judged(proof).result
        world.rates[OWN] = 1.0
        world.scan(20, 21)
        judge_proofs(world.brand, proof.judged_at)
        assert judged(proof).result == before

    def test_the_day_of_the_work_is_none_of_them(self, world, opened):
        proof = done(world, opened, 3).proof
        world.at(3, 15)
        world.answer(start_scan(world.owner, brand_id=world.brand.pk, trigger=Run.Trigger.WEB).run, 3)
        proof.refresh_from_db()
        assert world.date(3) in plan_of(proof).baseline
        assert plan_of(proof).not_before == world.date(4)

    def test_days_without_an_engine_do_not_count(self, world, opened, settings):
        proof = done(world, opened, 3).proof
        both, settings.EXTRA_ENGINES = settings.EXTRA_ENGINES, settings.EXTRA_ENGINES[:1]
        world.scan(4, 5)
        settings.EXTRA_ENGINES = both
        world.scan(*range(6, 6 + plan_of(proof).scans))
        assert result_of(judged(proof)).days[0] == world.date(6)

    def test_three_in_a_row_without_an_engine_end_it(self, world, opened, settings):
        proof = done(world, opened, 3).proof
        settings.EXTRA_ENGINES = settings.EXTRA_ENGINES[:1]
        world.scan(4, 5, 6)
        assert (judged(proof).verdict, result_of(proof).why_not) == ("not_comparable", "engines_changed")
        assert "chat and search" in result_of(proof).sentence

    def test_three_in_a_row_without_its_prompts_end_it(self, world, opened):
        proof = done(world, opened, 3).proof
        for prompt in world.prompts[:4]:
            archive_prompt(world.owner, prompt=prompt)
        world.scan(4, 5, 6)
        assert (judged(proof).verdict, result_of(proof).why_not) == ("not_comparable", "prompts_changed")

    def test_topics_that_are_called_otherwise_meanwhile_stay_what_they_were(self, world, opened):
        proof = done(world, opened, 3).proof
        Prompt.objects.filter(topic=OWN).update(topic="earphones")
        world.scan(*range(4, 4 + plan_of(proof).scans))
        assert judged(proof).verdict in ("not_seen", "moved_up", "moved_down")

    def test_too_few_scans_until_the_last_day_tell_nothing(self, world, opened):
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

    def test_a_slow_cadence_has_more_time(self, world, opened):
        world.brand.cadence = "monthly"
        world.brand.save()
        plan = plan_of(done(world, opened, 3).proof)
        assert (plan.last - plan.not_before).days + 1 == max(60, -(-plan.scans * 31 * 3 // 2))

    def test_figures_that_are_counted_anew_are_judged_too(self, world, opened):
        """The scan that fulfils the plan ended while the next generation was built: its switch judges."""
        proof = done(world, opened, 3).proof
        world.scan(*range(4, 4 + plan_of(proof).scans))
        Proof.objects.update(
            state="collecting", verdict="", judged_at=None, result={}, waits_until=plan_of(proof).last
        )
        CompetitorFactory(brand=world.brand, name="Third")
        plan_generation(world.brand)
        rescored(world.brand)
        assert judged(proof).verdict

    def test_a_baseline_that_is_gone_tells_nothing(self, world, opened):
        proof = done(world, opened, 3).proof
        DayCount.objects.filter(date__in=plan_of(proof).baseline).delete()
        world.scan(*range(4, 4 + plan_of(proof).scans))
        assert result_of(judged(proof)).why_not == "no_baseline"


class TestShared:
    def test_two_on_one_topic_share_it(self, world, opened):
        first = done(world, opened, 3).proof
        second = done(world, world.gap(2, kind="search", subject="battery"), 3, 14).proof
        assert first == second
        plan = plan_of(second)
        assert plan.gap_days == [world.date(1), world.date(2)]
        assert plan.baseline == [world.date(3)]
        assert "3 Nov 2026 and 4 Nov 2026, when gaps were found, are left out" in plan.sentence
        assert second.done_at == first.done_at

    def test_answers_that_opened_the_second_are_not_judged(self, world, opened):
        proof = done(world, opened, 3).proof
        world.scan(4)
        done(world, world.gap(4, kind="search", subject="battery"), 4)
        world.scan(*range(5, 5 + plan_of(proof).scans))
        assert world.date(4) not in result_of(judged(proof)).days

    def test_another_metric_is_another_proof(self, world, opened):
        first = done(world, opened, 3).proof
        assert done(world, world.gap(1, kind="own_page_lost", subject="page"), 3).proof != first

    def test_another_topic_is_another_proof(self, world, opened):
        first = done(world, opened, 3).proof
        assert done(world, world.gap(1, topic=TOPICS[1]), 3).proof != first

    @pytest.mark.parametrize("status", ["open", "in_progress", "dismissed"])
    def test_it_goes_with_the_last_of_them(self, world, opened, status):
        other = world.gap(1, kind="search", subject="battery")
        done(world, opened, 3)
        done(world, other, 3)
        set_status(world.owner, recommendation=opened, status=status, reason="not ours")
        assert Proof.objects.count() == 1
        set_status(world.owner, recommendation=other, status=status, reason="not ours")
        assert not Proof.objects.exists()
        assert not Recommendation.objects.exclude(proof=None).exists()

    def test_a_verdict_stays(self, world, opened):
        proof = done(world, opened, 3).proof
        world.scan(*range(4, 4 + plan_of(proof).scans))
        row = set_status(world.owner, recommendation=opened, status="open")
        assert row.proof == proof
        world.scan(10, 11)
        again = done(world, row, 11).proof
        assert again not in (None, proof)
        assert Proof.objects.count() == 2

    def test_what_was_resolved_meanwhile_is_still_proven(self, world, opened):
        proof = done(world, opened, 3).proof
        Recommendation.objects.filter(pk=opened.pk).update(status="resolved")
        world.scan(*range(4, 4 + plan_of(proof).scans))
        assert judged(proof).recommendations.get() == opened
        assert EngineConfig.objects.count() == 0


class TestMonth:
    def test_verdicts_of_a_month_share_their_false_alarms(self, world, opened):
        proofs = [done(world, row, 3).proof for row in (opened, world.gap(1, topic=TOPICS[1]))]
        world.rates[OWN] = 0.98
        world.scan(*range(4, 6))
        moved, other = [judged(proof) for proof in proofs]
        assert (moved.verdict, other.verdict) == ("moved_up", "not_seen")
        assert result_of(moved).adjusted_p == pytest.approx(2 * moved.p, rel=0.01)
        assert result_of(other).adjusted_p == pytest.approx(other.p, rel=0.01)
        assert TOPICS[1] in plan_of(moved).control_topics
        assert OWN not in {*plan_of(other).wordings.values()}

    def test_a_new_one_may_change_an_earlier_one_which_says_so(self, world, opened):
        first = done(world, opened, 3).proof
        world.rates[OWN] = 0.98
        world.scan(4, 5)
        judged(first)
        Proof.objects.update(p=0.04, verdict="moved_up")
        second = done(world, world.gap(4, topic=TOPICS[1]), 5).proof
        world.scan(6, 7)
        judged(second)
        assert judged(first).verdict == "not_seen"
        [earlier] = result_of(first).earlier
        assert (earlier.verdict, earlier.until) == ("moved_up", world.date(7))
        assert "Until 9 Nov 2026 this said “moved up”" in result_of(first).sentence
        assert "2 verdicts of this month share 5 % of false alarms" in result_of(first).sentence

    def test_those_of_another_month_stay(self, world, opened):
        first = done(world, opened, 3).proof
        world.scan(4, 5)
        before = judged(first).result
        world.scan(30, 31)
        second = done(world, world.gap(30, topic=TOPICS[1]), 31).proof
        world.scan(32, 33)
        assert result_of(judged(second)).adjusted_p == pytest.approx(second.p, rel=0.01)
        assert judged(first).result == before
