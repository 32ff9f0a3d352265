"""What a site says of itself in sentences that can be checked, and whether answers say the same.

In doubt an answer says nothing of a claim (absent); a claim is contradicted only by what a reader found.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from visibility.audit import ParsedPage
from visibility.evidence.pages import ENDED, Sentence, sentences_of, speaks_for_itself
from visibility.evidence.quantities import MONEY, Quantity, quantities
from visibility.evidence.resources import Backing, Claim, ClaimKind, OwnSentence, Quote
from visibility.evidence.words import same_words, telling_stems
from visibility.models.reading import Facet

LEAST_WORDS, MOST_WORDS = 4, 45
MOST_SENTENCES = 100
MOST_QUOTES = 5
COMPARED = 5
"""Letters of a word that are compared: "weight" and "weighs" begin alike."""
ASSURANCE = re.compile(
    r"\b(?:guarantee[ds]?|warrant(?:y|ies)|certified|certification|compliant|insured|audited|encrypted|money.back"
    r"|iso[- ]?\d{4,5}|soc ?2|gdpr|hipaa|refund(?:s|ed)?|free returns|award[- ]winning|independently tested"
    r"|clinically proven|garantie\w{0,3}|garantiert|zertifiziert|certifiée?s?|garantía|certificad[oa]s?)\b",
    re.IGNORECASE,
)
_NO_CLAIM = re.compile(
    r"\A\W{0,9}(?:read|learn|see|visit|check|contact|find|follow|watch|ask|browse|discover|shop|get in touch)\b"
    r"|\?\s*[\"”]?\Z|:\s*\Z|\b(?:please|click|sign up|subscribe|sold out|out of stock|subject to|liable|disclaimer"
    r"|sorry|cannot|can['’]t|not|(?:does|do|is|are|wo)n['’]t|might|could|if you|depending on|as of|for example"
    r"|updated?|posted|published|minutes? read)\b"
    r"|\b(?-i:I|my|My|me)\b|\b(?:we|our) (?:may|recommend|suggest|reserve|believe|hope|expect|compared|reviewed)\b",
    re.IGNORECASE,
)
_US = r"\b(?:we|our|ours|us|wir|unsere?\w?|nous|nos|notre|nuestr[oa]s?)\b"
_PEOPLE = frozenset(("employee", "people", "person", "staff", "team", "expert", "colleague", "engineer", "cookie"))
_NOT_OF_THE_SITE = ("legal", "login", "search")
_DENIES = re.compile(
    r"\b(?:not|never|none|lacks?|lacking|cannot|nor|neither|missing|no|without|nicht|kein\w{0,2}|pas|sin)\b|n['’]t\b",
    re.IGNORECASE,
)
_PRODUCT = re.compile(r"(?<=[\w,)] )[A-ZÀ-ÖØ-Þ][\w-]+|\b[^\W\d_][\w-]{0,30}\d\w{0,30}")
"""A word with a capital inside of a sentence, or with a digit: it may name another product."""
_AFFIRMING = (Facet.REASON, Facet.FACT, Facet.ROLE)


class Statement(NamedTuple):
    """What an answer says of the brand. `heading`, `facet`, `value`: as a reader found it, empty where nobody has
    read. `names_others`: it names others, too, so that a number in it may be theirs."""

    answer: int
    quote: Quote
    names_others: bool = False
    heading: str = ""
    facet: Facet | None = None
    value: str = ""


def find_sentences(pages: Iterable[ParsedPage], names: Collection[str], others: Collection[str]) -> list[OwnSentence]:
    """The sentences of own pages that can be checked, claims first; `names` of the brand, and those of `others`."""
    own = re.compile(f"{_US}|{_any_of(names)}", re.IGNORECASE)
    foreign = re.compile(_any_of(others), re.IGNORECASE)
    found = [
        OwnSentence(**sentence.quote.model_dump(), kind=kind, is_claim=speaks_for_itself(sentence.page))
        for sentence in sentences_of(page for page in pages if page.kind not in _NOT_OF_THE_SITE)
        if (own.search(sentence.text) or sentence.page.kind in ("product", "pricing"))
        and not foreign.search(sentence.text)
        and (kind := _kind_of(sentence))
    ]
    return sorted(found, key=lambda each: (not each.is_claim, each.kind != "quantity"))[:MOST_SENTENCES]


def _any_of(names: Iterable[str]) -> str:
    """A pattern for any of these names as whole words."""
    written = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if len(name) > 1)
    return rf"(?<!\w)(?:{written or '(?!)'})(?!\w)"


def _kind_of(sentence: Sentence) -> ClaimKind | None:
    """What a sentence holds that can be checked; a price counts on a page of prices or of a product only."""
    text = sentence.text
    is_sentence = LEAST_WORDS <= len(text.split()) <= MOST_WORDS and ENDED.search(text)
    if not is_sentence or _NO_CLAIM.search(text):
        return None
    amounts = [each for each in quantities(text) if each.unit not in _PEOPLE]
    if amounts and (sentence.page.kind in ("product", "pricing") or any(each.unit not in MONEY for each in amounts)):
        return "quantity"
    return "assurance" if ASSURANCE.search(text) else None


def weigh(
    claims: Iterable[OwnSentence], statements: Sequence[Statement], of: int, names: Collection[str]
) -> list[Claim]:
    """The claims with what answers say of each, contradicted ones first; `of` answers name the brand."""
    own = _begins(" ".join(names))
    weighed = [_weighed(claim, statements, of, own) for claim in claims]
    order: Sequence[Backing] = ("contradicted", "supported", "absent")
    return sorted(weighed, key=lambda claim: (order.index(claim.says), -claim.supported))


def _weighed(claim: OwnSentence, statements: Sequence[Statement], of: int, own: frozenset[str]) -> Claim:
    by_answer: dict[int, dict[Backing, Quote]] = defaultdict(dict)
    for statement in statements:
        by_answer[statement.answer].setdefault(_verdict(claim, statement, own), statement.quote)
    supported = [says["supported"] for says in by_answer.values() if "supported" in says]
    contradicted = [
        says["contradicted"] for says in by_answer.values() if "contradicted" in says and "supported" not in says
    ]
    says: Backing = "contradicted" if len(contradicted) > len(supported) else "supported" if supported else "absent"
    return Claim(
        claim=claim.text,
        kind=claim.kind,
        ours=claim,
        says=says,
        supported=len(supported),
        contradicted=len(contradicted),
        of=of,
        quotes=[*contradicted, *supported][:MOST_QUOTES],  # what is to be mended is first
    )


def _verdict(claim: OwnSentence, statement: Statement, own: frozenset[str]) -> Backing:
    """What a statement says of a claim, by the first rule that fits: the same words; the same number and a word
    around it; the assurance as the heading of what a reader found; under a heading of the claim's words another
    number in the same unit."""
    text, shown = claim.text, statement.quote.shown
    if same_words(text) in same_words(shown):
        return "supported"
    if statement.names_others or _DENIES.search(shown):
        return "absent"
    about, heading = _begins(text) - own, _begins(statement.heading)
    amounts, others = list(quantities(text)), list(quantities(statement.value or shown))
    is_alike = any(one.unit == other.unit and one.values & other.values for one in amounts for other in others)
    shared = (about & (_begins(shown) | heading)) - _begins(" ".join(each.unit for each in amounts))
    if is_alike:
        return "supported" if shared else "absent"
    if not heading or not heading <= about:
        return "absent"
    if not amounts:
        is_assured = bool(heading & _begins(" ".join(ASSURANCE.findall(text))))
        return "supported" if is_assured and statement.facet in _AFFIRMING else "absent"
    names_product = bool(_begins(" ".join(_PRODUCT.findall(shown))) - about - own)
    return "contradicted" if _differ(amounts, others) and not (names_product or _DENIES.search(text)) else "absent"


def _differ(amounts: Sequence[Quantity], others: Sequence[Quantity]) -> bool:
    """Whether the only number on each side that could be compared is another one, and neither a bound nor a price."""
    if len(amounts) != 1 or len(others) != 1:
        return False
    one, other = amounts[0], others[0]
    return one.unit == other.unit and one.unit not in MONEY and not (one.is_bound or other.is_bound)


def _begins(text: str) -> frozenset[str]:
    """The beginnings of the words of a text that are no numbers and no words of grammar."""
    return frozenset(stem[:COMPARED] for stem in telling_stems(text) if not stem[0].isdigit())
