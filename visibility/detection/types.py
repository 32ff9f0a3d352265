"""The data of detection: names in, mentions and citations out. No database, no settings."""

from collections.abc import Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class FoundCitation:
    """A cited source after canonicalisation; `subject` is whose domain it is, None for others."""

    url: str
    domain: str
    title: str
    position: int
    subject: str | None


@dataclass(frozen=True, slots=True)
class Domains:
    """Registrable or host domains by subject key: a citation below one of them is that subject's."""

    by_subject: Mapping[str, tuple[str, ...]]
