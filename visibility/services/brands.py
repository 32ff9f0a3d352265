"""Brands as far as what is measured has a say: made and changed with all that names them, and removed."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import orjson
from django.db import transaction
from django.db.models import Q

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.services.guards import conflict
from brands.models import Brand
from brands.services.access import editable_brand, owned_brand
from brands.services.brands import create_brand, delete_brand, update_brand
from brands.services.names import replace_aliases, replace_domains
from brands.services.tracked import BrandNames, read_names
from visibility.models import Generation, Run
from visibility.resources.competitors import AmbiguousName
from visibility.services.competitors.names import warned_names
from visibility.services.engines.configuring import choose_engines, chosen_names
from visibility.services.scans.starting import cancel_scan


@dataclass(frozen=True, slots=True)
class NamedBrand:
    """A brand that was made or changed, and those of its new names that also mean something else."""

    brand: Brand
    ambiguous_names: Sequence[AmbiguousName]


@transaction.atomic
def add_own_brand(
    caller: Caller, *, name: str, domain: str, description: str = "", aliases: Sequence[str] = ()
) -> NamedBrand:
    """Make a brand of the caller's own with its other names. Raises as `create_brand` and `replace_aliases`."""
    if caller.user is None:
        raise invalid("owner", "A brand needs an account that owns it.")
    brand = create_brand(caller, owner=caller.user, name=name, domain=domain, description=description)
    replace_aliases(caller, brand=brand, aliases=aliases)
    names = read_names(brand)
    return NamedBrand(brand, warned_names(names, names.spellings))


@transaction.atomic
def rename_brand(
    caller: Caller,
    *,
    brand: Brand,
    name: str,
    domain: str,
    description: str,
    aliases: Sequence[str],
    domains: Sequence[str],
    seen_mark: str = "",
) -> NamedBrand:
    """Give a brand its name, aliases, domains and description, all of them or none. Raises as their services, and
    conflict where they are no longer those that the caller has seen (`names_mark`), if that is given."""
    before = read_names(editable_brand(caller, brand.pk, lock=True))
    if seen_mark and seen_mark != names_mark(before):
        raise conflict(f"Somebody changed this meanwhile, and nothing of yours is saved yet. {_as_it_is(before)}")
    known = set(before.spellings)
    changed = update_brand(caller, brand=brand, name=name, domain=domain, description=description)
    replace_aliases(caller, brand=changed, aliases=aliases)
    replace_domains(caller, brand=changed, domains=domains)
    names = read_names(changed)
    return NamedBrand(changed, warned_names(names, [text for text in names.spellings if text not in known]))


def names_mark(names: BrandNames) -> str:
    """A short text that is another one once the brand's name, aliases, domains or description are others."""
    brand = names.brand
    content = (brand.name, brand.domain, brand.description, sorted(names.aliases), sorted(names.domains))
    return hashlib.sha256(orjson.dumps(content)).hexdigest()[:20]


def _as_it_is(names: BrandNames) -> str:
    """What names the brand now, for somebody who wrote something else."""
    brand = names.brand
    aliases, domains = (", ".join(texts) or "none" for texts in (names.aliases, names.domains))
    return (
        f"It is now: name {brand.name}; other names {aliases}; domain {brand.domain}; further domains {domains}; "
        f"what it sells “{brand.description or 'not stated'}”. Take over what is to stay, then save."
    )


@transaction.atomic
def plan_scans(
    caller: Caller, *, brand: Brand, cadence: str, samples: int, engines: Sequence[str], judges_names: bool
) -> Brand:
    """Say how often a brand is scanned, with how many samples, by which engines (none: all that are enabled), and
    whether an engine decides names: all of it or nothing. Raises as `update_brand` and `choose_engines`."""
    changed = update_brand(caller, brand=brand, cadence=cadence, samples=samples, judges_names=judges_names)
    if set(engines) != set(chosen_names(changed)):
        choose_engines(caller, brand_id=changed.pk, names=engines)
    return changed


@transaction.atomic
def remove_brand(caller: Caller, *, brand: Brand) -> None:
    """Cancel the brand's scans, give back the credits of what was not answered, and delete it with its history."""
    # The brand before its runs and generations: the order in which workers take them.
    brand = owned_brand(caller, brand.pk, lock=True, exclusive=True)
    open_runs = Q(status__in=Run.ACTIVE) | Q(status=Run.Status.CANCELLED, settled_at=None)
    unsettled = Run.objects.filter(open_runs, brand=brand).select_for_update(of=("self",)).order_by("pk")
    for run in list(unsettled):
        if run.trigger != Run.Trigger.IMPORT:
            cancel_scan(caller, run=run, wait_for_answers=False)
    list(Generation.objects.filter(brand=brand).select_for_update(of=("self",)).order_by("pk"))
    delete_brand(caller, brand=brand)
