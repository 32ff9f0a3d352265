"""Sentences that claim something, and what supports them: figures, quotations, praise. Read by the phrases of the
page's language."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from visibility.audit.checks.matching import folded
from visibility.audit.checks.phrases.phrases import Claims, phrases_of
from visibility.audit.page import Block, ParsedPage

MIN_STATEMENT = 6
"""Words: fewer are a label of a figure."""
MIN_QUOTATION = 30
MAX_ATTRIBUTION = 15
"""Words of the block after a quotation that may name its speaker."""
_END = re.compile(r"(?<=[.!?…])[\"'”’»)]?\s+(?=[\"'“„«(]?[A-ZÀ-ÖØ-Þ0-9])")
_QUOTED = re.compile(
    r"“([^“”]{30,600})”|„([^„“”]{30,600})[“”]|«\s?([^«»]{30,600})\s?»|(?<!\w)\"([^\"]{30,600})\"(?!\w)"
)
_SPOKEN = re.compile(r"[A-ZÀ-ÖØ-Þ¡].*[.,!…]$", re.DOTALL)
"""What somebody said begins and ends as a sentence does; a phrase or a question is quoted for itself."""
_PART = r"[A-ZÀ-ÖØ-Þ][\w’'.-]{1,40}"
_NAME = re.compile(rf"\b{_PART}\s+(?:(?:de|van|von|der|la|le|du|di|da)\s+){{0,3}}{_PART}")
_DASH = re.compile(r"(?:^|\s)[–—―~-]\s?[A-ZÀ-ÖØ-Þ]")
_NOTE = re.compile(
    r"^\s*(?:note|tip|warning|important|info|caution|attention|hinweis|tipp|achtung|nota|remarque|astuce|aviso|consejo)\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed, on which page, and whether something supports it."""

    page: ParsedPage
    text: str
    supported: bool


def sentences(text: str) -> list[str]:
    """The sentences of a block. An abbreviation may end one early: a claim is then shown with less around it."""
    return [part.strip() for part in _END.split(text) if part and part.strip()]


def statistics(page: ParsedPage) -> list[Claim]:
    """The sentences with a figure that asks for a source; supported by a link or a named source in the same block."""
    rules = _rules(page)
    return [
        Claim(page, sentence, bool(block.links) or rules.sources.search(block.text) is not None)
        for block in page.blocks
        if rules and block.kind in ("paragraph", "item", "quote")
        for sentence in sentences(block.text)
        if len(sentence.split()) >= MIN_STATEMENT
        and rules.statistics.search(sentence)
        and not rules.no_statistics.search(sentence)
    ]


def quotations(page: ParsedPage) -> list[Claim]:
    """Quotations of 30 characters or more; supported by a speaker beside them."""
    rules = _rules(page)
    if rules is None:
        return []
    return [
        Claim(page, text, _attributed(page, at, text, rules))
        for at, block in enumerate(page.blocks)
        for text in _quoted(block)
    ]


def _quoted(block: Block) -> Iterator[str]:
    if block.kind == "quote":
        if len(block.text) >= MIN_QUOTATION and not _NOTE.match(block.text):
            yield block.text
    elif block.kind == "paragraph":
        for match in _QUOTED.finditer(block.text):
            text = next(filter(None, match.groups())).strip()
            if _SPOKEN.match(text):
                yield text


def _attributed(page: ParsedPage, at: int, text: str, rules: Claims) -> bool:
    """Whether a speaker is named in the block, at the end of the one before, or in a short one after it."""
    block = page.blocks[at]
    before = page.blocks[at - 1].text[-200:] if at else ""
    after = page.blocks[at + 1].text if at + 1 < len(page.blocks) else ""
    after = after if len(after.split()) <= MAX_ATTRIBUTION else ""
    around = block.text if block.kind == "quote" else block.text.replace(text, " ")
    near = [around, before, after]
    if block.links or any(rules.speakers.search(part) or rules.sources.search(part) for part in near):
        return True
    tail = around[-80:] if block.kind == "quote" else around
    return bool(
        _DASH.search(tail)
        or _NAME.search(tail if block.kind == "quote" else around)
        or _NAME.match(after.lstrip("–—― ~-"))
    )


def praise(page: ParsedPage, names: Iterable[str]) -> list[Claim]:
    """The sentences that praise the site's own in superlatives: headings, and what speaks of "us" or by one of these
    names; supported by a figure, a link, a source or an award."""
    rules = _rules(page)
    own = [folded(name) for name in names if name.strip()]
    return [
        Claim(page, sentence, _shown(sentence, block, rules))
        for block in page.blocks
        if rules and block.kind in ("paragraph", "item", "heading")
        for sentence in sentences(block.text)
        if rules.superlatives.search(sentence) and not rules.no_superlatives.search(sentence)
        if block.kind == "heading" or rules.we.search(sentence) or any(name in folded(sentence) for name in own)
    ]


def _shown(sentence: str, block: Block, rules: Claims) -> bool:
    figure = _DIGIT.search(re.sub(r"(?i)#\s?1|no\. ?1|nr\. ?1|n° ?1", "", sentence)) is not None
    named = any(rule.search(block.text) for rule in (rules.sources, rules.awards))
    return figure or bool(block.links) or named


def _rules(page: ParsedPage) -> Claims | None:
    phrases = phrases_of(page)
    return None if phrases is None else phrases.claims
