"""Brands at a glance: the portfolio of an account, and the brief of one brand."""

import io
import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.models import Usage
from brands.competitors import add_competitor
from tests.factories import (
    BrandFactory,
    CollaboratorFactory,
    EngineFactory,
    RecommendationFactory,
    RunFactory,
    UserFactory,
    make_key,
)
from tests.mcp.worlds import SYSTEM
from tests.once import made_once
from tests.scores.conftest import answers, imported
from visibility.imports.services import import_answers
from visibility.models import Page
from visibility.overview.brief import read_brief
from visibility.overview.portfolio import read_portfolio, read_sites
from visibility.overview.reads import list_sites
from visibility.prompts.services import PromptDraft, add_prompts, archive_prompt
from visibility.scores.recount import recount
from visibility.scores.words import RECOUNTING

pytestmark = pytest.mark.django_db
CITY = ("Kryton is fine.",)
TRAIL = ("Zentra is fine.",)


def caller_of(user):
    return Caller.from_user(user)


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    """Strong in the city, beaten on the trail."""
    lines = [*answers((1, 2), topics=("city",), texts=CITY), *answers((1, 2), topics=("trail",), texts=TRAIL)]
    with made_once(django_db_blocker):
        yield imported(lines).pk


def test_the_brief_names_strong_and_weak_topics_with_who_leads_them(brand):
    brief = read_brief(caller_of(brand.owner), brand.pk)
    assert [(topic.topic, topic.mentioned, topic.answers) for topic in brief.strengths] == [("city", 12, 12)]
    [weak] = brief.weaknesses
    assert (weak.topic, weak.mentioned, weak.answers, weak.leader, weak.leader_mentioned) == (
        "trail",
        0,
        12,
        "Zentra",
        12,
    )
    assert brief.summary[0].startswith("Kryton is named in 50 % of answers")
    assert brief.summary[-1] == "No change of Kryton's score is confirmed over the measured days."
    assert brief.withheld == [] and brief.role == "owner"


def test_a_topic_on_which_a_competitor_is_hardly_ahead_is_no_weakness():
    row = {"topic": "city", "engine": "chatgpt", "time": "2026-01-02T10:00:00Z"}
    texts = ["Zentra is fine.", *["Kryton or Zentra."] * 11]
    brand = imported(json.dumps({**row, "prompt": f"Bike {n}?", "text": text}) for n, text in enumerate(texts))
    brief = read_brief(caller_of(brand.owner), brand.pk)
    assert (brief.strengths, brief.weaknesses, brief.scan_credits) == ([], [], None)


def test_answers_to_prompts_that_name_the_brand_count_for_no_topic(brand):
    row = {"topic": "trail", "engine": "chatgpt", "sample": 1, "time": "2026-01-02T10:00:00Z"}
    named = {**row, "prompt": "Is Kryton good on the trail?", "text": "Zentra is better."}
    before = read_brief(caller_of(brand.owner), brand.pk).weaknesses
    import_answers(SYSTEM, brand=brand.pk, file=io.StringIO(json.dumps(named)))
    assert read_brief(caller_of(brand.owner), brand.pk).weaknesses == before


def test_sites_are_listed_with_their_score_of_now_and_not_of_the_last_run(brand):
    [site] = list_sites(caller_of(brand.owner)).sites
    assert (site.score, str(site.as_of), site.role) == (50.0, "2026-01-02", "owner")
    assert list_sites(replace(caller_of(brand.owner), scopes=frozenset({"read:sites"}))).sites[0].score is None


def test_a_competitor_that_is_not_counted_yet_has_no_figures_and_not_zero(brand):
    add_competitor(caller_of(brand.owner), brand_id=brand.pk, name="Avola", domain="avola.example")
    brief = read_brief(caller_of(brand.owner), brand.pk)
    assert [(each.name, each.score, each.relation) for each in brief.competitors][-1] == ("Avola", None, None)
    assert brief.is_recounting and "Avola" not in " ".join(brief.summary)
    recount(brand.pk)
    assert read_brief(caller_of(brand.owner), brand.pk).competitors[-1].score == 0.0


@pytest.mark.parametrize("status", ["todo", "doing"])
def test_the_brief_says_that_figures_are_counted_again_after_a_prompt_was_archived(brand, status):
    assert not read_brief(caller_of(brand.owner), brand.pk).is_recounting
    archive_prompt(caller_of(brand.owner), brand_id=brand.pk, prompt_id=brand.prompts.first().pk)
    with connection.cursor() as cursor:
        rescore = "UPDATE procrastinate_jobs SET status = %s::procrastinate_job_status WHERE task_name ~ 'rescore'"
        cursor.execute(rescore, [status])
    brief = read_brief(caller_of(brand.owner), brand.pk)
    assert brief.is_recounting and RECOUNTING in brief.summary


def test_recommendations_in_the_brief_are_the_most_urgent_open_ones(brand):
    for priority in (10, 90, 50, 70):
        RecommendationFactory(brand=brand, priority=priority)
    RecommendationFactory(brand=brand, priority=100, status="done")
    brief = read_brief(caller_of(brand.owner), brand.pk)
    assert [row.priority for row in brief.recommendations] == [90, 70, 50, 10]
    assert brief.open_recommendations == 4


def test_the_week_is_the_last_whole_one_and_is_compared_with_the_day_before_it(monkeypatch):
    lines = [*answers((1, 2), texts=CITY), *answers((6, 7), texts=TRAIL)]
    brand = imported(lines)
    RunFactory(brand=brand, day=date(2026, 1, 7), trigger="schedule")
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 1, 14, 8, tzinfo=UTC))  # a Wednesday
    brief = read_brief(caller_of(brand.owner), brand.pk, week=True)
    week = brief.week
    assert (week.first_day, week.last_day, week.measured_days) == (date(2026, 1, 5), date(2026, 1, 11), 2)
    assert (week.score, week.change.from_, week.change.delta) == (0.0, date(2026, 1, 2), -100.0)
    assert brief.summary[-1] == (
        "Week 2026-01-05 to 2026-01-11: 0 % on its last measured day, 100 points less than on "
        "2026-01-02, beyond chance."
    )
    assert week.scans == 3
    assert (week.new_recommendations, week.closed_recommendations) == (0, 0)


def test_a_brand_without_answers_says_so_and_shows_no_zero():
    brand = BrandFactory()
    brief = read_brief(caller_of(brand.owner), brand.pk, week=True)
    assert brief.summary[0] == f"{brand.name} is not measured: no answer counts for it yet."
    assert brief.summary[1:] == [f"Week {brief.week.first_day} to {brief.week.last_day}: not measured."]
    assert (brief.now, brief.week.score, brief.week.change, brief.last_scan) == (None, None, None, None)


def test_the_last_scan_is_the_day_of_the_newest_answers_and_not_of_their_import(brand):
    caller = caller_of(brand.owner)
    [line], brief = read_portfolio(caller).sites, read_brief(caller, brand.pk)
    assert line.last_scan == brief.last_scan == brief.now.as_of
    assert brief.latest_run.created_at.date() > brief.last_scan


def test_the_portfolio_lists_all_brands_of_a_person_the_lowest_score_first(brand):
    other = imported(answers((1,), texts=CITY))
    unmeasured = BrandFactory(name="Unmeasured")
    for each, role in ((other, "editor"), (unmeasured, "viewer")):
        CollaboratorFactory(brand=each, user=brand.owner, role=role)
    RecommendationFactory(brand=other)
    portfolio = read_portfolio(caller_of(brand.owner))
    assert [(site.id, site.score, site.role) for site in portfolio.sites] == [
        (brand.pk, 50.0, "owner"),
        (other.pk, 100.0, "editor"),
        (unmeasured.pk, None, "viewer"),
    ]
    totals = portfolio.totals
    assert (totals.sites, totals.measured, totals.open_recommendations) == (3, 2, 1)
    assert portfolio.summary[1] == "Not measured yet: Unmeasured."
    assert portfolio.account.sites.used == 1


def test_the_forecast_counts_the_scans_that_the_account_pays_until_renewal():
    owner = UserFactory()
    now = timezone.now()
    renewal = (now.replace(day=1) + timedelta(days=32)).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    slot = renewal - timedelta(minutes=1)
    EngineFactory(preset="local-search", is_enabled=True)
    for person in (owner, UserFactory()):
        brand = BrandFactory(owner=person, cadence="monthly", next_run_at=slot, samples=2)
        Page.objects.create(brand=brand, url="https://a.example", text="bikes")
        add_prompts(caller_of(person), brand_id=brand.pk, drafts=[PromptDraft("Which?"), PromptDraft("What?")])
    CollaboratorFactory(brand=brand, user=owner)
    forecast = read_portfolio(caller_of(owner)).credits_forecast
    assert (forecast.scheduled, forecast.is_enough) == (4, True)
    owner.own_credits_per_month = 6
    owner.save()
    Usage.objects.filter(user=owner).update_or_create(
        user=owner, kind="credits", period=now.date().replace(day=1), defaults={"used": 3}
    )
    portfolio = read_portfolio(caller_of(owner))
    assert (portfolio.credits_forecast.left, portfolio.credits_forecast.is_enough) == (3, False)
    assert "need 4 credits; 3 are left" in portfolio.summary[-1]


def test_what_a_key_may_not_see_is_null_and_named(brand):
    key, _ = make_key(owner=brand.owner, scopes=["read:sites", "read:visibility"])
    brief = read_brief(Caller.from_key(key), brand.pk)
    assert brief.now is not None and brief.withheld == ["competitors", "recommendations", "diagnosis"]
    assert (brief.competitors, brief.weaknesses, brief.recommendations) == (None, None, None)
    assert "Zentra" not in json.dumps(brief.model_dump(mode="json"))


def test_the_portfolio_of_the_pages_comes_in_parts_and_the_most_urgent_first(brand, monkeypatch):
    monkeypatch.setattr("visibility.overview.portfolio.MOST_SITES", 2)
    others = [BrandFactory(name=name, owner=brand.owner) for name in ("Last", "Between")]
    first, second = (read_sites(caller_of(brand.owner), number) for number in ("1", "2"))
    assert [site.id for site in first.object_list] == [brand.pk, others[1].pk]
    assert ([site.id for site in second.object_list], second.paginator.count) == ([others[0].pk], 3)


def test_a_portfolio_takes_as_many_statements_for_three_brands_as_for_one(brand):
    def statements():
        with CaptureQueriesContext(connection) as captured:
            read_portfolio(caller_of(brand.owner))
        return len(captured)

    EngineFactory(preset="local-search", is_enabled=True)
    type(brand).objects.update(cadence="daily", next_run_at=timezone.now())
    statements()  # the first reads who the owner is, too
    alone = statements()
    BrandFactory.create_batch(2, owner=brand.owner, cadence="daily", next_run_at=timezone.now())
    assert statements() == alone


def test_the_first_of_each_brand_is_the_first_in_the_order_that_is_asked_for(brand):
    newest, oldest = date(2026, 1, 2), date(2026, 1, 1)
    scores = brand.daily_scores.filter(competitor=None, date__isnull=False)
    keys = [brand.pk, BrandFactory().pk]
    assert [score.date for score in scores.order_by("-date").first_of_each(keys)] == [newest]
    assert [score.date for score in scores.order_by("date").first_of_each(keys)] == [oldest]
