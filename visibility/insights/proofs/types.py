"""What a proof keeps as JSON: its plan and its result. The names are those of the domain."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPlan:
    """What was frozen when the work was done. `wordings` are the keys of the prompts' wordings, of the topic and of
    its controls; `baseline` the days that the later ones are held against, none of which opened a gap; `scans` are
    needed, with so many `answers` in all, which cost as many `credits`; `least` is what they show with 80 % power, in
    points, and `sentence` says all that. `not_before` and `last` bound the days that count."""

    engines: Sequence[str]
    wordings: Sequence[str]
    control_topics: Sequence[str]
    baseline: Sequence[date]
    gap_days: Sequence[date]
    scans: int
    answers: int
    credits: int
    least: float | None
    target: float
    reaches_target: bool
    not_before: date
    last: date
    why_not: str | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult:
    """What the scans said, in points; `adjusted_p` shares the false-discovery rate of the month."""

    own: float | None
    control: float | None
    delta: float | None
    low: float | None
    high: float | None
    adjusted_p: float | None
    least: float | None
    days: Sequence[date]
    why_not: str | None
    sentence: str
