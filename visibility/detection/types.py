"""The data of detection: names in, mentions and citations out. No database, no settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

BRAND = ""
"""The subject key of the brand itself; competitors use their id as a string."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name or alias of a subject."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class FoundMention:
    """A name in the visible prose; `start:end` is its place in the raw text, and `text == raw[start:end]`.

    `rank` is the place of the subject among the subjects of the answer, 1 for the first.
    """

    subject: str
    start: int
    end: int
    text: str
    rank: int
    rule: str


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
    """A sentence of an answer's prose: its place in the raw text, its words, and the canonical URLs that it cites."""

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
