"""Changes from one measured day to the next, as they are stored and reported."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from scipy.stats import t as student_t

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from tests.factories import CompetitorFactory, PromptFactory
from tests.generations import tracked_names_of
from tests.scans.history import rescored
from tests.scans.test_scoring import ABSENT, NAMED, run_of
from visibility.measured.sampling import answers_of_day
from visibility.models import DailyScore, Run
from visibility.pipeline.days import scoring
from visibility.pipeline.days.scoring import score_days
from visibility.pipeline.generations.planning import plan_generation
from visibility.services.reading.changes import change_report

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
RIVAL = "Rival is a good choice."


@pytest.fixture
def wordings(brand):
    return [PromptFactory(brand=brand, text=f"which one is good, number {n}?", topic=f"t{n}") for n in range(12)]


def at(day):
    return NOON + timedelta(days=day)


def measure(brand, wordings, day, texts, **more):
    """A run on that day, scored; `texts` gives one for each prompt."""
    run = run_of(brand, wordings, texts, at=at(day), **more)
    score_days(brand, tracked_names_of(brand), [at(day).date()])
    return run


def named(*places, of=12, text=NAMED):
    return [text if place in places else ABSENT for place in range(of)]


def change_of(brand, day, competitor=None):
    return DailyScore.objects.get(brand=brand, competitor=competitor, date=at(day).date())


def headline(day, verdict, delta=None, low=None, high=None, minimum=None):
    return {
        "since": at(day).date().isoformat(), "delta": delta, "low": low, "high": high, "interval": None,
        "verdict": verdict, "minimum_detectable": minimum, "causes": [], "common": None, "by_engine": [],
    }  # fmt: skip


def test_the_first_measured_day_has_no_change(brand, wordings):
    measure(brand, wordings, 0, named(1, 2))
    row = change_of(brand, 0)
    assert (row.change, row.changes, row.budget["change"]) == (None, [], None)
    assert row.budget["score"]["prompts"] == 12


def test_a_change_that_most_prompts_share_has_moved(brand, wordings):
    measure(brand, wordings, 0, named(0), samples=2)
    measure(brand, wordings, 3, named(*range(10)), samples=2)
    change = change_of(brand, 3).change
    assert (change["verdict"], change["since"], change["delta"]) == ("moved", "2026-03-10", 75.0)
    assert 0 < change["low"] < 75 < change["high"] <= 100
    assert change["minimum_detectable"] > 10


def test_it_is_paired_by_prompt(brand, wordings):
    """d is 1 for three prompts of twelve: mean 1/4, variance 12/11 · (3 · (3/4)² + 9 · (1/4)²)/144 = 9/4/132.

    The luck of two days comes on top: twice 3.5² square points at a rate of 50 %, 4 r (1 - r) of that at the middle
    of 1/12 and 4/12, with 4 degrees of freedom, where topics have 11.
    """
    measure(brand, wordings, 0, named(5))
    measure(brand, wordings, 1, named(1, 2, 3, 5))
    topics, days = 9 / 4 / 132, 2 * 0.035**2 * 4 * (5 / 24) * (19 / 24)
    freedom = (topics + days) ** 2 / (topics**2 / 11 + days**2 / 4)
    half = student_t.ppf(0.975, freedom) * (topics + days) ** 0.5
    change = change_of(brand, 1).change
    assert change["delta"] == 25.0
    assert (change["low"], change["high"]) == pytest.approx((25 - 100 * half, 25 + 100 * half), abs=0.006)
    assert change["verdict"] == "cannot_detect"


def test_answers_that_all_stay_the_same_are_neither_moved_nor_an_error(brand, wordings):
    for day in (0, 1):
        measure(brand, wordings, day, named(1, 2, 3), samples=3)
    assert change_of(brand, 1).change == headline(0, "cannot_detect", 0.0, minimum=26.26)
    for day in (2, 3):
        measure(brand, wordings, day, named(*range(12) if day == 3 else ()), engine="local-search")
    assert change_of(brand, 3).change == headline(2, "cannot_detect", 100.0)


def test_a_day_that_cannot_be_compared_has_no_figures(brand, wordings):
    measure(brand, wordings, 0, named(0))
    measure(brand, wordings, 1, named(*range(11)), model="m-2")
    row = change_of(brand, 1)
    assert row.comparable is False
    why = [{"code": "model", "message": "chat was served by m-1 before and by m-2 now"}]
    figures = {
        name: value for name, value in headline(0, "not_comparable").items() if name not in ("common", "by_engine")
    }
    alone = {
        **figures,
        "engine": "chat",
        "causes": why,
        "week": None,
        "month": None,
        "confirmation": None,
        "monitor": None,
    }
    assert row.change == {**figures, "causes": why, "common": None, "by_engine": [alone]}
    assert row.changes == []


def test_only_what_both_days_answered_is_compared(brand, wordings):
    measure(brand, wordings, 0, [*named(0, 1, of=11), None])
    measure(brand, wordings, 1, [None, *named(0, 1, 2, 3, of=10), NAMED])
    assert change_of(brand, 1).change["delta"] == pytest.approx(100 * (4 - 1) / 10)


def test_the_family_holds_every_subject_engine_and_metric_once(brand, wordings):
    rival = CompetitorFactory(brand=brand, name="Rival")
    for day, mine in ((0, named(0, 1)), (1, named(0, 1, 2, 3))):
        run = run_of(brand, wordings, mine, at=at(day))
        run_of(brand, wordings, named(4, 5, text=RIVAL), engine="other", run=run, at=at(day))
        run_of(brand, wordings, named(6), engine="local-search", run=run, at=at(day))
        score_days(brand, tracked_names_of(brand), [at(day).date()])
    for subject in (None, rival):
        changes = change_of(brand, 1, subject).changes
        places = [(each["engine"], each["metric"]) for each in changes]
        metrics = ("score", "share_of_voice", "citation_rate")
        assert sorted(places, key=str) == sorted(
            [(engine, metric) for engine in (None, "chat", "other", "local-search") for metric in metrics], key=str
        )
    own = {(each["engine"], each["metric"]): each for each in change_of(brand, 1).changes}
    assert own[None, "score"]["delta"] == pytest.approx(100 * 2 / 12 / 2, abs=0.01)
    assert own["chat", "score"]["delta"] == pytest.approx(100 * 2 / 12, abs=0.01)
    assert own["local-search", "score"]["delta"] == 0.0
    assert own[None, "score"]["p"] <= own[None, "score"]["adjusted_p"]
    assert change_of(brand, 1, rival).change["delta"] == 0.0


def test_a_day_between_and_a_day_gone_are_compared_anew(brand, wordings):
    measure(brand, wordings, 0, named(0))
    measure(brand, wordings, 4, named(0, 1, 2))
    assert change_of(brand, 4).change["since"] == "2026-03-10"
    between = measure(brand, wordings, 2, named(0, 1))
    assert change_of(brand, 2).change["delta"] == pytest.approx(8.33)
    assert change_of(brand, 4).change["since"] == "2026-03-12"
    assert change_of(brand, 4).change["delta"] == pytest.approx(8.33)
    between.delete()
    score_days(brand, tracked_names_of(brand), [at(2).date()])
    assert change_of(brand, 4).change["since"] == "2026-03-10"
    Run.objects.filter(created_at__date=at(0).date()).delete()
    score_days(brand, tracked_names_of(brand), [at(0).date()])
    row = change_of(brand, 4)
    assert (row.change, row.changes, row.comparable) == (None, [], None)


def test_a_new_competitor_is_compared_once_history_is_measured_for_it(brand, wordings):
    measure(brand, wordings, 0, named(0))
    measure(brand, wordings, 1, named(0, 1))
    alone = change_of(brand, 1).change["delta"]
    rival = CompetitorFactory(brand=brand, name="Rival")
    plan_generation(brand)
    rescored(brand)
    assert change_of(brand, 1).change["delta"] == alone
    change = change_of(brand, 1, rival).change
    assert (change["since"], change["delta"], change["verdict"]) == (at(0).date().isoformat(), 0.0, "cannot_detect")


def test_many_days_are_compared_in_order_and_read_once(brand, wordings, monkeypatch):
    for day in range(4):
        run_of(brand, wordings, named(*range(day)), at=at(day))
    days, read = [at(day).date() for day in (2, 0, 3, 1)], []
    monkeypatch.setattr(scoring, "answers_of_day", lambda *where: read.append(where[1]) or answers_of_day(*where))
    score_days(brand, tracked_names_of(brand), days)
    assert read == sorted(days)
    changes = [change_of(brand, day).change for day in range(4)]
    assert changes[0] is None
    assert [change["since"] for change in changes[1:]] == [day.isoformat() for day in sorted(days)[:3]]
    assert {change["delta"] for change in changes[1:]} == {8.33}


def statements(function):
    with CaptureQueriesContext(connection) as captured:
        function()
    return len(captured)


def test_statements_do_not_grow_with_competitors_or_answers(brand, wordings):
    def again():
        return statements(lambda: score_days(brand, tracked_names_of(brand), [at(1).date()]))

    for day in range(3):
        measure(brand, wordings, day, named(day))
    few = again()
    CompetitorFactory.create_batch(20, brand=brand)
    for day in range(3):
        measure(brand, wordings, day, named(day), samples=3)
    assert again() == few
    assert few < 50


class TestReport:
    def test_it_says_what_changed_for_the_brand_and_its_competitors(self, brand, wordings):
        CompetitorFactory(brand=brand, name="Zeta")
        CompetitorFactory(brand=brand, name="Beta")
        measure(brand, wordings, 0, named(0))
        measure(brand, wordings, 1, named(*range(11)))
        report = change_report(Caller.from_user(brand.owner), brand_id=brand.pk)
        assert report.as_of == at(1).date()
        assert [subject.name for subject in report.subjects] == ["Acme", "Beta", "Zeta"]
        assert report.subjects[0].change.verdict == "moved"
        assert len(report.subjects[0].changes) == 6
        assert report.budgets.change.prompts == 12
        assert report.budgets.score.advice == "prompts"
        assert report.budgets.score.known_from == "assumed"
        assert "Each prompt was asked once" in report.budgets.score.reason

    def test_before_the_first_day_it_is_empty(self, brand):
        report = change_report(Caller.from_user(brand.owner), brand_id=brand.pk)
        assert (report.as_of, report.subjects, report.budgets.score) == (None, [], None)

    def test_a_stranger_gets_none(self, cast):
        with pytest.raises(ServiceError, match="Nothing is here"):
            change_report(Caller.from_user(cast.stranger), brand_id=cast.brand.pk)

    def test_it_needs_its_scope(self, cast):
        with pytest.raises(ServiceError, match="read:visibility"):
            change_report(Caller(actor="key:1", user=cast.owner), brand_id=cast.brand.pk)
