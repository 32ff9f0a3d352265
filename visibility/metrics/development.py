"""What measured days say of a figure's development: what each is held against, and what may be called a change.

A figure of one day is held against the measured day before, a week before and a month before. A day's own verdict is
a note beside its point. A change is spoken of only where it is confirmed, or where the monitor raised it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from visibility.metrics.change import Change

MIN_POOLED, MAX_POOLED = 3, 7
"""How many comparable measured days before a move are pooled to confirm it."""


class Span(StrEnum):
    """How far back a day is held against another."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


DISTANCES: Mapping[Span, tuple[int, int]] = {Span.WEEK: (7, 14), Span.MONTH: (28, 56)}
"""The least and the most days back; of the comparable days between them the latest counts."""


class Confirmation(StrEnum):
    """Whether a move of the latest days is confirmed.

    `confirmed`: the day that moved, the next and the latest one, each held against the pooled days before the move,
    show it in one direction; said for seven measured days. `open`: a move on this day waits for the next measured
    one. `too_few_days`: fewer than three comparable days before it. `not_confirmed`: the next day did not show it, or
    the days before it taken together do not. `none`: nothing moved.
    """

    CONFIRMED = "confirmed"
    OPEN = "open"
    TOO_FEW_DAYS = "too_few_days"
    NOT_CONFIRMED = "not_confirmed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The state of a move: `moved_on` is the day it began; `delta`, `low` and `high` (points) hold the days since
    against the `pooled_days` before. None where there is nothing to tell."""

    state: Confirmation
    moved_on: date | None = None
    pooled_days: int = 0
    delta: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """What the monitor says on a day: whether it is raised, the estimated day on which the change began, and the
    change since then in points, with an interval at the monitor's own level. `looks` is how many days it looks at."""

    is_raised: bool
    looks: int
    since: date | None = None
    delta: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Development:
    """All that is said of one figure on one day. `week` and `month` have verdicts whose p share the line's 5 % with
    the day's own (Holm); None where no comparable day lies so far back. `subject`, `engine` and `metric` as in
    `Change`; `week_since` and `month_since` are the days held against."""

    change: Change
    week: Change | None = None
    week_since: date | None = None
    month: Change | None = None
    month_since: date | None = None
    confirmed: Confirmed = Confirmed(Confirmation.NONE)
    monitor: Raised = Raised(False, 0)

    @property
    def is_called(self) -> bool:
        """Whether it may be called a change."""
        return self.confirmed.state is Confirmation.CONFIRMED or self.monitor.is_raised


def is_one_change(
    *, moved_on: date | None, moved_by: float | None, raised_since: date | None, raised_by: float | None
) -> bool:
    """Whether a confirmed move is what the monitor raises: it lies in the time of which the monitor speaks and has
    its direction, in points. The monitor raises a change long after it was confirmed, and dates it less sharply."""
    if moved_on is None or moved_by is None or raised_since is None or raised_by is None:
        return False
    return moved_on >= raised_since and (moved_by < 0) == (raised_by < 0)
