"""Having a run that makes no progress tried again at once."""

from functools import partial

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError, not_found
from brands.services.access import editable_brand
from visibility.jobs.kinds import AUDIT, RUN
from visibility.jobs.queue import enqueue
from visibility.models import Run


def requeue_run(caller: Caller, *, run: Run) -> Run:
    """Announce a run that waits, or whose worker is gone, as due now, its failures forgotten; answers are kept.

    Raises not_found, read_only_collaborator, and conflict for a run that has ended or that a worker is at.
    """
    with transaction.atomic():
        editable_brand(caller, run.brand_id, lock=True)
        current: Run | None = Run.objects.select_for_update().filter(pk=run.pk).first()
        if current is None:
            raise not_found()
        now = timezone.now()
        if not current.is_active:
            raise ServiceError(ErrorCode.CONFLICT, "This run has already ended; start another one instead.")
        if current.is_held_at(now):
            raise ServiceError(
                ErrorCode.CONFLICT,
                f"A worker is at this run until {current.lease_until:%H:%M:%S} UTC. Wait, or cancel the run.",
            )
        current.attempt, current.not_before, current.dispatched_at = 0, now, None
        current.error_code = current.error_message = ""
        current.save(update_fields=["attempt", "not_before", "dispatched_at", "error_code", "error_message"])
        kind = AUDIT if current.kind == Run.Kind.AUDIT else RUN
        transaction.on_commit(partial(enqueue, kind, current.pk))
    return current
