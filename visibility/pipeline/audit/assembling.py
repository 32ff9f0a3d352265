"""What an audit stored, as the checks read it."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import cast

from django.utils import timezone

from visibility.audit.checks.addresses import page_key
from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.site import EarlierPage, Fetched, FoundBy, Robots, Site, SitePage
from visibility.models import Audit, AuditPage, Run
from visibility.pipeline.audit.depths import depths_of, first_links
from visibility.pipeline.audit.facts import SiteFacts, fetched_from_json, site_from_json
from visibility.pipeline.audit.storing import Contents, State

_NO_ROBOTS = Robots(Fetched(""))


def site_of(run: Run, audit: Audit, contents: Contents) -> Site:
    """All that the run knows of its site. Needs the pages' contents, and those of the audit before."""
    facts = site_from_json(audit.site)
    stored = [] if facts.barred else contents.of(run)
    read = read_pages(stored)
    links = first_links(read)
    answered = [page for page, _ in stored if page.state != State.WAITING and page.fetched.get("url")]
    aside = [page for page in answered if _stands_aside(page)]
    return Site(
        home_url=audit.home_url,
        brand=run.brand.name,
        names=(run.brand.name, *run.brand.aliases.order_by("text").values_list("text", flat=True)),
        audited_at=run.started_at or timezone.now(),
        user_agent=audit.user_agent,
        robots=facts.robots or _NO_ROBOTS,
        pages=_site_pages(stored, read, links),
        sitemaps=facts.sitemaps or (),
        probes=facts.probes or {},
        sampled=(*(fetched_from_json(page.fetched) for page in aside), *(facts.sampled or ())),
        coverage=facts.coverage,
        agents=facts.agents or (),
        linked_from=_linked_from(answered, facts, links),
        earlier=_earlier(run, contents),
        out_of_bytes=facts.out_of_bytes,
    )


def read_pages(stored: Sequence[tuple[AuditPage, ParsedPage | Unparsed | None]]) -> list[tuple[str, ParsedPage]]:
    """The pages that were read, with the addresses where they stand, the home page first."""
    return [(page.fetched["final_url"], parsed) for page, parsed in stored if isinstance(parsed, ParsedPage)]


def _site_pages(
    stored: Sequence[tuple[AuditPage, ParsedPage | Unparsed | None]],
    read: Sequence[tuple[str, ParsedPage]],
    links: Mapping[str, str],
) -> tuple[SitePage, ...]:
    depths = depths_of(read)
    return tuple(
        SitePage(
            fetched=fetched_from_json(page.fetched),
            # What was asked for because a sitemap lists it may have turned out to be linked, too.
            found_by="link" if page.position and page_key(page.url) in links else cast(FoundBy, page.found_by),
            depth=depths[page_key(page.fetched.get("final_url") or page.url)],
            parsed=content if isinstance(content, ParsedPage) else None,
            unparsed=content if isinstance(content, Unparsed) else None,
            linked_from=page.linked_from or (links.get(page_key(page.url), "") if page.position else ""),
            lastmod=page.lastmod,
        )
        for page, content in stored
        if page.state != State.WAITING and page.fetched.get("url") and not _stands_aside(page)
    )


def _stands_aside(page: AuditPage) -> bool:
    """Whether the address works but is no page of its own: no HTML, elsewhere, or the same as another."""
    return page.state == State.ASIDE and page.fetched.get("status") == 200


def _linked_from(answered: Sequence[AuditPage], facts: SiteFacts, links: Mapping[str, str]) -> dict[str, str]:
    links_to = {page.url: links.get(page_key(page.url), page.linked_from) for page in answered}
    return {address: page for address, page in {**links_to, **facts.linked_from}.items() if page}


def _earlier(run: Run, contents: Contents) -> dict[str, EarlierPage]:
    """What the last audit before that was checked knew of its pages, by address."""
    before: Audit | None = (
        Audit.objects.filter(run__brand=run.brand_id, run__created_at__lt=run.created_at)
        .exclude(checked_at=None)
        .select_related("run")
        .order_by("-run__created_at")
        .first()
    )
    pages = read_pages(contents.of(before.run)) if before else []
    return {address: EarlierPage(page.content_hash, _visible_date(page)) for address, page in pages}


def _visible_date(page: ParsedPage) -> date | None:
    return max((date.day for date in page.dates if date.source in ("time", "visible")), default=None)
