"""What a kind of recommendation is: what it looks at, when its gap opens and closes, and what it says of it.

Stages: `Material` → observations (cheap, no texts) → priority, budget, hysteresis → words of those that are kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol
from uuid import UUID

from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.types import Tally
from visibility.insights.recommendations.wording import EvidenceText


class Basis(StrEnum):
    """What a kind is found in, and so when it is looked for: after a scan, when evidence was made, after an audit."""

    ANSWERS = "answers"
    EVIDENCE = "evidence"
    AUDIT = "audit"


class Standing(StrEnum):
    """How a subject stands now. One opens at one threshold and closes at another: between them, or on too few
    answers, an open one stays open and a closed one closed."""

    OPEN = "open"
    BETWEEN = "between"
    CLOSED = "closed"


class Effect(StrEnum):
    """What is known of the effect of doing it: measured by others, plausible by what engines say, or not known."""

    KNOWN = "known"
    LIKELY = "likely"
    UNKNOWN = "unknown"


class Effort(StrEnum):
    """Low: a setting, or an edit of a page. Medium: a page is written. High: others have to be won over."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class ProvenBy(StrEnum):
    """What shows that doing it has helped: a figure on its topic, the next audit, or nothing that is measured."""

    SCORE = "score"
    CITATION_RATE = "citation_rate"
    AUDIT = "audit"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Factors:
    """What a priority is made of: `answers` of `of_answers` that could show the gap do, on `engines` of `of_engines`;
    `reach` is the share (0–1) of all unbranded answers of now that it concerns."""

    answers: int
    of_answers: int
    engines: int
    of_engines: int
    reach: float
    effect: Effect
    effort: Effort


@dataclass(frozen=True, slots=True)
class Observation:
    """What measurement says of one subject. A subject without an observation was not measured: nothing changes.

    `subject` is the fingerprint within its kind; `topic` the key of the topic that it is about, empty where it is
    about none; `details` are what the kind itself needs for its words, None where there is nothing to say now: what
    is open then stays as it was written. `urgency`: the priority, where the kind has an order of its own; `reason`:
    why it closed, where it was not mended.
    """

    subject: str
    standing: Standing
    factors: Factors
    topic: str = ""
    tallies: tuple[Tally, ...] = ()
    prompts: tuple[UUID, ...] = ()
    rivals: tuple[UUID, ...] = ()
    details: Any = field(default=None, compare=False)
    urgency: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """The parts of a fix prompt: the `goal` in a sentence, what to change, what not to touch, and how to tell that it
    is done. Words of others stand in evidence alone, never here."""

    goal: str
    tasks: tuple[str, ...]
    keep: tuple[str, ...] = ()
    done_when: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """What a recommendation says: one line, what was measured, the evidence, and the parts of its fix prompt, or the
    whole prompt where the kind has one."""

    title: str
    summary: str
    evidence: Sequence[EvidenceText]
    fix: Fix | str


class Kind(Protocol):
    """One kind of recommendation. `reason` says in a sentence why it matters; `max_open` is its budget."""

    id: str
    reason: str
    basis: Basis
    proven_by: ProvenBy
    max_open: int

    def observe(self, material: Material) -> Iterable[Observation]:
        """Every subject that was measured well enough to tell: neither noise nor too few answers."""
        ...

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What is said of each of these, in as many statements for all as for one."""
        ...
