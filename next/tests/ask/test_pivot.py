"""The pivot over a few answers that are counted by hand."""

import io
import json

import pytest

from apikeys.caller import Caller
from apikeys.operators import system_caller
from tests.factories import UserFactory
from visibility.answers.passages import find_warnings, find_words
from visibility.ask.answer import answer_question
from visibility.ask.resolve import Question
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Topic
from visibility.scores.pivot import count_period, pivot, untracked_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand():
    def line(prompt, text, engine="chatgpt", day=2, sample=1, topic="bikes"):
        row = {"prompt": prompt, "topic": topic, "text": text, "sample": sample, "engine": engine}
        return json.dumps({**row, "time": f"2026-01-{day:02}T10:00:00Z", "citations": ["https://kryton.example/a"]})

    listed = "1. **Zentra**: good.\n2. **Varmio**: fine.\n3. **Oblinx**: light."
    lines = [line("Best bike?", listed, sample=number) for number in range(1, 9)]
    lines += [line("Best bike?", "Kryton and Zentra.", "gemini", sample=number) for number in range(1, 5)]
    lines += [
        line("Best bike?", "Avoid Kryton: its frame breaks.", day=1),
        line("Is Zentra good?", "Zentra is."),
    ]
    lines += [line("Best car?", "Kryton.", topic="cars")]
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Zentra", "zentra.example")])
    brand = import_answers(system_caller("command:test"), brand=new, file=io.StringIO("\n".join(lines))).brand
    Topic.objects.filter(brand=brand, name="cars").update(own=False)
    return brand


def counts(rows, *names):
    return {tuple(getattr(row, name) for name in names): (row.mentioned, row.of) for row in rows}


def test_rows_are_by_any_axis_and_a_prompt_that_names_a_subject_counts_for_the_other_alone(brand):
    counted = count_period(brand)
    assert counts(pivot(counted, ["subject"]), "subject") == {("Zentra",): (12, 12), ("Kryton",): (4, 13)}
    assert counts(pivot(counted, ["engine"]), "engine") == {("chatgpt",): (0, 9), ("gemini",): (4, 4)}
    assert counts(pivot(counted, ["topic"]), "topic") == {("bikes",): (4, 13)}


def test_days_bound_the_answers_and_topics_that_are_not_own_are_left_out(brand):
    from_first = count_period(brand, first=min(answer.day for answer in brand.answers.all()), days=5)
    assert counts(pivot(from_first, ["day"]), "period") == {("2026-01-01",): (1, 1), ("2026-01-02",): (4, 13)}
    assert pivot(count_period(brand, topics=brand.topics.filter(name="cars")), ["subject"]) == []
    assert from_first.answers.count() == 14


def test_who_is_ahead_is_tested_and_an_untracked_name_is_never_behind(brand):
    counted = count_period(brand)
    offered = untracked_rows(counted)
    rows = {row.subject: row for row in pivot(counted, ["subject"], untracked=offered)}
    assert (rows["Zentra"].relation, rows["Kryton"].relation) == ("ahead", None)
    assert (rows["Varmio"].mentioned, rows["Varmio"].of, rows["Varmio"].tracked) == (8, 13, False)
    assert rows["Varmio"].relation is None and rows["Varmio"].first is None
    rows = {row.subject: row for row in pivot(count_period(brand, engines=["gemini"]), ["subject"])}
    assert rows["Zentra"].relation == "tied"
    chosen = {"Varmio": offered["Varmio"]}
    rows = pivot(count_period(brand, engines=["chatgpt"]), ["subject"], untracked=chosen)
    assert [row.relation for row in rows if row.subject == "Varmio"] == ["ahead"]


def test_warnings_and_words_are_quoted_from_the_answers(brand):
    counted = count_period(brand, last=min(answer.day for answer in brand.answers.all()))
    [warning] = find_warnings(counted.answers, None)
    assert (warning.stance, warning.text) == ("rejected", "Avoid Kryton: its frame breaks.")
    number, [passage] = find_words(counted.answers, "frame BREAKS")
    assert (number.answers, number.of, number.as_phrase) == (1, 1, True)
    assert brand.answers.get(pk=passage.answer_id).text[passage.start : passage.end] == passage.text
    number, _ = find_words(counted.answers, "frames break")
    assert (number.answers, number.in_any_form, number.beginnings) == (0, 1, "frame… brea…")
    number, passages = find_words(counted.answers, "breaks frame")
    assert (number.answers, number.as_phrase, len(passages)) == (1, False, 1)
    day = warning.day
    asked = Question("Who warns against us?", about="standing", first=day, last=day)
    assert answer_question(Caller.from_user(brand.owner), brand.pk, asked).passages == [warning]
