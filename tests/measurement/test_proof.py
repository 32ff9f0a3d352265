"""Whether a topic changed more than the others: what is compared, what is said, what is planned."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from visibility.detection.types import BRAND
from visibility.metrics.change import Metric
from visibility.metrics.pairs import DayCounts
from visibility.metrics.proof.judging import judge_proof, verdicts
from visibility.metrics.proof.planning import MAX_SCANS, plan_proof
from visibility.metrics.proof.sides import Side
from visibility.metrics.proof.types import ProofResult, ProofVerdict, WhyNot
from visibility.metrics.proof.wandering import wandering

START = date(2026, 3, 1)
SAMPLES = 5
ENGINES = ("a", "b")


def day(number, rates, *, engines=ENGINES, wordings=4, averaged=None, named=(), cited=None):
    """A measured day on which the brand is in these parts of the answers to each topic."""
    topics = [topic for topic in rates for _ in range(wordings)]
    prompts = tuple(f"{topic}-{place % wordings}" for place, topic in enumerate(topics))
    shape = (len(engines), len(prompts), 1)
    hits = np.zeros(shape)
    hits[:] = np.array([round(rates[topic] * SAMPLES) for topic in topics], dtype=float)[None, :, None]
    return DayCounts(
        day=START + timedelta(number),
        subjects=(BRAND,),
        engines=tuple(engines),
        averaged=frozenset(engines if averaged is None else averaged),
        prompts=prompts,
        topics=tuple(topics),
        named=np.array([[prompt in named] for prompt in prompts]),
        answers=np.full(shape[:2], float(SAMPLES)),
        mentioned=hits,
        cited=np.zeros(shape) if cited is None else hits * cited,
    )


def others(rate=0.4, number=8):
    return {f"c{place}": rate for place in range(number)}


def days(first, number, rates, **kwargs):
    return [day(first + place, rates, **kwargs) for place in range(number)]


BEFORE = {"bikes": 0.2, **others()}


def test_the_change_of_the_others_is_taken_from_that_of_the_topic():
    after = {"bikes": 0.8, **others(0.6)}
    result = judge_proof(days(0, 3, BEFORE), days(10, 5, after), "bikes", Metric.SCORE)
    assert (result.own, result.control, result.delta) == pytest.approx((60, 20, 40))
    assert result.low < 40 < result.high and result.why_not is None


def test_a_topic_that_alone_rises_has_moved():
    result = judge_proof(days(0, 3, BEFORE), days(10, 5, BEFORE | {"bikes": 0.8}), "bikes", Metric.SCORE)
    assert result.low > 0 and result.p < 0.001
    assert verdicts({"one": result})["one"].verdict is ProofVerdict.MOVED_UP


def test_a_fall_is_told_as_one():
    before = BEFORE | {"bikes": 0.8}
    result = judge_proof(days(0, 3, before), days(10, 5, before | {"bikes": 0.2}), "bikes", Metric.SCORE)
    assert result.high < 0
    assert verdicts({"one": result})["one"].verdict is ProofVerdict.MOVED_DOWN


@pytest.mark.parametrize("rise", [0.2, 0.4, 0.6])
def test_a_tide_that_lifts_all_alike_is_no_effect(rise):
    after = {topic: rate + rise for topic, rate in BEFORE.items()}
    result = judge_proof(days(0, 3, BEFORE), days(10, 5, after), "bikes", Metric.SCORE)
    assert result.own == pytest.approx(100 * rise) and result.delta == pytest.approx(0)
    assert verdicts({"one": result})["one"].verdict is ProofVerdict.NOT_SEEN


def test_a_tide_that_lifts_each_by_its_room_is_no_effect():
    """The topic is low, so that it has more room than the others: it gains more, by the tide alone."""
    after = {topic: rate + (1 - rate) * 0.5 for topic, rate in {"bikes": 0.2, **others(0.6)}.items()}
    before = {"bikes": 0.2, **others(0.6)}
    result = judge_proof(days(0, 7, before), days(10, 9, after), "bikes", Metric.SCORE)
    assert result.delta == pytest.approx(20, abs=1)
    assert result.p > 0.05 and result.low < 0 < result.high


def test_restless_controls_make_the_same_change_less_sure():
    calm = judge_proof(days(0, 3, BEFORE), days(10, 5, BEFORE | {"bikes": 0.6}), "bikes", Metric.SCORE)
    moved = {f"c{place}": 0.4 + (0.4 if place % 2 else -0.4) for place in range(8)}
    restless = judge_proof(days(0, 3, BEFORE), days(10, 5, {"bikes": 0.6, **moved}), "bikes", Metric.SCORE)
    assert restless.delta == pytest.approx(calm.delta)
    assert restless.p > calm.p and restless.high - restless.low > 1.5 * (calm.high - calm.low)
    assert restless.least is None or restless.least > calm.least


def test_citations_are_judged_by_citations():
    before, after = days(0, 3, BEFORE, cited=0.5), days(10, 5, BEFORE, cited=1.0)
    assert judge_proof(before, after, "bikes", Metric.SCORE).own == pytest.approx(0)
    assert judge_proof(before, after, "bikes", Metric.CITATION_RATE).own == pytest.approx(10)


def test_prompts_that_name_the_brand_are_left_out():
    after = days(10, 5, BEFORE | {"bikes": 1.0}, named=("bikes-0",))
    for number, one in enumerate(after):
        hits = one.mentioned.copy()
        hits[:, 1:4] = round(0.2 * SAMPLES)
        after[number] = replace(one, mentioned=hits)
    assert judge_proof(days(0, 3, BEFORE), after, "bikes", Metric.SCORE).own == pytest.approx(0)


def test_engines_and_prompts_that_both_sides_have_count():
    before = days(0, 3, BEFORE, engines=("a", "b", "local"), averaged=("a", "b"))
    after = [day(10 + number, BEFORE | {"bikes": 0.8}, engines=("a", "c")) for number in range(5)]
    after = [replace(one, mentioned=np.concatenate([before[0].mentioned[:1], one.mentioned[1:]])) for one in after]
    assert judge_proof(before, after, "bikes", Metric.SCORE).own == pytest.approx(0)


def test_an_engine_counts_on_the_days_on_which_it_is_averaged():
    before = [day(0, BEFORE), day(1, BEFORE | {"bikes": 1.0}, averaged=("a",))]
    before[1] = replace(before[1], mentioned=before[1].mentioned * np.array([0.2, 1.0])[:, None, None])
    result = judge_proof(before, days(10, 5, BEFORE), "bikes", Metric.SCORE)
    assert result.own == pytest.approx(0)


def test_prompts_weigh_alike_within_engines_and_engines_within_the_topic():
    before, after = days(0, 1, BEFORE), days(10, 1, BEFORE)
    answers = after[0].answers.copy()
    answers[1, 1:4] = 0
    hits = after[0].mentioned.copy()
    hits[1, 1:4] = 0
    hits[1, 0] = SAMPLES
    result = judge_proof(before, [replace(after[0], answers=answers, mentioned=hits)], "bikes", Metric.SCORE)
    assert result.own == pytest.approx(100 * (0 + 0.8) / 2)


@pytest.mark.parametrize(
    ("baseline", "after", "why"),
    [
        ([], days(10, 5, BEFORE), WhyNot.NO_BASELINE),
        (days(0, 3, others()), days(10, 5, BEFORE), WhyNot.NO_BASELINE),
        (days(0, 3, BEFORE), [], WhyNot.NO_SCANS),
        (days(0, 3, BEFORE), days(10, 5, BEFORE, engines=("c", "d")), WhyNot.ENGINES_CHANGED),
        (days(0, 3, BEFORE), days(10, 5, others()), WhyNot.PROMPTS_CHANGED),
        (days(0, 3, BEFORE), days(10, 5, BEFORE, named=("bikes-0", "bikes-1")), None),
        (days(0, 3, BEFORE), days(10, 5, BEFORE, wordings=2), WhyNot.PROMPTS_CHANGED),
        (days(0, 3, BEFORE), days(10, 5, BEFORE, wordings=3), None),
        (days(0, 3, {"bikes": 0.2}), days(10, 5, {"bikes": 0.2}), WhyNot.NO_CONTROL),
        (days(0, 3, {"bikes": 0.2, **others(number=3)}), days(10, 5, BEFORE), WhyNot.FEW_CONTROLS),
        (days(0, 3, {"bikes": 0.2, **others(number=4)}), days(10, 5, BEFORE), None),
    ],
)
def test_what_cannot_be_compared_says_why(baseline, after, why):
    result = judge_proof(baseline, after, "bikes", Metric.SCORE)
    assert result.why_not is why
    assert (result.delta is None) == (why is not None)


def test_topics_that_were_worked_on_are_no_controls():
    after = days(10, 5, BEFORE | {"c0": 0.8})
    result = judge_proof(days(0, 3, BEFORE), after, "bikes", Metric.SCORE, controls=set(BEFORE) - {"c0"})
    assert result.control == pytest.approx(0)
    few = judge_proof(days(0, 3, BEFORE), after, "bikes", Metric.SCORE, controls={"c0", "c1", "gone"})
    assert few.why_not is WhyNot.FEW_CONTROLS


def test_where_no_answer_differs_nothing_is_told_of_chance():
    nowhere = dict.fromkeys(BEFORE, 0.0)
    result = judge_proof(days(0, 3, nowhere), days(10, 5, nowhere), "bikes", Metric.SCORE)
    assert (result.delta, result.low, result.high, result.least, result.p) == (0, None, None, None, 1)
    assert verdicts({"one": result})["one"].verdict is ProofVerdict.NOT_SEEN


def result_of(p, delta=10.0):
    return ProofResult(delta, 0.0, delta, 1.0, 19.0, p, 8.0)


def test_verdicts_share_a_false_discovery_rate():
    alone = verdicts({"a": result_of(0.04)})
    assert alone["a"].verdict is ProofVerdict.MOVED_UP and alone["a"].adjusted_p == pytest.approx(0.04)
    results = {
        "a": result_of(0.01, -10.0),
        "b": result_of(0.04),
        "c": result_of(0.5),
        "d": ProofResult(*[None] * 7, WhyNot.NO_CONTROL),
    }
    judged = verdicts(results)
    assert [judged[key].verdict.value for key in results] == ["moved_down", "not_seen", "not_seen", "not_comparable"]
    assert [judged[key].adjusted_p for key in results] == [pytest.approx(0.03), pytest.approx(0.06), 0.5, None]
    assert verdicts({}) == {}


def test_a_plan_tells_scans_answers_and_what_they_show():
    plan = plan_proof(days(0, 5, BEFORE), "bikes", Metric.SCORE, target=40, earlier=days(-8, 8, BEFORE))
    assert plan.reaches_target and plan.least <= 40 and plan.why_not is None
    assert plan.controls == 8
    assert plan.answers == plan.scans * 9 * 4 * SAMPLES * len(ENGINES)
    assert plan.topic_answers == plan.scans * 4 * SAMPLES * len(ENGINES)


def test_a_target_out_of_reach_has_the_finest_plan():
    plan = plan_proof(days(0, 2, BEFORE), "bikes", Metric.SCORE, target=1)
    assert not plan.reaches_target and plan.least > 1
    assert plan.scans <= MAX_SCANS - 3, "more scans show hardly more"
    finer = plan_proof(days(0, 7, BEFORE), "bikes", Metric.SCORE, target=1)
    assert finer.least < plan.least


def test_more_is_asked_for_a_smaller_change():
    plans = [plan_proof(days(0, 4, BEFORE), "bikes", Metric.SCORE, target=target) for target in (60, 40, 30, 20)]
    assert [plan.scans for plan in plans] == sorted(plan.scans for plan in plans)
    assert plans[0].scans < plans[-1].scans


def test_days_before_the_gap_tell_how_much_topics_wander():
    rng = np.random.default_rng(7)
    restless = [day(-9 + n, {topic: rng.choice([0.0, 0.4, 0.8]) for topic in BEFORE}) for n in range(9)]
    still = plan_proof(days(0, 3, BEFORE), "bikes", Metric.SCORE, earlier=days(-9, 9, BEFORE))
    wild = plan_proof(days(0, 3, BEFORE), "bikes", Metric.SCORE, earlier=restless)
    assert wild.least is None or wild.least > 1.2 * still.least


@pytest.mark.parametrize(
    ("baseline", "why"),
    [
        ([], WhyNot.NO_BASELINE),
        (days(0, 3, others()), WhyNot.NO_BASELINE),
        (days(0, 3, BEFORE, averaged=()), WhyNot.NO_BASELINE),
        (days(0, 3, {"bikes": 0.2}), WhyNot.NO_CONTROL),
        (days(0, 3, {"bikes": 0.2, **others(number=3)}), WhyNot.FEW_CONTROLS),
    ],
)
def test_what_cannot_be_planned_says_why(baseline, why):
    plan = plan_proof(baseline, "bikes", Metric.SCORE)
    assert plan.why_not is why and plan.scans == plan.answers == plan.controls == 0 and not plan.reaches_target


def test_a_topic_at_the_top_has_no_plan_that_shows_a_rise():
    plan = plan_proof(days(0, 5, BEFORE | {"bikes": 1.0}), "bikes", Metric.SCORE)
    assert plan.least is None and not plan.reaches_target and plan.why_not is None


def test_the_chance_of_answers_is_no_wandering():
    rng, topic, level = np.random.default_rng(7), np.arange(8), np.full(8, 0.5)
    drawn = [Side(np.full((1, 8), 3.0), rng.binomial(3, 0.5, (1, 8)).astype(float)) for _ in range(60)]
    assert wandering(drawn, topic, level, 1.0).variance < 0.01
    steps = [Side(side.answers, np.full((1, 8), 3.0) * (place % 2)) for place, side in enumerate(drawn)]
    apart = [Side(side.answers, np.where(topic % 2, side.hits, 3 - side.hits)) for side in steps]
    assert wandering(apart, topic, level, 1.0).variance > 0.1
