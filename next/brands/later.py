"""What must happen later: jobs by their names, enqueued in the transaction of their cause.

Whoever enqueues knows only the name; `visibility/jobs.py` alone imports what a job runs.
"""

from uuid import UUID

from django.db import transaction
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.types import JSONValue


def defer_for_brand(name: str, brand_id: UUID) -> None:
    """Enqueue `recount` or `rescore` of a brand, unless it waits already."""
    _defer(name, brand_id, brand_id, {"brand_id": str(brand_id)})


def defer_measure(run_id: UUID, brand_id: UUID) -> None:
    """Enqueue the measuring of a run, unless it waits already."""
    _defer("measure", brand_id, run_id, {"run_id": str(run_id)})


def _defer(name: str, brand_id: UUID, subject: UUID, arguments: dict[str, JSONValue]) -> None:
    """Jobs of one brand run one after the other."""
    job = app.configure_task(f"visibility.jobs.{name}", lock=f"brand:{brand_id}", queueing_lock=f"{name}:{subject}")
    try:
        with transaction.atomic():  # a savepoint: the refusal of a second one must not break the transaction
            job.defer(**arguments)
    except AlreadyEnqueued:
        return
