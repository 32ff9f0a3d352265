"""What counts as the answer's own words, and where it stands in the raw text."""

import json
import unicodedata

import pytest

from tests.detection.finding import mentions, words
from tests.reference import reference_file
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


@pytest.mark.parametrize(
    "text",
    [
        "Zenbo¹ leads.",
        "Zenbo² and others³ lead.",
        "The best is Zenbociteturn0search3turn0search8 and then others.",
        "**Zenbo**citeturn0search1 leads.",
        "Zenbo\ue200cite\ue202turn0search3\ue202turn0news1\ue201 leads.",
        "Zenboturn0search3L10-L20 leads.",
        "Zenbofileciteturn0file2 leads.",
        "Zenbo:contentReference[oaicite:3]{index=3}, then others",
        "Zenbo[oaicite:3] leads.",
        "| citeturn0search1 | Zenbo |",
        "<<Zenbo>>",
        "The <Zenbo> of all",
        "<Zenbo and others> lead",
    ],
)
def test_footnotes_marks_of_citations_and_angle_brackets_leave_the_name(text: str) -> None:
    assert words(text, "Zenbo") == ["Zenbo"]


@pytest.mark.parametrize("mark", ["\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u200e"])
def test_marks_of_no_width_are_no_part_of_a_name(mark: str) -> None:
    assert words(f"Get {mark}Zen{mark}bo or another.", "Zenbo") == [f"Zen{mark}bo"]
    assert words("Get Zenbo or another.", f"Zen{mark}bo") == ["Zenbo"]


@pytest.mark.parametrize(
    "text",
    [
        "A citeturn0search3 of it",
        "A\ue200cite\ue202turn0search3\ue202turn1view2\ue201 of it",
        "A:contentReference[oaicite:3]{index=3} of it",
        '<a href="x">A</a> <br/>of <custom data-x="y">it</custom>',
    ],
)
def test_marks_of_citations_and_tags_are_not_visible(text: str) -> None:
    assert " ".join(read(text).text.replace("\0", " ").split()) == "A of it"


@pytest.mark.parametrize("name", ["a19c_cite_stripped", "b01_oaicite", "b16_nbsp", "d07_sup"])
def test_names_of_field_cases_are_found(name: str) -> None:
    text = json.loads(reference_file(f"field-cases/import/{name}.jsonl").read_text().splitlines()[0])["text"]
    assert len(mentions(text, "Garmin")) == 1
    assert "turn0" not in read(text).text and "oaicite" not in read(text).text
