"""The verdicts of a month share their false alarms."""

import pytest

from tests.loop.conftest import OWN, TOPICS, done, judged
from visibility.insights.proofs.stored import plan_of, result_of
from visibility.models import Proof

pytestmark = pytest.mark.usefixtures("planted")
SAMPLES = 3


@pytest.fixture(autouse=True)
def _more_answers(world):
    world.samples = SAMPLES


def test_verdicts_of_a_month_share_their_false_alarms(world, opened):
    proofs = [done(world, row, 3).proof for row in (opened, world.gap(1, topic=TOPICS[1]))]
    world.rates[OWN] = 0.98
    world.scan(*range(4, 6))
    moved, other = [judged(proof) for proof in proofs]
    assert (moved.verdict, other.verdict) == ("moved_up", "not_seen")
    assert result_of(moved).adjusted_p == pytest.approx(2 * moved.p, rel=0.01)
    assert result_of(other).adjusted_p == pytest.approx(other.p, rel=0.01)
    assert TOPICS[1] in plan_of(moved).control_topics
    assert OWN not in {*plan_of(other).wordings.values()}


def test_a_new_one_may_change_an_earlier_one_which_says_so(world, opened):
    first = done(world, opened, 3).proof
    world.rates[OWN] = 0.98
    world.scan(4, 5)
    judged(first)
    Proof.objects.update(p=0.04, verdict="moved_up")
    second = done(world, world.gap(4, topic=TOPICS[1]), 5).proof
    world.scan(6, 7)
    judged(second)
    assert judged(first).verdict == "not_seen"
    [earlier] = result_of(first).earlier
    assert (earlier.verdict, earlier.until) == ("moved_up", world.date(7))
    assert "Until 9 Nov 2026 this said “moved up”" in result_of(first).sentence
    assert "2 verdicts of this month share 5 % of false alarms" in result_of(first).sentence


def test_those_of_another_month_stay(world, opened):
    first = done(world, opened, 3).proof
    world.scan(4, 5)
    before = judged(first).result
    world.scan(30, 31)
    second = done(world, world.gap(30, topic=TOPICS[1]), 31).proof
    world.scan(32, 33)
    assert result_of(judged(second)).adjusted_p == pytest.approx(second.p, rel=0.01)
    assert judged(first).result == before
