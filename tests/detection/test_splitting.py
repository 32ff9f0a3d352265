"""Text that lost its line breaks gets its lines back."""

from visibility.detection.splitting import split


def lines(text: str) -> list[tuple[str, str]]:
    return [(line.kind, text[line.body : line.head]) for line in split(text, 0, len(text))]


def test_an_entry_begins_right_behind_a_full_stop() -> None:
    text = "Great for simplicity.Zenbo X2: It is light (IP68).Orva Pro:Known for comfort.eero Max: Fast."
    assert lines(text) == [
        ("text", "Great for simplicity."),
        ("point", "Zenbo X2"),
        ("point", "Orva Pro"),
        ("point", "eero Max"),
    ]


def test_a_title_ends_with_a_colon_and_a_hard_space() -> None:
    text = "Here are some options:\xa0Top Picks:\xa0Zenbo X2: Light.\xa0Mid-Range (under $400)\xa0Orva 5: Good."
    assert lines(text) == [
        ("title", "Here are some options"),
        ("title", "Top Picks"),
        ("point", "Zenbo X2"),
        ("title", "Mid-Range (under $400)"),
        ("point", "Orva 5"),
    ]


def test_product_cards_part_from_each_other_and_from_titles() -> None:
    text = "Zenbo X2$89.99$99.994.0(2k+)Orva Pro$60.003.8(384)Other Options:\xa0Vessi: Dry."
    assert [kind for kind, _ in lines(text)] == ["card", "card", "title", "point"]


def test_numbers_abbreviations_and_times_part_nothing() -> None:
    for text in (
        "It costs 4.5 to 5.0 at most, e.g. Friday at 10:30 and later.",
        "Made in the U.S. by Dr. Best since 1999.",
    ):
        assert len(lines(text)) == 1, text


def test_a_later_sentence_with_a_short_label_is_a_line_of_its_own() -> None:
    text = "A larger case is fine. Orva Endurance Peak 3: If you run, take it."
    assert lines(text) == [("text", "A larger case is fine."), ("point", "Orva Endurance Peak 3")]


def test_signs_of_items_in_the_middle_of_a_line_are_items() -> None:
    text = "Short list:  - Zenbo — light and safe.  - Orva — open.   - Pros: cheap."
    assert [words for _, words in lines(text)] == ["Short list", "Zenbo", "Orva", "Pros"]


def test_lines_have_no_gaps() -> None:
    text = "A b.C d: e\xa0F:\xa0G h: i.  - J — k. L m: n$1.99O$2.99"
    found = list(split(text, 0, len(text)))
    assert [line.start for line in found[1:]] == [line.end for line in found[:-1]]
    assert (found[0].start, found[-1].end) == (0, len(text))
