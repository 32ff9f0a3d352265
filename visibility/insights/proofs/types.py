"""What a proof keeps as JSON: its plan and its result. The names are those of the domain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPlan:
    """What was frozen when the work was done. `wordings` are the keys of the prompts' wordings, of the topic and of
    its controls, each with its topic then, as counts have it; `baseline` the days that the later ones are held
    against, none of which is one of `gap_days`, which opened a gap; `scans` are needed, with so many `answers` in
    all, and the scans cost `credits`; `least` is what they show with 80 % power, in points, and `sentence` says all
    that. `not_before` and `last` bound the days that count; while there is no baseline `last` is the last day that
    may become it."""

    engines: Sequence[str]
    wordings: Mapping[str, str]
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
class EarlierVerdict:
    """What a proof said before other verdicts of its month were shared with; `until` is the day of that."""

    verdict: str
    until: date


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult:
    """What the scans of `days` said, in points; `adjusted_p` shares the false-discovery rate of the month, and
    `earlier` are the verdicts that this has changed, oldest first."""

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
    earlier: Sequence[EarlierVerdict] = ()
