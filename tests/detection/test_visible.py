"""What counts as the answer's own words, and where it stands in the raw text."""

import unicodedata

from tests.detection.finding import mentions, words
from visibility.detection.visible import read


def test_markup_addresses_sources_and_code_are_no_prose() -> None:
    hidden = (
        "See https://zenbo.com/page and [1].",
        "Good value ([Zenbo](https://zenbo.com)).",
        "Good value. ([Zenbo: the best shoes of the year | Zenbo](https://zenbo.com/x))",
        "```\nimport Zenbo\n```",
        "<!-- Zenbo --> Nothing.",
        "[1]: https://x.com Zenbo\n",
        "![Zenbo](https://x.com/zenbo.png) A picture.",
        "Write to info@zenbo.com or zenbo.com/help.",
    )
    for text in hidden:
        assert words(text, "Zenbo") == [], text


def test_words_of_links_bold_cells_and_headings_are_prose() -> None:
    for text in (
        "[Zenbo X2](https://shop.com/x2)",
        "**Zen**bo",
        "| a | Zenbo |\n|---|---|",
        "### Zenbo",
        "<b>Zenbo</b>",
    ):
        assert len(mentions(text, "Zenbo")) == 1, text


def test_offsets_are_those_of_the_stored_text() -> None:
    text = "🏆 **Best:** [**Zen**bo](https://z.com) &amp; more: Café Zenbo"
    assert words(text, "Zenbo") == ["Zen**bo", "Zenbo"]


def test_letters_with_loose_accents_are_the_same_letters() -> None:
    loose = unicodedata.normalize("NFD", "Try Nescafé Gold or Müller.")
    assert [unicodedata.normalize("NFC", found) for found in words(loose, "Nescafé")] == ["Nescafé"]
    assert words(loose, "Müller") == [unicodedata.normalize("NFD", "Müller")]
    assert words("다이슨 V15", unicodedata.normalize("NFD", "다이슨")) == ["다이슨"]


def test_what_the_search_page_prints_below_an_answer_is_no_part_of_it() -> None:
    assert words("Buy one.AI responses may include mistakes. Learn moreThank you Google", "Google") == []


def test_every_character_of_the_visible_text_stands_in_the_raw_text() -> None:
    text = "# A **b** [c](d)\n\n| e | f |\n|--|--|\n| g | h |\n\n- i `j`\n"
    seen = read(text)
    assert all(shown in ("\0", "\n", text[place]) for shown, place in zip(seen.text, seen.at, strict=True))
    assert [line.start for line in seen.lines] == sorted(line.start for line in seen.lines)


def test_an_answer_may_end_anywhere_in_a_table() -> None:
    table = "| a | b |\n|---|---|\n| c | d |"
    for end in range(len(table) + 1):
        assert isinstance(read(table[:end]).text, str)
