"""What a proof takes, frozen when the work is done: the prompts, engines, baseline days, scans and their cost."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from math import ceil
from typing import Any

from apikeys.text.sentences import one_line
from brands.models import Brand
from visibility.insights.proofs.controls import topics_worked_on
from visibility.insights.proofs.days import alike, read_days, topic_in, wordings_in
from visibility.insights.proofs.stored import plan_of
from visibility.insights.proofs.types import StoredPlan, StoredResult
from visibility.insights.proofs.wording import (
    NO_TOPIC,
    no_baseline,
    plan_sentence,
    waiting_sentence,
    why_no_plan,
)
from visibility.insights.recommendations.kind import ProvenBy
from visibility.insights.recommendations.kinds import KINDS
from visibility.measured.basis import CADENCE_DAYS
from visibility.measured.stored import as_stored
from visibility.measured.topics import read_topics
from visibility.metrics.change import Metric
from visibility.metrics.pairs import DayCounts
from visibility.metrics.proof.planning import TARGET, plan_proof
from visibility.metrics.proof.types import ProofVerdict, WhyNot
from visibility.models import Proof, Recommendation

MAX_BASELINE = 14
"""The latest measured days that a baseline pools: older ones tell less of now than they add."""
LOOKED_BACK = timedelta(days=28)
"""Days so far before the gap still tell how much topics move by themselves."""
MAX_WAIT = timedelta(days=60)
"""How long scans are waited for; longer where the brand's cadence takes longer."""
ONE_DAY = timedelta(days=1)
LATE = timedelta(days=1)
"""How long after a day a scan of it may still end."""
_NOTHING: Mapping[str, Any] = dict.fromkeys(("own", "control", "delta", "low", "high", "adjusted_p", "least"))
_METRICS = {ProvenBy.SCORE: Metric.SCORE, ProvenBy.CITATION_RATE: Metric.CITATION_RATE}


def proven_by(kind: str) -> ProvenBy:
    """What shows that doing a recommendation of this kind has helped."""
    return next((member.proven_by for member in KINDS if member.id == kind), ProvenBy.NOTHING)


def begin(brand: Brand, recommendation: Recommendation, now: datetime) -> Proof | None:
    """Have the recommendation, which is done now, proven: by the proof that is under way on its topic, or by one that
    is planned. None where its kind is proven otherwise, or by nothing.

    Stored; the recommendation's own row is left to the caller. Call it under the lock of the brand's row.
    """
    proof = _planned(brand, recommendation, now)
    if proof is not None:
        proof.save()
    return proof


def _planned(brand: Brand, recommendation: Recommendation, now: datetime) -> Proof | None:
    metric = _METRICS.get(proven_by(recommendation.kind))
    if metric is None:
        return None
    shared = Proof.objects.filter(brand=brand, topic=recommendation.topic, metric=metric.value)
    proof: Proof | None = shared.exclude(state=Proof.State.JUDGED).first()
    opened = recommendation.opened_on or recommendation.opened_at.astimezone(UTC).date()
    gap_days = {opened}
    if proof is None:
        proof = Proof(brand=brand, topic=recommendation.topic, metric=metric.value, done_at=now)
    else:
        gap_days |= set(plan_of(proof).gap_days)
        if gap_days == set(plan_of(proof).gap_days):
            return proof
    freeze(brand, proof, gap_days, now)
    return proof


def freeze(brand: Brand, proof: Proof, gap_days: Collection[date], now: datetime) -> None:
    """Plan the proof by the days that are measured, or leave it waiting for a baseline; not stored.

    The baseline are the measured days behind the first gap day up to the day of the work, none of them a gap day;
    where there are none, the first measured day behind, the day after the work at the latest. `now` is when that is
    looked at: once that day is over, nothing can be compared.
    """
    done_on = proof.done_at.astimezone(UTC).date()
    plan = _empty(sorted(gap_days), done_on)
    if not proof.topic:
        judge_unplanned(proof, plan, WhyNot.NO_CONTROL, NO_TOPIC, now)
        return
    days = [day for day in read_days(brand, min(gap_days) - LOOKED_BACK, done_on + ONE_DAY) if day.averaged]
    baseline = _baseline(days, plan.gap_days, done_on)
    if baseline:
        _plan(brand, proof, plan, days, baseline, now)
    elif is_over(done_on + ONE_DAY, now):
        judge_unplanned(proof, plan, WhyNot.NO_BASELINE, no_baseline(plan), now)
    else:
        proof.state, proof.waits_until = Proof.State.BASELINE, plan.last
        proof.plan = as_stored(replace(plan, sentence=waiting_sentence(plan)))


def is_over(day: date, now: datetime) -> bool:
    """Whether nothing will be measured of a day any more."""
    return now.astimezone(UTC).date() > day + LATE


def judge_unplanned(proof: Proof, plan: StoredPlan, why: WhyNot, sentence: str, now: datetime) -> None:
    """Say that nothing can be compared, and why; not stored."""
    proof.state, proof.verdict = Proof.State.JUDGED, ProofVerdict.NOT_COMPARABLE.value
    proof.judged_at, proof.waits_until, proof.p = now, None, None
    proof.plan = as_stored(replace(plan, why_not=why.value, sentence=plan.sentence or sentence))
    proof.result = as_stored(StoredResult(**_NOTHING, days=(), why_not=why.value, sentence=sentence))


def _empty(gap_days: Sequence[date], done_on: date) -> StoredPlan:
    return StoredPlan(
        engines=(), wordings={}, control_topics=(), baseline=(), gap_days=gap_days, scans=0, answers=0, credits=0,
        least=None, target=TARGET, reaches_target=False, not_before=done_on + ONE_DAY, last=done_on + ONE_DAY,
        why_not=None, sentence="",
    )  # fmt: skip


def _baseline(days: Sequence[DayCounts], gap_days: Collection[date], done_on: date) -> list[date]:
    fresh = [day.day for day in days if day.day > min(gap_days) and day.day not in gap_days]
    return [day for day in fresh if day <= done_on][-MAX_BASELINE:] or fresh[:1]


def _plan(
    brand: Brand, proof: Proof, plan: StoredPlan, days: Sequence[DayCounts], baseline: Sequence[date], now: datetime
) -> None:
    """Freeze what the last day of the baseline measured, with the other days that measured the same."""
    latest = next(day for day in days if day.day == baseline[-1])
    key, metric = topic_in(latest, proof.topic), Metric(proof.metric)
    controls = {*latest.topics} - {key} - topics_worked_on(brand, baseline[0])
    wordings = {name: topic for name, topic in wordings_in(latest).items() if topic == key or topic in controls}
    comparable = alike(days, latest.averaged, wordings, key)
    pooled = [day for day in comparable if day.day in baseline]
    earlier = [day for day in comparable if day.day < baseline[-1] and day.day not in baseline]
    size = plan_proof(pooled, key, metric, earlier=earlier, controls=controls)
    not_before = max(plan.not_before, latest.day + ONE_DAY)
    plan = replace(
        plan,
        engines=sorted(latest.averaged),
        wordings=wordings,
        control_topics=sorted({*wordings.values()} - {key}),
        baseline=[day.day for day in pooled],
        scans=size.scans,
        answers=size.answers,
        credits=size.scans * int(latest.answers.sum()),
        least=size.least,
        target=size.target,
        reaches_target=size.reaches_target,
        not_before=not_before,
        last=not_before + _wait(brand, size.scans) - ONE_DAY,
    )
    topic = one_line(read_topics(brand.pk).name_of(proof.topic))
    if size.why_not:
        judge_unplanned(proof, plan, size.why_not, why_no_plan(size.why_not, topic), now)
        return
    proof.state, proof.waits_until = Proof.State.COLLECTING, plan.last
    proof.plan = as_stored(replace(plan, sentence=plan_sentence(plan, topic, metric)))


def _wait(brand: Brand, scans: int) -> timedelta:
    """Half as long again as the cadence takes for so many scans, and 60 days at least."""
    return max(MAX_WAIT, timedelta(days=ceil(1.5 * scans * CADENCE_DAYS.get(brand.cadence, 0))))


def note_scan(proof: Proof, sentence: str) -> None:
    """Add to a waiting plan what came of ordering its scan."""
    plan = plan_of(proof)
    proof.plan = as_stored(replace(plan, sentence=f"{plan.sentence} {sentence}"))
    proof.save(update_fields=["plan"])


def drop_unjudged(proof: Proof | None) -> None:
    """Drop a proof without a verdict that no work belongs to any more."""
    if proof is not None:
        Proof.objects.filter(pk=proof.pk, recommendations=None).exclude(state=Proof.State.JUDGED).delete()
