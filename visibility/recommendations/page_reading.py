"""Reads the pages of others that answers rest on, before a card names them: is the brand on them?"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urljoin

from django.conf import settings
from django.utils import timezone

from apikeys.text import storable
from visibility.answers.detect import BRAND, Reader
from visibility.audit import ParsedPage
from visibility.audit.facts import Unparsed
from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.fetcher import Fetcher
from visibility.audit.read.child import ReadingChild
from visibility.audit.robots import product_token
from visibility.models import CitedPage
from visibility.recommendations.cited import pages_to_read
from visibility.recommendations.facts import Cited, Facts

WEEK = timedelta(days=7)
LASTS = timedelta(days=30)
"""A page that was read is not read again for so long; one that could not be is tried again after a week."""
ROBOTS_BYTES = 2**19
AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class Read:
    """A page as it was read; without one why not."""

    page: Cited
    parsed: ParsedPage | None
    error: str = ""


def read_cited_pages(facts: Facts) -> None:
    """Read the pages that cards would name, the most cited first, at most CITED_PAGES_PER_WEEK a brand and week. Not
    inside a transaction. May run twice."""
    now = timezone.now()
    recent = CitedPage.objects.filter(brand=facts.brand, read_at__gt=now - WEEK)
    number = settings.CITED_PAGES_PER_WEEK - recent.count()
    fresh = recent | CitedPage.objects.filter(brand=facts.brand, read_at__gt=now - LASTS, error="")
    known = {bytes(digest) for digest in fresh.values_list("digest", flat=True)}
    wanted = [page for page in pages_to_read(facts) if page.digest not in known][: max(number, 0)]
    if not wanted:
        return
    reader = Reader(facts.brand)
    for read in asyncio.run(_read(wanted)):
        _store(facts, reader, read)


async def _read(pages: Sequence[Cited]) -> list[Read]:
    slots = asyncio.Semaphore(AT_ONCE)
    fetcher_of_pages = Fetcher(
        user_agent=settings.AUDIT_USER_AGENT,
        local_hosts=settings.AUDIT_LOCAL_HOSTS,
        own_hosts=frozenset(settings.ALLOWED_HOSTS),
    )
    with ReadingChild() as child:
        async with fetcher_of_pages as fetcher:

            async def read(page: Cited) -> Read:
                async with slots:
                    try:
                        return await _read_page(fetcher, child, page)
                    except FetchError as error:
                        return Read(page, None, error.detail)

            return list(await asyncio.gather(*map(read, pages)))


async def _read_page(fetcher: Fetcher, child: ReadingChild, page: Cited) -> Read:
    robots = await fetcher.get(urljoin(page.url, "/robots.txt"), max_bytes=ROBOTS_BYTES)
    if robots.fetched.status >= 500:
        return Read(page, None, f"Its robots.txt answers with the status {robots.fetched.status}.")
    if robots.fetched.status == 200:
        rules = await asyncio.to_thread(child.robots, robots.body, url=robots.fetched.final_url)
        agent = product_token(settings.AUDIT_USER_AGENT)
        if not isinstance(rules, Unparsed) and not rules.allows(agent, page.url):
            return Read(page, None, "Its robots.txt bars our crawler.")
    answer = await fetcher.get(page.url)
    fetched = answer.fetched
    if fetched.status != 200:
        return Read(page, None, f"It answers with the status {fetched.status}.")
    parsed = await asyncio.to_thread(
        child.page, answer.body, url=fetched.final_url, content_type=fetched.content_type, cut=fetched.cut
    )
    return Read(page, None, parsed.detail) if isinstance(parsed, Unparsed) else Read(page, parsed)


def _store(facts: Facts, reader: Reader, read: Read) -> None:
    page, parsed = read.page, read.parsed
    mentions = reader.detector.detect(parsed.visible_text).mentions if parsed else ()
    found = {mention.subject for mention in mentions}
    CitedPage.objects.update_or_create(
        brand=facts.brand,
        digest=page.digest,
        defaults={
            "url": page.url,
            "read_at": timezone.now(),
            "error": storable(read.error)[:200],
            "title": storable(parsed.titles[0].text)[:500] if parsed and parsed.titles else "",
            "changed_on": max((date.day for date in parsed.dates), default=None) if parsed else None,
            "names_brand": (BRAND in found) if parsed else None,
            "competitors": sorted(name for pk, name in facts.competitors.items() if str(pk) in found),
        },
    )
