"""What happened on days: who writes and deletes notes, and what the service knows of itself."""

from datetime import UTC, date, datetime

import pytest

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from tests.factories import BrandFactory, ChangeRecordFactory, CollaboratorFactory, UserFactory
from visibility.models import DayNote, Prompt, Topic
from visibility.models.notes import LONGEST_NOTE
from visibility.overview.notes import add_note, delete_note, events_of
from visibility.recommendations.work import work_of

pytestmark = pytest.mark.django_db
FIRST, DAY, LAST = date(2026, 1, 1), date(2026, 1, 5), date(2026, 1, 9)


@pytest.fixture
def brand():
    return BrandFactory()


def happened(brand):
    return [(each.day, each.words) for each in events_of(brand, work_of(brand), FIRST, LAST)]


def person(brand, role):
    return Caller.from_user(CollaboratorFactory(brand=brand, role=role).user)


def write(caller, brand, text="New prices", day=DAY):
    return add_note(caller, brand_id=brand.pk, day=day, text=text)


def test_the_owner_and_an_editor_write_notes(brand):
    note = write(Caller.from_user(brand.owner), brand, "  New \n prices ")
    write(person(brand, "editor"), brand, "A campaign")
    assert note.made_by == brand.owner
    assert happened(brand) == [(DAY, "A campaign"), (DAY, "New prices")]


def delete(caller, brand):
    delete_note(caller, brand_id=brand.pk, note_id=brand.pk)


@pytest.mark.parametrize("do", [write, delete])
def test_a_viewer_neither_writes_nor_deletes(brand, do):
    with pytest.raises(ServiceError, match="not change"):
        do(person(brand, "viewer"), brand)


def test_a_stranger_finds_no_brand(brand):
    with pytest.raises(ServiceError) as refusal:
        write(Caller.from_user(UserFactory()), brand)
    assert refusal.value.code == "not_found"


@pytest.mark.parametrize("text", ["", " ", "x" * (LONGEST_NOTE + 1)])
def test_a_note_has_some_words_and_not_many(brand, text):
    with pytest.raises(ServiceError):
        write(Caller.from_user(brand.owner), brand, text)
    assert not DayNote.objects.exists()


def test_a_note_is_deleted_once(brand):
    owner = Caller.from_user(brand.owner)
    note = write(owner, brand)
    delete_note(owner, brand_id=brand.pk, note_id=note.pk)
    with pytest.raises(ServiceError):
        delete_note(owner, brand_id=brand.pk, note_id=note.pk)
    assert happened(brand) == []


def test_a_note_of_another_brand_is_not_deleted(brand):
    note = write(Caller.from_user(brand.owner), brand)
    other = BrandFactory()
    with pytest.raises(ServiceError):
        delete_note(Caller.from_user(other.owner), brand_id=other.pk, note_id=note.pk)
    assert DayNote.objects.filter(pk=note.pk).exists()


def test_a_brand_has_at_most_so_many_notes(brand, monkeypatch):
    monkeypatch.setattr("visibility.overview.notes.MOST_NOTES", 1)
    write(Caller.from_user(brand.owner), brand)
    with pytest.raises(ServiceError, match="Delete one first"):
        write(Caller.from_user(brand.owner), brand)


@pytest.mark.parametrize("day", [date(2025, 12, 31), date(2026, 1, 10)])
def test_what_happened_on_other_days_is_left_out(brand, day):
    write(Caller.from_user(brand.owner), brand, day=day)
    assert happened(brand) == []


@pytest.mark.parametrize(("engine", "expected"), [("", [(DAY, "40 points lost")]), ("chatgpt api", [])])
def test_changes_of_the_score_over_engines_are_events(brand, engine, expected):
    ChangeRecordFactory(brand=brand, began=DAY, engine=engine, delta=-40.0)
    assert happened(brand) == expected


def test_a_recount_is_an_event(brand):
    brand.recounted_on = DAY
    assert happened(brand) == [(DAY, "Counted again: a new version moved figures of the past")]


def test_changes_of_the_list_of_prompts_are_events_and_its_beginning_is_none(brand):
    begin, later = (datetime(2026, 1, day, 12, tzinfo=UTC) for day in (2, 5))
    topic = Topic.objects.create(brand=brand, name="locks")
    for number, (created, archived) in enumerate([(begin, None), (begin, later), (later, None), (later, None)]):
        fields = {"text": f"Which lock, {number}?", "digest": str(number), "created_at": created}
        Prompt.objects.create(brand=brand, topic=topic, archived_at=archived, **fields)
    assert happened(brand) == [(DAY, "1 prompt archived"), (DAY, "2 prompts added")]
