"""The jobs of the worker: what is to be done at which time. The only module that knows both a job and its work."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.jobs import Status

from apikeys.accounts import address, idempotency
from apikeys.accounts.operators import system_caller
from apikeys.accounts.waysin import ended_sessions
from apikeys.connect.tokens import expired as expired_connections
from apikeys.mail import sending
from apikeys.models import AddressChange, CallLog, Counter, IdempotentCall
from apikeys.signin import links
from apikeys.signin.seals import seal_again
from brands.later import defer_advise, defer_for_brand, defer_for_run, defer_measure
from brands.models import INVITATION_LASTS, Brand, Invitation
from brands.names import raise_detector_version
from brands.trail import expired as expired_changes
from visibility.answers.detect import Reader, detect
from visibility.answers.preferences import measure_comparison
from visibility.audits.run import audit as audit_run
from visibility.detection import VERSION
from visibility.evidence.making import make_evidence
from visibility.letters.alerts import write_alerts
from visibility.letters.delivery import due_readers, write_due_letters
from visibility.letters.rights import may_read
from visibility.models import Answer, AuditPage, ProviderCall, RawBody, Run
from visibility.reading.services import read_topics
from visibility.recommendations.advise import recommend
from visibility.runs.ask import ask as ask_run
from visibility.runs.ask import in_thread
from visibility.runs.finish import settle_cancelled
from visibility.runs.schedule import start_due_scans
from visibility.runs.services import cancel_ownerless_runs
from visibility.scores.engine_changes import watch_engines
from visibility.scores.history import defer_new_method
from visibility.scores.measure import measure_waiting
from visibility.scores.recount import recount as recount_brand
from visibility.scores.recount import rescore as rescore_brand
from visibility.scores.retention import delete_answers

BATCH = 10_000
STALLED_AFTER = 15
"""Seconds without a sign of life after which a worker counts as dead."""
KEEP_JOBS = timedelta(days=7)
KEEP_INVITATIONS = timedelta(days=30)
LONGEST_IMPORT = timedelta(minutes=10)
"""An import that takes longer is taken to have died: its days are measured for it."""
LONGEST_CALL = timedelta(minutes=10)
"""Longer than any provider takes to answer, several turns of one answer included."""

logger = logging.getLogger(__name__)


@app.periodic(cron="* * * * * */5")
@app.task(queueing_lock="sweep", priority=100)
async def sweep(timestamp: int) -> None:
    """Drop the jobs of workers that died. Rows say what has to be done, and whatever lacks a living job gets one."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_AFTER):
        await app.job_manager.finish_job(job, status=Status.FAILED, delete_job=True)
    for step in (end_overdue_calls, cancel_ownerless_runs, settle_cancelled_runs, defer_what_is_missing):
        await sync_to_async(_try)(step)
    await sync_to_async(_try)(end_invitations)
    await sync_to_async(_try)(defer_letters)
    await sync_to_async(_try)(defer_mail)
    await sync_to_async(_try)(lambda: start_due_scans(system_caller("schedule")))


def _try(step: Callable[[], None]) -> None:
    """Run a step; log its failure, so that the others still run."""
    try:
        step()
    except Exception:
        logger.exception("A step of the sweep failed")


def end_overdue_calls() -> None:
    """Settle calls whose asker died: they would fill the window of their account for ever."""
    overdue = ProviderCall.objects.filter(
        outcome=ProviderCall.Outcome.PENDING, created_at__lt=timezone.now() - LONGEST_CALL
    )
    overdue.update(outcome=ProviderCall.Outcome.UNKNOWN, settled_at=timezone.now())


def settle_cancelled_runs() -> None:
    """Settle cancelled runs whose asker died before their last calls came in."""
    cancelled = Run.objects.filter(status=Run.Status.CANCELLED, settled_at=None)
    for run_id in cancelled.values_list("pk", flat=True):
        with transaction.atomic():
            run = cancelled.select_for_update(of=("self",), no_key=True).filter(pk=run_id).first()
            if run is not None:
                settle_cancelled(run)


def defer_what_is_missing() -> None:
    """Enqueue a job for each brand whose history is behind its names, and for each active run, that has none."""
    raise_detector_version(VERSION)
    for brand_id in Brand.objects.filter(counted_version__lt=F("names_version")).values_list("pk", flat=True):
        defer_for_brand("recount", brand_id)
    defer_new_method()
    jobs = ProcrastinateJob.objects.filter(status__in=[Status.TODO.value, Status.DOING.value], args__has_key="run_id")
    busy = set(jobs.values_list("args__run_id", flat=True))
    pending = Answer.objects.filter(run=OuterRef("pk"), state=Answer.State.PENDING)
    runs = Run.objects.active().annotate(has_pending=Exists(pending))
    importing = Q(trigger=Run.Trigger.IMPORT, created_at__gt=timezone.now() - LONGEST_IMPORT)  # who imports measures
    rows = runs.exclude(importing).values_list("pk", "brand", "kind", "has_pending")
    for run_id, brand_id, kind, has_pending in rows:
        if str(run_id) in busy:
            continue
        if kind == Run.Kind.AUDIT:
            defer_for_run("audit", run_id)
        elif has_pending:
            defer_for_run("ask", run_id)
        else:
            defer_measure(run_id, brand_id, kind)


def end_invitations() -> None:
    """Delete the invitations of deactivated accounts: nothing that a deactivation ended returns with the account."""
    Invitation.objects.filter(Q(invited_by__is_active=False) | Q(brand__owner__is_active=False)).delete()


def defer_mail() -> None:
    """Enqueue the sending of mail, if some waits."""
    if settings.HAS_MAIL and sending.waiting(timezone.now()).exists():
        with suppress(AlreadyEnqueued):
            mail.defer()


def defer_letters() -> None:
    """Enqueue the writing of letters, if some are due."""
    if settings.HAS_MAIL and due_readers(timezone.now()).exists():
        with suppress(AlreadyEnqueued):
            letters.defer()


@app.task(queueing_lock="letters", lock="letters")
def letters() -> None:
    """Write the letters that are due."""
    write_due_letters(timezone.now())


@app.periodic(cron="*/10 * * * *")
@app.task(queueing_lock="alerts", lock="alerts")
def alerts(timestamp: int) -> None:
    """Write the alerts that have a cause."""
    if settings.HAS_MAIL:
        write_alerts(timezone.now())


@app.task(queueing_lock="mail", lock="mail")
def mail() -> None:
    """Send what waits; the sweep enqueues it again for the rest."""
    sending.send_waiting(may_read)


@app.task
def mail_reset(email: str, language: str) -> None:
    """Mail a link for a new password, as somebody asked at the sign-in page."""
    links.mail_reset(email, language)


@app.task
async def ask(run_id: str) -> None:
    """Ask what is pending of a run; reading what came goes on meanwhile."""
    await _done_or_deferred(ask_run(UUID(run_id), detect_run), "ask", UUID(run_id))


@app.task
async def audit(run_id: str) -> None:
    """Audit a site, or go on where an audit was interrupted."""
    await _done_or_deferred(audit_run(UUID(run_id)), "audit", UUID(run_id))


async def _done_or_deferred(work: Awaitable[None], name: str, run_id: UUID) -> None:
    """Do the work; if this worker has to end meanwhile, enqueue the job again, so that another continues."""
    try:
        await work
    except asyncio.CancelledError:
        await asyncio.shield(in_thread(defer_for_run, name, run_id))
        raise


def detect_run(run_id: UUID) -> None:
    """Read the answers of a run that are not read yet. An answer that cannot be read costs no other."""
    run = Run.objects.filter(pk=run_id).select_related("brand").first()
    if run is not None:
        detect(Reader(run.brand), run.answers.all())


@app.task
def measure(run_id: str) -> None:
    """Read, count and score a run whose answers are all there, and with it all others of its brand that wait."""
    run = Run.objects.filter(pk=run_id).select_related("brand").first()
    if run is not None and run.kind == Run.Kind.COMPARISON:
        measure_comparison(Reader(run.brand), run.pk)
    elif run is not None:
        measure_waiting(run.brand)


@app.task
def advise(brand_id: str) -> None:
    """Bring evidence and recommendations of a brand in line with its scans and audits, and with what is read of its
    answers."""
    brand = Brand.objects.filter(pk=brand_id).first()
    if brand is not None:
        read_topics(brand)
        make_evidence(brand)
        recommend(brand)


@app.task
def read(brand_id: str, actor: str) -> None:
    """Have the engine that writes read what is new, as somebody asked, and make advice of it."""
    brand = Brand.objects.filter(pk=brand_id).first()
    if brand is not None and read_topics(brand, by=actor):
        defer_advise(brand.pk)


@app.task
def recount(brand_id: str) -> None:
    """Count a brand's history again, after an edit of its names or domains."""
    recount_brand(UUID(brand_id))


@app.task
def rescore(brand_id: str) -> None:
    """Score a brand's history again, after a decision on its topics."""
    rescore_brand(UUID(brand_id))


@app.periodic(cron="41 2 * * *")
@app.task(queueing_lock="watch_engines")
def watch(timestamp: int) -> None:
    """Look whether engines themselves changed, by the answers of the last days over all brands."""
    watch_engines(timezone.now().date())


@app.periodic(cron="7 3 * * *")
@app.task(queueing_lock="seal")
def seal(timestamp: int) -> None:
    """Encrypt the secrets of second factors with the key of today, so that keys of before can go."""
    seal_again()


@app.periodic(cron="17 3 * * *")
@app.task(queueing_lock="purge")
def purge(timestamp: int) -> None:
    """Delete what is old enough, in batches, so that no lock lasts long."""
    now = timezone.now()
    expired: list[QuerySet[Any]] = [
        IdempotentCall.objects.filter(created_at__lt=now - idempotency.KEEP_FOR),
        Invitation.objects.filter(created_at__lt=now - INVITATION_LASTS - KEEP_INVITATIONS),
        Session.objects.filter(expire_date__lt=now),
        ended_sessions(),
        AddressChange.objects.filter(created_at__lt=now - address.LASTS),
        Counter.objects.filter(expires_at__lt=now),
        expired_changes(now),
        ProcrastinateJob.objects.filter(
            status__in=[Status.FAILED.value, Status.ABORTED.value], scheduled_at__lt=now - KEEP_JOBS
        ),
    ]
    for rows in [*expired, *expired_connections(now), *sending.forget(now), *_beyond_settings(now)]:
        while _delete_batch(rows):
            pass
    if settings.ANSWER_DAYS:
        delete_answers(before=(now - timedelta(days=settings.ANSWER_DAYS)).date())


def _beyond_settings(now: datetime) -> list[QuerySet[Any]]:
    """The rows that are older than the operator keeps them; the newest audit of a brand stays."""
    newest = Run.objects.filter(brand=OuterRef("run__brand"), kind=Run.Kind.AUDIT).measured().newest()
    pages = AuditPage.objects.exclude(run=Subquery(newest.values("pk")[:1]))
    limits: list[tuple[int, QuerySet[Any], str]] = [
        (settings.CALL_LOG_DAYS, CallLog.objects.all(), "created_at"),
        (settings.BODY_DAYS, RawBody.objects.all(), "created_at"),
        (settings.AUDIT_PAGE_DAYS, pages, "run__created_at"),
        (settings.ADMIN_LOG_DAYS, LogEntry.objects.all(), "action_time"),
    ]
    return [rows.filter(**{f"{field}__lt": now - timedelta(days=days)}) for days, rows, field in limits if days]


def _delete_batch(rows: QuerySet[Any]) -> int:
    """Delete up to BATCH of these rows; return how many went."""
    batch = list(rows.order_by().values_list("pk", flat=True)[:BATCH])
    rows.model._default_manager.filter(pk__in=batch).delete()
    return len(batch)
