"""Sites whose first audit has ended, made of pages as text."""

from typing import Any

from brands.models import Brand
from visibility.audit import READER_VERSION, Gathered, ParsedPage, SitePage, to_json
from visibility.audit.facts import Fetched
from visibility.audit.read.pages import parse_page
from visibility.models import Audit, AuditPage, Run


def parsed(pages: dict[str, str]) -> list[ParsedPage]:
    """Pages as they are read, by address, the home page first."""
    return [
        page
        for place, (url, text) in enumerate(pages.items())
        if isinstance(
            page := parse_page(text.encode(), url=url, content_type="text/html", is_home=not place), ParsedPage
        )
    ]


def read_pages(brand: Brand, pages: dict[str, str], **fields: Any) -> Run:
    """An audit of the brand's site that has read these pages."""
    run = Run.objects.create(**{"brand": brand, "kind": "audit", "status": "succeeded", "trigger": "web", **fields})
    gathered = Gathered(home_url=f"https://{brand.domain}/", probes={})
    Audit.objects.create(run=run, max_pages=8, unused_path="x", gathered=to_json(gathered), report={})
    for place, page in enumerate(parsed(pages)):
        stored = SitePage(Fetched(page.url, 200, page.url), min(place, 1), parsed=page)
        AuditPage.objects.create(run=run, position=place, url=page.url, reader=READER_VERSION, page=to_json(stored))
    return run
