"""All names and domains of a brand and its competitors, with what people say of them: read in one statement."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

import orjson
from django.db.models import Case, F, QuerySet, TextField, UUIDField, Value, When
from django.db.models.functions import Cast

from apikeys.caller import Caller
from apikeys.db.prepared import Prepared, Slot
from apikeys.db.snapshot import remembered
from brands.models import Alias, Brand, Competitor, CompetitorAlias, NamePolicy, OwnedDomain

_ALIAS, _DOMAIN, RIVAL, _RIVAL_ALIAS, _POLICY, _POLICY_OF_CASE = range(6)
FIRST_OTHER_KIND = 6
"""From here on rows that are read with the names are none of them."""
_NO_ID = Cast(Value(None), UUIDField())
_NO_TEXT = Value("", output_field=TextField())


@dataclass(frozen=True, slots=True)
class RivalNames:
    """By what answers mention and cite a competitor; aliases by text."""

    name: str
    domain: str
    aliases: list[str] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """The name, then the aliases."""
        return [self.name, *self.aliases]


@dataclass(frozen=True, slots=True)
class BrandNames:
    """By what answers mention and cite a brand and its competitors, and what people say of these names.

    Aliases and domains by text, competitors by name. `spellings` has each name and alias once: the brand's, then the
    competitors' names, then their aliases. `policies`, by the name in lower case, are copies that are not saved.
    """

    brand: Brand
    spellings: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    domains: list[str] = field(default_factory=list)
    rivals: dict[UUID, RivalNames] = field(default_factory=dict)
    policies: dict[str, NamePolicy] = field(default_factory=dict)

    def with_rival(self, key: UUID, rival: RivalNames) -> "BrandNames":
        """These names and a further competitor."""
        spellings = list(dict.fromkeys([*self.spellings, *rival.texts]))
        return replace(self, spellings=spellings, rivals={**self.rivals, key: rival})


@remembered
def read_names(brand: Brand) -> BrandNames:
    """The names of a brand as they are now."""
    names = BrandNames(brand)
    spellings = dict.fromkeys([brand.name])
    for kind, rival, text, domain, near, beside in name_rows(brand.pk):
        if kind in (_ALIAS, RIVAL, _RIVAL_ALIAS):
            spellings[text] = None
        if kind == _ALIAS:
            names.aliases.append(text)
        elif kind == _DOMAIN:
            names.domains.append(text)
        elif kind == RIVAL:
            names.rivals[rival] = RivalNames(text, domain)
        elif kind == _RIVAL_ALIAS:
            names.rivals[rival].aliases.append(text)
        elif kind in (_POLICY, _POLICY_OF_CASE):
            names.policies[text.casefold()] = NamePolicy(
                brand=brand,
                text=text,
                case_sensitive=kind == _POLICY_OF_CASE,
                required_near=orjson.loads(near),
                forbidden_near=orjson.loads(beside),
            )
    names.spellings.extend(spellings)
    return names


@remembered
def name_rows(brand_id: UUID) -> Sequence[Sequence[Any]]:
    """What names are made of, by kind and text, as `rows_of_names` gives it."""
    return _ROWS.rows(None, brand_id=brand_id)


def rows_of_names(brand_id: Slot, *more: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    """All names in one statement, by kind and text, and `more` that is known of the brand (`part_of_names`). The
    competitors come first, as their columns give the types."""
    rival_aliases = CompetitorAlias.objects.filter(competitor__brand=brand_id)
    rivals = part_of_names(
        Competitor.objects.filter(brand=brand_id), Value(RIVAL), F("name"), F("pk"), domain=F("domain")
    )
    parts: QuerySet[Any, Any] = rivals.union(
        part_of_names(Alias.objects.filter(brand=brand_id), Value(_ALIAS), F("text")),
        part_of_names(OwnedDomain.objects.filter(brand=brand_id), Value(_DOMAIN), F("domain")),
        part_of_names(rival_aliases, Value(_RIVAL_ALIAS), F("text"), F("competitor")),
        part_of_names(
            NamePolicy.objects.filter(brand=brand_id),
            Case(When(case_sensitive=True, then=Value(_POLICY_OF_CASE)), default=Value(_POLICY)),
            F("text"),
            near=Cast("required_near", TextField()),
            beside=Cast("forbidden_near", TextField()),
        ),
        *more,
        all=True,
    )
    return parts.order_by("kind", "tracked_text", "rival_id")


def part_of_names(rows: Any, kind: Any, text: Any, rival: Any = _NO_ID, **texts: Any) -> Any:
    """One kind of rows: its number, from `FIRST_OTHER_KIND` on where it is no name, an id, and texts."""
    others = {f"tracked_{name}": texts.get(name, _NO_TEXT) for name in ("domain", "near", "beside")}
    columns = {"kind": kind, "rival_id": rival, "tracked_text": text, **others}
    return rows.order_by().annotate(**columns).values_list(*columns)


def _rows(caller: Caller | None, brand_id: Slot) -> QuerySet[Any, Any]:
    return rows_of_names(brand_id)


_ROWS = Prepared(_rows)
