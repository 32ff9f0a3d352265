"""What the doors show of evidence. Stored as JSON in `EvidenceItem.item`, so every door shows the same."""

import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, Timestamp, UntrustedText

Backing = Literal["supported", "contradicted", "absent"]
Polarity = Literal["positive", "negative", "mixed"]


class Quote(Resource):
    """Words as they were written, at `start` to `end` of the text of an answer or a review, or of the main text of
    an own page. `url`: that page, or where the review was published."""

    text: UntrustedText
    start: int
    end: int
    answer_id: int | None = None
    review_id: int | None = None
    url: UntrustedText | None = None
    engine: str | None = None
    day: datetime.date | None = None


class CriterionWinner(Resource):
    """Somebody whom so many answers, of those `naming` it, praise by a criterion: a lower bound. `competitor_id`
    null: the brand itself."""

    subject: str
    competitor_id: UUID | None
    answers: int
    naming: int = 0
    quote: Quote


class Criterion(Resource):
    """What buyers judge by in the answers on a topic.

    `labelled` answers use it as a label of their own (a lower bound), `mentioned` speak of it at all (an upper one).
    """

    label: UntrustedText
    topic: UntrustedText
    topic_id: UUID
    labelled: int
    mentioned: int
    of: int
    engines: list[str]
    weight: float = Field(description="labelled of all answers on the topic, in percent")
    winners: list[CriterionWinner] = Field(description="most praised first; on a tie nobody wins")
    winner: str | None
    own_spoken: int = Field(default=0, description="answers that speak of it with the site, praise or not")
    own_naming: int = Field(default=0, description="answers that name the site")
    own_sentence: Quote | None = Field(description="of the site's own pages, which proves it for the site")
    quotes: list[Quote]


class CriterionRow(Resource):
    """A criterion in short. `winners`: the most praised with the number of answers."""

    label: UntrustedText
    topic: UntrustedText
    labelled: int
    mentioned: int
    of: int
    weight: float
    winners: list[str]
    winner: str | None
    own_sentence: UntrustedText | None
    quote: UntrustedText | None


class BuyerCriteria(Resource):
    """What answers judge by, the weightiest first."""

    site_id: UUID
    criteria: list[CriterionRow | Criterion]
    total: int
    answers: int = Field(description="that were looked at")
    how_to_get_some: str | None = Field(description="null: there are some")
    refined_by: str | None
    made_at: Timestamp | None = Field(description="null: not yet")


class Claim(Resource):
    """What the site says of itself, and what answers say of it: `supported` or `contradicted` in so many of those
    that name the site, else absent."""

    claim: UntrustedText
    kind: Literal["quantity", "assurance", "distinction", "audience"]
    ours: Quote
    says: Backing
    supported: int
    contradicted: int
    of: int
    quotes: list[Quote]


class ClaimRow(Resource):
    """A claim in short: where it stands, and a clause of an answer that contradicts or supports it."""

    claim: UntrustedText
    kind: str
    url: UntrustedText | None
    says: Backing
    supported: int
    contradicted: int
    of: int
    quote: UntrustedText | None


class PositioningClaims(Resource):
    """What the site claims, and whether engines repeat it; those that they contradict first."""

    site_id: UUID
    claims: list[ClaimRow | Claim]
    total: int
    pages: int = Field(description="own pages that claims stand on")
    how_to_get_some: str | None = Field(description="null: there are some")
    refined_by: str | None
    made_at: Timestamp | None = Field(description="null: not yet")


class Theme(Resource):
    """What so many of the reviews (`of`) speak of. `polarity` by their stars: null where they give none.

    `trend`: its share among the newer half of dated reviews less that among the older, in points.
    """

    label: UntrustedText
    polarity: Polarity | None
    count: int
    of: int
    trend: float | None
    in_answers: int = Field(description="answers naming the site that speak of it")
    quotes: list[Quote]


class ThemeRow(Resource):
    """A theme in short, with a sentence of one review."""

    label: UntrustedText
    polarity: Polarity | None
    count: int
    of: int
    trend: float | None
    in_answers: int
    quote: UntrustedText | None


class ReviewThemes(Resource):
    """What customers speak of, the most frequent first."""

    site_id: UUID
    themes: list[ThemeRow | Theme]
    total: int
    reviews: int
    how_to_get_some: str | None = Field(description="null: there are some")
    refined_by: str | None
    made_at: Timestamp | None = Field(description="null: not yet")


class VoiceTrait(Resource):
    """One trait of how the site writes: its value, and what it was counted on."""

    name: str
    value: str
    measured: str


class VoiceProfile(Resource):
    """How the site writes, from its own pages; without a profile, how to get one."""

    site_id: UUID
    has_profile: bool
    how_to_get_one: str | None
    traits: list[VoiceTrait]
    examples: list[Quote]
    calls_to_action: list[UntrustedText]
    words: int
    refined_by: str | None
    made_at: Timestamp | None
