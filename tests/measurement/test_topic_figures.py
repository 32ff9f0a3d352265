"""The figures of topics from the counts of a day are those of their answers."""

import warnings
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.metrics.measure import measure
from visibility.metrics.pairs import count_day
from visibility.metrics.topics import measure_topics
from visibility.metrics.types import AnswerOutcome

SUBJECTS = ["", "rival", "other"]
PROMPTS = {"a1": "a", "a2": "a", "a3": "a", "b1": "b", "c1": "c", "c2": "c"}
subjects = st.frozensets(st.sampled_from(SUBJECTS))


@st.composite
def outcomes(draw):
    named = {prompt: draw(st.frozensets(st.sampled_from(SUBJECTS), max_size=1)) for prompt in PROMPTS}
    answers = st.tuples(st.sampled_from(sorted(PROMPTS)), st.sampled_from(["x", "y", "z"]), subjects)
    return [
        AnswerOutcome(prompt, PROMPTS[prompt], engine, dict.fromkeys(mentioned), named=named[prompt])
        for prompt, engine, mentioned in draw(st.lists(answers, min_size=1, max_size=60))
    ]


def counted(answers, averaged):
    return measure_topics(count_day(date(2026, 3, 10), answers, SUBJECTS, averaged))


@given(outcomes())
def test_a_topic_has_the_score_and_the_panel_interval_that_its_answers_have(answers):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        by_topic = counted(answers, {"x", "y"})
    for topic, figures in by_topic.items():
        ours = [row for row in answers if row.topic == topic]
        of_mean = measure([row for row in ours if row.engine in ("x", "y")] or ours[:0], SUBJECTS)
        for subject in SUBJECTS:
            unnamed = [row for row in ours if subject not in row.named]
            assert figures[subject].answers == len(unnamed)
            assert figures[subject].named == sum(subject in row.ranks for row in unnamed)
            assert figures[subject].prompts == len({row.prompt for row in unnamed})
            expected = of_mean[subject].overall.panel
            got = figures[subject].score
            assert got.reason == expected.reason
            for name in ("value", "low", "high"):
                assert getattr(got, name) == pytest.approx(getattr(expected, name), abs=1e-9)


@given(outcomes())
def test_the_counts_of_engines_add_up(answers):
    for topic, figures in counted(answers, {"x"}).items():
        for engine, naming in figures[""].engines.items():
            rows = [row for row in answers if (row.topic, row.engine) == (topic, engine) and "" not in row.named]
            assert (naming.named, naming.answers) == (sum("" in row.ranks for row in rows), len(rows))


def test_topics_stay_in_the_order_of_their_prompts_whatever_their_sizes():
    answers = [AnswerOutcome(prompt, PROMPTS[prompt], "x", {}) for prompt in PROMPTS]
    assert list(counted(answers, {"x"})) == ["a", "b", "c"]
