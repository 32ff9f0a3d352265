"""The page of all brands: what needs attention first, how it is searched, sorted and paged, and what it costs."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apikeys.caller import Caller
from tests.factories import (
    BrandFactory,
    ChangeRecordFactory,
    DailyScoreFactory,
    PromptFactory,
    RecommendationFactory,
    RunFactory,
)
from tests.pages.reading import Tags
from tests.people.browser import text_of
from visibility.models import DailyScore, TopicChoice
from visibility.services.overview.listing import ON_A_PAGE, listed_brands
from visibility.services.overview.portfolio import portfolio

pytestmark = pytest.mark.django_db


def today():
    return timezone.now().date()


def brand(owner, name, direction="", **day):
    made = BrandFactory(owner=owner, name=name, domain=f"{name.lower()}.example")
    if day:
        DailyScoreFactory(brand=made, **{"date": today(), **day})
    if direction:
        sign = 1 if direction == "up" else -1
        ends = sorted((sign * 6.0, sign * 18.0))
        ChangeRecordFactory(brand=made, direction=direction, delta=sign * 12.0, low=ends[0], high=ends[1])
    return made


@pytest.fixture
def five(cast):
    """One for each reason to look, in the reverse of the order in which they are to be looked at."""
    brand(cast.owner, "Anything", score=40.0, direction="up")
    brand(cast.owner, "Bygone", score=30.0, date=today() - timedelta(days=40))
    failed = brand(cast.owner, "Drop", score=50.0)
    RunFactory(brand=failed, kind="visibility", status="failed")
    brand(cast.owner, "Eager", score=20.0, direction="down")
    return cast.owner


def names(page):
    return [row.name for row, *_ in page.context["rows"]]


def test_what_needs_attention_stands_first_and_says_why(visit, five):
    page = visit(five, "brand-list")
    assert names(page) == ["Eager", "Drop", "Acme", "Bygone", "Anything"]
    assert [why for _, why, _ in page.context["rows"]] == [
        "its score fell", "its last scan failed", "not measured yet", "measured long ago", "",
    ]  # fmt: skip
    assert "The score fell by 12.0 points (6.0 to 18.0) on" in text_of(page)


def test_it_is_sorted_by_name_and_by_score(visit, five):
    assert names(visit(five, "brand-list", query="?sort=name")) == ["Acme", "Anything", "Bygone", "Drop", "Eager"]
    assert names(visit(five, "brand-list", query="?sort=score")) == ["Eager", "Bygone", "Anything", "Drop", "Acme"]


def test_it_is_searched_by_name_and_domain(visit, five):
    assert names(visit(five, "brand-list", query="?q=EAG")) == ["Eager"]
    assert names(visit(five, "brand-list", query="?q=drop.example")) == ["Drop"]
    nothing = visit(five, "brand-list", query="?q=%3Cb%3Enobody")
    assert "No brand has “ <b>nobody ” in its name or domain" in text_of(nothing)
    assert Tags(nothing.content.decode()).all("b") == []


def test_nobody_finds_a_brand_of_others(visit, cast, five):
    assert names(visit(cast.stranger, "brand-list", query="?q=Acme")) == []


def test_a_page_beyond_the_last_is_the_last_and_pages_keep_the_search(visit, cast):
    for number in range(ON_A_PAGE):
        BrandFactory(owner=cast.owner, name=f"Brand {number:02}")
    first = visit(cast.owner, "brand-list", query="?sort=name&q=a")
    assert len(names(first)) == ON_A_PAGE
    assert "?sort=name&amp;q=a&amp;page=2" in first.content.decode()
    for page in ("2", "99", "9" * 9):
        assert names(visit(cast.owner, "brand-list", query=f"?sort=name&page={page}")) == ["Brand 24"]
    for page in ("0", "-1", "none"):
        assert len(names(visit(cast.owner, "brand-list", query=f"?page={page}"))) == ON_A_PAGE


def test_a_search_that_finds_nothing_has_no_page_to_go_back_to(visit, cast):
    for page in ("0", "1", "2", "9" * 9):
        assert names(visit(cast.owner, "brand-list", query=f"?q=nobody&page={page}")) == []


def test_as_much_is_to_do_as_the_list_of_recommendations_says(visit, cast):
    for status in ("open", "in_progress", "done", "dismissed", "resolved"):
        RecommendationFactory(brand=cast.brand, status=status)
    assert "2 recommendations to do" in text_of(visit(cast.owner, "brand-list"))
    assert "To do (2)" in text_of(visit(None, "recommendations-page", brand_id=cast.brand.pk))


def test_the_small_trend_holds_the_latest_days_oldest_first(visit, cast):
    for days in range(40):
        DailyScoreFactory(brand=cast.brand, date=today() - timedelta(days=days), score=float(days))
    (row,) = [row for row, *_ in visit(cast.owner, "brand-list").context["rows"]]
    assert [day.score for day in row.trend] == [float(days) for days in range(29, -1, -1)]
    assert row.answers == DailyScore.objects.get(date=today()).answers


def test_it_costs_the_same_for_many_brands(visit, cast):
    for number in range(60):
        made = brand(cast.owner, f"B{number}", score=float(number))
        RunFactory(brand=made, created_at=datetime(2026, 3, 1, tzinfo=UTC))
        RecommendationFactory(brand=made)
    visit(cast.owner, "brand-list")
    with CaptureQueriesContext(connection) as captured:
        visit(None, "brand-list")
    asked = [query["sql"] for query in captured.captured_queries if query["sql"].startswith("SELECT")]
    assert len(asked) <= 12, "\n".join(sql.split(" FROM ", 1)[1][:60] for sql in asked)


def test_numbers_are_those_of_the_agent_tool(visit, five):
    caller = Caller.from_user(five)
    told = {site.id: site.visibility for site in portfolio(caller).sites}
    listed = {row.id: row.visibility for row in listed_brands(caller).rows}
    assert listed == told


def test_a_form_that_is_no_choice_says_so_and_shows_the_list(visit, five):
    page = visit(five, "brand-list", query="?sort=nonsense")
    assert page.status_code == 200 and names(page)[0] == "Eager"


def test_first_day_leads_to_adding_a_brand(visit, cast):
    page = visit(cast.stranger, "brand-list")
    assert "There is no brand here yet. Add your first brand" in text_of(page)
    assert [link["href"] for link in Tags(page.content.decode()).all("a")].count(reverse("add-brand")) == 2
    assert reverse("brand-list") == "/"


def test_a_brand_whose_topics_wait_says_so(visit, cast):
    prompt = PromptFactory(brand=cast.brand, topic="locks", text="Which locks?")
    PromptFactory(brand=cast.brand, topic="itself", text=f"Is {cast.brand.name} good?")
    assert "Which topics does it sell? Not all are decided." in text_of(visit(cast.owner, "brand-list"))
    TopicChoice.objects.create(brand=cast.brand, topic=prompt.topic, is_own=True)
    assert "Which topics does it sell?" not in text_of(visit(cast.owner, "brand-list"))
