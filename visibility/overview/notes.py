"""What happened on days: notes that people write, and what the service knows of itself."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext, ngettext

from apikeys.accounts.caller import Caller
from apikeys.errors import conflict, invalid, not_found
from brands.access import editable_brand
from brands.models import Brand
from visibility.counts.words import engine_name
from visibility.models import DayNote, Prompt
from visibility.models.notes import LONGEST_NOTE
from visibility.recommendations.cards import show
from visibility.recommendations.work import Work
from visibility.scores.change_reads import outside_events
from visibility.scores.engines import measured_of
from visibility.scores.instrument import engine_changes, has_happened
from visibility.scores.words import feature_words

MOST_NOTES = 500
"""Of a brand."""


EventKind = Literal["note", "done", "prompts", "change", "recount", "engine", "outside"]


@dataclass(frozen=True, slots=True)
class DayEvent:
    """Something that happened on a day, in words; `note`: the id of what a person wrote."""

    day: date
    words: str
    kind: EventKind
    note: UUID | None = None

    @property
    def is_measured(self) -> bool:
        """Whether it is a fact of what was measured, or of the world, and nothing that the brand's people did."""
        return self.kind in ("change", "recount", "engine", "outside")


@transaction.atomic
def add_note(caller: Caller, *, brand_id: UUID, day: date, text: str) -> DayNote:
    """Write a note on a day. Raises not_found, read_only_collaborator, invalid_arguments, and conflict above 500
    notes of a brand."""
    brand, text = editable_brand(caller, brand_id, lock=True), " ".join(text.split())
    if not 0 < len(text) <= LONGEST_NOTE:
        raise invalid("text", gettext("Write up to {longest} characters.").format(longest=LONGEST_NOTE))
    if DayNote.objects.filter(brand=brand).count() >= MOST_NOTES:
        raise conflict(gettext("This brand has {number} notes already. Delete one first.").format(number=MOST_NOTES))
    return DayNote.objects.create(brand=brand, day=day, text=text, made_by=caller.user)


@transaction.atomic
def delete_note(caller: Caller, *, brand_id: UUID, note_id: UUID) -> None:
    """Delete a note. Raises not_found, also for one that is gone, and read_only_collaborator."""
    deleted, _ = DayNote.objects.filter(brand=editable_brand(caller, brand_id), pk=note_id).delete()
    if not deleted:
        raise not_found()


def events_of(brand: Brand, work: Work, first: date, last: date) -> list[DayEvent]:
    """What happened from one day to another, both included, the oldest first: notes, changes of the score over
    engines, of engines themselves, what operators wrote, what of the brand's work was marked as done, changes of the
    list of prompts, and that history was counted again."""
    notes = DayNote.objects.filter(brand=brand, day__range=(first, last))
    events = [DayEvent(each.day, each.text, "note", each.pk) for each in notes]
    for record in brand.change_records.all():
        if not record.engine and first <= record.began <= last:
            words = gettext("{points:.0f} points gained") if record.delta > 0 else gettext("{points:.0f} points lost")
            events.append(DayEvent(record.began, words.format(points=abs(record.delta)), "change"))
    for row in work.done:
        if first <= (day := row.status_changed_at.date()) <= last:
            events.append(DayEvent(day, gettext("Done: {title}").format(title=show(row, brand).title), "done"))
    events += _prompt_changes(brand, first, last)
    events += _of_engines(brand, first, last)
    if brand.recounted_on is not None and first <= brand.recounted_on <= last:
        words = gettext("Counted again: a new version moved figures of the past")
        events.append(DayEvent(brand.recounted_on, words, "recount"))
    return sorted(events, key=lambda each: (each.day, each.words))


def _of_engines(brand: Brand, first: date, last: date) -> Iterator[DayEvent]:
    """The changes of engines that the brand asks, for its markets, and what operators wrote of these or of all."""
    if not has_happened(first, last):
        return
    asked = measured_of(brand).engines
    for change in engine_changes(brand, first, last):
        if (change.engine.name, change.surface) in asked:
            words = gettext("{engine} changed: {features}")
            features = feature_words(change.features)
            yield DayEvent(
                change.began, words.format(engine=engine_name(change.engine.name), features=features), "engine"
            )
    for event in outside_events(first, last):
        if any(event.concerns(*key) for key in asked):
            yield DayEvent(event.day, event.text, "outside")


def _prompt_changes(brand: Brand, first: date, last: date) -> Iterator[DayEvent]:
    """How many prompts were added and archived on each day, without the list that the brand began with."""
    moments = list(Prompt.objects.filter(brand=brand).tracked().values_list("created_at", "archived_at"))
    began = min((created.date() for created, _ in moments), default=date.max)
    added = Counter((created.date(), "added") for created, _ in moments if created.date() > began)
    archived = Counter((moment.date(), "archived") for _, moment in moments if moment is not None)
    for (day, verb), number in (added + archived).items():
        if first <= day <= last:
            words = ngettext("{number} prompt archived", "{number} prompts archived", number)
            if verb == "added":
                words = ngettext("{number} prompt added", "{number} prompts added", number)
            yield DayEvent(day, words.format(number=number), "prompts")
