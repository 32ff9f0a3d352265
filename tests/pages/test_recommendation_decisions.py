"""What people decide on the pages of recommendations: who may, what it takes, and what is kept of it."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import CollaboratorFactory, RecommendationFactory, UserFactory
from tests.pages.reading import staff
from tests.people.browser import text_of
from visibility.models import Recommendation, StatusChange

pytestmark = pytest.mark.django_db


@pytest.fixture
def row(cast):
    return RecommendationFactory(brand=cast.brand, kind="topic_gap", topic="winter")


@pytest.fixture
def at(cast, row):
    return {"brand_id": cast.brand.pk, "recommendation_id": row.pk}


def statuses():
    return list(Recommendation.objects.order_by("pk").values_list("status", flat=True))


@pytest.mark.parametrize("who", ["owner", "editor"])
def test_owners_and_editors_decide_and_it_is_kept_who_and_why(visit, cast, row, at, who):
    person = getattr(cast, who)
    page = visit(person, "decide-recommendation", {"status": "in_progress", "reason": "Ann writes it."}, **at)
    assert "The recommendation is now: in progress." in text_of(page)
    row.refresh_from_db()
    assert (row.status, row.status_reason, row.status_by) == (
        "in_progress",
        "Ann writes it.",
        f"user:{person.pk}",
    )
    assert StatusChange.objects.get().reason == "Ann writes it."


def test_viewers_and_staff_are_refused(visit, cast, at):
    for status in ("in_progress", "done"):
        refused = visit(cast.viewer, "decide-recommendation", {"status": status}, **at)
        assert "Ask its owner to make you an editor" in text_of(refused)
    for person in (staff("view_brand"), staff("view_brand", "change_recommendation")):
        assert visit(person, "decide-recommendation", {"status": "in_progress"}, **at).status_code == 404
    assert statuses() == ["open"] and not StatusChange.objects.exists()


def test_it_takes_a_form_of_ours(client, cast, at):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.owner)
    address = reverse("decide-recommendation", kwargs=at)
    assert strict.post(address, {"status": "in_progress"}).status_code == 403
    assert strict.get(address).status_code == 405
    assert statuses() == ["open"]


def test_to_dismiss_it_takes_a_reason(visit, cast, at):
    refused = visit(cast.owner, "decide-recommendation", {"status": "dismissed"}, **at)
    assert refused.status_code == 400 and "Say why it is dismissed" in text_of(refused)
    assert statuses() == ["open"]
    visit(cast.owner, "decide-recommendation", {"status": "dismissed", "reason": "We sell none."}, **at)
    assert statuses() == ["dismissed"]


def test_what_was_written_stays_in_the_form_when_it_is_refused(visit, cast, at):
    long = "Because " + "x" * 600
    refused = visit(cast.owner, "decide-recommendation", {"status": "dismissed", "reason": long}, **at)
    assert refused.status_code == 400 and long in refused.content.decode()
    assert statuses() == ["open"]


@pytest.mark.parametrize("status", ["resolved", "", "nonsense"])
def test_people_set_what_is_theirs_to_set(visit, cast, at, status):
    assert visit(cast.owner, "decide-recommendation", {"status": status}, **at).status_code == 400
    assert statuses() == ["open"]


def test_done_asks_first_and_nothing_has_happened_until_it_is_confirmed(visit, cast, at):
    asked = visit(cast.owner, "decide-recommendation", {"status": "done", "reason": "Page is live."}, **at)
    assert "Is it done?" in text_of(asked) and statuses() == ["open"]
    assert "Page is live.</textarea>" in asked.content.decode()
    fields = {"status": "done", "reason": "Page is live.", "confirmed": "on"}
    page = visit(cast.owner, "decide-recommendation", fields, **at)
    assert "The recommendation is now: done." in text_of(page)
    assert statuses() == ["done"] and StatusChange.objects.get().reason == "Page is live."


def test_what_was_dismissed_can_be_opened_again(visit, cast, row, at):
    row.status = "dismissed"
    row.save()
    page = visit(cast.editor, "recommendation-page", **at).content.decode()
    assert ">Open again<" in page and ">Dismiss<" not in page
    visit(cast.editor, "decide-recommendation", {"status": "open"}, **at)
    assert statuses() == ["open"]


def test_one_that_is_gone_is_not_there(visit, cast):
    where = {"brand_id": cast.brand.pk, "recommendation_id": uuid4()}
    assert visit(cast.owner, "decide-recommendation", {"status": "in_progress"}, **where).status_code == 404


def test_an_editor_who_became_a_viewer_decides_no_more(visit, cast, at):
    person = UserFactory()
    membership = CollaboratorFactory(brand=cast.brand, user=person, role="editor")
    assert ">Dismiss<" in visit(person, "recommendation-page", **at).content.decode()
    membership.role = "viewer"
    membership.save()
    visit(person, "decide-recommendation", {"status": "in_progress"}, **at)
    assert statuses() == ["open"]
