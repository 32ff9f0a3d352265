"""Which passage of some pages holds what a question asks for: by words, never by meaning alone. Pure.

A word weighs the more the fewer pages have it; one that no page has weighs most. What the title and the heading say
counts for the passages below them, but a passage has to say a part itself: a title over nothing answers nothing.
Pages are indexed once; a question looks at those passages alone that share a word with it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Protocol

from visibility.writers.stems import terms_of

MAX_TERMS = 30
"""Words of a question that are looked for."""
MAX_PASSAGES = 20_000
PASSAGE_WORDS = 60
"""About three sentences: what is asked for stands together. A sentence is cut where it is longer than twice that."""
MAX_PASSAGE_WORDS = 2 * PASSAGE_WORDS
NUMBER_WEIGHT = 0.5
"""Of a bare number: a size, an amount, a limit."""
TITLE_WORTH, HEADING_WORTH, PASSAGE_WORTH = 0.3, 0.2, 0.2
"""What the shares of a title, a heading and the passage alone add where passages are ranked."""
MIN_SHARE, MIN_SAID = 0.7, 0.4
"""Of what is asked for: the share that title, heading and passage hold, and the passage itself."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")  # noqa: RUF001 -- CJK sentence marks


class Readable(Protocol):
    """A page: `text` has a line for each block, its headings among them."""

    @property
    def title(self) -> str: ...
    @property
    def headings(self) -> Sequence[str]: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Held:
    """What a passage of a page holds: `share` (0–1) of what is asked for is in title, heading or passage, `said` in
    the passage or its heading alone; `passage` is verbatim but for its line breaks."""

    page: int
    share: float
    said: float
    passage: str

    @property
    def answers(self) -> bool:
        """Whether that is enough."""
        return self.share >= MIN_SHARE and self.said >= MIN_SAID


@dataclass(frozen=True, slots=True)
class _Passage:
    page: int
    heading: frozenset[str]
    terms: frozenset[str]
    text: str


class Passages:
    """The passages of some pages, indexed when they are first asked for."""

    def __init__(self, pages: Sequence[Readable]) -> None:
        self._pages = pages

    def best(self, question: str) -> Held | None:
        """The passage that holds most of what is asked for; None where none shares a word of content with it."""
        weights = self._weights(question)
        total = sum(weights.values())
        ranked = [(self._worth(place, weights, total), -place) for place in self._sharing(weights)]
        if not ranked:
            return None
        passage = self._passages[-max(ranked)[1]]
        terms = passage.terms | passage.heading
        return Held(
            page=passage.page,
            share=_share(terms | self._titles[passage.page], weights, total),
            said=_share(terms, weights, total),
            passage=passage.text,
        )

    @cached_property
    def _titles(self) -> Sequence[frozenset[str]]:
        return [frozenset(terms_of(page.title)) for page in self._pages]

    @cached_property
    def _passages(self) -> Sequence[_Passage]:
        passages: list[_Passage] = []
        for number, page in enumerate(self._pages):
            for heading, text in _split(page):
                if len(passages) == MAX_PASSAGES:
                    return passages
                passages.append(_Passage(number, frozenset(terms_of(heading)), frozenset(terms_of(text)), text))
        return passages

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where each word is said, in passages and their headings; those of a title at the page's first passage."""
        places: dict[str, list[int]] = defaultdict(list)
        opened: set[int] = set()
        for place, passage in enumerate(self._passages):
            title = frozenset() if passage.page in opened else self._titles[passage.page]
            opened.add(passage.page)
            for term in passage.terms | passage.heading | title:
                places[term].append(place)
        return places

    @cached_property
    def _spread(self) -> Counter[str]:
        """On how many pages each word is."""
        spread: dict[str, set[int]] = defaultdict(set)
        for passage in self._passages:
            for term in passage.terms | passage.heading:
                spread[term].add(passage.page)
        for number, title in enumerate(self._titles):
            for term in title:
                spread[term].add(number)
        return Counter({term: len(pages) for term, pages in spread.items()})

    def _weights(self, question: str) -> dict[str, float]:
        terms = list(dict.fromkeys(terms_of(question)))[:MAX_TERMS]
        return {term: self._weight(term) for term in terms}

    def _weight(self, term: str) -> float:
        if term.isdigit():
            return NUMBER_WEIGHT
        return 1.0 + log((len(self._pages) + 1) / (self._spread[term] + 1))

    def _sharing(self, terms: Iterable[str]) -> set[int]:
        return {place for term in terms for place in self._places.get(term, ())}

    def _worth(self, place: int, weights: Mapping[str, float], total: float) -> float:
        passage = self._passages[place]
        title = self._titles[passage.page]
        return (
            _share(passage.terms | passage.heading | title, weights, total)
            + TITLE_WORTH * _share(title, weights, total)
            + HEADING_WORTH * _share(passage.heading, weights, total)
            + PASSAGE_WORTH * _share(passage.terms, weights, total)
        )


def _share(terms: frozenset[str], weights: Mapping[str, float], total: float) -> float:
    return sum(weight for term, weight in weights.items() if term in terms) / total


def _split(page: Readable) -> Iterator[tuple[str, str]]:
    """The passages of a page with the heading above each: sentences together up to about sixty words."""
    headings = {" ".join(heading.split()) for heading in page.headings}
    heading, words = "", list[str]()
    for line in page.text.splitlines():
        if " ".join(line.split()) in headings:
            if words:
                yield heading, " ".join(words)
            heading, words = " ".join(line.split()), []
            continue
        for sentence in _SENTENCE_END.split(line):
            words += sentence.split()
            while len(words) >= PASSAGE_WORDS:
                yield heading, " ".join(words[:MAX_PASSAGE_WORDS])
                words = words[MAX_PASSAGE_WORDS:]
    if words:
        yield heading, " ".join(words)
