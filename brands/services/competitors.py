"""The rivals whose mentions are counted in the same answers, within the plan of the brand's owner."""

from collections.abc import Iterable, Mapping, Sequence, Set
from uuid import UUID

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import invalid, not_found
from apikeys.services.guards import conflict, conflict_if_taken
from apikeys.services.usage import quota_exceeded
from apikeys.text.validation import clean_line
from brands.domains import normalise_domain
from brands.models import MAX_NAME, Brand, Competitor, CompetitorAlias
from brands.services.access import count_new_names, editable_brand
from brands.services.names import clean_aliases, spelling_key
from brands.services.tracked import BrandNames, RivalNames, read_names


@transaction.atomic
def add_competitor(
    caller: Caller, *, brand: Brand, name: str, domain: str, aliases: Iterable[str] = ()
) -> Competitor:
    """Watch a rival. Raises quota_exceeded above the plan's limit, invalid_arguments for a name, alias or domain of
    the brand itself, and conflict for one of another competitor: one mention would count for both."""
    brand = editable_brand(caller, brand.pk, lock=True)
    return add_to_held(brand, name=name, domain=domain, aliases=aliases)[0]


def add_to_held(brand: Brand, *, name: str, domain: str, aliases: Iterable[str]) -> tuple[Competitor, BrandNames]:
    """As `add_competitor`, in the transaction of who holds the brand and may change it; a refusal has to end that.

    Returns all names of the brand, too, with those of the new competitor.
    """
    competitor, names = Competitor(brand=brand), read_names(brand)
    cleaned_aliases = _set_names(competitor, names, name=name, domain=domain, aliases=aliases)
    limit, count = competitor_limit(brand), len(names.rivals)
    if count >= limit:
        raise quota_exceeded("competitors for each site", limit, count)
    _save(competitor, set(), cleaned_aliases)
    added = RivalNames(competitor.name, competitor.domain, sorted(cleaned_aliases))
    return competitor, names.with_rival(competitor.pk, added)


def competitor_limit(brand: Brand) -> int:
    """How many competitors the plan of the brand's owner allows."""
    return brand.owner.limit("max_competitors_per_site")


@transaction.atomic
def update_competitor(
    caller: Caller,
    *,
    competitor: Competitor,
    name: str | None = None,
    domain: str | None = None,
    aliases: Iterable[str] | None = None,
) -> Competitor:
    """Change what is given; None leaves it as it is. Errors as `add_competitor`."""
    competitor = _locked(caller, competitor)
    names = read_names(competitor.brand)
    present = names.rivals[competitor.pk].aliases
    cleaned_aliases = _set_names(
        competitor,
        names,
        name=competitor.name if name is None else name,
        domain=competitor.domain if domain is None else domain,
        aliases=present if aliases is None else aliases,
    )
    _save(competitor, set(present), cleaned_aliases)
    return competitor


@transaction.atomic
def remove_competitor(caller: Caller, *, competitor: Competitor) -> None:
    """Stop watching a rival; what was found of it goes with it, the answers stay."""
    watched = _locked(caller, competitor)
    watched.delete()
    count_new_names(watched.brand)


def _locked(caller: Caller, competitor: Competitor) -> Competitor:
    """The competitor afresh, its brand held."""
    brand = editable_brand(caller, competitor.brand_id, lock=True)
    fresh: Competitor | None = brand.competitors.filter(pk=competitor.pk).first()
    if fresh is None:
        raise not_found()
    return fresh


def _set_names(
    competitor: Competitor, names: BrandNames, *, name: str, domain: str, aliases: Iterable[str]
) -> list[str]:
    """Check all against the brand itself and its other competitors, then set name and domain; returns the aliases.

    Names that the competitor has already pass, so that one which shares a name from earlier times can be changed.
    """
    brand = competitor.brand
    now = names.rivals.get(competitor.pk)
    known = {spelling_key(text) for text in now.texts} if now else set()
    competitor.name = clean_line("name", name, longest=MAX_NAME)
    competitor.domain = normalise_domain("domain", domain)
    cleaned_aliases = clean_aliases(aliases, name=competitor.name)
    if competitor.domain in {brand.domain, *names.domains}:
        raise invalid("domain", f"{competitor.domain} is the brand's own domain. Give the competitor's.")
    added = {
        spelling_key(text): text for text in (*cleaned_aliases, competitor.name) if spelling_key(text) not in known
    }
    for brand_name in (brand.name, *names.aliases):
        if text := added.get(spelling_key(brand_name)):
            argument = "name" if text == competitor.name else "aliases"
            raise invalid(argument, f"{text} is a name of the brand itself. Give the competitor's.")
    for key, other in names.rivals.items():
        if key != competitor.pk:
            _refuse_shared(competitor, added, key, other)
    return cleaned_aliases


def _refuse_shared(competitor: Competitor, added: Mapping[str, str], key: UUID, other: RivalNames) -> None:
    """Raise conflict when another competitor of the brand has the domain or one of the added names."""
    shared_name = next((text for text in other.texts if spelling_key(text) in added), None)
    if shared_name or other.domain == competitor.domain:
        also = f" by the name {shared_name}" if shared_name and shared_name != other.name else ""
        message = f"{other.name} ({other.domain}) is a competitor of this brand already{also}."
        raise conflict(message, competitorId=str(key))


def _save(competitor: Competitor, present: Set[str], aliases: Sequence[str]) -> None:
    """Store the competitor, and as its aliases these in place of those that are present."""
    count_new_names(competitor.brand)
    message = f"A competitor with the name {competitor.name} or its domain exists already."
    with conflict_if_taken(message, savepoint=False):
        competitor.save()
    if removed := present - set(aliases):
        competitor.aliases.filter(text__in=removed).delete()
    with conflict_if_taken("Two aliases differ only in upper and lower case. Remove one.", savepoint=False):
        CompetitorAlias.objects.bulk_create(
            CompetitorAlias(competitor=competitor, text=text) for text in aliases if text not in present
        )
