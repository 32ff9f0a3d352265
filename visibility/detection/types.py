"""The data of detection: names in, mentions and citations out. No database, no settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

BRAND = ""
"""The subject key of the brand itself; competitors use their id as a string."""


class Stance(StrEnum):
    """What an answer says of a subject: a class with its quote, never a number. `UNKNOWN` where its words do not tell
    for certain: it may well be praised; earlier versions said "neutral"."""

    RECOMMENDED = "recommended"
    UNKNOWN = "unknown"
    CAUTIONED = "cautioned"
    REJECTED = "rejected"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class Policy:
    """What a user says of a name that also means something else.

    `case_sensitive`: only these capitals are the name. `required_near`: one of these words stands in the line
    wherever the subject is meant. `forbidden_near`: none of these words stands right beside the name.
    """

    case_sensitive: bool = False
    required_near: tuple[str, ...] = ()
    forbidden_near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Name:
    """A name or alias of a subject. Without a policy the name itself decides how much care it needs."""

    subject: str
    text: str
    policy: Policy | None = None


Judged = Mapping[tuple[str, str], bool]
"""By subject and name: whether that is meant in an answer, as a judge has decided where nothing surer tells."""


@dataclass(frozen=True, slots=True)
class OpenName:
    """A name at `start:end` of the raw text of which neither its line nor the answer tells for sure what it means."""

    subject: str
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FoundMention:
    """A name in the visible prose; `start:end` is its place in the raw text, and `text == raw[start:end]`.

    `rule` says what made it count. `rank` is the place of its subject among what the answer offers, 1 for the first,
    by `rank_rule`; None where it is not offered, or where that cannot be told. A subject whose stance is not_found is
    not visible.
    `stance` is what the sentence at `quote_start:quote_end` of the raw text says of it.
    """

    subject: str
    start: int
    end: int
    text: str
    rank: int | None
    rule: str
    rank_rule: str = ""
    stance: Stance = Stance.UNKNOWN
    quote_start: int = 0
    quote_end: int = 0


class SourceClass(StrEnum):
    """What kind of site a source is; own and competitor by their domains, the rest by `source_classes`."""

    OWN = "own"
    COMPETITOR = "competitor"
    REVIEW_SITE = "review_site"
    COMMUNITY = "community"
    NEWS = "news"
    REFERENCE = "reference"
    VIDEO = "video"
    SHOP = "shop"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence of an answer's prose: its place in the raw text, and the canonical URLs that it cites.

    `words` is how many words it has; 0 where it cites nothing, for which they are not counted.
    """

    start: int
    end: int
    words: int
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundCitation:
    """A cited source after canonicalisation; `subject` is whose domain it is, None for others.

    `spans` are the places, in the raw text, of the sentences that it supports; none where nothing tells.
    """

    url: str
    domain: str
    title: str
    position: int
    subject: str | None
    cls: SourceClass = SourceClass.OTHER
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Domains:
    """Registrable or host domains by subject key: a citation below one of them is that subject's."""

    by_subject: Mapping[str, tuple[str, ...]]
