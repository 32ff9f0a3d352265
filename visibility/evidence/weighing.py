"""What answers say of a claim: supported where they say the same of the brand, contradicted only where they give
another number for just that; in doubt absent."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from visibility.evidence.claims import ASSURANCE, SiteClaim
from visibility.evidence.clauses import LONGEST, Clauses
from visibility.evidence.quantities import MONEY, Quantity, model_numbers, quantities
from visibility.evidence.reading import BRAND, AnswerText, quote_of
from visibility.evidence.resources import Backing, Claim, Quote
from visibility.evidence.vocabulary import roots

LEAST_SHARED = 2
"""Roots that a claim and a clause about the same share."""
_COVERED = 0.6
"""The part of a claim's roots that a clause has which says the same."""
MOST_QUOTES = 5
_NAME = re.compile(r"(?<=[\w,)] )[A-ZÀ-ÖØ-Þ][\w-]+")
"""A word with a capital inside of a sentence."""
_DENIES = re.compile(
    r"\b(?:not|never|none|lacks?|lacking|cannot|nor|neither|missing|no|without|nicht|kein\w{0,2}|pas|sin)\b|n['’]t\b",
    re.IGNORECASE,
)


class Statement(NamedTuple):
    """A clause of an answer that speaks of the brand alone. `onwards`: its words and those behind it. `models` and
    `named`: the model numbers and names in it and in the entry that it belongs to."""

    text: str
    onwards: str
    quote: Quote
    about: frozenset[str]
    amounts: Sequence[Quantity]
    models: frozenset[str]
    named: frozenset[str]
    denies: bool


def statements_on_brand(answer: AnswerText, names: frozenset[str]) -> Iterator[Statement]:
    """What an answer says of the brand, whose `names` are given as roots."""
    for clause in Clauses(answer):
        if clause.subject != BRAND:
            continue
        text = answer.seen.text[clause.start : clause.end]
        owner = answer.owners[answer.seen.index_at(clause.start)]
        entry = " ".join(answer.seen.text[slice(*place)] for place in owner.names) if owner else ""
        yield Statement(
            text,
            _words(answer.seen.text[clause.start : clause.start + LONGEST]),
            quote_of(answer, clause.start, clause.end),
            roots(text) - names,
            list(quantities(text)),
            model_numbers(f"{text} {entry}"),
            roots(f"{entry} {' '.join(_NAME.findall(text))}") - names,
            _DENIES.search(text) is not None,
        )


def weigh(
    claims: Sequence[SiteClaim],
    answers: Iterable[AnswerText],
    names: frozenset[str],
    judged: Mapping[str, Mapping[str, Backing]],
) -> list[Claim]:
    """The claims with what answers say of each, those that they contradict first, then those that they support.

    `judged`: what an engine says, by claim and clause.
    """
    quotes = [defaultdict[Backing, list[Quote]](list) for _ in claims]
    of = 0
    for answer in answers:
        of += 1
        statements = list(statements_on_brand(answer, names))
        for claim, of_claim in zip(claims, quotes, strict=True):
            says, quote = _of_answer(claim, statements, judged.get(claim.sentence.text, {}))
            if quote:
                of_claim[says].append(quote)
    weighed = [_weighed(claim, of, of_claim) for claim, of_claim in zip(claims, quotes, strict=True)]
    order: Sequence[Backing] = ("contradicted", "supported", "absent")
    return sorted(weighed, key=lambda claim: (order.index(claim.says), -claim.supported))


def _of_answer(
    claim: SiteClaim, statements: Sequence[Statement], judged: Mapping[str, Backing]
) -> tuple[Backing, Quote | None]:
    """What one answer says of a claim, and the clause that says so."""
    verdicts = [(judged.get(each.text) or _verdict(claim, each), each) for each in statements]
    possible: Sequence[Backing] = ("supported", "contradicted")
    for backing in possible:
        alike = [each for verdict, each in verdicts if verdict == backing]
        if alike:
            return backing, max(alike, key=lambda each: len(each.about & claim.about)).quote
    return "absent", None


def _weighed(claim: SiteClaim, of: int, quotes: Mapping[Backing, Sequence[Quote]]) -> Claim:
    supported, contradicted = quotes.get("supported", ()), quotes.get("contradicted", ())
    says: Backing = "contradicted" if len(contradicted) > len(supported) else "supported" if supported else "absent"
    return Claim(
        claim=claim.sentence.text,
        kind=claim.kind,
        ours=claim.sentence.quote,
        says=says,
        supported=len(supported),
        contradicted=len(contradicted),
        of=of,
        quotes=[*contradicted, *supported][:MOST_QUOTES],  # what is to be mended is first
    )


def _verdict(claim: SiteClaim, statement: Statement) -> Backing:
    text, about = claim.sentence.text, claim.about
    if _words(text) in _words(statement.text) or statement.onwards.startswith(_words(text)):
        return "supported"
    models, shared = model_numbers(text), about & statement.about
    if models - statement.models or statement.denies:
        return "absent"
    if claim.amounts:
        verdicts = {_of_amount(amount, statement) for amount in claim.amounts}
        is_of_the_same = statement.models <= models and statement.named <= about
        is_exact = is_of_the_same and not _DENIES.search(text)  # "40 hours without the light"
        possible: Sequence[Backing] = ("supported", "contradicted") if is_exact else ("supported",)
        return next((each for each in possible if each in verdicts), "absent")
    if claim.kind == "assurance":
        assured = roots(" ".join(ASSURANCE.findall(text)))
        is_same = bool(assured & shared) and len(claim.proven & shared) >= LEAST_SHARED
    else:
        is_same = len(shared) >= max(LEAST_SHARED, _COVERED * len(about))
    return "supported" if is_same else "absent"


def _words(text: str) -> str:
    """A text word for word, whatever its spaces, capitals and last signs."""
    return " ".join(text.casefold().split()).strip(" .!")


def _of_amount(amount: Quantity, statement: Statement) -> Backing:
    """What a clause says of one number. Numbers are compared that count the same, or share two words around them."""
    near = amount.near & statement.about
    same = [other for other in statement.amounts if other.is_of_same_kind(amount)]
    alike = [other for other in same if other.counted & amount.counted or len(other.near & near) >= LEAST_SHARED]
    if any(other.values & amount.values for other in alike):
        return "supported"
    is_exact = len(same) == 1 and bool(alike) and not (amount.is_bound or same[0].is_bound)
    return "contradicted" if is_exact and amount.unit not in MONEY else "absent"
