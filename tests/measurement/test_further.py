"""The figures beside the main ones, put together by engine and over all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.metrics.further import measure_further
from visibility.metrics.types import AnswerOutcome, CitedPages


def answer(prompt, ranks, *, engine="e", named=(), pages=None, topic=None):
    ranks = {name: place for place, name in enumerate(ranks, 1)}
    return AnswerOutcome(prompt, topic or prompt, engine, ranks, named=frozenset(named), pages=pages or CitedPages())


def cited(total, own, attached=0.0, published=0.0):
    return CitedPages(total, {"b": own}, {"b": attached}, {"b": published})


def test_citation_and_impression_shares_by_hand():
    outcomes = [
        answer("p", "b", pages=cited(4, 2, 0.5, 0.4)),
        answer("p", "", pages=cited(2, 0)),
        answer("q", "", pages=cited(4, 1, 0.1, 0.2)),
        answer("q", "", engine="f"),
    ]
    found = measure_further(outcomes, ["b"])["b"]
    e, f = found.by_engine["e"], found.by_engine["f"]
    assert (e.citation_share, e.own_citations, e.citations) == (30.0, 3, 10)
    # A prompt's mean first: (0.5 + 0) / 2 for p, 0.1 for q.
    assert e.impression.value == pytest.approx(17.5)
    assert e.impression_published.value == pytest.approx(20)
    assert e.impression.interval == e.impression_published.interval == "questions"
    more = [*outcomes, *(answer(name, "", pages=cited(3, 1, 0.3, 0.3)) for name in "rs")]
    wide = measure_further(more, ["b"])["b"].by_engine["e"].impression
    assert 0 < wide.low < wide.value < wide.high < 100
    assert (f.citation_share, f.impression.value, f.impression_published.value) == (None, None, None)
    assert found.overall.citation_share == 30.0
    assert found.overall.impression.value == pytest.approx(17.5), "an engine that cites nothing has no part in it"


def test_stability_is_the_mean_of_the_engines_that_have_repeated_answers():
    outcomes = [
        *(answer("p", names) for names in ("bc", "bc", "b")),
        answer("p", "b", engine="f"),
        answer("p", "b", engine="f"),
        answer("p", "b", engine="g"),
    ]
    found = measure_further(outcomes, ["b", "c"])
    e, overall = found["b"].by_engine["e"], found["b"].overall
    assert (e.alike, e.again, e.repeated) == (pytest.approx(100 * (1 + 1 / 2 + 1 / 2) / 3), 100, 1)
    assert found["c"].by_engine["e"].again == 50
    assert overall.alike == pytest.approx((e.alike + 100) / 2)
    assert overall.repeated == 2
    assert found["b"].by_engine["g"].alike is found["b"].by_engine["g"].again is None


def test_answers_that_tell_not_every_rank_have_no_order():
    untold = AnswerOutcome("p", "p", "e", {"b": 1, "c": None})
    found = measure_further([answer("p", "bc"), answer("p", "bc"), untold], ["b", "c"])["b"].by_engine["e"]
    assert (found.alike, found.ordered_alike, found.again) == (100, 100, 100)
    assert measure_further([answer("p", "bc"), untold], ["b", "c"])["b"].by_engine["e"].ordered_alike is None


def test_prompts_that_name_the_subject_are_left_out():
    outcomes = [
        answer("p", "b", named="b", pages=cited(2, 2, 1.0, 1.0)),
        answer("p", "b", named="b", pages=cited(2, 2, 1.0, 1.0)),
        answer("q", "c", pages=cited(2, 0)),
    ]
    found = measure_further(outcomes, ["b", "c"])
    assert (found["b"].overall.citation_share, found["b"].overall.impression.value) == (0, 0)
    assert (found["b"].overall.ranks.mentions, found["b"].overall.again) == (0, None)
    assert found["c"].overall.citations == 6
    assert found["c"].overall.alike is None, "for stability prompts that name anybody are left out"


def test_no_answers_no_figures():
    assert measure_further([], ["b"])["b"].by_engine == {}
    assert measure_further([], ["b"])["b"].overall.citation_share is None


OUTCOMES = st.lists(
    st.builds(
        answer,
        st.sampled_from("pqrst"),
        st.sampled_from(["", "b", "c", "bc", "cb"]),
        engine=st.sampled_from("ef"),
        named=st.sampled_from(["", "b"]),
        topic=st.sampled_from("tuvwx"),
        pages=st.builds(cited, st.integers(1, 5), st.integers(0, 1), st.floats(0, 1), st.floats(0, 1)),
    ),
    max_size=12,
)


@given(OUTCOMES, st.randoms(use_true_random=False))
def test_figures_are_percent_whatever_the_order(outcomes, random):
    found = measure_further(outcomes, ["b", "c"])
    assert found == measure_further(random.sample(outcomes, len(outcomes)), ["c", "b"])
    for figures in (found["b"].overall, *found["b"].by_engine.values()):
        for value in (figures.citation_share, figures.alike, figures.ordered_alike, figures.again):
            assert value is None or 0 <= value <= 100 + 1e-9
        for figure in (figures.impression, figures.impression_published):
            assert figure.value is None or 0 <= figure.value <= 100 + 1e-9
            assert figure.low is None or -1e-9 <= figure.low <= figure.value + 1e-9 <= figure.high + 2e-9
