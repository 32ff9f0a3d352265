"""Where a brand stands, in a sentence: how often it is named, against whom, what changed, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.utils.formats import date_format

from visibility.metrics.development import is_one_change
from visibility.metrics.rivalry import Places
from visibility.metrics.shown import shown
from visibility.resources.brands import TrendItem
from visibility.resources.changes import Confirmation, Monitor
from visibility.resources.figures import SubjectFigures
from visibility.resources.now import NowItem
from visibility.services.reading.change_words import figure_in_words, is_called

FIRM, FAIR = 5.0, 10.0
"""Half the width of an interval, in points, up to which a score is called firm, and up to which it is called fair."""
MAX_NAMED = 2
"""Rivals whom the sentence names."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class Firmness(StrEnum):
    """How sure a score is."""

    FIRM = "firm"
    FAIR = "fair"
    ROUGH = "rough"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Rank:
    """The place of the brand among those that were measured on the same answers; equal scores share a place."""

    place: int
    count: int
    leaders: Sequence[SubjectFigures]
    followers: Sequence[SubjectFigures]
    is_shared: bool

    @property
    def words(self) -> str:
        """“third of 4 brands”; “level first” where another has the same score."""
        return place_in_words(self.place, self.count, is_shared=self.is_shared)

    @property
    def named(self) -> Sequence[SubjectFigures]:
        """Who is ahead, or where nobody is who comes next: the first few, the best first."""
        return (self.leaders or self.followers)[:MAX_NAMED]

    @property
    def more(self) -> int:
        """How many beyond those."""
        return len(self.leaders or self.followers) - len(self.named)


@dataclass(frozen=True, slots=True)
class LastChange:
    """The latest change that may be called one, as a verb: in short, and in `words` with its interval and how it is
    known. `day` is the measured day that tells of it; `since` when it began, None where that is not known. `is_now`:
    what is measured now tells it."""

    short: str
    words: str
    day: date
    since: date | None
    is_now: bool
    has_fallen: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """What one sentence says of a brand; `rank` is None without rivals or without a score, `reach` is half the width
    of the interval in points, `change` None where none was ever confirmed."""

    rank: Rank | None
    apart: str
    firmness: Firmness
    reach: float | None
    change: LastChange | None


def place_in_words(place: int, count: int, *, is_shared: bool) -> str:
    """A place among so many brands, the brand itself one of them."""
    return f"{'level ' if is_shared else ''}{_ordinal(place)} of {count} brands"


def places_in_words(places: Places) -> str:
    """From the best to the worst place that it may be."""
    best, worst, count = places.best, places.worst, places.count
    if best == worst:
        return f"{_ordinal(best)} of {count}"
    if worst - best == count - 1:
        return f"any of {count}"
    return f"{_ordinal(best)} {'or' if worst - best == 1 else 'to'} {_ordinal(worst)} of {count}"


def _ordinal(place: int) -> str:
    return _ORDINALS[place - 1] if place <= len(_ORDINALS) else f"number {place}"


def standing_of(now: NowItem, subjects: Sequence[SubjectFigures], trend: Sequence[TrendItem]) -> Standing:
    """From what is measured now, where everybody stands (the brand first), and the measured days, oldest first."""
    rank = _rank(subjects)
    reach = None if now.low is None or now.high is None else round((now.high - now.low) / 2, 1)
    return Standing(
        rank=rank,
        apart=_apart(subjects[0], rank) if rank else "",
        firmness=_firmness(reach),
        reach=reach,
        change=_last_change(now, trend),
    )


def ranked(subjects: Sequence[SubjectFigures], *, most: int) -> list[tuple[int, SubjectFigures]]:
    """Those with a score, the best first, each with its place, `most` at most; the brand is always among them."""
    scored = [subject for subject in subjects if subject.overall.score.value is not None]
    scored.sort(key=lambda subject: (-_score(subject), subject.competitor is not None, subject.name))
    rows = [(1 + sum(_score(other) > _score(subject) for other in scored), subject) for subject in scored]
    own = next((row for row in rows[most:] if row[1].competitor is None), None)
    return [*rows[: most - 1], own] if own else rows[:most]


def _rank(subjects: Sequence[SubjectFigures]) -> Rank | None:
    scored = [subject for subject in subjects if subject.overall.score.value is not None]
    if len(scored) < 2 or scored[0].competitor is not None:
        return None
    own = _score(scored[0])
    others = sorted(scored[1:], key=lambda subject: (-_score(subject), subject.name))
    leaders = [subject for subject in others if _score(subject) > own]
    followers = [subject for subject in others if _score(subject) <= own]
    return Rank(
        place=len(leaders) + 1,
        count=len(scored),
        leaders=leaders,
        followers=followers,
        is_shared=any(_score(subject) == own for subject in followers),
    )


def _apart(own: SubjectFigures, rank: Rank) -> str:
    """Whether the order can be relied on: of the brand and whoever leads, or comes next."""
    other = rank.named[0]
    mine, theirs = own.overall.score, other.overall.score
    if mine.low is None or mine.high is None or theirs.low is None or theirs.high is None:
        return "Without intervals for both the order may be chance."
    if mine.low <= theirs.high and theirs.low <= mine.high:
        return "Their intervals overlap, so the order may be chance."
    return "Their intervals lie apart, so the order is no chance."


def _last_change(now: NowItem, trend: Sequence[TrendItem]) -> LastChange | None:
    """The development of now where it is a change, else the latest day that tells of one; in the words of the day
    that dates it best."""
    if is_called(now):
        return _told(_dated(now, trend), is_now=True)
    called = next((item for item in reversed(trend) if is_called(item)), None)
    return _told(_dated(called, trend), is_now=False) if called else None


def _dated(item: TrendItem, trend: Sequence[TrendItem]) -> TrendItem:
    """The latest day that confirmed what the monitor still raises: it says when it was and how large."""
    if _is_confirmed(item) or item.monitor is None:
        return item
    return next((day for day in reversed(trend) if _confirms(day, item.monitor)), item)


def _is_confirmed(item: TrendItem) -> bool:
    return item.confirmation is not None and item.confirmation.state == "confirmed"


def _confirms(item: TrendItem, monitor: Monitor) -> bool:
    if item.confirmation is None or not _is_confirmed(item):
        return False
    return is_one_change(
        moved_on=item.confirmation.moved_on,
        moved_by=item.confirmation.delta,
        raised_since=monitor.since,
        raised_by=monitor.delta,
    )


def _told(item: TrendItem, *, is_now: bool) -> LastChange:
    confirmation, monitor = item.confirmation, item.monitor
    size: Confirmation | Monitor | None = monitor
    since = monitor.since if monitor else None
    if confirmation and confirmation.state == "confirmed":
        size, since = confirmation, confirmation.moved_on
    short = "changed" if size is None or size.delta is None else _by(size.delta)
    if since:
        short += f" since {date_format(since)}"
    has_fallen = size is not None and size.delta is not None and size.delta < 0
    return LastChange(short, figure_in_words(item), item.date, since, is_now=is_now, has_fallen=has_fallen)


def _by(delta: float) -> str:
    return f"{'rose' if delta > 0 else 'fell'} by {shown(abs(delta))} points"


def _firmness(reach: float | None) -> Firmness:
    if reach is None:
        return Firmness.UNKNOWN
    if reach <= FIRM:
        return Firmness.FIRM
    return Firmness.FAIR if reach <= FAIR else Firmness.ROUGH


def _score(subject: SubjectFigures) -> float:
    return subject.overall.score.value or 0.0
