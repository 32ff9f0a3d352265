"""What readers found that answers hold against the brand, and what they tell differently."""

import re
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext_noop

from apikeys.resources import Resource, UntrustedText
from visibility.detection import Stance
from visibility.models.reading import Facet
from visibility.models.recommendations import Level
from visibility.reading.reads import LEAST_ANSWERS, Finding
from visibility.recommendations.facts import Facts, Seen, days_of, naming, next_answers, questions_of
from visibility.recommendations.findings import FindingLine, ValueCount
from visibility.recommendations.gaps import least_gain
from visibility.recommendations.kinds.base import Card, CardFacts, Count, Kind, part_of
from visibility.recommendations.pieces import quotes, quotes_of

MOST_LIMITS = 3
"""Limits on the card of a topic; more would hide what is said most."""
MOST_VALUES, MOST_QUOTES, MOST_PROMPTS = 6, 5, 4
WARNINGS = frozenset({Stance.CAUTIONED, Stance.REJECTED})
COUNTED = "warnings"
"""The subject of the card of counted warnings, where nobody has read what they are."""
LEAST_WARNINGS, LEAST_NAMING = 2, 6
LEAST_OF_VALUE, APART = 2, 0.05
"""Answers that give a number or a range for it to contradict another, and the part by which they have to be apart."""
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_INEXACT = re.compile(r"[~+<>≤≥≈]")
_RANGE = re.compile(rf"{_NUMBER.pattern}\s?(?:[–-]|to)\s?\D?{_NUMBER.pattern}")
Span = tuple[float, float]
"""The lowest and highest number of a range; twice the same of a single number."""


class EngineCount(Resource):
    """In so many answers of one engine, k of n."""

    engine: str
    k: int
    n: int


class LimitFacts(CardFacts):
    """What is held against the brand (`heading`; empty: warnings that nobody has read) in `of - k` of `of` answers
    that name it, by engine; `customers`: how many reviews say the same; what else is (`others`)."""

    heading: UntrustedText = ""
    is_warning: bool = False
    engines: list[EngineCount] = []
    customers: int = 0
    reviews: int = 0
    others: list[FindingLine] = []


class Limit(Kind[LimitFacts]):
    """What answers hold against the brand: true? Then mend it or say it; else show it."""

    name, order, facts, writes_page = "limit", 5, LimitFacts, True
    cause = gettext_noop("What answers hold against you")
    question = (
        "A reader found the same limit or warning of the brand in three answers: a card for each topic, with the "
        "three told most. Where nobody has read: two answers or more caution against the brand."
    )
    over = "The newest reading, of as many answers, finds none; without a reader, none of six answers warns."

    def find(self, facts: Facts) -> Iterable[Card[LimitFacts]]:
        found = [each for each in facts.found(Facet.LIMIT, Facet.WARNING) if each.k >= LEAST_ANSWERS]
        for topic in dict.fromkeys(each.topic for each in found):
            yield _limit(facts, [each for each in found if each.topic == topic][:MOST_LIMITS])
        if not found and not any(each.topic for each in facts.findings):
            yield from _counted(facts)

    def end(self, facts: Facts, card: LimitFacts, subject: str) -> str | None:
        if subject not in (COUNTED, str(card.topic_id)):
            return "It is part of the topic's card now."
        count = self.count(facts, card, subject)
        least = LEAST_NAMING if subject == COUNTED else card.of
        if count is None or count.of < least or count.k < count.of:
            return None
        return f"None of {count.of} answers that mention you says it."

    def count(self, facts: Facts, card: LimitFacts, subject: str) -> Count | None:
        if subject == COUNTED:
            warning, mentioning = _warnings(facts)
            return Count(len(mentioning) - len(warning), len(mentioning))
        of_topic = [each for each in facts.findings if each.topic == card.topic_id and each.subject is None]
        same = [each for each in of_topic if each.heading.casefold() == card.heading.casefold()]
        if same:
            return Count(same[0].n - same[0].k, same[0].n)
        return Count(of_topic[0].n, of_topic[0].n) if of_topic else None


def _subject(finding: Finding) -> str:
    return f"{finding.topic} {finding.heading.casefold()}"[:300]


def _limit(facts: Facts, found: Sequence[Finding]) -> Card[LimitFacts]:
    """The card of a topic's limits, of which the first is the one told most."""
    finding, *others = found
    answers = facts.by_topic.get(finding.topic, []) if finding.topic else []
    by_id = {each.pk: each for each in answers}
    saying = [by_id[quote.answer_id] for quote in finding.quotes if quote.answer_id in by_id]
    words = finding.heading.casefold()
    reviews = [
        each for each in facts.found(Facet.LIMIT, Facet.WARNING, topics=[None]) if each.heading.casefold() == words
    ]
    planned = next_answers(naming(answers, None))
    return Card(
        subject=str(finding.topic),
        facts=LimitFacts(
            topic_id=finding.topic,
            topic=_topic(facts, finding.topic),
            heading=finding.heading,
            is_warning=finding.facet == Facet.WARNING,
            k=finding.n - finding.k,
            of=finding.n,
            days=days_of(saying) if saying else "",
            engines=_engines(finding),
            customers=reviews[0].k if reviews else 0,
            reviews=reviews[0].n if reviews else 0,
            others=[FindingLine(heading=each.heading, k=each.k, n=each.n) for each in others],
            prompts=list(questions_of(saying).values())[:MOST_PROMPTS],
            goal=least_gain(finding.n - finding.k, finding.n, planned),
            goal_of=planned,
        ),
        weight=finding.k / max(1, len(facts.answers)),
        effort=Level.MEDIUM,
        evidence=[
            *quotes_of(finding, MOST_QUOTES if not others else 2),
            *(piece for each in others for piece in quotes_of(each, 2)),
            *(quotes_of(reviews[0]) if reviews else ()),
        ],
    )


def _counted(facts: Facts) -> Iterable[Card[LimitFacts]]:
    warning, mentioning = _warnings(facts)
    if len(warning) < LEAST_WARNINGS:
        return
    planned = next_answers(mentioning)
    k, of = len(mentioning) - len(warning), len(mentioning)
    yield Card(
        subject=COUNTED,
        facts=LimitFacts(
            k=k,
            of=of,
            days=days_of(warning),
            prompts=list(questions_of(warning).values())[:MOST_PROMPTS],
            goal=least_gain(k, of, planned),
            goal_of=planned,
        ),
        weight=part_of(facts, warning),
        effort=Level.MEDIUM,
        evidence=quotes(warning, None, MOST_QUOTES),
    )


def _warnings(facts: Facts) -> tuple[list[Seen], list[Seen]]:
    mentioning = naming(facts.answers, None)
    return [each for each in mentioning if each.stances[None] & WARNINGS], mentioning


class WrongFactFacts(CardFacts):
    """The thing that `stating` answers tell differently, each value with those that give it, beside others, too; of
    `of` answers with a single one `k` give the one that most give."""

    heading: UntrustedText
    is_price: bool
    values: list[ValueCount]
    stating: int = 0


class WrongFact(Kind[WrongFactFacts]):
    """A fact on the brand that answers tell differently."""

    name, order, facts, writes_page = "wrong_fact", 4, WrongFactFacts, True
    cause = gettext_noop("Answers contradict each other on you")
    question = (
        "A reader found two numbers or ranges for the same thing of the brand (a price, a figure) that are more than "
        "a twentieth apart, each in two answers or more that give no other. Ranges that meet and parts of a list are "
        "no contradiction."
    )
    over = "The newest reading finds nothing that is apart."

    def find(self, facts: Facts) -> Iterable[Card[WrongFactFacts]]:
        for finding in facts.found(Facet.PRICE, Facet.FACT):
            if _contradicts(_exact(finding.values)):
                yield _wrong_fact(facts, finding)

    def end(self, facts: Facts, card: WrongFactFacts, subject: str) -> str | None:
        of_topic = [each for each in facts.findings if each.topic == card.topic_id and each.subject is None]
        same = [each for each in of_topic if _subject(each) == subject]
        is_over = bool(same) and same[0].k >= LEAST_ANSWERS and not _contradicts(_exact(same[0].values))
        return "Answers give one value." if is_over else None

    def count(self, facts: Facts, card: WrongFactFacts, subject: str) -> Count | None:
        same = [each for each in facts.findings if each.subject is None and _subject(each) == subject]
        values = _exact(same[0].values) if same else {}
        return Count(max(each.answers for each in values.values()), _of(values)) if values else None


def _exact(values: Mapping[str, int]) -> dict[Span, ValueCount]:
    """Of values, each with its answers, those that are one number or one range, by it; the most answers first."""
    found: dict[Span, ValueCount] = {}
    for value, answers in values.items():
        written = [float(each.replace(",", "")) for each in _NUMBER.findall(value)]
        if _INEXACT.search(value) or len(written) != (2 if _RANGE.search(value) else 1):
            continue
        span = min(written), max(written)
        known = found.get(span)
        found[span] = ValueCount(
            value=known.value if known else value, answers=answers + (known.answers if known else 0)
        )
    return dict(sorted(found.items(), key=lambda each: (-each[1].answers, each[0])))


def _contradicts(values: Mapping[Span, ValueCount]) -> bool:
    """Whether two numbers or ranges that are apart come in answers enough."""
    spans = [span for span, each in values.items() if each.answers >= LEAST_OF_VALUE]
    highest, lowest = max((low for low, _ in spans), default=0), min((high for _, high in spans), default=0)
    return highest - lowest > APART * highest


def _of(values: Mapping[Span, ValueCount]) -> int:
    return sum(each.answers for each in values.values())


def _wrong_fact(facts: Facts, finding: Finding) -> Card[WrongFactFacts]:
    single = _exact(finding.values)
    most, of = next(iter(single.values())).answers, _of(single)
    planned = 2 * of
    return Card(
        subject=_subject(finding),
        facts=WrongFactFacts(
            topic_id=finding.topic,
            topic=_topic(facts, finding.topic),
            heading=finding.heading,
            is_price=finding.facet == Facet.PRICE,
            values=list(_exact(finding.every).values())[:MOST_VALUES],
            stating=finding.k,
            k=most,
            of=of,
            days=days_of(facts.by_topic.get(finding.topic, []) if finding.topic else []),
            goal=least_gain(most, of, planned),
            goal_of=planned,
        ),
        weight=finding.k / max(1, len(facts.answers)),
        effort=Level.LOW,
        evidence=quotes_of(finding, MOST_QUOTES),
    )


def _engines(finding: Finding) -> list[EngineCount]:
    return [EngineCount(engine=engine, k=k, n=n) for engine, (k, n) in sorted(finding.by_engine.items())]


def _topic(facts: Facts, topic: UUID | None) -> str:
    return facts.topics[topic].title if topic and topic in facts.topics else ""
