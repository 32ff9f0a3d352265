"""The pages of recommendations: who sees which, and the list: what stands in it, in which order, by which filter."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from django.urls import reverse

from apikeys.caller import Caller
from tests.factories import BrandFactory, RecommendationFactory
from tests.pages.reading import Tags, staff
from tests.people.browser import text_of
from visibility.models import Recommendation, StatusChange
from visibility.services.reading.reporting import recommendations
from visibility.services.recommendations.listing import ON_A_PAGE

pytestmark = pytest.mark.django_db
OPENED = datetime(2025, 5, 24, 12, tzinfo=UTC)
FACTORS = {
    "answers": 12,
    "of_answers": 30,
    "engines": 2,
    "of_engines": 3,
    "reach": 0.08,
    "effect": "likely",
    "effort": "medium",
}
PAYLOAD = {
    "fix_prompt": "Write a page on winter bikes.",
    "engines": [
        {"engine": "gemini", "gaps": 2, "answers": 20, "as_of": "2025-05-24"},
        {"engine": "chatgpt", "gaps": 10, "answers": 10, "as_of": "2025-05-24"},
    ],
}
HOSTILE = "<script>alert(1)</script>\u202e\u2067<img src=x onerror=alert(2)>"


@pytest.fixture
def row(cast):
    return RecommendationFactory(
        brand=cast.brand,
        kind="topic_gap",
        topic="winter",
        title="Say what the bikes do in snow",
        opened_at=OPENED,
        factors=FACTORS,
        payload=PAYLOAD,
    )


@pytest.fixture
def at(cast, row):
    return {"brand_id": cast.brand.pk, "recommendation_id": row.pk}


def statuses():
    return list(Recommendation.objects.order_by("pk").values_list("status", flat=True))


class TestWhoSees:
    @pytest.mark.parametrize("who", ["owner", "editor", "viewer"])
    def test_people_around_the_brand_see_both_pages(self, visit, cast, at, who):
        person = getattr(cast, who)
        assert b"Say what the bikes do" in visit(person, "recommendations-page", brand_id=cast.brand.pk).content
        assert b"Say what the bikes do" in visit(person, "recommendation-page", **at).content

    def test_strangers_and_staff_without_the_permission_see_neither(self, visit, cast, at):
        for person in (cast.stranger, staff(), staff("change_recommendation")):
            assert visit(person, "recommendations-page", brand_id=cast.brand.pk).status_code == 404
            assert visit(person, "recommendation-page", **at).status_code == 404
            assert visit(person, "decide-recommendation", {"status": "in_progress"}, **at).status_code == 404
        assert statuses() == ["open"]

    def test_who_is_not_signed_in_is_asked_to(self, client, at):
        for name in ("recommendation-page", "decide-recommendation"):
            answer = (
                client.get(reverse(name, kwargs=at))
                if name == "recommendation-page"
                else client.post(reverse(name, kwargs=at), {"status": "in_progress"})
            )
            assert answer.headers["Location"].startswith(reverse("login"))
        assert statuses() == ["open"]

    def test_a_recommendation_is_found_below_its_own_brand_alone(self, visit, cast, row):
        other = BrandFactory(owner=cast.owner)
        wrong = {"brand_id": other.pk, "recommendation_id": row.pk}
        assert visit(cast.owner, "recommendation-page", **wrong).status_code == 404
        assert visit(cast.owner, "decide-recommendation", {"status": "in_progress"}, **wrong).status_code == 404
        assert statuses() == ["open"]

    def test_forms_are_for_those_who_may_change_the_brand(self, visit, cast, at):
        action = f'action="{reverse("decide-recommendation", kwargs=at)}"'
        for person, offered in (
            (cast.owner, True),
            (cast.editor, True),
            (cast.viewer, False),
            (staff("view_brand"), False),
            (staff("view_brand", "change_recommendation"), False),
        ):
            assert (action in visit(person, "recommendation-page", **at).content.decode()) is offered


class TestList:
    def test_a_finding_of_an_audit_is_counted_on_pages(self, visit, cast, row):
        seen = {"answers": 3, "of_answers": 17, "engines": 0, "of_engines": 1}
        Recommendation.objects.filter(pk=row.pk).update(kind="audit_finding", factors={**FACTORS, **seen})
        page = text_of(visit(cast.owner, "recommendations-page", brand_id=cast.brand.pk))
        assert "3 of 17 pages" in page
        assert "engines ·" not in page and "of all answers" not in page

    def test_each_says_why_it_stands_where_it_does(self, visit, cast, row):
        page = text_of(visit(cast.viewer, "recommendations-page", brand_id=cast.brand.pk))
        assert "12 of 30 answers on 2 of 3 engines · concerns 8 % of all answers of now" in page
        assert "effect plausible · effort medium" in page
        assert "By engine: ChatGPT 10 of 10, Gemini 2 of 20" in page
        assert "Topic where rivals stand · winter · opened" in page

    def test_what_is_to_do_comes_first_and_the_rest_is_one_choice_away(self, visit, cast, row):
        for status in ("in_progress", "done", "dismissed", "resolved"):
            RecommendationFactory(brand=cast.brand, status=status, title=f"It is {status}", status_reason="Because.")
        where = {"brand_id": cast.brand.pk}
        shown = visit(cast.owner, "recommendations-page", **where).content.decode()
        assert "It is in_progress" in shown and "Say what" in shown
        assert not any(f"It is {status}" in shown for status in ("done", "dismissed", "resolved"))
        dismissed = visit(cast.owner, "recommendations-page", query="?status=dismissed", **where)
        assert "It is dismissed" in text_of(dismissed) and "Because." in text_of(dismissed)
        assert "It is done" not in text_of(dismissed)
        everything = visit(cast.owner, "recommendations-page", query="?status=all", **where).content.decode()
        assert everything.count("<li>\n") == 5 and "5 recommendations" in everything

    def test_it_is_narrowed_by_kind_and_topic_with_what_each_would_show(self, visit, cast, row):
        RecommendationFactory(brand=cast.brand, kind="claim", topic="winter", title="A claim")
        RecommendationFactory(brand=cast.brand, kind="claim", topic="summer", title="Another claim")
        where = {"brand_id": cast.brand.pk}
        page = visit(cast.owner, "recommendations-page", query="?kind=claim&topic=winter", **where)
        assert "A claim" in text_of(page) and "Another claim" not in text_of(page)
        assert "Say what" not in text_of(page)
        assert "winter (1)" in text_of(page) and "summer (1)" in text_of(page)
        assert "Topic where rivals stand (1)" in text_of(page) and "To do (1)" in text_of(page)
        assert '<option value="claim" selected>' in page.content.decode()

    @pytest.mark.parametrize(
        "query", ["?kind=nonsense", "?topic=%3Cscript%3E", "?page=x", "?page=-1", "?page=99999999"]
    )
    def test_a_choice_that_cannot_be_is_no_error(self, visit, cast, row, query):
        answer = visit(cast.owner, "recommendations-page", query=query, brand_id=cast.brand.pk)
        assert answer.status_code == 200
        assert "<script>" not in answer.content.decode()
        assert ("None fits." in text_of(answer)) is ("page" not in query)

    def test_most_urgent_first_then_what_more_answers_show_then_the_newest(self, visit, cast):
        old, new = datetime(2025, 1, 1, tzinfo=UTC), datetime(2025, 2, 1, tzinfo=UTC)
        for title, priority, answers, created in (
            ("D", 50, None, new),
            ("C", 50, 3, old),
            ("B", 50, 12, old),
            ("E", 50, None, old),
            ("A", 51, 1, old),
        ):
            factors = {**FACTORS, "answers": answers} if answers else {}
            RecommendationFactory(
                brand=cast.brand, title=f"Title {title}", priority=priority, factors=factors, created_at=created
            )
        page = text_of(visit(cast.owner, "recommendations-page", brand_id=cast.brand.pk))
        assert [page.index(f"Title {letter}") for letter in "ABCDE"] == sorted(
            page.index(f"Title {letter}") for letter in "ABCDE"
        )

    def test_equals_stand_in_the_same_order_each_time_that_the_queue_is_made(self, visit, cast):
        """Ids are by chance: what is made again from the same answers has others."""
        for ids in ([1, 2, 3], [3, 1, 2]):
            Recommendation.objects.all().delete()
            for number, (kind, subject) in zip(ids, [("b", "x"), ("a", "y"), ("a", "x")], strict=True):
                RecommendationFactory(
                    pk=UUID(int=number), brand=cast.brand, kind=kind, subject=subject, title=f"Title {kind}{subject}",
                    created_at=datetime(2025, 1, 1, tzinfo=UTC),
                )  # fmt: skip
            page = text_of(visit(cast.owner, "recommendations-page", brand_id=cast.brand.pk))
            wanted = ["Title ax", "Title ay", "Title bx"]
            assert sorted(wanted, key=page.index) == wanted
            report = recommendations(Caller.from_user(cast.owner), brand_id=cast.brand.pk, status=None)
            assert [row.title for row in report.recommendations] == wanted

    def test_it_is_paged_and_keeps_the_choice(self, visit, cast):
        for number in range(ON_A_PAGE + 1):
            RecommendationFactory(brand=cast.brand, kind="claim", priority=90 - number, title=f"Number {number:02}")
        where = {"brand_id": cast.brand.pk}
        first = visit(cast.owner, "recommendations-page", query="?kind=claim", **where)
        assert "Number 24" in text_of(first) and "Number 25" not in text_of(first)
        [after] = [link["href"] for link in Tags(first.content.decode()).all("a") if link.get("rel") == "next"]
        last = visit(cast.owner, "recommendations-page", query=after[after.index("?") :], **where)
        assert "Number 25" in text_of(last) and "Number 24" not in text_of(last)
        assert '<option value="claim" selected>' in last.content.decode()
        beyond = visit(cast.owner, "recommendations-page", query="?kind=claim&page=77", **where)
        assert "Number 25" in text_of(beyond)

    def test_the_pages_cost_the_same_for_five_hundred(self, visit, cast, row, at, django_assert_max_num_queries):
        StatusChange.objects.create(recommendation=row, status="open", actor=f"user:{cast.owner.pk}")
        for number in range(500):
            RecommendationFactory(brand=cast.brand, topic=f"topic {number % 40}", kind="claim")
        visit(cast.owner, "recommendations-page", brand_id=cast.brand.pk)
        with django_assert_max_num_queries(20):
            visit(None, "recommendations-page", brand_id=cast.brand.pk)
        with django_assert_max_num_queries(20):
            visit(None, "recommendation-page", **at)

    def test_the_page_of_the_brand_shows_three_and_leads_to_all(self, visit, cast):
        for number in range(49):
            RecommendationFactory(brand=cast.brand, priority=90 - number, title=f"Number {number:02}")
        RecommendationFactory(brand=cast.brand, priority=99, title="Decided", status="done")
        page = visit(cast.owner, "brand-page", brand_id=cast.brand.pk)
        assert [number for number in range(49) if f"Number {number:02}" in text_of(page)] == [0, 1, 2]
        assert "Decided" not in text_of(page)
        assert "All 49 recommendations" in text_of(page)

    def test_one_cause_with_many_topics_does_not_hide_the_other_kinds_on_the_page_of_the_brand(self, visit, cast):
        for kind, priorities in (("own_page_lost", range(66, 71)), ("claim", (40,)), ("criterion", (55, 54))):
            for priority in priorities:
                RecommendationFactory(brand=cast.brand, kind=kind, priority=priority, title=f"{kind} {priority}")
        RecommendationFactory(brand=cast.brand, kind="search", priority=10, title="search 10")
        page = visit(cast.owner, "brand-page", brand_id=cast.brand.pk)
        first = text_of(page).split("Do this first")[1].split("All 9 recommendations")[0]
        places = [first.index(title) for title in ("own_page_lost 70", "criterion 55", "claim 40")]
        assert places == sorted(places) and "own_page_lost 69" not in first and "search" not in first
        assert "4 more like it" in first[places[0] : places[1]] and "1 more like it" in first[places[1] : places[2]]
        assert "more like it" not in first[places[2] :]
