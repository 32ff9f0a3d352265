"""What the doors show of evidence, stored as JSON in `EvidenceItem.item`; in short, the same with fewer fields."""

import datetime
from collections.abc import Sequence
from textwrap import shorten
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field

from apikeys.resources import Resource, Timestamp, UntrustedText
from visibility.detection.visible import read

Backing = Literal["supported", "contradicted", "absent"]
ClaimKind = Literal["quantity", "assurance", "distinction", "audience"]
Polarity = Literal["positive", "negative", "mixed"]
SHORT = 160
"""Characters of a quote in short."""


def _shown(text: str) -> str:
    """What a reader sees of a quote, cut at a word."""
    return shorten(read(text).text.replace("\0", " "), SHORT, placeholder="…")


class Source(Resource):
    """Where words are from: a page, or an answer of an engine."""

    url: UntrustedText | None = None
    engine: str | None = None


class ShortQuote(Source):
    """The beginning of a quote without signs of Markdown."""

    text: Annotated[UntrustedText, AfterValidator(_shown)]


ShortQuotes = Annotated[Sequence[ShortQuote], AfterValidator(lambda rows: rows[:1])]


class Quote(ShortQuote):
    """Words as they were written, at `start` to `end` of the text of an answer or a review, or of the main text of
    an own page. `url`: that page, or where the review was published."""

    text: UntrustedText
    start: int
    end: int
    answer_id: int | None = None
    review_id: int | None = None
    day: datetime.date | None = None

    @property
    def shown(self) -> str:
        """The words as a reader sees them, without signs of Markdown."""
        return " ".join(read(self.text).text.replace("\0", " ").split())


class Associated(Resource):
    """A brand that so many answers, of those `naming` it, associate with a criterion, without a reservation."""

    subject: str
    answers: int
    naming: int = 0


class CriterionWinner(Associated):
    """The same with what an answer says. `competitor_id` null: the brand itself."""

    competitor_id: UUID | None
    quote: Quote


class CriterionRow(Resource):
    """What buyers judge by in the answers on a topic.

    `labelled` answers use it as a label of their own (a lower bound), `mentioned` speak of it at all (an upper one).
    """

    label: UntrustedText
    topic: UntrustedText
    labelled: int
    mentioned: int
    of: int
    weight: float = Field(description="labelled of all answers on the topic, in percent")
    winners: Sequence[Associated] = Field(description="most answers first; on a tie nobody wins")
    winner: str | None
    own_sentence: ShortQuote | None = Field(description="of the site's own pages, which proves it for the site")
    quotes: ShortQuotes


class Criterion(CriterionRow):
    """The same in full. `own_naming` answers name the site."""

    topic_id: UUID
    engines: list[str]
    winners: Sequence[CriterionWinner]
    own_naming: int = 0
    own_sentence: Quote | None
    quotes: Sequence[Quote]


class ClaimRow(Resource):
    """What the site says of itself, and what answers say of it: `supported` or `contradicted` in so many of those
    that name the site, else absent."""

    claim: UntrustedText
    kind: ClaimKind
    ours: Source
    says: Backing
    supported: int
    contradicted: int
    of: int
    quotes: ShortQuotes


class Claim(ClaimRow):
    """The same in full."""

    ours: Quote
    quotes: Sequence[Quote]


class ThemeRow(Resource):
    """What so many of the reviews (`of`) speak of. `polarity` by their stars: null where they give none.

    `trend`: its share among the newer half of dated reviews less that among the older, in points.
    """

    label: UntrustedText
    polarity: Polarity | None
    count: int
    of: int
    trend: float | None
    in_answers: int = Field(description="answers naming the site that speak of it")
    quotes: ShortQuotes


class Theme(ThemeRow):
    """The same in full."""

    quotes: Sequence[Quote]


class Evidence(Resource):
    """Evidence of a site: the engine that refined it, if one did, and when it was made."""

    site_id: UUID
    refined_by: str | None = None
    made_at: Timestamp | None = Field(default=None, description="null: not yet")


class EvidenceList(Evidence):
    """Evidence of a kind in rows."""

    total: int
    how_to_get_some: str | None = Field(description="null: there are some")


class BuyerCriteria(EvidenceList):
    """What answers judge by, the weightiest first."""

    criteria: list[CriterionRow | Criterion]
    answers: int = Field(description="that were looked at")


class PositioningClaims(EvidenceList):
    """What the site claims, and whether engines repeat it; those that they contradict first."""

    claims: list[ClaimRow | Claim]
    pages: int = Field(description="own pages that claims stand on")


class ReviewThemes(EvidenceList):
    """What customers speak of, the most frequent first."""

    themes: list[ThemeRow | Theme]
    reviews: int


class VoiceTrait(Resource):
    """One trait of how the site writes: its value, and what it was counted on."""

    name: str
    value: str
    measured: str


class VoiceProfile(Evidence):
    """How the site writes, from its own pages; without a profile, how to get one."""

    has_profile: bool = True
    how_to_get_one: str | None = None
    traits: list[VoiceTrait] = []
    examples: list[Quote] = []
    calls_to_action: list[UntrustedText] = []
    words: int = 0
