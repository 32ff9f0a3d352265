"""What a change is made of: whatever the cells, each of the three partitions sums to the change."""

import numpy as np
import pytest

from visibility.metrics.change import rate_contrast
from visibility.metrics.decomposition import changed_beyond_chance, decompose, whole_parts
from visibility.metrics.pairs import Counts, Pair


def random_pair(dice, *, engines=3, prompts=12, topics=4, subjects=2):
    """Two sides with missing cells, prompts that name somebody, and engines that stand aside."""

    def side():
        answers = dice.integers(0, 4, size=(engines, prompts)).astype(float)
        mentioned = dice.binomial(answers[..., None].astype(int), dice.random((engines, prompts, subjects)))
        return Counts(answers, mentioned.astype(float), np.zeros_like(mentioned, dtype=float))

    return Pair(
        ("", *(f"rival {number}" for number in range(subjects - 1))),
        tuple(f"engine {number}" for number in range(engines)),
        np.arange(engines) != 2,
        dice.integers(0, topics, size=prompts),
        dice.random((prompts, subjects)) < 0.1,
        side(),
        side(),
    )


def keys(pair):
    return [f"topic {number}" for number in pair.topic], [f"wording {number}" for number in range(len(pair.topic))]


def test_each_partition_sums_to_the_change_of_the_score():
    for seed in range(200):
        dice = np.random.default_rng(seed)
        pair = random_pair(dice, engines=int(dice.integers(1, 5)), prompts=int(dice.integers(1, 30)))
        parts = decompose(pair, *keys(pair))
        delta = rate_contrast(pair, pair.before.mentioned, pair.now.mentioned).delta[0, 0]
        assert parts.delta == pytest.approx(0 if np.isnan(delta) else 100 * delta, abs=1e-9)
        for partition in (parts.topics, parts.engines, parts.wordings):
            assert sum(part.points for part in partition) == pytest.approx(parts.delta, abs=1e-9)
            assert all(-1e-9 <= rate <= 100 + 1e-9 for part in partition for rate in (part.before, part.after))
            for part in partition:
                assert 100 * sum(cell.share for cell in part.cells) == pytest.approx(part.points, abs=1e-9)
            rounded = whole_parts([part.points for part in partition], parts.delta)
            assert round(sum(rounded), 9) == round(sum(rounded), 2) == round(parts.delta, 2) + 0.0
            assert all(abs(part.points - kept) < 0.02 for part, kept in zip(partition, rounded, strict=True))


def test_the_order_of_prompts_and_engines_does_not_matter():
    dice = np.random.default_rng(5)
    pair = random_pair(dice)
    topics, wordings = keys(pair)
    prompts, engines = dice.permutation(len(topics)), dice.permutation(len(pair.engines))
    sides = [
        Counts(*(values[engines][:, prompts] for values in (side.answers, side.mentioned, side.cited)))
        for side in (pair.before, pair.now)
    ]
    turned = Pair(
        pair.subjects, tuple(pair.engines[place] for place in engines), pair.averaged[engines],
        pair.topic[prompts], pair.named[prompts], *sides,
    )  # fmt: skip
    told = [
        [[(part.key, round(part.points, 9)) for part in of] for of in (found.topics, found.engines, found.wordings)]
        for found in (
            decompose(pair, topics, wordings),
            decompose(turned, [topics[place] for place in prompts], [wordings[place] for place in prompts]),
        )
    ]
    assert told[0] == told[1]


def test_who_is_named_more_beyond_chance_is_told_with_the_own_rate_in_the_same_cells():
    prompts = 20
    answers = np.full((1, prompts), 4.0)
    before, now = np.zeros((1, prompts, 3)), np.zeros((1, prompts, 3))
    before[0, :, 0], now[0, :5, 0] = 4, 4
    now[0, :15, 1], now[0, 0, 2] = 4, 1
    named = np.zeros((prompts, 3), dtype=bool)
    named[0, 1] = True
    pair = Pair(
        ("", "up", "alike"), ("chat",), np.array([True]), np.arange(prompts), named,
        Counts(answers, before, before * 0), Counts(answers, now, now * 0),
    )  # fmt: skip
    [change] = changed_beyond_chance(pair)
    assert (change.key, change.before, change.after) == ("up", 0, pytest.approx(100 * 14 / 19))
