"""The trend in full: a period, rivals and engines beside it, and its picture as a file."""

import struct
from datetime import date, timedelta
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from tests.factories import CompetitorFactory, DailyScoreFactory
from tests.pages.reading import Tags, staff

LAST = date(2025, 5, 25)
SVG = "{http://www.w3.org/2000/svg}"


def engine(name, score):
    ends = dict.fromkeys(("low", "high"))
    return {"engine": name, "models": [], "score": score, "answers": 8, **ends}


@pytest.fixture
def measured(cast):
    """Forty days that ended long ago, of the brand and of a rival with a hostile name."""
    rival = CompetitorFactory(brand=cast.brand, name="<script>alert(1)</script>")
    for day in range(40):
        at = LAST - timedelta(days=39 - day)
        engines = [engine("chat", 60.0), engine("search", 40.0)]
        DailyScoreFactory(brand=cast.brand, date=at, score=50.0 + day % 3, low=40.0, high=60.0, engines=engines)
        DailyScoreFactory(brand=cast.brand, competitor=rival, date=at, score=90.0)
    return rival


def dots(page):
    return page.count('<circle class="dot"')


def test_the_period_ends_at_the_last_measured_day(visit, cast, measured):
    page = visit(cast.owner, "trend-page", brand_id=cast.brand.pk, query="?days=30").content.decode()
    assert "30 measured days" in page and "25 May 2025" in page and "15 Apr 2025" not in page
    page = visit(cast.owner, "trend-page", brand_id=cast.brand.pk, query="?days=all").content.decode()
    assert "40 measured days" in page


def test_rivals_and_engines_are_drawn_when_they_are_chosen(visit, cast, measured):
    plain = visit(cast.owner, "trend-page", brand_id=cast.brand.pk).content.decode()
    assert 'class="rival r1"' not in plain and "<script>alert" not in plain
    query = f"?rival={measured.pk}&engine=chat"
    page = visit(cast.owner, "trend-page", brand_id=cast.brand.pk, query=query).content.decode()
    assert 'class="rival r1"' in page and 'class="rival r2"' in page and "<script>alert" not in page
    assert page.count("checked") == 2 and '<td class="number">90.0 %</td>' in page


@pytest.mark.parametrize("query", ["?days=-1", "?rival=x&rival=", "?engine=%3Csvg%3E", "?days=1e9&page=2"])
def test_what_is_not_known_is_left_out(visit, cast, measured, query):
    answer = visit(cast.owner, "trend-page", brand_id=cast.brand.pk, query=query)
    assert answer.status_code == 200 and 'class="rival r1"' not in answer.content.decode()


def test_rivals_of_another_brand_are_not_drawn(visit, cast, measured):
    other = CompetitorFactory()
    DailyScoreFactory(brand=other.brand, competitor=other, date=LAST, score=10.0)
    page = visit(cast.owner, "trend-page", brand_id=cast.brand.pk, query=f"?rival={other.pk}").content.decode()
    assert 'class="rival r1"' not in page


def test_each_dot_leads_to_its_day_and_tells_of_it(visit, cast, measured):
    page = visit(cast.owner, "trend-page", brand_id=cast.brand.pk).content.decode()
    links = [tag for tag in Tags(page).all("a") if tag.get("class") == "day"]
    assert len(links) > 40 and all(tag["href"].startswith(f"/brands/{cast.brand.pk}/days/2025-") for tag in links)
    assert visit(cast.owner, "day-page", brand_id=cast.brand.pk, day="2025-05-25").status_code == 200


def test_the_picture_is_a_document_of_its_own(visit, cast, measured):
    query = f"?rival={measured.pk}"
    answer = visit(cast.owner, "trend-file", brand_id=cast.brand.pk, extension="svg", query=query)
    assert answer["Content-Type"].startswith("image/svg+xml") and "attachment" in answer["Content-Disposition"]
    root = ElementTree.fromstring(answer.content)
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert root.tag == f"{SVG}svg" and root.find(f"{SVG}style") is not None
    assert any(text.startswith("Acme: daily score") for text in texts)
    assert not list(root.iter(f"{SVG}a")) and not list(root.iter(f"{SVG}script"))
    assert "var(" not in answer.content.decode() and "href" not in answer.content.decode()


def test_a_name_that_no_document_may_hold_does_not_break_the_picture(visit, cast, measured):
    type(cast.brand).objects.filter(pk=cast.brand.pk).update(name="A\x0bc\ufffe\u202eme <&>")
    answer = visit(cast.owner, "trend-file", brand_id=cast.brand.pk, extension="svg")
    assert ElementTree.fromstring(answer.content) is not None


def test_the_picture_as_png_is_twice_as_large(visit, cast, measured):
    answer = visit(cast.owner, "trend-file", brand_id=cast.brand.pk, extension="png")
    assert answer["Content-Type"] == "image/png" and answer.content.startswith(b"\x89PNG")
    assert struct.unpack(">II", answer.content[16:24]) == (1800, 600)


def test_only_pictures_that_there_are(visit, cast, measured):
    assert visit(cast.owner, "trend-file", brand_id=cast.brand.pk, extension="gif").status_code == 404


@pytest.mark.parametrize(("name", "more"), [("trend-page", {}), ("trend-file", {"extension": "svg"})])
def test_strangers_see_no_trend_and_readers_do(visit, cast, measured, name, more):
    assert visit(cast.stranger, name, brand_id=cast.brand.pk, **more).status_code == 404
    for user in (cast.viewer, cast.editor, staff("view_brand")):
        assert visit(user, name, brand_id=cast.brand.pk, **more).status_code == 200


def test_before_the_first_scan_there_is_nothing_to_choose(visit, cast):
    page = visit(cast.owner, "trend-page", brand_id=cast.brand.pk).content.decode()
    assert "Nothing is measured yet" in page and "<select" not in page


def test_days_without_a_score_say_so(visit, cast):
    DailyScoreFactory(brand=cast.brand, date=timezone.now().date(), score=None, low=None, high=None)
    assert (
        "No day of this period has a score"
        in visit(cast.owner, "trend-page", brand_id=cast.brand.pk).content.decode()
    )


def test_the_page_costs_few_statements(visit, cast, measured, django_assert_max_num_queries):
    visit(cast.owner, "trend-page", brand_id=cast.brand.pk)
    with django_assert_max_num_queries(12):
        visit(None, "trend-page", brand_id=cast.brand.pk, query=f"?rival={measured.pk}&engine=chat")


def test_the_table_goes_on_beyond_its_first_page(visit, cast):
    for day in range(130):
        at = LAST - timedelta(days=day)
        DailyScoreFactory(brand=cast.brand, date=at, score=50.0, low=40.0, high=60.0)
    first = visit(cast.owner, "trend-page", brand_id=cast.brand.pk, query="?days=all").content.decode()
    assert first.count('<th scope="row">') == 100 and "days=all&amp;page=2" in first
    rest = visit(cast.owner, "trend-page", brand_id=cast.brand.pk, query="?days=all&page=2").content.decode()
    assert rest.count('<th scope="row">') == 30 and '<details id="numbers" open>' in rest


@pytest.mark.parametrize("extension", ["svg", "png"])
@pytest.mark.parametrize(("name", "query"), [("rivals-file", ""), ("engine-file", "?engine=chat")])
def test_each_chart_is_a_file_too(visit, cast, measured, name, query, extension):
    answer = visit(cast.owner, name, brand_id=cast.brand.pk, extension=extension, query=query)
    assert answer.status_code == 200 and "attachment" in answer["Content-Disposition"]
    if extension == "png":
        assert answer.content.startswith(b"\x89PNG") and len(answer.content) > 5_000
        return
    root = ElementTree.fromstring(answer.content)
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert any(text.startswith("Acme ") for text in texts), "a title"
    assert "<script>" not in answer.content.decode() and "var(" not in answer.content.decode()


def test_no_file_of_what_is_not_measured(visit, cast, measured):
    query = "?engine=nobody"
    assert visit(cast.owner, "engine-file", brand_id=cast.brand.pk, extension="svg", query=query).status_code == 404
    assert visit(cast.owner, "rivals-file", brand_id=cast.brand.pk, extension="gif").status_code == 404
    assert visit(cast.stranger, "rivals-file", brand_id=cast.brand.pk, extension="svg").status_code == 404
