"""Why a score changed, as a page shows it: the parts of the change as bars, and what changed at the same time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import one_line, shortened
from visibility.engines.display import display_name
from visibility.metrics.shown import shown
from visibility.pages.present.links import Link, link_to
from visibility.resources.change_records import AnswerToRead, Beside, ChangeRecord, Known, Part

MOST_PARTS = 6
MOST_BESIDE = 3
MAX_NAME = 90
WIDTH = 100
"""Of the longest bar, in units of its picture."""


@dataclass(frozen=True, slots=True)
class ToRead:
    """An answer that shows a part: what it is, in words."""

    answer: UUID
    words: str


@dataclass(frozen=True, slots=True)
class PartLine:
    """One part: its points with a sign, its own rate before and after, the length of its bar (0 to `WIDTH`)."""

    name: str
    points: str
    rates: str
    width: float
    is_fall: bool
    answers: Sequence[ToRead]


@dataclass(frozen=True, slots=True)
class Partition:
    """All parts of a change by one thing; `rest` says what the parts that have no line add."""

    by: str
    lines: Sequence[PartLine]
    rest: str


@dataclass(frozen=True, slots=True)
class KnownCause:
    """What was read that explains a change."""

    what: str
    link: Link | None
    since: str


@dataclass(frozen=True, slots=True)
class Why:
    """A change and what it is made of. `total`: the points that each partition sums to, with their sign."""

    record: ChangeRecord
    total: str
    partitions: Sequence[Partition]
    beside: Sequence[str]
    causes: Sequence[KnownCause]
    against: Sequence[str]


def why_of(record: ChangeRecord) -> Why:
    """A partition into one part says nothing and is left out."""
    partitions = [
        _partition("topic", record.topics, lambda part: part.name),
        _partition("AI engine", record.engines, lambda part: display_name(part.name)),
        _partition("prompt", record.wordings, lambda part: part.name),
    ]
    return Why(
        record=record,
        total=shown(record.delta, signed=True),
        partitions=[partition for partition in partitions if len(partition.lines) > 1],
        beside=[*_beside(record.competitors, "{} went from {} % to {} %"), *_beside(record.sources, _CITED)],
        causes=[_cause(row) for row in record.known_causes],
        against=[
            _SPANS[row.span].format(date_format(row.since), shown(row.delta, signed=True)) for row in record.against
        ],
    )


_CITED = "{} was cited in {} % of answers, now in {} %"
_SPANS = {
    "month": "Since {} (about a month before): {} points",
    "period": "The last 28 days against those from {} on: {} points",
}


def _partition(by: str, parts: Sequence[Part], name: Callable[[Part], str]) -> Partition:
    longest = max((abs(part.points) for part in parts), default=0.0) or 1.0
    more = parts[MOST_PARTS:]
    return Partition(
        by,
        [
            PartLine(
                name=shortened(one_line(name(part)), MAX_NAME),
                points=shown(part.points, signed=True),
                rates=f"{shown(part.before, 0)} % → {shown(part.after, 0)} %",
                width=round(WIDTH * abs(part.points) / longest, 1),
                is_fall=part.points < 0,
                answers=[_to_read(answer) for answer in part.answers],
            )
            for part in parts[:MOST_PARTS]
        ],
        f"{len(more)} more: {shown(sum(part.points for part in more), signed=True)}" if more else "",
    )


def _cause(known: Known) -> KnownCause:
    return KnownCause(one_line(known.what), link_to(known.url), date_format(known.day))


def _to_read(answer: AnswerToRead) -> ToRead:
    names = "mentions you" if answer.named else "does not"
    return ToRead(answer.answer, f"Answer of {date_format(answer.day, 'j M')}: {names}")


def _beside(rows: Sequence[Beside], words: str) -> list[str]:
    largest = sorted(rows, key=lambda row: -abs(row.points))[:MOST_BESIDE]
    return [words.format(one_line(row.name), shown(row.before, 0), shown(row.after, 0)) for row in largest]
