"""What readers found, as cards and the diagnosis store it: of the brand, of its rivals, and of both."""

import re
from collections.abc import Iterable, Sequence
from uuid import UUID

from apikeys.resources import Resource, UntrustedText
from visibility.models.reading import Facet
from visibility.reading.reads import Finding
from visibility.recommendations.facts import Facts, Subject

MOST_FINDINGS, MOST_RIVALS, MOST_FIGURES = 3, 2, 2
MOST_OF_RIVAL, MOST_VALUES = 2, 2
LEAST_OF_VALUE = 2
"""Answers that give a value, for it to be shown."""
FIGURES = (Facet.PRICE, Facet.RATING, Facet.FACT)
_WORD = re.compile(r"\w+")


class FindingLine(Resource):
    """A heading in k of n answers, of one topic where it is shown with others of other topics."""

    heading: UntrustedText
    topic: UntrustedText = ""
    k: int
    n: int


class ValueCount(Resource):
    """A value that so many answers give."""

    value: UntrustedText
    answers: int


class FigureLine(FindingLine):
    """A price, rating or fact with the values that most answers give."""

    values: list[ValueCount]


class RivalLines(Resource):
    """What answers choose a rival for, and hold against it."""

    name: UntrustedText
    reasons: list[FindingLine]
    limits: list[FindingLine]


class Comparison(Resource):
    """What answers say of the brand: what it is the choice for (`roles`) and why (`reasons`), without what they say
    of a compared rival, too (`shared`). `figures`: what they give as its prices, ratings and facts."""

    roles: list[FindingLine] = []
    reasons: list[FindingLine] = []
    shared: list[FindingLine] = []
    limits: list[FindingLine] = []
    figures: list[FigureLine] = []
    products: list[FindingLine] = []
    rivals: list[RivalLines] = []


def compare(facts: Facts, topics: Sequence[UUID], rivals: Iterable[Subject]) -> Comparison:
    """The brand beside the first of these rivals of whom a reader found anything, on these topics."""
    compared: list[RivalLines] = []
    theirs: list[set[str]] = []
    own_faults = facts.found(Facet.LIMIT, Facet.WARNING, topics=topics)
    for rival in rivals:
        chosen = facts.found(Facet.ROLE, Facet.REASON, subject=rival, topics=topics) if rival is not None else []
        if chosen and len(compared) < MOST_RIVALS:
            theirs += [_words(each) for each in chosen]
            faults = facts.found(Facet.LIMIT, Facet.WARNING, subject=rival, topics=topics)
            # What is praised of one model and missed in another is no fault; what is one's own, too, none to win by.
            limits = [
                each
                for each in faults
                if not any(_is_same(_words(each), _words(one)) for one in (*chosen, *own_faults))
            ]
            both = {"reasons": chosen, "limits": limits}
            lines = {name: lines_of(facts, found, topics, MOST_OF_RIVAL) for name, found in both.items()}
            compared.append(RivalLines(name=facts.name(rival), **lines))
    own = facts.found(Facet.ROLE, Facet.REASON, topics=topics)
    alone = [each for each in own if not any(_is_same(_words(each), other) for other in theirs)]
    figures = [_figure(facts, each, topics) for each in facts.found(*FIGURES, topics=topics)]
    return Comparison(
        roles=lines_of(facts, [each for each in alone if each.facet == Facet.ROLE], topics, 2),
        reasons=lines_of(facts, [each for each in alone if each.facet == Facet.REASON], topics),
        shared=lines_of(facts, [each for each in own if each not in alone], topics),
        limits=lines_of(facts, own_faults, topics),
        figures=[each for each in figures if each.values][:MOST_FIGURES],
        products=lines_of(facts, facts.found(Facet.PRODUCT, topics=topics), topics, 2),
        rivals=compared,
    )


def lines_of(
    facts: Facts, findings: Iterable[Finding], topics: Sequence[UUID], most: int = MOST_FINDINGS
) -> list[FindingLine]:
    """The first of some findings on these topics; each with its topic where these are several."""
    return [
        FindingLine(heading=each.heading, topic=_topic(facts, each, topics), k=each.k, n=each.n)
        for each in list(findings)[:most]
    ]


def _figure(facts: Facts, finding: Finding, topics: Sequence[UUID]) -> FigureLine:
    given = [(value, k) for value, k in finding.values.items() if k >= LEAST_OF_VALUE]
    return FigureLine(
        heading=finding.heading,
        topic=_topic(facts, finding, topics),
        k=finding.k,
        n=finding.n,
        values=[ValueCount(value=value, answers=k) for value, k in given[:MOST_VALUES]],
    )


def _topic(facts: Facts, finding: Finding, topics: Sequence[UUID]) -> str:
    return facts.topics[finding.topic].title if finding.topic and len(topics) > 1 else ""


def _words(finding: Finding) -> set[str]:
    return {*_WORD.findall(finding.heading.casefold())}


def _is_same(one: set[str], other: set[str]) -> bool:
    """Whether one heading has all words of the other."""
    return one <= other or other <= one
