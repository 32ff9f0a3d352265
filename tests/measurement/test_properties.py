"""What holds for any answer and any outcomes."""

import re
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from visibility.detection.citations.citations import find_citations
from visibility.detection.detector import detect, named_in
from visibility.detection.names.matching import Dictionary
from visibility.detection.stance.quotes import MAX_QUOTE
from visibility.detection.text.addresses import canonical_url
from visibility.detection.text.folding import fold
from visibility.detection.text.reading import Reading
from visibility.detection.text.visible import BREAK
from visibility.detection.types import Domains, Name, Stance
from visibility.engines.protocol import Source
from visibility.metrics.measure import measure
from visibility.metrics.types import AnswerOutcome

PIECES = [
    "Sony",
    "HubSpot",
    "HubSpot CRM",
    "AT&T",
    "\u30bd\u30cb\u30fc",
    "stra\xdfe",
    "\u0130",
    "\xdf",
    "\xe9",
    "e\u0301",
    "a",
    "1",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\x00",
    "\x0b",
    "\x0c",
    "\u2028",
    "\xa0",
    "\u200b",
    "\xad",
    "*",
    "**",
    "***",
    "_",
    "~~",
    "~",
    "`",
    "``",
    "```\n",
    "[",
    "]",
    "(",
    ")",
    "](",
    "[1]",
    "][1]",
    '[1]: http://a.example "',
    '"',
    "![",
    "<",
    ">",
    "<b>",
    "</b>",
    "<br>",
    "<div>\n",
    "<!--",
    "-->",
    "# ",
    "#",
    "- ",
    "1. ",
    "> ",
    "    ",
    "|",
    "|-|-|\n",
    "\\|",
    "\\",
    "&amp;",
    "&#x53;",
    "&",
    "http://sony.com/",
    "---\n",
    "===\n",
    "$9.99",
    "!",
    ".",
    "'s",
    "-",
    "\u2013",
    "\ud800",
    "\U0001f600",
    "\u202e",
]
texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
names = st.lists(st.builds(Name, st.sampled_from(["", "a", "b"]), texts), max_size=6)
DICTIONARY = Dictionary([Name("", "Sony"), Name("a", "HubSpot"), Name("b", "HubSpot CRM"), Name("b", "ソニー")])


@settings(max_examples=400)
@given(texts, texts, names, st.lists(st.builds(Source, texts, texts), max_size=3))
def test_any_text_and_any_names_give_true_spans(text, prompt, some_names, sources):
    for dictionary in (DICTIONARY, Dictionary(some_names)):
        mentions = detect(Reading(text, sources), prompt, dictionary)
        for mention in mentions:
            assert 0 <= mention.start < mention.end <= len(text)
            assert text[mention.start : mention.end] == mention.text
            assert 0 <= mention.quote_start <= mention.start and mention.end <= mention.quote_end <= len(text)
            assert mention.quote_end - mention.quote_start <= max(MAX_QUOTE, mention.end - mention.start)
            assert mention.rank is None or (mention.rank >= 1 and mention.stance != Stance.NOT_FOUND)
        ranks = {mention.subject: mention.rank for mention in mentions}
        assert all(ranks[mention.subject] == mention.rank for mention in mentions)
        places = [(mention.subject, mention.start) for mention in mentions]
        assert len(set(places)) == len(places)
        assert named_in(prompt, dictionary) <= {"", "a", "b"}


@settings(max_examples=400)
@given(texts)
def test_visible_text_is_where_it_claims_to_be(text):
    source = re.sub("[\0\ud800-\udfff]", "\ufffd", text)
    for block in Reading(text).blocks:
        assert source[block.start : block.end] == block.content
        for piece in block.pieces:
            assert block.start <= piece.start <= piece.end <= block.end
            if piece.kind == "text" and piece.end - piece.start == len(piece.text):
                assert source[piece.start : piece.end] == piece.text
    prose = Reading(text).seen.prose
    for place, char in enumerate(prose.text):
        if char == BREAK:
            continue
        start, end = prose.source_span(place, place + 1)
        assert 0 <= start < end <= len(text)
        if end - start == 1 and char not in " \n":
            assert source[start] == char


@given(texts)
def test_folding_is_stable_and_keeps_places(text):
    folded = fold(text)
    assert fold(folded.text).text == folded.text
    for place in range(len(folded.text)):
        start, end = folded.source_span(place, place + 1)
        assert 0 <= start < end <= len(text)


@given(st.text(alphabet=st.characters(categories=["L", "Nd"])))
def test_folding_ignores_composition(text):
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert fold(composed).text == fold(decomposed).text


@settings(max_examples=300)
@given(st.one_of(texts, texts.map("https://a.example/".__add__), texts.map("http://".__add__)))
def test_any_address_is_read_or_left_out(url):
    canonical = canonical_url(url)
    if canonical is not None:
        assert canonical_url(canonical) == canonical
        assert canonical.isascii() and " " not in canonical
    for citation in find_citations([Source(url, url)], Domains({"": (url, "a.example")})):
        assert citation.url == canonical and citation.domain
        (citation.title + citation.url).encode()


outcomes = st.lists(
    st.builds(
        AnswerOutcome,
        prompt=st.sampled_from("pqrstu"),
        topic=st.sampled_from("xyz"),
        engine=st.sampled_from("ef"),
        ranks=st.dictionaries(st.sampled_from(["", "a", "b"]), st.integers(1, 5)),
        cited=st.frozensets(st.sampled_from(["", "a"])),
        named=st.frozensets(st.sampled_from(["", "b"])),
    ),
    max_size=40,
)


def figures(day):
    for measures in (day.overall, *day.by_engine.values()):
        yield from (
            measures.score,
            measures.panel,
            measures.share_of_voice,
            measures.prominence,
            measures.citation_rate,
        )


@settings(max_examples=300)
@given(outcomes, st.randoms())
def test_figures_are_percentages_or_null_whatever_the_order(answers, random):
    subjects = ["", "a", "b"]
    days = measure(answers, subjects)
    for day in days.values():
        for estimate in figures(day):
            if estimate.value is None:
                assert estimate.low is None and estimate.high is None
            else:
                assert 0 <= estimate.value <= 100
            if estimate.low is not None:
                assert -1e-9 <= estimate.low <= estimate.value + 1e-9
                assert estimate.value - 1e-9 <= estimate.high <= 100 + 1e-9
                assert estimate.high > estimate.low
    shuffled, backwards = list(answers), list(reversed(subjects))
    random.shuffle(shuffled)
    again = measure(shuffled, backwards)
    assert {subject: str(again[subject]) for subject in subjects} == {key: str(day) for key, day in days.items()}
