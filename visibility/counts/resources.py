"""What the doors show of counts. Rates are 0 to 100, with two decimals; unmeasured is null, never 0."""

import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText, WordedText
from visibility.counts.rows import Relation

Percentage = float | None
SiteIs = Literal["ahead", "behind", "no_clear_difference"]
IN_GENERAL = "95 % interval over topics, for prompts like these; null below four topics"
HERE = "95 % interval on these very prompts"
RELATION = (
    "how it does against the site in the same answers: ahead, behind, level (10 points would have shown) or too_close"
)

FIRST_RELATION = (
    "`relation` by who is named first: ahead where more of the same answers, beyond chance, name it first"
)


class Secondary(Resource):
    """What the answers that the score counts say further; null where there is nothing to count."""

    recommended: int
    cautioned: int = Field(description="answers that warn against the site or reject it")
    stance_balance: float | None = Field(description="(recommended - cautioned) of both, -100 to 100")
    citation_share: Percentage = Field(description="its part of all cited sites, each once an answer")
    repeatability: Percentage = Field(description="how often two answers to one prompt agree on naming it")
    topics_for_ten: int | None = Field(description="topics that a margin of ± 10 over topics takes; null: over 1,000")


class SecondaryFigures(Secondary):
    """The same of now."""

    recommended_rate: Percentage = Field(description="share of answers that recommend the site")
    credits_a_month: int | None = Field(description="what scans of topicsForTen cost at the site's cadence")


class Shown(Resource):
    """How often an AI answer was shown at all: for `prompts` of the `asked` prompts at least once, and in `rate` per
    cent of the askings, with its own intervals."""

    prompts: int
    asked: int
    rate: Percentage
    low: Percentage = Field(description=IN_GENERAL)
    high: Percentage
    panel_low: Percentage = Field(description=HERE)
    panel_high: Percentage


SHOWN = "where some askings had no AI answer: the score is that among the answers shown; null: each had one"


class EngineNow(Resource):
    """One engine in the answers of now: so many of its answers, of its own days, name the site."""

    engine: str
    surface: str
    first_day: datetime.date
    as_of: datetime.date
    mentioned: int
    answers: int
    score: Percentage
    low: Percentage = Field(description=IN_GENERAL)
    high: Percentage
    panel_low: Percentage = Field(description=HERE)
    panel_high: Percentage
    shown: Shown | None = Field(default=None, description=SHOWN)


class NowFigures(Resource):
    """The figures of now, over the answers of `first_day` to `as_of` to the prompts that are asked today."""

    first_day: datetime.date
    as_of: datetime.date
    score: Percentage
    low: Percentage = Field(description=IN_GENERAL)
    high: Percentage
    panel_low: Percentage = Field(description=HERE)
    panel_high: Percentage
    share_of_voice: Percentage
    share_of_voice_low: Percentage
    share_of_voice_high: Percentage
    citation_rate: Percentage
    prominence: Percentage
    prompts: int
    topics: int
    mentioned: int
    answers: int
    markets: list[str] = Field(
        default=[],
        description="the markets that were asked for, such as de-AT, as far as known; several are pooled here",
    )


class LeftOut(Resource):
    """An engine that was asked once and is not part of now, and why."""

    engine: str
    surface: str
    last_day: datetime.date
    reason: str


class Standing(Resource):
    """The site (competitorId null) or a competitor in the answers of now: `mentioned` of `of`."""

    name: UntrustedText
    competitor_id: UUID | None
    mentioned: int | None
    of: int | None
    score: Percentage
    low: Percentage = Field(description=IN_GENERAL)
    high: Percentage
    panel_low: Percentage = Field(description=HERE)
    panel_high: Percentage
    share_of_voice: Percentage
    relation: Relation | None = Field(description=RELATION)
    site_is: SiteIs | None = Field(description="deprecated: take `relation`, which is seen from the other side")


class TestedStanding(Standing):
    """The same with what `relation` rests on."""

    without_brand: int | None = Field(default=None, description="answers that name it and not the site")
    only_brand: int | None = Field(default=None, description="answers that name the site and not it")
    chance: float | None = Field(default=None, description="how often luck alone gives such a difference, 0 to 1")
    units: str | None = Field(default=None, description="what was compared: topics, prompts or answers")
    first: int | None = Field(default=None, description="of its `mentioned`: before all other tracked names")
    first_relation: Relation | None = Field(default=None, description=FIRST_RELATION)


class TopicResult(Resource):
    """A topic in the answers of now: so many of them name the site, and so many the competitor named most."""

    topic: UntrustedText
    prompts: int
    mentioned: int
    answers: int
    leader: WordedText | None = Field(
        description="the competitor that is named in most of them, and how many more tie"
    )
    leader_mentioned: int
