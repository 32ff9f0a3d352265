"""On which terms a run asks: how patient it is, and what it may spend, with what it has spent already."""

from collections.abc import Sequence
from decimal import Decimal

from django.conf import settings

from visibility.jobs.lease import LeaseState
from visibility.measured.charges import charges_of
from visibility.models import NameJudgement, Run
from visibility.pipeline.ask.budget import Budget
from visibility.pipeline.ask.prices import Basis, answer_prices
from visibility.pipeline.ask.session import Terms


def terms_of(run: Run, worker: str) -> Terms:
    """The terms of the run in the hands of this worker."""
    return Terms(
        member=worker,
        patience=settings.SCAN_PROVIDER_PATIENCE_SECONDS,
        grace={
            LeaseState.CANCELLED: settings.SCAN_CANCEL_GRACE_SECONDS,
            LeaseState.STOPPING: settings.SCAN_STOP_GRACE_SECONDS,
        },
        budget=budget_of(run, run.engines),
    )


def budget_of(run: Run, engines: Sequence[str]) -> Budget:
    """The caps of the settings for calls of these engines, less what is charged already for answers, for calls
    without one, and for names that were judged.

    A charge that is not known counts as expected.
    """
    answered = run.done + NameJudgement.objects.filter(answer__run=run, answered=True).count()
    if settings.SCAN_MAX_COST_USD is None:
        return Budget(max_answers=settings.SCAN_MAX_CREDITS, answered=answered)
    prices = answer_prices(run.brand, engines)
    budget = Budget(
        max_cost=Decimal(str(settings.SCAN_MAX_COST_USD)),
        max_answers=settings.SCAN_MAX_CREDITS,
        answered=answered,
        prices={name: price for name, (price, _) in prices.items() if price is not None},
        guessed=frozenset(name for name, (_, basis) in prices.items() if basis in (Basis.ASSUMED, Basis.UNKNOWN)),
    )
    for engine, charges in charges_of(run.pk).items():
        if charges.known:
            budget.known[engine] = (charges.cost, charges.known)
        budget.spent += charges.cost + budget.expected(engine) * (charges.calls - charges.known)
    return budget
