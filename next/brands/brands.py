"""Create, change, transfer and delete brands."""

from django.db import transaction

from apikeys.accounts import lock_accounts, require_active
from apikeys.caller import Caller
from apikeys.errors import conflict_if_taken, invalid, quota_exceeded
from apikeys.models import User
from apikeys.text import clean_line, clean_text
from brands.domains import normalise_domain
from brands.models import LONGEST_NAME, Brand, Cadence, Domain, Name
from brands.names import spelling_key

LONGEST_DESCRIPTION = 5_000
DEFAULT_SAMPLES = 3


@transaction.atomic
def create_brand(
    caller: Caller,
    *,
    owner: User,
    name: str,
    domain: str,
    description: str = "",
    region: str = "",
    cadence: str = Cadence.MANUAL,
    samples: int | None = None,
) -> Brand:
    """Make a brand for `owner` within the sites of the owner's plan. `samples` defaults to 3, less on a small plan.

    Raises quota_exceeded above the limit, conflict for a domain that the owner has already, invalid_arguments for
    values that cannot be kept. People create brands for themselves only.
    """
    if not caller.is_operator and caller.user != owner:
        raise invalid("owner", "You can create brands for your own account only.")
    brand = Brand(
        name=clean_line("name", name, longest=LONGEST_NAME),
        domain=normalise_domain("domain", domain),
        description=clean_text("description", description, longest=LONGEST_DESCRIPTION),
        region=region,
        cadence=cadence,
    )
    [owner] = lock_accounts(owner)
    require_active(owner)
    limit, count = owner.limit("max_sites"), owner.brands.count()
    if count >= limit:
        raise quota_exceeded("sites", limit, count)
    brand.owner = owner
    brand.samples = samples or min(DEFAULT_SAMPLES, owner.limit("max_samples"))
    with conflict_if_taken(f"{owner.email} already has a brand with the domain {brand.domain}.", argument="domain"):
        brand.save(force_insert=True)
    Name.objects.create(brand=brand, text=brand.name, key=spelling_key(brand.name), is_main=True)
    Domain.objects.create(brand=brand, domain=brand.domain, is_main=True)
    return brand
