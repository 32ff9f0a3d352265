"""What evidence is read from, and what is found. Every item has quotes, each verbatim at the place that it names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Literal


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of others, verbatim: `source` at `offset` has `text`.

    Of a page: `url`, the headings above (`path`), and the offset into its main text (`ParsedPage.main_text`), for
    the rule `voice.calls` into its visible text (`visible_text`), as menus and buttons are no main text; of an
    answer: `answer` is its id, with its `engine`, and the offset into its raw text; of a review: `url` is its page or
    empty, `review` its key in the file or on the page, and the offset into the review's text. `rule` is what
    found it.
    """

    text: str
    source: Literal["page", "answer", "review"]
    offset: int
    rule: str
    url: str = ""
    path: tuple[str, ...] = ()
    answer: str = ""
    engine: str = ""
    review: str = ""


@dataclass(frozen=True, slots=True)
class AnswerText:
    """An answer that evidence is looked for in.

    `named` maps each subject that the answer visibly mentions (`detection.types.BRAND`, or the id of a competitor) to
    the spans of its mentions in the raw text. `branded`: the prompt names the brand. `buying`: the prompt is
    an unbranded question of someone who chooses or buys.
    """

    id: str
    engine: str
    prompt: str
    topic: str
    question: str
    text: str
    named: Mapping[str, Sequence[tuple[int, int]]]
    branded: bool
    buying: bool
    day: date


@dataclass(frozen=True, slots=True)
class ReviewText:
    """One review. `key` tells it from others; `stars` of five, null where none are given."""

    key: str
    text: str
    stars: float | None = None
    day: date | None = None
    url: str = ""
    title: str = ""


class Trait(StrEnum):
    """What of a voice is measured reliably from a thousand words on."""

    READABILITY = "readability"
    SENTENCE_LENGTH = "sentence_length"
    YOU_SHARE = "you_share"
    WE_SHARE = "we_share"
    CONTRACTIONS = "contractions"
    LONG_WORDS = "long_words"
    NUMBERS = "numbers"


@dataclass(frozen=True, slots=True)
class VoiceFigure:
    """One trait, with sentences that show it."""

    trait: Trait
    value: float
    unit: str
    examples: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Voice:
    """How a brand's own pages speak. `calls` are the words of its buttons and links that ask for an action, the most
    frequent first. `figures` is empty under 1,000 pooled words; a language that evidence does not read has 0."""

    words: int
    pages: int
    language: str
    figures: tuple[VoiceFigure, ...]
    calls: tuple[Quote, ...] = ()


class ClaimKind(StrEnum):
    """What a claim says."""

    QUANTIFIED = "quantified"
    SUPERLATIVE = "superlative"
    AUDIENCE = "audience"
    CAPABILITY = "capability"
    DIFFERENTIATOR = "differentiator"
    ASSURANCE = "assurance"


class Backing(StrEnum):
    """What the page gives for it."""

    SOURCED = "sourced"
    NUMBER = "number_without_source"
    BARE = "bare"


class EnginesSay(StrEnum):
    """What the engines' answers say of a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Claim:
    """What the brand's pages claim. The first of `ours` is the sentence itself; the others are where else it is."""

    text: str
    kind: ClaimKind
    backing: Backing
    ours: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class WeighedClaim:
    """A claim and what answers say of it: quotes for each side, of at most one sentence; `answers` is how many
    were looked at: those that name the brand."""

    claim: Claim
    says: EnginesSay
    answers: int
    supporting: tuple[Quote, ...] = ()
    contradicting: tuple[Quote, ...] = ()


class Polarity(StrEnum):
    """How a theme is spoken of."""

    POSITIVE = "positive"
    MIXED = "mixed"
    NEGATIVE = "negative"


@dataclass(frozen=True, slots=True)
class Theme:
    """What reviews speak about. `count` of `reviews` distinct ones; `polarity` by stars, else by a lexicon where
    there are enough (`estimated`), else null. `trend` by the reviews' dates. `answers` counts the answers that
    speak of it."""

    label: str
    count: int
    reviews: int
    polarity: Polarity | None
    estimated: bool
    mean_stars: float | None
    trend: Literal["rising", "steady", "falling"] | None
    answers: int
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Winner:
    """A subject that answers name as good by a criterion; `subject` as in `AnswerText.named`."""

    subject: str
    answers: int
    quote: Quote


@dataclass(frozen=True, slots=True)
class Criterion:
    """What answers to buying questions judge by: `answers` of `of_answers` use it. `terms` are the spellings that
    were merged; `topics` where it is used, the most often first; `engines` and `prompts` count where."""

    label: str
    terms: tuple[str, ...]
    answers: int
    of_answers: int
    engines: tuple[str, ...]
    prompts: int
    topics: tuple[tuple[str, int], ...]
    winners: tuple[Winner, ...]
    quotes: tuple[Quote, ...]

    @property
    def weight(self) -> float:
        """Share of the answers that use it, 0–100."""
        return round(100 * self.answers / self.of_answers, 1) if self.of_answers else 0.0
