"""Letters on brands whose answers went the whole way: each sentence says what the answers say."""

from collections import Counter

import pytest

from tests.letters.whole import faults_of, letter_of, make_whole
from tests.live import own_database

BRANDS = 20


@pytest.fixture(autouse=True)
def pages_are_not_fetched(settings):
    settings.CITED_PAGES_PER_WEEK = 0


@pytest.mark.django_db
@pytest.mark.parametrize("number", [0, 1, 2])
def test_each_sentence_says_what_the_answers_say(number):
    brand = make_whole(number)
    assert list(faults_of(brand, letter_of(brand))) == []


@pytest.mark.proof
def test_each_sentence_on_twenty_brands_says_what_the_answers_say(django_db_setup, django_db_blocker):
    slots, faults = Counter(), []
    with django_db_blocker.unblock(), own_database():
        for number in range(BRANDS):
            brand = make_whole(number)
            letter = letter_of(brand)
            slots.update(sentence.slot for sentence in letter.sentences)
            faults += faults_of(brand, letter)
    print(f"{BRANDS} letters, sentences {dict(slots)}, false: {len(faults)}")
    assert faults == []
