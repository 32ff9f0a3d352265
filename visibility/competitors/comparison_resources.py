"""What comparisons of a brand with its competitors look like."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText


class Preferences(Resource):
    """Whom so many answers prefer. The site, the competitor and the undecided add up to `answers`."""

    answers: int
    site_preferred: int
    competitor_preferred: int
    undecided: int = Field(description="they decide for neither, or both ways")


class PreferenceQuote(Resource):
    """The words of one answer that decide."""

    prefers: Literal["site", "competitor"]
    rule: str = Field(description="verdict: a line that sums up; choice; rank: first place; stance: the other is bad")
    text: UntrustedText


class EnginePreferences(Preferences):
    """Whom the answers of one engine to one question prefer."""

    engine: str
    quotes: list[PreferenceQuote] = Field(description="two of each side at most")


class ComparedPrompt(Resource):
    """A question that puts the site against one competitor; each is asked in both orders of the names."""

    prompt: UUID
    text: UntrustedText
    engines: list[EnginePreferences]


class ComparedCompetitor(Preferences):
    """The site against one competitor, over all questions and engines."""

    competitor: UUID
    name: str
    prompts: list[ComparedPrompt]


class Comparison(Resource):
    """Whom engines prefer when they are asked to choose. It is no part of the score."""

    competitors: list[ComparedCompetitor] = Field(description="by name")
