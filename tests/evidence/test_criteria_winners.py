"""Whom answers name as good by a criterion."""

import pytest

from tests.evidence.answer_texts import NAMES, answers_of, untrue
from visibility.evidence.criteria import find_criteria

LABELS = "**Battery life:** how long it lasts\n\n**Comfort:** soft pads\n\n**Weight:** in grams\n\n"


def winners(text, label="Battery life"):
    """Who wins the criterion, with the words that say so: of three answers that judge by it one has the text."""
    answers = answers_of(f"{LABELS}{text}", LABELS, LABELS)
    [row] = [row for row in find_criteria(answers, NAMES) if row.label == label]
    assert not untrue((winner.quote for winner in row.winners), {answer.id: answer.text for answer in answers})
    return {winner.subject: winner.quote.text for winner in row.winners}


@pytest.mark.parametrize(
    "text",
    [
        "1. **Sony XM5**\n   - **Battery life:** Excellent",
        "1. **Sony XM5**\n   - Great battery life",
        "1. **Sony XM5**\n   - Long battery life (30 h)",
        "1. **Sony XM5** – superb sound and battery life.",
        "### 1. Sony XM5\n\n- **Pros:** light, long battery life\n- **Cons:** dear",
        "| Model | Notes |\n|---|---|\n| Sony XM5 | excellent battery life |",
        "The Sony XM5 is known for its battery life.",
        "The Sony XM5 stands out for comfort and battery life.",
        "With the Sony XM5, battery life is outstanding.",
        "**Best battery life:** Sony XM5",
        "**Best for battery life:** Sony XM5",
        "Top picks: Sony XM5: An all-rounder. It offers excellent battery life.Bose QC45: dear.",
    ],
)
def test_words_of_praise_beside_it(text):
    assert list(winners(text)) == ["Sony"]


@pytest.mark.parametrize(
    "text",
    [
        "1. **Sony XM5**\n   - **Battery life:** up to 30 hours",
        "1. **Sony XM5**\n   - **Cons:** not the best battery life",
        "1. **Sony XM5**\n   - **Cons:**\n     - great battery life comes at a price",
        "1. **Sony XM5**\n   - Great sound, but battery life is short",
        "1. **Sony XM5**\n   - No great battery life",
        "The Sony XM5 has worse battery life than most.",
        "If you need great battery life, look for more than the Sony XM5.",
        "The Sony XM5 is great for travel, with battery life that varies.",
        "Sony makes the XM5. Great battery life matters on flights.",
        "1. **Sony XM5** – solid\n2. **Frobnitz 5** – great battery life",
        "### 1. Sony XM5\n\nSolid.\n\n### What to look for\n\n- great battery life",
        "1. **Sony XM5** – like Bose and Jabra with great battery life",
        "With great battery life, there is the Sony XM5.",
        "Sony, Bose and Jabra have great battery life.",
    ],
)
def test_no_praise_of_whom_it_is_not_about(text):
    assert winners(text) == {}


def test_a_word_of_a_product_s_name_is_no_praise():
    assert winners("1. **Sony Lightweight 5** – a pair of headphones", "Weight") == {}
    assert list(winners("1. **Sony XM5** – a lightweight pair", "Weight")) == ["Sony"]


def test_two_that_share_the_praise_both_win():
    assert set(winners("Sony and Bose are known for their battery life.")) == {"Sony", "Bose"}


def test_the_quote_names_the_winner_where_it_stands_near():
    assert winners("1. **Sony XM5**\n   - Great battery life") == {"Sony": "Sony XM5**\n   - Great battery life"}


def test_a_quote_that_names_its_winner_is_preferred():
    far = "x" * 250
    texts = [
        f"{LABELS}1. **Sony XM5** – {far}\n   - Great battery life",
        f"{LABELS}The Sony XM5 has excellent battery life.",
        LABELS,
    ]
    [row] = [row for row in find_criteria(answers_of(*texts), NAMES) if row.label == "Battery life"]
    [winner] = row.winners
    assert winner.answers == 2
    assert winner.quote.text == "The Sony XM5 has excellent battery life."


def test_who_is_praised_by_more_answers_is_first():
    texts = [
        f"{LABELS}Bose has great battery life.",
        f"{LABELS}Bose has great battery life.\n\nSony has great battery life.",
    ]
    [row] = [row for row in find_criteria(answers_of(*texts, LABELS), NAMES) if row.label == "Battery life"]
    assert [(winner.subject, winner.answers) for winner in row.winners] == [("Bose", 2), ("Sony", 1)]
