"""The weights of evidence: what the command gives, with signs that make sense, and what they make of other texts.

Each floor is a little below what is reached; the tables of generated texts have other words, invented names,
sentences and descriptions than those that weights are fitted to."""

import json
from collections.abc import Iterable

import pytest

from tests.measurement import sentences
from tests.measurement.fit import FILE, Sample, detector_of, fit, samples
from tests.measurement.labels import labelled_answers
from tests.measurement.sentences import HOMONYMS, TESTING, TRAINING, Text
from tests.reference import reference_file
from visibility.detection import Detector, Subject
from visibility.detection.senses import WEIGHTS

FOR = {
    "phrase", "letters", "glued", "entry", "list_names", "middle", "series", "behind_grammar", "next_name",
    "possessive", "sure_elsewhere", "middle_elsewhere", "own_cited", "described_near", "described", "asked_for",
    "values_names", "foreign_opening",
}  # fmt: skip
AGAINST = {
    "word", "bearer", "measure", "list_advice", "advice_behind", "label", "behind_name", "behind_capital",
    "next_noun", "hyphen", "small_elsewhere", "not_described", "other_trade",
}  # fmt: skip


@pytest.fixture(scope="module")
def places() -> list[Sample]:
    return samples(labelled_answers(reference_file("labels").parent))


def test_the_file_is_what_the_command_gives(places: list[Sample]) -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == pytest.approx(fit(places), abs=0.01)


def test_no_weight_has_the_wrong_sign() -> None:
    wrong = {name for name in FOR if WEIGHTS[name] < -0.3} | {name for name in AGAINST if WEIGHTS[name] > 0.3}
    assert wrong == set()


def test_no_word_or_name_of_the_tables_is_one_of_the_training() -> None:
    words = {*TRAINING.words, *TRAINING.invented, *TRAINING.units}
    assert words.isdisjoint(
        {*TESTING.words, *TESTING.invented, *TESTING.units, *(homonym.name for homonym in HOMONYMS)}
    )
    assert {*TRAINING.openings, *TRAINING.advice, *TRAINING.titles}.isdisjoint(
        {*TESTING.openings, *TESTING.advice, *TESTING.titles}
    )


def counted(texts: Iterable[Text], *, described: bool) -> float:
    """The share of the names in these texts that count."""
    found = [
        any(place.subject == name and place.counts for place in places)
        for text in texts
        for places in [detector_of(text, described=described).places(text.text, text.question)]
        for name in text.names
    ]
    return sum(found) / len(found)


@pytest.mark.parametrize("described", [False, True])
def test_a_name_behind_the_first_word_of_a_sentence_counts(described: bool) -> None:
    """20 names in 20 sentences of nine languages."""
    assert counted(sentences.openings(TESTING), described=described) >= 0.95


@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("sure", [0, 1, 2])
def test_words_in_a_list_of_names_count_with_and_without_sure_ones(sure: int, described: bool) -> None:
    assert counted(sentences.lists(TESTING, 100, sure), described=described) >= 0.95


@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize(
    ("texts", "most"),
    [
        (list(sentences.advice(TESTING, 40)), 0.1),
        (list(sentences.titles(TESTING)), 0.4),
        (list(sentences.units(TESTING)), 0.1),
    ],
    ids=["advice", "titles", "units"],
)
def test_words_that_are_no_names_do_not_count(texts: Iterable[Text], most: float, described: bool) -> None:
    assert counted(texts, described=described) <= most


def test_a_description_removes_other_senses() -> None:
    """20 homonyms, each in a text about something else."""
    wrong = [
        homonym.name
        for homonym in HOMONYMS
        if Detector([Subject("it", [homonym.name], description=homonym.description)]).detect(homonym.text).mentions
    ]
    assert len(wrong) <= 3
