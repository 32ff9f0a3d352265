"""The rivals whose mentions are counted in the same answers, within the plan of the brand's owner."""

from collections.abc import Iterable

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import invalid, not_found
from apikeys.services.guards import conflict, conflict_if_taken
from apikeys.services.usage import quota_exceeded
from apikeys.text.validation import clean_line
from brands.domains import normalise_domain
from brands.models import MAX_NAME, Brand, Competitor, CompetitorAlias
from brands.services.access import count_new_names, editable_brand
from brands.services.names import clean_aliases, name_key, names_of, texts_of


@transaction.atomic
def add_competitor(
    caller: Caller, *, brand: Brand, name: str, domain: str, aliases: Iterable[str] = ()
) -> Competitor:
    """Watch a rival. Raises quota_exceeded above the plan's limit, invalid_arguments for a name, alias or domain of
    the brand itself, and conflict for one of another competitor: one mention would count for both."""
    brand = editable_brand(caller, brand.pk, lock=True)
    competitor = Competitor(brand=brand)
    cleaned_aliases = _set_names(competitor, name=name, domain=domain, aliases=aliases)
    limit = brand.owner.plan.max_competitors_per_site if brand.owner.plan else 0
    count = brand.competitors.count()
    if count >= limit:
        raise quota_exceeded("competitors for each site", limit, count)
    _save(competitor, cleaned_aliases)
    return competitor


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
    cleaned_aliases = _set_names(
        competitor,
        name=competitor.name if name is None else name,
        domain=competitor.domain if domain is None else domain,
        aliases=texts_of(competitor) if aliases is None else aliases,
    )
    _save(competitor, cleaned_aliases)
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


def _set_names(competitor: Competitor, *, name: str, domain: str, aliases: Iterable[str]) -> list[str]:
    """Check all against the brand itself and its other competitors, then set name and domain; returns the aliases.

    Names that the competitor has already pass, so that one which shares a name from earlier times can be changed.
    """
    brand = competitor.brand
    known = {name_key(text) for text in (competitor.name, *texts_of(competitor))}
    competitor.name = clean_line("name", name, longest=MAX_NAME)
    competitor.domain = normalise_domain("domain", domain)
    cleaned_aliases = clean_aliases(aliases, name=competitor.name)
    if competitor.domain in {brand.domain, *brand.owned_domains.values_list("domain", flat=True)}:
        raise invalid("domain", f"{competitor.domain} is the brand's own domain. Give the competitor's.")
    added = {name_key(text): text for text in (*cleaned_aliases, competitor.name) if name_key(text) not in known}
    for own in (brand.name, *texts_of(brand)):
        if text := added.get(name_key(own)):
            argument = "name" if text == competitor.name else "aliases"
            raise invalid(argument, f"{text} is a name of the brand itself. Give the competitor's.")
    for other in brand.competitors.exclude(pk=competitor.pk).prefetch_related("aliases"):
        shared = next((text for text in names_of(other) if name_key(text) in added), None)
        if shared or other.domain == competitor.domain:
            also = f" by the name {shared}" if shared and shared != other.name else ""
            message = f"{other.name} ({other.domain}) is a competitor of this brand already{also}."
            raise conflict(message, competitorId=str(other.pk))
    return cleaned_aliases


def _save(competitor: Competitor, aliases: list[str]) -> None:
    count_new_names(competitor.brand)
    with conflict_if_taken(f"A competitor with the name {competitor.name} or its domain is there already."):
        competitor.save()
    present = set(competitor.aliases.values_list("text", flat=True))
    competitor.aliases.exclude(text__in=aliases).delete()
    with conflict_if_taken("Two aliases differ only in case. Leave one out."):
        CompetitorAlias.objects.bulk_create(
            CompetitorAlias(competitor=competitor, text=text) for text in aliases if text not in present
        )
