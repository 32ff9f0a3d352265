"""All real answers as they are shown, beside another parser of Markdown and beside what the detector found."""

import json
import re
from html import unescape

import pytest
from markdown_it import MarkdownIt

from apikeys.text.untrusted import clean
from tests.pages.markup import Shown
from visibility.detection.citations.attachment import attach, spans_by_url
from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name
from visibility.engines.protocol import Source
from visibility.pages.present.answers import marks_of, shown_answer
from visibility.pages.present.markdown import markdown_html
from visibility.resources.answers import AnswerCitation, AnswerResource, MentionSpan, Span

STRUCTURE = {"p", "li", "ul", "ol", "tr", "td", "th", "pre", "blockquote", "hr", "strong", "em", "code", "table"}
HEADINGS = {f"h{level}": f"h{min(level + 3, 6)}" for level in range(1, 7)}


@pytest.fixture
def answers(reference_data):
    path = reference_data / "real-answers" / "answers.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def dictionary(answers):
    """Every brand that any of the answers is labelled with."""
    brands = {product["brand"] for answer in answers for product in answer["labelled_products"]} - {None, ""}
    return Dictionary([Name(brand, brand) for brand in sorted(brands)])


def reading_of(answer):
    return Reading(answer["text"], [Source(cited["url"], cited["title"]) for cited in answer["citations"]])


def spans_of(mentions):
    """As they are stored, each as a competitor's."""
    rival = "8d3cf0a4-5b0b-4f0e-9a9e-0d7d3c7d8c11"
    return [
        MentionSpan(start=mention.start, end=mention.end, competitor=rival, name=mention.subject, rank=None,
                    stance=mention.stance)
        for mention in mentions
    ]  # fmt: skip


def resource(answer, mentions=(), citations=()):
    return AnswerResource(
        **dict.fromkeys(("id", "run"), "8d3cf0a4-5b0b-4f0e-9a9e-0d7d3c7d8c11"),
        **dict.fromkeys(("version", "sample"), 1),
        **dict.fromkeys(("answered_at", "searched")),
        **dict.fromkeys(("refused", "named"), False),
        **dict.fromkeys(("engine", "served_model"), "chat"),
        text=answer["text"],
        length=len(answer["text"]),
        mentions=list(mentions),
        citations=list(citations),
    )


def plainly(raw):
    """A stretch of raw text as it is read, for stretches that hold no more than emphasis, escapes and entities."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"[*_`\\]", "", clean(raw)))).strip()


def test_words_and_structure_are_those_of_another_parser(answers):
    other = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    for answer in answers:
        ours, theirs = Shown(markdown_html(answer["text"])), Shown(other.render(clean(answer["text"])))
        assert ours.text == theirs.text
        tags = [tag for tag, _ in ours.tags if tag in STRUCTURE or tag in HEADINGS]
        expected = [HEADINGS.get(tag, tag) for tag, _ in theirs.tags if tag in STRUCTURE or tag in HEADINGS]
        assert tags == expected


def test_every_name_that_was_found_is_marked_exactly_once(answers, dictionary):
    total = 0
    for answer in answers:
        mentions = detect(reading_of(answer), answer["prompt"], dictionary)
        marks = sorted(marks_of(spans_of(mentions)), key=lambda mark: mark.start)
        html = Shown(markdown_html(answer["text"], marks))
        expected = [[mark.title, plainly(answer["text"][mark.start : mark.end])] for mark in marks]
        assert [[title, re.sub(r"\s+", " ", text).strip()] for title, text in html.marks] == expected
        for mention in mentions:
            around = [mark for mark in marks if mark.start <= mention.start and mention.end <= mark.end]
            assert len(around) == 1 and f"{mention.subject}: " in around[0].title
        assert html.text == Shown(markdown_html(answer["text"])).text
        total += len(mentions)
    assert total > 5_000


def test_every_source_with_a_sentence_stands_behind_it_and_no_word_is_lost(answers):
    total = 0
    for answer in answers:
        spans = spans_by_url(attach(reading_of(answer)))
        citations = [
            AnswerCitation(url=url, domain="shop.example", title="", cls="shop", competitor=None,
                           spans=[Span(start=start, end=end) for start, end in places])
            for url, places in spans.items()
        ]  # fmt: skip
        html = Shown(shown_answer(resource(answer, citations=citations)).html)
        chips = [attributes for tag, attributes in html.tags if attributes.get("class") == "cite shop"]
        assert len(chips) == sum(map(len, spans.values()))
        without = re.sub(r"\s*shop\.example shop\s*", " ", html.text).split()
        assert "".join(without) == "".join(Shown(markdown_html(answer["text"])).text.split())
        total += len(chips)
    assert total > 500


def test_no_markup_is_left_to_be_read_but_what_marks_nothing(answers):
    shown = [Shown(markdown_html(answer["text"])).text for answer in answers]
    assert not [text for text in shown if re.search(r"\\\$|&#x20;|\]\(|(^|\s)#{1,6} ", text)]
    # Two answers open a pair of asterisks and never close it; the other parser shows them, too.
    assert sum("**" in text for text in shown) == 2
