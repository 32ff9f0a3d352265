"""Recommendations, what was decided about them, proofs and choices of topics in the staff pages."""

from datetime import UTC, datetime

import pytest

from tests.factories import BrandFactory, RecommendationFactory, UserFactory
from tests.people.browser import Browser, text_of
from visibility.models import Proof, StatusChange, TopicChoice

pytestmark = pytest.mark.django_db
QUEUE = "/admin/visibility/recommendation/"
CHANGES, PROOFS, TOPICS = (f"/admin/visibility/{name}/" for name in ("statuschange", "proof", "topicchoice"))
WHEN = datetime(2025, 5, 24, tzinfo=UTC)


@pytest.fixture
def kept(cast):
    row = RecommendationFactory(brand=cast.brand, title="Say what the bikes do in snow")
    StatusChange.objects.create(
        recommendation=row, before="open", status="done", reason="It is live.", actor="user:7"
    )
    result = {"delta": 12.0, "low": 4.0, "high": 20.0}
    Proof.objects.create(
        brand=cast.brand, topic="winter", state="judged", verdict="moved_up", judged_at=WHEN, result=result
    )
    Proof.objects.create(brand=cast.brand, topic="summer")
    TopicChoice.objects.create(brand=cast.brand, topic="winter", is_own=True, decided_by="user:7")
    return row


def test_the_status_is_set_by_acts_with_a_reason(browser, operator, cast):
    row = RecommendationFactory(brand=cast.brand)
    page = browser.open(f"{QUEUE}{row.pk}/change/").content.decode()
    assert "/done/" in page
    assert "/resolved/" not in page
    form = browser.open(f"{QUEUE}{row.pk}/in-progress/").content.decode()
    assert '<label for="id_reason">' in form
    browser.submit(f"{QUEUE}{row.pk}/in-progress/", reason="The agency writes it.")
    row.refresh_from_db()
    assert (row.status, row.status_reason, row.status_by) == (
        "in_progress",
        "The agency writes it.",
        f"user:{operator.pk}",
    )
    assert StatusChange.objects.get().actor == f"user:{operator.pk}"
    assert browser.client.get(f"{QUEUE}{row.pk}/delete/").status_code == 403


def test_to_dismiss_takes_a_reason_and_each_its_own(browser, cast):
    row = RecommendationFactory(brand=cast.brand)
    refused = browser.submit(f"{QUEUE}{row.pk}/dismissed/")
    assert refused.status_code == 200 and "This field is required" in text_of(refused)
    row.refresh_from_db()
    assert row.status == "open"
    browser.submit(f"{QUEUE}{row.pk}/dismissed/", reason="They sell none.")
    row.refresh_from_db()
    assert (row.status, row.status_reason) == ("dismissed", "They sell none.")
    listed = browser.open(QUEUE).content.decode()
    assert 'value="in-progress"' in listed and 'value="dismissed"' not in listed


def test_many_are_taken_up_at_once(browser, cast):
    rows = RecommendationFactory.create_batch(2, brand=cast.brand)
    token = browser.open(QUEUE).context["csrf_token"]
    fields = {"action": "in-progress", "_selected_action": [str(row.pk) for row in rows]}
    browser.client.post(QUEUE, {**fields, "csrfmiddlewaretoken": str(token)})
    for row in rows:
        row.refresh_from_db()
        assert row.status == "in_progress"


@pytest.mark.parametrize("address", [CHANGES, PROOFS, TOPICS])
def test_what_is_kept_is_to_look_at(browser, kept, address):
    model = {CHANGES: StatusChange, PROOFS: Proof, TOPICS: TopicChoice}[address]
    row = model.objects.last()
    assert browser.open(address).status_code == 200
    page = browser.open(f"{address}{row.pk}/change/").content.decode()
    assert 'name="_save"' not in page
    assert browser.client.get(f"{address}add/").status_code == 403
    assert browser.client.get(f"{address}{row.pk}/delete/").status_code == 403


def test_lists_say_what_was_decided_and_what_came_of_it(browser, kept):
    assert "It is live. user:7" in text_of(browser.open(CHANGES))
    proofs = text_of(browser.open(PROOFS))
    assert "+12.0 (+4.0 to +20.0)" in proofs
    judged = text_of(browser.open(f"{PROOFS}?verdict__exact=moved_up"))
    assert "winter" in judged and "summer" not in judged
    waiting = text_of(browser.open(f"{PROOFS}?state__exact=baseline"))
    assert "summer" in waiting and "winter" not in waiting
    assert "winter" in text_of(browser.open(f"{TOPICS}?is_own__exact=1"))


@pytest.mark.parametrize("address", [QUEUE, CHANGES, PROOFS, TOPICS])
def test_lists_cost_the_same_for_many(browser, kept, address, django_assert_max_num_queries):
    browser.open(address)
    for number in range(30):
        brand = BrandFactory()
        row = RecommendationFactory(brand=brand)
        StatusChange.objects.create(recommendation=row, status="done")
        Proof.objects.create(brand=brand, topic=f"{number}")
        TopicChoice.objects.create(brand=brand, topic="winter", is_own=False)
    with django_assert_max_num_queries(12):
        browser.open(address)


@pytest.mark.parametrize("address", [QUEUE, CHANGES, PROOFS, TOPICS])
def test_staff_without_the_permission_see_none(kept, address):
    assert Browser(UserFactory(is_staff=True)).client.get(address).status_code == 403
