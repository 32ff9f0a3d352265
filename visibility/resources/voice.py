"""What agents see of how a brand speaks, and of what is said of it."""

from datetime import date as Date
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText
from visibility.resources.steps import NextStep


class Quote(Resource):
    """Words of others, verbatim, with where they stand."""

    text: UntrustedText
    source: Literal["page", "answer", "review"]
    url: UntrustedText | None = Field(description="the page, or that of the review; null: an answer, a file")
    path: list[UntrustedText] = Field(description="the headings of the page above it, outermost first")
    offset: int = Field(description="where it begins in the page's main text, the answer's or the review's text")
    rule: str = Field(description="the rule that found it")
    engine: str | None = Field(description="the engine that answered")
    answer_id: UUID | None


class VoiceFigure(Resource):
    """One measured trait of the brand's own texts, with sentences that show it."""

    trait: Literal["readability", "sentence_length", "you_share", "we_share", "contractions", "long_words", "numbers"]
    value: float
    unit: str
    examples: list[Quote]


class VoiceProfile(Resource):
    """How the brand's own pages speak."""

    words: int = Field(description="of the texts that it was measured on")
    pages: int = Field(description="pages that it was measured on")
    language: str = Field(description="ISO 639-1, of most of the pages")
    as_of: Date = Field(description="the day on which the pages were read")
    figures: list[VoiceFigure]
    calls: list[Quote] = Field(description="the words of buttons and links that ask for an action")


class VoiceProfileResult(Resource):
    """The profile, or how to get one."""

    site: UUID
    has_profile: bool
    profile: VoiceProfile | None
    how_to_get_one: str | None = Field(description="null where there is a profile")
    next_step: NextStep | None = Field(description="the same as a call; null where there is a profile")


class ReviewTheme(Resource):
    """What reviews speak about."""

    label: UntrustedText
    polarity: Literal["positive", "mixed", "negative"] | None = Field(description="null: too few reviews to tell")
    estimated: bool = Field(description="the polarity is estimated from words, not taken from stars")
    mean_stars: float | None = Field(description="of five; null: no stars")
    count: int = Field(description="distinct reviews that speak of it, of `reviews`")
    reviews: int
    answers: int = Field(description="answers naming the site that speak of it")
    trend: Literal["rising", "steady", "falling"] | None = Field(description="null: not known")
    quotes: list[Quote]


class ReviewThemes(Resource):
    """The themes of reviews, most frequent first."""

    site: UUID
    as_of: Date | None = Field(description="the day of the newest review or answer that was read; null: none was")
    themes: list[ReviewTheme]
    how_to_get_data: str | None = Field(description="null where there is data")
    next_step: NextStep | None = Field(description="the same as a call; null where there is data")


class CriterionWinner(Resource):
    """A brand that answers name as good by a criterion."""

    competitor: UUID | None = Field(description="null: the site itself")
    name: UntrustedText
    answers: int
    quote: Quote


class BuyerCriterion(Resource):
    """What answers to buying questions judge by."""

    label: UntrustedText
    weight: float = Field(description="share of the answers that use it, 0–100")
    answers: int = Field(description="answers to buying questions that use it, of `ofAnswers`")
    of_answers: int
    engines: list[str]
    prompts: int = Field(description="prompts whose answers use it")
    topics: list[UntrustedText] = Field(description="where it is used, most often first")
    winners: list[CriterionWinner] = Field(description="whom answers name as good by it, most often first")
    quotes: list[Quote]


class BuyerCriteria(Resource):
    """The criteria of buyers, weightiest first."""

    site: UUID
    as_of: Date | None = Field(description="the day of the newest answer that was read; null: none was")
    topic: UntrustedText | None = Field(description="the topic that was asked for; null: all")
    criteria: list[BuyerCriterion]
    how_to_get_data: str | None = Field(description="null where there is data")
    next_step: NextStep | None = Field(description="the same as a call; null where there is data")


class PositioningClaim(Resource):
    """What the brand's pages claim, and what engines say of it."""

    claim: UntrustedText
    kind: Literal["quantified", "superlative", "audience", "capability", "differentiator", "assurance"]
    backing: Literal["sourced", "number_without_source", "bare"] = Field(description="what the page gives for it")
    ours: list[Quote] = Field(description="the sentence itself first, then where else it stands")
    engines_say: Literal["supported", "contradicted", "absent"]
    answers: int = Field(description="answers naming the site that were looked at")
    quotes: list[Quote] = Field(description="what answers say of it, those that contradict it first")


class PositioningClaims(Resource):
    """The claims of the brand's own pages."""

    site: UUID
    as_of: Date | None = Field(description="the day on which the pages were read; null: none were")
    claims: list[PositioningClaim]
    how_to_get_data: str | None = Field(description="null where there is data")
    next_step: NextStep | None = Field(description="the same as a call; null where there is data")
