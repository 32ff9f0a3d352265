"""Figures worked out by hand."""

import json
from math import log2

import pytest

from visibility.metrics.cells import gather
from visibility.metrics.correlation import Correlation, cautious, correlation, pooled, sums_of_squares
from visibility.metrics.intervals import design_size, panel_interval, topic_interval, wilson
from visibility.metrics.measure import measure
from visibility.metrics.table import tabulate
from visibility.metrics.types import UNMEASURED, AnswerOutcome


def answers(engine, prompt, topic, *mentions, named=(), cited=()):
    """One answer for each string of `mentions`: the subjects by rank, "b" the brand and "r" a rival."""
    return [
        AnswerOutcome(prompt, topic, engine, ranked(each), frozenset(cited), frozenset(named)) for each in mentions
    ]


def ranked(said):
    return {subject: rank for rank, subject in enumerate(said, 1)}


def cells_of(outcomes, subject="b"):
    table = tabulate(outcomes, [subject])
    return gather(table, table.mentioned[:, 0], ~table.named[:, 0])


def test_the_score_is_the_mean_over_prompts_of_their_means():
    day = measure(answers("e", "p", "t", "b", "", "", "") + answers("e", "q", "u", "b", "b"), ["b"])["b"]
    assert day.overall.score.value == pytest.approx(100 * (1 / 4 + 1) / 2)
    assert (day.overall.prompts, day.overall.topics, day.overall.answers) == (2, 2, 6)
    assert day.by_engine["e"] == day.overall


def test_over_engines_it_is_their_mean_whatever_each_was_asked():
    outcomes = (
        answers("e", "p", "t", "b", "b") + answers("e", "q", "u", "", "") + answers("f", "p", "t", "b", "", "", "")
    )
    day = measure(outcomes, ["b"])["b"]
    assert day.by_engine["e"].score.value == 50
    assert day.by_engine["f"].score.value == 25
    assert day.overall.score.value == 37.5
    assert (day.overall.prompts, day.overall.answers) == (2, 8)


def test_a_prompt_that_names_a_subject_counts_not_for_it():
    outcomes = answers("e", "p", "t", "br", "br", named="b", cited="br") + answers("e", "q", "u", "r", "b")
    days = measure(outcomes, ["b", "r"])
    assert days["b"].overall.score.value == 50
    assert days["b"].overall.citation_rate.value == 0
    assert days["b"].overall.prominence.value == pytest.approx(50)
    assert (days["b"].overall.prompts, days["b"].overall.answers) == (1, 2)
    assert days["r"].overall.score.value == 75
    assert days["r"].overall.citation_rate.value == 50
    assert days["r"].overall.share_of_voice.value == 50


def test_an_engine_with_branded_prompts_only_is_unmeasured():
    outcomes = answers("e", "p", "t", "b", named="b") + answers("f", "q", "u", "")
    day = measure(outcomes, ["b"])["b"]
    assert day.by_engine["e"].score == UNMEASURED and day.by_engine["e"].answers == 0
    assert day.overall.score.value == 0


def test_share_of_voice():
    outcomes = (
        answers("e", "p", "t", "br", "b", "r", "")
        + answers("e", "q", "u", "r", "b", "", "")
        + answers("f", "p", "t", "r", "", "", "")
    )
    days = measure(outcomes, ["b", "r"])
    assert days["b"].by_engine["e"].share_of_voice.value == 50
    assert days["b"].by_engine["f"].share_of_voice.value == 0
    assert days["b"].overall.share_of_voice.value == 25
    assert days["r"].overall.share_of_voice.value == 75


def test_share_of_voice_is_unmeasured_without_rivals_or_mentions():
    assert measure(answers("e", "p", "t", "b"), ["b"])["b"].overall.share_of_voice == UNMEASURED
    assert measure(answers("e", "p", "t", ""), ["b", "r"])["b"].overall.share_of_voice == UNMEASURED
    named = answers("e", "p", "t", "b", named="r")
    assert measure(named, ["b", "r"])["b"].overall.share_of_voice == UNMEASURED
    silent = measure(answers("e", "p", "t", "b") + answers("f", "p", "t", ""), ["b", "r"])["b"]
    assert silent.by_engine["f"].share_of_voice == UNMEASURED
    assert silent.overall.share_of_voice.value == 100


def test_prominence_is_a_mean_over_answers():
    day = measure(answers("e", "p", "t", "b", "rb", "rxb") + answers("e", "q", "u", ""), ["b"])["b"]
    assert day.overall.prominence.value == pytest.approx(100 * (1 + 1 / log2(3) + 1 / 2) / 4)


def test_an_answer_that_tells_no_rank_counts_for_all_but_prominence():
    told = answers("e", "p", "t", "b", "rb") + answers("e", "q", "u", "", "b")
    untold = [AnswerOutcome("p", "t", "e", {"b": None, "r": None}), AnswerOutcome("s", "v", "e", {"b": None})]
    day = measure(told + untold, ["b"])["b"].overall
    assert day.prominence.value == pytest.approx(measure(told, ["b"])["b"].overall.prominence.value)
    assert day.score.value == pytest.approx(100 * (1 + 1 / 2 + 1) / 3)
    assert (day.prompts, day.answers) == (3, 6)
    assert measure(untold, ["b"])["b"].overall.prominence == UNMEASURED


def test_nothing_asked_is_unmeasured():
    day = measure([], ["b", "r"])["b"]
    assert day.by_engine == {}
    assert day.overall.score == day.overall.panel == day.overall.share_of_voice == UNMEASURED


def test_a_subject_given_twice_is_refused():
    with pytest.raises(ValueError, match="differ"):
        measure([], ["b", "b"])


def test_one_topic_has_no_topic_interval():
    day = measure(answers("e", "p", "t", "b", "") + answers("e", "q", "t", "b", ""), ["b", "r"])["b"].overall
    assert day.score.value == 50 and day.score.low is None and day.score.high is None
    assert day.prominence.low is None and day.share_of_voice.low is None
    assert day.panel.low is not None


def test_a_prompt_asked_once_has_no_panel_interval():
    day = measure(answers("e", "p", "t", "b", "b") + answers("e", "q", "u", ""), ["b"])["b"].overall
    assert day.panel.value == 50 and day.panel.low is None and day.panel.high is None
    assert day.score.low is not None


def test_the_panel_interval_of_equal_answers_is_that_of_all_answers():
    low, high = panel_interval(cells_of(answers("e", "p", "t", "b", "b") + answers("e", "q", "u", "", "")))
    assert (low, high) == wilson(2, 4)


def test_the_panel_interval_counts_at_least_the_answers():
    """p̂ = 1/2, V = 2 · (1/4)/(3 · 4) = 1/24: 6 answers, fewer than there are."""
    cells = cells_of(answers("e", "p", "t", "b", "b", "", "") + answers("e", "q", "u", "b", "", "b", ""))
    assert panel_interval(cells) == pytest.approx(wilson(4, 8))


def test_the_panel_interval_counts_more_where_prompts_differ():
    """p̂ = 5/8, V = (1/4)/(3 · 16) = 1/192 from 3 degrees of freedom: 45 answers times (z/t)²."""
    sure = answers("e", "p", "t", *"bbbb") + answers("e", "q", "u", *"bbbb") + answers("e", "r", "v", "", "", "", "")
    cells = cells_of(sure + answers("e", "s", "w", "b", "b", "", ""))
    size = 45 * (1.959963984540054 / 3.182446305284263) ** 2
    assert size > 16
    assert panel_interval(cells) == pytest.approx(wilson(5 / 8 * size, size))


def test_the_panel_interval_of_unequal_samples_counts_the_heaviest_answer_as_one():
    """Prompts with 2 and 8 answers: an answer of the first weighs 1/4, so there are at least 4.

    p̂ = 3/8, V = (1/4)/(4 · 1) + (1/4 · 3/4)/(4 · 7) from 1 and 7 degrees of freedom: 3.4 answers, fewer than 4.
    """
    cells = cells_of(answers("e", "p", "t", "b", "") + answers("e", "q", "u", "b", "b", *[""] * 6))
    assert panel_interval(cells) == pytest.approx(wilson(4 * 3 / 8, 4))


def test_the_variance_between_topics_by_hand():
    """Means 1, 1/2, 0 with topics {p, q}, {r}: p̂ = 1/2, deviations (1/2 + 0)/3 and -1/6: V = 2/1 · 2/36."""
    cells = cells_of(answers("e", "p", "t", "b") + answers("e", "q", "t", "b", "") + answers("e", "r", "u", ""))
    assert cells.value == 0.5
    assert cells.topic_variance() == pytest.approx(2 * 2 / 36)
    size = design_size(cells, 0.6, 0.2)
    by_topic, by_prompt, by_answer = 4 / 9 + 1 / 9, 3 / 9, (1 + 1 / 2 + 1) / 9
    assert 1 / size == pytest.approx(0.2 * by_topic + 0.4 * by_prompt + 0.4 * by_answer)
    effective = min(size, 0.25 / (4 / 36)) * (1.959963984540054 / 12.706204736432095) ** 2
    assert topic_interval(cells, 0.6, 0.2) == pytest.approx(wilson(0.5 * effective, effective))


def test_design_size_of_several_engines():
    """Two engines with 2 and 4 answers to one prompt: 1/n = ρ + (1 - ρ)(1/2 · 1/2 · 1/2 + 1/2 · 1/2 · 1/4)."""
    cells = cells_of(answers("e", "p", "t", "b", "") + answers("f", "p", "t", "b", "", "", ""))
    assert 1 / design_size(cells, 0.5, 0.5) == pytest.approx(0.5 + 0.5 * (1 / 8 + 1 / 16))


def test_correlations_of_a_balanced_design_by_hand():
    """Two topics of two prompts with two answers, means 1, 1/2 and 1/2, 0: SS = 1 (answers), 1/2 (prompts, topics).

    σ²_a = 1/4, σ²_p = (1/4 - 1/4)/2 = 0, σ²_t = (1/2 - 1/4)/4 = 1/16: ρ = ρ_T = 1/5.
    """
    outcomes = (
        answers("e", "p", "t", "b", "b")
        + answers("e", "q", "t", "b", "")
        + answers("e", "r", "u", "b", "")
        + answers("e", "s", "u", "", "")
    )
    sums = sums_of_squares(cells_of(outcomes))
    assert (sums.answers, sums.prompts, sums.topics) == pytest.approx((1, 0.5, 0.5))
    assert correlation(sums) == Correlation(pytest.approx(0.2), pytest.approx(0.2))
    assert correlation(pooled([sums, None, sums])) == Correlation(pytest.approx(0.2), pytest.approx(0.2))


def test_correlations_that_the_design_cannot_tell():
    alike = sums_of_squares(cells_of(answers("e", "p", "t", "b", "b") + answers("e", "q", "u", "b")))
    assert alike is None and correlation(None) == Correlation(None, None) == correlation(pooled([None]))
    one_topic = sums_of_squares(cells_of(answers("e", "p", "t", "b", "b") + answers("e", "q", "t", "", "")))
    assert correlation(one_topic) == Correlation(None, None)
    own_topics = correlation(
        sums_of_squares(cells_of(answers("e", "p", "t", "b", "b") + answers("e", "q", "u", "", "")))
    )
    assert own_topics == Correlation(pytest.approx(1), None)
    once = [("p", "t", "b"), ("q", "t", "b"), ("r", "u", ""), ("s", "u", "")]
    asked_once = [outcome for prompt, topic, said in once for outcome in answers("e", prompt, topic, said)]
    assert correlation(sums_of_squares(cells_of(asked_once))) == Correlation(None, pytest.approx(1))
    single = correlation(sums_of_squares(cells_of(answers("e", "p", "t", "b") + answers("e", "q", "u", ""))))
    assert single == Correlation(None, None)


def test_the_more_cautious_correlation_counts():
    nothing = Correlation(None, None)
    assert cautious(nothing, nothing) == (1, 1)
    assert cautious(Correlation(0.3, 0.1), nothing) == (0.3, 0.1)
    assert cautious(Correlation(0.3, 0.2), Correlation(0.5, 0.1)) == (0.5, 0.2)
    assert cautious(Correlation(-0.3, -0.2), Correlation(-0.1, 0.9)) == (0, 0)
    assert cautious(Correlation(0.4, None), Correlation(0.2, None)) == (0.4, 0.4)


def test_a_prompt_has_one_topic_for_all_answers():
    day = measure(answers("e", "p", "t", "b") + answers("f", "p", "s", "b") + answers("f", "q", "t", ""), ["b"])["b"]
    assert day.overall.topics == 2


def test_wilson_equals_the_reference(reference_data):
    reference = json.loads((reference_data / "stats_reference.json").read_text())
    assert len(reference["one_proportion"]) == 14
    for case in reference["one_proportion"]:
        assert wilson(case["x"], case["n"]) == pytest.approx(case["wilson"], abs=1e-9)
