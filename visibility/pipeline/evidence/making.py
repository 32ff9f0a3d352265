"""Makes the evidence of a brand anew, in one turn of a worker."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from visibility.insights.recommendations import refresh_from_evidence
from visibility.jobs.heartbeat import Heartbeat
from visibility.jobs.kinds import EVIDENCE
from visibility.jobs.lease import NO_LEASE, fenced, hold_brand
from visibility.jobs.stopping import Stopping, stopping
from visibility.jobs.turns import take_turn
from visibility.models import BrandEvidence, Evidence
from visibility.pipeline.evidence.finding import FINDERS
from visibility.pipeline.evidence.gathering import gather
from visibility.pipeline.evidence.planning import stamp_of


def make_evidence(job_id: UUID, worker: str) -> None:
    """Make the evidence anew; returns at once when it is not due or another holds it.

    `worker` is unique for each call. Each kind is stored when it is found; what is not is found by a later turn. A
    failure puts the job off, with its reason.
    """
    take_turn(EVIDENCE, job_id, worker, _carry_out)


def _carry_out(job: BrandEvidence, worker: str, heartbeat: Heartbeat) -> bool:
    for _ in make_steps(job, worker):
        if stopping.is_set():
            raise Stopping
    return True


def make_steps(job: BrandEvidence, worker: str) -> Iterator[None]:
    """Find and store one kind after the other; at the last step the evidence is made, and what it recommends.

    Nothing is held while it is read and found. What changes meanwhile makes another stamp, and the evidence is made
    once more.
    """
    stamp = stamp_of(job.brand_id)
    gathered = gather(job.brand)
    for find in FINDERS:
        _keep(job, worker, find(gathered))
        yield
    with transaction.atomic():
        brand = hold_brand(job.brand)
        with fenced(EVIDENCE, job.pk, worker):
            _end(job, stamp)
            refresh_from_evidence(brand)
    yield


def _end(job: BrandEvidence, stamp: str) -> None:
    BrandEvidence.objects.filter(pk=job.pk).update(
        state=BrandEvidence.State.MADE,
        stamp=stamp,
        made_at=timezone.now(),
        attempt=0,
        error_message="",
        **NO_LEASE,
    )


def _keep(job: BrandEvidence, worker: str, rows: Sequence[Evidence]) -> None:
    """Have these rows take the place of those of their kind."""
    for row in rows:
        row.brand_id = job.brand_id
    kinds = {row.kind for row in rows}
    with transaction.atomic():
        hold_brand(job.brand)
        with fenced(EVIDENCE, job.pk, worker):
            Evidence.objects.filter(brand=job.brand_id, kind__in=kinds).delete()
            Evidence.objects.bulk_create(rows)
