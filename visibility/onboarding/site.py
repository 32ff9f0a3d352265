"""What was read of a new brand's site: by its first audit, of a few pages, while that runs."""

from dataclasses import dataclass, field
from uuid import UUID

from apikeys.accounts.caller import Caller
from brands.models import Brand
from visibility.audit import Gathered, ParsedPage, Proposals, from_json, propose
from visibility.audits.run import description_of
from visibility.audits.services import start_audit
from visibility.evidence.gathering import pages_of
from visibility.models import Run

FIRST_PAGES = 8
"""Pages that are read for proposals, one credit each."""


@dataclass(frozen=True, slots=True)
class SiteLook:
    """The site as far as it is read. `is_reading`: more pages are to come; `problem`: why there are none."""

    pages: list[ParsedPage] = field(default_factory=list)
    is_reading: bool = False
    problem: str = ""
    description: str = ""
    proposals: Proposals = field(default_factory=Proposals)


def first_name(domain: str) -> str:
    """A name for a site until its people give one: what its address begins with."""
    host = domain.rpartition("//")[2].removeprefix("www.")
    return host.split(".")[0].replace("-", " ").title()[:100] or host


def read_site(caller: Caller, brand_id: UUID) -> None:
    """Have the first pages of the site read by a job. Raises as `start_audit`."""
    start_audit(caller, brand_id=brand_id, trigger=Run.Trigger.WEB, max_pages=FIRST_PAGES)


def look_at(brand: Brand) -> SiteLook:
    """What the latest audit has read of the site, and what that proposes."""
    run = Run.objects.filter(brand=brand, kind=Run.Kind.AUDIT).select_related("audit").newest().first()
    if run is None:
        return SiteLook()
    gathered = from_json(Gathered, bytes(run.audit.gathered)) if run.audit.gathered else Gathered()
    if run.is_active and gathered.probes is None:
        return SiteLook(is_reading=True)
    pages = pages_of(run)
    if not pages:
        return SiteLook(problem=run.error_message or gathered.barred or "No page of it could be read.")
    listed = (entry.url for sitemap in gathered.sitemaps or () for entry in sitemap.text.entries)
    return SiteLook(
        pages=pages,
        description=description_of(pages[0]),
        proposals=propose(pages, brand.domain, listed),
    )
