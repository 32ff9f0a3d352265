"""Which sentences of an answer each source supports."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.detection.citations.attachment import attach, spans_by_url
from visibility.detection.citations.citations import find_citations
from visibility.detection.text.reading import Reading
from visibility.detection.types import Domains
from visibility.engines.protocol import Source
from visibility.metrics.impressions import geo_attached

A, B, C = "https://a.example/1", "https://b.example/2", "https://c.example/3"
SOURCES = [Source(A), Source(B, "The B Times"), Source(C)]
PIECES = [
    "Sony is good", ". ", "\n", "\n\n", "* ", "  \n", "[1]", "[2]", "[B][2]", "(", ")", f"[x]({A})", B, "`[3]`",
    "| a |", "# ", "|--|", "[1]: https://a.example/1\n", "\u30101\u2020s\u3011", "<b>", "&amp;", "\\", "\0", "é",
    "**",
]  # fmt: skip
ANSWERS = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=25).map("".join)


def supported(text, sources=SOURCES):
    """Each sentence as it stands in the answer, with the letters of what supports it."""
    return [
        (text[each.start : each.end], "".join(url.removeprefix("https://")[0] for url in each.urls))
        for each in attach(Reading(text, sources))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sony is good [1]. JBL is loud [2].", [("Sony is good [1].", "a"), ("JBL is loud [2].", "b")]),
        ("Sony is good.[1] JBL is loud.[2][3]", [("Sony is good.", "a"), ("JBL is loud.", "bc")]),
        ("Sony is good. [1] JBL is loud. [2]", [("Sony is good.", "a"), ("JBL is loud.", "b")]),
        ("Sony is good. ([The B Times][2], [C][3])", [("Sony is good.", "bc")]),
        ("Sony is good.\n\n([B][2])\n\nJBL is loud.", [("Sony is good.", "b"), ("JBL is loud.", "")]),
        ("* Sony is good.\n* [1]\n* JBL is loud.", [("Sony is good.", "a"), ("JBL is loud.", "")]),
        ("[1] Sony is good. JBL is loud.", [("Sony is good.", "a"), ("JBL is loud.", "")]),
        ("Both [1, 3] are good.", [("Both [1, 3] are good.", "ac")]),
        ("Both [^1] are good[^2^].", [("Both [^1] are good[^2^].", "ab")]),
        ("Sony grew in [2024] a lot [1].", [("Sony grew in [2024] a lot [1].", "a")]),
        ("Sony is good [9]. So it is [0].", [("Sony is good [9].", ""), ("So it is [0].", "")]),
        (f"[Sony]({A}?utm_source=x) is good. ([b.example]({B}))", [(f"[Sony]({A}?utm_source=x) is good.", "ab")]),
        ("[Sony](https://other.example/) is good.", [("[Sony](https://other.example/) is good.", "")]),
        (f"Sony is good, see {B}. So is JBL.", [(f"Sony is good, see {B}.", "b"), ("So is JBL.", "")]),
        (f"Sony is good. <{C}>", [("Sony is good.", "c")]),
        ("[Verge][1] likes Sony.\n\n[1]: " + B, [("likes Sony.", "b")]),
        (f"Sony is good.\n\n[1] One {A}\n[2] Two {B}", [("Sony is good.", "")]),
        ("Sony is good `[1]`.\n\n```\nJBL [2].\n```", [("Sony is good `[1]`.", "")]),
        ("Sony is good【4:0†s】. So is JBL [2].", [("Sony is good【4:0†s】.", ""), ("So is JBL [2].", "b")]),
        ("Sony is good [1]  \nJBL is loud [2]", [("Sony is good", "a"), ("JBL is loud", "b")]),
        ("| Name | Why |\n|--|--|\n| Sony | good [3] |", [("Name", ""), ("Why", ""), ("Sony", ""), ("good", "c")]),
        ("<details>Sony is good [1].</details>", [("Sony is good [1].", "a")]),
        ("**1. Sony** is good [1].", [("Sony** is good [1].", "a")]),
        ("| Sony | 2024 [1] |\n|--|--|", [("Sony", ""), ("2024", "a")]),
        (f"Sony is good. [The B  times]({B})", [("Sony is good.", "b")]),
        (f"Sony is good. [The B Times]({B}) JBL is loud.", [("Sony is good.", "b"), ("JBL is loud.", "")]),
        (f"As [The B Times]({B}) says, Sony is good.", [(f"As [The B Times]({B}) says, Sony is good.", "b")]),
        (f"[The B Times]({B}) likes Sony.", [(f"[The B Times]({B}) likes Sony.", "b")]),
        (f"Sony is good. [The B Times]({C})", [("Sony is good.", ""), ("[The B Times", "c")]),
        ("[1]", []),
        ("", []),
    ],
)  # fmt: skip
def test_markers(text, expected):
    assert supported(text) == expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("Sony is good.", "abb"),  # the sentence itself
        ("good. JBL is", "abb"),  # two sentences are touched
        ("([B][2])", "abb"),  # a mere marker: the sentence before it
    ],
)
def test_offsets_of_the_engine_go_before_markers(marked, expected):
    text = "Sony is good. ([B][2]) JBL is loud. LG is [1] quiet."
    start = text.find(marked)
    if marked.startswith("good"):
        start, marked = text.find("good"), "good. ([B][2]) JBL is"
    sources = [Source(A), Source(B, "", start, start + len(marked))]
    found = dict(supported(text, sources))
    assert found["Sony is good."] == "b"
    assert found["JBL is loud."] == ("b" if "JBL" in marked else "")
    assert found["LG is [1] quiet."] == "a"


def test_offsets_of_a_link_that_shows_its_title_mean_the_claim_before():
    text = "Acme is best. [The Times](https://a.example/1)"
    assert supported(text, [Source(A, "The Times", 14, len(text))]) == [("Acme is best.", "a")]
    assert supported(text, [Source(A, "Another", 14, len(text))])[1][1] == "a"


@pytest.mark.parametrize(("start", "end"), [(5, 5), (9, 3), (-4, 2), (0, 999), (None, 4), (4, None)])
def test_offsets_that_cannot_be_are_left_for_the_markers(start, end):
    assert supported("Sony is good [1].", [Source(A, "", start, end)]) == [("Sony is good [1].", "a")]


def test_a_source_that_is_given_twice_supports_what_both_say():
    text = "Sony is good. JBL is loud."
    assert supported(text, [Source(A, "", 0, 4), Source(A + "#x", "", 14, 17)]) == [
        ("Sony is good.", "a"),
        ("JBL is loud.", "a"),
    ]


def test_a_link_to_a_search_supports_nothing():
    search = "https://chatgpt.com/?hints=search&q=Sony"
    assert supported(f"Buy it at [Amazon]({search}) [1] [2].", [Source(search), Source(B)])[0][1] == "b"


def test_words_are_those_of_the_prose():
    text = f"**Sony** is really good ([The B Times]({B}), [see this]({C})). [1]"
    (sentence,) = attach(Reading(text, SOURCES))
    assert sentence.words == 3
    assert sentence.urls == (B, C, A)


def test_citations_know_their_sentences():
    text = "Sony is good. [1] It is loud. [1]"
    found = find_citations(SOURCES, Domains({}), attach(Reading(text, SOURCES)))
    assert [each.spans for each in found] == [((0, 13), (18, 29)), (), ()]
    assert find_citations(SOURCES, Domains({}))[0].spans == ()


def test_impressions_of_an_answer_by_hand():
    """Two sentences of 2 words: a has the first alone, b and c share the second at e^-1."""
    sentences = attach(Reading("Sony good. [1] Loud ones. [2][3]", SOURCES))
    found = geo_attached(sentences, [A, B, C])
    assert found.word_count == pytest.approx((0.5, 0.25, 0.25))
    assert found.position_adjusted == pytest.approx((0.731058578630005, 0.134470710684998, 0.134470710684998))
    assert geo_attached(attach(Reading("Sony good. Loud ones.", SOURCES)), [A, B, C]).position == (0, 0, 0)


@given(ANSWERS, st.lists(st.tuples(st.integers(-2, 60), st.integers(-2, 60)), max_size=3))
def test_any_answer_is_taken(text, offsets):
    sources = [*SOURCES, *(Source(B, "", start, end) for start, end in offsets), Source("nonsense")]
    sentences = attach(Reading(text, sources))
    assert all(0 <= each.start < each.end <= len(text) for each in sentences)
    assert [each.start for each in sentences] == sorted(each.start for each in sentences)
    assert set(spans_by_url(sentences)) <= {A, B, C}
    for shares in (geo_attached(sentences, [A, B, C]).position, geo_attached(sentences, [A, B, C]).word_count):
        assert all(0 <= share <= 1 for share in shares)
        assert sum(shares) == pytest.approx(1) or not any(shares)


@given(ANSWERS.filter(lambda text: len(text) > 12), st.permutations(SOURCES))
def test_the_order_of_sources_with_offsets_does_not_matter(text, shuffled):
    placed = [Source(each.url, "", int(each.url[-1]) * 3, int(each.url[-1]) * 3 + 4) for each in shuffled]
    found = [(each.start, set(each.urls)) for each in attach(Reading(text, placed))]
    ordered = sorted(placed, key=lambda each: each.url)
    assert found == [(each.start, set(each.urls)) for each in attach(Reading(text, ordered))]
