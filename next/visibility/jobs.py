"""The jobs of the worker: what is to be done at which time. The only module that knows both a job and its work."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.jobs import Status

from apikeys import idempotency
from apikeys.models import CallLog, Counter, IdempotentCall
from brands.later import defer_for_brand, defer_measure
from brands.models import INVITATION_LASTS, Brand, Invitation
from visibility.answers.detect import Reader
from visibility.models import Answer, Run
from visibility.scores.measure import measure_runs
from visibility.scores.recount import recount as recount_brand
from visibility.scores.recount import rescore as rescore_brand

BATCH = 10_000
STALLED_AFTER = 15
"""Seconds without a sign of life after which a worker counts as dead."""
KEEP_JOBS = timedelta(days=7)
KEEP_INVITATIONS = timedelta(days=30)


@app.periodic(cron="* * * * * */5")
@app.task(queueing_lock="sweep", priority=100)
async def sweep(timestamp: int) -> None:
    """Drop the jobs of workers that died. Rows say what has to be done, and whatever lacks a living job gets one."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_AFTER):
        await app.job_manager.finish_job(job, status=Status.FAILED, delete_job=True)
    await sync_to_async(defer_what_is_missing)()
    await sync_to_async(end_invitations)()


def defer_what_is_missing() -> None:
    """Give each brand whose history is behind its names a job, and each run that only has to be measured."""
    for brand_id in Brand.objects.filter(counted_version__lt=F("names_version")).values_list("pk", flat=True):
        defer_for_brand("recount", brand_id)
    pending = Answer.objects.filter(run=OuterRef("pk"), state=Answer.State.PENDING)
    for run_id, brand_id in Run.objects.active().exclude(Exists(pending)).values_list("pk", "brand"):
        defer_measure(run_id, brand_id)


def end_invitations() -> None:
    """Delete the invitations of deactivated accounts: nothing that a deactivation ended returns with the account."""
    Invitation.objects.filter(Q(invited_by__is_active=False) | Q(brand__owner__is_active=False)).delete()


@app.task
def measure(run_id: str) -> None:
    """Read, count and score a run whose answers are all there."""
    run = Run.objects.active().filter(pk=run_id).select_related("brand").first()
    if run is not None:
        measure_runs(Reader(run.brand), [run.pk])


@app.task
def recount(brand_id: str) -> None:
    """Count a brand's history anew, after an edit of its names or domains."""
    recount_brand(UUID(brand_id))


@app.task
def rescore(brand_id: str) -> None:
    """Score a brand's history anew, after a decision on its topics."""
    rescore_brand(UUID(brand_id))


@app.periodic(cron="17 3 * * *")
@app.task(queueing_lock="purge")
def purge(timestamp: int) -> None:
    """Delete what has been kept long enough, in batches that hold no lock for long."""
    now = timezone.now()
    call_log_days = timedelta(days=settings.CALL_LOG_DAYS)
    expired: list[QuerySet[Any]] = [
        CallLog.objects.filter(created_at__lt=now - call_log_days),
        IdempotentCall.objects.filter(created_at__lt=now - idempotency.KEEP_FOR),
        Invitation.objects.filter(created_at__lt=now - INVITATION_LASTS - KEEP_INVITATIONS),
        Session.objects.filter(expire_date__lt=now),
        Counter.objects.filter(expires_at__lt=now),
        ProcrastinateJob.objects.filter(
            status__in=[Status.FAILED.value, Status.ABORTED.value], scheduled_at__lt=now - KEEP_JOBS
        ),
    ]
    for rows in expired:
        while _delete_batch(rows):
            pass


def _delete_batch(rows: QuerySet[Any]) -> int:
    """Delete up to BATCH of these rows; return how many went."""
    batch = list(rows.order_by().values_list("pk", flat=True)[:BATCH])
    rows.model._default_manager.filter(pk__in=batch).delete()
    return len(batch)
