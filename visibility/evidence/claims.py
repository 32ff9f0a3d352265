"""What a site claims of itself, in sentences that can be checked: a quantity, an assurance, what only it has, for
whom it is made. A capability alone, the number of employees and the year of foundation are no claims."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from visibility.audit import ParsedPage
from visibility.evidence.pages import ENDED, Sentence, sentences_of, speaks_for_itself
from visibility.evidence.quantities import MONEY, Quantity, quantities
from visibility.evidence.resources import ClaimKind
from visibility.evidence.vocabulary import root, roots, words

LEAST_WORDS, MOST_WORDS = 4, 45
MOST_CLAIMS = 60
NEAR = 40
"""Characters on each side of an assurance that say what is assured."""
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
_BEGINNING = re.compile(r"(?:[\w-]+\s){1,4}")
_US = r"\b(?:we|our|ours|us|wir|unsere?\w?|nous|nos|notre|nuestr[oa]s?)\b"
_KINDS: Sequence[ClaimKind] = ("quantity", "assurance", "distinction", "audience")


class SiteClaim(NamedTuple):
    """A claim, with the quantities in it, the roots of its words (those of `find_claims` without the brand's names),
    and the roots near a quantity or assurance."""

    sentence: Sentence
    kind: ClaimKind
    amounts: Sequence[Quantity]
    about: frozenset[str]
    proven: frozenset[str]


def find_claims(pages: Iterable[ParsedPage], names: Collection[str]) -> list[SiteClaim]:
    """What the pages claim of the brand that has these names, the best to check first."""
    speaking = sorted(filter(speaks_for_itself, pages), key=lambda page: page.kind != "home")
    own, called = re.compile(f"{_US}|{any_of(names)}", re.IGNORECASE), roots(" ".join(names))
    claims = [
        claim._replace(about=claim.about - called)
        for sentence in sentences_of(speaking)
        if (own.search(sentence.text) or _speaks_of_product(sentence))
        and ENDED.search(sentence.text)
        and (claim := claim_in(sentence))
    ]
    return sorted(claims, key=lambda claim: _KINDS.index(claim.kind))[:MOST_CLAIMS]


def any_of(names: Iterable[str]) -> str:
    """A pattern for any of these names as whole words."""
    written = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if len(name) > 1)
    return rf"(?<!\w)(?:{written or '(?!)'})(?!\w)"


def claim_in(sentence: Sentence) -> SiteClaim | None:
    """What a sentence claims, of any subject; a price is a claim only on a page of prices."""
    text = sentence.text
    if not LEAST_WORDS <= len(text.split()) <= MOST_WORDS or _NO_CLAIM.search(text):
        return None
    people = set(map(root, words("headcount")))
    amounts = [each for each in quantities(text) if people.isdisjoint(each.counted)]
    shown = (bool(amounts), *(pattern.search(text) for pattern in (ASSURANCE, _DISTINCTION, _AUDIENCE)))
    kind = next((kind for kind, is_shown in zip(_KINDS, shown, strict=True) if is_shown), None)
    is_price = bool(amounts) and all(amount.unit in MONEY for amount in amounts)
    if kind is None or (is_price and sentence.page.kind != "pricing"):
        return None
    assured = (text[max(0, each.start() - NEAR) : each.end() + NEAR] for each in ASSURANCE.finditer(text))
    proven = frozenset[str]().union(*(amount.near for amount in amounts), *map(roots, assured))
    return SiteClaim(sentence, kind, amounts, roots(text), proven)


def _speaks_of_product(sentence: Sentence) -> bool:
    """Whether a sentence of a product's page begins with the product, called by a word of the page's title."""
    begun = _BEGINNING.match(sentence.text) if sentence.page.kind == "product" else None
    return begun is not None and not roots(begun[0]).isdisjoint(roots(sentence.page.title))
