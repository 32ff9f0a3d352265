"""How reliable the traits of a voice are: measured on both halves of texts, do they tell the texts apart alike?

`python -m tests.evidence.reliability` prints a row for each trait, for docs/evidence-checks.md.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from statistics import correlation

from tests.audit.parse import saved
from tests.evidence.brands import SITES
from visibility.audit.checks.phrases.phrases import language_of
from visibility.audit.page import ParsedPage
from visibility.evidence.types import Trait
from visibility.evidence.voice import Read, measured, prose_of

MIN_WORDS = 900
LANGUAGE = "en"
"""The one language of which the saved pages hold many long texts."""


def texts(data: Path) -> Iterator[list[Read]]:
    """The texts of 900 words of prose and more: each saved page is one, and each whole site."""
    together: dict[tuple[str, str], list[ParsedPage]] = {}
    for page in saved.everything(data):
        parsed = saved.said(page)
        if isinstance(parsed, ParsedPage) and language_of(parsed) == LANGUAGE:
            key = (page.group, "") if page.group in SITES else (page.group, page.name)
            together.setdefault(key, []).append(parsed)
    for pages in together.values():
        reads = list(prose_of(pages))
        if sum(len(read.words) for read in reads) >= MIN_WORDS:
            yield reads


def split_half(data: Path) -> dict[Trait, tuple[float, int]]:
    """For each trait the correlation of one half of the sentences with the other, and over how many texts."""
    halves = [(measured(reads[::2], min_words=0), measured(reads[1::2], min_words=0)) for reads in texts(data)]
    return {
        trait: (correlation([one[trait] for one, _ in halves], [other[trait] for _, other in halves]), len(halves))
        for trait in Trait
    }


if __name__ == "__main__":
    for trait, (r, count) in split_half(Path(os.environ.get("REFERENCE_DATA", "../shared/data"))).items():
        print(f"| {trait.replace('_', ' ')} | {r:.2f} | {2 * r / (1 + r):.2f} | {count} |")
