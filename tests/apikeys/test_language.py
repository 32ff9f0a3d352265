"""Days, times and numbers as the language of a browser writes them."""

from datetime import UTC, date, datetime

import pytest
from django.test import RequestFactory
from django.utils.translation import get_language

from apikeys.language import (
    day_words,
    full_day_words,
    month_day_words,
    neutral,
    number_words,
    span_words,
    time_words,
    written_for,
)


def request(language):
    return RequestFactory().get("/", headers={"Accept-Language": language} if language else {})


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("", "3 May 2019"),
        ("en-US,en;q=0.9", "May 3, 2019"),
        ("en-GB", "3 May 2019"),
        ("de-DE,de;q=0.9,en;q=0.5", "3. Mai 2019"),
        ("xx-YY,fr;q=0.3", "3 May 2019"),
        ("fr,de-AT;q=0.3", "3. Mai 2019"),
        ("*", "3 May 2019"),
        ("not a language \x7f", "3 May 2019"),
    ],
)
def test_a_day_is_written_as_the_language_of_the_page_writes_it(language, words):
    with written_for(request(language)):
        assert day_words(date(2019, 5, 3)) == words


@pytest.mark.parametrize(
    ("write", "value", "german"),
    [
        (full_day_words, date(2019, 5, 3), "3. Mai 2019"),
        (month_day_words, date(2019, 5, 3), "3. Mai"),
        (time_words, datetime(2019, 5, 3, 6, 0, tzinfo=UTC), "06:00"),
        (number_words, 1144, "1.144"),
    ],
)
def test_german_days_times_and_numbers(write, value, german):
    with written_for(request("de")):
        assert write(value) == german


def test_the_month_of_a_span_is_written_once():
    with written_for(request("en-US")):
        assert " ".join(span_words(date(2019, 5, 3), date(2019, 5, 9)).split()) == "May 3 – 9, 2019"


def test_who_chose_a_language_reads_it_in_every_browser():
    chosen = request("en-GB")
    chosen.COOKIES["django_language"] = "de"
    with written_for(chosen):
        assert get_language() == "de"
        assert day_words(date(2019, 5, 3)) == "3. Mai 2019"


def test_files_are_english_and_neutral_within_a_page():
    with written_for(request("de")), neutral():
        assert get_language() == "en"
        assert number_words(1144) == "1,144"


def test_afterwards_and_elsewhere_it_is_neutral():
    with written_for(request("de")):
        pass
    assert span_words(date(2019, 5, 3), date(2019, 5, 9)) == "3 to 9 May 2019"
    assert number_words(1144) == "1,144"
