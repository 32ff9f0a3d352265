"""When letters come to whom: each person chooses brands, a weekday and an hour in their own time zone."""

from collections.abc import Collection
from datetime import datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.mail.choices import choose
from apikeys.models import MailChoice, MailPreference, User
from brands.models import Brand

LETTER = "letter:"
"""Of a brand, with its id: the mailing that a person subscribes to."""
WEEK = timedelta(days=7)


def mailing_of(brand_id: UUID) -> str:
    """The mailing of the letters on a brand."""
    return f"{LETTER}{brand_id}"


def preference_of(person: User) -> MailPreference:
    """What a person chose; Monday 06:00 UTC in the language of the service where nothing was chosen. Not saved."""
    return MailPreference.objects.filter(person=person).first() or MailPreference(person=person)


def subscribed_to(person: User) -> set[UUID]:
    """The ids of the brands whose letters a person wants, whether they may still see them or not."""
    wanted = MailChoice.objects.filter(person=person, is_wanted=True, mailing__startswith=LETTER)
    return {UUID(mailing.removeprefix(LETTER)) for mailing in wanted.values_list("mailing", flat=True)}


def brands_of(person: User) -> QuerySet[Brand]:
    """The brands whose letters a person wants and may read at this moment."""
    seen = Brand.objects.restrict(Caller.from_user(person), "view")
    return seen.filter(pk__in=subscribed_to(person)).with_owner().order_by("name", "pk")


@transaction.atomic
def subscribe(
    person: User,
    *,
    offered: Collection[UUID],
    wanted: Collection[UUID],
    weekday: int,
    hour: int,
    zone: str,
    language: str,
) -> MailPreference:
    """Have letters on the `wanted` of the `offered` brands come at this hour of each week, and end those on the
    others. Mails are written in this language from now on."""
    before = subscribed_to(person)
    for brand_id in offered:
        if (brand_id in wanted) != (brand_id in before):
            choose(person, mailing_of(brand_id), is_wanted=brand_id in wanted)
    chosen = {"weekday": weekday, "hour": hour, "zone": zone, "language": language}
    preference, _ = MailPreference.objects.update_or_create(person=person, defaults=chosen)
    preference.next_letter_at = next_slot(preference, timezone.now()) if subscribed_to(person) else None
    preference.save(update_fields=["next_letter_at"])
    return preference


def next_slot(preference: MailPreference, after: datetime) -> datetime:
    """The first moment later than `after` at which letters come to a person."""
    zone = ZoneInfo(preference.zone)
    local = after.astimezone(zone)
    day = local.date() + timedelta(days=(preference.weekday - local.weekday()) % 7)
    slots = (datetime.combine(each, time(preference.hour), zone) for each in (day, day + WEEK))
    return next(slot for slot in slots if slot > after)


def last_slot(preference: MailPreference, now: datetime) -> datetime:
    """The latest moment until `now` at which letters come to a person, in their time zone."""
    return next_slot(preference, now - WEEK).astimezone(ZoneInfo(preference.zone))
