"""Carries out an audit: gather, store, judge. After a killed worker the next one goes on from the stored facts."""

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apikeys.text import storable
from brands.brands import describe
from brands.later import defer_advise
from brands.models import Brand
from brands.names import names_of
from visibility.audit import (
    READER_VERSION,
    Gathered,
    Halted,
    NotAudited,
    Order,
    ParsedPage,
    Site,
    SitePage,
    Verdict,
    from_json,
    gather,
    judge,
    site_of,
    to_json,
)
from visibility.audits.resources import finding_of, scores_of
from visibility.audits.words import to_store
from visibility.models import Audit, AuditFinding, AuditPage, Run
from visibility.runs.ask import in_thread
from visibility.runs.finish import settle

LOOK_EVERY = 0.5
LONGEST_SAID = 500
"""Characters of what a site says of itself that become the brand's description."""
FEWEST_WORDS = 6
"""A shorter block of a home page is no sentence."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=\u3002)")


async def audit(run_id: UUID, local_hosts: Mapping[str, tuple[str, int]] | None = None) -> None:
    """Carry out what is left of an audit, unless it has ended or is cancelled meanwhile.

    `local_hosts`: names that lead to an address and port of this machine, for this audit in place of the setting's.
    """
    run = await in_thread(_begin, run_id)
    if run is None:
        return
    halted = asyncio.Event()
    watching = asyncio.create_task(_watch(run_id, halted))
    order, gathered, pages, earlier = await in_thread(_load, run, local_hosts or settings.AUDIT_LOCAL_HOSTS)
    try:
        known, found = await gather(
            order,
            _Store(run_id, len(pages)),
            gathered=gathered,
            pages=pages,
            earlier=earlier,
            is_halted=halted.is_set,
        )
        site = site_of(order, known, found, audited_at=timezone.now(), earlier=earlier)
        await in_thread(_end, run_id, order.domain, await asyncio.to_thread(judge, site), _description(site))
    except NotAudited as refusal:
        await in_thread(_fail, run_id, refusal.code, refusal.message)
    except Halted:
        return
    finally:
        watching.cancel()


class _Store:
    """Stores the facts of an audit in the database."""

    def __init__(self, run_id: UUID, stored: int) -> None:
        self.run_id, self.next = run_id, stored

    async def save_facts(self, gathered: Gathered) -> None:
        """Store all facts besides the pages."""
        await in_thread(Audit.objects.filter(run=self.run_id).update, gathered=to_json(gathered))

    async def save_page(self, page: SitePage) -> None:
        """Store a further page, and count it."""
        await in_thread(_save_page, self.run_id, self.next, page)
        self.next += 1


async def _watch(run_id: UUID, halted: asyncio.Event) -> None:
    """Set `halted` once the run is no longer active."""
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


def _load(
    run: Run, local_hosts: Mapping[str, tuple[str, int]]
) -> tuple[Order, Gathered, list[SitePage], list[SitePage]]:
    """The order, the stored facts and pages, and the pages of the audit before that the same reader read."""
    before = Run.objects.measured().filter(brand=run.brand, kind=Run.Kind.AUDIT).newest().first()
    rows = AuditPage.objects.filter(reader=READER_VERSION).order_by("position")
    pages, earlier = (
        [from_json(SitePage, bytes(page)) for page in rows.filter(run=which).values_list("page", flat=True)]
        for which in (run, before)
    )
    gathered = from_json(Gathered, bytes(run.audit.gathered)) if run.audit.gathered else Gathered()
    return _order(run.brand, run.audit, local_hosts), gathered, pages, earlier


def _order(brand: Brand, audit: Audit, local_hosts: Mapping[str, tuple[str, int]]) -> Order:
    """What is to be audited, and how the site is asked."""
    names = names_of(brand).brand
    return Order(
        domain=brand.domain,
        names=tuple(name.text for name in names.names),
        user_agent=settings.AUDIT_USER_AGENT,
        unused_path=audit.unused_path,
        own_domains=tuple(domain for domain in names.domains if domain != brand.domain),
        max_pages=audit.max_pages,
        local_hosts=local_hosts,
        own_hosts=frozenset(settings.ALLOWED_HOSTS),
    )


@transaction.atomic
def _save_page(run_id: UUID, position: int, page: SitePage) -> None:
    """Store a page. Raises IntegrityError where another worker has stored one at this position."""
    AuditPage.objects.create(
        run_id=run_id, position=position, url=page.fetched.url, reader=READER_VERSION, page=to_json(page)
    )
    if not page.aside:
        count = "done" if page.fetched.status else "failed"
        Run.objects.filter(pk=run_id).update(**{count: F(count) + 1})


@transaction.atomic
def _end(run_id: UUID, domain: str, verdict: Verdict, description: str) -> None:
    """Store findings and scores, and end the run; a brand without a description has what its site says of itself."""
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
            finding=storable(to_store(finding_of(finding, domain).model_dump())),
        )
        for position, finding in enumerate(verdict.findings, start=1)
    )
    scores = scores_of(verdict)
    Audit.objects.filter(run=run).update(report=to_store(scores.model_dump()))
    run.status = Run.Status.PARTIAL if run.failed else Run.Status.SUCCEEDED
    run.total, run.finished_at = run.done + run.failed, timezone.now()
    run.score = scores.overall
    run.save(update_fields=["status", "total", "score", "finished_at"])
    settle(run)
    describe(run.brand_id, description)
    defer_advise(run.brand_id)


def _description(site: Site) -> str:
    return description_of(site.home.parsed) if site.home and site.home.parsed else ""


def description_of(page: ParsedPage) -> str:
    """What a site says that it is: the title of its home page and its summary, else its first sentence."""
    summary = next((meta.content for meta in page.meta("description", "og:description") if meta.content.strip()), "")
    first = next((block.text for block in page.blocks if len(block.text.split()) >= FEWEST_WORDS), "")
    said = [*(title.text for title in page.titles[:1]), summary or _SENTENCE_END.split(first, maxsplit=1)[0]]
    described: str = storable("\n".join(filter(None, (" ".join(each.split()) for each in said))))
    return described[:LONGEST_SAID]


@transaction.atomic
def _fail(run_id: UUID, code: str, message: str) -> None:
    """End an audit that has no score."""
    run = Run.objects.active().select_for_update(of=("self",), no_key=True).filter(pk=run_id).first()
    if run is not None:
        run.status, run.finished_at = Run.Status.FAILED, timezone.now()
        run.error_code, run.error_message = code[:40], storable(message)[:500]
        run.save(update_fields=["status", "finished_at", "error_code", "error_message"])
        settle(run)
