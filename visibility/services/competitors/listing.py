"""The competitors of a brand with their figures, and adding one."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import invalid
from apikeys.resources import Quota
from apikeys.scopes import Scope
from brands.models import Brand, Competitor
from brands.services.access import editable_brand, readable_brand
from brands.services.competitors import add_competitor
from visibility.detection.ambiguity import flag_ambiguous
from visibility.measured.now import read_now
from visibility.resources.competitors import (
    AddedCompetitor,
    AmbiguousName,
    CompetitorItem,
    CompetitorList,
    CompetitorResource,
    RescoringResource,
)
from visibility.services.competitors.names import name_flags
from visibility.services.competitors.suggestions import held_suggestion, suggestions_of
from visibility.services.reading.now import based_on
from visibility.services.reading.rescoring import request_rescore, rescoring_of

_FIGURES = ("score", "low", "high", "share_of_voice", "share_of_voice_low", "share_of_voice_high")


@snapshot()
def competitors_of(caller: Caller, *, brand_id: UUID) -> CompetitorList:
    """The competitors by name, each with its figures now. Raises not_found."""
    caller.require(Scope.READ_COMPETITORS)
    brand = readable_brand(caller, brand_id)
    now = read_now(brand)
    figures = {row.competitor_id: row for row in now.rows}
    rivals = Competitor.objects.restrict(caller, "view").filter(brand=brand).prefetch_related("aliases")
    return CompetitorList(
        site=brand.pk,
        as_of=now.basis.latest,
        based_on=based_on(now.averaged) if now.averaged else None,
        competitors=[
            CompetitorItem(
                **dict(competitor_resource(rival)),
                **{name: getattr(figures.get(rival.pk), name, None) for name in _FIGURES},
            )
            for rival in rivals
        ],
        quota=competitor_quota(brand),
        ambiguous_names=[AmbiguousName(name=name, reason=flag.reason) for name, flag in name_flags(brand).items()],
        suggestions=suggestions_of(brand),
        rescoring=_rescoring(caller, brand_id),
    )


def watch_competitor(
    caller: Caller, *, brand_id: UUID, name: str, domain: str, aliases: Sequence[str] = ()
) -> AddedCompetitor:
    """Add a competitor and have the history measured again with it; says which of its names need care. Errors as
    `add_competitor`."""
    brand = editable_brand(caller, brand_id)
    added = add_competitor(caller, brand=brand, name=name, domain=domain, aliases=aliases)
    request_rescore(caller, brand_id=brand_id)
    progress = _rescoring(caller, brand_id)
    resource = competitor_resource(added)
    flagged = ((each, flag_ambiguous(each)) for each in (resource.name, *resource.aliases))
    return AddedCompetitor(
        site=brand.pk,
        competitor=resource,
        quota=competitor_quota(brand),
        ambiguous_names=[AmbiguousName(name=each, reason=flag.reason) for each, flag in flagged if flag],
        rescored=progress is None and brand.daily_scores.exists(),
        rescoring=progress,
    )


@transaction.atomic
def add_suggested(
    caller: Caller,
    *,
    brand_id: UUID,
    suggestion_id: UUID,
    name: str = "",
    domain: str = "",
    aliases: Sequence[str] = (),
) -> AddedCompetitor:
    """Watch a suggested competitor; name and domain default to the suggested ones. The suggestion goes.

    Raises not_found, invalid_arguments where no domain is given and none was suggested, and as `watch_competitor`;
    then the suggestion stays.
    """
    suggestion = held_suggestion(caller, brand_id, suggestion_id)
    if not (domain := domain.strip() or suggestion.domain):
        raise invalid("domain", f"The answers do not tell the domain of {suggestion.name}. Give it, as in rival.com.")
    added = watch_competitor(
        caller, brand_id=brand_id, name=name.strip() or suggestion.name, domain=domain, aliases=aliases
    )
    suggestion.delete()
    return added


def competitor_resource(competitor: Competitor) -> CompetitorResource:
    """The competitor as every door shows it."""
    return CompetitorResource(
        id=competitor.pk,
        name=competitor.name,
        domain=competitor.domain,
        aliases=[alias.text for alias in competitor.aliases.all()],
    )


def competitor_quota(brand: Brand) -> Quota:
    """How many competitors the plan of the brand's owner allows, and how many there are."""
    plan = brand.owner.plan
    return Quota(limit=plan.max_competitors_per_site if plan else 0, used=brand.competitors.count())


def _rescoring(caller: Caller, brand_id: UUID) -> RescoringResource | None:
    progress = rescoring_of(caller, brand_id=brand_id)
    return RescoringResource.model_validate(progress) if progress else None
