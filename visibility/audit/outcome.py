"""The outcome of a check on a site."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from visibility.audit.sentences import say

Verdict = Literal["passed", "failed", "not_applicable", "inconclusive"]
MAX_EVIDENCE = 10
"""Pieces of evidence and addresses that a finding shows; `Outcome.affected` counts all."""
MAX_QUOTE = 300
MIN_CRITICAL = 0.1
"""The loss of this part of a site's pages, or more, is a critical defect."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence of a fault: an address, the place in it (`line 12`, `robots.txt line 4`), and the words there. `to`:
    what should be there instead; empty: see the task. `pages`: on how many pages it is the same, mended once."""

    url: str
    where: str
    quote: str
    to: str = ""
    pages: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one check.

    `share`: the part of what it looked at that passes, 0 to 1; null where it does not apply or is inconclusive.
    `because`: why it does not apply or is inconclusive, or a remark where it passed. `lost`: the part of the site's
    pages that machines lose by it altogether (barred, unread, not indexed); 1 with the home page.
    """

    verdict: Verdict
    share: float | None = None
    finding: str = ""
    evidence: tuple[Evidence, ...] = ()
    urls: tuple[str, ...] = ()
    affected: int = 0
    because: str = ""
    lost: float = 0.0

    @property
    def critical(self) -> bool:
        """Whether so much is lost that it is a critical defect."""
        return self.lost >= MIN_CRITICAL


def not_applicable(because: str) -> Outcome:
    """The check does not apply to this site, and does not count in scores."""
    return Outcome("not_applicable", because=because)


def inconclusive(because: str) -> Outcome:
    """The check could not be carried out, and does not count in scores."""
    return Outcome("inconclusive", because=because)


def passed(because: str = "") -> Outcome:
    """All that the check looked at is as it should be."""
    return Outcome("passed", share=1.0, because=because)


def failed(finding: str, evidence: Sequence[Evidence], *, share: float = 0.0, lost: float = 0.0) -> Outcome:
    """Some of what the check looked at is wrong. The affected addresses are those of the evidence; the same words on
    several pages become one piece."""
    urls = tuple(dict.fromkeys(piece.url for piece in evidence))
    pieces = tuple(_by_template(evidence))[:MAX_EVIDENCE]
    share = min(max(share, 0.0), 1.0)
    return Outcome("failed", share, finding, pieces, urls[:MAX_EVIDENCE], affected=len(urls), lost=lost)


def judged(
    looked_at: int,
    evidence: Sequence[Evidence],
    finding: str,
    *,
    wrong: int | None = None,
    lost: float = 0.0,
    none: str = "No page was read.",
    remark: str = "",
) -> Outcome:
    """Passed without evidence, with the remark; else failed. `wrong`: how many of the things looked at are wrong, as
    many as the evidence has addresses unless it is given. `none`: why the check does not apply where it looked at
    nothing."""
    if not looked_at:
        return not_applicable(none)
    if not evidence:
        return passed(remark)
    wrong = len({piece.url for piece in evidence}) if wrong is None else wrong
    return failed(finding, evidence, share=1 - wrong / looked_at, lost=lost)


def _by_template(evidence: Iterable[Evidence]) -> Iterable[Evidence]:
    """The evidence in its order; the same words in the HTML of several pages once, with the number of pages."""
    alike: dict[tuple[object, ...], dict[str, Evidence]] = {}
    for number, piece in enumerate(evidence):
        in_html = piece.where.startswith(("line", "robots.txt", "the head", "the html")) and piece.quote
        alike.setdefault((piece.quote, piece.to) if in_html else (number,), {}).setdefault(piece.url, piece)
    for pages in alike.values():
        first = next(iter(pages.values()))
        yield replace(first, quote=_cut(first.quote), to=_cut(first.to), pages=len(pages))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_QUOTE else text[:MAX_QUOTE]


def at_line(url: str, line: int, quote: str, to: str = "") -> Evidence:
    """Evidence on a line of a page; line 0: somewhere on it."""
    return Evidence(url, say("line {line}", line=str(line)) if line else say("the page"), quote, to)
