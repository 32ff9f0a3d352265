"""Of whom a sentence of a page speaks: of the brand, of "us", of the product that the page is about, or of others."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from visibility.audit.checks.matching import words_in
from visibility.audit.checks.nodes import main_nodes, texts_in
from visibility.audit.page import ParsedPage
from visibility.evidence.page_words.page_words import ClaimWords

MIN_NAME = 2
"""Characters."""
PRODUCT_WORDS = 2
"""How many words of a product's name are enough to tell it."""
MAX_PRODUCTS = 10
"""Names of products on one page that count, and products whose maker does."""
MIN_SHARED = 2
"""Words that a product's name shares with the title of its page."""
MIN_NOUN = 4
"""Letters of a word of its name that a product's page may call it by."""
_AFTER_COMMA = r"(?:[^:;–]{1,160}?(?:,|:|\s–)\s+)?"
"""What a sentence may say before its subject: when, where, relying on what."""

_LABEL = r"(?:\w[^.:–]{1,40}(?::|\s[-–])\s+)?"
"""A label before a sentence without a subject ("Two-way audio: enables ...")."""


class Subjects:
    """Finds the subjects that are the brand's own in the sentences of one page."""

    def __init__(self, page: ParsedPage, names: Sequence[str], words: ClaimWords) -> None:
        products = _products(page)
        own = _pattern([*names, *(_called(name) for name in products)])
        # Whose brand a shop sells is somebody else: "the Beringer winery" is not what the page offers.
        nouns = "|".join(map(re.escape, sorted(_nouns(products) - _nouns(_makers(page))))) or r"(?!)"
        joined, articles = rf"{_AFTER_COMMA}(?:(?:{words.joining})\s+)?", rf"(?:{words.articles})\s*"
        named = rf"(?:{articles}(?:[\w-]+\s+){{0,4}}?(?:(?:{words.of})\s*)?)?(?P<subject>{own})"
        self._rules = tuple(
            re.compile(rule, re.IGNORECASE)
            for rule in (
                rf"{joined}(?:{articles})?(?P<subject>\b(?:{words.us})\b)",
                rf"{joined}{named}",
                rf"{joined}{articles}(?P<subject>\b(?:{nouns})\b)(?!-)",
            )
        )
        self._pronouns = re.compile(rf"{joined}(?P<subject>\b(?:{words.pronouns})\b)", re.IGNORECASE)
        self._elided = re.compile(rf"{_LABEL}(?:{words.elided.pattern})", re.IGNORECASE)

    def begin(self, sentence: str, *, follows: bool) -> int | None:
        """Where the brand's own subject begins in a sentence that speaks of it; null for one that does not. Where it
        follows one that does, it may go on with a pronoun."""
        rules = (*self._rules, self._pronouns) if follows else self._rules
        return next((match.start("subject") for rule in rules if (match := rule.match(sentence))), None)

    def elided(self, sentence: str) -> bool:
        """Whether a sentence leaves its subject out and begins with the verb ("Supports ...")."""
        return self._elided.match(sentence) is not None


def _products(page: ParsedPage) -> list[str]:
    """The names that a product's page gives it: in structured data and headings, those that its title shares words
    with. What else it advertises has names of its own."""
    if page.kind != "product" or not page.titles:
        return []
    names = [name for placed in main_nodes(page, "Product") for name in texts_in(placed.node, "name")]
    names += [heading.text for heading in page.headings]
    title = _nouns([page.titles[0].text])
    return [name for name in names if len(_nouns([name]) & title) >= MIN_SHARED][:MAX_PRODUCTS]


def _makers(page: ParsedPage) -> list[str]:
    """Whose brand the product of a page is, as its structured data say."""
    nodes = islice(main_nodes(page, "Product"), MAX_PRODUCTS)
    return [name for placed in nodes for name in texts_in(placed.node, "brand", "manufacturer")]


def _called(name: str) -> str:
    """The first words of a product's name, which its text repeats without the rest; empty where they are no name."""
    words = name.replace(",", " ").split()[:PRODUCT_WORDS]
    return " ".join(words) if len(words) == PRODUCT_WORDS and all(word[0].isupper() for word in words) else ""


def _nouns(products: Iterable[str]) -> set[str]:
    """What a product may be called behind an article: the words of its name."""
    return {word for name in products for word in words_in(name) if len(word) >= MIN_NOUN and word.isalpha()}


def _pattern(names: Iterable[str]) -> str:
    """A pattern for any of these names as they are written or in capitals, with the signs that stand behind names."""
    kept = {name.strip() for name in names if len(name.strip()) >= MIN_NAME}
    written = sorted(kept | {name.upper() for name in kept}, key=lambda name: (-len(name), name))
    if not written:
        return r"(?!)"
    return rf"(?<!\w)(?-i:{'|'.join(map(re.escape, written))})(?!\w)[®™©]*"
