"""The other names and domains of a brand: by these, answers mention and cite it."""

import re
from collections.abc import Iterable

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.services.guards import conflict_if_taken
from apikeys.text.validation import clean_line
from brands.domains import normalise_domain
from brands.models import MAX_NAME, Alias, Brand, Competitor, OwnedDomain
from brands.services.access import count_new_names, editable_brand

MAX_ALIASES = 50
MAX_DOMAINS = 50
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")


def clean_aliases(aliases: Iterable[str], *, name: str) -> list[str]:
    """Each alias once, whatever its case, in the order given, without the `name` that it would repeat."""
    unique_aliases: dict[str, str] = {}
    for alias in aliases:
        line = clean_line("alias", alias, longest=MAX_NAME)
        unique_aliases.setdefault(line.casefold(), line)
    unique_aliases.pop(name.casefold(), None)
    if len(unique_aliases) > MAX_ALIASES:
        raise invalid(
            "aliases", f"{len(unique_aliases)} aliases are too many: at most {MAX_ALIASES} are allowed. Remove some."
        )
    return list(unique_aliases.values())


@transaction.atomic
def replace_aliases(caller: Caller, *, brand: Brand, aliases: Iterable[str]) -> list[Alias]:
    """Make `aliases` the aliases of the brand. Repeats (whatever their case) and its own name are left out."""
    brand = editable_brand(caller, brand.pk, lock=True)
    cleaned_aliases = clean_aliases(aliases, name=brand.name)
    return _write_aliases(brand, cleaned_aliases)


@transaction.atomic
def replace_domains(caller: Caller, *, brand: Brand, domains: Iterable[str]) -> list[OwnedDomain]:
    """Make `domains` the further domains of the brand, in normal form, without repeats and its main domain."""
    brand = editable_brand(caller, brand.pk, lock=True)
    return _write_domains(brand, domains)


def refuse_names_of_competitors(
    brand: Brand, *, names: Iterable[str] = (), domains: Iterable[str] = (), argument: str = "name"
) -> None:
    """Raise invalid_arguments when a competitor of the held brand has one of the names, as its own or as an alias, or
    one of the domains (as they are stored): what cites or mentions it could not be told apart. `argument` is where
    the names were given."""
    wanted_names, wanted_domains = {spelling_key(name) for name in names}, set(domains)
    for competitor in brand.competitors.prefetch_related("aliases"):
        if competitor.domain in wanted_domains:
            raise invalid("domain", f"{competitor.domain} is the domain of a competitor. Change that one.")
        if shared_name := next((text for text in names_of(competitor) if spelling_key(text) in wanted_names), None):
            raise invalid(argument, f"{shared_name} is a name of the competitor {competitor.name}. Change that one.")


def spelling_key(name: str) -> str:
    """The same for names that the detector finds in the same places: in whatever case, with hyphens or spaces.

    It tells whether two tracked names are one, so it joins no more than the detector does: "monday.com" and "Monday"
    are two. `name_key` of `visibility.detection.rivals.suggesting` joins these, to gather what answers call one
    product.
    """
    return _HYPHEN.sub(" ", name.casefold())


def names_of(named: Brand | Competitor) -> list[str]:
    """Its name, then its aliases, which may have been read before."""
    return [named.name, *(alias.text for alias in named.aliases.all())]


def texts_of(named: Brand | Competitor) -> list[str]:
    """The stored aliases of a brand or of a competitor."""
    return list(named.aliases.values_list("text", flat=True))


def _domains(brand: Brand) -> list[str]:
    return list(brand.owned_domains.values_list("domain", flat=True))


def _write_aliases(brand: Brand, texts: list[str]) -> list[Alias]:
    present = set(texts_of(brand))
    known = {spelling_key(text) for text in present}
    added = [text for text in texts if spelling_key(text) not in known]
    refuse_names_of_competitors(brand, names=added, argument="alias")
    if present != set(texts):
        count_new_names(brand)
    brand.aliases.exclude(text__in=texts).delete()
    with conflict_if_taken("Two aliases differ only in upper and lower case. Remove one."):
        Alias.objects.bulk_create(Alias(brand=brand, text=text) for text in texts if text not in present)
    return list(brand.aliases.all())


def _write_domains(brand: Brand, domains: Iterable[str]) -> list[OwnedDomain]:
    domain_names = {normalise_domain("domain", domain) for domain in domains} - {brand.domain}
    if len(domain_names) > MAX_DOMAINS:
        raise invalid(
            "domains", f"{len(domain_names)} domains are too many: at most {MAX_DOMAINS} are allowed. Remove some."
        )
    refuse_names_of_competitors(brand, domains=domain_names)
    present = set(_domains(brand))
    if present != domain_names:
        count_new_names(brand)
    brand.owned_domains.exclude(domain__in=domain_names).delete()
    OwnedDomain.objects.bulk_create(
        OwnedDomain(brand=brand, domain=domain) for domain in sorted(domain_names - present)
    )
    return list(brand.owned_domains.all())
