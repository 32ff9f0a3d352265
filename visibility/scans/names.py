"""The names and domains by which a brand and its competitors are found in answers."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import orjson

from brands.models import Alias, Brand, Competitor, CompetitorAlias, NamePolicy, OwnedDomain
from visibility.detection.detector import DETECTOR_VERSION
from visibility.detection.matching import Dictionary
from visibility.detection.types import BRAND, Domains, Name, Policy


@dataclass(frozen=True)
class Lexicon:
    """What answers of a brand are looked through for. `subjects` are the subject keys, the brand's own first."""

    subjects: Sequence[str]
    names: Sequence[Name]
    domains: Domains

    @cached_property
    def dictionary(self) -> Dictionary:
        """The names, ready to be found."""
        return Dictionary(self.names, self.domains)

    @cached_property
    def stamp(self) -> str:
        """Marks the answers that this detector has looked through for exactly these names and domains, so that an
        answer from before a new alias or competitor is never counted as one without it."""
        names = sorted((name.subject, name.text, _told(name.policy)) for name in self.names)
        domains = sorted((subject, sorted(owned)) for subject, owned in self.domains.by_subject.items())
        return f"{DETECTOR_VERSION[:16]}+{hashlib.sha256(orjson.dumps([names, domains])).hexdigest()[:20]}"


def names_of(brand: Brand) -> list[Name]:
    """The name and the aliases of the brand and of each competitor, with what people say of them."""
    names = [(BRAND, brand.name)]
    names += [(BRAND, text) for text in Alias.objects.filter(brand=brand).values_list("text", flat=True)]
    competitors = Competitor.objects.filter(brand=brand).values_list("pk", "name")
    aliases = CompetitorAlias.objects.filter(competitor__brand=brand).values_list("competitor_id", "text")
    names += [(str(pk), text) for pk, text in [*competitors, *aliases]]
    policies = {
        row.text.casefold(): Policy(row.case_sensitive, tuple(row.required_near), tuple(row.forbidden_near))
        for row in NamePolicy.objects.filter(brand=brand)
    }
    return [Name(subject, text, policies.get(text.casefold())) for subject, text in names]


def _told(policy: Policy | None) -> tuple[bool, Sequence[str], Sequence[str]] | None:
    """A policy in one order, so that equal ones leave the same mark."""
    if policy is None:
        return None
    return policy.case_sensitive, sorted(policy.required_near), sorted(policy.forbidden_near)


def lexicon_of(brand: Brand) -> Lexicon:
    """The names and domains of the brand and its competitors as they are now."""
    owned = OwnedDomain.objects.filter(brand=brand).values_list("domain", flat=True)
    competitors = {
        str(pk): (domain,) for pk, domain in Competitor.objects.filter(brand=brand).values_list("pk", "domain")
    }
    domains = Domains({BRAND: (brand.domain, *owned), **competitors})
    return Lexicon(subjects=[BRAND, *competitors], names=names_of(brand), domains=domains)
