"""Verdicts worked out by hand, and what no data can make of them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, ttest_1samp, ttest_rel

from tests.measurement.test_metrics import answers
from visibility.metrics.change import Metric, compare, family_contrast, own_figures
from visibility.metrics.contrasts import rate_contrast, voice_contrast
from visibility.metrics.pairs import pair_days
from visibility.metrics.verdicts import Verdict, benjamini_hochberg, judge


def day(engine, *prompts, topics=None, cited=()):
    """One string of mentions for each prompt, spaces between its samples; each prompt a topic unless told."""
    outcomes = []
    for number, each in enumerate(prompts):
        topic = f"t{topics[number] if topics else number}"
        outcomes += answers(engine, f"p{number}", topic, *(said.strip("-") for said in each.split(" ")), cited=cited)
    return outcomes


def changes(before, now, subjects=("b",), averaged=("e",)):
    pair = pair_days(before, now, subjects, averaged)
    return {(each.subject, each.engine, each.metric): each for each in compare(pair)} if pair else {}


def score(before, now, **more):
    return changes(before, now, **more)["b", None, Metric.SCORE]


def test_one_prompt_a_topic_is_the_paired_t_test():
    before = ["b", "-", "b -", "b", "-", "-", "b", "-", "- -", "- b -", "-", "b"]
    now = ["b", "b", "b", "b", "b", "-", "b b", "b -", "b", "b", "-", "b"]
    change = score(day("e", *before), day("e", *now))
    first, second = ([np.mean([said == "b" for said in each.split(" ")]) for each in days] for days in (before, now))
    reference = ttest_rel(second, first)
    interval = reference.confidence_interval()
    assert change.delta == pytest.approx(100 * np.mean(np.subtract(second, first)))
    assert change.p == pytest.approx(reference.pvalue)
    assert (change.low, change.high) == pytest.approx((100 * interval.low, 100 * interval.high))


def test_topics_of_one_size_are_the_units():
    """Twelve prompts in four topics: the t-test of the four topics' means."""
    moved = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0, -1, 0]
    before = ["b" if step < 0 else "-" for step in moved]
    now = ["b" if step > 0 else "-" for step in moved]
    topics = [number // 3 for number in range(12)]
    change = score(day("e", *before, topics=topics), day("e", *now, topics=topics))
    assert change.p == pytest.approx(ttest_1samp(np.reshape(moved, (4, 3)).mean(axis=1), 0).pvalue)
    assert change.delta == pytest.approx(25)


def test_topics_of_unequal_size_by_hand():
    """Two topics with 1 and 2 of three prompts: h = 1/3 and 2/3. d = 1, 0, 1 and a mean of 2/3: errors 1/9, -1/9.

    Σh² = 5/9, Σh³ = 1/3, so that 5/9 - 2/3 + 25/81 = 16/81 is kept and the variance is (5/9)/(16/81) · 2/81.
    """
    pair = pair_days(
        day("e", "-", "-", "-", topics=[0, 1, 1]), day("e", "b", "-", "b", topics=[0, 1, 1]), ["b"], ["e"]
    )
    pair = replace(pair, on_questions=False)
    contrast = rate_contrast(pair, pair.before.mentioned, pair.now.mentioned)
    assert contrast.delta[0, 0] == pytest.approx(2 / 3)
    assert contrast.variance[0, 0] == pytest.approx((5 / 9) / (16 / 81) * 2 / 81)
    assert contrast.freedom[0, 0] == pytest.approx(1)


def test_a_heavy_topic_leaves_few_degrees_of_freedom():
    topics = [0] * 20 + [1, 2, 3, 4]
    silent, loud = ["-"] * 24, ["b", "-"] * 12
    pair = pair_days(day("e", *silent, topics=topics), day("e", *loud, topics=topics), ["b"], ["e"])
    assert rate_contrast(pair, pair.before.mentioned, pair.now.mentioned).freedom[0, 0] < 1.5


def test_the_share_of_voice_by_hand():
    """Topic t: 1 of 2 mentions, then 2 of 2; topic u: 1 of 2, then 1 of 2. Shares 1/2, then 3/4.

    The first day has no errors; on the second they are (2 - 3/4 · 2)/4 = 1/8 and -1/8: variance 2/1 · 2/64.
    """
    pair = pair_days(day("e", "br", "br"), day("e", "b b", "br"), ["b", "r"], ["e"])
    contrast = voice_contrast(pair)
    assert contrast.delta[0] == pytest.approx([1 / 4, -1 / 4])
    assert contrast.variance[0] == pytest.approx([2 * 2 / 64] * 2)


def test_the_share_of_voice_of_engines_is_their_mean_where_both_days_have_one():
    before = day("e", "b", "br") + day("f", "-", "-") + day("g", "r", "br")
    now = day("e", "br", "br") + day("f", "b", "b") + day("g", "b", "br")
    found = changes(before, now, subjects=("b", "r"), averaged=("e", "f", "g"))
    voice = {engine: found["b", engine, Metric.SHARE_OF_VOICE] for engine in (None, "e", "f", "g")}
    assert voice["e"].delta == pytest.approx(100 * (1 / 2 - 2 / 3))
    assert voice["f"].verdict == Verdict.NOT_COMPARABLE and voice["f"].delta is None
    assert voice["g"].delta == pytest.approx(100 * (2 / 3 - 1 / 3))
    assert voice[None].delta == pytest.approx((voice["e"].delta + voice["g"].delta) / 2)


def test_a_brand_alone_has_no_share_of_voice_to_compare():
    change = changes(day("e", "b", "-"), day("e", "b", "b"))["b", None, Metric.SHARE_OF_VOICE]
    assert (change.verdict, change.delta, change.p) == (Verdict.NOT_COMPARABLE, None, None)


def test_prompts_that_name_a_subject_are_left_out_for_it():
    rest, before, now = (
        day("e", "-", "-"),
        answers("e", "x", "x", "-", named="b"),
        answers("e", "x", "x", "br", named="b"),
    )
    found = changes(rest + before, rest + now, subjects=("b", "r"))
    assert found["b", None, Metric.SCORE].delta == 0
    assert found["r", None, Metric.SCORE].delta == pytest.approx(100 / 3)
    assert found["b", None, Metric.SHARE_OF_VOICE].verdict == Verdict.NOT_COMPARABLE


def test_only_prompts_that_an_engine_answered_on_both_days_count():
    before = day("e", "-", "-", "b") + day("f", "b", "b")
    now = day("e", "b", "b") + day("f", "b", "b", "-")
    found = changes(before, now, averaged=("e", "f"))
    assert found["b", "e", Metric.SCORE].delta == 100
    assert found["b", "f", Metric.SCORE].delta == 0
    assert found["b", None, Metric.SCORE].delta == 50


def test_a_lone_engine_is_tested_once_and_listed_twice():
    found = changes(day("e", *["-"] * 12), day("e", *["b", "b", "-"] * 4))
    assert replace(found["b", "e", Metric.SCORE], engine=None) == found["b", None, Metric.SCORE]
    # The family is score and citation rate: the first of two p is doubled.
    assert found["b", None, Metric.SCORE].adjusted_p == pytest.approx(2 * found["b", None, Metric.SCORE].p)


def test_an_engine_aside_is_judged_by_itself():
    before, now = day("e", *["-"] * 12) + day("l", *["-"] * 12), day("e", *["-"] * 12) + day("l", *["b"] * 11, "-")
    found = changes(before, now)
    assert found["b", None, Metric.SCORE].delta == 0
    assert found["b", "l", Metric.SCORE].verdict == Verdict.MOVED


class TestVerdicts:
    def test_moved(self):
        change = score(day("e", *["-"] * 12), day("e", *["b"] * 8, *["-"] * 4))
        assert change.verdict == Verdict.MOVED and change.adjusted_p < 0.05

    def test_within_noise_needs_a_sharp_test(self):
        before = ["b b b b b b b b b b" if number % 2 else "- - - - - - - - - -" for number in range(40)]
        now = [each.replace("b", "-", 1) if number in (1, 3) else each for number, each in enumerate(before)]
        now[0] = now[2] = "b - - - - - - - - -"
        change = score(day("e", *before), day("e", *now))
        assert change.verdict == Verdict.WITHIN_NOISE
        assert change.minimum_detectable < 10 and change.delta == pytest.approx(0)

    def test_a_blunt_test_cannot_tell(self):
        change = score(day("e", *["b -", "- -"] * 6), day("e", *["- -", "b -"] * 6))
        assert change.verdict == Verdict.CANNOT_DETECT and change.delta == 0 and change.minimum_detectable > 10

    def test_no_change_is_visible_that_would_be_larger_than_everything(self):
        change = score(day("e", *["b", "-"] * 6), day("e", *["-", "b"] * 6))
        assert change.verdict == Verdict.CANNOT_DETECT and change.low < 0 and change.minimum_detectable is None

    def test_fewer_than_ten_prompts_cannot_tell_whatever_they_show(self):
        nine = score(day("e", *["-"] * 9), day("e", *["b"] * 8, "-"))
        assert nine.verdict == Verdict.CANNOT_DETECT and nine.delta > 80 and nine.p == 1
        assert nine.minimum_detectable is None
        assert score(day("e", *["-"] * 10), day("e", *["b"] * 9, "-")).verdict == Verdict.MOVED

    def test_fewer_than_four_topics_are_tested_over_their_questions(self):
        """The paired t-test of the twelve prompts, whatever topics they are of; the brand's own do not count."""
        before, now = ["-"] * 12, ["b"] * 7 + ["-"] * 5
        for topics, unit in ((3, "questions"), (4, "topics")):
            of_prompts = [number % topics for number in range(12)]
            change = score(day("e", *before, topics=of_prompts), day("e", *now, topics=of_prompts))
            assert (change.interval, change.on_questions) == (unit, unit == "questions")
            steps = np.array([1.0] * 7 + [0.0] * 5)
            units = steps if topics == 3 else steps.reshape(3, 4).mean(axis=0)
            assert change.p == pytest.approx(ttest_1samp(units, 0).pvalue)
        branded = answers("e", "own", "t9", "", named=("",))
        of_prompts = [number % 3 for number in range(12)]
        days = ([*day("e", *each, topics=of_prompts), *branded] for each in (before, now))
        assert pair_days(*days, ["", "b"], ["e"]).on_questions
        assert change.minimum_detectable is None

    @pytest.mark.parametrize(("now", "minimum"), [("-", pytest.approx(51.95, rel=0.002)), ("b", None)])
    def test_without_any_variance_nothing_can_be_told(self, now, minimum):
        """But for what a change would have to be to be seen, where there was none: it would bring its variance.

        With s of the answers changed s² = f · s(1 - s)/12, so that s = f/(12 + f). f is 3.4926² over the median of
        χ²/11, 0.940: at the 2.5 % that a family of two leaves, t exceeds its limit in 80 % of cases around 3.4926
        (the noncentral t of scipy).
        """
        change = score(day("e", *["-"] * 12), day("e", *[now] * 12))
        assert change.verdict == Verdict.CANNOT_DETECT
        assert (change.low, change.high, change.minimum_detectable) == (None, None, minimum)

    def test_the_smallest_visible_change_grows_with_the_family(self):
        before, now = day("e", *["b", "-"] * 10), day("e", *["b", "-"] * 9, "-", "-")
        alone = score(before, now)
        among = score(before, now, subjects=("b", "r", "x", "y"))
        assert alone.p == pytest.approx(among.p)
        assert among.minimum_detectable > alone.minimum_detectable

    def test_days_that_share_nothing(self):
        assert pair_days(day("e", "b"), day("f", "b"), ["b"], ["e"]) is None
        assert pair_days([], [], ["b"], []) is None

    def test_a_subject_given_twice_is_refused(self):
        with pytest.raises(ValueError, match="differ"):
            pair_days([], [], ["b", "b"], [])


class TestFalseDiscoveries:
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
    def test_it_is_benjamini_hochberg(self, p):
        assert benjamini_hochberg(np.array(p)) == pytest.approx(false_discovery_control(p))

    def test_what_was_not_measured_is_no_test(self):
        adjusted = benjamini_hochberg(np.array([0.01, np.nan, 0.04]))
        assert adjusted[[0, 2]] == pytest.approx([0.02, 0.04]) and np.isnan(adjusted[1])

    def test_each_family_is_adjusted_by_itself(self):
        p = np.array([[0.01, 0.5], [0.04, 0.03]])
        assert benjamini_hochberg(p) == pytest.approx(np.array([[0.02, 0.5], [0.04, 0.04]]))


SAID = st.lists(
    st.lists(st.sampled_from(["", "b", "r", "br", "rb"]), min_size=1, max_size=3), min_size=1, max_size=14
)


@st.composite
def outcomes(draw):
    topics = draw(st.integers(1, 5))
    found = []
    for engine in draw(st.sampled_from(["e", "f", "ef"])):
        for number, said in enumerate(draw(SAID)):
            found += answers(
                engine, f"p{number}", f"t{number % topics}", *said,
                named=draw(st.sampled_from(["", "", "b", "r"])), cited=draw(st.sampled_from(["", "b", "r"])),
            )  # fmt: skip
    return found


@settings(max_examples=60)
@given(outcomes(), outcomes(), st.randoms(use_true_random=False))
def test_whatever_the_data_a_verdict_comes_and_order_does_not_matter(before, now, random):
    found = changes(before, now, subjects=("b", "r"), averaged=("e",))
    for change in found.values():
        assert change.verdict in set(Verdict)
        assert (change.delta is None) == (change.verdict == Verdict.NOT_COMPARABLE) == (change.p is None)
        if change.low is not None:
            assert -100 <= change.low <= change.delta <= change.high <= 100
        if change.minimum_detectable is not None:
            assert 0 < change.minimum_detectable <= 100
        if change.verdict == Verdict.MOVED:
            assert change.adjusted_p <= 0.05 and change.low is not None
    random.shuffle(before)
    random.shuffle(now)
    again = changes(before, now, subjects=("r", "b"), averaged=("e",))
    assert again.keys() == found.keys()
    for place, change in found.items():
        assert again[place].verdict == change.verdict
        assert again[place].delta == pytest.approx(change.delta)


@settings(max_examples=40)
@given(outcomes(), outcomes())
def test_days_that_change_places_change_the_sign_alone(before, now):
    there = changes(before, now, subjects=("b", "r"), averaged=("e", "f"))
    back = changes(now, before, subjects=("b", "r"), averaged=("e", "f"))
    for place, change in there.items():
        assert back[place].verdict == change.verdict
        if change.delta is not None:
            assert back[place].delta == pytest.approx(-change.delta)
            assert back[place].p == pytest.approx(change.p)


def test_many_repetitions_at_once_are_each_judged_as_alone():
    rng = np.random.default_rng(3)
    pairs = []
    for _ in range(3):
        days = [day("e", *rng.choice(["b", "-", "r", "br"], 15)) for _ in range(2)]
        pairs.append(pair_days(*days, ["b", "r"], ["e"]))
    stacked = replace(
        pairs[0],
        **{
            when: replace(
                getattr(pairs[0], when),
                **{
                    part: np.stack([getattr(getattr(pair, when), part) for pair in pairs])
                    for part in ("mentioned", "cited")
                },
            )
            for when in ("before", "now")
        },
    )
    together = judge(family_contrast(stacked), own_figures(stacked))
    for number, pair in enumerate(pairs):
        alone = judge(family_contrast(pair), own_figures(pair))
        assert (together.verdict[number] == alone.verdict).all()
        np.testing.assert_allclose(together.adjusted[number], alone.adjusted)
