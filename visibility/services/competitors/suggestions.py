"""Suggested competitors: to read and to dismiss."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.errors import not_found
from brands.services.access import editable_brand
from brands.services.tracked import BrandNames
from visibility.detection.rivals.suggesting import name_key
from visibility.measured.topics import read_topics
from visibility.models import CompetitorSuggestion
from visibility.resources.suggestions import CompetitorSuggestionResource


def suggestions_of(names: BrandNames) -> list[CompetitorSuggestionResource]:
    """Those that nobody has dismissed or watches, those of most answers first, for services that have checked what
    the caller may read of the brand with these names."""
    rows = CompetitorSuggestion.objects.filter(brand=names.brand, dismissed_at=None)
    tracked = set(map(name_key, names.spellings))
    untracked = [row for row in rows if tracked.isdisjoint({row.key, name_key(row.name)})]
    topics = read_topics(names.brand.pk) if untracked else None
    for row in untracked:
        row.topics = [(topics.name_of(topic) if topics else topic, answers) for topic, answers in row.topics]
    return [CompetitorSuggestionResource.model_validate(row) for row in untracked]


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
