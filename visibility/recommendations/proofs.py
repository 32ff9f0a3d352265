"""What was seen after something was done: the same answers before and since, judged once on a day fixed beforehand.

A look after every scan would find a difference by chance (Armitage 1969); and as people choose the topics that they
work on, a proof says what was seen, never that the work did it.
"""

from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from brands.models import Brand, Cadence
from visibility.answers.repeats import day_of
from visibility.metrics import Verdict, chance_of_fewer, prove
from visibility.models import DailyScore, Recommendation
from visibility.recommendations.facts import Facts
from visibility.recommendations.kinds import EARLIER, KINDS
from visibility.recommendations.kinds.base import Count
from visibility.recommendations.queue import facts_of
from visibility.recommendations.resources import ProofState
from visibility.scores.days import counts_of_day

BEFORE = timedelta(days=28)
VERDICT_AFTER, VERDICT_MONTHLY = timedelta(days=28), timedelta(days=62)
"""Days from done to the verdict; of a brand that is scanned monthly, so that two scans are among them."""
LEVEL = 0.05
Status = Recommendation.Status
FINAL: tuple[ProofState, ...] = ("rose", "fell", "no_change")


def plan_proof(row: Recommendation) -> dict[str, Any] | None:
    """What the proof will compare, fixed when a recommendation is marked as done: the day of the verdict, and what is
    counted until then. The day on which it was first seen is left out: it was chosen for being low, so later days are
    higher anyway (regression to the mean). None for what the next audit shows."""
    kind = KINDS.get(row.kind, EARLIER)
    card = None if kind.of_audit else facts_of(row, kind)
    if card is None:
        return None
    topic = kind.topic_of(card)
    today = timezone.now().date()
    gap_day = day_of(row.first_seen_run) if row.first_seen_run else None
    after = VERDICT_MONTHLY if row.brand.cadence == Cadence.MONTHLY else VERDICT_AFTER
    return {
        "doneOn": str(today),
        "verdictOn": str(today + after),
        "gapDay": gap_day and str(gap_day),
        "topic": topic and str(topic),
        "before": {"k": card.k, "of": card.of},
    }


def prove_done(facts: Facts) -> None:
    """Write what was seen of everything that is done, in the caller's transaction; a verdict is judged once."""
    rows = Recommendation.objects.select_for_update(no_key=True, of=("self",)).filter(
        brand=facts.brand, status__in=(Status.DONE, Status.RESOLVED), proof__verdictOn__isnull=False
    )
    for row in rows:
        plan: dict[str, Any] = row.proof or {}
        before = plan.get("result")
        if before and before["state"] in FINAL:
            continue
        found = _result(facts, row)
        if found != before:
            row.proof = {**plan, "result": found}
            row.updated_at = timezone.now()
            row.save(update_fields=["proof", "updated_at"])


def _result(facts: Facts, row: Recommendation) -> dict[str, Any]:
    plan: dict[str, Any] = row.proof or {}
    done, verdict = date.fromisoformat(plan["doneOn"]), date.fromisoformat(plan["verdictOn"])
    last = max((each.day for each in facts.answers), default=done)
    is_due = last >= verdict
    if plan["topic"]:
        return _of_topic(facts.brand, plan, done, last, is_due=is_due)
    kind = KINDS[row.kind]
    card = facts_of(row, kind)
    since = kind.count(facts, card, row.subject) if card is not None and last > done else None
    before = Count(**plan["before"])
    state: ProofState = _state(before, since) if is_due and since else "waiting"
    return _row(state, before, since or Count(0, 0), None)


def _of_topic(brand: Brand, plan: dict[str, Any], done: date, last: date, *, is_due: bool) -> dict[str, Any]:
    """The topic before and since, beside the brand's other topics."""
    days = DailyScore.objects.of_brand(brand).between(done - BEFORE, last).values_list("date", flat=True)
    measured = [day for day in days if day and str(day) != plan["gapDay"]]
    before = [counts_of_day(brand, day).counts for day in measured if day < done]
    since = [counts_of_day(brand, day).counts for day in measured if day > done]
    found = prove(before, since, plan["topic"])
    counts = Count(found.hits_before, found.answers_before), Count(found.hits_since, found.answers_since)
    if not is_due or not found.answers_since:
        return _row("waiting", *counts, found.delta)
    if found.delta is None:  # too few other topics to compare with
        return _row(_state(*counts), *counts, None)
    moved: ProofState = "rose" if found.delta > 0 else "fell"
    return _row(moved if found.verdict == Verdict.MOVED else "no_change", *counts, found.delta)


def _state(before: Count, since: Count) -> ProofState:
    """Whether the answers differ beyond chance (Fisher's test, two-sided)."""
    if not before.of or not since.of:
        return "waiting"
    hits, answers = before.k + since.k, before.of + since.of
    if chance_of_fewer([(before.k, before.of, hits, answers)]) <= LEVEL / 2:
        return "rose"
    return "fell" if chance_of_fewer([(since.k, since.of, hits, answers)]) <= LEVEL / 2 else "no_change"


def _row(state: ProofState, before: Count, since: Count, delta: float | None) -> dict[str, Any]:
    return {
        "state": state,
        "k_before": before.k,
        "of_before": before.of,
        "k_since": since.k,
        "of_since": since.of,
        "delta": None if delta is None else round(delta),
    }
