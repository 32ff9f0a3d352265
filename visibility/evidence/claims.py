"""What a brand's pages claim, and what answers say of it. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from urllib.parse import unquote, urlsplit

from visibility.audit.checks.domains import domain_of
from visibility.audit.checks.matching import numbers_in, words_in
from visibility.audit.checks.phrases.phrases import phrases_of
from visibility.audit.page import Block, ParsedPage
from visibility.evidence.page_words.page_words import PageWords, words_for
from visibility.evidence.positioning.kinds import kind_of
from visibility.evidence.positioning.quantities import quantities
from visibility.evidence.positioning.subjects import Subjects
from visibility.evidence.positioning.weighing import weigh
from visibility.evidence.sentences import Sentence, sentences_of
from visibility.evidence.types import AnswerText, Backing, Claim, ClaimKind, Quote, WeighedClaim

MIN_WORDS = 4
MAX_WORDS = 60
"""Of a claim: a longer one is several that nobody parted."""
MAX_CLAIMS = 200
MAX_ON_PAGE = 100
MAX_FOUND = 500
"""Claims among which duplicates are looked for: a page can be nothing but claims."""
MAX_PLACES = 10
"""Quotes of one claim."""
MIN_ALIKE = 0.8
"""Shared words, as a part of those of both sentences, from which two sentences are one claim."""
_KINDS = ("home", "product", "pricing", "about")
_BACKED = (Backing.SOURCED, Backing.NUMBER, Backing.BARE)
_TELLING = tuple(ClaimKind)


@dataclass(slots=True)
class _Found:
    """A claim with the words and numbers by which it is told from others."""

    claim: Claim
    words: frozenset[str]
    numbers: frozenset[Decimal]


def find_claims(pages: Sequence[ParsedPage], names: Sequence[str]) -> list[Claim]:
    """The claims of the brand known by these names, the best backed first.

    They stand on home, product, features, pricing and about pages.
    """
    distinct: list[_Found] = []
    for page in sorted(filter(_speaks_for_brand, pages), key=lambda page: page.kind != "home"):
        for claim in islice(_claims_on(page, names), MAX_ON_PAGE):
            _merge(distinct, claim)
    claims = [known.claim for known in distinct]
    claims.sort(key=lambda claim: (_BACKED.index(claim.backing), _TELLING.index(claim.kind), -len(claim.ours)))
    return claims[:MAX_CLAIMS]


def _speaks_for_brand(page: ParsedPage) -> bool:
    words = words_for(page)
    if words is None or page.kind in _KINDS:
        return words is not None
    return page.kind == "other" and (
        _is_of_features(page, words) or any(_is_below_features(block, words) for block in page.blocks)
    )


def _is_of_features(page: ParsedPage, words: PageWords) -> bool:
    segments = unquote(urlsplit(page.url).path).casefold().strip("/").split("/")
    return any(words.claims.features.search(segment) for segment in segments)


def _is_below_features(block: Block, words: PageWords) -> bool:
    return any(words.claims.features.search(heading) for heading in block.path)


def _claims_on(page: ParsedPage, names: Sequence[str]) -> Iterator[Claim]:
    words = words_for(page)
    if words is None:
        return
    subjects = Subjects(page, names, words.claims)
    whole = page.kind in _KINDS or _is_of_features(page, words)
    speaking: Block | None = None
    for sentence in sentences_of([page], ("paragraph", "item", "heading")):
        block = sentence.block
        if not (whole or _is_below_features(block, words)) or words.claims.others.search(block.text):
            continue
        begin = subjects.begin(sentence.text, follows=speaking is block)
        speaking = None if begin is None else block
        if MIN_WORDS <= len(sentence.text.split()) <= MAX_WORDS and (kind := kind_of(sentence, begin, subjects)):
            yield Claim(sentence.text, kind, _backing(sentence, kind), (sentence.quote(f"claims.{kind}"),))


def _backing(sentence: Sentence, kind: ClaimKind) -> Backing:
    phrases = phrases_of(sentence.page)
    if phrases and phrases.claims.sources.search(sentence.text):
        return Backing.SOURCED
    if kind in (ClaimKind.QUANTIFIED, ClaimKind.ASSURANCE) and _links_out(sentence):
        return Backing.SOURCED
    counted = kind == ClaimKind.QUANTIFIED or any(quantities(sentence.text))
    return Backing.NUMBER if counted else Backing.BARE


def _links_out(sentence: Sentence) -> bool:
    own = domain_of(sentence.page.url)
    return any(domain_of(link) not in ("", own) for link in sentence.block.links)


def _merge(distinct: list[_Found], claim: Claim) -> None:
    """Adds a claim, or where it stands to the one that says the same."""
    words, numbers = frozenset(words_in(claim.text)), frozenset(numbers_in(claim.text))
    for known in distinct:
        shared = len(words & known.words)
        if numbers == known.numbers and shared >= MIN_ALIKE * (len(words) + len(known.words) - shared):
            known.claim = _joined(known.claim, claim)
            return
    if len(distinct) < MAX_FOUND:
        distinct.append(_Found(claim, words, numbers))


def _joined(claim: Claim, other: Claim) -> Claim:
    best = min(claim.backing, other.backing, key=_BACKED.index)
    places: tuple[Quote, ...] = (*claim.ours, *other.ours)[:MAX_PLACES]
    return Claim(claim.text, claim.kind, best, places)


def weigh_claims(claims: Sequence[Claim], answers: Sequence[AnswerText]) -> list[WeighedClaim]:
    """What the answers that name the brand say of each claim."""
    return weigh(claims, answers)
