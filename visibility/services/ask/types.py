"""What passes between the steps of an answer: question → `About` → facts of each kind → words.

Who reads the question knows its language, who finds the facts knows none, and `wording` says them in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from uuid import UUID

Value = str | int | float | date | None | Sequence["Value"] | Mapping[str, "Value"]
"""What a sentence is made of: names, counts, rates (0–100), days, ids, and lists and rows of these."""


class Kind(StrEnum):
    """What a question asks for."""

    SCORE = "score"
    CHANGE = "change"
    ENGINES = "engines"
    TOPICS = "topics"
    """Strongest, weakest, or all topics."""
    COMPETITORS = "competitors"
    """Who is ahead, how a rival stands, head to head."""
    GAPS = "gaps"
    SOURCES = "sources"
    ABSENT_SOURCES = "absent_sources"
    CRITERIA = "criteria"
    CLAIMS = "claims"
    THEMES = "themes"
    VOICE = "voice"
    RECOMMENDATIONS = "recommendations"
    """What to do first as well."""
    PROGRESS = "progress"
    """Which are in progress or done, and what became of one."""
    PROOFS = "proofs"
    """Whether what was done has helped."""
    CONTENT = "content"
    PROMPTS = "prompts"
    SURE = "sure"
    """How sure a figure is, and what would make it surer."""
    RUNS = "runs"
    NEXT_SCAN = "next_scan"
    COST = "cost"
    QUOTAS = "quotas"
    AUDIT = "audit"
    DEFINITIONS = "definitions"
    """Why another tool shows another number; what a figure means."""
    SITES = "sites"
    """Which sites there are."""


class Claimed(StrEnum):
    """What a question takes for granted of its subject."""

    NOT_NAMED = "not_named"
    LEADS = "leads"
    """It is named most, or the best."""
    AHEAD = "ahead"
    """Of `other`."""
    BEHIND = "behind"
    ROSE = "rose"
    FELL = "fell"
    FIGURE = "figure"
    """That it is named in `value` per cent."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Who is meant: the brand, without an id, or a competitor."""

    name: str
    id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Premise:
    """A claim inside a question ("why is Sony never named on headphones?"), to be held against the figures."""

    claimed: Claimed
    subject: Subject
    other: Subject | None = None
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence before it has words: the name of its sentence in `wording/`, and what it speaks of."""

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """The call that would tell what an answer cannot; `why` is a statement."""

    tool: str
    why: Statement
    arguments: Mapping[str, Value] = field(default_factory=dict)
