"""Criteria are the labels by which several answers judge what they offer, and nothing else that stands in front."""

import time
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from uuid import uuid4

import pytest

from tests.evidence.making import CALLED, TRACKED, answer, answers
from tests.evidence.real import judged_right, real_topics
from visibility.evidence.criteria import find_criteria
from visibility.evidence.making import criterion_of
from visibility.evidence.themes import find_themes
from visibility.evidence.winners import find_winners, winner_of
from visibility.models import Review

LIST = """1. **Zentra Cabin**: a case with handles.
2. **Borealis Air**: a case on wheels.
3. **Coltra One**: a case.

"""
HOW_TO_CHOOSE = "## What to look for\n\n"


def found(given):
    return {each.label: each for each in find_criteria(given)}


def labels(*texts, **more):
    return set(found(answers(*texts, **more)))


@pytest.mark.parametrize(
    "text",
    [
        "**Handle quality:** those of Zentra last.",
        "### Handles\n\nThose of Zentra last.",
        "- Handles: those of Zentra last.",
        "- **Handles** – those of Zentra last.",
        "| | Zentra | Borealis |\n|---|---|---|\n| Handles | good | fair |\n| Style | a | b |",
        "| Case | Handles |\n|---|---|\n| Zentra | good |\n| Borealis | fair |",
        "Think of your trips.Handles: Those of Zentra last.Wheels: They do not.",
        "**Great wheels and handles:** Zentra has both.",
    ],
)
def test_a_label_is_found_however_an_answer_sets_it_apart(text):
    assert labels(*[LIST + HOW_TO_CHOOSE + text] * 3) & {"Handles", "Handle quality"}


def test_ways_of_writing_one_criterion_are_counted_together_and_each_answer_once():
    given = answers(
        f"{LIST}**Weight:** Zentra is light.\n**Weight:** so it is.",
        f"{LIST}- Lightweight design: Zentra",
        f"{LIST}**Weight & Portability:** fine",
        f"{LIST}It is about the weight of the case.",
        LIST,
    )
    weight = found(given)["Weight"]
    assert (weight.labelled, weight.mentioned) == (3, 4)
    assert weight.labelled <= weight.mentioned <= len(given)


def test_it_takes_three_answers_of_two_engines_or_to_three_prompts():
    text = f"{LIST}**Handles:** those of Zentra last."
    assert labels(text, text, text) == {"Handles"}
    assert labels(text, text) == set()
    one_engine = [answer(number, text) for number in range(3)]
    assert set(found(one_engine)) == {"Handles"}
    once_asked = [answer(0, text), *(answer(0, text) for _ in range(2))]
    assert found(once_asked) == {}


@pytest.mark.parametrize(
    "text",
    [
        "**Zentra:** a case.",
        "**Pros:** it is light.",
        "**Best overall:** Zentra Cabin",
        "## Factors to consider\n\nThink of Zentra.",
        "**Comparison table:** see below.",
        "**Consider your trips:** long ones.",
        "**Hardside suitcases:** Zentra has some.",
        "**Zyxon:** a case of a maker.",
        "**Travel habits:** How often do you fly?",
    ],
)
def test_what_is_no_criterion(text):
    found_labels = labels(*[f"{LIST}{text}"] * 4, question="Which suitcase is best?", untracked=["Zyxon Q1"])
    assert found_labels == set()


def test_answers_in_other_languages_have_criteria_too():
    text = (
        "1. **Zentra Kabine**: Der Koffer ist gut, seine Rollen halten lange.\n2. **Borealis**: Nicht so gut.\n\n"
        "## Worauf achten?\n\n**Rollen:** Die von Zentra laufen leise über jeden Boden.\n**Vorteile:** Er ist leicht."
    )
    assert "Rollen" in labels(*[text] * 3, question="Welcher Koffer ist gut?")


@pytest.mark.parametrize("piece", ["**a:** ", "**Weight:** ", "|Weight|x|\n", "****"])
def test_a_hostile_answer_takes_no_longer_than_its_length(piece):
    text = (piece * (64_000 // len(piece)))[:64_000]
    begun = time.process_time()
    criteria = find_criteria(answers(text, text, text))
    find_winners(answers(text, text, text), criteria, CALLED)
    assert time.process_time() - begun < 5


def test_hostile_answers_are_quoted_word_for_word():
    random = Random(1)
    pieces = (
        *("Zentra", "Borealis", "**", "Weight", ":", "|", "#", "great", "wheels", "kg", "$9", "10,000", "Pros:"),
        *("é", "e\u0301", "한", "\u1100\u1161", "👍🏽", "İ", "ß", "ﬁ", "“", "”", "—", "\xa0", "\0", "\ud800"),
        *("[a](http://x.y)", "[1]", "`", "<b>", "&amp;", "Cons:"),
    )
    topic, quotes = SimpleNamespace(pk=uuid4(), name="cases"), 0
    for _ in range(300):
        text = "".join(random.choice(pieces) + random.choice((" ", "\n", "")) for _ in range(random.randint(1, 50)))
        given = answers(text, text, text)
        criteria = find_criteria(given)
        winners = find_winners(given, criteria, CALLED)
        for theme in find_themes([Review(text=text)] * 3, given, []):
            assert all(quote.text and text[quote.start : quote.end] == quote.text for quote in theme.quotes)
        for each in criteria:
            made = criterion_of(topic, given, each, winners.get(each.key, ()), None)
            assert made.labelled <= made.mentioned <= made.of
            for quote in (*made.quotes, *(winner.quote for winner in made.winners)):
                assert quote.text and text[quote.start : quote.end] == quote.text
                quotes += 1
    assert quotes > 50


class TestWinners:
    def won(self, *texts):
        offers = LIST.replace("a case on wheels", "a case")
        given = answers(
            *[f"{text}\n\n## Our picks\n\n{offers}{HOW_TO_CHOOSE}**Wheels:** they matter." for text in texts]
        )
        criteria = find_criteria(given)
        [wheels] = [each for each in criteria if each.label == "Wheels"]
        return find_winners(given, criteria, CALLED).get(wheels.key, [])

    @pytest.mark.parametrize(
        "text",
        [
            "Zentra has wheels that roll.",
            "The wheels of Zentra are superb.",
            "Zentra is known for its handles and wheels.",
            "### Zentra Cabin\n\n- Smooth wheels and a zip",
        ],
    )
    def test_a_clause_on_one_subject_counts_once_an_answer(self, text):
        [first] = self.won(*[f"{text}\n\n{text}"] * 3)
        assert (first.subject, first.answers) == ("Zentra", 3)
        assert "heels" in first.quote.text

    @pytest.mark.parametrize(
        "text",
        [
            "Zentra has no good wheels.",
            "Zentra's weakness are its wheels.",
            "Zentra and Borealis have excellent wheels.",
            "Zentra has good zips; wheels are on all cases.",
            "### Zyxon Q1\n\n- Smooth wheels and a zip",
            "All of them have great wheels. Zentra is one.",
            "### Zyxon Q1\n\nFine.\n\n### Zentra Cabin\n\n**All picks:**\n- Zyxon Q1: a case. It has smooth wheels.",
        ],
    )
    def test_nobody_is_linked_with_it_by_less(self, text):
        assert self.won(*[text] * 3) == []

    def test_who_wins_leads_by_two_answers_and_by_share(self):
        [one] = self.won(*["Zentra has great wheels."] * 3)
        for first, second, naming, winner in (
            (3, 1, (5, 5), "a"),
            (3, 2, (5, 5), None),
            (3, 3, (5, 5), None),
            (3, 1, (9, 3), None),
            (3, 1, (10, 3), None),
            (2, 0, (5, 0), "a"),
            (1, 0, (5, 0), None),
            (0, 0, (5, 0), None),
        ):
            found = [
                one.model_copy(update={"subject": name, "answers": number, "naming": of})
                for name, number, of in zip("ab", (first, second), naming, strict=True)
            ]
            assert winner_of([each for each in found if each.answers]) == winner, (first, second, naming)


@pytest.mark.proof
def test_nine_of_ten_labels_of_real_answers_are_criteria():
    right = total = 0
    for topic, given in real_topics("eight-topics.jsonl"):
        for each in find_criteria(given):
            total += 1
            right += each.label in judged_right(topic)
    assert total > 50 and right >= 0.9 * total, (right, total)


def test_who_is_only_mentioned_is_linked_with_nothing():
    text = "1. **Zentra**: great wheels.\n2. **Borealis**: superb wheels.\n\n**Wheels**: they decide.\n"
    given = answers(text, text, text)
    mentioned = [
        replace(each, named=[name._replace(is_offered=name.subject != TRACKED["Borealis"]) for name in each.named])
        for each in given
    ]
    key = find_criteria(given)[0].key
    winners = [find_winners(of, find_criteria(of), CALLED)[key] for of in (given, mentioned)]
    assert [{winner.subject for winner in each} for each in winners] == [{"Zentra", "Borealis"}, {"Zentra"}]
