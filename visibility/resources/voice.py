"""What agents see of how a brand speaks, and of what is said of it."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText


class VoiceFigure(Resource):
    """One measured trait of the brand's own texts, with sentences that show it."""

    trait: Literal["readability", "sentence_length", "you_share", "we_share", "contractions", "long_words", "numbers"]
    value: float
    unit: str
    examples: list[UntrustedText]


class VoiceProfile(Resource):
    """How the brand's own pages speak."""

    words: int = Field(description="of the texts that it was measured on")
    figures: list[VoiceFigure]


class VoiceProfileResult(Resource):
    """The profile, or how to get one."""

    site: UUID
    has_profile: bool
    profile: VoiceProfile | None
    how_to_get_one: str | None = Field(description="null where there is a profile")


class Quote(Resource):
    """Words of others, with where they stand."""

    text: UntrustedText
    source: UntrustedText = Field(description="address of the page or name of the engine")


class ReviewTheme(Resource):
    """What reviews speak about."""

    label: UntrustedText
    polarity: Literal["positive", "mixed", "negative"] | None = Field(description="null: too few reviews to tell")
    count: int = Field(description="distinct reviews")
    trend: Literal["rising", "steady", "falling"] | None = Field(description="null: not known")
    quotes: list[Quote]


class ReviewThemes(Resource):
    """The themes of reviews, most frequent first."""

    site: UUID
    themes: list[ReviewTheme]
    how_to_get_data: str | None = Field(description="null where there is data")


class CriterionWinner(Resource):
    """A brand that answers name as good by a criterion."""

    name: UntrustedText
    answers: int


class BuyerCriterion(Resource):
    """What answers to buying questions judge by."""

    label: UntrustedText
    weight: float = Field(description="share of the answers that use it, 0–100")
    winners: list[CriterionWinner]
    quotes: list[Quote]


class BuyerCriteria(Resource):
    """The criteria of buyers, weightiest first."""

    site: UUID
    criteria: list[BuyerCriterion]
    how_to_get_data: str | None = Field(description="null where there is data")


class PositioningClaim(Resource):
    """What the brand's pages claim, and what engines say of it."""

    claim: UntrustedText
    ours: Quote
    engines_say: Literal["supported", "contradicted", "absent"]
    quotes: list[Quote]


class PositioningClaims(Resource):
    """The claims of the brand's own pages."""

    site: UUID
    claims: list[PositioningClaim]
    how_to_get_data: str | None = Field(description="null where there is data")
