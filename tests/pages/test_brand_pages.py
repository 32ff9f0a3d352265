"""The pages of brands: who sees them, and that they say what was measured."""

import re
from datetime import date
from html import unescape

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from tests.factories import (
    ChangeRecordFactory,
    CompetitorFactory,
    DailyScoreFactory,
    RecommendationFactory,
    RunFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
DAY = date(2025, 5, 25)


@pytest.fixture
def visit(client):
    def get(user, name="brand-list", **where):
        if user:
            client.force_login(user)
        return client.get(reverse(name, kwargs=where))

    return get


def staff(*permissions):
    user = UserFactory(is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return user


@pytest.mark.parametrize("name", ["brand-list", "brand-page"])
def test_a_page_asks_a_stranger_of_the_service_to_sign_in(visit, cast, name):
    where = {"brand_id": cast.brand.pk} if name == "brand-page" else {}
    answer = visit(None, name, **where)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(reverse("login"))


@pytest.mark.parametrize("who", ["owner", "editor", "viewer"])
def test_people_around_a_brand_see_it(visit, cast, who):
    person = getattr(cast, who)
    assert b"Acme" in visit(person).content
    assert visit(person, "brand-page", brand_id=cast.brand.pk).status_code == 200


def test_a_stranger_sees_neither_the_brand_nor_that_it_exists(visit, cast):
    assert b"Acme" not in visit(cast.stranger).content
    assert visit(cast.stranger, "brand-page", brand_id=cast.brand.pk).status_code == 404


def test_staff_see_all_brands_only_with_the_permission(visit, cast):
    assert visit(staff("view_brand"), "brand-page", brand_id=cast.brand.pk).status_code == 200
    assert visit(staff(), "brand-page", brand_id=cast.brand.pk).status_code == 404


def test_the_page_of_a_brand_that_was_never_measured_says_what_to_do_next(visit, cast):
    page = visit(cast.owner, "brand-page", brand_id=cast.brand.pk).content.decode()
    assert "Nothing is measured of <bdi>Acme</bdi> yet" in page
    for way in ("prompts-page", "competitors-page", "scan-page"):
        assert f'<li><a href="{reverse(way, args=[cast.brand.pk])}"' in page


def test_the_figures_of_the_latest_measured_day_stand_with_their_interval_and_its_date(visit, cast):
    DailyScoreFactory(brand=cast.brand, date=date(2025, 5, 24), score=12.34, low=7.0, high=19.0)
    DailyScoreFactory(brand=cast.brand, date=date(2025, 5, 25), score=45.67, low=40.1, high=51.2)
    rival = CompetitorFactory(brand=cast.brand)
    DailyScoreFactory(brand=cast.brand, competitor=rival, date=date(2025, 5, 26), score=88.8)
    page = visit(cast.owner, "brand-page", brand_id=cast.brand.pk).content.decode()
    assert "45.7 %" in page
    assert "40.1 to 51.2" in page
    assert "Local search as of 25 May 2025: <strong>measured" in page
    assert page.count('class="column"') == 2 * 2
    assert "88.8" not in page


def standing(page):
    """The sentence on top, as it is read."""
    lede = page.split('<p class="lede">')[1].split("</p>")[0]
    return unescape(re.sub("<[^>]+>", "", lede))


def test_one_sentence_says_where_it_stands_against_whom_what_changed_and_how_sure(visit, cast):
    for name, score in (("Blitz", 61.0), ("Cargo", 50.0), ("Dyno", 20.0)):
        rival = CompetitorFactory(brand=cast.brand, name=name)
        DailyScoreFactory(brand=cast.brand, competitor=rival, date=DAY, score=score, low=score - 9, high=score + 9)
    known = {"began": date(2025, 5, 20), "known_on": date(2025, 5, 22)}
    ChangeRecordFactory(brand=cast.brand, delta=-12.0, low=-18.0, high=-6.0, **known)
    DailyScoreFactory(brand=cast.brand, date=DAY, score=40.0, low=33.0, high=47.0)
    page = visit(cast.owner, "brand-page", brand_id=cast.brand.pk).content.decode()
    assert standing(page) == (
        "Acme is named in 40.0 % of answers, third of 4 brands behind Blitz (61.0 %) and Cargo (50.0 %); it fell by "
        "12.0 points on 20 May 2025; a fair figure, ±7 points."
    )
    assert "Their intervals lie apart, so the order is no chance." in page
    assert "The score fell by 12.0 points (6.0 to 18.0) on 20 May 2025: from 61.3 % (mean of 13 May to" in page


def test_who_is_level_is_not_said_to_be_behind(visit, cast):
    for name, score in ((None, 40.0), ("Blitz", 40.0), ("Cargo", 20.0)):
        rival = name and CompetitorFactory(brand=cast.brand, name=name)
        DailyScoreFactory(brand=cast.brand, competitor=rival, date=DAY, score=score)
    page = visit(cast.owner, "brand-page", brand_id=cast.brand.pk).content.decode()
    assert "level first of 3 brands with Blitz (40.0 %);" in standing(page)


def test_without_rivals_and_changes_the_sentence_says_so(visit, cast):
    DailyScoreFactory(brand=cast.brand, date=DAY, score=40.0, low=None, high=None)
    page = visit(cast.owner, "brand-page", brand_id=cast.brand.pk).content.decode()
    assert standing(page) == (
        "Acme is named in 40.0 % of answers, with no rival watched to hold it against; no clear change; there "
        "are too few topics to say how sure this is."
    )
    assert "Add a competitor to compare with" in page


def test_an_unmeasured_figure_is_never_shown_as_zero(visit, cast):
    DailyScoreFactory(brand=cast.brand, score=None, low=None, high=None, share_of_voice=None, engines=[])
    page = visit(cast.owner, "brand-page", brand_id=cast.brand.pk).content.decode()
    assert "not measured" in page
    assert "0.0 %" not in page


def test_quoted_text_is_shown_and_never_runs(visit, cast):
    cast.brand.name = "<script>alert(1)</script>"
    cast.brand.save()
    hostile = {"kind": "answer", "text": "<img src=x onerror=alert(2)>", "engine": "chatgpt"}
    row = RecommendationFactory(brand=cast.brand, title="<img src=y>", evidence=[hostile])
    page = visit(cast.owner, "brand-page", brand_id=cast.brand.pk).content.decode()
    page += visit(
        cast.owner, "recommendation-page", brand_id=cast.brand.pk, recommendation_id=row.pk
    ).content.decode()
    assert "<script>" not in page
    assert "<img" not in page
    assert "&lt;img src=y&gt;" in page
    assert "&lt;img src=x onerror=alert(2)&gt;" in page


def test_a_failed_run_says_why(visit, cast):
    RunFactory(brand=cast.brand, status="failed", error_code="no_answers", error_message="The engine was silent.")
    assert b"The engine was silent." in visit(cast.owner, "brand-page", brand_id=cast.brand.pk).content


@pytest.mark.parametrize("path", ["/?x=%00", "/login/?next=%00", "/?%78=a&x=b%00", "/admin/apikeys/user/?email=%00"])
def test_a_query_with_nul_is_a_bad_request(client, db, path):
    assert client.get(path).status_code == 400


def test_a_cookie_with_nul_is_a_bad_request(client, db):
    """Escaped within quotes it passes the server."""
    assert client.get("/", headers={"Cookie": r'sessionid="aaaaaaaaaa\000"'}).status_code == 400


def test_the_report_fills_two_sheets_from_the_same_figures(visit, cast):
    DailyScoreFactory(brand=cast.brand, date=DAY, score=45.67, low=40.1, high=51.2)
    RecommendationFactory(brand=cast.brand, title="Write about locks")
    page = visit(cast.viewer, "report-page", brand_id=cast.brand.pk).content.decode()
    assert standing(page) == standing(visit(cast.viewer, "brand-page", brand_id=cast.brand.pk).content.decode())
    assert page.count('class="sheet"') == 1 and "Write about locks" in page
    assert visit(cast.stranger, "report-page", brand_id=cast.brand.pk).status_code == 404


def test_the_report_of_a_brand_that_was_never_measured_says_so(visit, cast):
    page = visit(cast.owner, "report-page", brand_id=cast.brand.pk).content.decode()
    assert "so there is nothing to report" in page
