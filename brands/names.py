"""Names and domains by which answers mention and cite a brand and its competitors. Each belongs to one of them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError, conflict, invalid
from apikeys.resources import Theirs, worded
from apikeys.text import clean_line
from brands.access import editable_brand
from brands.domains import normalise_domain
from brands.later import defer_for_brand
from brands.models import LONGEST_NAME, Brand, Competitor, Domain, Name, NameChange
from brands.trail import What, note

MOST_ALIASES = MOST_DOMAINS = 50
"""Further names, and further domains, of a brand or of a competitor."""
MOST_WORDS = 30
LONGEST_WORD = 50
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")


@dataclass(frozen=True, slots=True)
class TrackedName:
    """A name, and when it counts: only in these capitals, in a line with one of some words, not next to others."""

    text: str
    case_sensitive: bool
    required_near: tuple[str, ...]
    forbidden_near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tracked:
    """What answers are searched for on behalf of the brand (competitor None) or a competitor; the main ones first.
    `description` is what it sells; a competitor without one sells what the brand does."""

    competitor: UUID | None
    names: tuple[TrackedName, ...]
    domains: tuple[str, ...]
    description: str


@dataclass(frozen=True, slots=True)
class BrandNames:
    """All names and domains of a brand and its competitors, and the `names_version` of the brand as it was read
    before them: as long as the brand still has that version, it has these names."""

    version: int
    brand: Tracked
    competitors: tuple[Tracked, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """Names and domains that count otherwise than before, and the competitors that were added or removed."""

    names: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    competitors: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.names or self.domains or self.competitors)


def names_of(brand: Brand) -> BrandNames:
    """What answers are searched for on behalf of a brand; competitors by name."""
    names: dict[UUID | None, list[TrackedName]] = defaultdict(list)
    domains: dict[UUID | None, list[str]] = defaultdict(list)
    sold: dict[UUID | None, str] = {}
    for row in brand.names.select_related("competitor"):
        sold[row.competitor_id] = (row.competitor and row.competitor.description) or brand.description
        policy = (row.case_sensitive, tuple(row.required_near), tuple(row.forbidden_near))
        names[row.competitor_id].append(TrackedName(row.text, *policy))
    for row in brand.domains.all():
        domains[row.competitor_id].append(row.domain)
    tracked = {key: Tracked(key, tuple(rows), tuple(domains[key]), sold[key]) for key, rows in names.items()}
    return BrandNames(brand.names_version, tracked.pop(None), tuple(tracked.values()))


def spelling_key(name: str) -> str:
    """The same for names that are found in the same places: in whatever case, with hyphens or spaces.

    "monday.com" and "Monday" are two.
    """
    return _HYPHEN.sub(" ", name.casefold())


@transaction.atomic
def set_name_policy(
    caller: Caller,
    *,
    brand_id: UUID,
    name: str,
    case_sensitive: bool = False,
    required_near: Iterable[str] = (),
    forbidden_near: Iterable[str] = (),
) -> Name:
    """Say when a name of the brand or of a competitor counts; replaces what was set before.

    Raises not_found, read_only_collaborator, invalid_arguments, also for a name that the brand does not track.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    text = clean_line("name", name, longest=LONGEST_NAME)
    row: Name | None = brand.names.filter(key=spelling_key(text)).first()
    if row is None:
        raise invalid(
            "name",
            gettext("{text} is no name of {name} or its competitors. Add it as an alias first.").format(
                text=text, name=brand.name
            ),
        )
    before, words = (row.case_sensitive, row.required_near, row.forbidden_near), _policy_words(row)
    row.case_sensitive = case_sensitive
    row.required_near = _clean_words("required_near", required_near)
    row.forbidden_near = _clean_words("forbidden_near", forbidden_near)
    if before != (row.case_sensitive, row.required_near, row.forbidden_near):
        row.save(update_fields=["case_sensitive", "required_near", "forbidden_near"])
        note(caller, brand, What.NAME_USE, words, _policy_words(row), row.text)
        raise_names_version(brand, Changed(names=frozenset({row.text})))
    return row


def _policy_words(name: Name) -> str:
    """When a name counts, for the trail."""
    near = {"beside": name.required_near, "never beside": name.forbidden_near}
    parts = ["in these capitals"] if name.case_sensitive else []
    return "; ".join([*parts, *(f"{place} {', '.join(words)}" for place, words in near.items() if words)])


def claim(
    brand: Brand,
    competitor: Competitor | None = None,
    *,
    aliases: Iterable[str] | None = None,
    domains: Iterable[str] | None = None,
) -> Changed:
    """Make the rows of names and domains those of a locked brand, or of one of its competitors: its name, its domain
    and these further ones; None leaves the further ones as they are. Returns what that changed.

    Raises invalid_arguments, conflict for what belongs to another of them.
    """
    tracked = competitor or brand
    own = {"brand": brand, "competitor": competitor}
    if aliases is None:
        aliases = Name.objects.filter(**own, is_main=False).values_list("text", flat=True)
    else:
        aliases = [clean_line("alias", alias, longest=LONGEST_NAME) for alias in aliases]
    if domains is None:
        domains = Domain.objects.filter(**own, is_main=False).values_list("domain", flat=True)
    else:
        domains = [normalise_domain("domains", domain) for domain in domains]
    names: dict[str, Name | Domain] = {}
    for text in (tracked.name, *aliases):
        names.setdefault(spelling_key(text), Name(**own, text=text, key=spelling_key(text), is_main=not names))
    hosts: dict[str, Name | Domain] = {}
    for domain in (tracked.domain, *domains):
        hosts.setdefault(domain, Domain(**own, domain=domain, is_main=not hosts))
    _require_at_most(MOST_ALIASES, "aliases", len(names) - 1)
    _require_at_most(MOST_DOMAINS, "domains", len(hosts) - 1)
    changed_names = _store(names, "key", ["text", "is_main"])
    changed_domains = _store(hosts, "domain", ["is_main"])
    if changed_domains:  # whose site is linked helps to tell whether a name is meant
        changed_names |= {str(name) for name in names.values()}
    return Changed(frozenset(changed_names), frozenset(changed_domains))


def all_of(competitor: Competitor) -> Changed:
    """All names and domains of a competitor, which is added or removed."""
    return Changed(
        frozenset(competitor.names.values_list("text", flat=True)),
        frozenset(competitor.domains.values_list("domain", flat=True)),
        frozenset({competitor.name}),
    )


def raise_names_version(brand: Brand, changed: Changed | None = None) -> None:
    """Count a change of what answers are searched for, in the transaction that makes it and has locked the brand.

    The job that is enqueued with it counts history again: the answers that `changed` may touch, without it all.
    """
    brand.names_version += 1
    brand.save(update_fields=["names_version"])
    if changed is not None:
        kinds = ((NameChange.Kind.NAME, changed.names), (NameChange.Kind.DOMAIN, changed.domains))
        NameChange.objects.bulk_create(
            NameChange(brand=brand, version=brand.names_version, kind=kind, text=text)
            for kind, texts in (*kinds, (NameChange.Kind.COMPETITOR, changed.competitors))
            for text in texts
        )
    defer_for_brand("recount", brand.pk)


def raise_detector_version(version: int) -> None:
    """Have history counted again, of each brand where an older detector counted it."""
    Brand.objects.filter(detector_version__lt=version).update(
        detector_version=version, names_version=F("names_version") + 1
    )


def changed_since_counted(brand: Brand) -> Changed | None:
    """What changed between the brand's counted_version and its names_version; None: it may be anything."""
    rows = brand.name_changes.filter(version__gt=brand.counted_version, version__lte=brand.names_version)
    texts: dict[str, set[str]] = defaultdict(set)
    versions = set()
    for row in rows:
        texts[row.kind].add(row.text)
        versions.add(row.version)
    if len(versions) < brand.names_version - brand.counted_version:
        return None
    return Changed(*(frozenset(texts[kind]) for kind in ("name", "domain", "competitor")))


def mark_counted(brand: Brand, version: int) -> bool:
    """Record that history is counted with this version of the names; returns whether they are still the brand's."""
    brand.name_changes.filter(version__lte=version).delete()
    return bool(Brand.objects.filter(pk=brand.pk, names_version=version).update(counted_version=version))


def _store(wanted: Mapping[str, Name | Domain], identity: str, fields: list[str]) -> set[str]:
    """Make these, the main one first, all rows of one brand or competitor; returns the texts that this changed.

    Rows are identified by the field `identity`. Those that stay are still the same rows, with their policies.
    """
    main = next(iter(wanted.values()))
    rows = type(main).objects.filter(brand=main.brand)
    others = rows.filter(**{f"{identity}__in": wanted}).exclude(competitor=main.competitor)
    if taken := others.select_related("competitor").first():
        raise _taken(taken, is_main=getattr(taken, identity) == getattr(main, identity))
    own = rows.filter(competitor=main.competitor)
    present = {getattr(row, identity): row for row in own}
    before, after = ({(str(row), row.is_main) for row in each.values()} for each in (present, wanted))
    if before == after:
        return set()
    own.exclude(**{f"{identity}__in": wanted}).delete()
    own.update(is_main=False)  # before another becomes the main one: there is one at any time
    for key in wanted.keys() & present.keys():
        wanted[key].pk = present[key].pk
    rows.bulk_update([row for row in wanted.values() if row.pk], fields)
    rows.bulk_create([row for row in wanted.values() if not row.pk])
    return {text for text, _ in before ^ after}


def _taken(row: Name | Domain, *, is_main: bool) -> ServiceError:
    kind = "name" if isinstance(row, Name) else "domain"
    of_rival = {
        "name": gettext(
            "{text} is a name of the competitor {rival} already. Give another, or remove it there first."
        ),
        "domain": gettext(
            "{text} is a domain of the competitor {rival} already. Give another, or remove it there first."
        ),
    }
    of_brand = {
        "name": gettext("{text} is a name of the brand itself already. Give another, or remove it there first."),
        "domain": gettext("{text} is a domain of the brand itself already. Give another, or remove it there first."),
    }
    rival = row.competitor and row.competitor.name
    further = "aliases" if isinstance(row, Name) else "domains"

    def write(theirs: Theirs) -> str:
        if rival:
            return of_rival[kind].format(text=theirs(str(row)), rival=theirs(rival))
        return of_brand[kind].format(text=theirs(str(row)))

    return conflict(
        worded(write),
        argument=kind if is_main else further,
        competitorId=row.competitor and str(row.competitor.pk),
    )


def _require_at_most(most: int, argument: str, count: int) -> None:
    if count > most:
        raise invalid(
            argument,
            gettext("{count} {argument} are too many: at most {most} are allowed. Remove some.").format(
                count=count, argument=argument, most=most
            ),
        )


def _clean_words(argument: str, words: Iterable[str]) -> list[str]:
    cleaned = list(dict.fromkeys(clean_line(argument, word, longest=LONGEST_WORD) for word in words))
    _require_at_most(MOST_WORDS, argument, len(cleaned))
    if spaced := next((word for word in cleaned if " " in word), None):
        raise invalid(argument, gettext("“{spaced}” contains a space. Give single words.").format(spaced=spaced))
    return cleaned
