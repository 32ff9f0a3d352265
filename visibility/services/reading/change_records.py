"""Change records as the doors show them; whoever calls has read the brand through the caller."""

from collections.abc import Mapping, Sequence
from datetime import date
from uuid import UUID

from visibility.measured.change_records import changes_within, told_by_brand, told_changes
from visibility.measured.change_words import topic_name, words
from visibility.models import ChangeRecord as StoredChange
from visibility.resources.change_records import ChangeContent, ChangeRecord, DatedChange

_COLUMNS = [name for name in DatedChange.model_fields if name not in ("engine", "words")]


def told_records(brand_id: UUID, day: date | None) -> list[ChangeRecord]:
    """What is told as a change on a measured day, in the order of `told_changes`."""
    return [change_record(row) for row in told_changes(brand_id, day)]


def told_records_by_brand(days: Mapping[UUID, date | None]) -> dict[UUID, list[ChangeRecord]]:
    """The same of several brands, each on its day."""
    return {brand: [change_record(row) for row in rows] for brand, rows in told_by_brand(days).items()}


def records_within(brand_id: UUID, first: date, last: date) -> list[ChangeRecord]:
    """What was told as a change on any day from `first` to `last`."""
    return [change_record(row) for row in changes_within(brand_id, first, last)]


def begun_by_day(brand_id: UUID, days: Sequence[date]) -> dict[date, list[DatedChange]]:
    """The changes of the score and of engines that began within these measured days (in order of time), by the day
    that shows them first."""
    if not days:
        return {}
    rows = StoredChange.objects.filter(brand=brand_id, began__range=(days[0], days[-1])).exclude(
        of=StoredChange.Of.TOPIC
    )
    by_day: dict[date, list[DatedChange]] = {}
    for row in rows.defer("content"):
        if shown_on := next((day for day in days if day >= row.began), None):
            by_day.setdefault(shown_on, []).append(_dated(row))
    return by_day


def change_record(row: StoredChange) -> ChangeRecord:
    """The stored record; the parts of each partition the largest first."""
    content = ChangeContent.model_validate(row.content)
    for parts in (content.topics, content.engines, content.wordings):
        parts.sort(key=lambda part: (not part.key, -abs(part.points)))  # what has no key is all others together
    topic = topic_name(row) if row.of == StoredChange.Of.TOPIC else None
    return ChangeRecord(**dict(_dated(row)), **dict(content), topic=topic)


def _dated(row: StoredChange) -> DatedChange:
    fields = {name: getattr(row, name) for name in _COLUMNS}
    return DatedChange(**fields, engine=row.engine or None, words=words(row))
