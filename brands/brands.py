"""Create, change, transfer and delete brands."""

import re
from collections.abc import Iterable
from uuid import UUID

import psycopg
from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils.translation import gettext, gettext_noop

from apikeys.accounts.caller import Caller
from apikeys.accounts.idempotency import forget
from apikeys.accounts.people import lock_accounts, require_active
from apikeys.errors import conflict, conflict_if_taken, invalid, quota_exceeded
from apikeys.models import User
from apikeys.text import clean_choice, clean_line, clean_text
from brands.access import editable_brand, owned_brand
from brands.domains import normalise_domain
from brands.models import LONGEST_DESCRIPTION, LONGEST_NAME, Brand, Cadence
from brands.names import claim, raise_names_version
from brands.trail import What, note, note_values, values_of

DEFAULT_SAMPLES = 3
DELETE_ATTEMPTS = 10


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
    aliases: Iterable[str] = (),
    domains: Iterable[str] = (),
) -> Brand:
    """Make a brand for `owner` within the sites of the owner's plan. `samples` defaults to 3, less on a small plan.
    `aliases` and `domains` are further ones; repeats of the main ones are left out.

    Raises quota_exceeded above the limit, conflict for a domain that the owner has already, invalid_arguments for
    values that are not allowed. People create brands for themselves only.
    """
    if not caller.is_operator and caller.user != owner:
        raise invalid("owner", gettext("You can create brands for your own account only."))
    brand = Brand(
        name=clean_line("name", name, longest=LONGEST_NAME),
        domain=normalise_domain("domain", domain),
        description=clean_text("description", description, longest=LONGEST_DESCRIPTION),
        region=_clean_region(region),
        cadence=clean_choice("cadence", cadence, Cadence.values),
    )
    [owner] = lock_accounts(owner)
    require_active(owner)
    _require_room(owner)
    brand.owner = owner
    brand.samples = min(DEFAULT_SAMPLES, owner.limit("max_samples"))
    if samples is not None:
        brand.samples = _allowed_samples(owner, samples)
    with conflict_if_taken(_domain_taken(brand), argument="domain"):
        brand.save(force_insert=True)
    claim(brand, aliases=aliases, domains=domains)
    return brand


@transaction.atomic
def update_brand(
    caller: Caller,
    *,
    brand_id: UUID,
    name: str | None = None,
    domain: str | None = None,
    description: str | None = None,
    region: str | None = None,
    cadence: str | None = None,
    samples: int | None = None,
    aliases: Iterable[str] | None = None,
    domains: Iterable[str] | None = None,
) -> Brand:
    """Change what is given; None leaves a field as it is. `aliases` and `domains` replace all further ones. A new
    name or domain may be one of these.

    A new cadence gives up the old slot. Samples above a plan that became smaller stay until they are changed.
    Raises not_found, read_only_collaborator, invalid_arguments, conflict for a name or domain that is taken.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    before, old_description = values_of(brand), brand.description
    if name is not None:
        brand.name = clean_line("name", name, longest=LONGEST_NAME)
    if domain is not None:
        brand.domain = normalise_domain("domain", domain)
    if description is not None:
        brand.description = clean_text("description", description, longest=LONGEST_DESCRIPTION)
    if region is not None:
        brand.region = _clean_region(region)
    if cadence is not None and cadence != brand.cadence:
        brand.cadence, brand.next_run_at = clean_choice("cadence", cadence, Cadence.values), None
    if samples is not None and samples != brand.samples:
        brand.samples = _allowed_samples(brand.owner, samples)
    with conflict_if_taken(_domain_taken(brand), argument="domain"):
        brand.save(update_fields=["name", "domain", "description", "region", "cadence", "next_run_at", "samples"])
    # The description helps to decide whether a name means the brand: answers are read again for that, too.
    changed = claim(brand, aliases=aliases, domains=domains)
    note_values(caller, brand, before)
    if brand.description != old_description:
        raise_names_version(brand)
    elif changed:
        raise_names_version(brand, changed)
    return brand


@transaction.atomic
def describe(brand_id: UUID, description: str) -> None:
    """Give a brand that has no description this one, which its own site says; what people wrote stays."""
    brand = Brand.objects.select_for_update(no_key=True).filter(pk=brand_id, description="").first()
    if brand is not None and description:
        brand.description = clean_text("description", description[:LONGEST_DESCRIPTION], longest=LONGEST_DESCRIPTION)
        brand.save(update_fields=["description"])
        raise_names_version(brand)


@transaction.atomic
def transfer_brand(caller: Caller, *, brand_id: UUID, to: User) -> Brand:
    """Give the brand with all its history to another account, whose plan pays from then on.

    The former owner keeps no access; the other collaborators stay, and invitations end. What lies above the new
    owner's limits stays. Raises not_found, read_only_collaborator, quota_exceeded when the new owner has no site
    left, conflict when they have a brand with this domain, own this one or are deactivated.
    """
    owned_brand(caller, brand_id)  # before an account is locked for a caller who may not
    [to] = lock_accounts(to)  # before the brand, as for all that count the sites of an account
    brand = owned_brand(caller, brand_id, lock=True)
    hand_over(caller, brand, to)
    return brand


def hand_over(caller: Caller, brand: Brand, to: User) -> None:
    """As `transfer_brand`, of a brand and to an account that are both locked."""
    require_active(to)
    if brand.owner == to:
        raise conflict(
            gettext("{email} owns this brand already. Choose another account.").format(email=to.email), argument="to"
        )
    _require_room(to)
    note(caller, brand, What.OWNER, brand.owner.email, to.email)
    brand.owner = to
    with conflict_if_taken(_domain_taken(brand), argument="to"):
        brand.save(update_fields=["owner"])
    brand.collaborators.filter(user=to).delete()
    brand.invitations.all().delete()


def delete_brand(caller: Caller, *, brand_id: UUID) -> None:
    """Remove the brand and everything below it for good: runs, scores, people, repeatable calls.

    Safe while workers write: what they add meanwhile goes, too, and they find their run gone. Raises not_found,
    read_only_collaborator.
    """
    for attempt in range(1, DELETE_ATTEMPTS + 1):
        try:
            with transaction.atomic():  # a failed attempt lets go of every lock, so that who waits for it can end
                _delete(owned_brand(caller, brand_id, exclusive=True))
            return
        except (IntegrityError, OperationalError) as error:
            races = (psycopg.errors.ForeignKeyViolation, psycopg.errors.DeadlockDetected)
            if attempt == DELETE_ATTEMPTS or not isinstance(error.__cause__, races):
                raise


def _delete(brand: Brand) -> None:
    """Nobody can add rows that point to rows locked here: the brand, and those right below it, such as runs. Further
    below somebody may, between two statements; then the check of constraints fails."""
    for relation in Brand._meta.related_objects:
        if relation.related_model._meta.related_objects:
            rows = relation.related_model._base_manager.filter(**{relation.field.name: brand})
            list(rows.select_for_update().order_by("pk").values_list("pk"))
    forget(brand.pk)
    Brand.objects.filter(pk=brand.pk).delete()
    connection.check_constraints()  # now, where it can be tried again, and not at the commit


def _require_room(owner: User) -> None:
    """Raise quota_exceeded unless the locked account may have one more brand."""
    limit, count = owner.limit("max_sites"), owner.brands.count()
    if count >= limit:
        raise quota_exceeded(gettext_noop("sites"), limit, count)


def _allowed_samples(owner: User, samples: int) -> int:
    most = owner.limit("max_samples")
    if not 1 <= samples <= most:
        raise invalid(
            "samples",
            gettext("The owner's plan allows 1 to {most} samples per prompt; {samples} were asked for.").format(
                most=most, samples=samples
            ),
        )
    return samples


def _clean_region(text: str) -> str:
    region = text.strip().upper()
    if region and not re.fullmatch("[A-Z]{2}", region):
        raise invalid(
            "region",
            gettext("{text!r} is no region. Give a country code of two letters, such as DE.").format(text=text[:100]),
        )
    return region


def _domain_taken(brand: Brand) -> str:
    words = gettext("{email} already has a brand with the domain {domain}. Use that one.")
    return words.format(email=brand.owner.email, domain=brand.domain)
