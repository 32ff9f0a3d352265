"""What answers to buying questions judge by: where a criterion stands, what is none, how spellings become one."""

from dataclasses import replace

import pytest

from tests.evidence.answer_texts import NAMES, answers_of, untrue
from visibility.evidence.criteria import find_criteria

FILLER = "Here are some good headphones."


def found(*texts, **fields):
    """The criteria of these answers: label by number of answers."""
    return {row.label: row.answers for row in find_criteria(answers_of(*texts, **fields), NAMES)}


def thrice(text):
    return found(text, text, text)


@pytest.mark.parametrize(
    "text",
    [
        "1. **Sony XM5**\n   - **Battery life:** up to 30 hours",
        "1. **Sony XM5**\n   - **Battery life** – up to 30 hours",
        "1. **Sony XM5**\n   - Battery life: up to 30 hours",
        "- **Battery life**",
        "| Model | Battery life |\n|---|---|\n| Sony XM5 | 30 h |",
        "| | Sony XM5 |\n|---|---|\n| Battery life | 30 h |",
        "### Battery life\n\nAll of them last a day.",
        "Factors to consider: Battery life: some last for days.Weight matters.",
        "**Battery life** matters on flights.",
    ],
)
def test_a_criterion_stands_as_a_label(text):
    assert "Battery life" in thrice(text)


@pytest.mark.parametrize(
    "label",
    [
        "Pros", "Cons", "Conclusion", "Where to buy", "Key features", "Best for", "Note", "Why it's great", "Model",
        "Best overall", "Best for gaming", "Best value", "Budget option", "Top picks", "Things to keep in mind",
        "Factors to consider when choosing", "Read reviews", "Your needs", "Intended use", "Gaming", "Short answer",
        "Wired vs. wireless", "Benefits of noise cancelling", "Running style", "Tag", "Affordable choice",
    ],
)  # fmt: skip
def test_titles_uses_and_audiences_are_no_criterion(label):
    assert thrice(f"- **{label}:** something that is said of it") == {}


@pytest.mark.parametrize("name", ["Sony", "Sony sound", "Jabra Elite", "Zyxel Frobnitz", "Discover\u00ae miles"])
def test_names_are_no_criterion(name):
    assert thrice(f"- **{name}:** something that is said of it") == {}


def test_a_tracked_name_of_plain_words_is_no_criterion():
    text = "- **Comfort:** something that is said of it"
    assert find_criteria(answers_of(text, text, text), ["Comfort"]) == []
    assert thrice(text) == {"Comfort": 3}


def test_what_answers_offer_is_no_criterion_though_its_words_are_plain():
    """As "Criterion Channel": some say it as a label, most offer it."""
    offers = "Top picks:\n\n1. **Purple Mattress** – soft\n2. **Nectar Premier** – firm\n3. **Zinus Frob** – cheap"
    says = "Compared:\n\n**Purple Mattress** is soft."
    assert "Purple mattress" not in found(offers, offers, offers, offers, says, says, says)


def test_linked_words_are_products_or_sources():
    assert thrice("### Travel rewards\n\nThey differ.") == {"Travel rewards": 3}
    assert thrice("### [Travel rewards](https://bank.example)\n\nThey differ.") == {}


def test_kinds_of_the_thing_asked_for_are_none():
    text = "- **Open-back headphones:** for home\n- **Noise isolation:** for trains"
    assert thrice(text) == {"Noise isolation": 3}


@pytest.mark.parametrize(
    "texts",
    [
        ("**Battery Life:** x", "**battery life:** x", "**Battery:** x"),
        ("**Long battery life:** x", "**Great battery life:** x", "**Battery life (up to 30 h):** x"),
        ("**Runtime:** x", "**Battery performance:** x", "**\U0001f50b Battery life:** x"),
    ],
)
def test_spellings_become_one(texts):
    assert found(*texts) == {"Battery life": 3}


def test_a_label_that_no_list_knows_is_found_and_shown_without_praise():
    texts = (
        "**Excellent shutter lag:** x",
        "**Excellent shutter lag:** y",
        "**Shutter lag:** x",
        "**Shutter Lags:** x",
    )
    [row] = find_criteria(answers_of(*texts), NAMES)
    assert (row.label, row.answers) == ("Shutter lag", 4)
    assert set(row.terms) == {"excellent shutter lag", "shutter lag", "shutter lags"}


def test_two_in_one_label_are_two():
    assert thrice("- **Fit & Comfort:** snug") == {"Comfort": 3, "Fit": 3}
    assert thrice("- **Ease of use and cleaning:** simple") == {"Ease of cleaning": 3, "Ease of use": 3}


class TestThresholds:
    LABEL = "**Comfort:** soft"

    def test_three_answers_of_two_engines(self):
        assert found(self.LABEL, self.LABEL, self.LABEL) == {"Comfort": 3}
        assert found(self.LABEL, self.LABEL) == {}

    def test_three_answers_to_one_prompt_of_two_engines(self):
        assert found(self.LABEL, self.LABEL, self.LABEL, prompt="p") == {"Comfort": 3}

    def test_three_prompts_of_one_engine(self):
        assert found(self.LABEL, self.LABEL, self.LABEL, engine="grok") == {"Comfort": 3}

    def test_two_prompts_of_one_engine_are_not_enough(self):
        answers = answers_of(self.LABEL, self.LABEL, self.LABEL, self.LABEL, engine="grok")
        answers = [replace(answer, prompt=f"p{number % 2}") for number, answer in enumerate(answers)]
        assert find_criteria(answers, NAMES) == []

    def test_an_answer_counts_once(self):
        assert found(f"{self.LABEL}\n\n{self.LABEL}\n\n{self.LABEL}", self.LABEL) == {}

    def test_points_without_a_label_count_where_others_have_it(self):
        point = "1. **Sony XM5**\n   - Very comfortable"
        assert found(self.LABEL, self.LABEL, self.LABEL, point) == {"Comfort": 4}
        assert found(point, point, point) == {}

    def test_groups_count_where_others_have_it(self):
        group = "**Best for comfort:** Bose QC45"
        assert found(self.LABEL, self.LABEL, self.LABEL, group) == {"Comfort": 4}
        assert found(group, group, group) == {}


@pytest.mark.parametrize("group", ["Best value", "Best budget option", "Best for students/budget"])
def test_groups_that_say_nothing_of_a_criterion_do_not_count(group):
    label = "**Price:** $99"
    assert found(label, label, label, f"**{group}:** Bose QC45") == {"Price": 3}


def test_only_unbranded_buying_questions_count():
    label = "**Comfort:** soft"
    answers = answers_of(label, label, label, label, label)
    answers[3] = replace(answers[3], branded=True)
    answers[4] = replace(answers[4], buying=False)
    [row] = find_criteria(answers, NAMES)
    assert (row.answers, row.of_answers, row.weight) == (3, 3, 100.0)


def test_weight_topics_engines_and_prompts():
    label = "**Comfort:** soft"
    answers = answers_of(label, label, label, FILLER, FILLER, FILLER, FILLER)
    answers[2] = replace(answers[2], topic="earbuds")
    [row] = find_criteria(answers, NAMES)
    assert (row.answers, row.of_answers, row.weight) == (3, 7, 42.9)
    assert row.topics == (("headphones", 2), ("earbuds", 1))
    assert row.engines == ("chatgpt", "gemini")
    assert row.prompts == 3


def test_the_weightiest_is_first():
    more, less = "**Comfort:** soft\n\n**Weight:** 250 g", "**Weight:** 250 g"
    assert list(found(more, more, more, less)) == ["Weight", "Comfort"]


def test_quotes_are_verbatim_begin_with_the_label_and_come_from_each_engine():
    texts = (
        "Look:\n\n- **Comfort:** soft pads. They last.",
        "| Model | Comfort |\n|---|---|\n| a | b |",
        "Comfort: good",
    )
    answers = answers_of(*texts)
    [row] = find_criteria(answers, NAMES)
    assert [quote.text for quote in row.quotes] == ["**Comfort:** soft pads.", "Comfort", "Comfort: good"]
    assert not untrue(iter(row.quotes), {answer.id: answer.text for answer in answers})
    assert {quote.engine for quote in row.quotes} == {"chatgpt", "gemini"}
    assert {(quote.source, quote.rule) for quote in row.quotes} == {("answer", "label")}


def test_no_answers_no_criteria():
    assert find_criteria([], NAMES) == []
    assert found("", " ", "\0") == {}


GERMAN = """Hier sind die besten Kopfhörer für Reisen:

1. **Sony XM5**
   - **Akkulaufzeit:** hervorragend, bis zu 30 Stunden
   - **Nachteile:** der Preis ist nicht gering
   - **Faltbarkeit:** ja, mit Tasche

**Fazit:** Der erste ist die beste Wahl."""


def test_german_answers():
    rows = find_criteria(answers_of(GERMAN, GERMAN, GERMAN), NAMES)
    assert {row.label for row in rows} == {"Akkulaufzeit", "Faltbarkeit"}
    [battery] = [row for row in rows if row.label == "Akkulaufzeit"]
    assert [(winner.subject, winner.answers) for winner in battery.winners] == [("Sony", 3)]
