"""What every page of a brand has around it: whose page it is, what the person may do there, and the ways on."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse

from apikeys.caller import Caller
from brands.models import Brand
from brands.services.access import brand_and_role
from visibility.pages.acts import raise_404_if_missing, reader, signed_in
from visibility.services.topics.deciding import topics_question


@dataclass(frozen=True, slots=True)
class Tab:
    """A way to another page of the brand."""

    name: str
    label: str
    href: str


@dataclass(frozen=True, slots=True)
class BrandFrame:
    """The brand of a page, who looks at it, and what this person may do: `role` is "owner", "editor", "viewer", or
    "staff" for those who look at all brands and change none."""

    brand: Brand
    caller: Caller
    role: str

    @property
    def may_edit(self) -> bool:
        """Whether the person's own account may change the brand."""
        return self.brand.owner.is_active and self.role in ("owner", "editor")

    @property
    def may_own(self) -> bool:
        """Whether the person may invite, transfer and delete."""
        return self.role == "owner"

    @property
    def tabs(self) -> list[Tab]:
        """The pages of the brand, in the order in which people need them."""
        return [Tab(name, label, reverse(name, args=[self.brand.pk])) for name, label in TABS.items()]

    def context(self, current: str, **more: object) -> dict[str, object]:
        """What `visibility/brand_base.html` needs, and what the page adds; `current` is the tab of the page."""
        question = topics_question(self.caller, brand=self.brand)
        return {"frame": self, "brand": self.brand, "current": current, "question": question, **more}


TABS: Mapping[str, str] = {
    "brand-page": "Overview",
    "recommendations-page": "Recommendations",
    "prompts-page": "Prompts",
    "competitors-page": "Competitors",
    "sources-page": "Sources",
    "content-page": "Content",
    "evidence-page": "Evidence",
    "audits-page": "Audit",
    "runs-page": "Runs",
    "brand-settings": "Settings",
}


def brand_frame(request: HttpRequest, brand_id: UUID) -> BrandFrame:
    """The frame of a page of this brand; what the person cannot see is not there (404). One statement."""
    caller = reader(request)
    with raise_404_if_missing():
        brand, role = brand_and_role(caller, brand_id, signed_in(request))
    return BrandFrame(brand, caller, role or "staff")
