"""Change records: written day by day, from the comparison of each measured day with those before it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from brands.models import Brand
from visibility.answers.detect import BRAND
from visibility.counts.sums import rounded
from visibility.metrics import Counts, Development, Key, Metric, Part, decompose, develop, has_recovered, measure
from visibility.models import ChangeRecord
from visibility.models.changes import ChangeState, KnownBy
from visibility.scores.changes import causes_between
from visibility.scores.context import context_of
from visibility.scores.days import DayCounts

DAYS_BACK = 56
REPORTED_DAYS = 28
"""A change is reported until it has recovered, or for so many days."""
MOST_PARTS = 10
CountsOf = Callable[[date], DayCounts]


def forget_records(brand: Brand, first: date) -> None:
    """Undo what was recorded on this day and later: earlier records become as they were before it."""
    records = ChangeRecord.objects.filter(brand=brand)
    records.filter(known_on__gte=first).delete()
    records.filter(state=ChangeState.RECOVERED, state_since__gte=first).update(state=ChangeState.HOLDS)


def write_records(brand: Brand, measured: Sequence[date], day: date, counts_of: CountsOf) -> None:
    """Write what becomes known on a measured day. Call it for one day after the other."""
    days = _comparable_days(measured, day, counts_of)
    _follow(brand, day, days)
    for development in develop(days):
        change = development.change
        if change.subject == BRAND and change.metric == Metric.SCORE and development.reported:
            _record(brand, day, days, development)


def _comparable_days(measured: Sequence[date], day: date, counts_of: CountsOf) -> dict[date, Counts]:
    """The day and those before it, as far back as each is comparable with the next."""
    days = {day: counts_of(day)}
    later = days[day]
    for earlier in reversed([each for each in measured if day - timedelta(DAYS_BACK) <= each < day]):
        before = counts_of(earlier)
        if causes_between(before, later):
            break
        days[earlier], later = before, before
    return {each: days[each].counts for each in sorted(days)}


def _follow(brand: Brand, day: date, days: Mapping[date, Counts]) -> None:
    """Mark the open changes that have recovered by this day."""
    open_records = ChangeRecord.objects.filter(brand=brand, state=ChangeState.HOLDS, known_on__lt=day)
    for record in open_records.filter(reported_until__gte=day):
        if has_recovered(days, record.began, record.engine or None):
            record.state, record.state_since = ChangeState.RECOVERED, day
            record.save(update_fields=["state", "state_since"])


def _record(brand: Brand, day: date, days: Mapping[date, Counts], development: Development) -> None:
    """Store the reported change of one figure: a new record, or an update of the one that it continues."""
    move, engine = development.reported, str(development.change.engine or "")
    if move is None or move.delta is None:
        return
    earlier = [each for each in days if each < move.since][-move.pooled :]
    if not earlier:
        return
    known = ChangeRecord.objects.filter(brand=brand, engine=engine, known_on__gte=move.since)
    record = next((each for each in known if (each.delta < 0) == (move.delta < 0)), None)
    if record is not None and record.state == ChangeState.RECOVERED:
        return  # the monitor still reports a change that is over
    if record is not None and development.confirmed:
        record.known_by = KnownBy.CONFIRMED
    if record is None:
        record = ChangeRecord(
            brand=brand,
            engine=engine,
            began=move.since,
            known_by=KnownBy.CONFIRMED if development.confirmed else KnownBy.MONITOR,
            known_on=day,
            state_since=day,
            reported_until=day + timedelta(REPORTED_DAYS),
        )
    scores = [_score(days[each], development.change.engine) for each in (*earlier, day)]
    if any(score is None for score in scores):
        return
    *before, after = [score for score in scores if score is not None]
    record.before, record.before_days = round(sum(before) / len(before), 2), len(before)
    record.after, record.after_day = round(after, 2), day
    record.delta, record.low, record.high = round(move.delta, 2), rounded(move.low), rounded(move.high)
    since = [days[each] for each in days if each >= move.since]
    record.parts = _parts([days[each] for each in earlier], since, development.change.engine)
    record.context = context_of(brand, earlier, [each for each in days if each >= move.since], engine)
    record.save()


def _score(counts: Counts, engine: object) -> float | None:
    figures = measure(counts)[BRAND]
    return (figures.overall if engine is None else figures.by_engine[str(engine)]).score.value


def _parts(
    before: Sequence[Counts], after: Sequence[Counts], engine: Key | None
) -> dict[str, list[dict[str, object]]]:
    """What topics, engines and wordings (by their ids) add to the change of one engine, or of the score over engines,
    the largest first."""
    if engine is not None:
        before, after = ([replace(each, averaged=frozenset({engine})) for each in side] for side in (before, after))
    made_of = decompose(before, after)
    if made_of is None:
        return {}
    partitions = {"topics": made_of.topics, "engines": made_of.engines, "wordings": made_of.wordings}
    return {name: _largest(parts, made_of.after - made_of.before) for name, parts in partitions.items()}


def _largest(parts: Sequence[Part], whole: float) -> list[dict[str, object]]:
    """The largest parts, and all others as one without a key; with rounding errors in it, they sum to `whole`."""
    shown = [_stored(part) for part in parts[:MOST_PARTS]]
    if len(parts) <= MOST_PARTS:
        return shown
    rest = whole - sum(round(part.points, 2) for part in parts[:MOST_PARTS])
    return [*shown, {"key": None, "points": round(rest, 2)}]


def _stored(part: Part) -> dict[str, object]:
    return {
        "key": str(part.key),
        "points": round(part.points, 2),
        "before": round(part.before, 2),
        "after": round(part.after, 2),
    }
