"""The detector on real answers, beside plain word matching and beside labels."""

import json
import re

import pytest

from tests.measurement.real_answer_differences import DIFFERENCES, LABELLED_GAINS, LABELLED_MISSES
from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name
from visibility.engines.protocol import Source

NAMES = ("Sony", "Apple", "Samsung")


@pytest.fixture
def answers(reference_data):
    path = reference_data / "real-answers" / "answers.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def mentioned(answer, dictionary):
    sources = [Source(each["url"], each["title"]) for each in answer["citations"]]
    return {each.subject for each in detect(Reading(answer["text"], sources), answer["prompt"], dictionary)}


def stands_in(name, text):
    """Plain word matching on the raw text: no letter, digit or underscore on either side, in any case."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def labelled_brands(answer):
    return {each["brand"] for each in answer["labelled_products"]} - {None, ""}


def key(answer, name):
    return answer["engine"], answer["prompt"], answer["sample"], name


def test_differences_to_plain_matching_are_those_that_were_read(answers):
    dictionary = Dictionary([Name(name, name) for name in NAMES])
    differing = set()
    for answer in answers:
        found = mentioned(answer, dictionary)
        differing |= {key(answer, name) for name in NAMES if stands_in(name, answer["text"]) != (name in found)}
    assert differing == set(DIFFERENCES)


def test_recall_of_labelled_brands(answers):
    """Brands are looked for one by one, so that none hides another; a brand is labelled once for each answer."""
    labelled = [(answer, brand) for answer in answers for brand in labelled_brands(answer)]
    dictionaries = {brand: Dictionary([Name(brand, brand)]) for _, brand in labelled}
    found = {(key(answer, brand)) for answer, brand in labelled if mentioned(answer, dictionaries[brand])}
    plain = {key(answer, brand) for answer, brand in labelled if stands_in(brand, answer["text"])}
    recall = len(found) / len(labelled)
    print(f"recall {recall:.2%} of {len(labelled)} labelled brand-answers ({len(plain) / len(labelled):.2%} plainly)")
    assert recall >= 0.976
    assert plain - found == set(LABELLED_MISSES)
    assert found - plain == set(LABELLED_GAINS)
    written = {key(answer, brand) for answer, brand in labelled if brand in answer["text"]}
    assert written - found <= set(LABELLED_MISSES)
