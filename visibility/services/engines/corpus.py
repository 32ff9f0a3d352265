"""The pages that local-search answers from. A corpus belongs to one brand and is searched by the database."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.text.storable import storable
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.models import Page

MAX_TEXT = 100_000


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


def _page(brand: Brand, draft: PageDraft) -> Page:
    if not draft.url.startswith(("https://", "http://")) or len(draft.url) > 2000:
        raise invalid("url", f"A page needs an http(s) address of at most 2,000 characters, not {draft.url[:80]!r}.")
    if not draft.text.strip() or len(draft.text) > MAX_TEXT:
        raise invalid("text", f"The page {draft.url[:200]} needs between 1 and {MAX_TEXT:,} characters of text.")
    if any(storable(part) != part for part in (draft.url, draft.title, draft.text)):
        raise invalid("text", f"The page {draft.url[:200]!r} contains NUL or surrogate characters. Give plain text.")
    return Page(brand=brand, url=draft.url, title=draft.title[:500], text=draft.text, published_on=draft.published_on)
