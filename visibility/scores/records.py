"""Change records: written day by day, from the comparison of each measured day with those before it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import accumulate, pairwise
from typing import NamedTuple

from django.db.models import Q

from brands.models import Brand
from visibility.answers.detect import BRAND
from visibility.counts.sums import rounded
from visibility.metrics import Counts, Development, Metric, Part, compare, decompose, develop, has_recovered
from visibility.models import ChangeRecord
from visibility.models.changes import ChangeState, KnownBy
from visibility.scores.changes import causes_between
from visibility.scores.context import context_of
from visibility.scores.days import DayCounts
from visibility.scores.instrument import instrument_of

DAYS_BACK = 56
MOST_BEFORE = 28
"""At most so many days before a change are what it is measured against."""
REPORTED_DAYS = 28
"""A change is reported until it has recovered, or for so many days."""
MOST_PARTS = 10
CHANCE = 0.01
"""The largest p at which a later day shows that a change went on: several are looked at."""
CountsOf = Callable[..., DayCounts]
"""The counts of the days that are its arguments, together."""


def forget_records(brand: Brand, first: date) -> date:
    """Delete the records that this day or a later one had a part in; returns the day from which on to write records
    again."""
    records = ChangeRecord.objects.filter(brand=brand)
    while touched := list(records.filter(Q(after_day__gte=first) | Q(state_since__gte=first))):
        first = min(first, *(record.known_on for record in touched))
        records.filter(pk__in=[record.pk for record in touched]).delete()
    return first


def write_records(brand: Brand, measured: Sequence[date], day: date, counts_of: CountsOf) -> None:
    """Write what becomes known on a measured day. Call it for one day after the other."""
    days = _comparable_days(measured, day, counts_of)
    shown = []
    for development in develop(days):
        change = development.change
        if change.subject == BRAND and change.metric == Metric.SCORE:
            record = _event(brand, days, development)
            if record is not None and _measure(record, days, counts_of):
                if record._state.adding and record.known_by == KnownBy.CONFIRMED:
                    _end_earlier(record, days, counts_of)
                record.save()
                shown.append(record.pk)
    for record in ChangeRecord.objects.filter(brand=brand, known_on__lt=day, reported_until__gte=day).open():
        if record.pk not in shown and has_recovered(days, record.began, record.engine or None):
            record.state, record.state_since = ChangeState.RECOVERED, day
            record.save(update_fields=["state", "state_since"])


def write_context(brand: Brand, measured: Sequence[date], first: date) -> None:
    """Write what else changed over the days of the records that this day or a later one had a part in."""
    for record in ChangeRecord.objects.filter(brand=brand, after_day__gte=first):
        earlier = [day for day in measured if day < record.began][-record.before_days :]
        since = [day for day in measured if record.began <= day <= record.after_day]
        record.context = context_of(brand, earlier, since, record.engine)
        if instrument := instrument_of(record):
            record.context["instrument"] = instrument
        record.save(update_fields=["context"])


def _comparable_days(measured: Sequence[date], day: date, counts_of: CountsOf) -> dict[date, Counts]:
    """The day and those before it, as far back as each is comparable with the next; the oldest first."""
    days = {day: counts_of(day)}
    later = days[day]
    for earlier in reversed([each for each in measured if day - timedelta(DAYS_BACK) <= each < day]):
        before = counts_of(earlier)
        if causes_between(before, later):
            break
        days[earlier], later = before, before
    return {each: days[each].counts for each in sorted(days)}


def _event(brand: Brand, days: Mapping[date, Counts], development: Development) -> ChangeRecord | None:
    """The record of the event that the reported change of a figure belongs to, not saved: a new one where none is
    known. None where nothing is reported, or that event is over.

    A confirmed move is part of a change that became known on its day or later. What raised the monitor is part of any
    change within the days that the monitor compares; where that went the other way, it is no change of its own.
    """
    move, engine, day = development.reported, str(development.change.engine or ""), max(days)
    earlier = [each for each in days if move and each < move.since][-MOST_BEFORE:]
    if move is None or not move.delta or not earlier:
        return None
    earlier = earlier[-move.pooled :]
    is_confirmed, is_rise = development.confirmed is not None, move.delta > 0
    records = ChangeRecord.objects.filter(brand=brand, engine=engine)
    same_way = Q(delta__gt=0) if is_rise else Q(delta__lt=0)
    if is_confirmed:
        known = records.filter(same_way & Q(known_on__gte=move.since) | ~same_way & Q(known_on__gt=move.since))
    else:
        over = Q(state=ChangeState.RECOVERED, state_since__lte=move.since)
        known = records.filter(Q(known_on__gte=move.since) | Q(began__gte=earlier[0])).exclude(over)
    record: ChangeRecord | None = known.filter(same_way).order_by("-began").first()
    if record is None:
        new = ChangeRecord(
            brand=brand,
            engine=engine,
            began=move.since,
            before_days=len(earlier),
            delta=move.delta,
            known_by=KnownBy.CONFIRMED if is_confirmed else KnownBy.MONITOR,
            known_on=day,
            state_since=day,
            reported_until=day + timedelta(REPORTED_DAYS),
        )
        return None if known.exists() else new
    if not record.is_open or record.reported_until < day:
        return None
    if is_confirmed and record.known_by == KnownBy.MONITOR:
        record.known_by, record.began, record.before_days = KnownBy.CONFIRMED, move.since, len(earlier)
    return record


def _end_earlier(record: ChangeRecord, days: Mapping[date, Counts], counts_of: CountsOf) -> None:
    """Measure an earlier change that went the same way to the day before this one began: what followed is of this."""
    records = ChangeRecord.objects.filter(
        brand=record.brand, engine=record.engine, after_day__gte=record.began
    ).open()
    for earlier in records:
        if earlier.state_since >= record.began:
            earlier.state, earlier.state_since = ChangeState.HOLDS, earlier.known_on
        _measure(earlier, {day: counts for day, counts in days.items() if day < record.began}, counts_of)
        earlier.save()


def _measure(record: ChangeRecord, days: Mapping[date, Counts], counts_of: CountsOf) -> bool:
    """Measure a change: the latest day against the days before it began. False where that day does not show it.

    Values, interval and parts are all of these two sides, on the cells that both answered.
    """
    engine = record.engine
    if engine:
        days = {each: _only(counts, engine) for each, counts in days.items()}
    earlier = [each for each in days if each < record.began][-record.before_days :]
    since = [each for each in days if each >= record.began]
    day = since[-1]
    made_of = decompose([days[each] for each in earlier], [days[day]])
    if made_of is None:
        return False
    before, after = round(made_of.before, 2), round(made_of.after, 2)
    delta = round(after - before, 2)
    tested = _test(_together(counts_of, earlier, engine), days[day])
    shift = delta - tested.delta  # 0 but where days of different size are pooled
    low, high = (None if end is None else rounded(end + shift) for end in (tested.low, tested.high))
    if delta * record.delta <= 0 or (low or delta) * (high or delta) < 0:
        return False
    record.before, record.before_days, record.after, record.after_day = before, len(earlier), after, day
    record.delta, record.low, record.high = delta, low, high
    partitions = {"topics": made_of.topics, "engines": made_of.engines, "wordings": made_of.wordings}
    record.parts = {name: _parts(parts, delta) for name, parts in partitions.items()}
    first = [each for each in since if each <= record.known_on]
    if record.state == ChangeState.HOLDS and first[-1] < day:
        further = _test(_together(counts_of, first, engine), days[day])
        if further.p is not None and further.p <= CHANCE and further.delta * delta > 0:
            record.state, record.state_since = ChangeState.WENT_ON, day
    return True


def _only(counts: Counts, engine: str) -> Counts:
    """Counts whose figure over engines is that of one engine."""
    return replace(counts, averaged=frozenset({engine}))


def _together(counts_of: CountsOf, days: Sequence[date], engine: str) -> Counts:
    counts = counts_of(*days).counts
    return _only(counts, engine) if engine else counts


class _Test(NamedTuple):
    """A difference of the brand's score in points, with its 95 % interval and its p."""

    delta: float
    low: float | None
    high: float | None
    p: float | None


def _test(before: Counts, after: Counts) -> _Test:
    """Test the brand's score of one side against that of another, which has answers to the same prompts."""
    [change] = (
        each
        for each in compare(before, after)
        if (each.subject, each.engine, each.metric) == (BRAND, None, Metric.SCORE)
    )
    return _Test(change.delta or 0.0, change.low, change.high, change.p)


def _parts(parts: Sequence[Part], delta: float) -> list[dict[str, object]]:
    """The largest parts, and all others as one without a key: rounded so that they sum to `delta`."""
    points = [part.points for part in parts[:MOST_PARTS]]
    shown: list[dict[str, object]] = [
        {"key": str(part.key), "before": round(part.before, 2), "after": round(part.after, 2)}
        for part in parts[:MOST_PARTS]
    ]
    if len(parts) > MOST_PARTS:
        points.append(sum(part.points for part in parts[MOST_PARTS:]))
        shown.append({"key": None})
    sums = [round(each, 2) for each in accumulate(points, initial=0.0)]
    sums[-1] = delta
    return [
        {**part, "points": rounded(second - first)}
        for part, (first, second) in zip(shown, pairwise(sums), strict=True)
    ]
