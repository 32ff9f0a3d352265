"""Labels are English nouns that several answers put before what they say, and nothing else that is in front."""

import pytest

from tests.evidence.making import answer, answers
from tests.evidence.real import NO_CRITERIA, real_topics
from visibility.evidence.labels import find_labels, quoted_span

LIST = """1. **Zentra Cabin**: a case with handles that is light and good for all of your trips.
2. **Borealis Air**: a case on wheels.
3. **Coltra One**: a case.

"""


def found(given):
    return {each.name: each for each in find_labels(given)}


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
        "**Wheels and handles:** Zentra has both.",
    ],
)
def test_a_label_is_found_however_an_answer_sets_it_apart(text):
    assert labels(*[LIST + text] * 3) & {"Handles", "Handle quality"}


def test_each_answer_counts_once_and_by_its_engine():
    text = f"{LIST}**Weight:** Zentra is light.\n**Weight:** so it is."
    weight = found(answers(text, text, text, f"{LIST}It is about the weight of the case."))["Weight"]
    assert (weight.answers, weight.by_engine) == (3, {"chatgpt": 2, "gemini": 1})


def test_what_narrows_a_more_usual_label_is_counted_there():
    given = [f"{LIST}**Warranty:** long."] * 3 + [f"{LIST}**Lifetime warranty:** long."] * 3
    assert {name: each.answers for name, each in found(answers(*given)).items()} == {"Warranty": 6}


def test_it_takes_three_answers_of_two_engines_or_to_three_prompts():
    text = f"{LIST}**Handles:** those of Zentra last."
    assert labels(text, text, text) == {"Handles"}
    assert labels(text, text) == set()
    assert set(found([answer(number, text) for number in range(3)])) == {"Handles"}
    assert found([answer(0, text)] * 3) == {}


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
        "**At:** the shop.",
        "**5 %:** off.",
        "**Automatic vs:** manual.",
        "**Forerunner 265:** a watch.",
    ],
)
def test_parts_of_answers_names_numbers_and_words_of_grammar_are_none(text):
    assert labels(*[f"{LIST}{text}"] * 4, untracked=["Zyxon Q1"]) == set()


def test_answers_in_other_languages_have_none():
    text = (
        "1. **Zentra Kabine**: Der Koffer ist gut, seine Rollen halten lange.\n2. **Borealis**: Nicht so gut.\n\n"
        "**Design:** Das von Zentra gefällt fast jedem, der es sieht.\n**Bemærk:** Er ist leicht."
    )
    assert labels(*[text] * 3, question="Welcher Koffer ist gut?") == set()


def test_a_label_is_quoted_with_what_is_behind_it():
    text = f"{LIST}**Weight:** it is light."
    [label] = find_labels(answers(text, text, text))
    shown = label.uses[0].answer.text.seen.text
    assert [shown[slice(*quoted_span(use))] for use in label.quoted] == ["Weight: it is light."] * 3


@pytest.mark.proof
def test_nine_of_ten_labels_of_real_answers_are_criteria():
    labels = [each.name for given in real_topics("eight-topics.jsonl") for each in find_labels(given)]
    right = [name for name in labels if name not in NO_CRITERIA]
    assert len(labels) > 50 and len(right) >= 0.9 * len(labels)
