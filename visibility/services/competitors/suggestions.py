"""Suggested competitors: to read and to dismiss."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import not_found
from brands.services.access import editable_brand
from brands.services.tracked import BrandNames
from visibility.detection.rivals.suggesting import name_key
from visibility.models import CompetitorSuggestion
from visibility.resources.suggestions import CompetitorSuggestionResource


def suggestions_of(names: BrandNames) -> list[CompetitorSuggestionResource]:
    """As `suggestions`, for services that have checked what the caller may read of the brand with these names."""
    rows = CompetitorSuggestion.objects.filter(brand=names.brand, dismissed_at=None)
    tracked = set(map(name_key, names.spellings))
    return [
        CompetitorSuggestionResource.model_validate(row)
        for row in rows
        if tracked.isdisjoint({row.key, name_key(row.name)})
    ]


@transaction.atomic
def dismiss_suggestion(caller: Caller, *, brand_id: UUID, suggestion_id: UUID) -> None:
    """Suggest this name no more, whatever answers say. One that is dismissed already stays so. Raises not_found and
    read_only_collaborator."""
    suggestion = held_suggestion(caller, brand_id, suggestion_id)
    if suggestion.dismissed_at is None:
        suggestion.dismissed_at = timezone.now()
        suggestion.save(update_fields=["dismissed_at"])


def held_suggestion(caller: Caller, brand_id: UUID, suggestion_id: UUID) -> CompetitorSuggestion:
    """The suggestion afresh, its brand held, for a caller who may change it."""
    brand = editable_brand(caller, brand_id, lock=True)
    suggestion: CompetitorSuggestion | None = CompetitorSuggestion.objects.filter(
        brand=brand, pk=suggestion_id
    ).first()
    if suggestion is None:
        raise not_found()
    suggestion.brand = brand
    return suggestion
