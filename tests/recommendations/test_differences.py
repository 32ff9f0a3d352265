"""What is claimed of engines and topics: hardly ever where there is nothing, nearly always where much is planted."""

import pytest

from tests.recommendations.worlds import material, opened

LOOKS = 100
NULLS = (
    {"engines": 2, "topics": 1, "samples": 3},
    {"engines": 3, "topics": 8, "samples": 1},
    {"engines": 2, "topics": 17, "samples": 2, "rivals": 6},
    {"engines": 5, "topics": 4, "samples": 1, "rivals": 1},
)


def share(looks, kind, **world):
    """In how many looks of a hundred something of a kind is claimed."""
    seen = (opened(material(seed=seed, **world)) for seed in range(looks))
    return 100 * sum(any(claim[0] == kind or kind is None for claim in claims) for claims in seen) / looks


def test_equal_brands_hardly_ever_have_a_gap():
    for rate in (0.15, 0.5, 0.8):
        assert share(LOOKS, None, rates=lambda *place, rate=rate: rate, **NULLS[0]) <= 5


@pytest.mark.proof
def test_equal_brands_hardly_ever_have_a_gap_in_any_world():
    for world in NULLS:
        for rate in (0.05, 0.15, 0.5, 0.8):
            assert share(1_000, None, rates=lambda *place, rate=rate: rate, **world) <= 5, (world, rate)


def test_a_planted_engine_gap_is_found():
    def never_on_the_first(subject, topic, engine):
        return (0.0 if engine == 0 else 0.67) if subject == 0 else 0.6

    def forty_against_all(subject, topic, engine):
        return (0.4 if engine == 0 else 1.0) if subject == 0 else 0.6

    assert share(LOOKS, "engine_gap", rates=never_on_the_first, samples=3) >= 90
    assert share(LOOKS, "engine_gap", rates=forty_against_all, samples=5) >= 90


def test_a_planted_topic_gap_is_found():
    def trailing(subject, topic, engine):
        return 0.4 if subject == 0 else 1.0 if subject == 1 else 0.4

    assert share(LOOKS, "topic_gap", rates=trailing, samples=3) >= 90


def test_a_planted_first_pick_is_found_where_all_are_named():
    assert share(LOOKS, "first_pick", rates=lambda *place: 0.9, samples=3, first=1) >= 90
