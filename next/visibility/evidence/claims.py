"""What a site claims of itself, in sentences that can be checked: a quantity, an assurance, what only it has, for
whom it is made. A bare capability is none, nor how many people work there or since when."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from visibility.audit import ParsedPage
from visibility.evidence.pages import Sentence, sentences_of, speaks_for_itself
from visibility.evidence.quantities import MONEY, Quantity, quantities, root, roots
from visibility.evidence.vocabulary import words

ClaimKind = Literal["quantity", "assurance", "distinction", "audience"]
LEAST_WORDS = 4
MOST_WORDS = 45
MOST_CLAIMS = 60
MOST_LOOKED_AT = 500
_ALIKE = 0.8
"""Shared words, as a part of those of both sentences, from which two are one claim."""
ASSURANCE = re.compile(
    r"\b(?:guarantee[ds]?|warrant(?:y|ies)|certified|certification|compliant|insured|audited|encrypted|money.back"
    r"|iso[- ]?\d{4,5}|soc ?2|gdpr|hipaa|refund(?:s|ed)?|free returns|award[- ]winning|independently tested"
    r"|clinically proven|garantie\w{0,3}|garantiert|zertifiziert|certifiée?s?|garantía|certificad[oa]s?)\b",
    re.IGNORECASE,
)
_DISTINCTION = re.compile(
    r"\bthe (?:world['’]s )?(?:only|first)\b(?! (?:thing|step|time|way|place|one to know))|\bfirst and only\b"
    r"|\bunlike (?:other|most|any|many|traditional|conventional)\b|\bno other \w+|\bpatented\b",
    re.IGNORECASE,
)
_AUDIENCE = re.compile(
    r"\b(?:designed|built|made|created|tailored|developed)(?: \w+ly)? for "
    r"(?!you\b|it\b|this\b|the (?:purpose|job)\b)\w+",
    re.IGNORECASE,
)
_NO_CLAIM = re.compile(
    r"\A\W{0,9}(?:read|learn|see|visit|check|contact|find|follow|watch|ask|browse|discover|shop|get in touch)\b"
    r"|\?\s*[\"”]?\Z|:\s*\Z|\b(?:please|click|sign up|subscribe|sold out|out of stock|subject to|liable|disclaimer"
    r"|sorry|cannot|can['’]t|not|(?:does|do|is|are|wo)n['’]t"
    r"|might|could|if you|depending on|as of|for example|updated?|posted|published|minutes? read)\b"
    r"|\b(?-i:I|my|My|me)\b|\b(?:we|our) (?:may|recommend|suggest|reserve|believe|hope|expect|compared|reviewed)\b",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!…。！][\"”’)»]{0,3}\Z")
_BEGINNING = re.compile(r"(?:[\w-]+\s){1,4}")
_US = r"\b(?:we|our|ours|us|wir|unsere?\w?|nous|nos|notre|nuestr[oa]s?)\b"


@dataclass(frozen=True, slots=True)
class SiteClaim:
    """A claim, with the quantities in it, the roots of its words, and those of them near a quantity or assurance."""

    sentence: Sentence
    kind: ClaimKind
    amounts: Sequence[Quantity]
    about: frozenset[str]
    proven: frozenset[str]


def find_claims(pages: Iterable[ParsedPage], names: Iterable[str]) -> list[SiteClaim]:
    """What the pages claim of the brand that has these names, the best to check first."""
    speaking = sorted(filter(speaks_for_itself, pages), key=lambda page: page.kind != "home")
    own = _names_pattern(names)
    claims: list[SiteClaim] = []
    for sentence in sentences_of(speaking):
        if len(claims) >= MOST_LOOKED_AT:
            break
        speaks_of_us = own.search(sentence.text) or _speaks_of_product(sentence)
        is_whole = speaks_of_us and _ENDED.search(sentence.text) and _may_claim(sentence.text)
        claim = _claim(sentence) if is_whole else None
        if claim and not any(_says_the_same(claim, other) for other in claims):
            claims.append(claim)
    kinds: Sequence[ClaimKind] = ("quantity", "assurance", "distinction", "audience")
    return sorted(claims, key=lambda claim: kinds.index(claim.kind))[:MOST_CLAIMS]


def concrete(sentences: Iterable[Sentence]) -> Iterator[SiteClaim]:
    """The sentences that prove something, of whatever subject: with a quantity or an assurance."""
    for sentence in sentences:
        found = _claim(sentence) if _may_claim(sentence.text) else None
        if found and found.kind in ("quantity", "assurance"):
            yield found


def _names_pattern(names: Iterable[str]) -> re.Pattern[str]:
    written = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if len(name) > 1)
    return re.compile(
        rf"\b(?:we|our|ours|us|wir|unsere?\w?|nous|nos|notre|nuestr[oa]s?)\b|(?<!\w)(?:{written or '(?!)'})(?!\w)",
        re.I,
    )


def _claim(sentence: Sentence) -> SiteClaim | None:
    """What kind of claim a sentence makes; a price makes one only where prices are told."""
    kind = _kind(sentence.text)
    if kind is None:
        return None
    amounts = _amounts(sentence.text)
    is_price = bool(amounts) and all(amount.unit in MONEY for amount in amounts)
    if is_price and sentence.page.kind != "pricing":
        return None
    near = (
        roots(sentence.text[max(0, each.start() - 40) : each.end() + 40])
        for each in ASSURANCE.finditer(sentence.text)
    )
    proven = frozenset().union(*(amount.near for amount in amounts), *near)
    return SiteClaim(sentence, kind, amounts, roots(sentence.text), proven)


def _speaks_of_product(sentence: Sentence) -> bool:
    """Whether a sentence of a product's page begins with the product, called by a word of the page's title."""
    begun = _BEGINNING.match(sentence.text)
    if begun is None or sentence.page.kind != "product":
        return False
    return not roots(begun[0]).isdisjoint(roots(sentence.page.title))


def _may_claim(text: str) -> bool:
    return LEAST_WORDS <= len(text.split()) <= MOST_WORDS and not _NO_CLAIM.search(text)


def _kind(text: str) -> ClaimKind | None:
    if _amounts(text):
        return "quantity"
    rules: Sequence[tuple[ClaimKind, re.Pattern[str]]] = (
        ("assurance", ASSURANCE),
        ("distinction", _DISTINCTION),
        ("audience", _AUDIENCE),
    )
    return next((kind for kind, rule in rules if rule.search(text)), None)


def _amounts(text: str) -> Sequence[Quantity]:
    """The quantities of what is offered, not of who works there."""
    people = {root(word) for word in words("headcount")}
    return [each for each in quantities(text) if people.isdisjoint(each.counted)]


def _says_the_same(one: SiteClaim, other: SiteClaim) -> bool:
    if [each.values for each in one.amounts] != [each.values for each in other.amounts]:
        return False
    return len(one.about & other.about) >= _ALIKE * len(one.about | other.about)
