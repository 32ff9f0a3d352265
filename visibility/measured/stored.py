"""What a daily score keeps as JSON: the figures by engine, the further figures, what changed and what blurs it.

The names are those of the domain. How it looks from outside is for the resources to say, which read these names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import orjson

from visibility.metrics.planning import Spread, Wander
from visibility.metrics.types import Bounds

Percent = float | None
"""0–100, or points; None where unmeasured."""


def as_stored(value: Any) -> Any:
    """The value (one of these, or a list of them) as a JSON field takes it: plain values, days as text."""
    return orjson.loads(orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY))


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineScore:
    """One engine on one day. `answers` are those behind its score; where too few of its prompts were answered the
    score is None, and they are all that came. `interval` is what the ends speak of (`metrics.intervals.Kind`),
    `no_interval` the code of why the score has none."""

    engine: str
    models: Sequence[str]
    score: Percent
    low: Percent
    high: Percent
    interval: str | None
    no_interval: str | None
    answers: int
    share_of_voice: Percent
    share_of_voice_low: Percent
    share_of_voice_high: Percent
    share_of_voice_interval: str | None
    citation_rate: Percent
    citation_rate_low: Percent
    citation_rate_high: Percent
    citation_rate_interval: str | None
    surface: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LocaleScore:
    """The score over the prompts of one locale, None where it is not stated, and the engines that answered them."""

    locale: str | None
    engines: Sequence[str]
    score: Percent
    low: Percent
    high: Percent
    interval: str | None
    prompts: int
    topics: int
    answers: int
    share_of_voice: Percent
    share_of_voice_low: Percent
    share_of_voice_high: Percent
    share_of_voice_interval: str | None
    citation_rate: Percent
    citation_rate_low: Percent
    citation_rate_high: Percent
    citation_rate_interval: str | None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its 95 % interval and what that speaks of, or the code of why it has none."""

    value: Percent
    low: Percent
    high: Percent
    interval: str | None
    no_interval: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankFigure(Figure):
    """A figure of ranks, with its bounds where a mention has no place."""

    bounds: Bounds | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherFigures:
    """The figures beside the main ones. The average position is over the `ranked` of the `mentions`."""

    reciprocal_rank: RankFigure
    top_three: RankFigure
    average_position: float | None
    mentions: int
    ranked: int
    citation_share: Percent
    own_citations: int
    citations: int
    impression_share: Figure
    impression_share_published: Figure
    agreement: Percent
    ordered_agreement: Percent
    mentioned_again: Percent
    repeated_prompts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineDetails(FurtherFigures):
    """What is kept of an engine's day beside its score."""

    share_of_voice: Figure
    prominence: RankFigure
    citation_rate: Figure
    prompts: int
    topics: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AllTopics:
    """The score over all topics of a day, those that are not the brand's own among them."""

    score: Percent
    low: Percent
    high: Percent
    prompts: int
    topics: int
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDetails:
    """What a daily score keeps beside its columns. Engines that did not count have no entry. `no_interval` are the
    codes of why figures of the columns, by name, have no interval."""

    overall: FurtherFigures
    no_interval: Mapping[str, str]
    engines: Mapping[str, EngineDetails]


@dataclass(frozen=True, slots=True)
class Cause:
    """Why two days cannot be compared: a code, and the same in words."""

    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFigures:
    """A difference to the day `since` on the prompts that both days share, in points. `interval` is what the interval
    and the test speak of (`metrics.intervals.Kind`)."""

    since: date
    delta: Percent
    low: Percent
    high: Percent
    interval: str | None
    verdict: str
    minimum_detectable: Percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """Whether a move is confirmed; see `metrics.development.Confirmed`."""

    state: str
    moved_on: date | None
    pooled_days: int
    delta: Percent
    low: Percent
    high: Percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """What looking on every day says; see `metrics.development.Raised`."""

    raised: bool
    looks: int
    since: date | None
    delta: Percent
    low: Percent
    high: Percent


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineChange(ChangeFigures):
    """The change of one engine's score since the last day on which it counted, and what may be called a change."""

    engine: str
    causes: Sequence[Cause]
    week: ChangeFigures | None
    month: ChangeFigures | None
    confirmation: Confirmation | None
    monitor: Monitor | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonChange(ChangeFigures):
    """The change of the score over those engines, and on those prompts, that both days have. `rest` is what remains
    of the difference of the two scores: what other prompts and engines make of it."""

    engines: Sequence[str]
    prompts: int
    rest: Percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(ChangeFigures):
    """The change of the score since the measured day before."""

    causes: Sequence[Cause]
    common: CommonChange | None
    by_engine: Sequence[EngineChange]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricChange(ChangeFigures):
    """The development of one figure, over all engines where `engine` is None; `p` and `adjusted_p` are two-sided.
    `week` and `month` are None where no comparable day lies so far back."""

    engine: str | None
    metric: str
    p: float | None
    adjusted_p: float | None
    week: ChangeFigures | None
    month: ChangeFigures | None
    confirmation: Confirmation
    monitor: Monitor


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceBudget:
    """Where the uncertainty of a figure comes from, and what plans reckon with; see `metrics.budget.Budget`."""

    shares: Mapping[str, float]
    reach: Percent
    target: float
    prompts: int
    topics: int
    samples: float
    engines: int
    branded: int
    spread: Spread | None
    wander: Wander | None
