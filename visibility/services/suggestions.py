"""Suggested competitors: to read, to add, to dismiss."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import invalid, not_found
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import editable_brand, lock_brand, readable_brand
from brands.services.policies import tracked_names
from visibility.competitor_resources import AddedCompetitor
from visibility.detection.suggesting import name_key
from visibility.models import CompetitorSuggestion
from visibility.services.competitor_list import watch_competitor
from visibility.suggestion_resources import CompetitorSuggestionResource


def suggestions(caller: Caller, *, brand_id: UUID) -> list[CompetitorSuggestionResource]:
    """The names that most answers recommend and nobody watches, without those that were dismissed.

    Raises insufficient_scope and not_found.
    """
    caller.require(Scope.READ_COMPETITORS)
    brand = readable_brand(caller, brand_id)
    rows = CompetitorSuggestion.objects.filter(brand=brand, dismissed_at=None)
    tracked = set(map(name_key, tracked_names(brand)))
    return [
        CompetitorSuggestionResource.model_validate(row)
        for row in rows
        if tracked.isdisjoint({row.key, name_key(row.name)})
    ]


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
    suggestion = _held(caller, brand_id, suggestion_id)
    if not (domain := domain.strip() or suggestion.domain):
        raise invalid("domain", f"The answers do not tell the domain of {suggestion.name}. Give it, as in rival.com.")
    added = watch_competitor(
        caller, brand_id=brand_id, name=name.strip() or suggestion.name, domain=domain, aliases=aliases
    )
    suggestion.delete()
    return added


@transaction.atomic
def dismiss_suggestion(caller: Caller, *, brand_id: UUID, suggestion_id: UUID) -> None:
    """Suggest this name no more, whatever answers say. One that is dismissed already stays so. Raises not_found and
    read_only_collaborator."""
    suggestion = _held(caller, brand_id, suggestion_id)
    if suggestion.dismissed_at is None:
        suggestion.dismissed_at = timezone.now()
        suggestion.save(update_fields=["dismissed_at"])


def _held(caller: Caller, brand_id: UUID, suggestion_id: UUID) -> CompetitorSuggestion:
    """The suggestion afresh, its brand held, for a caller who may change it."""
    brand: Brand = lock_brand(editable_brand(caller, brand_id))
    found: CompetitorSuggestion | None = CompetitorSuggestion.objects.filter(brand=brand, pk=suggestion_id).first()
    if found is None:
        raise not_found()
    return found
