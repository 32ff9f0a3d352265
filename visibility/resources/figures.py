"""All figures of a measured day, as they look from outside: of each subject, by engine and over all."""

from datetime import date as Date
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource
from visibility.resources.brands import BOUNDS, NO_INTERVAL, Bounds, NoInterval, Percent
from visibility.resources.changes import INTERVAL, IntervalOf


class Figure(Resource):
    """A figure with its 95 % interval, 0–100; null where unmeasured."""

    value: Percent = None
    low: Percent = None
    high: Percent = None
    interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    no_interval: NoInterval | None = Field(default=None, description=NO_INTERVAL)


class RankFigure(Figure):
    """A figure of ranks: how often the subject is named × what its places are worth; null where none is told."""

    bounds: Bounds | None = Field(default=None, description=BOUNDS.replace("prominence", "the figure"))


class FurtherFigures(Resource):
    """The figures beside the main ones, 0–100; null where unmeasured."""

    reciprocal_rank: RankFigure = RankFigure()
    top_three: RankFigure = RankFigure()
    average_position: float | None = Field(default=None, description="mean rank, over the `ranked` answers alone")
    mentions: int = 0
    ranked: int | None = Field(default=None, description="of `mentions`, those that have a place; null: all")
    citation_share: Percent = Field(default=None, description="`ownCitations` of `citations`; mean over engines")
    own_citations: int = 0
    citations: int = 0
    impression_share: Figure = Field(default=Figure(), description="part of an answer that the own pages support")
    impression_share_published: Figure = Field(default=Figure(), description="the same by the published code")
    agreement: Percent = Field(default=None, description="mean Jaccard index of the brands in repeated answers")
    ordered_agreement: Percent = Field(default=None, description="mean rank-biased overlap of them, p = 0.9")
    mentioned_again: Percent = Field(default=None, description="chance of another mention, given one")
    repeated_prompts: int = Field(default=0, description="prompts with several answers of one engine")


class EngineDetails(FurtherFigures):
    """What is kept of an engine's day beside its score."""

    share_of_voice: Figure = Figure()
    prominence: RankFigure = RankFigure()
    citation_rate: Figure = Figure()
    prompts: int = 0
    topics: int = 0


class Figures(EngineDetails):
    """All figures of one subject on one day, over one engine or all of them."""

    score: Figure = Figure()
    answers: int = 0


class EngineFigures(Figures):
    """All figures of one subject on one engine."""

    engine: str
    as_of: Date | None = Field(default=None, description="the engine's day")


class ScoreDetails(Resource):
    """What a daily score keeps beside its columns."""

    overall: FurtherFigures = FurtherFigures()
    no_interval: dict[str, NoInterval] = {}
    engines: dict[str, EngineDetails] = {}


class SubjectFigures(Resource):
    """Where the brand, or one of its competitors, stands."""

    competitor: UUID | None = Field(description="null: the brand itself")
    name: str
    overall: Figures = Field(description="the plain mean of the engines that counted")
    engines: list[EngineFigures]


class FiguresReport(Resource):
    """Where everybody stands now, or on one measured day: the brand first, then its competitors by name."""

    brand: UUID
    as_of: Date | None = Field(description="the measured day, the latest one for now; null before the first")
    subjects: list[SubjectFigures]
