"""The figures of a day."""

import warnings
from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.metrics.panels import BRAND, RIVAL, Answer, panel, ruled, tally
from tests.metrics.strategies import answers
from visibility.metrics import Figure, Row, compare, count, decompose, find_relations, measure, measure_scores, prove
from visibility.metrics.intervals import modified_wilson

PROPERTY = settings(max_examples=60, deadline=None)


def figures(rows, subject=BRAND):
    return measure(tally(rows))[subject].overall


def values(overall):
    return [
        figure.value for figure in (overall.score, overall.share_of_voice, overall.prominence, overall.citation_rate)
    ]


def same(first, second):
    return all(
        (a is None) == (b is None) and (a is None or a == pytest.approx(b, abs=1e-9))
        for a, b in zip(first, second, strict=True)
    )


@settings(max_examples=150, deadline=None)
@given(answers(), answers())
def test_no_panel_breaks_a_figure_or_leaves_0_to_100(rows, others):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        days = tally(rows), tally(others)
        for change in compare(*days):
            assert change.low is None or -100 <= change.low <= change.delta <= change.high <= 100
        decompose([days[0]], [days[1]])
        prove([days[0]], [days[1]], "t0")
        find_relations(days[0])
        measured, short = measure(days[0]), measure_scores(days[0])
    for key, subject in measured.items():
        overall, headline = subject.overall, short[key]
        assert (headline.score, headline.share_of_voice) == (overall.score, overall.share_of_voice.value)
        for each in (subject.overall, *subject.by_engine.values()):
            for figure in (
                each.score,
                each.share_of_voice,
                each.prominence,
                each.citation_rate,
                each.recommended_rate,
            ):
                intervals = [interval for interval in (figure.topic, figure.panel) if interval]
                assert figure.value is not None or not intervals
                assert all(-1e-9 <= i.low <= figure.value + 1e-9 <= i.high + 2e-9 <= 100 + 3e-9 for i in intervals)


@PROPERTY
@given(answers())
def test_names_and_order_of_topics_prompts_and_answers_change_nothing(rows):
    renamed = [replace(row, topic=f"z{row.topic[::-1]}", prompt=f"a{row.prompt[::-1]}") for row in reversed(rows)]
    first, second = (measure(tally(each)) for each in (rows, renamed))
    for subject in (BRAND, RIVAL):
        ours, theirs = first[subject].overall, second[subject].overall
        assert same(values(ours), values(theirs))
        for name in ("score", "share_of_voice", "prominence", "citation_rate"):
            for kind in ("topic", "panel"):
                ends = [getattr(getattr(each, name), kind) for each in (ours, theirs)]
                assert (ends[0] is None) == (ends[1] is None)
                assert ends[0] is None or same((ends[0].low, ends[0].high), (ends[1].low, ends[1].high))


@PROPERTY
@given(answers(engines=1))
def test_an_engine_that_equals_another_changes_no_value(rows):
    twins = [*rows, *(replace(row, engine="twin") for row in rows)]
    for subject in (BRAND, RIVAL):
        assert same(values(figures(rows, subject)), values(figures(twins, subject)))


@PROPERTY
@given(answers())
def test_shares_of_voice_sum_to_a_hundred(rows):
    shares = [figures(rows, subject).share_of_voice.value for subject in (BRAND, RIVAL)]
    assert shares == [None, None] or sum(shares) == pytest.approx(100)


def one(engine, prompt, *mentions, topic="t", named=(), cited=()):
    """One answer for each of `mentions`: the ranks of who it mentions."""
    return [Answer(engine, prompt, topic, ranks, frozenset(cited), frozenset(named)) for ranks in mentions]


def test_each_prompt_counts_alike_and_each_engine_does():
    rows = one("a", "p", {BRAND: 1}, {}, {}, {}) + one("a", "q", {BRAND: 1}) + one("b", "p", {})
    overall = figures(rows)
    assert overall.score.value == pytest.approx(100 * ((1 / 4 + 1) / 2 + 0) / 2)
    assert (overall.prompts, overall.topics, overall.answers, overall.mentioned) == (2, 1, 6, 2)


def test_engines_that_are_not_averaged_are_measured_beside():
    counts = tally(one("a", "p", {BRAND: 1}) + one("b", "p", {}), averaged=["a"])
    measured = measure(counts)[BRAND]
    assert (measured.overall.score.value, measured.by_engine["b"].score.value) == (100, 0)


def test_what_was_not_measured_is_none_and_not_zero():
    only_named = figures(one("a", "p", {BRAND: 1}, named=[BRAND]))
    assert only_named.score == only_named.prominence == only_named.citation_rate == Figure(None)
    assert figures(one("a", "p", {}, {})).share_of_voice.value is None
    assert figures(one("a", "p", {}, {})).prominence.value == 0
    assert measure(tally(one("a", "p", {BRAND: 1}), [BRAND]))[BRAND].overall.share_of_voice.value is None


def test_a_prompt_that_names_a_rival_counts_for_the_score_and_not_for_share_of_voice():
    rows = one("a", "p", {BRAND: 1}, {BRAND: 1}, named=[RIVAL]) + one("a", "q", {RIVAL: 1}, {})
    assert figures(rows).score.value == 50
    assert figures(rows).share_of_voice.value == 0
    assert figures(rows, RIVAL).score.value == 50


def test_a_rival_without_a_row_was_not_mentioned():
    brand = [Row("a", f"p{number}", f"t{number}", BRAND, answers=3, mentioned=2, comentions=2) for number in range(5)]
    rival = Row("a", "p0", "t0", RIVAL, answers=3, mentioned=3, comentions=3)
    assert measure(count([*brand, rival], [BRAND, RIVAL]))[RIVAL].overall.score.value == 20


def test_prominence_is_unmeasured_where_no_mention_has_a_place():
    rows = one("a", "p", {BRAND: None}, {}, {})
    assert figures(rows).prominence.value is None


def test_an_engine_that_never_ranks_borrows_what_places_are_worth_elsewhere():
    rows = one("a", "p", {BRAND: 3}, {}) + one("b", "p", {BRAND: None}, {BRAND: None})
    assert figures(rows).prominence.value == pytest.approx(100 * (0.5 * 0.5 + 1 * 0.5) / 2)


def test_prominence_is_the_mean_worth_of_the_places():
    assert figures(one("a", "p", {BRAND: 1}, {BRAND: 3})).prominence.value == pytest.approx(75)


def test_below_four_topics_nothing_is_said_of_prompts_like_these():
    few, enough = (measure(ruled(topics, 2, 2, 3))[BRAND].overall.score for topics in (3, 4))
    assert few.topic is None and few.panel
    assert enough.topic and enough.panel


def test_a_single_topic_has_figures_of_its_own():
    one_topic = measure(ruled(1, 2, 2, 3))[BRAND].overall
    assert (one_topic.prompts, one_topic.topics, one_topic.answers) == (2, 1, 12)
    assert one_topic.score.topic is None and one_topic.score.panel


def test_prompts_that_were_asked_once_tell_nothing_of_chance():
    score = measure(ruled(8, 2, 1, 1))[BRAND].overall.score
    assert score.panel is None and score.topic
    few = measure(ruled(3, 2, 1, 1))[BRAND].overall.score
    assert few.panel is None and few.topic is None


@PROPERTY
@given(answers())
def test_the_topic_interval_contains_the_panel_interval(rows):
    for subject in measure(tally(rows)).values():
        score = subject.overall.score
        if score.topic and score.panel:
            assert score.topic.low <= score.panel.low and score.panel.high <= score.topic.high


def test_a_day_has_luck_of_its_own_however_many_answers_it_has():
    """A thousand answers to each prompt tell this day's score to half a point, and not that of other days."""
    score = measure(panel({f"t{number}": [500] for number in range(10)}, 1000))[BRAND].overall.score
    assert 6 < score.panel.high - 50 < 8


def test_answers_that_repeat_each_other_narrow_nothing():
    """The tenth sample of a prompt that always answers alike is no tenth question."""
    few, many = (
        measure(panel({f"t{number}": [samples * (number % 3 == 0)] for number in range(12)}, samples))[BRAND]
        for samples in (1, 10)
    )
    wide, narrow = (each.overall.score.topic for each in (few, many))
    assert narrow.high - narrow.low > 0.9 * (wide.high - wide.low)


def test_three_mentions_are_three_in_whatever_order_they_were_summed():
    """The Poisson limit ends at three mentions; a last bit more would narrow the interval at a stroke."""
    assert modified_wilson(0.06 * (1 + 1e-15), 50) == pytest.approx(modified_wilson(0.06 * (1 - 1e-15), 50))
    assert modified_wilson(3 / 50, 50)[0] < 0.0164 < 0.02 < modified_wilson(3.01 / 50, 50)[0]


def test_a_brand_that_is_hardly_ever_mentioned_does_not_look_certain():
    rare = measure(panel({f"t{number}": [int(number == 0), 0, 0, 0] for number in range(10)}, 3))[BRAND].overall.score
    assert rare.topic.high > 15  # 40 independent prompts of three answers would end at 4.6
    never = measure(panel({f"t{number}": [0] for number in range(10)}, 3))[BRAND].overall.score
    assert (never.value, never.topic.low) == (0, 0) and never.topic.high > 20
