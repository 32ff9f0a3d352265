"""A run from its claim to its end, also when it breaks off at any place."""

from datetime import timedelta
from threading import Event
from time import sleep

import pytest
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import Usage
from apikeys.operators import system_caller
from brands.models import Brand
from tests.factories import CompetitorFactory, PromptFactory, RunFactory
from tests.ledger import answered_call
from tests.scans.engines import Failing
from visibility.jobs.kinds import RUN
from visibility.jobs.lease import claim
from visibility.models import Answer, Citation, DailyScore, Generation, Mention, Run, RunScore, TopicChoice
from visibility.pipeline import finishing, runner
from visibility.pipeline.ask import asker
from visibility.pipeline.credits import settle
from visibility.pipeline.finishing import end_cancelled, settle_abandoned
from visibility.pipeline.runner import execute
from visibility.services.brands import remove_brand
from visibility.services.scans.starting import cancel_scan, start_scan


@pytest.fixture
def started(cast, owner, engines):
    """Start a scan of the given prompts."""

    def start(*texts, engine="Steady", samples=1):
        engines(engine)
        for text in texts:
            PromptFactory(brand=cast.brand, text=text)
        return start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=samples).run

    return start


@pytest.fixture(autouse=True)
def _slow_engine(monkeypatch, tmp_path):
    monkeypatch.setenv("SLOW_ENGINE_LOG", str(tmp_path / "asked"))


@pytest.fixture(autouse=True)
def _without_delay(monkeypatch):
    monkeypatch.setattr(asker, "delay", lambda error, attempt: 0)
    Failing.asked.clear()


EIGHT = [f"which product number {number}?" for number in range(8)]


def used(user):
    return sum(Usage.objects.filter(user=user, kind="credits").values_list("used", flat=True))


def due_now(run):
    """Let the delay after a failure, or the lease of a dead worker, be over."""
    past = timezone.now() - timedelta(seconds=1)
    Run.objects.filter(pk=run.pk).update(not_before=past)
    Run.objects.filter(pk=run.pk, status="running").update(lease_until=past)


def test_a_run_goes_from_questions_to_scores(cast, started):
    rival = CompetitorFactory(brand=cast.brand, name="Rival")
    TopicChoice.objects.create(brand=cast.brand, topic="odd products", is_own=True)
    for text in EIGHT[1::2]:  # the brand is named in none of these answers, the rival in all
        PromptFactory(brand=cast.brand, text=text, topic="odd products")
    run = started(*EIGHT[::2], samples=2)
    execute(run.pk, "w")
    run.refresh_from_db()
    assert (run.status, run.done, run.failed, run.total) == ("succeeded", 16, 0, 16)
    assert (run.score, run.error_code, run.worker, run.lease_until) == (50.0, "", "", None)
    assert run.low < 50 < run.high
    assert run.started_at <= run.finished_at
    assert (run.credits_reserved, run.credits_spent) == (16, 16)
    assert run.settled_at is not None
    day = DailyScore.objects.get(brand=cast.brand, competitor=None)
    assert (day.score, day.runs, day.date) == (50.0, [str(run.pk)], run.created_at.date())
    assert day.citation_rate == 100.0
    assert DailyScore.objects.get(competitor=rival).score == 50.0
    assert Mention.objects.filter(competitor=None).count() == Mention.objects.filter(competitor=rival).count() == 8
    assert set(Citation.objects.values_list("url", "owner", "cls")) == {("https://acme.example/page", "own", "own")}
    gap = cast.brand.recommendations.get(kind="topic_gap")
    assert (gap.subject, gap.factors["answers"]) == ("odd products", 8), "a rival is named where the brand is not"


def test_a_second_execution_returns_at_once(started):
    run = started(*EIGHT)
    execute(run.pk, "w")
    before = Run.objects.values().get()
    execute(run.pk, "x")
    assert Run.objects.values().get() == before


def test_some_failures_make_a_partial_run(cast, started):
    run = started("a refused", "b empty", *[f"question {n} good" for n in range(8)], engine="Failing")
    execute(run.pk, "w")
    run.refresh_from_db()
    assert (run.status, run.done, run.failed, run.error_code) == ("partial", 8, 2, "incomplete")
    assert "2 of 10 answers failed" in run.error_message
    assert "forbidden 1" in run.error_message
    assert run.score == 100.0
    assert (run.credits_spent, used(cast.owner)) == (8, 8), "calls that got no answer are given back"


def test_a_cap_on_credits_ends_a_run_as_partial(cast, started, settings):
    settings.SCAN_MAX_CREDITS = 5
    run = started(*EIGHT)
    execute(run.pk, "w")
    run.refresh_from_db()
    assert (run.status, run.done, run.failed, run.error_code) == ("partial", 5, 3, "spend_cap")
    assert "spend_cap 3" in run.error_message
    assert (run.credits_spent, used(cast.owner)) == (5, 5)
    assert set(Answer.objects.filter(state="failed").values_list("error_code", "attempts")) == {("spend_cap", 0)}


def test_a_cap_on_money_counts_what_was_spent_before_a_crash(cast, started, settings):
    """Two answers came before, one of them of unknown cost, which counts as what was reserved for it."""
    run = started(*EIGHT, engine="Costly")
    paid = list(Answer.objects.order_by("position").values_list("pk", flat=True)[:2])
    Answer.objects.filter(pk__in=paid).update(state="answered", text="Acme.")
    answered_call(run, engine="costly", answer=paid[0], cost="0.10")
    answered_call(run, engine="costly", answer=paid[1], reserved="0.10")
    Run.objects.update(done=2)
    settings.SCAN_MAX_COST_USD = 0.55
    execute(run.pk, "w")
    run.refresh_from_db()
    assert (run.status, run.done, run.error_code) == ("partial", 5, "spend_cap")
    assert "$0.55" in Answer.objects.filter(state="failed").first().error_message


def test_without_any_answer_a_run_fails_and_costs_nothing(cast, owner, started):
    run = started("a refused", "b refused", engine="Failing")
    execute(run.pk, "w")
    run.refresh_from_db()
    assert (run.status, run.done, run.failed, run.error_code, run.score) == ("failed", 0, 2, "forbidden", None)
    assert (run.credits_spent, used(cast.owner)) == (0, 0)
    assert not DailyScore.objects.exists()
    assert start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT).started, "no cooldown"


def test_credits_go_back_to_the_month_they_came_from(cast, started):
    run = started("a refused", "b good", engine="Failing")
    last_month = (run.credits_month - timedelta(days=1)).replace(day=1)
    Usage.objects.update(period=last_month)
    Run.objects.update(credits_month=last_month)
    execute(run.pk, "w")
    assert list(Usage.objects.values_list("period", "used")) == [(last_month, 1)]


STAGES = ["pending_by_engine", "store_answers", "_detect", "finish"]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_run_that_breaks_off_goes_on_where_it_was(cast, started, monkeypatch, stage, when):
    """A stage breaks before or after its work; afterwards everything is there once."""
    run = started(*EIGHT)
    real, broken = getattr(runner, stage), []

    def breaking(*args, **more):
        if broken:
            return real(*args, **more)
        broken.append(True)
        if when == "after":
            real(*args, **more)
        raise OSError("lost")

    monkeypatch.setattr(runner, stage, breaking)
    execute(run.pk, "first")
    run.refresh_from_db()
    if (stage, when) == ("finish", "after"):
        assert run.status == "succeeded", "what was committed stays"
    else:
        assert (run.status, run.worker, run.error_code) == ("queued", "", "broken_off")
        assert run.not_before > timezone.now()
        execute(run.pk, "too early")
        due_now(run)
        execute(run.pk, "second")
    run.refresh_from_db()
    assert (run.status, run.done, run.error_code) == ("succeeded", 8, "")
    assert set(Answer.objects.values_list("state", "attempts")) == {("answered", 1)}
    assert (run.credits_spent, used(cast.owner)) == (8, 8)
    assert DailyScore.objects.get(competitor=None).answers == 8
    assert Mention.objects.count() == 4


def test_a_dead_worker_is_followed_by_another(started):
    run = started(*EIGHT)
    claim(RUN, run.pk, "dead")
    execute(run.pk, "too early")
    assert Run.objects.get().worker == "dead"
    due_now(run)
    execute(run.pk, "second")
    assert Run.objects.get().status == "succeeded"


def test_a_run_that_breaks_off_again_and_again_is_given_up(cast, started, monkeypatch, settings):
    settings.SCAN_MAX_ATTEMPTS = 3
    run = started("a good", "b good", engine="Failing")

    def broken(*args, **more):
        raise OSError("lost")

    monkeypatch.setattr(runner, "pending_by_engine", broken)
    for attempt in range(4):
        due_now(run)
        execute(run.pk, f"w{attempt}")
    run.refresh_from_db()
    assert (run.status, run.error_code, run.failed) == ("failed", "attempts_exhausted", 2)
    assert "OSError" in run.error_message
    assert run.finished_at is not None
    assert used(cast.owner) == 0


def test_what_was_answered_before_a_run_was_given_up_is_kept_and_paid(cast, started, monkeypatch, settings):
    settings.SCAN_MAX_ATTEMPTS = 2
    run = started(*EIGHT)

    def broken(*args, **more):
        raise OSError("lost")

    monkeypatch.setattr(runner, "_detect", broken)
    for attempt in range(5):
        due_now(run)
        execute(run.pk, f"w{attempt}")
    run.refresh_from_db()
    assert (run.status, run.error_code, run.done, run.failed) == ("partial", "attempts_exhausted", 8, 0)
    assert (run.credits_spent, used(cast.owner), run.score) == (8, 8, None)


def test_history_keeps_its_names_until_all_of_it_is_measured_with_the_new_ones(cast, owner, started, settings):
    settings.SCAN_COOLDOWN_SECONDS = 0
    execute(started(*EIGHT).pk, "w")
    rival = CompetitorFactory(brand=cast.brand, name="Rival")
    again = start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1).run
    execute(again.pk, "w")
    assert not DailyScore.objects.filter(competitor=rival).exists()
    day = DailyScore.objects.get(competitor=None)
    assert (day.score, day.answers, day.share_of_voice) == (50.0, 16, None)
    assert Generation.objects.get(brand=cast.brand, state="building").names["domains"].keys() == {"", str(rival.pk)}


def test_names_that_change_while_a_run_ends_are_still_found(cast, started, monkeypatch):
    run = started(*EIGHT)
    real = runner.finish
    rivals = []

    def named_meanwhile(*args):
        if not rivals:
            rivals.append(CompetitorFactory(brand=cast.brand, name="Rival"))
        return real(*args)

    monkeypatch.setattr(runner, "finish", named_meanwhile)
    execute(run.pk, "w")
    assert DailyScore.objects.get(competitor=rivals[0]).score == 50.0
    run.refresh_from_db()
    assert (run.status, run.score) == ("succeeded", 50.0)


def test_credits_are_settled_once(cast, started):
    run = started("a refused", "b good", engine="Failing")
    execute(run.pk, "w")
    run.refresh_from_db()
    settle(run)
    assert used(cast.owner) == 1


def test_answers_are_looked_through_while_others_are_on_their_way(cast, started, monkeypatch):
    run = started(*[f"which product number {number}?" for number in range(40)], engine="Slow")
    monkeypatch.setattr(runner, "_detect", lambda *args: 1 / 0)
    execute(run.pk, "w")
    ahead = RunScore.objects.get(run=run)
    assert (ahead.stage, Answer.objects.filter(state="answered").count()) == ("analysing", 40)
    assert ahead.analysed == Mention.objects.count() >= 20
    monkeypatch.undo()
    due_now(run)
    execute(run.pk, "w2")
    assert Mention.objects.count() == RunScore.objects.get(run=run).analysed == 40, "each once"
    assert Run.objects.get().status == "succeeded"


class TestCancelling:
    def test_a_waiting_run_is_cancelled_and_given_back(self, cast, owner, started):
        run = started(*EIGHT)
        assert cancel_scan(owner, run=run).status == "cancelled"
        assert used(cast.owner) == 0
        execute(run.pk, "w")
        assert not Answer.objects.exclude(state="pending").exists()

    def test_what_was_answered_is_paid_once_its_worker_has_let_go(self, cast, owner, started):
        run = started(*EIGHT)
        claim(RUN, run.pk, "w")
        Run.objects.update(done=3)
        assert cancel_scan(owner, run=run).settled_at is None
        end_cancelled(run.pk, "another")
        assert Run.objects.get().settled_at is None
        end_cancelled(run.pk, "w")
        assert cancel_scan(owner, run=run).credits_spent == 3
        assert used(cast.owner) == 3

    def test_a_worker_that_died_keeps_no_credits(self, cast, owner, started):
        run = started(*EIGHT)
        claim(RUN, run.pk, "dead")
        Run.objects.update(done=3)
        cancel_scan(owner, run=run)
        settle_abandoned()
        assert used(cast.owner) == 8, "its lease is not over"
        Run.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        settle_abandoned()
        settle_abandoned()
        assert (used(cast.owner), Run.objects.get().worker) == (3, "")

    def test_a_run_whose_lease_is_over_is_settled_at_once(self, cast, owner, started):
        run = started(*EIGHT)
        claim(RUN, run.pk, "dead")
        due_now(run)
        assert cancel_scan(owner, run=run).settled_at
        assert used(cast.owner) == 0

    def test_a_brand_that_goes_waits_for_no_answer(self, cast, owner, started):
        run = started(*EIGHT)
        claim(RUN, run.pk, "w")
        Run.objects.update(done=3)
        cancel_scan(owner, run=run)
        remove_brand(owner, brand=cast.brand)
        assert used(cast.owner) == 3

    def test_its_worker_stores_what_has_come_and_asks_no_more(self, cast, owner, started, monkeypatch):
        """Eight at once; the run is cancelled while the first answers are stored."""
        run = started(*[f"which product number {number}?" for number in range(40)], engine="Slow")
        real = runner.store_answers

        def cancelled_meanwhile(run_id, worker, batch):
            cancel_scan(owner, run=run)
            real(run_id, worker, batch)

        monkeypatch.setattr(runner, "store_answers", cancelled_meanwhile)
        execute(run.pk, "w")
        run.refresh_from_db()
        assert run.status == "cancelled"
        assert 4 <= run.done <= 16, "within half a second no further call begins; four go on at a time, 0.2 s each"
        assert run.done == Answer.objects.filter(state="answered").count() == run.credits_spent == used(cast.owner)
        assert (run.worker, run.settled_at is None) == ("", False)
        assert not DailyScore.objects.exists()

    def test_an_import_is_not_cancelled_and_goes_with_its_brand(self, cast):
        run = RunFactory(brand=cast.brand, trigger=Run.Trigger.IMPORT, status=Run.Status.QUEUED)
        with pytest.raises(ServiceError) as caught:
            cancel_scan(system_caller("test"), run=run)
        assert caught.value.code == ErrorCode.CONFLICT
        assert Run.objects.get().status == "queued"
        remove_brand(system_caller("test"), brand=cast.brand)
        assert not Run.objects.exists()

    def test_an_ended_run_is_not_cancelled(self, owner, started):
        run = started(*EIGHT)
        execute(run.pk, "w")
        with pytest.raises(ServiceError) as caught:
            cancel_scan(owner, run=run)
        assert caught.value.code == ErrorCode.CONFLICT

    @pytest.mark.parametrize(("who", "code"), [("viewer", "read_only_collaborator"), ("stranger", "not_found")])
    def test_who_may_not(self, cast, started, who, code):
        run = started(*EIGHT)
        with pytest.raises(ServiceError) as caught:
            cancel_scan(Caller.from_user(getattr(cast, who)), run=run)
        assert caught.value.code == code
        assert Run.objects.get().status == "queued"


def test_a_brand_that_is_deleted_meanwhile_ends_the_run_quietly(cast, started, monkeypatch, caplog):
    run = started(*EIGHT)
    real = runner._detect

    def deleted_meanwhile(*args):
        tracked = real(*args)
        Brand.objects.filter(pk=cast.brand.pk).delete()
        return tracked

    monkeypatch.setattr(runner, "_detect", deleted_meanwhile)
    execute(run.pk, "w")
    assert not Run.objects.exists()
    assert not DailyScore.objects.exists()
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
class TestConcurrently:
    def test_many_workers_do_the_work_once(self, cast, started, at_once):
        run = started(*EIGHT, samples=5)
        assert at_once(8, lambda index: execute(run.pk, f"w{index}")) == [None] * 8
        run.refresh_from_db()
        assert (run.status, run.done, run.attempt) == ("succeeded", 40, 1)
        assert (run.credits_spent, used(cast.owner)) == (40, 40)
        assert Mention.objects.count() == 20

    def test_runs_that_end_together_see_each_others_answers(self, cast, owner, engines, at_once, settings):
        settings.SCAN_COOLDOWN_SECONDS = 0
        for text in EIGHT:
            PromptFactory(brand=cast.brand, text=text)
        runs = []
        for _ in range(4):
            run = start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=1).run
            # Two visibility scans are never active together; imports are, and end the same way.
            Run.objects.filter(pk=run.pk).update(trigger="import")
            runs.append(run)
        assert at_once(4, lambda index: execute(runs[index].pk, f"w{index}")) == [None] * 4
        day = DailyScore.objects.get(competitor=None)
        assert (day.answers, len(day.runs)) == (32, 4)

    def test_the_end_of_a_run_and_a_deletion_do_not_wait_for_each_other(self, cast, started, at_once, monkeypatch):
        run = started(*EIGHT)
        held, real = Event(), finishing.fenced

        def fenced_late(*args):
            """The brand is held and the run is not yet, when the deletion begins."""
            held.set()
            sleep(0.5)
            return real(*args)

        monkeypatch.setattr(finishing, "fenced", fenced_late)

        def act(index):
            if index == 0:
                return execute(run.pk, "w")
            assert held.wait(20)
            return remove_brand(system_caller("test"), brand=cast.brand)

        assert at_once(2, act) == [None, None]
        assert not Brand.objects.exists()
        assert used(cast.owner) == 8
