"""Carrying out an audit: gather, store, judge. Killed at any line, the next worker goes on from what is stored."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apikeys.text import storable
from brands.later import defer_advise
from brands.models import Brand
from brands.names import names_of
from visibility.audit import (
    READER_VERSION,
    EarlierPage,
    Gathered,
    Halted,
    NotAudited,
    Order,
    SitePage,
    Verdict,
    from_json,
    gather,
    judge,
    site_of,
    to_json,
)
from visibility.audits.resources import finding_of, scores_of
from visibility.models import Audit, AuditFinding, AuditPage, Run
from visibility.runs.ask import in_thread
from visibility.runs.finish import settle

LOOK_EVERY = 0.5


async def audit(run_id: UUID) -> None:
    """Carry out what is left of an audit, unless it has ended or is cancelled meanwhile."""
    run = await in_thread(_begin, run_id)
    if run is None:
        return
    halted = asyncio.Event()
    watching = asyncio.create_task(_watch(run_id, halted))
    order, gathered, pages, earlier = await in_thread(_load, run)
    try:
        known, found = await gather(
            order,
            _Store(run_id, len(pages)),
            gathered=gathered,
            pages=pages,
            earlier={page.fetched.url: page for page in earlier},
            is_halted=halted.is_set,
        )
        before = {page.url: earlier_page for page in earlier if (earlier_page := _earlier(page))}
        site = site_of(order, known, found, audited_at=timezone.now(), earlier=before)
        await in_thread(_end, run_id, order.domain, await asyncio.to_thread(judge, site))
    except NotAudited as refusal:
        await in_thread(_fail, run_id, refusal.code, refusal.message)
    except Halted:
        return
    finally:
        watching.cancel()


class _Store:
    """Where an audit puts what it gathers."""

    def __init__(self, run_id: UUID, stored: int) -> None:
        self.run_id, self.next = run_id, stored

    async def save_facts(self, gathered: Gathered) -> None:
        """Put away all that is known besides the pages."""
        await in_thread(Audit.objects.filter(run=self.run_id).update, gathered=to_json(gathered))

    async def save_pages(self, pages: Sequence[SitePage]) -> None:
        """Put away further pages, and count them."""
        await in_thread(_save_pages, self.run_id, self.next, pages)
        self.next += len(pages)


async def _watch(run_id: UUID, halted: asyncio.Event) -> None:
    """Say so when the run is not active any more."""
    with suppress(asyncio.CancelledError):
        while not halted.is_set():
            await asyncio.sleep(LOOK_EVERY)
            if not await in_thread(Run.objects.active().filter(pk=run_id).exists):
                halted.set()


def _begin(run_id: UUID) -> Run | None:
    """The run, running from now on; None where it is not active."""
    active = Run.objects.active().filter(pk=run_id, kind=Run.Kind.AUDIT)
    active.filter(status=Run.Status.QUEUED).update(status=Run.Status.RUNNING, started_at=timezone.now())
    run: Run | None = active.select_related("brand", "audit").first()
    return run


def _load(run: Run) -> tuple[Order, Gathered, list[SitePage], list[SitePage]]:
    """What is to be audited, what is stored of it, and the pages of the audit before as the same reader read them."""
    before = Run.objects.measured().filter(brand=run.brand, kind=Run.Kind.AUDIT).newest().first()
    rows = AuditPage.objects.filter(reader=READER_VERSION).order_by("position")
    pages, earlier = (
        [from_json(SitePage, bytes(page)) for page in rows.filter(run=which).values_list("page", flat=True)]
        for which in (run, before)
    )
    gathered = from_json(Gathered, bytes(run.audit.gathered)) if run.audit.gathered else Gathered()
    return order_of(run.brand, run.audit), gathered, pages, earlier


def order_of(brand: Brand, audit: Audit) -> Order:
    """What is to be audited, and how the site is asked."""
    names = names_of(brand).brand
    return Order(
        domain=brand.domain,
        names=tuple(name.text for name in names.names),
        user_agent=settings.AUDIT_USER_AGENT,
        unused_path=audit.unused_path,
        own_domains=tuple(domain for domain in names.domains if domain != brand.domain),
        max_pages=audit.max_pages,
        local_hosts=settings.AUDIT_LOCAL_HOSTS,
        own_hosts=frozenset(settings.ALLOWED_HOSTS),
    )


def _earlier(page: SitePage) -> EarlierPage | None:
    """What an earlier audit read on a page, if it read it."""
    if page.parsed is None:
        return None
    return EarlierPage(page.parsed.content_hash, page.parsed.newest_shown)


@transaction.atomic
def _save_pages(run_id: UUID, position: int, pages: Sequence[SitePage]) -> None:
    """Each page once, whoever stores it: another worker may have gone on meanwhile."""
    AuditPage.objects.bulk_create(
        AuditPage(
            run_id=run_id,
            position=position + number,
            url=page.fetched.url,
            reader=READER_VERSION,
            page=to_json(page),
        )
        for number, page in enumerate(pages)
    )
    counted = [page for page in pages if not page.aside]
    answered = sum(bool(page.fetched.status) for page in counted)
    Run.objects.filter(pk=run_id).update(done=F("done") + answered, failed=F("failed") + len(counted) - answered)


@transaction.atomic
def _end(run_id: UUID, domain: str, verdict: Verdict) -> None:
    """Write what the checks found, and end the run."""
    run = Run.objects.active().select_for_update(of=("self",), no_key=True).filter(pk=run_id).first()
    if run is None:
        return
    AuditFinding.objects.filter(run=run).delete()
    AuditFinding.objects.bulk_create(
        AuditFinding(
            run=run,
            position=position,
            check_id=finding.check.id,
            category=finding.check.category,
            severity=finding.severity,
            finding=storable(finding_of(finding, domain).model_dump(mode="json")),
        )
        for position, finding in enumerate(verdict.findings, start=1)
    )
    Audit.objects.filter(run=run).update(report=scores_of(verdict).model_dump(mode="json"))
    run.status = Run.Status.PARTIAL if run.failed else Run.Status.SUCCEEDED
    run.total, run.finished_at = run.done + run.failed, timezone.now()
    run.score = None if verdict.score is None else round(verdict.score, 1)
    run.save(update_fields=["status", "total", "score", "finished_at"])
    settle(run)
    defer_advise(run.pk, run.brand_id)


@transaction.atomic
def _fail(run_id: UUID, code: str, message: str) -> None:
    """End an audit that has no score."""
    run = Run.objects.active().select_for_update(of=("self",), no_key=True).filter(pk=run_id).first()
    if run is not None:
        run.status, run.finished_at = Run.Status.FAILED, timezone.now()
        run.error_code, run.error_message = code[:40], storable(message)[:500]
        run.save(update_fields=["status", "finished_at", "error_code", "error_message"])
        settle(run)
