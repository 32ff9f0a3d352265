"""Create, change, transfer and delete brands."""

from django.db import IntegrityError, OperationalError, connection, transaction

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.models import User
from apikeys.services.guards import conflict, conflict_if_taken, lock_accounts, require_active
from apikeys.services.idempotency import forget
from apikeys.services.usage import quota_exceeded
from apikeys.text.validation import clean_line, clean_text
from brands.domains import normalise_domain
from brands.models import MAX_NAME, Brand, Cadence
from brands.services.access import count_new_names, editable_brand, owned_brand
from brands.services.names import refuse_names_of_competitors

DESCRIPTION_LENGTH = 5_000
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
    cadence: str = Cadence.MANUAL,
    samples: int | None = None,
    judges_names: bool = False,
) -> Brand:
    """Make a brand for `owner` within the sites of the owner's plan. `samples` defaults to 3, less on a small plan.

    Raises quota_exceeded above the limit, conflict for a domain that the owner has already, invalid_arguments for
    values that cannot be kept. People create brands for themselves only.
    """
    if not caller.is_operator and (caller.user is None or caller.user.pk != owner.pk):
        raise invalid("owner", "You can create brands for your own account only.")
    cleaned_name = clean_line("name", name, longest=MAX_NAME)
    cleaned_domain = normalise_domain("domain", domain)
    [owner] = lock_accounts(owner)
    require_active(owner)
    _require_room(owner)
    brand = Brand(
        owner=owner,
        name=cleaned_name,
        domain=cleaned_domain,
        description=clean_text("description", description, longest=DESCRIPTION_LENGTH),
        cadence=_known_cadence(cadence),
        samples=min(DEFAULT_SAMPLES, _most_samples(owner)) if samples is None else _allowed_samples(owner, samples),
        judges_names=judges_names,
    )
    with conflict_if_taken(_domain_taken(owner, cleaned_domain), argument="domain"):
        brand.save(force_insert=True)
    return brand


@transaction.atomic
def update_brand(
    caller: Caller,
    *,
    brand: Brand,
    name: str | None = None,
    domain: str | None = None,
    description: str | None = None,
    cadence: str | None = None,
    samples: int | None = None,
    judges_names: bool | None = None,
) -> Brand:
    """Change what is given; None leaves a field as it is. Errors as `create_brand`.

    A new cadence gives up the old slot; the scheduler gives it one of its own. Samples above a plan that became
    smaller are kept until they are changed.
    """
    brand = editable_brand(caller, brand.pk, lock=True)
    named = (brand.name, brand.domain, brand.description)
    if name is not None:
        brand.name = clean_line("name", name, longest=MAX_NAME)
        refuse_names_of_competitors(brand, names={brand.name} - {named[0]})
    if domain is not None:
        brand.domain = normalise_domain("domain", domain)
        refuse_names_of_competitors(brand, domains=[brand.domain])
    if description is not None:
        brand.description = clean_text("description", description, longest=DESCRIPTION_LENGTH)
    if cadence is not None and cadence != brand.cadence:
        brand.cadence = _known_cadence(cadence)
        brand.next_run_at = None
    if samples is not None and samples != brand.samples:
        brand.samples = _allowed_samples(brand.owner, samples)
    brand.judges_names = brand.judges_names if judges_names is None else judges_names
    with conflict_if_taken(_domain_taken(brand.owner, brand.domain), argument="domain"):
        brand.save(
            update_fields=["name", "domain", "description", "cadence", "next_run_at", "samples", "judges_names"]
        )
    if (brand.name, brand.domain, brand.description) != named:
        count_new_names(brand)
    return brand


@transaction.atomic
def transfer_brand(caller: Caller, *, brand: Brand, to: User) -> Brand:
    """Give the brand with all its history to another account, whose plan pays from then on.

    The new owner stops being a collaborator; the former owner keeps no access; the other collaborators stay, and
    invitations end. What lies above the new owner's limits is kept. Raises quota_exceeded when the new owner has no
    site left, conflict when they have a brand with this domain or own this one.
    """
    brand = owned_brand(caller, brand.pk)
    _, new_owner = lock_accounts(brand.owner, to)
    return give_held(owned_brand(caller, brand.pk, lock=True), new_owner)


def give_held(brand: Brand, new_owner: User) -> Brand:
    """As `transfer_brand`, of a brand that is held for who may give it away, to an account that is locked."""
    require_active(new_owner)
    if brand.owner_id == new_owner.pk:
        raise conflict(f"{new_owner.email} owns this brand already.", argument="to")
    _require_room(new_owner)
    brand.owner = new_owner
    with conflict_if_taken(_domain_taken(new_owner, brand.domain), argument="to"):
        brand.save(update_fields=["owner"])
    brand.collaborators.filter(user=new_owner).delete()
    brand.invitations.all().delete()
    return brand


@transaction.atomic
def delete_brand(caller: Caller, *, brand: Brand) -> None:
    """Remove the brand and everything below it for good: prompts, runs, answers, scores, repeatable calls.

    Safe during a scan: what a worker adds meanwhile is removed too, and the worker finds its run gone. The lock keeps
    answers from being added. What is added below an answer between the look and the removal breaks a foreign key, or
    a worker and the removal wait for each other; then the removal begins again, the lock still held.
    """
    locked = owned_brand(caller, brand.pk, lock=True, exclusive=True)
    forget(locked.pk)
    for attempt in range(1, DELETE_ATTEMPTS + 1):
        try:
            with transaction.atomic():
                Brand.objects.filter(pk=locked.pk).delete()
                if connection.vendor == "postgresql":  # SQLite has one writer at a time: nothing comes between
                    connection.check_constraints()
            return
        except (IntegrityError, OperationalError):
            if attempt == DELETE_ATTEMPTS:
                raise


def _require_room(owner: User) -> None:
    """Raise quota_exceeded unless the locked account may have one more brand."""
    limit = owner.limit("max_sites")
    count = Brand.objects.filter(owner=owner).count()
    if count >= limit:
        raise quota_exceeded("sites", limit, count)


def _most_samples(owner: User) -> int:
    return owner.limit("max_samples")


def _allowed_samples(owner: User, samples: int) -> int:
    most = _most_samples(owner)
    if not 1 <= samples <= most:
        raise invalid("samples", f"The owner's plan allows 1 to {most} samples per prompt; {samples} were asked for.")
    return samples


def _known_cadence(cadence: str) -> str:
    if cadence not in Cadence.values:
        raise invalid("cadence", f"{cadence!r} is not a known cadence. Choose one of {', '.join(Cadence.values)}.")
    return cadence


def _domain_taken(owner: User, domain: str) -> str:
    return f"{owner.email} already has a brand with the domain {domain}. Use that one."
