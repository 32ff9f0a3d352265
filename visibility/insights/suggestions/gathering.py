"""Which runs suggestions are made of, and the rows of an answer's untracked names."""

from uuid import UUID

from django.db.models import QuerySet

from apikeys.text.untrusted import clean
from visibility.detection.rivals.suggesting import name_key, suggest
from visibility.detection.text.reading import Reading
from visibility.measured.names import TrackedNames
from visibility.models import Answer, Run, UntrackedName

RUNS = 10
"""The newest runs of a brand: enough to see who comes again, few enough to keep their names."""

_LENGTH = 80


def newest_runs(brand_id: UUID) -> list[UUID]:
    """The runs whose answers suggestions are made of, those under way included."""
    return list(ids_of_newest(brand_id))


def ids_of_newest(brand_id: UUID) -> QuerySet[Run, UUID]:
    """The same, to be asked for within another statement."""
    answered = Run.objects.filter(brand=brand_id, kind=Run.Kind.VISIBILITY, done__gt=0)
    newest = answered.exclude(status=Run.Status.CANCELLED).order_by("-created_at", "-pk")
    ids: QuerySet[Run, UUID] = newest.values_list("pk", flat=True)[:RUNS]
    return ids


def untracked_names(tracked: TrackedNames, answer: Answer, read: Reading) -> list[UntrackedName]:
    """The names at the heads of an answer's entries that the tracked does not hold, and the words behind those that
    it holds, unsaved."""
    return [
        UntrackedName(
            generation_id=tracked.generation,
            answer=answer,
            lead=name_key(suggestion.name.split()[0])[:_LENGTH],
            name=clean(suggestion.name)[:_LENGTH],
            start=suggestion.start,
            domain=suggestion.domain,
            is_tracked=suggestion.is_tracked,
        )
        for suggestion in suggest(read, tracked.dictionary, answer.version.text)
    ]
