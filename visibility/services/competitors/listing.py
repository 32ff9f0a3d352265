"""The competitors of a brand with their figures, and adding one."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import invalid, not_found
from apikeys.resources import Quota
from apikeys.scopes import Scope
from brands.models import Brand, Competitor
from brands.services.access import editable_brand, readable_brand
from brands.services.competitors import add_to_held, competitor_limit, remove_competitor
from brands.services.tracked import BrandNames, read_names
from visibility.detection.types import BRAND
from visibility.measured.generations import tracked_names_of
from visibility.measured.now import Now, read_now
from visibility.measured.topic_table import read_topic_table
from visibility.resources.competitors import (
    AddedCompetitor,
    AmbiguousName,
    CompetitorItem,
    CompetitorList,
    CompetitorResource,
    RescoringResource,
)
from visibility.resources.figures import FiguresReport
from visibility.resources.scores import SubjectFigures
from visibility.resources.topics import TopicItem
from visibility.services.competitors.names import name_flags, warned_names
from visibility.services.competitors.suggestions import held_suggestion, suggestions_of
from visibility.services.reading.figures import figures_now
from visibility.services.reading.now import based_on
from visibility.services.reading.rescoring import Rescoring, rescore, rescoring_in
from visibility.services.reading.topics import named_item

_FIGURES = tuple(SubjectFigures.model_fields)
SUGGESTED = 10
"""Suggestions that agents see at a time."""


@snapshot()
def competitors_of(caller: Caller, *, brand_id: UUID, topic: str | None = None) -> CompetitorList:
    """The competitors by name, each with its figures now, and ten who could be watched, too; with a `topic` those
    that its answers name, and how everybody stands on it. Raises not_found, and invalid_arguments for a topic that
    there is not."""
    caller.require(Scope.READ_COMPETITORS)
    return competitors_in(read_names(readable_brand(caller, brand_id)), topic=topic, suggested=SUGGESTED)


def competitors_in(
    names: BrandNames, *, topic: str | None = None, suggested: int | None = None, now: Now | None = None
) -> CompetitorList:
    """As `competitors_of`, for services that have checked what the caller may read of the brand with these names; so
    many are suggested at most. `now` is what is measured now, where it was read already."""
    brand, suggestions = names.brand, suggestions_of(names)
    listed = suggestions[:suggested]
    now = now or read_now(brand)
    on_topic = _on_topic(names, now, topic) if topic is not None else None
    on_it = {row.competitor for row in on_topic.subjects if row.named} if on_topic else set(names.rivals)
    figures = {row.competitor_id: row for row in now.rows}
    return CompetitorList(
        site=brand.pk,
        as_of=now.basis.latest,
        based_on=based_on(now.averaged, now.rows[0].by_locale) if now.averaged else None,
        on_topic=on_topic,
        competitors=[
            CompetitorItem(
                id=key,
                name=rival.name,
                domain=rival.domain,
                aliases=rival.aliases,
                **{name: getattr(figures.get(key), name, None) for name in _FIGURES},
            )
            for key, rival in names.rivals.items()
            if key in on_it
        ],
        quota=_quota(names),
        ambiguous_names=[AmbiguousName(name=name, reason=flag.reason) for name, flag in name_flags(names).items()],
        suggestions=listed,
        more_suggestions=len(suggestions) - len(listed),
        rescoring=_rescoring(rescoring_in(brand)),
    )


def names_and_generation(brand: Brand) -> BrandNames:
    """All names of a brand as they are now, read with those that its figures were analysed for."""
    tracked_names_of(brand)
    return read_names(brand)


def competitors_beside(names: BrandNames) -> tuple[CompetitorList, FiguresReport]:
    """As `competitors_in`, and where everybody stands now, the brand too, of one reading."""
    now = read_now(names.brand)
    return competitors_in(names, now=now), figures_now(now, names.brand)


def _on_topic(names: BrandNames, now: Now, topic: str) -> TopicItem:
    subjects = {BRAND: names.brand.name, **{str(key): rival.name for key, rival in names.rivals.items()}}
    return named_item(read_topic_table(now.basis, subjects, [row.engine for row in now.averaged]), topic)


@transaction.atomic
def watch_competitor(
    caller: Caller, *, brand_id: UUID, name: str, domain: str, aliases: Sequence[str] = ()
) -> AddedCompetitor:
    """Add a competitor and have the history measured again with it; says which of its names need care. Errors as
    `add_competitor`."""
    brand = editable_brand(caller, brand_id, lock=True)
    return _watch(brand, name=name, domain=domain, aliases=aliases)


def _watch(brand: Brand, *, name: str, domain: str, aliases: Sequence[str]) -> AddedCompetitor:
    """As `watch_competitor`, for a brand that is held."""
    added, names = add_to_held(brand, name=name, domain=domain, aliases=aliases)
    progress, is_measured = rescore(brand, names)
    rival = names.rivals[added.pk]
    return AddedCompetitor(
        site=brand.pk,
        competitor=CompetitorResource(id=added.pk, name=rival.name, domain=rival.domain, aliases=rival.aliases),
        quota=_quota(names),
        ambiguous_names=warned_names(names, rival.texts),
        rescored=progress is None and is_measured,
        rescoring=_rescoring(progress),
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
        raise invalid(
            "domain", f"The answers do not show the domain of {suggestion.name}. Give it, such as rival.com."
        )
    added = _watch(suggestion.brand, name=name.strip() or suggestion.name, domain=domain, aliases=aliases)
    suggestion.delete()
    return added


@transaction.atomic
def unwatch_competitor(caller: Caller, *, brand_id: UUID, competitor_id: UUID) -> str:
    """Watch a competitor no more and have the history measured again without it; the answers stay. Its name. Raises
    not_found and read_only_collaborator."""
    brand = editable_brand(caller, brand_id, lock=True)
    competitor = brand.competitors.filter(pk=competitor_id).first()
    if competitor is None:
        raise not_found()
    name: str = competitor.name
    remove_competitor(caller, competitor=competitor)
    rescore(brand)
    return name


def competitor_resource(competitor: Competitor) -> CompetitorResource:
    """The competitor as every door shows it."""
    return CompetitorResource(
        id=competitor.pk,
        name=competitor.name,
        domain=competitor.domain,
        aliases=[alias.text for alias in competitor.aliases.all()],
    )


def _quota(names: BrandNames) -> Quota:
    """How many competitors the plan of the brand's owner allows, and how many there are."""
    return Quota(limit=competitor_limit(names.brand), used=len(names.rivals))


def _rescoring(progress: Rescoring | None) -> RescoringResource | None:
    return RescoringResource.model_validate(progress) if progress else None
