"""Figures of now as sentences: intervals, bases, places and lists as people write them."""

from datetime import date
from uuid import uuid4

import pytest
from django.utils.translation import override

from apikeys.language import span_words
from visibility.counts.resources import EngineNow, NowFigures, Shown, Standing
from visibility.counts.words import (
    base_words,
    engine_name,
    listed,
    margin_words,
    market_name,
    ordinal,
    place_words,
    score_words,
    shown_interval,
    shown_rate_words,
    standing_words,
    tied_words,
)


def now(**fields):
    """Figures of one prompt on one day; unmeasured but for these fields."""
    counts = {"prompts": 1, "topics": 1, "mentioned": 1, "answers": 4, "markets": []}
    nothing = dict.fromkeys(NowFigures.model_fields)
    days = {"first_day": date(2026, 1, 5), "as_of": date(2026, 1, 5)}
    return NowFigures(**{**nothing, **days, **counts, **fields})


def engine(name, mentioned, answers, **fields):
    days = {"first_day": date(2026, 1, 5), "as_of": date(2026, 1, 5)}
    nothing = dict.fromkeys(EngineNow.model_fields)
    counts = {"engine": name, "surface": "api", "mentioned": mentioned, "answers": answers}
    return EngineNow(**{**nothing, **days, **counts, **fields})


def standing(name, relation=None, score=50.0, *, own=False):
    nothing = dict.fromkeys(Standing.model_fields)
    fields = {"name": name, "competitor_id": None if own else uuid4(), "mentioned": 2, "of": 4}
    return Standing(**{**nothing, **fields, "relation": relation, "score": score})


@pytest.mark.parametrize(
    ("value", "low", "high", "words"),
    [
        (40.0, 5.9, 85.2, "6 to 85"),
        (50.0, 40.2, 59.8, "± 10"),
        (0.0, 0.0, 52.0, "0 to 52"),
        (0.0, 0.0, 0.8, "0 to 1"),
        (50.0, 40.0, 60.9, "± 11"),
        (50.0, 40.0, 61.0, "± 11"),
        (50.0, 39.0, 60.0, "± 11"),
        (50.0, 40.0, 61.5, "40 to 62"),
        (50.0, 38.5, 60.0, "38 to 60"),
    ],
)
def test_an_interval_is_written_by_its_ends_unless_its_arms_are_alike(value, low, high, words):
    assert margin_words(value, low, high) == words


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ((2026, 1, 5), (2026, 1, 5), "5 Jan 2026"),
        ((2026, 1, 5), (2026, 1, 9), "5 to 9 Jan 2026"),
        ((2026, 1, 30), (2026, 2, 1), "30 Jan to 1 Feb 2026"),
        ((2025, 12, 30), (2026, 1, 2), "30 Dec 2025 to 2 Jan 2026"),
        ((2025, 1, 30), (2026, 1, 2), "30 Jan 2025 to 2 Jan 2026"),
    ],
)
def test_a_span_of_days_names_month_and_year_once_where_they_are_the_same(first, last, words):
    assert span_words(date(*first), date(*last)) == words


@pytest.mark.parametrize(
    ("number", "word"),
    [
        *((1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (9, "9th"), (10, "10th"), (11, "11th"), (12, "12th")),
        *((13, "13th"), (20, "20th"), (21, "21st"), (22, "22nd"), (100, "100th"), (101, "101st"), (111, "111th")),
    ],
)
def test_a_number_as_a_place(number, word):
    assert ordinal(number) == word


@pytest.mark.parametrize(
    ("names", "words"),
    [(["A"], "A"), (list("ABCDE"), "A, B, C, D, E"), (list("ABCDEF"), "A, B, C, D, E and 1 more")],
)
def test_a_list_has_five_names_and_how_many_more_there_are(names, words):
    assert listed(names) == words


@pytest.mark.parametrize(
    ("names", "words"),
    [([], None), (["Zentra"], "Zentra"), (["Zentra", "Avola"], "Avola and 1 more"), (list("CBA"), "A and 2 more")],
)
def test_of_brands_tied_for_the_most_mentions_the_first_is_named(names, words):
    assert tied_words(names) == words


def test_an_engine_has_the_name_that_people_know_or_its_own():
    assert [engine_name(name) for name in ("google_ai_mode", "local-search")] == ["Google AI Mode", "local-search"]


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"topics": 8}, (10.0, 60.0, "on prompts like these")),
        ({"topics": 7}, (20.0, 40.0, "on these prompts")),
        ({"topics": 8, "low": None, "high": None}, (20.0, 40.0, "on these prompts")),
        ({"topics": 8, "low": None, "high": None, "panel_low": None, "panel_high": None}, None),
        ({"topics": 7, "panel_low": None, "panel_high": None}, None),
    ],
)
def test_the_interval_over_topics_is_shown_from_eight_topics_on(fields, shown):
    intervals = {"low": 10.0, "high": 60.0, "panel_low": 20.0, "panel_high": 40.0}
    assert shown_interval(now(**{**intervals, **fields})) == shown


@pytest.mark.parametrize("figures", [None, now()])
def test_a_brand_without_a_score_is_not_measured(figures):
    assert score_words("Kryton", figures, []) == "Kryton is not measured: no answer counts for it yet."


def test_a_score_of_several_engines_is_called_a_mean():
    figures = now(score=25.0, panel_low=10.0, panel_high=60.0, answers=8)
    both = [engine("chatgpt", 2, 4), engine("gemini", 0, 4)]
    assert score_words("Kryton", figures, both) == (
        "Kryton is named in 25 % of answers (95 % interval 10 to 60 %, on these prompts), the mean over 2 engines. "
        "Base: 8 answers to 1 prompt on 1 topic, 5 Jan 2026: ChatGPT 2 of 4, Gemini 0 of 4."
    )


def test_an_engine_with_answers_that_were_not_shown_says_for_how_many_prompts_one_was():
    shown = Shown(prompts=4, asked=10, rate=40.0, low=None, high=None, panel_low=20.0, panel_high=64.4)
    words = base_words(now(prompts=4, answers=4), [engine("google_ai_overview", 2, 4, shown=shown)])
    assert words.endswith("Google AI Overviews 2 of 4 (shown for 4 of 10 prompts)")
    assert shown_rate_words(shown) == "40 % of the time, 20 to 64"
    assert shown_rate_words(shown.model_copy(update={"panel_low": None})) == ""


def test_several_markets_are_pooled_by_name():
    words = base_words(now(markets=["de-AT", "en-US"]), [engine("chatgpt", 2, 4)])
    assert words.endswith("; all markets together: Austria (German), United States (English)")
    assert "together" not in base_words(now(markets=["de-AT"]), [engine("chatgpt", 2, 4)])


@pytest.mark.parametrize(
    ("market", "language", "name"),
    [
        ("de-AT", "en", "Austria (German)"),
        ("de-AT", "de", "Österreich (Deutsch)"),
        ("und-CH", "en", "Switzerland"),
        ("zh-Hant-TW", "en", "Taiwan (Chinese)"),
        ("de", "en", "German"),
        ("und-UK", "en", "UK"),
        ("", "en", "market not known"),
    ],
)
def test_a_market_has_a_name(market, language, name):
    with override(language):
        assert market_name(market) == name


def test_a_score_of_one_engine_is_no_mean():
    words = score_words("Kryton", now(score=50.0), [engine("chatgpt", 2, 4)])
    assert words.startswith("Kryton is named in 50 % of answers. Base: 4 answers to 1 prompt on 1 topic")


def test_a_base_counts_its_prompts_and_topics():
    words = base_words(now(prompts=3, topics=2), [engine("chatgpt", 2, 4)])
    assert words == "4 answers to 3 prompts on 2 topics, 5 Jan 2026: ChatGPT 2 of 4"


def test_competitors_are_named_by_how_they_do_the_ones_ahead_first():
    all_of_them = [
        standing("Kryton", own=True),
        standing("Zentra", "too_close"),
        standing("Avola", "level"),
        standing("Oblinx", "behind"),
        standing("Varmio", "ahead"),
        standing("Quen", "ahead"),
    ]
    assert standing_words("Kryton", all_of_them) == (
        "Kryton is behind Varmio (2 of 4), Quen (2 of 4); ahead of Oblinx (2 of 4); level with Avola (2 of 4). "
        "Too close to call: Zentra (2 of 4)."
    )


@pytest.mark.parametrize("competitors", [[], [standing("Avola", score=None)]])
def test_without_a_counted_competitor_there_is_no_sentence_and_no_place(competitors):
    standings = [standing("Kryton", own=True), *competitors]
    assert (standing_words("Kryton", standings), place_words(standings)) == ("", None)


@pytest.mark.parametrize(
    ("relations", "place"),
    [
        (["ahead", "behind"], "2nd of 3"),
        (["too_close", "behind"], "1st to 2nd of 3"),
        (["ahead", "ahead", "level"], "3rd to 4th of 4"),
        (["behind"], "1st of 2"),
    ],
)
def test_a_place_is_a_range_where_differences_are_not_significant(relations, place):
    standings = [standing("Kryton", own=True), *(standing("Other", each) for each in relations)]
    assert place_words([*standings, standing("New", score=None)]) == place


def test_a_brand_that_is_not_measured_has_no_place():
    standings = [standing("Kryton", score=None, own=True), standing("A", "ahead"), standing("B", "ahead")]
    assert place_words(standings) is None
