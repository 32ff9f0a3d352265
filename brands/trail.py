"""The trail: what people change of a brand, with who and when. Services write it in the transaction of the change."""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from apikeys.accounts.caller import Caller
from brands.models import LONGEST_DESCRIPTION, Brand, BrandChange, Domain, Name

KEEP_CHANGES = timedelta(days=400)
LONGEST_WORDS = LONGEST_DESCRIPTION
What = BrandChange.What
Values = dict[BrandChange.What, str]
"""What a brand is called, where it is, and how it is measured, in words."""


def note(caller: Caller, brand: Brand, what: BrandChange.What, before: str, after: str, subject: str = "") -> None:
    """Note a change; nothing where the words are the same. `subject`: which competitor, person, topic or name."""
    note_all(caller, brand, what, [(subject, before, after)])


def note_all(caller: Caller, brand: Brand, what: BrandChange.What, changes: Iterable[tuple[str, str, str]]) -> None:
    """The same of several subjects, each with the words before and after. An operator is no person of the brand."""
    person = None if caller.is_operator else caller.user
    BrandChange.objects.bulk_create(
        BrandChange(
            brand=brand,
            actor=caller.actor,
            person=person,
            what=what,
            subject=subject[: BrandChange.LONGEST_SUBJECT],
            before=before[:LONGEST_WORDS],
            after=after[:LONGEST_WORDS],
        )
        for subject, before, after in changes
        if before != after
    )


def values_of(brand: Brand) -> Values:
    """A brand as it is stored, for the words before and after an edit."""
    own = {"brand": brand, "competitor": None, "is_main": False}
    return {
        What.NAME: brand.name,
        What.NAMES: ", ".join(Name.objects.filter(**own).values_list("text", flat=True)),
        What.DOMAIN: brand.domain,
        What.DOMAINS: ", ".join(Domain.objects.filter(**own).values_list("domain", flat=True)),
        What.DESCRIPTION: brand.description,
        What.REGION: brand.region,
        What.CADENCE: brand.cadence,
        What.SAMPLES: str(brand.samples),
    }


def note_values(caller: Caller, brand: Brand, before: Values) -> None:
    """Note what of a brand differs from what it was."""
    for what, words in values_of(brand).items():
        note(caller, brand, what, before[what], words)


def expired(now: datetime) -> QuerySet[BrandChange]:
    """The changes that are old enough to go."""
    return BrandChange.objects.filter(at__lt=now - KEEP_CHANGES)


def forget_address(address: str, instead: str) -> None:
    """Write other words in place of the address of a person who is erased."""
    fields = ("subject", "before", "after")
    named = Q()
    for field in fields:
        named |= Q(**{f"{field}__icontains": address})
    for row in BrandChange.objects.filter(named).select_for_update():
        for field in fields:
            words = re.sub(re.escape(address), instead, getattr(row, field), flags=re.IGNORECASE)
            setattr(row, field, words)
        row.save(update_fields=fields)
