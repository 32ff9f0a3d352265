"""Whether what was marked as done shows: its topic before and since, compared with the brand's other topics."""

from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from brands.models import Brand
from visibility.answers.repeats import day_of
from visibility.metrics import Proof, Verdict, prove
from visibility.models import DailyScore, Recommendation
from visibility.recommendations.resources import ProofResource, ProofState
from visibility.scores.days import counts_of_day

BEFORE, SINCE = timedelta(days=28), timedelta(days=56)
LEAST_DAYS = 14
"""Days since, before which an effect that is not seen is called too early to tell."""
VERDICTS = {
    "worked": "it worked. Keep the page as it is.",
    "fell": "it fell. Look at what else changed on the topic.",
    "no_effect": "no effect seen. Look whether engines cite the page; if not, whether they can read it.",
    "too_early": "too early to tell. The next scans tell more.",
}


def plan_proof(row: Recommendation) -> dict[str, Any]:
    """What the proof will compare, fixed when a recommendation is marked as done. The day on which it was first seen
    is left out: it was chosen for being low, so later days are higher anyway (regression to the mean)."""
    gap_day = day_of(row.first_seen_run) if row.first_seen_run else None
    return {
        "doneOn": str(timezone.now().date()),
        "gapDay": gap_day and str(gap_day),
        "topic": row.payload.get("topic"),
    }


def prove_done(brand: Brand) -> None:
    """Write the proof of everything that is done and is about a topic, in the caller's transaction."""
    for row in Recommendation.objects.select_for_update(no_key=True).filter(
        brand=brand, status=Recommendation.Status.DONE, proof__topic__isnull=False
    ):
        found = _proof(brand, row.proof)
        if row.proof.get("result") != found:
            row.proof = {**row.proof, "result": found}
            row.updated_at = timezone.now()
            row.save(update_fields=["proof", "updated_at"])


def _proof(brand: Brand, plan: dict[str, Any]) -> dict[str, Any]:
    done = date.fromisoformat(plan["doneOn"])
    days = DailyScore.objects.of_brand(brand).between(done - BEFORE, done + SINCE).values_list("date", flat=True)
    measured = [day for day in days if day and str(day) != plan["gapDay"]]
    before = [counts_of_day(brand, day).counts for day in measured if day < done]
    since = [counts_of_day(brand, day).counts for day in measured if day > done]
    found = prove(before, since, plan["topic"])
    last = max(measured, default=done)
    state = _state(found, (last - done).days)
    return ProofResource(
        state=state,
        sentence=_sentence(found, state),
        done_on=done,
        mentioned_before=found.hits_before,
        answers_before=found.answers_before,
        mentioned_since=found.hits_since,
        answers_since=found.answers_since,
    ).model_dump(mode="json", by_alias=True)


def _state(found: Proof, days: int) -> ProofState:
    if found.verdict == Verdict.MOVED:
        return "worked" if (found.delta or 0) > 0 else "fell"
    return "no_effect" if found.verdict == Verdict.WITHIN_NOISE and days >= LEAST_DAYS else "too_early"


def _sentence(found: Proof, state: ProofState) -> str:
    if not found.answers_since:
        return "Not asked again since it was done."
    counts = (
        f"Mentioned in {found.hits_before} of {found.answers_before} answers before, in {found.hits_since} of "
        f"{found.answers_since} since"
    )
    if found.delta is None:
        return f"{counts}. Too few other topics to compare with, so no effect can be told."
    effect = f"; {abs(found.delta):.0f} points {'more' if found.delta > 0 else 'less'} than the other topics"
    return f"{counts}{effect}: {VERDICTS[state]}"
