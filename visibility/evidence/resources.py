"""What the doors show of evidence; in short, the same with fewer fields."""

import datetime
from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field

from apikeys.resources import Resource, Timestamp, UntrustedText
from visibility.detection.visible import read
from visibility.models.reading import Facet

Backing = Literal["supported", "contradicted", "absent"]
Basis = Literal["read", "labelled"]
ClaimKind = Literal["quantity", "assurance"]
Polarity = Literal["positive", "negative", "mixed"]
SHORT = 160
"""Characters of a quote in short."""
LONGEST_QUOTE = 400


def plain(text: str) -> str:
    """A text as a reader sees it: without signs of Markdown, white space folded."""
    return " ".join(read(text).text.replace("\0", " ").split())


class Source(Resource):
    """Where words are from: a page, or an answer of an engine."""

    url: UntrustedText | None = None
    engine: str | None = None


class ShortQuote(Source):
    """The beginning of a quote without signs of Markdown."""

    text: Annotated[UntrustedText, AfterValidator(lambda text: shorten(plain(text), SHORT, placeholder="…"))]


ShortQuotes = Annotated[Sequence[ShortQuote], AfterValidator(lambda rows: rows[:1])]


class Quote(ShortQuote):
    """Words of an answer, a review or an own page. `start` to `end`: their place in its text; null: the words are
    shown without signs of Markdown. `url`: the page, or where the review was published."""

    text: UntrustedText
    start: int | None = None
    end: int | None = None
    answer_id: int | None = None
    review_id: int | None = None
    stars: float | None = None
    day: datetime.date | None = None

    @property
    def shown(self) -> str:
        """The words as a reader sees them."""
        return plain(self.text)


class OwnSentence(Quote):
    """A sentence of an own page that holds a number or an assurance. `is_claim`: the page speaks of the site."""

    kind: ClaimKind
    is_claim: bool


class Associated(Resource):
    """A brand that so many answers, of the read ones `naming` it, give this reason for."""

    subject: UntrustedText
    answers: int
    naming: int = 0


class CriterionWinner(Associated):
    """The same with what an answer says. `competitor_id` null: the brand itself."""

    competitor_id: UUID | None
    quote: Quote


class CriterionRow(Resource):
    """What `answers` of `of` answers on a topic judge by. `basis` read: a reader read them; labelled: nobody has, and
    only English answers that use it as a label are counted, so that the number is a lower bound and nobody is linked.
    """

    label: UntrustedText
    topic: UntrustedText
    basis: Basis
    answers: int
    of: int
    by_engine: Mapping[str, int]
    weight: float = Field(description="answers in percent of `of`")
    winners: Sequence[Associated] = Field(description="whom answers link with it, most answers first")
    winner: UntrustedText | None = Field(description="who is clearly ahead; null: nobody")
    own_sentence: ShortQuote | None = Field(description="of the site's own pages, with all words of the label")
    quotes: ShortQuotes


class Criterion(CriterionRow):
    """The same in full. `own_naming` answers name the site."""

    topic_id: UUID
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
    """What `count` of `of` read reviews say. `polarity` by the stars of these reviews: null where they give none."""

    label: UntrustedText
    facet: Facet
    polarity: Polarity | None
    count: int
    of: int
    quotes: ShortQuotes


class Theme(ThemeRow):
    """The same in full."""

    quotes: Sequence[Quote]


class Evidence(Resource):
    """Evidence of a site."""

    site_id: UUID
    made_at: Timestamp | None = Field(default=None, description="when it was counted; null: not yet, or read")


class EvidenceList(Evidence):
    """Evidence of a kind in rows. `note`: what the numbers leave out, and how to get more; null: nothing."""

    total: int
    read_on: datetime.date | None = Field(default=None, description="of the newest reading; null: nobody has read")
    note: str | None = None
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
    """The reviews of the site, counted by their stars (rounded; those without are not among them), and what a reader
    found in them, the most frequent first."""

    themes: list[ThemeRow | Theme]
    reviews: int
    average_stars: float | None = None
    by_stars: Mapping[str, int] = {}


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
