"""The reviews that pages hold: Review markup and testimonials. Pure."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from html import unescape
from math import isfinite

from apikeys.text.sentences import one_line
from visibility.audit.checks.claims import quotations
from visibility.audit.checks.matching import declared_number, words_in
from visibility.audit.checks.nodes import Node, nodes_in, texts_in
from visibility.audit.page import Block, ParsedPage
from visibility.audit.parse.day_words import day_in
from visibility.evidence.page_words.page_words import PageWords, words_for
from visibility.evidence.sentences import REVIEW_TEXTS, REVIEWS, of_customers
from visibility.evidence.types import ReviewText

MAX_REVIEWS = 5_000
MAX_TEXT = 5_000
"""Characters of a review."""
MAX_TITLE = 200
MIN_TESTIMONIAL = 5
"""Words: fewer are a name or a button."""
MIN_QUOTED = 0.6
"""Share of a block that is a quotation and not about one."""
TELLING = 8
"""Words of its beginning that tell a review from all others; a shorter one is told by its author, too."""
STARS = 5
_TAG = re.compile(r"<[^<>]{0,500}>")
_SCALES = (5, 10, 100)
"""Best ratings in use, for where none is said."""
_NO_TESTIMONIALS = ("article", "docs", "legal", "login", "search")
"""Kinds of pages that quote people for other reasons."""


def reviews_on(pages: Sequence[ParsedPage]) -> list[ReviewText]:
    """The reviews on these pages, each once: those of structured data first, then testimonials that it lacks. A
    rating without words is none."""
    reviews: dict[tuple[str, ...], ReviewText] = {}
    for page in pages:
        for author, review in _marked_up(page):
            reviews.setdefault(_told_by(review.text, author), review)
    known = {key[1:] for key in reviews}
    for page in pages:
        for review in _testimonials(page):
            key = _told_by(review.text)
            if key[1:] not in known:
                reviews.setdefault(key, review)
    return list(reviews.values())[:MAX_REVIEWS]


def _told_by(text: str, author: str = "") -> tuple[str, ...]:
    words = words_in(text)[:TELLING]
    return ("" if len(words) == TELLING else author, *words)


def _key(text: str, author: str = "") -> str:
    return hashlib.sha256("\n".join(_told_by(text, author)).encode()).hexdigest()[:16]


def _marked_up(page: ParsedPage) -> Iterator[tuple[str, ReviewText]]:
    for node in page.nodes(*REVIEWS):
        text = _plain(next(filter(None, (texts_in(node, name) for name in REVIEW_TEXTS)), ()))
        if not words_in(text):
            continue
        author = " ".join(texts_in(node, "author")).casefold()
        day = day_in(" ".join(texts_in(node, "datePublished", "dateCreated")[:1]))
        title = _plain(texts_in(node, "name", "headline"))[:MAX_TITLE]
        review = ReviewText(_key(text, author), text, _stars(node), day.day if day else None, page.url, title)
        yield author, review


def _plain(texts: Sequence[str]) -> str:
    return one_line(_TAG.sub(" ", unescape(texts[0][: 2 * MAX_TEXT])))[:MAX_TEXT] if texts else ""


def _stars(node: Node) -> float | None:
    """The rating of a review, on a scale of five."""
    for rating in nodes_in(node, "reviewRating"):
        value, best = (_number(rating, name) for name in ("ratingValue", "bestRating"))
        if value is None:
            continue
        best = best or next((scale for scale in _SCALES if value <= scale), None)
        if best and 0 <= value <= best:
            return round(STARS * value / best, 2)
    return None


def _number(rating: Node, name: str) -> float | None:
    texts = texts_in(rating, name)
    value = declared_number(texts[0]) if texts and "-" not in texts[0] else None
    return float(value) if value is not None and isfinite(value) else None


def _testimonials(page: ParsedPage) -> Iterator[ReviewText]:
    words = words_for(page)
    if words is None or page.kind in _NO_TESTIMONIALS:
        return
    quoted = [quotation.text for quotation in quotations(page) if quotation.supported]
    together: dict[tuple[str, ...], list[str]] = {}
    for at, block in enumerate(page.blocks):
        if not _speaks(block, words):
            continue
        below = of_customers(block, words)
        if below or _is_quoted(page, at, quoted):
            # What stands below a heading of its own is one review, however many paragraphs it has.
            own = below and not _of_all(block.path[-1], words)
            together.setdefault(block.path if own else (str(at),), []).append(block.text)
    for path, texts in together.items():
        text = " ".join(texts)[:MAX_TEXT]
        yield ReviewText(_key(text), text, url=page.url, title=path[-1][:MAX_TITLE] if len(path) > 1 else "")


def _is_quoted(page: ParsedPage, at: int, quoted: Sequence[str]) -> bool:
    """Whether a block is a quotation with its speaker. A heading behind it is none: it begins something else."""
    block = page.blocks[at]
    if at + 1 < len(page.blocks) and page.blocks[at + 1].kind == "heading":
        return False
    return any(text in block.text and len(text) >= MIN_QUOTED * len(block.text) for text in quoted)


def _of_all(heading: str, words: PageWords) -> bool:
    """Whether a heading stands above several reviews."""
    return bool(words.reviews.headings.search(heading) or words.reviews.notices.search(heading))


def _speaks(block: Block, words: PageWords) -> bool:
    """Whether a block is what somebody said, and no name, button or notice."""
    if block.kind not in ("paragraph", "item", "quote") or len(block.text.split()) < MIN_TESTIMONIAL:
        return False
    return not words.reviews.notices.search(block.text) and not words.set_aside.search(block.text)
