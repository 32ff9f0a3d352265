"""The page of prompts: filters in its address, pages, and what is done with those that are ticked."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import BrandFactory, PromptFactory
from tests.pages.reading import Tags, staff
from tests.people.browser import text_of
from tests.scans.history import asked_run, end
from visibility.models import Prompt, PromptVersion
from visibility.services.prompts.editing import prompt_digest
from visibility.services.prompts.paging import PAGE_SIZE

pytestmark = pytest.mark.django_db
HOSTILE = '<script>alert(1)</script>"><svg onload=alert(1)>'


@pytest.fixture
def at(cast):
    return {"brand_id": cast.brand.pk}


def listed(answer):
    """The prompts in the table of a page."""
    return [prompt.text for prompt in answer.context["page"].object_list]


def many(brand, number):
    """So many prompts of 25 topics."""
    rows = [
        Prompt(
            brand=brand,
            text=f"Which bike is number {n:05}?",
            topic=f"kind {n % 25}",
            digest=prompt_digest(str(n), ""),
        )
        for n in range(number)
    ]
    Prompt.objects.bulk_create(rows)
    PromptVersion.objects.bulk_create(PromptVersion(prompt=row, number=1, text=row.text) for row in rows)
    return rows


def test_filters_stand_in_the_address_and_narrow_the_list(visit, cast, at):
    PromptFactory(brand=cast.brand, text="Which lock is safe?", topic="locks", stage="decision", intent="comparison")
    PromptFactory(brand=cast.brand, text="Which bike folds?", topic="folding bikes", stage="awareness")
    PromptFactory(brand=cast.brand, text="Which bike is old?", topic="locks", archived_at=timezone.now())
    PromptFactory(text="Which lock do others ask for?", topic="locks")
    for query, expected in {
        "": ["Which bike folds?", "Which lock is safe?"],
        "?text=FOLDING": ["Which bike folds?"],
        "?text=safe": ["Which lock is safe?"],
        "?topic=locks": ["Which lock is safe?"],
        "?stage=awareness": ["Which bike folds?"],
        "?intent=comparison": ["Which lock is safe?"],
        "?topic=locks&stage=awareness": [],
        "?state=archived": ["Which bike is old?"],
        "?stage=nonsense&intent=x&state=x&page=-4": ["Which bike folds?", "Which lock is safe?"],
    }.items():
        assert listed(visit(cast.viewer, "prompts-page", query=query, **at)) == expected, query
    page = visit(None, "prompts-page", query="?topic=locks&text=safe", **at)
    fields = {tag.get("name"): tag.get("value") for tag in Tags(page.content.decode()).all("input")}
    assert fields["text"] == "safe", "the filters stay filled in"
    assert "No prompt fits. Show all" in text_of(visit(None, "prompts-page", query="?text=nothing", **at))


@pytest.mark.django_db(transaction=True)
def test_ten_thousand_prompts_are_a_small_page_of_few_statements(visit, cast, at, django_assert_max_num_queries):
    end(asked_run(cast.brand, [PromptFactory(brand=cast.brand, topic="a", text="Which?")], texts=["Acme."]))
    many(cast.brand, 9_999)
    for person in (cast.owner, cast.editor):
        visit(person, "prompts-page", **at)
        with django_assert_max_num_queries(20):
            first = visit(None, "prompts-page", **at)
    assert "1 of 1" in text_of(first)
    with django_assert_max_num_queries(20):
        page = visit(None, "prompts-page", query="?page=200", **at)
    assert len(page.content) < 120_000 and len(listed(page)) == PAGE_SIZE
    assert re.search("9,?951 to 10,?000 of 10,?000", text_of(page))
    assert listed(visit(None, "prompts-page", query="?page=999", **at)) == listed(page), "the nearest page there is"
    before = next(tag["href"] for tag in Tags(page.content.decode()).all("a") if tag.get("rel") == "prev")
    assert before == "?page=199"


def test_pages_keep_the_filters(visit, cast, at):
    many(cast.brand, 1300)
    page = visit(cast.owner, "prompts-page", query="?topic=kind+3&page=1", **at)
    assert page.context["page"].paginator.count == 52
    following = next(tag["href"] for tag in Tags(page.content.decode()).all("a") if tag.get("rel") == "next")
    assert following == "?topic=kind+3&page=2"
    assert len(listed(visit(None, "prompts-page", query=following, **at))) == 2


def test_the_numbers_are_those_of_the_tools(visit, cast, at):
    prompts = [PromptFactory(brand=cast.brand, text=f"Which lock, {n}?", topic="locks") for n in range(2)]
    end(asked_run(cast.brand, prompts, texts=["Acme is best.", "Nobody."]))
    rows = visit(cast.owner, "prompts-page", **at).context["page"].object_list
    assert [(row.named, row.answers) for row in rows] == [(1, 1), (0, 1)]


def test_the_ticked_are_archived_and_asked_again(visit, cast, at):
    rows = [PromptFactory(brand=cast.brand) for _ in range(3)]
    other = PromptFactory()
    ticked = {"prompt": [rows[0].pk, rows[1].pk, other.pk], "back": "topic=locks&page=2&next=//evil.example"}
    answer = visit(cast.editor, "archive-prompts", ticked, follow=False, **at)
    assert answer.url == reverse("prompts-page", kwargs=at) + "?topic=locks&page=2", "back to the same filters"
    assert set(Prompt.objects.active()) == {rows[2], other}
    assert "2 prompts: no longer asked" in text_of(visit(None, "prompts-page", **at))
    said = text_of(visit(None, "restore-prompts", {"prompt": [rows[0].pk, other.pk]}, **at))
    assert "1 prompt: asked again by the next scan" in said
    assert set(Prompt.objects.active()) == {rows[0], rows[2], other}


def test_nothing_ticked_and_no_ids_change_nothing(visit, cast, at):
    PromptFactory(brand=cast.brand)
    for fields in ({}, {"prompt": ["nonsense"]}):
        assert "No prompt is chosen" in text_of(visit(cast.owner, "archive-prompts", fields, **at))
    assert Prompt.objects.active().count() == 1


def test_what_the_plan_has_no_room_for_is_not_restored(visit, cast, at):
    plan = cast.owner.plan
    plan.max_prompts_per_site = 1
    plan.save()
    PromptFactory(brand=cast.brand)
    archived = PromptFactory(brand=cast.brand, archived_at=timezone.now())
    said = text_of(visit(cast.owner, "restore-prompts", {"prompt": [archived.pk]}, **at))
    assert "allows 1 active prompts" in said and Prompt.objects.active().count() == 1


def test_a_wording_that_is_asked_already_is_not_restored(visit, cast, at):
    PromptFactory(brand=cast.brand, text="Which lock?")
    archived = PromptFactory(brand=cast.brand, text="Which lock?", archived_at=timezone.now())
    said = text_of(visit(cast.owner, "restore-prompts", {"prompt": [archived.pk]}, **at))
    assert "One of these wordings is asked by another prompt already" in said
    assert Prompt.objects.active().count() == 1


@pytest.mark.parametrize("name", ["archive-prompts", "restore-prompts"])
def test_only_those_who_may_change_the_brand_archive_and_restore(visit, cast, at, name):
    rows = [PromptFactory(brand=cast.brand), PromptFactory(brand=cast.brand, archived_at=timezone.now())]
    ticked = {"prompt": [row.pk for row in rows]}
    before = list(Prompt.objects.values_list("pk", "archived_at"))
    assert "Ask its owner to make you an editor" in text_of(visit(cast.viewer, name, ticked, **at))
    for person in (cast.stranger, staff(), staff("view_brand")):
        assert visit(person, name, ticked, **at).status_code == 404
    assert visit(cast.owner, name, None, **at).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.owner)
    assert strict.post(reverse(name, kwargs=at), ticked).status_code == 403
    assert list(Prompt.objects.values_list("pk", "archived_at")) == before


def test_who_only_looks_sees_no_way_to_write(visit, cast, at):
    PromptFactory(brand=cast.brand, text="Which lock?")
    for person in (cast.viewer, staff("view_brand")):
        page = visit(person, "prompts-page", **at).content.decode()
        assert "Which lock?" in page and 'type="checkbox"' not in page and "/prompts/add" not in page
        assert 'method="post" action="/brands' not in page and "/edit" not in page
    assert visit(cast.stranger, "prompts-page", **at).status_code == 404
    assert visit(BrandFactory().owner, "prompts-page", **at).status_code == 404


def test_hostile_words_stay_words(visit, cast, at):
    PromptFactory(brand=cast.brand, text=HOSTILE, topic=HOSTILE)
    PromptFactory(brand=cast.brand, text="شو أفضل دراجة؟", topic="W" * 200)
    page = visit(cast.owner, "prompts-page", query=f"?text={HOSTILE}&topic={HOSTILE}", **at).content.decode()
    assert Tags(page).all("script", "svg") == [] and "&lt;script&gt;" in page


def test_a_refused_wish_stays_in_the_form(visit, cast, at):
    page = visit(cast.owner, "suggest-prompts", {"count": 99, "topic": "red bikes"}, **at)
    assert page.status_code == 400 and 'value="red bikes"' in page.content.decode()
    assert "less than or equal to 25" in text_of(page)
