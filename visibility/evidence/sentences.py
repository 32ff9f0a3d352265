"""The sentences of a brand's pages, each with where it stands. What pages repeat counts once."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from visibility.audit.checks.matching import folded
from visibility.audit.checks.nodes import texts_in
from visibility.audit.page import Block, ParsedPage
from visibility.detection.text.sentences import sentence_spans
from visibility.evidence.page_words.page_words import PageWords, words_for
from visibility.evidence.types import Quote

MAX_SENTENCE = 600
"""Characters: what is longer was never written as one sentence."""
REVIEWS = ("Review", "UserReview")
"""Types of nodes that hold what one customer says, and the properties that hold the words."""
REVIEW_TEXTS = ("reviewBody", "description")
MAX_REVIEWS = 200
MIN_REVIEW = 20
"""Characters of a review by which it is known again in the text of the page."""
_ENDS = re.compile(r"[.!?…][\"'”’»)\]]*\s*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a page, in the words of whose language it is read; `offset` into the page's main text."""

    text: str
    offset: int
    page: ParsedPage
    block: Block
    words: PageWords

    def quote(self, rule: str) -> Quote:
        """The sentence as what a rule found."""
        return Quote(self.text, "page", self.offset, rule, url=self.page.url, path=self.block.path)

    @property
    def ends(self) -> bool:
        """Whether it ends as sentences do."""
        return _ENDS.search(self.text) is not None


def sentences_of(pages: Iterable[ParsedPage], kinds: Iterable[str]) -> Iterator[Sentence]:
    """The sentences in blocks of these kinds that the brand itself wrote: not below a heading of reviews, and not
    about consent and cookies. A block that several pages repeat counts once."""
    wanted, known = frozenset(kinds), set[str]()
    for page in pages:
        words = words_for(page)
        if words is None:
            continue
        reviews = _reviewed(page)
        for block in page.blocks:
            key = folded(block.text)
            if block.kind not in wanted or key in known or of_customers(block, words):
                continue
            known.add(key)
            if not any(text in block.text for text in reviews):
                yield from _of_block(page, block, words)


def _reviewed(page: ParsedPage) -> list[str]:
    """How the reviews of its structured data begin, which its text may repeat without a heading."""
    bodies = (text for node in page.nodes(*REVIEWS) for text in texts_in(node, *REVIEW_TEXTS))
    return [text[:MIN_REVIEW] for text in islice(bodies, MAX_REVIEWS) if len(text) >= MIN_REVIEW]


def of_customers(block: Block, words: PageWords) -> bool:
    """Whether a block stands below a heading of what customers say, or is one."""
    headings = (*block.path, block.text) if block.kind == "heading" else block.path
    return any(words.reviews.headings.search(heading) for heading in headings)


def _of_block(page: ParsedPage, block: Block, words: PageWords) -> Iterator[Sentence]:
    for start, end in sentence_spans(block.text):
        text = block.text[start:end]
        if text.strip() and len(text) <= MAX_SENTENCE and not words.set_aside.search(text):
            yield Sentence(text, block.offset + start, page, block, words)
