"""What answers say of a claim: supported where they say the same of the brand, contradicted only where they give
another number for just that; in doubt absent."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
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
_ROUNDED = Decimal("0.9")
"""Two bounds or estimates may mean the same if the smaller is at least this part of the larger."""
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
    claim: SiteClaim, statements: Sequence[Statement], names: frozenset[str], judged: Mapping[str, Backing]
) -> tuple[Backing, Statement | None]:
    """What one answer says of a claim, and the clause that says so. `judged`: what an engine says of some clauses."""
    verdicts = [(judged.get(each.text) or _verdict(claim, each, names), each) for each in statements]
    order: Sequence[Backing] = ("supported", "contradicted")
    for backing in order:
        alike = [each for verdict, each in verdicts if verdict == backing]
        if alike:
            return backing, max(alike, key=lambda each: len(each.about & claim.about))
    return "absent", None


def _verdict(claim: SiteClaim, statement: Statement, names: frozenset[str]) -> Backing:
    text, about = claim.sentence.text, claim.about - names
    if _words(text) in _words(statement.text) or statement.onwards.startswith(_words(text)):
        return "supported"
    models, shared = model_numbers(text), about & statement.about
    if models - statement.models or statement.denies:
        return "absent"
    if claim.amounts:
        verdicts = {_of_amount(amount, statement, names) for amount in claim.amounts}
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


def _of_amount(amount: Quantity, statement: Statement, names: frozenset[str]) -> Backing:
    """What a clause says of one number. Numbers are compared that count the same, or share two words around them."""
    near = amount.near - names
    same = [other for other in statement.amounts if other.is_of_same_kind(amount)]
    alike = [other for other in same if other.counted & amount.counted or len(other.near & near) >= LEAST_SHARED]
    if any(other.values & amount.values for other in alike):
        return "supported"
    if len(same) != 1 or not alike or amount.unit in MONEY or _may_be_rounded(amount, alike[0]):
        return "absent"
    return "contradicted"


def _may_be_rounded(one: Quantity, other: Quantity) -> bool:
    """Whether two bounds or estimates may mean the same."""
    pairs = [sorted((first, second)) for first in one.values for second in other.values]
    return (one.is_bound or other.is_bound) and any(least >= _ROUNDED * most for least, most in pairs)


def weighed(claim: SiteClaim, of: int, found: Mapping[Backing, Sequence[Statement]]) -> Claim:
    """A claim, with what so many answers (`of`) that name the brand say of it."""
    supported, contradicted = found.get("supported", ()), found.get("contradicted", ())
    says: Backing = "contradicted" if len(contradicted) > len(supported) else "supported" if supported else "absent"
    return Claim(
        claim=claim.sentence.text,
        kind=claim.kind,
        ours=claim.sentence.quote,
        says=says,
        supported=len(supported),
        contradicted=len(contradicted),
        of=of,
        quotes=[each.quote for each in (*contradicted, *supported)][:MOST_QUOTES],  # what is to be mended is first
    )
