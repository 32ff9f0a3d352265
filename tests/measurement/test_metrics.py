"""Figures worked out by hand."""

import json
from dataclasses import replace
from math import log2

import numpy as np
import pytest
from scipy.stats import binom

from visibility.metrics.cells import gather
from visibility.metrics.correlation import (
    Correlation,
    cautious,
    correlation,
    known_alike,
    likeness,
    pooled,
    sums_of_squares,
)
from visibility.metrics.intervals import (
    design_size,
    panel_interval,
    spread,
    student_quantile,
    topic_interval,
    wilson,
    wilson_of_effective_size,
)
from visibility.metrics.measure import measure
from visibility.metrics.table import tabulate
from visibility.metrics.types import UNMEASURED, AnswerOutcome, Estimate


def answers(engine, prompt, topic, *mentions, named=(), cited=()):
    """One answer for each string of `mentions`: the subjects by rank, "b" the brand and "r" a rival."""
    return [
        AnswerOutcome(prompt, topic, engine, ranked(each), frozenset(cited), frozenset(named)) for each in mentions
    ]


def ranked(said):
    return {subject: rank for rank, subject in enumerate(said, 1)}


def cells_of(outcomes, subject="b"):
    table = tabulate(outcomes, [subject])
    return gather(table, table.mentioned, ~table.named)


def ends(interval):
    """Of the only subject."""
    return float(interval.low[0]), float(interval.high[0])


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


def test_prominence_is_how_often_it_is_named_times_what_its_places_are_worth():
    """Five of six answers name it, three of them with the places 1, 2 and 1."""
    told = answers("e", "p", "t", "b", "rb") + answers("e", "q", "u", "", "b")
    untold = [AnswerOutcome("p", "t", "e", {"b": None, "r": None}), AnswerOutcome("s", "v", "e", {"b": None})]
    day = measure(told + untold, ["b"])["b"].overall
    worth = 2 + 1 / log2(3)
    assert day.prominence.value == pytest.approx(100 * 5 / 6 * worth / 3)
    assert (day.prominence.bounds.least, day.prominence.bounds.most) == (
        pytest.approx(100 * worth / 6), pytest.approx(100 * (worth + 2) / 6)
    )  # fmt: skip
    assert day.score.value == pytest.approx(100 * (1 + 1 / 2 + 1) / 3)
    assert (day.prompts, day.answers) == (3, 6)
    never_told = measure(untold, ["b"])["b"].overall.prominence
    assert (never_told.value, never_told.low, never_told.interval) == (None, None, None)
    assert (never_told.bounds.least, never_told.bounds.most) == (0, 100)
    assert measure(told, ["b"])["b"].overall.prominence.bounds is None, "every mention has a place"


def test_nothing_asked_is_unmeasured():
    day = measure([], ["b", "r"])["b"]
    assert day.by_engine == {}
    assert day.overall.score == day.overall.panel == day.overall.share_of_voice == UNMEASURED


def test_a_subject_given_twice_is_refused():
    with pytest.raises(ValueError, match="differ"):
        measure([], ["b", "b"])


def four_topics(said="b", also=""):
    """One prompt each, two answers each."""
    return [outcome for name in "pqrs" for outcome in answers("e", name, f"t{name}", said, also)]


def test_fewer_than_four_topics_have_the_panel_interval_and_say_so():
    three = [outcome for outcome in four_topics("br") if outcome.prompt != "s"]
    day = measure(three, ["b", "r"])["b"].overall
    assert day.score == replace(day.panel, interval="questions") and day.panel.low is not None
    for figure in (day.score, day.prominence, day.share_of_voice, day.citation_rate):
        assert figure.interval == "questions" and figure.low <= figure.value <= figure.high
    assert (day.topics, day.answers) == (3, 6)
    four = measure(four_topics("br"), ["b", "r"])["b"].overall
    for figure in (four.score, four.prominence, four.share_of_voice, four.citation_rate):
        assert figure.interval == "topics" and figure.low <= figure.value <= figure.high
    once = measure([outcome for outcome in three if outcome.ranks], ["b", "r"])["b"].overall
    for figure in (once.score, once.prominence, once.share_of_voice, once.citation_rate):
        assert (figure.interval, figure.reason, figure.low, figure.high) == (None, "asked_once", None, None)


def test_share_of_voice_counts_the_topics_that_mention_anybody():
    outcomes = four_topics("br") + answers("e", "w", "tw", "", "")
    silent = [replace(outcome, ranks={}) if outcome.prompt == "s" else outcome for outcome in outcomes]
    assert measure(outcomes, ["b", "r"])["b"].overall.share_of_voice.interval == "topics"
    assert measure(silent, ["b", "r"])["b"].overall.share_of_voice.interval == "questions"


def test_prompts_asked_once_have_no_panel_interval_and_say_so():
    day = measure(answers("e", "p", "t", "b") + answers("e", "q", "u", ""), ["b"])["b"].overall
    assert day.panel == Estimate(50, reason="asked_once")


def test_a_thin_prompt_does_not_void_the_panel_interval():
    """Within 1 and 1, pooled over 6 degrees of freedom 1/3: V = 1/9 · (2 · (1 + 1/3)/16 + 1/3) = 1/18, p̂ = 2/3."""
    sure = answers("e", "p", "t", "b", "b", "", "") + answers("e", "q", "u", "b", "b", "", "")
    cells = cells_of(sure + answers("e", "r", "v", "b"))
    freedom = (1 / 18) ** 2 / (2 * (1 / 9 / 12) ** 2 / 3 + (1 / 27) ** 2 / 6)
    size = 2 / 9 * 18 * (1.959963984540054 / student_quantile(freedom)) ** 2
    assert size > 3, "more than the least: the heaviest answer is one of three"
    assert ends(panel_interval(cells)) == pytest.approx(wilson_of_effective_size(2 / 3, size))


def test_thin_prompts_that_differ_vary_as_they_do():
    """An engine that answers each prompt once: its answers differ, though those of each prompt are all alike."""
    steady = [outcome for name in "qrs" for outcome in answers("e", name, name, *["b" if name == "q" else ""] * 20)]
    steady += answers("e", "p", "p", *["b"] * 19, "")
    thin = [outcome for name in "pqrs" for outcome in answers("f", name, name, "b" if name in "pr" else "")]
    low, high = ends(panel_interval(cells_of(steady + thin)))
    assert high - low > 0.4, "half of the figure rests on four answers"


def test_the_panel_interval_of_equal_answers_is_that_of_all_answers():
    cells = cells_of(answers("e", "p", "t", "b", "b") + answers("e", "q", "u", "", ""))
    assert ends(panel_interval(cells)) == pytest.approx(wilson_of_effective_size(2 / 4, 4))


def test_the_panel_interval_counts_at_least_the_answers():
    """p̂ = 1/2, within 1 each, pooled 2/6: V = 2 · 1/4 · (1 + 1/3)/16 = 1/24: 6 answers, fewer than there are."""
    cells = cells_of(answers("e", "p", "t", "b", "b", "", "") + answers("e", "q", "u", "b", "", "b", ""))
    assert ends(panel_interval(cells)) == pytest.approx(wilson(4, 8))


def test_the_panel_interval_counts_more_where_prompts_differ():
    """p̂ = 5/8, within 0, 0, 0 and 1, pooled 1/12: V = 1/16 · (3 · 1/12 + 13/12)/16 = 1/192, so 45 answers times
    (z/t)², with (16/12)²/((3 + 169)/144/3) degrees of freedom."""
    sure = answers("e", "p", "t", *"bbbb") + answers("e", "q", "u", *"bbbb") + answers("e", "r", "v", "", "", "", "")
    cells = cells_of(sure + answers("e", "s", "w", "b", "b", "", ""))
    size = 45 * (1.959963984540054 / student_quantile(256 * 3 / 172)) ** 2
    assert size > 16
    assert ends(panel_interval(cells)) == pytest.approx(wilson(5 / 8 * size, size))


def test_the_panel_interval_of_unequal_samples_counts_the_heaviest_answer_as_one():
    """Prompts with 2 and 8 answers: an answer of the first weighs 1/4, so there are at least 4.

    p̂ = 3/8, within 1/2 and 3/2, pooled 1/4: V = 1/4 · (3/4/4 + 7/4/64), so 4.4 answers, and fewer by Student.
    """
    cells = cells_of(answers("e", "p", "t", "b", "") + answers("e", "q", "u", "b", "b", *[""] * 6))
    assert ends(panel_interval(cells)) == pytest.approx(wilson_of_effective_size(3 / 8, 4))


SPREAD = (
    answers("e", "p", "t", "b")
    + answers("e", "q", "t", "b", "")
    + answers("e", "r", "u", "")
    + answers("e", "s", "v", "")
    + answers("e", "w", "w", "b")
)
"""Means 1, 1/2, 0, 0, 1 with topics {p, q}, {r}, {s}, {w}: p̂ = 1/2."""


def test_the_variance_between_topics_by_hand():
    """Deviations of the topics: (1/2 + 0)/5, and 1/10 with either sign: V = 4/3 · 4/100."""
    cells = cells_of(SPREAD)
    assert cells.value == 0.5
    assert cells.topic_variance() == pytest.approx(4 / 3 * 4 / 100)
    size = design_size(cells, 0.6, 0.2)
    by_topic, by_prompt, by_answer = 4 / 25 + 3 / 25, 5 / 25, (4 + 1 / 2) / 25
    assert 1 / size == pytest.approx(0.2 * by_topic + 0.4 * by_prompt + 0.4 * by_answer)
    assert size > 0.25 / (4 / 75)
    effective = 0.25 / (4 / 75) * (1.959963984540054 / 3.182446305284263) ** 2
    assert ends(topic_interval(cells, size)) == pytest.approx(wilson_of_effective_size(0.5, effective))


def test_another_subject_doubles_the_degrees_of_freedom():
    table = tabulate(SPREAD, ["b", "r"])
    cells = gather(table, table.mentioned, ~table.named)
    effective = 2.0 * (1.959963984540054 / 2.446911848791681) ** 2
    low, high = wilson_of_effective_size(0.5, effective)
    found = topic_interval(cells, np.full(2, 2.0))
    assert (found.low[0], found.high[0]) == pytest.approx((low, high))


def test_values_between_0_and_1_vary_less_than_a_rate():
    """Two prominences of 1/2 among four answers: (1/8 - 1/16)/(1/4 · 3/4) = 1/3, and 4 of 4 + 2 parts of 1."""
    outcomes = [AnswerOutcome(name, name, "e", {"b": 3} if name in "pq" else {}) for name in "pqrs"]
    table = tabulate(outcomes, ["b"])
    cells = gather(table, table.prominence, ~table.named)
    assert spread(cells, np.full(1, 4.0)) == pytest.approx((2 / 3 + 4) / (2 + 4))
    rate = gather(table, table.mentioned, ~table.named)
    assert spread(rate, np.full(1, 4.0)) == pytest.approx(1)
    assert spread(gather(table, table.cited, ~table.named), np.full(1, 4.0)) == 1, "nothing seen, nothing assumed"


def test_design_size_of_several_engines():
    """Two engines with 2 and 4 answers to one prompt: 1/n = ρ + (1 - ρ)(1/2 · 1/2 · 1/2 + 1/2 · 1/2 · 1/4)."""
    cells = cells_of(answers("e", "p", "t", "b", "") + answers("f", "p", "t", "b", "", "", ""))
    assert 1 / design_size(cells, 0.5, 0.5) == pytest.approx(0.5 + 0.5 * (1 / 8 + 1 / 16))


def test_an_interval_near_0_and_1_has_no_dips():
    """Of 50 answers at a rate of 2 % Wilson's holds it in 92.2 %: it leaves out three mentions."""
    numbers = np.arange(51)
    chance = binom.pmf(numbers, 50, 0.02)
    for ends_of, floor in ((wilson(numbers, 50.0), 0.92), (wilson_of_effective_size(numbers / 50, 50.0), 0.97)):
        held = chance[(ends_of[0] <= 0.02) & (ends_of[1] >= 0.02)].sum()
        assert floor < held < floor + 0.02
    low, high = wilson_of_effective_size(numbers / 50, 49.5)
    assert low == pytest.approx(1 - high[::-1])


def of_subject(sums):
    """ρ and ρ_T of the only subject."""
    found = correlation(sums)
    return float(found.prompt[0]), float(found.topic[0])


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
    assert (sums.answers[0], sums.prompts[0], sums.topics[0]) == pytest.approx((1, 0.5, 0.5))
    assert of_subject(sums) == pytest.approx((0.2, 0.2))
    table = tabulate([replace(outcome, ranks={**outcome.ranks, "r": 9}) for outcome in outcomes], ["b", "r", "s"])
    several = sums_of_squares(gather(table, table.mentioned, ~table.named))
    assert of_subject(pooled(several)) == pytest.approx((0.2, 0.2)), "subjects that do not vary tell nothing"


def test_correlations_that_the_design_cannot_tell():
    unknown = pytest.approx((np.nan, np.nan), nan_ok=True)
    alike = sums_of_squares(cells_of(answers("e", "p", "t", "b", "b") + answers("e", "q", "u", "b")))
    assert of_subject(alike) == unknown == of_subject(pooled(alike))
    one_topic = sums_of_squares(cells_of(answers("e", "p", "t", "b", "b") + answers("e", "q", "t", "", "")))
    assert of_subject(one_topic) == unknown
    own_topics = sums_of_squares(cells_of(answers("e", "p", "t", "b", "b") + answers("e", "q", "u", "", "")))
    assert of_subject(own_topics) == pytest.approx((1, np.nan), nan_ok=True)
    once = [("p", "t", "b"), ("q", "t", "b"), ("r", "u", ""), ("s", "u", "")]
    asked_once = [outcome for prompt, topic, said in once for outcome in answers("e", prompt, topic, said)]
    assert of_subject(sums_of_squares(cells_of(asked_once))) == pytest.approx((np.nan, 1), nan_ok=True)
    assert of_subject(sums_of_squares(cells_of(answers("e", "p", "t", "b") + answers("e", "q", "u", "")))) == unknown


def test_the_more_cautious_correlation_counts():
    def more_cautious(own, shared):
        return tuple(map(float, cautious(Correlation(*own), Correlation(*shared))))

    nothing = (np.nan, np.nan)
    assert more_cautious(nothing, nothing) == (1, 1)
    assert more_cautious((0.3, 0.1), nothing) == (0.3, 0.1)
    assert more_cautious((0.3, 0.2), (0.5, 0.1)) == (0.5, 0.2)
    assert more_cautious((-0.3, -0.2), (-0.1, 0.9)) == (0, 0)
    assert more_cautious((0.4, np.nan), (0.2, np.nan)) == (0.4, 0.4)


def test_what_rivals_show_of_the_likeness_counts_for_a_brand_that_shows_none():
    """The brand is named in one of eight answers, a rival in both of two prompts and never else."""
    outcomes = [replace(outcome, ranks={"r": 1} if outcome.prompt in "pq" else {}) for outcome in four_topics()]
    outcomes[-1] = replace(outcomes[-1], ranks={"b": 1})
    table = tabulate(outcomes, ["b", "r"])
    cells = gather(table, table.mentioned, ~table.named)
    own, shared = correlation(sums_of_squares(cells)), correlation(pooled(sums_of_squares(cells)))
    assert own.prompt[0] <= 0 < 0.5 < shared.prompt[0] < own.prompt[1]
    assert known_alike(cells)[0] == pytest.approx((shared.prompt[0], 1))


def test_a_brand_that_is_hardly_mentioned_is_not_believed_to_be_unlike():
    """One mention among 4 topics of 2 answers tells nothing: m = 4 · 4 · 1/8 · 7/8 = 1.75, below 2."""
    outcomes = four_topics("", "")
    outcomes[0] = replace(outcomes[0], ranks={"b": 1})
    assert [float(part[0]) for part in known_alike(cells_of(outcomes))] == [0, 0]
    assert [float(part[0]) for part in likeness(cells_of(outcomes))] == [1, 1]
    rival = [replace(outcome, ranks={**outcome.ranks, "r": 9}) for outcome in outcomes[::2]] + outcomes[1::2]
    table = tabulate(rival, ["b", "r"])
    cells = gather(table, table.mentioned, ~table.named)
    # Half of the answers mention the rival, which adds m = 4 · 4 · 1/4.
    assert likeness(cells)[0] == pytest.approx(np.full(2, (2 / 5.75) ** 2))


def test_a_prompt_has_one_topic_for_all_answers():
    day = measure(answers("e", "p", "t", "b") + answers("f", "p", "s", "b") + answers("f", "q", "t", ""), ["b"])["b"]
    assert day.overall.topics == 2


def test_wilson_equals_the_reference(reference_data):
    reference = json.loads((reference_data / "stats_reference.json").read_text())
    assert len(reference["one_proportion"]) == 14
    for case in reference["one_proportion"]:
        assert wilson(case["x"], case["n"]) == pytest.approx(case["wilson"], abs=1e-9)
