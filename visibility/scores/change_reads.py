"""Reads of reported changes: what each is made of, and what else changed over the same days."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from brands.models import Brand
from visibility.counts.sums import wording_of
from visibility.models import ChangeRecord, OutsideEvent, PromptVersion
from visibility.scores.instrument import NEAR
from visibility.scores.now_resources import (
    ChangeResource,
    EnginePart,
    Event,
    Instrument,
    MeanBefore,
    Neighbour,
    Neighbours,
    Part,
    Parts,
    ValueOn,
)

SHORT_PARTS = 2
SHORT_NEIGHBOURS = 2


@dataclass(frozen=True, slots=True)
class _Names:
    """The names behind the ids in records, by id."""

    topics: Mapping[str, str]
    wordings: Mapping[str, str]
    competitors: Mapping[str, str]


def changes_of(brand: Brand, first: date, last: date, *, full: bool) -> list[ChangeResource]:
    """The changes that were reported at any time in a window, the latest first; unless `full`, with the largest parts
    only."""
    reported = (each for each in brand.change_records.all() if each.known_on <= last and each.reported_until >= first)
    records = sorted(reported, key=lambda each: (-each.began.toordinal(), each.engine))
    names = _names(brand, records) if records else _Names({}, {}, {})
    events = outside_events(records[-1].began - NEAR, records[0].began + NEAR) if records else []
    return [_resource(brand, record, names, events, full=full) for record in records]


def outside_events(first: date, last: date) -> list[OutsideEvent]:
    """What operators wrote of days, both included, the oldest first."""
    return list(OutsideEvent.objects.filter(day__range=(first, last)).select_related("engine").order_by("day", "pk"))


def reported_on(records: Iterable[ChangeRecord], day: date) -> ChangeRecord | None:
    """Of a brand's records the latest change of the score over all engines that is reported on a day and has not
    recovered."""
    open_ones = (each for each in records if not each.engine and each.is_open and each.reported_until >= day)
    return max(open_ones, key=lambda each: each.began, default=None)


def _names(brand: Brand, records: Sequence[ChangeRecord]) -> _Names:
    topics, wordings = (
        {key for record in records for key in _keys(record.parts.get(name, []))} for name in ("topics", "wordings")
    )
    of_topics = [(each.pk, each.name) for each in brand.topics.all() if str(each.pk) in topics]
    texts = PromptVersion.objects.filter(prompt__brand=brand).in_bulk([wording_of(key) for key in wordings])
    of_wordings = [(key, texts[int(wording_of(key))].text) for key in wordings if int(wording_of(key)) in texts]
    of_competitors = [(each.pk, each.name) for each in brand.competitors.all()]
    return _Names(*({str(pk): name for pk, name in rows} for rows in (of_topics, of_wordings, of_competitors)))


def _resource(
    brand: Brand, record: ChangeRecord, names: _Names, events: Sequence[OutsideEvent], *, full: bool
) -> ChangeResource:
    return ChangeResource(
        subject=brand.name,
        engine=record.engine or None,
        since=record.began,
        from_=MeanBefore(value=record.before, days=record.before_days),
        to=ValueOn(value=record.after, day=record.after_day),
        delta=record.delta,
        low=record.low,
        high=record.high,
        known_by=record.known_by,
        state=record.state,
        parts=_parts(record.parts, names, None if full else SHORT_PARTS),
        beside=_neighbours(record.context, names, None if full else SHORT_NEIGHBOURS),
        instrument=Instrument(**record.instrument, is_most=record.is_of_engine) if record.instrument else None,
        events=[_event(each) for each in events if _concerns(each, record)],
    )


def _concerns(event: OutsideEvent, record: ChangeRecord) -> bool:
    """Whether an event is near a change, and of an engine that it is of."""
    asked = [part["key"].rsplit(" ", 1) for part in record.parts.get("engines", []) if part["key"]]
    return abs(event.day - record.began) <= NEAR and any(event.concerns(*key) for key in asked)


def _event(event: OutsideEvent) -> Event:
    return Event(day=event.day, engine=event.engine.name if event.engine else None, text=event.text, url=event.url)


def _parts(stored: dict[str, list[dict[str, Any]]], names: _Names, most: int | None) -> Parts:
    engines = stored.get("engines", [])
    return Parts(
        topics=_named(stored.get("topics", []), names.topics, most),
        engines=[EnginePart(**dict(part)) for part in _named(engines, {key: key for key in _keys(engines)}, most)],
        wordings=_named(stored.get("wordings", []), names.wordings, most) if most is None else None,
    )


def _keys(parts: Sequence[dict[str, Any]]) -> list[str]:
    return [part["key"] for part in parts if part["key"]]


def _named(parts: Sequence[dict[str, Any]], names: Mapping[str, str], most: int | None) -> list[Part]:
    """The largest parts by their names, and the others as one, so that they still sum to the change."""
    shown = [Part(name=names.get(part["key"]), points=part["points"]) for part in parts]
    if most is None or len(shown) <= most:
        return shown
    return [*shown[:most], Part(name=None, points=round(sum(part.points for part in shown[most:]), 2))]


def _neighbours(stored: dict[str, list[dict[str, Any]]], names: _Names, most: int | None) -> Neighbours:
    """What else changed over the days of the record; sources by the percentage of answers that cite them."""
    return Neighbours(
        competitors=[
            Neighbour(name=names.competitors[row["key"]], before=row["before"], after=row["after"])
            for row in stored.get("competitors", [])
            if row["key"] in names.competitors
        ][:most],
        sources=[
            Neighbour(
                name=row["domain"],
                before=round(100 * row["before"] / row["ofBefore"], 2),
                after=round(100 * row["after"] / row["ofAfter"], 2),
            )
            for row in stored.get("sources", [])[:most]
        ],
    )
