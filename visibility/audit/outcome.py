"""What a check says of a site, and what the catalogue says of the check."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from visibility.audit.site import Site

Severity = Literal["critical", "high", "medium", "low", "info"]
Category = Literal[
    "access", "rendering", "discovery", "structured-data", "entity-trust", "structure", "citability", "freshness",
    "agent-surfaces",
]  # fmt: skip
Verdict = Literal["passed", "failed", "not_applicable", "inconclusive"]

MAX_EVIDENCE = 10
"""Pieces of evidence and addresses that a finding shows; `Outcome.affected` counts all."""
MAX_QUOTE = 300


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows it: an address, where in it (`line 12`, `header x-robots-tag`, `robots.txt line 4`), and the words
    that stand there, at most `MAX_QUOTE` characters."""

    url: str
    where: str
    quote: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one check found.

    `share`: the part of what was looked at that passes, 0 to 1; null where the check does not apply or says nothing.
    `words` fills the catalogue's templates; a whole sentence named `finding` among them stands for that template.
    `because`: why it does not apply or is inconclusive, or what is known where it passed.
    """

    verdict: Verdict
    share: float | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    urls: tuple[str, ...] = ()
    """The affected addresses, at most `MAX_EVIDENCE`."""
    affected: int = 0
    because: str = ""
    critical: bool = False
    """Whether the check's cap applies."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What is known of a check's effect on answers, what speaks against it, and where that stands."""

    known: str
    counter: str
    source: str


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A check as the catalogue has it. A weight of 0 is shown, not scored. `title` says what is so where the check
    passes, `problem` what is so where it fails. `cap`: the overall score is no higher than this where the outcome is
    critical."""

    id: str
    title: str
    category: Category
    severity: Severity
    weight: float
    evidence_grade: str
    measure: str
    finding: str
    fix_prompt: str
    sources: tuple[str, ...]
    not_applicable_when: str
    effect: Effect
    cap: float | None = None
    problem: str = ""


Check = Callable[[Site], Outcome]
"""A pure function over what is known of the site."""


def not_applicable(because: str) -> Outcome:
    """The check says nothing about this site, and leaves the denominator."""
    return Outcome("not_applicable", because=because)


def inconclusive(because: str) -> Outcome:
    """It could not be found out, and leaves the denominator."""
    return Outcome("inconclusive", because=because)


def passed(because: str = "") -> Outcome:
    """All of what was looked at is as it should be."""
    return Outcome("passed", share=1.0, because=because)


def failed(
    *,
    evidence: tuple[Evidence, ...] | list[Evidence],
    share: float = 0.0,
    words: Mapping[str, str] | None = None,
    critical: bool = False,
) -> Outcome:
    """Some of what was looked at is not: the affected addresses are those of the evidence."""
    urls = tuple(dict.fromkeys(piece.url for piece in evidence))
    pieces = tuple(Evidence(piece.url, piece.where, piece.quote[:MAX_QUOTE]) for piece in evidence[:MAX_EVIDENCE])
    return Outcome(
        "failed", share, dict(words or {}), pieces, urls[:MAX_EVIDENCE], affected=len(urls), critical=critical
    )
