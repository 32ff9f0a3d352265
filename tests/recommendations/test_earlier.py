"""What an earlier edition recommended: each old kind has a new one, or is dismissed; nothing is resolved by it."""

from importlib import import_module
from types import SimpleNamespace
from uuid import uuid4

import pytest

from tests.factories import RecommendationFactory
from tests.recommendations.conftest import DAY, named
from visibility.models import Recommendation
from visibility.recommendations.cards import proof_of, show
from visibility.recommendations.kinds import KINDS

MIGRATION = import_module("visibility.migrations.0008_kinds")
WRITTEN = {"written": {"title": "Old title", "summary": "Old words.", "fixPrompt": "Old prompt."}, "topic_id": None}
OLD_PROOF = {
    "doneOn": "2026-01-01",
    "topic": "x",
    "result": {
        "state": "worked",
        "sentence": "Mentioned in 3 of 9 answers before, in 8 of 9 since: it worked.",
        "mentionedBefore": 3,
        "answersBefore": 9,
        "mentionedSince": 8,
        "answersSince": 9,
    },
}


@pytest.mark.parametrize(
    ("kind", "subject", "priority", "place"),
    [
        ("name", "Google Nest", 89, ("name", "Google Nest")),
        ("site_audit", "ACC-06", 95, ("blocked", "ACC-06")),
        ("site_audit", "REN-03", 50, ("hygiene", "REN-03")),
        ("fall", "2026-01-03", 70, ("fall", "2026-01-03")),
        ("own_pages_lost", "2026-01-03", 70, ("fall", "pages 2026-01-03")),
        ("topic_gap", "t", 40, ("gap", "mentions t")),
        ("engine_gap", "chatgpt", 40, ("gap", "mentions chatgpt")),
        ("first_pick", "t", 40, ("gap", "first t")),
        ("engine_first_pick", "chatgpt", 40, ("gap", "first chatgpt")),
        ("objection", "warnings", 40, ("limit", "warnings")),
        ("cited_pages", "t", 40, ("sources", "t")),
        ("track", "untracked names", 40, ("track", "untracked names")),
        ("criterion", "t wheels", 40, ("earlier", "criterion t wheels")),
        ("own_page_unnamed", "https://kryton.example", 40, ("earlier", "own_page_unnamed https://kryton.example")),
    ],
)
def test_each_old_kind_has_its_new_place(kind, subject, priority, place):
    assert MIGRATION.place_of(SimpleNamespace(kind=kind, subject=subject, priority=priority)) == place
    assert place[0] == "earlier" or place[0] in KINDS


def test_words_lose_their_marks():
    assert MIGRATION.plain("Track <untrusted-quote>A &amp; B</untrusted-quote>") == "Track A & B"


def test_what_was_done_keeps_its_proof_as_it_was_written(db):
    row = RecommendationFactory(facts=WRITTEN, status="done", proof=MIGRATION.proof_of(OLD_PROOF))
    proof = proof_of(row, show(row, row.brand))
    assert (proof.state, proof.sentence) == ("rose", OLD_PROOF["result"]["sentence"])
    assert proof.verdict_on is None


def test_a_card_of_an_earlier_edition_is_shown_as_it_was_written(db):
    card = show(row := RecommendationFactory(kind="earlier", facts=WRITTEN), row.brand)
    assert (card.title, card.summary, card.fix_prompt) == ("Old title", "Old words.", "Old prompt.")


def test_what_nothing_of_now_is_like_is_dismissed_as_replaced(world):
    world.measure(DAY, lambda *place: named("Zentra", "Kryton"))
    old = RecommendationFactory(brand=world.brand, kind="sources", subject=str(uuid4()), facts=WRITTEN)
    done = RecommendationFactory(brand=world.brand, kind="sources", subject="x", facts=WRITTEN, status="done")
    queue = world.measure(DAY, lambda *place: named("Zentra", "Kryton"), topic="locks")
    assert (queue["sources", old.subject].status, queue["sources", old.subject].status_reason) == (
        "dismissed",
        "replaced",
    )
    assert queue["sources", done.subject].status == "done"


def test_what_is_like_one_of_now_is_renewed_and_stays_open(world):
    world.measure(DAY, lambda *place: named("Zentra"))
    row = world.one("gap")
    Recommendation.objects.filter(pk=row.pk).update(facts=WRITTEN)
    world.measure(DAY, lambda *place: named("Zentra"), topic="locks")
    renewed = Recommendation.objects.get(pk=row.pk)
    assert renewed.status == "open" and renewed.facts["rival"] == "Zentra"
