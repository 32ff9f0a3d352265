"""The pages that local-search answers from. A corpus belongs to one brand and is searched by the database."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db import connection, transaction

from apikeys.caller import Caller
from apikeys.errors import invalid
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.engines.local_search import Passage, search_terms
from visibility.models import Page
from visibility.storable import storable

MAX_TEXT = 100_000
MAX_TERMS = 32


@dataclass(frozen=True, slots=True)
class PageDraft:
    """A page to store. `text` is plain text of at most 100,000 characters, `published_on` the day that it states."""

    url: str
    title: str
    text: str
    published_on: date | None = None


def put_pages(caller: Caller, *, brand: Brand, pages: Iterable[PageDraft]) -> int:
    """Store the pages, each once per address: a page with a known address is replaced. Returns how many."""
    brand = editable_brand(caller, brand.pk)
    rows = {draft.url: _page(brand, draft) for draft in pages}
    Page.objects.bulk_create(
        rows.values(),
        update_conflicts=True,
        unique_fields=["brand", "url"],
        update_fields=["title", "text", "published_on", "fetched_at"],
        batch_size=100,
    )
    return len(rows)


@transaction.atomic
def remove_pages(caller: Caller, *, brand: Brand, urls: Iterable[str]) -> int:
    """Remove the pages with these addresses. Returns how many there were."""
    brand = editable_brand(caller, brand.pk)
    removed, _ = Page.objects.filter(brand=brand, url__in=list(urls)).delete()
    return removed


def _page(brand: Brand, draft: PageDraft) -> Page:
    if not draft.url.startswith(("https://", "http://")) or len(draft.url) > 2000:
        raise invalid("url", f"A page needs an http(s) address of at most 2,000 characters, not {draft.url[:80]!r}.")
    if not draft.text.strip() or len(draft.text) > MAX_TEXT:
        raise invalid("text", f"The page {draft.url[:200]} needs between 1 and {MAX_TEXT:,} characters of text.")
    if any(storable(part) != part for part in (draft.url, draft.title, draft.text)):
        raise invalid("text", f"The page {draft.url[:200]!r} holds NUL or surrogate characters; give plain text.")
    return Page(brand=brand, url=draft.url, title=draft.title[:500], text=draft.text, published_on=draft.published_on)


def search(brand: Brand, query: str, limit: int) -> list[Passage]:
    """The brand's pages that hold any word of `query`, best first (BM25 on SQLite, ts_rank on PostgreSQL)."""
    terms = search_terms(query)[:MAX_TERMS]
    if not terms:
        return []
    if connection.vendor == "sqlite":
        any_term = " OR ".join(f'"{term}"' for term in terms)
        statement = _SQLITE
        parameters: list[str | int] = [
            f'brand_id:"{brand.pk.hex}" AND {{title text}}:({any_term})',
            brand.pk.hex,
            limit,
        ]
    else:
        any_term = " or ".join(f'"{term}"' for term in terms)
        statement = _POSTGRESQL
        parameters = [any_term, str(brand.pk), limit]
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [Passage(*row) for row in cursor.fetchall()]


# Words are letters, digits and underscores only (search_terms), so that quoting them is enough.
_SQLITE = """
    SELECT page.url, page.title, page.text, page.published_on
    FROM visibility_page_text JOIN visibility_page page ON page.id = visibility_page_text.rowid
    WHERE visibility_page_text MATCH %s AND page.brand_id = %s
    ORDER BY bm25(visibility_page_text, 0.0, 2.0, 1.0), page.url
    LIMIT %s
"""
_POSTGRESQL = """
    SELECT page.url, page.title, page.text, page.published_on
    FROM visibility_page page, websearch_to_tsquery('english', %s) AS wanted
    WHERE to_tsvector('english', page.title || ' ' || page.text) @@ wanted AND page.brand_id = %s
    ORDER BY ts_rank(to_tsvector('english', page.title || ' ' || page.text), wanted) DESC, page.url
    LIMIT %s
"""
