"""On which terms a run asks: how patient it is, and what it may spend, with what it has spent already."""

from decimal import Decimal

from django.conf import settings
from django.db.models import Count, Sum

from visibility.models import Answer, Run
from visibility.scans.asking.budget import NOTHING, Budget
from visibility.scans.asking.session import Terms
from visibility.scans.claim import Standing
from visibility.services.estimates import answer_prices


def terms_of(run: Run, worker: str) -> Terms:
    """The terms of the run in the hands of this worker."""
    return Terms(
        member=worker,
        patience=settings.SCAN_PROVIDER_PATIENCE_SECONDS,
        grace={
            Standing.CANCELLED: settings.SCAN_CANCEL_GRACE_SECONDS,
            Standing.STOPPING: settings.SCAN_STOP_GRACE_SECONDS,
        },
        budget=_budget(run),
    )


def _budget(run: Run) -> Budget:
    """The caps of the settings, less what answers that are stored have cost, as known or else as expected."""
    if settings.SCAN_MAX_COST_USD is None:
        return Budget(max_answers=settings.SCAN_MAX_CREDITS, answered=run.done)
    known = {name: price for name, (price, _) in answer_prices(run.brand, run.engines).items() if price is not None}
    answers = Answer.objects.filter(run=run, state=Answer.State.ANSWERED).order_by().values("engine")
    spent = NOTHING
    for row in answers.annotate(sum=Sum("cost"), unknown=Count("pk") - Count("cost")):
        spent += (row["sum"] or NOTHING) + row["unknown"] * known.get(row["engine"], NOTHING)
    return Budget(
        max_cost=Decimal(str(settings.SCAN_MAX_COST_USD)),
        max_answers=settings.SCAN_MAX_CREDITS,
        spent=spent,
        answered=run.done,
        prices=known,
    )
