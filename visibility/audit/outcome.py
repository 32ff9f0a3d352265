"""What a check says of a site, and what the catalogue says of the check."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from apikeys.text.sentences import one_line
from visibility.audit.site import Site

Severity = Literal["critical", "high", "medium", "low", "info"]
Category = Literal[
    "access", "rendering", "discovery", "structured-data", "entity-trust", "structure", "citability", "freshness",
    "agent-surfaces",
]  # fmt: skip
Consequence = Literal["reach", "facts", "form"]
"""What a failing check costs: machines do not get pages (barred, unread, not indexed), what they read is wrong or
missing, or it is harder to read."""
Verdict = Literal["passed", "failed", "not_applicable", "inconclusive"]

MAX_EVIDENCE = 10
"""Pieces of evidence and addresses that a finding shows; `Outcome.affected` counts all."""
MAX_QUOTE = 300
MIN_CRITICAL = 0.1
"""The part of a site's pages from which on their loss is a critical defect."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows it: an address, where in it (`line 12`, `header x-robots-tag`, `robots.txt line 4`), and the words
    that stand there, at most `MAX_QUOTE` characters. `to`: what should stand there instead; empty: see the task.
    `pages`: on how many pages the same stands, so that it is mended once, in what they share."""

    url: str
    where: str
    quote: str
    to: str = ""
    pages: int = 1


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
    lost: float = 0.0
    """The part of the site's pages that machines lose by it altogether (barred, unread, not indexed), 0 to 1; 1 where
    the home page is."""

    @property
    def critical(self) -> bool:
        """Whether so much is lost that it is a critical defect."""
        return self.lost >= MIN_CRITICAL


@dataclass(frozen=True, slots=True)
class Effect:
    """What is known of a check's effect on answers, what speaks against it, and where that stands."""

    known: str
    counter: str
    source: str


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A check as the catalogue has it. A weight of 0 is shown, not scored. `title` says what is so where the check
    passes, `problem` what is so where it fails. `cap`: the overall score is no higher than this where the whole site
    is lost by it."""

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
    consequence: Consequence = "form"

    @property
    def matters(self) -> bool:
        """Whether failing it is something to do: it weighs in the score, or is grave without a weight."""
        return self.severity != "info" and (self.weight > 0 or self.severity in ("critical", "high"))


Check = Callable[[Site], Outcome]
"""A pure function over what is known of the site."""


QUOTES = str.maketrans("“”", "''")


def theirs(text: str) -> str:
    """What the site wrote, in a sentence of ours: between quote marks that nothing in it can end."""
    return f"“{one_line(text).translate(QUOTES)}”"


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
    lost: float = 0.0,
) -> Outcome:
    """Some of what was looked at is not: the affected addresses are those of the evidence. The same words on several
    pages are one piece."""
    urls = tuple(dict.fromkeys(piece.url for piece in evidence))
    pieces = tuple(_by_template(evidence))[:MAX_EVIDENCE]
    return Outcome("failed", share, dict(words or {}), pieces, urls[:MAX_EVIDENCE], affected=len(urls), lost=lost)


def _by_template(evidence: Iterable[Evidence]) -> Iterator[Evidence]:
    """In the order of the pages; what stands in the HTML of several pages alike once, with their number."""
    alike: dict[tuple[object, ...], dict[str, Evidence]] = {}
    for number, piece in enumerate(evidence):
        in_html = piece.where.startswith(("line", "robots.txt", "the head", "the html", "the landmarks"))
        key = (piece.quote, piece.to) if in_html and piece.quote else (number,)
        alike.setdefault(key, {}).setdefault(piece.url, piece)
    for pages in alike.values():
        first = next(iter(pages.values()))
        yield replace(first, quote=first.quote[:MAX_QUOTE], to=first.to[:MAX_QUOTE], pages=len(pages))
