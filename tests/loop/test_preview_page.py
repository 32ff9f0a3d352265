"""The page that asks before work is done: what it shows is what is frozen, and looking at it keeps nothing."""

import pytest
from django.urls import reverse

from tests.people.browser import text_of
from visibility.models import Proof, Recommendation, Run

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("planted")]


@pytest.fixture
def send(client, cast):
    def go(row, who="owner", **fields):
        client.force_login(getattr(cast, who))
        where = {"brand_id": cast.brand.pk, "recommendation_id": row.pk}
        return client.post(
            reverse("decide-recommendation", kwargs=where), {"status": "done", "reason": "", **fields}, follow=True
        )

    return go


def test_the_plan_is_shown_before_it_is_frozen(world, send):
    world.scan(0, 1, 2, 3)
    world.at(3, hour=12)
    row = world.gap(0)
    asked = text_of(send(row))
    assert not Proof.objects.exists() and Recommendation.objects.get().status == "open"
    shown = text_of(send(row, confirmed="on"))
    proof = Proof.objects.get()
    plan = proof.plan
    assert proof.state == "collecting"
    assert plan["sentence"] in asked and plan["sentence"] in shown
    assert f"Scans {plan['scans']} Answers {plan['answers']:,} Credits {plan['credits']:,}" in asked
    assert "Held against" in asked and "the same change on 6 other topics" in asked


def test_a_second_one_on_the_topic_is_told_that_it_shares_the_verdict(world, send):
    first, second = world.gap(0), world.gap(0, kind="search", subject="sound")
    world.scan(0, 1, 2, 3)
    world.at(3, hour=12)
    send(first, confirmed="on")
    assert "both share one plan and one verdict" in text_of(send(second))
    assert Proof.objects.count() == 1 and Proof.objects.get().recommendations.get() == first


def test_without_a_baseline_it_says_which_scan_becomes_it_and_starts_none(world, send):
    world.samples = 3  # as a scan that the page starts takes them
    row = world.gap(0)
    world.scan(0)
    world.at(0, hour=12)
    cost = f"({Run.objects.get().total} credits)"
    assert f"scan again tomorrow {cost}" in text_of(send(row))
    world.at(2)
    assert f"Marking it as done starts that scan, unless one ran just now {cost}" in text_of(send(row))
    assert Run.objects.count() == 1 and not Proof.objects.exists()
    send(row, confirmed="on")
    assert Run.objects.count() == 2 and Proof.objects.get().state == "baseline"


def test_where_no_scan_can_start_it_says_why(world, send):
    row = world.gap(0)
    world.scan(0)
    world.at(2)
    for prompt in world.prompts:
        prompt.archived_at = prompt.created_at
        prompt.save()
    assert "No scan can be started for it now: " in text_of(send(row))


@pytest.mark.parametrize(
    ("kind", "words"), [("audit_finding", "The next audit"), ("review_theme", "No figure shows whether this helps")]
)
def test_what_no_scan_proves_says_what_does(world, send, kind, words):
    row = world.gap(0, kind=kind)
    world.scan(0, 1)
    assert words in text_of(send(row))
    assert "is now: done" in text_of(send(row, confirmed="on")) and not Proof.objects.exists()


def test_viewers_are_refused_before_anything_is_planned(world, send):
    row = world.gap(0)
    world.scan(0, 1)
    refused = send(row, who="viewer")
    assert "Ask its owner to make you an editor" in text_of(refused)
    assert "Mark as done" not in text_of(refused)
    assert send(row, who="stranger").status_code == 404
