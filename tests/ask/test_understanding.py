"""What a question alone means, and what is never silently ignored: over a few answers that are counted by hand."""

import io
import json
from datetime import date

import pytest
from django.db import transaction

from apikeys.operators import system_caller
from brands.competitors import add_competitor
from brands.models import Brand
from tests.ask.conftest import without_marks
from tests.factories import RunFactory, UserFactory
from tests.live import own_database
from visibility.ask.answer import answer_question
from visibility.ask.question import Question
from visibility.counts.reader import select_now
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Run
from visibility.scores.recount import recount

SYSTEM = system_caller("command:test")
LISTED = "1. **Zentra**: good.\n2. **Varmio**: the locks.Oblinx also makes some."


@pytest.fixture(scope="module")
def shared_brand(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), own_database():
        yield measured_brand()


@pytest.fixture
def brand(shared_brand):
    with transaction.atomic():
        yield Brand.objects.get(pk=shared_brand.pk)
        transaction.set_rollback(True)


def measured_brand():
    def line(day, topic, number, text):
        row = {"prompt": f"Which {topic}, {number}?", "topic": topic, "engine": "chatgpt", "text": text}
        return json.dumps({**row, "time": f"2026-01-{day:02}T10:00:00Z"})

    topics = ("city bikes", "steel locks", "range", "helmets", "lights")
    lines = [
        line(day, topic, number, text)
        for place, topic in enumerate(topics)
        for day, mentioned, other in ((1, 8, ""), (2, 8, ""), (3, place, LISTED), (11, 1, LISTED))
        for number, text in enumerate(["Kryton." if day < 11 else "Kryton and Zentra."] * mentioned + [other] * 8)
        if number < 8
    ]
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Zentra", "zentra.example")])
    return import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(lines))).brand


def ask(brand, text="?", **arguments):
    return without_marks(answer_question(SYSTEM, brand.pk, Question(text, **arguments)))


def test_a_question_alone_is_answered_only_where_all_of_it_is_explained(brand):
    answered = {
        "How visible are we?": ("standing", "5 of 40"),
        "How is Kryton doing?": ("standing", "5 of 40"),
        "Is Zentra ahead of us on city bikes?": ("competitors", "1 of 8"),
        "Which topics are we weak on?": ("topics", "5 topics"),
        "What is a citation?": ("definitions", None),
    }
    for text, (about, words) in answered.items():
        reply = ask(brand, text)
        assert (reply.about, reply.cannot_tell) == (about, None), text
        assert words is None or words in str(reply.answer), (text, reply.answer)
    refused = {
        "How did Zentra do on 2 January 2026?": {"competitor": "Zentra"},
        "Is Zentra ahead of us on range?": {"competitor": "Zentra", "topic": "range", "about": "competitors"},
        "Why did our score drop last week?": {"about": "change"},
        "Did Zentra complain about Kryton?": {"competitor": "Zentra"},
        "How visible are we without Zentra?": {"competitor": "Zentra", "about": "standing"},
        "What are steel locks?": {"topic": "steel locks"},
        "What is the weather in Berlin?": None,
    }
    for text, step in refused.items():
        reply = ask(brand, text)
        assert (reply.facts, reply.answer, reply.about) == ([], None, None), text
        arguments = reply.cannot_tell.next_step.arguments
        assert step is None or step.items() <= arguments.items(), (text, arguments)


def test_a_name_that_is_also_a_word_needs_its_capital():
    for text, name, found in (
        ("Is Away ahead of us?", "Away", "Away"),
        ("How far away is it?", "Away", None),
        ("On which topics are we weak?", "On", None),
        ("how is zentra doing", "Zentra", "zentra"),
    ):
        assert Question(text).named(name) == found, text


def test_a_competitor_that_is_not_counted_yet_is_in_no_row_and_said(brand):
    add_competitor(SYSTEM, brand_id=brand.pk, name="Varmio", domain="varmio.example")
    brand.refresh_from_db()
    assert "Varmio" not in select_now(brand).names.values()
    for arguments in ({"about": "standing"}, {"about": "competitors"}, {"about": "topics"}):
        reply = ask(brand, **arguments)
        assert "Varmio" not in {getattr(fact, "subject", None) for fact in reply.facts}
        assert any("Varmio" in note for note in reply.notes)
    reply = ask(brand, about="standing", competitor="Varmio")
    assert {fact.subject for fact in reply.facts} == {"Kryton"} and "not counted yet" in reply.cannot_tell.why
    recount(brand.pk)
    brand.refresh_from_db()
    assert "Varmio is mentioned in 35 of 40" in ask(brand, about="standing", competitor="Varmio").answer


def test_a_name_that_nobody_tracks_is_looked_up_in_the_texts_before_it_is_denied(brand):
    for name in ("Varmio", "Oblinx"):
        reply = ask(brand, about="standing", competitor=name)
        assert "is mentioned in 35 of 40 answers" in reply.answer
        assert [(fact.subject, fact.mentioned) for fact in reply.facts[:2]] == [("Kryton", 5), (name, 35)]
    for about in ("standing", "competitors"):
        reply = ask(brand, about=about, competitor="Nobody")
        assert "none of the 40 answers (2026-01-11" in reply.cannot_tell.why
        assert reply.answer.startswith("Kryton is mentioned in 5 of 40")
        assert {fact.subject for fact in reply.facts} == {"Kryton"}


def test_a_change_in_a_window_is_tested_between_its_days(brand):
    reply = ask(brand, about="change", first=date(2026, 1, 2), last=date(2026, 1, 3))
    assert "On 2026-01-03 the score of Kryton is 75 points less than on 2026-01-02" in reply.answer
    reply = ask(brand, about="change", first=date(2026, 1, 1), last=date(2026, 1, 2))
    assert "Between 2026-01-01 and 2026-01-02 no change" in reply.answer and "75 points" not in reply.answer
    reply = ask(brand, about="change", first=date(2026, 1, 3), last=date(2026, 1, 11))
    assert "75 points" not in reply.answer, "a change that began before the window"
    rival = ask(brand, about="change", first=date(2026, 1, 2), last=date(2026, 1, 3), competitor="Zentra")
    assert "the score of Zentra is 75 points more" in rival.answer
    assert "Only 2026-01-11" in ask(brand, about="change", first=date(2026, 1, 11)).answer


def test_a_pair_says_how_often_both_are_named_together(brand):
    assert (
        "Both are in 1 answers, the former without the latter in 7"
        in ask(brand, about="standing", competitor="Zentra", topic="range").answer
    )


def test_without_an_audit_the_step_that_makes_one_says_what_it_takes(brand):
    reply = ask(brand, about="recommendations")
    assert reply.cannot_tell.next_step.tool == "run_audit_scan" and "50 credits" in reply.cannot_tell.why
    RunFactory(
        brand=brand, kind=Run.Kind.AUDIT, status=Run.Status.FAILED, error_code="x", error_message="It is away."
    )
    assert "failed: It is away." in ask(brand, about="audit").answer
