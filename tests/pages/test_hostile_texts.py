"""Hostile text in every place where answers, quotes and sources are shown: all of it is shown, none of it acts."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from tests.pages.hostile_markdown import ALL
from tests.pages.markup import Shown, harms
from visibility.pages.present.answers import shown_answer
from visibility.pages.present.markdown import Mark, Note, markdown_html
from visibility.pages.present.quotes import MAX_QUOTE, quote_html
from visibility.resources.answers import AnswerCitation, AnswerResource, MentionSpan, Span

ID = "8d3cf0a4-5b0b-4f0e-9a9e-0d7d3c7d8c11"


def answer_of(text):
    """An answer in which everything that others write is this text, with a name and a source at odd places."""
    third = len(text) // 3
    mentions = [
        MentionSpan(start=third, end=2 * third + 1, competitor=None, name=text, rank=1, stance="unknown"),
        MentionSpan(start=third + 1, end=2 * third + 2, competitor=ID, name=text, rank=1, stance="recommended"),
    ]
    spans = [Span(start=0, end=third), Span(start=third, end=len(text) - 1)]
    return AnswerResource(
        id=ID, run=ID, engine=text, version=1, sample=2, answered_at=None, served_model=text, searched=True,
        refused=False, named=True, text=text, length=len(text) + 1, mentions=mentions,
        citations=[AnswerCitation(url=text, domain=text, title=text, cls="news", competitor=None, spans=spans)],
    )  # fmt: skip


def as_answer(text):
    context = {"shown": shown_answer(answer_of(text)), "brand": SimpleNamespace(id=ID, name=text), "raw": None}
    return render_to_string("visibility/_answer.html", context)


def as_raw(text):
    context = {"shown": shown_answer(answer_of("")), "brand": SimpleNamespace(id=ID, name="Acme"), "raw": text}
    return render_to_string("visibility/_answer.html", context)


WAYS = {"markdown": markdown_html, "quote": quote_html, "answer": as_answer, "raw": as_raw}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", ALL, ids=range(len(ALL)))
def test_nothing_acts(way, text):
    assert list(harms(WAYS[way](text))) == []


@pytest.mark.parametrize("text", ALL, ids=range(len(ALL)))
def test_what_is_written_is_closed_in_order_wherever_names_and_sources_stand(text):
    """The places are those of nothing real, as after a change of the parser."""
    for step in (1, 7, 50):
        places = list(range(0, min(len(text), 400), step))
        marks = [Mark(place, place + max(step - 1, 1), "own", text[:50]) for place in places]
        notes = [Note(place, SafeString("<bdi>note</bdi>")) for place in places]
        html = markdown_html(text, marks, notes)
        shown = Shown(html)
        assert list(harms(html)) == []
        assert html.count("<bdi>note</bdi>") == len(notes)
        nested = [tag for tag, _ in shown.tags]
        assert nested.count("mark") >= len(shown.marks)


@pytest.mark.parametrize("text", ALL, ids=range(len(ALL)))
def test_quotes_are_short(text):
    assert len(Shown(quote_html(text)).text) <= MAX_QUOTE + 1
