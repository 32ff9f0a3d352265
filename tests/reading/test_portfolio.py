"""All sites at once: figures, what comes next, what the account may still use, and what a key may not read."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.models import Usage
from tests.factories import (
    ApiKeyFactory,
    BrandFactory,
    ChangeRecordFactory,
    CollaboratorFactory,
    CompetitorFactory,
    DailyScoreFactory,
    PromptFactory,
    RecommendationFactory,
    RunFactory,
    UserFactory,
)
from visibility.models import EngineConfig, Page
from visibility.services.overview.portfolio import portfolio
from visibility.services.scans.schedule import fire_due
from visibility.tasks import SCHEDULER

pytestmark = pytest.mark.django_db
TODAY = datetime(2026, 3, 10, 12, tzinfo=UTC)
MOVED = {"since": "2026-03-09", "delta": 5.0, "low": 1.0, "high": 9.0, "verdict": "moved", "minimum_detectable": 4.0}


def site_of(caller, brand):
    [site] = [site for site in portfolio(caller).sites if site.id == brand.pk]
    return site


def test_a_site_shows_its_latest_day_what_is_open_and_what_comes_next(cast, owner):
    DailyScoreFactory(brand=cast.brand, date=TODAY.date() - timedelta(days=1), score=10.0)
    DailyScoreFactory(brand=cast.brand, date=TODAY.date(), score=40.0, change=MOVED)
    rival = CompetitorFactory(brand=cast.brand)
    DailyScoreFactory(brand=cast.brand, date=TODAY.date() + timedelta(days=1), score=90.0, competitor=rival)
    for status in ("open", "open", "done"):
        RecommendationFactory(brand=cast.brand, status=status)
    RunFactory(brand=cast.brand, kind="audit", score=70.0, created_at=TODAY)
    RunFactory(brand=cast.brand, kind="audit", score=80.0, created_at=TODAY + timedelta(hours=1))
    latest = RunFactory(brand=cast.brand, created_at=TODAY + timedelta(hours=2))
    cast.brand.next_run_at = TODAY + timedelta(days=3)
    cast.brand.save()
    PromptFactory(brand=cast.brand, archived_at=TODAY - timedelta(days=30))
    PromptFactory(brand=cast.brand)
    site = site_of(owner, cast.brand)
    assert (site.visibility.as_of, site.visibility.score, site.visibility.change.verdict) == (
        TODAY.date(),
        40.0,
        "moved",
    )
    assert (site.open_recommendations, site.audit_score, site.next_scan_at) == (2, 80.0, TODAY + timedelta(days=3))
    assert (site.latest_run.id, site.role) == (latest.pk, "owner")
    assert (site.prompts.used, site.prompts.limit) == (1, 350)
    assert (site.competitors.used, site.competitors.limit) == (1, 25)


def test_what_was_never_measured_is_null(cast, owner):
    site = site_of(owner, cast.brand)
    assert (site.visibility, site.audit_score, site.latest_run, site.next_scan_at) == (None, None, None, None)
    assert (site.open_recommendations, site.credits_per_scan) == (0, 0)
    totals = portfolio(owner).totals
    assert (totals.sites, totals.measured, totals.moved, totals.open_recommendations) == (1, 0, 0, 0)


def test_totals_count_what_changed_and_what_moved(cast, owner):
    """A day's move is a note; a change is what is on record."""
    quiet = {**MOVED, "verdict": "within_noise"}
    DailyScoreFactory(brand=cast.brand, change=MOVED)
    fallen, slow = BrandFactory(owner=cast.owner), BrandFactory(owner=cast.owner)
    ChangeRecordFactory(brand=fallen)
    DailyScoreFactory(brand=fallen, change=quiet)
    ChangeRecordFactory(brand=slow, known_by="monitor")
    DailyScoreFactory(brand=slow, change=quiet, change_month={**MOVED, "since": "2026-02-09"})
    DailyScoreFactory(brand=BrandFactory(owner=cast.owner), score=None)
    DailyScoreFactory(brand=BrandFactory(), change=MOVED)
    totals = portfolio(owner).totals
    assert (totals.sites, totals.measured, totals.moved, totals.changed) == (4, 3, 1, 2)
    score = site_of(owner, slow).visibility
    assert score.development.startswith("The score fell by 37.1 points (28.0 to 46.2) since about")
    assert (score.change_week, score.change_month.since) == (None, datetime(2026, 2, 9, tzinfo=UTC).date())


@pytest.mark.parametrize(
    ("scope", "parts", "nulls"),
    [
        ("read:visibility", {"sites.visibility"}, {"measured", "moved", "changed"}),
        ("read:recommendations", {"sites.openRecommendations"}, {"open_recommendations"}),
        ("read:audits", {"sites.auditScore"}, set()),
    ],
)
def test_parts_that_the_key_may_not_read_are_null_and_named(cast, lacking, scope, parts, nulls):
    DailyScoreFactory(brand=cast.brand)
    RecommendationFactory(brand=cast.brand)
    RunFactory(brand=cast.brand, kind="audit", score=80.0)
    shown = portfolio(lacking(scope))
    assert {each.part for each in shown.withheld} == parts
    assert {each.required_scope for each in shown.withheld} == {scope}
    assert {name for name, value in dict(shown.totals).items() if value is None} == nulls
    [site] = shown.sites
    hidden = {"visibility": site.visibility, "recommendations": site.open_recommendations, "audits": site.audit_score}
    assert {f"read:{name}" for name, value in hidden.items() if value is None} == {scope}


def test_the_account_is_the_callers_own(cast):
    """A collaborator sees the site and its quotas, and the own credits, never those of the site's owner."""
    month = timezone.now().date().replace(day=1)
    Usage.objects.create(user=cast.owner, kind="credits", period=month, used=5)
    Usage.objects.create(user=cast.editor, kind="credits", period=month, used=7)
    Usage.objects.create(user=cast.editor, kind="credits", period=month - timedelta(days=1), used=100)
    Usage.objects.create(user=cast.editor, kind="writer_calls", period=timezone.now().date(), used=2)
    account = portfolio(Caller.from_user(cast.editor)).account
    assert (account.credits.used, account.credits.limit, account.sites.used) == (7, 400_000, 0)
    assert (account.writer_calls.used, account.drafts.used) == (2, 0)
    assert account.credits.resets_at.day == 1 and account.credits.resets_at > timezone.now()
    assert portfolio(Caller.from_user(UserFactory(plan=None))).account is None


def scanned(owner, *, samples=2, prompts=3, **more):
    brand = BrandFactory(owner=owner, samples=samples, **more)
    for _ in range(prompts):
        PromptFactory(brand=brand)
    return brand


def test_the_forecast_counts_the_slots_until_the_month_ends(cast, owner, settings, monkeypatch):
    """A brand's slot follows from its id: 18:33:31 UTC for 1; 09:23:52 UTC, on Saturdays, for 2."""
    monkeypatch.setattr(timezone, "now", lambda: TODAY)
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady", "tests.scans.engines.Second"]
    daily = scanned(cast.owner, id=UUID(int=1), cadence="daily", next_run_at=TODAY + timedelta(hours=6))
    scanned(cast.owner, id=UUID(int=2), cadence="weekly", next_run_at=TODAY - timedelta(days=2))
    scanned(cast.owner)
    scanned(cast.owner, prompts=0, cadence="daily", next_run_at=TODAY)
    CollaboratorFactory(brand=scanned(UserFactory(), cadence="daily", next_run_at=TODAY), user=cast.owner)
    shown = portfolio(owner)
    forecast = shown.account.credits_forecast
    assert {site.id: site.credits_per_scan for site in shown.sites}[daily.pk] == 3 * 2 * 2
    assert forecast.until == datetime(2026, 4, 1, tzinfo=UTC)
    # The daily one: the slot that it has, at 18:00 on the 10th, then its own time from the 10th to the 31st. The
    # weekly one: overdue, so at once, then on the Saturdays 14, 21 and 28.
    assert forecast.scans == (1 + 22) + (1 + 3)
    assert forecast.credits == forecast.scans * 12
    assert forecast.suffices
    Usage.objects.create(user=cast.owner, kind="credits", period="2026-03-01", used=400_000 - forecast.credits + 1)
    assert not portfolio(owner).account.credits_forecast.suffices


@pytest.mark.parametrize("number", range(1, 5))
@pytest.mark.parametrize(("cadence", "period"), [("daily", 1), ("weekly", 7), ("monthly", 31)])
def test_the_forecast_is_what_the_scheduler_starts(owner, cast, settings, monkeypatch, number, cadence, period):
    """Walks the month from slot to slot with the scheduler itself."""
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    monkeypatch.setattr(timezone, "now", lambda: TODAY)
    brand = scanned(cast.owner, prompts=1, id=UUID(int=number), cadence=cadence, next_run_at=TODAY)
    forecast, started, moment = portfolio(owner).account.credits_forecast, 0, TODAY
    while moment < forecast.until:
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        started += fire_due(SCHEDULER)
        brand.refresh_from_db()
        moment = brand.next_run_at
    assert forecast.scans == started >= 21 // period + 1


def test_a_scans_price_follows_the_engines_of_each_site(cast, owner):
    common = {"provider": "openai", "model": "m", "enabled": True}
    first = EngineConfig.objects.create(name="first", max_samples=1, **common)
    EngineConfig.objects.create(name="second", **common)
    EngineConfig.objects.create(name="without-key", key_variable="NO_SUCH_KEY", **common)
    chooser, other = scanned(cast.owner), scanned(cast.owner)
    chooser.chosen_engines.create(engine=first)
    Page.objects.create(brand=other, url="https://x.example/", title="x", text="x")
    prices = {site.id: site.credits_per_scan for site in portfolio(owner).sites}
    assert prices[chooser.pk] == 3 * 1
    assert prices[other.pk] == 3 * (1 + 2 + 2)


def test_statements_do_not_grow_with_the_sites(cast, owner, statements, settings):
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]

    def site(brand):
        DailyScoreFactory(brand=brand)
        RecommendationFactory(brand=brand)
        RunFactory(brand=brand)
        PromptFactory(brand=brand)
        CompetitorFactory(brand=brand)

    site(cast.brand)
    portfolio(owner)
    few = statements(portfolio, owner)
    for _ in range(30):
        site(BrandFactory(owner=cast.owner, cadence="daily"))
    assert statements(portfolio, owner) == few <= 20


def test_strangers_see_no_site_of_others(cast):
    assert portfolio(Caller.from_key(ApiKeyFactory(owner=cast.stranger))).sites == []
