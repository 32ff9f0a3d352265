"""`python -m tests.evidence.hand_check`: the claims found over the saved pages, as rows for docs/evidence-checks.md.

Each has the verdict that stands there; a new one has none and waits for a reader.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.evidence.brands import Pages, brands
from visibility.evidence.claims import find_claims

DOCUMENT = Path(__file__).resolve().parent.parent.parent / "docs" / "evidence-checks.md"
SHOWN = 10
"""Words of a claim that a row shows: page texts belong to their publishers."""
_ROW = re.compile(
    r"^\| (?P<words>[^|]+) \| (?P<kind>\w+) \| (?P<page>[^|]+) \| (?P<verdict>right|wrong) \|", re.MULTILINE
)


@dataclass(frozen=True)
class Row:
    """A claim as the table shows it."""

    words: str
    kind: str
    page: str


def found(pages_of_brands: Iterable[tuple[tuple[str, ...], Pages]]) -> Iterator[Row]:
    """The claims found over these saved pages."""
    for names, pages in pages_of_brands:
        files = {page.url: file for file, page in pages}
        for claim in find_claims([page for _, page in pages], names):
            words = " ".join(claim.text.replace("|", "/").split()[:SHOWN])
            yield Row(words, claim.kind, files[claim.ours[0].url])


def judged() -> dict[Row, str]:
    """The rows of the table with the verdict of who read them."""
    return {
        Row(match["words"], match["kind"], match["page"]): match["verdict"]
        for match in _ROW.finditer(DOCUMENT.read_text() if DOCUMENT.exists() else "")
    }


if __name__ == "__main__":
    verdicts = judged()
    for row in found(brands(Path(os.environ.get("REFERENCE_DATA", "../shared/data")))):
        print(f"| {row.words} | {row.kind} | {row.page} | {verdicts.get(row, '?')} |")
