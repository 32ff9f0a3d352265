"""What was seen since a thing was done: one verdict, on a day fixed beforehand."""

import pytest

from apikeys.accounts.caller import Caller
from tests.recommendations.conftest import DAY, day_after, named, words
from visibility.models import Recommendation
from visibility.recommendations.cards import proof_of
from visibility.recommendations.services import decide


@pytest.fixture
def done(world, monkeypatch):
    """ChatGPT never names Kryton; what is to be done is done three days later."""
    world.measure(DAY, lambda engine, *place: named(*(["Kryton"] if engine == "gemini" else ["Zentra"])))
    row = world.one("gap")
    about = {"brand_id": world.brand.pk, "recommendation_id": row.pk}
    decide(Caller.from_user(world.owner), **about, status="done", seen="open")
    row.refresh_from_db()
    row.proof = {**row.proof, "doneOn": day_after(DAY, 3), "verdictOn": day_after(DAY, 31)}
    row.save()
    return row


def proof(row):
    row = Recommendation.objects.get(pk=row.pk)
    return proof_of(row, words(row))


def always(engine, prompt, sample):
    return named("Kryton")


def test_before_its_day_there_are_counts_and_no_verdict(world, done):
    world.measure(day_after(DAY, 10), lambda engine, *place: named("Zentra"))
    found = proof(done)
    assert found.state == "waiting" and "The verdict is due on 1 February." in found.sentence


def test_on_its_day_the_answers_are_judged_once(world, done):
    Recommendation.objects.filter(pk=done.pk).update(status="done")
    world.measure(day_after(DAY, 31), lambda engine, prompt, sample: named("Zentra", *(["Kryton"] if prompt else [])))
    first = proof(done)
    assert first.state == "rose"
    assert first.sentence.startswith("You in 0 of 12 answers before, in 9 of 12 since. It rose beyond chance")
    world.measure(day_after(DAY, 40), lambda *place: named("Zentra"))
    assert proof(done) == first


def test_what_the_next_audit_shows_has_no_verdict_by_scans(world):
    world.measure(DAY, always)
    row = Recommendation.objects.create(
        brand=world.brand,
        kind="blocked",
        subject="ACC-06",
        facts={"check": "ACC-06", "title": "x", "seen": "", "fix": "", "gain": 1, "prompt": ""},
        priority=80,
        impact="high",
        effort="low",
    )
    about = {"brand_id": world.brand.pk, "recommendation_id": row.pk}
    decide(Caller.from_user(world.owner), **about, status="done", seen="open")
    assert Recommendation.objects.get(pk=row.pk).proof is None
