"""Histories in which nothing changes, through the real store: a gap opens by chance, somebody is done, later days are
measured. The baseline is not low by selection, and hardly any verdict claims an effect."""

from datetime import timedelta

import numpy as np
import pytest

from tests.factories import BrandFactory, RecommendationFactory
from tests.generations import tracked_names_of
from tests.loop.conftest import FIRST
from visibility.detection.types import BRAND
from visibility.insights.proofs.judging import judge_proofs
from visibility.insights.proofs.planning import begin
from visibility.insights.proofs.stored import plan_of
from visibility.measured.counts import packed
from visibility.metrics.pairs import DayCounts
from visibility.models import DayCount

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("planted")]

HISTORIES = 40
TOPICS, PROMPTS, ANSWERS, RATE = 8, 4, 3, 0.5
LOW = 0.34
"""A gap opens where so few of a day's answers on the topic name the brand: by chance alone, on one day of ten."""


def counts(random, day):
    """A day of one engine that names the brand in half of its answers, whatever the topic."""
    shape = (1, TOPICS * PROMPTS)
    return DayCounts(
        day=day,
        subjects=(BRAND,),
        engines=("chat",),
        averaged=frozenset({"chat"}),
        prompts=tuple(str(number) for number in range(shape[1])),
        topics=tuple(f"t{number // PROMPTS}" for number in range(shape[1])),
        named=np.zeros((shape[1], 1), dtype=bool),
        answers=np.full(shape, float(ANSWERS)),
        mentioned=random.binomial(ANSWERS, RATE, (*shape, 1)).astype(float),
        cited=np.zeros((*shape, 1)),
    )


def own_rate(day):
    return day.mentioned[0, :PROMPTS, 0].sum() / (PROMPTS * ANSWERS)


def history(seed):
    """What the day of the gap and the baseline say of the topic, and the verdict."""
    random = np.random.default_rng(seed)
    brand = BrandFactory()
    generation = tracked_names_of(brand).generation
    days = []

    def measure():
        day = counts(random, (FIRST + timedelta(days=len(days))).date())
        days.append(day)
        content = packed(day)
        DayCount.of_all_generations.create(brand=brand, generation_id=generation, date=day.day, content=content)
        return day

    while own_rate(measure()) > LOW:
        pass
    gap = days[-1]
    for _ in range(3):
        measure()
    row = RecommendationFactory(brand=brand, kind="criterion", topic="t0", opened_on=gap.day, status="done")
    now = FIRST + timedelta(days=len(days) - 1, hours=3)
    row.proof = begin(brand, row, now)
    row.save()
    plan = plan_of(row.proof)
    while len(days) < 60 and row.proof.state == "collecting":
        judge_proofs(brand, FIRST + timedelta(days=len(days) - 1, hours=3))
        row.proof.refresh_from_db()
        measure()
    baseline = [own_rate(day) for day in days if day.day in plan.baseline]
    assert len(baseline) == 3
    return own_rate(gap), float(np.mean(baseline)), row.proof.verdict


def test_nothing_changes_and_nothing_is_claimed():
    gaps, baselines, verdicts = zip(*(history(seed) for seed in range(HISTORIES)), strict=True)
    error = (RATE * (1 - RATE) / (PROMPTS * ANSWERS * 3) / HISTORIES) ** 0.5
    assert abs(np.mean(baselines) - RATE) < 2.5 * error
    assert np.mean(gaps) < RATE - 0.15
    assert set(verdicts) <= {"not_seen", "moved_up", "moved_down"}
    assert sum(verdict != "not_seen" for verdict in verdicts) <= 5  # of 40 at 5 %: more once in 70 times
