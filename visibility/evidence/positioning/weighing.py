"""What answers say of a claim: supported where they say the same of the brand, contradicted only where they deny just
that or give another number for just that."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from visibility.detection.types import BRAND
from visibility.evidence.page_words.page_words import LANGUAGES
from visibility.evidence.positioning.attributes import Amount, Attributes, attributes
from visibility.evidence.positioning.passages import passages
from visibility.evidence.positioning.quantities import MONEY
from visibility.evidence.types import AnswerText, Claim, ClaimKind, EnginesSay, Quote, WeighedClaim

MAX_QUOTES = 5
"""Of each side."""
MIN_SHARED = 2
"""Stems that a claim and a sentence about the same share at least."""
MIN_COVERED = 0.6
"""Share of a claim's stems that a sentence has which says the same."""
MAX_ROUNDED = 0.1
"""By how much bounds and estimates of the same may differ."""

_ADDRESS = re.compile(r"\]\([^)\s]*\)|https?://\S+")
"""Where links lead, which is no part of what is said."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What a sentence of an answer says of the brand; `product`: stems of the name of the entry that it stands
    below."""

    quote: Quote
    attributes: Attributes
    product: frozenset[str]
    praises: bool


def weigh(claims: Sequence[Claim], answers: Sequence[AnswerText]) -> list[WeighedClaim]:
    """What the answers that name the brand say of each claim."""
    naming = [answer for answer in answers if answer.named.get(BRAND)]
    own = frozenset(word for answer in naming for word in _names(answer))
    heard = [tuple(_said_in(answer, own)) for answer in naming]
    return [_weighed(claim, heard, own) for claim in claims]


def _names(answer: AnswerText) -> Iterator[str]:
    """The words by which an answer names the brand."""
    for start, end in answer.named[BRAND]:
        yield from re.findall(r"\w+", answer.text[start:end].casefold())


def _said_in(answer: AnswerText, own: frozenset[str]) -> Iterator[_Said]:
    for passage in passages(answer):
        clause = _ADDRESS.sub(" ", answer.text[passage.first : passage.last])
        said, sentence = attributes(clause, own), answer.text[passage.start : passage.end]
        quote = Quote(sentence, "answer", passage.start, "claims.said", answer=answer.id, engine=answer.engine)
        entry = attributes(passage.name, own)
        if said.about - entry.about or said.amounts:
            # A name alone says nothing.
            yield _Said(quote, said.below(entry), entry.about, _praising().search(clause) is not None)


def _weighed(claim: Claim, heard: Sequence[Sequence[_Said]], own: frozenset[str]) -> WeighedClaim:
    claimed = attributes(claim.text, own)
    supporting: list[Quote] = []
    contradicting: list[Quote] = []
    for answer in heard:
        says = [(_verdict(claim, claimed, said), said) for said in answer]
        for verdict, quotes in ((EnginesSay.SUPPORTED, supporting), (EnginesSay.CONTRADICTED, contradicting)):
            alike = [said for judged, said in says if judged == verdict]
            if alike:
                best = max(alike, key=lambda said: len(said.attributes.about & claimed.about))
                quotes.append(best.quote)
    if len(contradicting) > len(supporting):
        says_all = EnginesSay.CONTRADICTED
    else:
        says_all = EnginesSay.SUPPORTED if supporting else EnginesSay.ABSENT
    return WeighedClaim(
        claim, says_all, len(heard), tuple(supporting[:MAX_QUOTES]), tuple(contradicting[:MAX_QUOTES])
    )


def _verdict(claim: Claim, claimed: Attributes, said: _Said) -> EnginesSay:
    """What one sentence says of the claim; absent in doubt."""
    # Where both name things and none of them is the same, they speak of two products.
    of_another = any(names and not names & claimed.about for names in (said.product, said.attributes.named))
    if (claimed.named and of_another) or claimed.models - said.attributes.models:
        return EnginesSay.ABSENT
    if claimed.amounts:
        return _by_amounts(claimed, said.attributes)
    verdict = _by_words(claimed, said.attributes)
    unsaid = claim.kind == ClaimKind.SUPERLATIVE and verdict == EnginesSay.SUPPORTED and not said.praises
    return EnginesSay.ABSENT if unsaid else verdict


def _by_amounts(claimed: Attributes, said: Attributes) -> EnginesSay:
    verdicts = [_of_amount(amount, said) for amount in claimed.amounts]
    if EnginesSay.CONTRADICTED in verdicts:
        # Another number is one only for the same thing: not for another model, nor in words on somebody else.
        same = said.may_differ_from(claimed)
        return EnginesSay.CONTRADICTED if same and EnginesSay.SUPPORTED not in verdicts else EnginesSay.ABSENT
    return EnginesSay.SUPPORTED if EnginesSay.SUPPORTED in verdicts else EnginesSay.ABSENT


def _of_amount(amount: Amount, said: Attributes) -> EnginesSay:
    shared = MIN_SHARED if amount.quantity.unit in MONEY else 1
    same = [other for other in said.amounts if other.quantity.same_kind(amount.quantity)]
    alike = [other for other in same if len(other.near & amount.near) >= shared]
    if any(other.quantity.values & amount.quantity.values for other in alike):
        return EnginesSay.SUPPORTED
    needed = min(MIN_SHARED, len(amount.near))
    close = [other for other in alike if len(other.near & amount.near) >= needed]
    if len(alike) == len(close) == 1 and not _rounded(amount, close[0]):
        return EnginesSay.CONTRADICTED
    return EnginesSay.ABSENT


def _rounded(amount: Amount, other: Amount) -> bool:
    """Whether two bounds or estimates may mean the same."""
    if not (amount.bounded or other.bounded):
        return False
    pairs = [(one, two) for one in amount.quantity.values for two in other.quantity.values if one and two]
    return any(abs(float(one - two)) <= MAX_ROUNDED * float(max(one, two)) for one, two in pairs)


def _by_words(claimed: Attributes, said: Attributes) -> EnginesSay:
    shared = claimed.about & said.about
    if len(shared) < MIN_SHARED or len(shared) < MIN_COVERED * len(claimed.about):
        return EnginesSay.ABSENT
    denied = len(shared & said.denied) >= MIN_SHARED
    if claimed.denied & shared:
        return EnginesSay.SUPPORTED if shared & said.denied else EnginesSay.ABSENT
    if denied:
        same = said.may_differ_from(claimed)
        return EnginesSay.CONTRADICTED if same else EnginesSay.ABSENT
    return EnginesSay.ABSENT if shared & said.denied else EnginesSay.SUPPORTED


@cache
def _praising() -> re.Pattern[str]:
    return re.compile(LANGUAGES.any_of(lambda words: [words.claims.superlative.pattern]), re.IGNORECASE)
