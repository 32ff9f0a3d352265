"""What agents see of one site in short: who it is, where it stands, what is strong, weak and to be done."""

from datetime import date as Date
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText
from visibility.resources.brands import BrandResource, Percent
from visibility.resources.competitors import CompetitorResource
from visibility.resources.now import NowItem
from visibility.resources.prompts import NamedIn
from visibility.resources.recommendations import RecommendationResource
from visibility.resources.sources import SourceSummary
from visibility.resources.topics import TopicItem, UndecidedTopics
from visibility.resources.writing import Withheld


class BestRival(Resource):
    """The competitor that the answers on a topic name most: in `named` of `answers`."""

    competitor: UUID
    name: str
    named: int
    answers: int
    score: Percent


class Standout(Resource):
    """A topic or a prompt whose answers name the site remarkably often, or rarely: in `named` of `answers`.

    A topic stands beside the site's own score over all topics, and beside the competitor that it names most.
    """

    kind: Literal["topic", "prompt"]
    label: UntrustedText = Field(description="the topic by its name, or the wording of the prompt")
    score: Percent = Field(description="of a topic, as the site's score; null: a prompt")
    site_score: Percent = Field(description="the site's score over all topics, to hold it against")
    best_rival: BestRival | None = Field(description="null: none is named there, a prompt, or withheld")
    named: int
    answers: int
    worth: int = Field(
        ge=0, le=100, description="how many answers show it, how consistently, on how many of the engines"
    )
    engines: list[NamedIn] = Field(description="the same by engine, each on its own day")
    prompts: list[UUID]


class SiteBrief(Resource):
    """One site in short. What is null was not measured, or is withheld from this key."""

    site: BrandResource
    undecided_topics: UndecidedTopics | None = Field(
        description="ask the site's people this first; null: all topics are decided, or withheld"
    )
    description: UntrustedText
    aliases: list[str] = Field(description="other names by which answers mention it")
    competitors: list[CompetitorResource] | None
    as_of: Date | None = Field(description="the latest measured day; null before the first, or withheld")
    now: NowItem | None = Field(description="score, change and engines, each on its own day")
    topic: TopicItem | None = Field(
        description="everybody on the topic that was asked for, of which strengths, weaknesses and recommendations "
        "then are; null: none was, or withheld"
    )
    strengths: list[Standout] | None = Field(
        description="topics above the site's own score where no competitor is clearly ahead, the highest score "
        "first, then prompts that all answers name it to; null: withheld"
    )
    weaknesses: list[Standout] | None = Field(
        description="topics where a competitor is clearly ahead or the site is named in a third of an engine's "
        "answers or fewer, the furthest behind first, then prompts that no answer names it to; null: withheld"
    )
    sources: list[SourceSummary] | None = Field(
        description="what most answers of now cite, and in how many of these the site is named; null: withheld"
    )
    recommendations: list[RecommendationResource] | None = Field(description="the most urgent that are open")
    withheld: list[Withheld] = Field(description="parts that are null because the key lacks their scope")
