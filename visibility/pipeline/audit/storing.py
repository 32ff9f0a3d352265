"""Stores what an audit fetched, stage by stage and page by page, under the fence of its run."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import F

from apikeys.text.storable import storable
from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.version import PARSER_VERSION
from visibility.audit.site import Fetched
from visibility.jobs.kinds import AUDIT
from visibility.jobs.lease import fenced
from visibility.measured.page_facts import page_as_bytes, page_from_bytes
from visibility.models import Audit, AuditPage, PageContent, Run
from visibility.pipeline.audit.client import Kept
from visibility.pipeline.audit.facts import (
    FileFacts,
    SiteFacts,
    fetched_as_json,
    fetched_from_json,
    read_files,
    site_as_json,
    site_from_json,
)
from visibility.pipeline.audit.frontier import Candidate
from visibility.pipeline.items import items_of

State = AuditPage.State


@dataclass(frozen=True, slots=True)
class Visited:
    """A page of the crawl that was asked: what came of it. `key` and `page` where it was read."""

    position: int
    state: AuditPage.State
    fetched: Fetched
    fetched_at: datetime
    error_code: str = ""
    key: str = ""
    page: ParsedPage | Unparsed | None = None
    """Null also where what it says is stored already, under the key."""


def content_key(version: str, url: str, content_type: str, body: bytes) -> str:
    """What a stored page is known by: the same parser says the same of the same bytes at the same address."""
    digest = hashlib.sha256()
    for part in (version.encode(), url.encode("utf-8", "replace"), content_type.encode("utf-8", "replace"), body):
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()


def keep_facts(run: Run, worker: str, **facts: Any) -> SiteFacts:
    """Store what a stage found out of the site, beside what other stages did; gives all of it."""
    with fenced(AUDIT, run.pk, worker):
        audit = Audit.objects.get(pk=run.pk)
        known = replace(site_from_json(audit.site), **facts)
        Audit.objects.filter(pk=run.pk).update(site=site_as_json(known))
    return known


def keep_arrival(run: Run, worker: str, home_url: str, home: Fetched | None, **facts: Any) -> SiteFacts:
    """Store where the site stands and what it lets us do, and have its home page, where the crawl begins, wait."""
    with fenced(AUDIT, run.pk, worker):
        if home:
            row = AuditPage(run=run, url=storable(home.url), position=0, found_by="home", depth=0)
            AuditPage.objects.bulk_create([row], ignore_conflicts=True)
        Audit.objects.filter(pk=run.pk).update(home_url=storable(home_url))
        return keep_facts(run, worker, **facts)


def plan_pages(run: Run, worker: str, chosen: Sequence[Candidate]) -> None:
    """Have these pages wait to be asked, behind those that are there."""
    with fenced(AUDIT, run.pk, worker):
        first = AuditPage.objects.filter(run=run).count()
        AuditPage.objects.bulk_create(
            AuditPage(
                run=run,
                url=storable(candidate.url),
                position=position,
                found_by=candidate.found_by,
                depth=candidate.depth,
                linked_from=storable(candidate.linked_from),
                lastmod=candidate.lastmod,
            )
            for position, candidate in enumerate(chosen, first)
        )
        count_total(run)


def keep_pages(run: Run, worker: str, batch: Sequence[Visited]) -> None:
    """Store what came of these pages and count them on the run; raises LeaseLost.

    A page is stored once: one that no longer waits is left as it is and not counted again. A run that was cancelled
    keeps what was under way. Progress makes the run's attempts count anew.
    """
    # Outside of the transaction: it computes for a while, and on SQLite nobody else writes meanwhile.
    contents = [
        PageContent(
            brand_id=run.brand_id,
            key=visited.key,
            parsed=isinstance(visited.page, ParsedPage),
            parser_version=PARSER_VERSION,
            facts=page_as_bytes(visited.page),
        )
        for visited in batch
        if visited.page is not None
    ]
    with fenced(AUDIT, run.pk, worker, AUDIT.drained):
        if contents:
            PageContent.objects.bulk_create(contents, ignore_conflicts=True)
        keys = [visited.key for visited in batch if visited.key]
        known = dict(PageContent.objects.filter(brand=run.brand_id, key__in=keys).values_list("key", "pk"))
        stored = _store_waiting(run, {visited.position: visited for visited in batch}, known)
        states = [page.state for page in stored]
        Run.objects.filter(pk=run.pk).update(
            done=F("done") + states.count(State.FETCHED),
            failed=F("failed") + states.count(State.FAILED),
            attempt=1,
        )


def abandon_waiting(run: Run, worker: str, code: str, message: str) -> None:
    """Give up on the pages that still wait: they failed."""
    with fenced(AUDIT, run.pk, worker):
        given_up = items_of(run).abandon(run.pk, code, message)
        Run.objects.filter(pk=run.pk).update(failed=F("failed") + given_up)


def known_keys(run: Run) -> set[str]:
    """The keys of the brand's pages whose content is stored, of whatever audit."""
    return set(PageContent.objects.filter(brand=run.brand_id).values_list("key", flat=True))


def kept_pages(run: Run) -> dict[str, Kept]:
    """The pages that the audit before read, by address, as far as this parser would say the same of them."""
    before = AuditPage.objects.filter(run__brand=run.brand_id, state=State.FETCHED).exclude(run=run)
    last = before.order_by("-run__created_at").values("run")[:1]
    pages = before.filter(run__in=last, content__parser_version=PARSER_VERSION)
    return {
        url: Kept(fetched_from_json(fetched), key)
        for url, fetched, key in pages.values_list("url", "fetched", "content__key")
    }


def kept_files(run: Run) -> dict[str, FileFacts]:
    """What was said of the files of the site in the audit before, by their keys."""
    before = Audit.objects.filter(run__brand=run.brand_id).exclude(run=run).exclude(site={})
    stored = before.order_by("-run__created_at").values_list("site", flat=True).first()
    return read_files(stored or {})


def count_total(run: Run) -> None:
    """Have the run count the pages that it is about, as far as they are known: those that were read or failed, and
    those that wait. In a fenced transaction."""
    counted = AuditPage.objects.filter(run=run).exclude(state=State.ASIDE).count()
    Run.objects.filter(pk=run.pk).update(total=counted)


class Contents:
    """What the stored pages of a run say, each decoded once, and not at all where it was parsed just now."""

    def __init__(self) -> None:
        self._read: dict[str, ParsedPage | Unparsed] = {}

    def remember(self, batch: Sequence[Visited]) -> None:
        """Keep what these pages say, which were stored."""
        self._read.update({visited.key: visited.page for visited in batch if visited.page is not None})

    def of(self, run: Run) -> list[tuple[AuditPage, ParsedPage | Unparsed | None]]:
        """The pages of the run in the order of the crawl, each with what it says, or null."""
        stored = AuditPage.objects.filter(run=run).select_related("content").defer("content__facts")
        pages = list(stored.order_by("position"))
        missing = [page.content.pk for page in pages if page.content and page.content.key not in self._read]
        for content in PageContent.objects.filter(pk__in=missing):
            self._read[content.key] = page_from_bytes(bytes(content.facts), parsed=content.parsed)
        return [(page, self._read[page.content.key] if page.content else None) for page in pages]


def _store_waiting(run: Run, batch: Mapping[int, Visited], known: Mapping[str, int]) -> list[AuditPage]:
    waiting = AuditPage.objects.filter(run=run, position__in=batch, state=State.WAITING)
    pages = list(waiting.select_for_update().order_by("pk"))
    for page in pages:
        visited = batch[page.position]
        page.state = visited.state
        page.fetched = fetched_as_json(visited.fetched)
        page.fetched_at = visited.fetched_at
        page.error_code = visited.error_code
        page.content_id = known[visited.key] if visited.key else None
    AuditPage.objects.bulk_create(
        pages,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["state", "fetched", "fetched_at", "error_code", "content"],
    )
    return pages
