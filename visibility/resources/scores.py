"""What agents see of the measured visibility of a site."""

from datetime import date as Date
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource
from visibility.resources.brands import Percent, SubjectChanges, TrendItem
from visibility.resources.changes import INTERVAL, IntervalOf
from visibility.resources.now import EngineNow, NowItem
from visibility.resources.plans import Budgets
from visibility.resources.topics import TopicItem, TopicScores


class SubjectFigures(Resource):
    """The score and share of voice of one subject now, with 95 % intervals."""

    score: Percent
    low: Percent
    high: Percent
    interval: IntervalOf | None = Field(default=None, description=INTERVAL)
    share_of_voice: Percent
    share_of_voice_low: Percent
    share_of_voice_high: Percent
    share_of_voice_interval: IntervalOf | None = Field(default=None, description=INTERVAL)


class BrandShare(SubjectFigures):
    """The figures of the site or of one of its competitors now."""

    competitor: UUID | None = Field(description="null: the site itself")
    name: str


class VisibilityScores(Resource):
    """How visible a site is now, over time, by engine, beside its competitors, and what changed."""

    site: UUID
    first_day: Date | None = Field(description="the first measured day, in the window or not; null before it")
    as_of: Date | None = Field(description="the latest measured day; null before the first")
    topic: TopicScores | None = Field(
        description="the topic that was asked for; the figures of the whole site are left out then"
    )
    now: NowItem | None
    by_engine: list[EngineNow] = Field(description="each engine on its own latest counted day")
    topics: list[TopicItem] = Field(
        description="everybody on each topic now, the site's strongest first; of more than 50 the 25 at either end, "
        "`topic` gives any"
    )
    more_topics: int = Field(description="topics beyond those listed")
    trend: list[TrendItem] = Field(description="the measured days of the window, oldest first")
    share_of_voice: list[BrandShare] = Field(description="the site first, then its competitors by name")
    change: SubjectChanges | None = Field(description="since the measured day before; null before the second")
    budgets: Budgets = Field(description="what makes the figures uncertain, and what would help")
