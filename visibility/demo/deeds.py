"""What the people of the demo do about its recommendations on simulated days, as the owner through the service.

What comes of it is measured like everything else: on the next day some of their pages are there
(`pages/norrvik-tracker-2.md`, `pages/norrvik-app-2.md`), and the engines quote them or do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from apikeys.caller import Caller
from brands.models import Brand
from visibility.demo.days import moment_of
from visibility.models import Recommendation
from visibility.services.recommendations.deciding import set_status_by_id
from visibility.services.recommendations.listing import most_urgent_first

_Status = Recommendation.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """On day `day`, at `hour` UTC, the most urgent recommendation of this kind on this topic, or with this subject,
    gets a status."""

    day: int
    hour: int
    kind: str
    topic: str = ""
    subject: str = ""
    status: str
    reason: str = ""


_LOST = "own_page_lost"
_FINDING = "audit_finding"
DEEDS: Sequence[Deed] = (
    Deed(day=42, hour=9, kind=_LOST, topic="theft", status=_Status.IN_PROGRESS, reason="The tracker needs a page."),
    Deed(day=42, hour=10, kind=_LOST, topic="app", status=_Status.IN_PROGRESS),
    Deed(
        day=43, hour=16, kind=_LOST, topic="theft", status=_Status.DONE,
        reason="The page of Norrvik Find is back at its old address, with this year's figures.",
    ),
    Deed(
        day=43, hour=17, kind=_LOST, topic="app", status=_Status.DONE,
        reason="The app has a page again, in the style of the new site.",
    ),
    Deed(
        day=44, hour=9, kind=_LOST, topic="maintenance", status=_Status.DISMISSED,
        reason="Workshops set their own prices from this year on, so we name none.",
    ),
    Deed(
        day=45, hour=11, kind=_FINDING, subject="FRE-02", status=_Status.DONE,
        reason="All guides say the same day in the text and in the markup.",
    ),
    Deed(day=47, hour=9, kind=_LOST, topic="price", status=_Status.IN_PROGRESS, reason="Mira writes the new guide."),
)  # fmt: skip


def do_deeds(brand: Brand, number: int) -> None:
    """Do what is done on that day. What is not there to be decided on, or was decided on before, is left alone."""
    owner = Caller.from_user(brand.owner)
    for deed in (deed for deed in DEEDS if deed.day == number):
        moment = moment_of(brand, number, deed.hour)
        rows = Recommendation.objects.filter(brand=brand, kind=deed.kind, opened_at__lte=moment)
        wanted = {"topic": deed.topic} if deed.topic else {"subject": deed.subject}
        rows = rows.filter(**wanted, status_changed_at__lte=moment).exclude(status=_Status.RESOLVED)
        row = most_urgent_first(rows).first()
        if row is not None:
            set_status_by_id(
                owner, brand_id=brand.pk, recommendation_id=row.pk, status=deed.status, reason=deed.reason, now=moment
            )
