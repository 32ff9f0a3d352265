"""What is claimed of engines, topics and prompts where there is nothing, and where much is planted."""

import pytest

from tests.recommendations.worlds import facts, opened
from visibility.recommendations.gaps import Gap, least_gain

LOOKS = 100
NULLS = (
    {"engines": 2, "topics": 1, "samples": 3},
    {"engines": 3, "topics": 8, "samples": 1},
    {"engines": 2, "topics": 17, "samples": 2, "rivals": 6},
    {"engines": 5, "topics": 4, "samples": 1, "rivals": 1},
)


def share(looks, claim, **world):
    """In how many looks of a hundred this is claimed; None: anything."""
    seen = (opened(facts(seed=seed, **world)) for seed in range(looks))
    return 100 * sum(bool(claims) if claim is None else claim in claims for claims in seen) / looks


@pytest.mark.parametrize("rate", [0.15, 0.5, 0.8])
def test_equal_brands_have_a_gap_in_one_look_of_twenty_at_most(rate):
    assert share(LOOKS, None, rates=lambda *place: rate, **NULLS[0]) <= 5


@pytest.mark.proof
@pytest.mark.parametrize("world", NULLS)
@pytest.mark.parametrize("rate", [0.05, 0.15, 0.5, 0.8])
def test_the_same_in_any_world(world, rate):
    assert share(1_000, None, rates=lambda *place: rate, **world) <= 5


def test_a_planted_engine_gap_is_found():
    def never_on_the_first(subject, topic, engine):
        return (0.0 if engine == 0 else 0.67) if subject == 0 else 0.6

    def forty_against_all(subject, topic, engine):
        return (0.4 if engine == 0 else 1.0) if subject == 0 else 0.6

    assert share(LOOKS, ("mentions", "engine"), rates=never_on_the_first, samples=3) >= 90
    assert share(LOOKS, ("mentions", "engine"), rates=forty_against_all, samples=5) >= 90


def test_a_planted_topic_gap_is_found():
    def trailing(subject, topic, engine):
        return 0.4 if subject == 0 else 1.0 if subject == 1 else 0.4

    assert share(LOOKS, ("mentions", "topic"), rates=trailing, samples=3) >= 90


def test_a_planted_first_pick_is_found_where_all_are_named():
    assert share(LOOKS, ("first", "topic"), rates=lambda *place: 0.9, samples=3, first=1) >= 90


def test_a_planted_prompt_gap_is_found():
    """Twenty answers a prompt and engine, as a week of daily scans brings; one prompt of four lacks the brand."""
    looks = [facts(lambda *place: 0.8, samples=20, seed=seed) for seed in range(LOOKS)]
    for found in looks:
        first = found.answers[0].prompt
        for answer in found.answers:
            if answer.prompt == first:
                answer.stances.pop(None, None)
    assert sum(("mentions", "prompt") in opened(found) for found in looks) >= 90


@pytest.mark.parametrize(
    ("gap", "is_large"),
    [
        (Gap(14, 105, 89, 315), True),  # 13 against 28 %
        (Gap(40, 100, 60, 100), True),
        (Gap(40, 100, 55, 100), False),
        (Gap(5, 100, 15, 100), False),  # its card would close at once
        (Gap(0, 100, 9, 100), False),
    ],
)
def test_a_gap_is_large_by_its_points_or_where_hits_are_half_as_frequent(gap, is_large):
    assert gap.is_large is is_large


@pytest.mark.parametrize(
    ("k", "n", "planned", "least"),
    [(0, 24, 24, 5), (6, 24, 48, 24), (12, 12, 24, None), (0, 4, 2, None)],
)
def test_a_goal_is_the_least_change_that_the_planned_answers_would_show(k, n, planned, least):
    assert least_gain(k, n, planned) == least
