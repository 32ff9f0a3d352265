"""The competitors of a brand, by name and domain."""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop

from apikeys.accounts.caller import Caller
from apikeys.errors import not_found, quota_exceeded
from apikeys.text import clean_line, clean_text
from brands.access import editable_brand
from brands.domains import normalise_domain
from brands.models import LONGEST_DESCRIPTION, LONGEST_NAME, Brand, Competitor
from brands.names import Changed, all_of, claim, raise_names_version
from brands.trail import What, note


@transaction.atomic
def add_competitor(
    caller: Caller, *, brand_id: UUID, name: str, domain: str, aliases: Iterable[str] = (), description: str = ""
) -> Competitor:
    """Track a competitor, within the plan of the brand's owner. `description`, what it sells, helps to tell whether a
    name that is also a word means it; without one the brand's own does.

    Raises not_found, read_only_collaborator, quota_exceeded, invalid_arguments, conflict for a name or domain of the
    brand itself or of another competitor: one mention would count for both.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    limit, count = brand.owner.limit("max_competitors_per_site"), brand.competitors.count()
    if count >= limit:
        raise quota_exceeded(gettext_noop("competitors for each site"), limit, count)
    competitor = Competitor.objects.create(
        brand=brand,
        name=clean_line("name", name, longest=LONGEST_NAME),
        domain=normalise_domain("domain", domain),
        description=clean_text("description", description, longest=LONGEST_DESCRIPTION),
    )
    claim(brand, competitor, aliases=aliases)
    note(caller, brand, What.COMPETITOR, "", _words_of(competitor), competitor.name)
    raise_names_version(brand, all_of(competitor))
    return competitor


@transaction.atomic
def update_competitor(
    caller: Caller,
    *,
    brand_id: UUID,
    competitor_id: UUID,
    name: str | None = None,
    domain: str | None = None,
    aliases: Iterable[str] | None = None,
    description: str | None = None,
) -> Competitor:
    """Change what is given; None leaves it as it is. Errors as `add_competitor`, without the quota."""
    brand = editable_brand(caller, brand_id, lock=True)
    competitor = _competitor(brand, competitor_id)
    words, called = _words_of(competitor), competitor.name
    if name is not None:
        competitor.name = clean_line("name", name, longest=LONGEST_NAME)
    if domain is not None:
        competitor.domain = normalise_domain("domain", domain)
    before = competitor.description
    if description is not None:
        competitor.description = clean_text("description", description, longest=LONGEST_DESCRIPTION)
    competitor.save(update_fields=["name", "domain", "description"])
    changed = claim(brand, competitor, aliases=aliases)
    note(caller, brand, What.COMPETITOR, words, _words_of(competitor), called)
    if competitor.description != before:
        changed = Changed(changed.names | all_of(competitor).names, changed.domains)
    if changed:
        raise_names_version(brand, changed)
    return competitor


@transaction.atomic
def remove_competitor(caller: Caller, *, brand_id: UUID, competitor_id: UUID) -> None:
    """Stop tracking a competitor: what was counted for it goes with it, the answers stay.

    Raises not_found, read_only_collaborator.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    competitor = _competitor(brand, competitor_id)
    changed = all_of(competitor)
    note(caller, brand, What.COMPETITOR, _words_of(competitor), "", competitor.name)
    competitor.delete()
    raise_names_version(brand, changed)


def _words_of(competitor: Competitor) -> str:
    """All that is stored of a competitor, for the trail."""
    aliases = competitor.names.filter(is_main=False).values_list("text", flat=True)
    return ", ".join(filter(None, (competitor.name, *aliases, competitor.domain, competitor.description)))


def _competitor(brand: Brand, competitor_id: UUID) -> Competitor:
    competitor: Competitor | None = brand.competitors.filter(pk=competitor_id).first()
    if competitor is None:
        raise not_found()
    return competitor
