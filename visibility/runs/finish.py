"""The end of a run: how it went, and the credits of what was never answered given back, once."""

from collections import Counter

from django.db.models import Count
from django.utils import timezone

from apikeys.accounts.usage import give_back
from apikeys.models import Usage
from visibility.models import Answer, ProviderCall, Run


def finish(run: Run) -> None:
    """End a locked run whose answers are all there: its status, what failed, its credits; not its scores."""
    succeeded = Run.Status.PARTIAL if run.failed else Run.Status.SUCCEEDED
    run.status = succeeded if run.done else Run.Status.FAILED
    run.finished_at = run.finished_at or timezone.now()
    if run.failed:
        run.error_code, run.error_message = _failures(run)
    run.save(update_fields=["status", "finished_at", "error_code", "error_message"])
    settle(run)


def settle(run: Run) -> None:
    """Charge a locked run for the answers that came, and give the rest of its credits back to their month."""
    if run.settled_at is not None:
        return
    run.credits_spent, run.settled_at = min(run.done, run.credits_reserved), timezone.now()
    run.save(update_fields=["credits_spent", "settled_at"])
    if run.payer_id and run.credits_month:
        give_back(run.payer_id, Usage.Kind.CREDITS, run.credits_month, run.credits_reserved - run.credits_spent)


def settle_cancelled(run: Run) -> bool:
    """Settle a locked, cancelled run unless calls of it are under way, whose answers will be paid; returns whether.

    What was not asked by then never will be.
    """
    if ProviderCall.objects.filter(run=run.pk, outcome=ProviderCall.Outcome.PENDING).exists():
        return False
    left = run.answers.pending().update(
        state=Answer.State.FAILED, error_code="cancelled", error_message="The run was cancelled."
    )
    run.failed += left
    run.save(update_fields=["failed"])
    settle(run)
    return True


def _failures(run: Run) -> tuple[str, str]:
    """The most frequent code, and a sentence that counts what failed by engine and code."""
    failed = run.answers.filter(state=Answer.State.FAILED)
    groups = failed.values_list("engine__name", "error_code").annotate(number=Count("pk")).order_by("-number")
    codes: Counter[str] = Counter()
    for _, code, number in groups:
        codes[code] += number
    if not codes:
        return "", ""
    parts = ", ".join(f"{number} of {engine} ({code})" for engine, code, number in groups[:5])
    return codes.most_common(1)[0][0], f"{run.failed:,} of {run.total:,} answers failed: {parts}."[:500]
