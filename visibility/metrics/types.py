"""The data of metrics: outcomes of answers in, measured days out. Rates are 0–1 inside and here 0–100."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CitedPages:
    """The pages that an answer cites: how many, how many of them are each subject's, and the part of the answer (0–1)
    that each subject's pages carry, by the attached and by the published variant of the impression share."""

    total: int = 0
    by_subject: Mapping[str, int] = field(default_factory=dict)
    attached: Mapping[str, float] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)


NO_PAGES = CitedPages()


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """What one answer says about the tracked subjects (keys as in visibility.detection.types).

    `ranks` maps each mentioned subject to its rank (1 first), None where the answer does not tell one; `cited` holds
    the subjects whose domains are cited; `named` the subjects that the prompt itself names; `pages` tells more of
    what is cited.
    """

    prompt: str
    topic: str
    engine: str
    ranks: Mapping[str, int | None]
    cited: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    pages: CitedPages = NO_PAGES


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a figure of ranks is whatever ranks the mentions without a place would have, 0–100: from `least`, all of
    them last, to `most`, all of them first. `low` and `high` are the outer ends of the intervals of these two."""

    least: float
    most: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rate with its 95 % interval, 0–100; None where unmeasured. `interval` is a code of `intervals.Kind`, and
    `reason` one of `intervals.NoInterval` where it was measured and has no interval. `bounds` of a figure of ranks
    where a mention has no place."""

    value: float | None
    low: float | None = None
    high: float | None = None
    interval: str | None = None
    reason: str | None = None
    bounds: Bounds | None = None


UNMEASURED = Estimate(None)


@dataclass(frozen=True, slots=True)
class Measures:
    """The figures of one subject over one set of answers."""

    score: Estimate
    panel: Estimate
    share_of_voice: Estimate
    prominence: Estimate
    citation_rate: Estimate
    prompts: int
    topics: int
    answers: int


@dataclass(frozen=True, slots=True)
class SubjectDay:
    """The figures of one subject on one day: over all counted engines, and by engine."""

    overall: Measures
    by_engine: Mapping[str, Measures]


def rounded_bounds(bounds: Bounds | None) -> Bounds | None:
    """Bounds as they are stored and shown."""
    if bounds is None:
        return None
    least, most = rounded(bounds.least) or 0.0, rounded(bounds.most) or 0.0
    return Bounds(least, most, rounded(bounds.low), rounded(bounds.high))


def rounded(value: float | None) -> float | None:
    """A rate or points as stored and shown: two decimals, no negative zero; None stays None."""
    return None if value is None else round(float(value), 2) + 0.0
