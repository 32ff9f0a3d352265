"""The names and domains by which a brand and its competitors are found in answers."""

from brands.models import Alias, Brand, Competitor, CompetitorAlias, OwnedDomain
from visibility.detection.types import BRAND, Domains, Name


def names_of(brand: Brand) -> list[Name]:
    """The name and the aliases of the brand and of each competitor."""
    names = [Name(BRAND, brand.name)]
    names += [Name(BRAND, text) for text in Alias.objects.filter(brand=brand).values_list("text", flat=True)]
    competitors = Competitor.objects.filter(brand=brand).values_list("pk", "name")
    aliases = CompetitorAlias.objects.filter(competitor__brand=brand).values_list("competitor_id", "text")
    return names + [Name(str(pk), text) for pk, text in [*competitors, *aliases]]


def domains_of(brand: Brand) -> Domains:
    """The domains of the brand and of each competitor."""
    owned = OwnedDomain.objects.filter(brand=brand).values_list("domain", flat=True)
    competitors = Competitor.objects.filter(brand=brand).values_list("pk", "domain")
    return Domains({BRAND: (brand.domain, *owned), **{str(pk): (domain,) for pk, domain in competitors}})


def subjects_of(brand: Brand) -> list[str]:
    """The subject keys: the brand itself first, then its competitors."""
    return [BRAND, *(str(pk) for pk in Competitor.objects.filter(brand=brand).values_list("pk", flat=True))]
