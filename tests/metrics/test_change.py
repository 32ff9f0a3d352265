"""Changes between two days, what they are made of, and whether work on a topic shows."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.metrics.panels import BRAND, RIVAL, Answer, panel, ruled, tally
from tests.metrics.strategies import answers
from visibility.metrics import Metric, Units, Verdict, compare, decompose, prove

PROPERTY = settings(max_examples=60, deadline=None)


def score_of(changes, engine=None, subject=BRAND):
    return next(
        each for each in changes if (each.subject, each.engine, each.metric) == (subject, engine, Metric.SCORE)
    )


def topics(number, *mentions):
    """So many topics with these mentions of each one's prompts."""
    return {f"t{place:02}": list(mentions) for place in range(number)}


@PROPERTY
@given(answers(prompts=24), answers(prompts=24))
def test_swapping_the_days_negates_every_change(first, second):
    topic = {row.prompt: row.topic for row in second}
    first = [replace(row, topic=topic.get(row.prompt, row.topic)) for row in first]
    days = tally(first), tally(second)
    there, back = compare(*days), compare(*reversed(days))
    for change, reverse in zip(there, back, strict=True):
        for ours, theirs in ((change.delta, reverse.delta), (change.low, reverse.high), (change.high, reverse.low)):
            assert (ours is None) == (theirs is None)
            assert ours is None or ours == pytest.approx(-theirs, abs=1e-9)
        assert (change.verdict is Verdict.MOVED) == (reverse.verdict is Verdict.MOVED)


@PROPERTY
@given(answers(prompts=24), answers(prompts=24))
def test_the_parts_of_each_partition_sum_to_the_change(first, second):
    parts = decompose([tally(first)], [tally(second)])
    changes = compare(tally(first), tally(second))
    if parts is None:
        assert not changes or score_of(changes).delta is None
        return
    delta = parts.after - parts.before
    assert score_of(changes).delta == pytest.approx(delta, abs=1e-9)
    for partition in (parts.topics, parts.engines, parts.wordings):
        assert sum(part.points for part in partition) == pytest.approx(delta, abs=1e-9)
        assert sum(part.weight for part in partition) == pytest.approx(1)
        assert all(part.points == pytest.approx(part.weight * (part.after - part.before)) for part in partition)


def test_only_cells_that_both_days_answered_are_compared():
    before = panel(topics(12, 1, 1), 3)
    after = panel(topics(12, 1, 1, 3), 3)  # a prompt more in each topic, that always mentions the brand
    assert score_of(compare(before, after)).delta == pytest.approx(0)


def test_a_rival_that_was_added_since_has_no_change_and_takes_none():
    alone = tally([Answer("e", f"p{n}", f"t{n}", {BRAND: 1} if n % 3 else {}) for n in range(12)], [BRAND])
    both = tally([Answer("e", f"p{n}", f"t{n}", {RIVAL: 1}) for n in range(12)])
    assert {change.subject for change in compare(alone, both)} == {BRAND}


def test_an_engine_that_is_alone_is_tested_once_and_listed_under_both():
    changes = compare(panel(topics(12, 1), 3), panel(topics(12, 2), 3))
    assert score_of(changes) == replace(score_of(changes, "e"), engine=None)


def test_the_brands_own_score_is_judged_alike_whoever_else_is_tracked():
    days = ruled(12, 2, 2, 3), ruled(12, 2, 2, 3, salt=1, shift=4)
    score = score_of(compare(*days))
    assert score.p == score.adjusted_p
    rest = [change for change in compare(*days) if change is not score and change.engine is not None]
    assert all(change.adjusted_p >= change.p for change in rest)


@pytest.mark.parametrize(
    "number, units", [(1, Units.ANSWERS), (5, Units.ANSWERS), (6, Units.TOPICS), (20, Units.TOPICS)]
)
def test_a_fall_of_all_topics_alike_is_a_change_with_an_honest_interval(number, units):
    change = score_of(compare(panel(topics(number, 9), 9), panel(topics(number, 0), 9)))
    assert (change.verdict, change.units) == (Verdict.MOVED, units)
    assert change.low == -100 and -95 < change.high < 0


def test_a_small_rise_of_all_topics_alike_is_judged_by_the_luck_of_days():
    small, large = (score_of(compare(panel(topics(40, 10), 20), panel(topics(40, 10 + more), 20))) for more in (1, 4))
    assert (small.verdict, large.verdict) == (Verdict.CANNOT_DETECT, Verdict.MOVED)
    assert small.high - small.low > 20


def test_nine_prompts_show_a_fall_from_89_to_11():
    before = panel({f"t{n}": [2 if n else 0] for n in range(9)}, 2)
    after = panel({f"t{n}": [0 if n else 2] for n in range(9)}, 2)
    change = score_of(compare(before, after))
    assert (change.verdict, change.units) == (Verdict.MOVED, Units.TOPICS)
    assert change.p == pytest.approx(20 / 512) and change.high < 0


def test_three_answers_show_nothing():
    change = score_of(compare(panel(topics(3, 1), 1), panel(topics(3, 0), 1)))
    assert (change.verdict, change.units) == (Verdict.CANNOT_DETECT, Units.ANSWERS)
    assert change.low == -100 and change.high >= 0


def test_the_luck_of_a_day_is_not_a_change():
    """All 60 topics of the one engine but three rise by a tenth: chance excludes it, a lucky day does not."""
    before = panel({f"t{n}": [4 + n % 3] for n in range(60)}, 10)
    after = panel({f"t{n}": [4 + n % 3 + (n > 2)] for n in range(60)}, 10)
    change = score_of(compare(before, after))
    assert change.delta == pytest.approx(9.5) and change.verdict is not Verdict.MOVED
    by_chance = panel({f"t{n}": [4 + n % 3 + 3 * (n > 2)] for n in range(60)}, 10)
    assert score_of(compare(before, by_chance)).verdict is Verdict.MOVED


def test_with_few_topics_a_change_speaks_of_exactly_these_prompts():
    before, after = (panel({f"t{n}": [base + q * n % 3 for q in range(8)] for n in range(3)}, 6) for base in (0, 3))
    change = score_of(compare(before, after))
    assert change.delta == pytest.approx(50) and change.units is Units.PROMPTS
    one_topic = panel({"t0": [number % 4 for number in range(12)]}, 6), panel({"t0": [4, 5] * 6}, 6)
    assert score_of(compare(*one_topic)).verdict is Verdict.MOVED


def test_a_quiet_day_is_within_noise_only_where_ten_points_would_have_shown():
    many, few = (
        [
            panel({f"t{n}": [1 + (7 * n + day * (n % 3 - 1)) % 8] for n in range(number)}, 10, engines="abcde")
            for day in (0, 1)
        ]
        for number in (100, 12)
    )
    quiet, blind = score_of(compare(*many)), score_of(compare(*few))
    assert quiet.verdict is Verdict.WITHIN_NOISE and -10 <= quiet.low < quiet.high <= 10
    assert blind.verdict is Verdict.CANNOT_DETECT and (blind.minimum_detectable or 100) > 10


def test_work_on_a_topic_shows_beside_topics_that_did_not_move():
    rates = {f"t{n}": [1 + (n + q) % 3 for q in range(4)] for n in range(9)}
    since = {topic: [2 - (n + q) % 2 + (n + q) % 3 // 2 for q in range(4)] for n, topic in enumerate(rates)}
    proof = prove([panel(rates | {"t0": [0] * 4}, 5)] * 2, [panel(since | {"t0": [5, 4, 5, 5]}, 5)] * 3, "t0")
    assert proof.verdict is Verdict.MOVED and 60 < proof.low < proof.delta < proof.high
    assert (proof.hits_before, proof.answers_before, proof.hits_since, proof.answers_since) == (0, 40, 57, 60)
    other = prove([panel(rates, 5)] * 2, [panel(since, 5)] * 3, "t1")
    assert other.verdict is not Verdict.MOVED and other.low < 0 < other.high


def test_what_lifts_all_topics_is_no_effect_of_the_work():
    before, after = ({f"t{n}": [base + (n + q) % 2 for q in range(4)] for n in range(9)} for base in (0, 3))
    proof = prove([panel(before, 5)], [panel(after, 5)], "t0")
    assert proof.own == pytest.approx(60) and proof.delta == pytest.approx(0, abs=1e-9)
    assert proof.verdict is not Verdict.MOVED


def test_a_proof_needs_four_other_topics():
    for others, comparable in ((3, False), (4, True)):
        day = panel({f"t{n}": [n % 2, 1] for n in range(others + 1)}, 3)
        assert (prove([day], [day], "t0").verdict is not Verdict.NOT_COMPARABLE) is comparable
    assert prove([], [day], "t0").verdict is prove([day], [day], "elsewhere").verdict is Verdict.NOT_COMPARABLE


@pytest.mark.parametrize(
    "topics, verdict", [(4, "moved"), (5, "moved"), (6, "cannot_detect"), (7, "moved"), (13, "moved")]
)
def test_a_fall_on_all_topics_but_one_has_moved_where_a_test_can_tell(topics, verdict):
    """Five that fell and one that did not are 2 of 32 signs, which is more than 5 %."""
    before = tally(
        [Answer("e", f"{n}.{p}", f"t{n}", {BRAND: 1}) for n in range(topics) for p in range(4) for _ in range(3)]
    )
    after = tally(
        [
            Answer("e", f"{n}.{p}", f"t{n}", {} if n else {BRAND: 1})
            for n in range(topics)
            for p in range(4)
            for _ in range(3)
        ]
    )
    change = score_of(compare(before, after))
    assert (change.verdict, change.high < 0) == (verdict, verdict == "moved")
