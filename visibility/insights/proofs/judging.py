"""What the scans after the work say: collected until the plan is fulfilled, then judged once."""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from apikeys.text.sentences import one_line
from brands.models import Brand
from visibility.insights.proofs.controls import topics_worked_on
from visibility.insights.proofs.days import framed, misfit, read_days
from visibility.insights.proofs.planning import freeze, is_over, judge_unplanned
from visibility.insights.proofs.sharing import share_month
from visibility.insights.proofs.stored import plan_of
from visibility.insights.proofs.types import StoredPlan
from visibility.insights.proofs.wording import why_not
from visibility.measured.topics import read_topics
from visibility.metrics.change import Metric
from visibility.metrics.pairs import DayCounts
from visibility.metrics.proof.judging import judge_proof
from visibility.metrics.proof.types import ProofResult, WhyNot
from visibility.models import Proof

MAX_MISFITS = 3
"""So many measured days in a row that did not measure what was frozen, and nobody waits for another."""


def judge_proofs(brand: Brand, now: datetime) -> None:
    """Go on with the brand's proofs by the days that are measured now: find the baseline of those that wait for one,
    judge those whose plan is fulfilled or whose time is over. Those that nobody's work belongs to any more go.

    Changes nothing where nothing new was measured. Call it under the lock of the brand's row.
    """
    under_way = Proof.objects.filter(brand=brand).exclude(state=Proof.State.JUDGED).order_by("done_at", "pk")
    if not under_way.exists():
        return
    under_way.filter(recommendations=None).delete()
    results: dict[Proof, tuple[ProofResult, list[date]]] = {}
    for proof in under_way.select_for_update(of=("self",)):
        if proof.state == Proof.State.BASELINE:
            freeze(brand, proof, plan_of(proof).gap_days, now)
        if proof.state == Proof.State.COLLECTING:
            result = _judged(brand, proof, now)
            if result is not None:
                results[proof] = result
        proof.save()
    share_month(brand, results, now)


def _judged(brand: Brand, proof: Proof, now: datetime) -> tuple[ProofResult, list[date]] | None:
    """What the scans of the plan say, and their days; None where more are waited for, or where nothing can be
    compared, which is said of the proof."""
    plan = plan_of(proof)
    measured = [day for day in read_days(brand, min(plan.gap_days), plan.last) if day.day not in plan.gap_days]
    [topic] = {*plan.wordings.values()} - {*plan.control_topics}
    baseline = [framed(day, plan.engines, plan.wordings) for day in measured if day.day in plan.baseline]
    later = [day for day in measured if day.day >= plan.not_before]
    reasons = [misfit(day, plan.engines, plan.wordings, topic) for day in later]
    after = [framed(day, plan.engines, plan.wordings) for day, why in zip(later, reasons, strict=True) if why is None]
    why = _why_not(plan, baseline, len(after), reasons, now)
    if why is None and len(after) >= plan.scans:
        after = after[: plan.scans]
        controls = {*plan.control_topics} - topics_worked_on(brand, min(plan.baseline))
        result = judge_proof(baseline, after, topic, Metric(proof.metric), controls)
        if result.why_not is None:
            return result, [day.day for day in after]
        why = result.why_not
    if why is not None:
        name = one_line(read_topics(brand.pk).name_of(proof.topic))
        judge_unplanned(proof, plan, why, why_not(why, name, plan, len(after)), now)
    return None


def _why_not(
    plan: StoredPlan, baseline: Collection[DayCounts], scans: int, reasons: Sequence[WhyNot | None], now: datetime
) -> WhyNot | None:
    """Why nothing can be compared any more; None where it can, or where more scans are waited for."""
    if not baseline:
        return WhyNot.NO_BASELINE
    if scans >= plan.scans:
        return None
    latest = reasons[-MAX_MISFITS:]
    if len(latest) == MAX_MISFITS and all(latest):
        return latest[-1]
    return WhyNot.NO_SCANS if is_over(plan.last, now) else None
