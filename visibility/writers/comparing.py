"""What puts two names side by side: in a search, in an answer, on a page. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from visibility.writers.languages.language import LANGUAGES
from visibility.writers.words import name_pattern

NEAR = 80
"""Characters between two names that are compared, or between a name and the word that compares it."""
MAX_SHOWN = 200
_COMPARES = re.compile(LANGUAGES.any_of(lambda language: language.words.comparing))
_BREAK = re.compile(r"\n|[.!?]\s")


def compares(text: str) -> bool:
    """Whether a word of the text puts two things side by side."""
    return _COMPARES.search(text.casefold()) is not None


def compared_in(text: str, mentions: Iterable[tuple[int, int, str]]) -> Iterator[tuple[str, str, int]]:
    """Pairs of subjects that a sentence of the text puts side by side, with where the first name begins; `mentions`
    are start, end and subject of each name in it."""
    for (start, end, first), (begin, _, second) in pairwise(sorted(mentions)):
        between = text[end:begin]
        if first != second and len(between) <= NEAR and not _BREAK.search(between) and compares(between):
            yield first, second, start


def compares_with(texts: Sequence[str], name: str) -> bool:
    """Whether one of these texts (a title, a heading, a page) puts what has this name beside something else."""
    pattern = name_pattern(name)
    return any(
        compares(text[max(0, match.start() - NEAR) : match.end() + NEAR])
        for text in texts
        for match in pattern.finditer(text)
    )
