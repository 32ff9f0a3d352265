"""Rows of the ledger for tests: what calls of a run came to, without making them."""

from decimal import Decimal

from django.utils import timezone

from visibility.models import ProviderCall


def answered_call(run, *, engine="engine", cost=None, answer=None, **more):
    """A call of the run that was answered for a credit; its cost is not known unless given."""
    return ProviderCall.objects.create(
        **{
            "purpose": "scan",
            "outcome": "answered",
            "engine": engine,
            "run": run,
            "brand": run.brand,
            "brand_name": run.brand.name,
            "account": run.brand.owner,
            "created_at": run.created_at,
            "settled_at": timezone.now(),
            "answer": answer,
            "cost": None if cost is None else Decimal(cost),
            "credits": 1,
            **more,
        }
    )
