"""Where a brand stands, in a sentence: how often it is named, against whom, what changed, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from visibility.metrics.rivalry import Places
from visibility.resources.change_records import ChangeRecord
from visibility.resources.figures import SubjectFigures
from visibility.resources.now import NowItem
from visibility.services.reading.change_words import NO_CHANGE, short_words

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
        """Who is ahead, or where nobody is who is level or else comes next: the first few, the best first."""
        return (self.leaders or self.followers)[:MAX_NAMED]

    @property
    def more(self) -> int:
        """How many beyond those."""
        return len(self.leaders or self.followers) - len(self.named)


@dataclass(frozen=True, slots=True)
class Standing:
    """What one sentence says of a brand; `rank` is None without rivals or without a score, `reach` is half the width
    of the interval in points, `change` the first of what is told as a change, None where nothing is."""

    rank: Rank | None
    apart: str
    firmness: Firmness
    reach: float | None
    change: ChangeRecord | None

    @property
    def changed(self) -> str:
        """The change within a sentence about the brand."""
        return short_words(self.change) if self.change else NO_CHANGE


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


def standing_of(now: NowItem, subjects: Sequence[SubjectFigures]) -> Standing:
    """From what is measured now, and where everybody stands (the brand first)."""
    rank = _rank(subjects)
    reach = None if now.low is None or now.high is None else round((now.high - now.low) / 2, 1)
    return Standing(
        rank=rank,
        apart=_apart(subjects[0], rank) if rank else "",
        firmness=_firmness(reach),
        reach=reach,
        change=next(iter(now.change_records), None),
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
    level = [subject for subject in others if _score(subject) == own]
    behind = [subject for subject in others if _score(subject) < own]
    return Rank(
        place=len(leaders) + 1,
        count=len(scored),
        leaders=leaders,
        followers=level or behind,
        is_shared=bool(level),
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


def _firmness(reach: float | None) -> Firmness:
    if reach is None:
        return Firmness.UNKNOWN
    if reach <= FIRM:
        return Firmness.FIRM
    return Firmness.FAIR if reach <= FAIR else Firmness.ROUGH


def _score(subject: SubjectFigures) -> float:
    return subject.overall.score.value or 0.0
