"""What answers say of a claim: supported where they say the same of the brand, contradicted only where they give
another number for just that; in doubt absent."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from visibility.evidence.claims import ASSURANCE, SiteClaim
from visibility.evidence.clauses import Clauses
from visibility.evidence.quantities import MONEY, Quantity, model_numbers, quantities, root, roots
from visibility.evidence.reading import BRAND, AnswerText, quote_of
from visibility.evidence.resources import Backing, Quote

LEAST_SHARED = 2
"""Roots that a claim and a clause about the same share."""
_COVERED = 0.6
"""The part of a claim's roots that a clause has which says the same."""
_ROUNDED = 0.1
"""By how much bounds and estimates of the same may differ."""
_NAME = re.compile(r"(?<=[\w,)] )[A-ZÀ-ÖØ-Þ][\w-]+")
"""A word with a capital inside of a sentence."""
_DENIES = re.compile(
    r"\b(?:not|never|none|lacks?|lacking|cannot|nor|neither|missing|no|without|nicht|kein\w{0,2}|pas|sin)\b|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause of an answer that speaks of the brand alone. `models` and `named`: numbers and names in it, and in the
    entry that it is of: those of a product."""

    text: str
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
        amounts, about = list(quantities(text)), roots(text) - names
        if about or amounts:
            quote = quote_of(answer, clause.start, clause.end)
            owner = answer.owners[answer.seen.index_at(clause.start)]
            entry = " ".join(answer.seen.text[slice(*place)] for place in owner.names) if owner else ""
            named = roots(f"{entry} {' '.join(_NAME.findall(text))}") - names
            denies = _DENIES.search(text) is not None
            yield Statement(text, quote, about, amounts, model_numbers(f"{text} {entry}"), named, denies)


def weigh(
    claim: SiteClaim, statements: Sequence[Statement], names: frozenset[str], judged: Mapping[str, Backing]
) -> tuple[Backing, Statement | None]:
    """What one answer says of a claim, and the clause that says so. `judged`: what an engine says of some clauses."""
    models = model_numbers(claim.sentence.text)
    verdicts = [(judged.get(each.text) or _verdict(claim, models, each, names), each) for each in statements]
    order: Sequence[Backing] = ("supported", "contradicted")
    for backing in order:
        alike = [each for verdict, each in verdicts if verdict == backing]
        if alike:
            return backing, max(alike, key=lambda each: len(each.about & claim.about))
    return "absent", None


def _verdict(claim: SiteClaim, models: frozenset[str], statement: Statement, names: frozenset[str]) -> Backing:
    about = claim.about - names
    if models - statement.models or statement.denies:
        return "absent"
    if claim.amounts:
        verdicts = {_of_amount(amount, statement, names) for amount in claim.amounts}
        if "supported" in verdicts:
            return "supported"
        is_of_the_same = statement.models <= models and statement.named <= about
        is_of_the_same = is_of_the_same and not _DENIES.search(claim.sentence.text)  # "40 hours without the light"
        return "contradicted" if "contradicted" in verdicts and is_of_the_same else "absent"
    shared = about & statement.about
    if len(shared) < LEAST_SHARED:
        return "absent"
    if claim.kind == "assurance":
        assured = {root(word) for found in ASSURANCE.findall(claim.sentence.text) for word in found.split()}
        near = claim.proven - names
        return "supported" if assured & shared and len(near & shared) >= LEAST_SHARED else "absent"
    return "supported" if len(shared) >= _COVERED * len(about) else "absent"


def _of_amount(amount: Quantity, statement: Statement, names: frozenset[str]) -> Backing:
    """What a clause says of one number: of the same where it counts the same, or shares two words with it."""
    near = amount.near - names
    same = [other for other in statement.amounts if other.is_of_same_kind(amount)]
    alike = [
        other
        for other in same
        if not other.counted.isdisjoint(amount.counted) or len(other.near & near) >= LEAST_SHARED
    ]
    if any(other.values & amount.values for other in alike):
        return "supported"
    if len(same) != 1 or not alike or amount.unit in MONEY:
        return "absent"
    return "absent" if _may_be_rounded(amount, alike[0]) else "contradicted"


def _may_be_rounded(one: Quantity, other: Quantity) -> bool:
    """Whether two bounds or estimates may mean the same."""
    if not (one.is_bound or other.is_bound):
        return False
    pairs = [(float(first), float(second)) for first in one.values for second in other.values]
    return any(abs(first - second) <= _ROUNDED * max(first, second) for first, second in pairs)
