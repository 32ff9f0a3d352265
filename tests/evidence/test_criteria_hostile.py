"""What holds for any text: nothing breaks, every quote is verbatim, floods stay bounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.answer_texts import answers_of, untrue
from visibility.evidence.criteria import MAX_TERMS, find_criteria
from visibility.evidence.themes import MAX_QUOTES, MAX_THEMES, find_themes
from visibility.evidence.types import ReviewText

LENGTH = 160_000
PIECES = st.sampled_from(
    [
        "**Battery life:**", "Battery life", "**", "excellent", "great", " ", "\n", "\n\n", "- ", "  - ", "1. ", "# ",
        "## ", "Sony", "Bose", ":", ".", "|", "|---|", "\n|", "[", "](https://x.example)", "](", ")", "Cons", "not",
        "known for its ", "Best for ", "and", ", ", "\u2013 ", "\0", "\ud800", "\xa0", "\u0130", "e\u0301", "\u2028",
        "&amp;", "<b>", "</b>", "<!--", "`", "Comfort", "Fit & Comfort", "easy to use", "\U0001f50b", "\u96fb\u6c60",
        "a" * 70,
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_every_quote_of_criteria_is_verbatim(texts):
    answers = answers_of(*texts, *texts, *texts)
    sources = {answer.id: answer.text for answer in answers}
    for row in find_criteria(answers, ["Sony"]):
        assert not untrue((*row.quotes, *(winner.quote for winner in row.winners)), sources)
        assert row.quotes and row.label.strip() and len(row.terms) <= MAX_TERMS
        assert {winner.subject for winner in row.winners} <= {"Sony", "Bose", "Jabra"}


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_every_quote_of_themes_is_verbatim(texts):
    reviews = [ReviewText(f"r{number}", text) for number, text in enumerate(texts * 3)]
    sources = {review.key: review.text for review in reviews}
    for theme in find_themes(reviews, answers_of(*texts)):
        assert not untrue(iter(theme.quotes), sources)
        assert theme.quotes and theme.label.strip() and theme.count >= len(theme.quotes)


FLOODS = {
    "a table": "| Model | Battery life | Comfort |\n|---|---|---|\n"
    + "| Sony | excellent | **great** battery life |\n" * 4000,
    "bullets": "1. **Sony**\n" + "   - **Battery life:** excellent battery life\n" * 4000,
    "a deep list": "".join("  " * min(depth, 60) + "- **Comfort:** great comfort\n" for depth in range(4000)),
    "flat text": "Best: Sony: excellent battery life and comfort.Comfort:good." * 2700,
    "colons": "a:" * 80_000,
    "bold letters": "**a**" * 32_000,
    "one sentence": "excellent battery life and comfort " * 4600,
    "one word": "battery " * 20_000,
    "what it is known for": "known for its " * 12_000,
    "brackets": "[" * 160_000,
    "ands": "**" + "Fit and " * 20_000 + ":** x",
    "headings": "## Comfort\n" * 14_600,
}


@pytest.mark.parametrize("text", FLOODS.values(), ids=FLOODS)
def test_floods_are_read(text):
    """In time linear in the text: whoever makes it otherwise waits for minutes here."""
    flood, label = text[:LENGTH], "**Battery life:** long\n\n**Comfort:** soft"
    answers = answers_of(flood, label, label)
    sources = {answer.id: answer.text for answer in answers}
    criteria = find_criteria(answers, ["Sony"])
    assert {"Battery life", "Comfort"} >= {row.label for row in criteria}
    for row in criteria:
        assert not untrue((*row.quotes, *(winner.quote for winner in row.winners)), sources)
    reviews = [ReviewText(str(number), text) for number, text in enumerate((flood, "Great comfort.", "Bad comfort."))]
    themes = find_themes(reviews, answers)
    assert len(themes) <= MAX_THEMES
    assert all(len(theme.quotes) <= MAX_QUOTES for theme in themes)
