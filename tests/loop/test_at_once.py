"""Simultaneous callers and workers: one proof, one scan, one verdict."""

import pytest

from tests.loop.conftest import done
from visibility.insights.proofs import sharing
from visibility.models import Proof, Recommendation, Run, StatusChange
from visibility.pipeline.overdue import judge_overdue
from visibility.services.recommendations.deciding import set_status

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("planted"), pytest.mark.django_db(transaction=True)]
CALLERS = 12


def test_work_on_one_topic_that_is_done_at_once_has_one_proof_and_one_scan(world, at_once):
    world.prompts = world.prompts[:1]
    rows = [world.gap(0, subject=f"gap {number}") for number in range(CALLERS)]
    world.at(2)
    results = at_once(CALLERS, lambda number: set_status(world.owner, recommendation=rows[number], status="done"))
    assert [result for result in results if isinstance(result, Exception)] == []
    [proof] = Proof.objects.all()
    assert proof.recommendations.count() == CALLERS
    assert Run.objects.count() == 1
    assert StatusChange.objects.count() == CALLERS


def test_those_who_reopen_and_those_who_are_done_leave_no_proof_without_work(world, at_once):
    rows = [world.gap(0, subject=f"gap {number}") for number in range(CALLERS)]
    world.at(2)
    for row in rows[: CALLERS // 2]:
        set_status(world.owner, recommendation=row, status="done")

    def turn(number):
        status = "open" if number < CALLERS // 2 else "done"
        return set_status(world.owner, recommendation=rows[number], status=status)

    results = at_once(CALLERS, turn)
    assert [result for result in results if isinstance(result, Exception)] == []
    [proof] = Proof.objects.all()
    assert set(Recommendation.objects.filter(proof=proof)) == set(rows[CALLERS // 2 :])


def test_workers_that_judge_at_once_give_one_verdict(world, at_once, monkeypatch):
    proof = done(world, world.gap(0), 2).proof
    judged = []
    share = sharing.share_month
    monkeypatch.setattr(
        "visibility.insights.proofs.judging.share_month",
        lambda brand, results, now: (judged.append(len(results)), share(brand, results, now)),
    )
    world.at(9)
    assert [result for result in at_once(CALLERS, lambda number: judge_overdue()) if result is not None] == []
    proof.refresh_from_db()
    assert (proof.state, proof.verdict) == ("judged", "not_comparable")
    assert len(judged) == 1
