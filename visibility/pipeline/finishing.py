"""The last stage of a run: its status, its score, the scores of its days, its price, and what to do about it."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone

from apikeys.errors import ErrorCode
from visibility.insights.proofs.judging import judge_proofs
from visibility.insights.recommendations import refresh_recommendations
from visibility.insights.suggestions import refresh_suggestions
from visibility.jobs.kinds import RUN
from visibility.jobs.lease import NO_LEASE, fenced, hold_brand
from visibility.measured.charges import charges_in_words, charges_of_failures, total
from visibility.measured.generations import tracked_names_in
from visibility.measured.names import TrackedNames
from visibility.measured.sampling import days_of
from visibility.metrics.types import UNMEASURED, Estimate
from visibility.models import DailyScore, Run, RunScore
from visibility.pipeline.circumstances import Circumstances
from visibility.pipeline.credits import settle
from visibility.pipeline.days.scoring import score_days, score_run
from visibility.pipeline.generations.planning import plan_generation
from visibility.pipeline.items import items_of
from visibility.pipeline.provider_calls import SPEND_CAP

INCOMPLETE = "incomplete"
SETTLED_PER_TICK = 100
ATTEMPTS_EXHAUSTED = "attempts_exhausted"


def finish(
    runs: Sequence[Run], worker: str, tracked: TrackedNames, circumstances: Circumstances | None = None
) -> bool:
    """End runs of one brand that were asked and analysed for `tracked`: succeeded, partial, or failed without an
    answer. Each of their days is scored once, and what follows from the days is derived once, after the last.

    Only visibility runs are scored. Without `circumstances` this is here and now.

    One transaction, under the lock of the brand's row: all of it is there, or none and the runs are finished again.
    False, and nothing is written, when the brand's figures are of another tracked by now: it may be replaced until
    the lock is held.
    """
    now = (circumstances or Circumstances()).now()
    with transaction.atomic():
        brand = hold_brand(runs[0].brand)
        if tracked_names_in(plan_generation(brand)) != tracked:
            return False
        for run in runs:
            with fenced(RUN, run.pk, worker):
                run.refresh_from_db(fields=["done", "failed", "total"])
                end_run(run, *verdict(run), UNMEASURED, now)
        measured = [run for run in runs if run.done and run.kind == Run.Kind.VISIBILITY]
        if measured:
            days = {run.pk: days_of(run) for run in measured}
            scored = score_days(brand, tracked, chain.from_iterable(days.values()))
            for run in measured:
                _keep_score(run, tracked, _alone(run, days[run.pk], scored) or score_run(tracked, run))
            refresh_recommendations(brand, measured[-1], now)
            refresh_suggestions(brand)
            judge_proofs(brand, now)
    return True


def give_up(run: Run, worker: str) -> None:
    """End a run that broke off too often without progress; what came until then is kept and paid."""
    items = items_of(run)
    with transaction.atomic():
        hold_brand(run.brand)
        with fenced(RUN, run.pk, worker):
            abandoned = items.abandon(
                run.pk, ATTEMPTS_EXHAUSTED, f"The {items.work} was stopped before this was asked."
            )
            run.refresh_from_db(fields=["done", "failed", "total", "error_message"])
            run.failed += abandoned
            Run.objects.filter(pk=run.pk).update(failed=run.failed)
            status = Run.Status.PARTIAL if run.done and items.usable_alone else Run.Status.FAILED
            message = f"The {items.work} was interrupted again and again and was stopped. Start another one."
            explanation = " ".join(filter(None, (message, run.error_message, _charged(run))))
            end_run(run, status, ATTEMPTS_EXHAUSTED, explanation, UNMEASURED, timezone.now())


def end_cancelled(run_id: UUID, worker: str) -> None:
    """Let go of a run that was cancelled, once the answers that were under way are stored, and settle its credits.

    Does nothing to a run that is not cancelled, or not the worker's.
    """
    with transaction.atomic():
        cancelled = Run.objects.filter(pk=run_id, worker=worker, status=Run.Status.CANCELLED)
        if cancelled.update(**NO_LEASE):
            settle(Run.objects.get(pk=run_id))


def settle_abandoned() -> None:
    """Settle cancelled runs whose workers died before they could."""
    abandoned = Run.objects.filter(status=Run.Status.CANCELLED, settled_at=None, lease_until__lt=timezone.now())
    for run in abandoned.order_by("lease_until")[:SETTLED_PER_TICK]:
        end_cancelled(run.pk, run.worker)


def end_run(run: Run, status: Run.Status, code: str, message: str, score: Estimate, now: datetime) -> None:
    """Write how the run ended, let go of it, and settle its credits; in the fenced transaction that ends it."""
    Run.objects.filter(pk=run.pk).update(
        status=status,
        # An imported run keeps the time of its last answer.
        finished_at=Coalesce("finished_at", now),
        score=score.value,
        low=score.low,
        high=score.high,
        interval=score.interval,
        error_code=code,
        error_message=message,
        **NO_LEASE,
    )
    settle(run)


def _alone(run: Run, days: Sequence[date], scored: Mapping[date, DailyScore]) -> Estimate | None:
    """The score of the run's day, where that has the answers of this run alone and the run those of this day."""
    row = scored.get(days[0]) if len(days) == 1 else None
    return Estimate(row.score, row.low, row.high, row.interval) if row and row.runs == [str(run.pk)] else None


def _keep_score(run: Run, tracked: TrackedNames, score: Estimate) -> None:
    fields = {"score": score.value, "low": score.low, "high": score.high, "interval": score.interval}
    Run.objects.filter(pk=run.pk).update(**fields)
    RunScore.objects.filter(generation=tracked.generation, run=run).update(stage=RunScore.Stage.SCORED, **fields)


def verdict(run: Run) -> tuple[Run.Status, str, str]:
    """The status that the counts of the run amount to, with a code and a sentence where items are missing."""
    if run.done == run.total:
        return Run.Status.SUCCEEDED, "", ""
    items = items_of(run)
    reasons = items.reasons(run.pk)
    counts = ", ".join(f"{code} {count}" for code, count in reasons)
    charged = _charged(run)
    if run.done:
        message = (
            f"{run.failed} of {run.total} {items.many} failed ({counts}). The result rests on the others. {charged}"
        )
        code = SPEND_CAP if any(code == SPEND_CAP for code, _ in reasons) else INCOMPLETE
        return Run.Status.PARTIAL, code, message.strip()
    code = reasons[0][0] if reasons else ErrorCode.INTERNAL_ERROR
    message = f"{items.none_done.format(total=run.total)} ({counts}). No credits were spent. {charged}"
    return Run.Status.FAILED, code, message.strip()


def _charged(run: Run) -> str:
    """What the providers charged for calls that gave no answer, which credits do not tell."""
    charges = total(charges_of_failures(run.pk).values())
    if not charges.calls:
        return ""
    said = "that the providers charged" if charges.known == charges.calls else "that were charged, or may have been"
    return f"Calls without an answer {said}: {charges_in_words(charges)}."
