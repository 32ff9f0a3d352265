"""A lead: why it is there, what carries it, and where it is not asked yet."""

from collections import Counter
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.utils.translation import gettext_noop

from apikeys.resources import Resource, UntrustedText
from visibility.models.reading import Facet
from visibility.models.recommendations import Level
from visibility.recommendations.cited import most_cited
from visibility.recommendations.facts import (
    Facts,
    Seen,
    Subject,
    days_of,
    grouped,
    naming,
    next_answers,
    questions_of,
)
from visibility.recommendations.findings import Comparison, compare
from visibility.recommendations.gaps import least_gain, sure_claims
from visibility.recommendations.kinds.base import Card, CardFacts, Count, Kind, part_of
from visibility.recommendations.kinds.gap import events_of
from visibility.recommendations.pieces import passages, quotes_of

LEAD_SHARE = 0.9
LEAST_ANSWERS = 6
HALF = 2
"""An engine that puts the brand first so many times less often than the best one is told."""
MOST_TOPICS, MOST_PROMPTS = 4, 3
LEAST_LOST = 2
"""Answers to a prompt that put the same other first."""
LEAD = "lead"


class TopicCount(Resource):
    """A topic, and in how many of its answers the brand is named."""

    name: UntrustedText
    k: int
    of: int


class FirstCount(Resource):
    """In how many of an engine's answers the brand is named first."""

    engine: str
    k: int
    of: int


class PromptFirst(Resource):
    """A prompt, in how many of its answers the brand is named first, and who is else, with how many."""

    text: UntrustedText
    k: int
    of: int
    other: UntrustedText
    other_k: int


class Opening(Resource):
    """What a rival is the choice for in k of the n answers that name it."""

    heading: UntrustedText
    name: UntrustedText
    k: int
    n: int


class DefendFacts(CardFacts):
    """The topics that the brand leads, and who is named as often (`level`), and whether all
    these are tracked and named first less often (`is_first_more_often`); the page that most of these answers cite
    (`source`, in `carried` of `cited` answers that cite any; `is_own`; `is_on_it` None: it was not read); how many
    name the brand first, and whoever else most do; the engines with the fewest and the most such answers; the prompts
    with the fewest (`lost`), on the weakest engine where there is one; else what rivals are the choice for
    (`openings`). Engines that have a card of their own are no weak place here."""

    topics: list[TopicCount]
    number: int
    level: list[UntrustedText] = []
    is_first_more_often: bool = False
    source: UntrustedText = ""
    carried: int = 0
    cited: int = 0
    is_own: bool = False
    is_on_it: bool | None = None
    firsts: int = 0
    other_first: UntrustedText = ""
    other_firsts: int = 0
    weakest: FirstCount | None = None
    strongest: FirstCount | None = None
    lost: list[PromptFirst] = []
    openings: list[Opening] = []
    words: Comparison = Comparison()


class Defend(Kind[DefendFacts]):
    """What a leader has to keep."""

    name, order, facts, writes_page, cause = "defend", 8, DefendFacts, True, gettext_noop("You lead: keep it")
    question = (
        "Nine of ten answers on a topic of the brand's field name it, nobody is named as often, and it lags nowhere "
        "there. All such topics are one card; without one it is of the topic where nobody is named more often."
    )
    over = "It leads no topic any more."

    def find(self, facts: Facts) -> Iterable[Card[DefendFacts]]:
        led = _led(facts)
        if not led:
            return
        answers = [answer for topic in led for answer in facts.by_topic[topic]]
        citing = [each for each in answers if each.cited]
        carriers = most_cited(facts, citing, lambda page: page.owner is None or page.owner == "")
        carded = {each.place.engine for each in events_of(facts)}
        without = [each for each in answers if each.engine not in carded]
        weakest, strongest = _ends(without)
        weak = [each for each in without if weakest is None or each.engine == weakest.engine]
        lost = _lost(facts, weak)
        planned = next_answers(weak) if lost else 0
        firsts = facts.named_first(answers).most_common(1)
        most_first = firsts[0][1] if firsts else 0
        others = _others(facts, answers)
        own = len(naming(answers, None))
        level = sorted(name for name, number in others.items() if number == own)
        reasons = facts.found(Facet.REASON, topics=led)
        rivals = sorted(facts.competitors, key=lambda rival: (-others[facts.name(rival)], facts.name(rival)))
        first = next((each for each in carriers if each.is_on_it is not False), None)
        yield Card(
            subject=LEAD,
            facts=DefendFacts(
                topics=[
                    TopicCount(name=facts.topics[topic].title, k=len(naming(rows, None)), of=len(rows))
                    for topic in led[:MOST_TOPICS]
                    for rows in [facts.by_topic[topic]]
                ],
                number=len(led),
                topic_id=led[0] if len(led) == 1 else None,
                topic=facts.topics[led[0]].title if len(led) == 1 else "",
                level=level,
                is_first_more_often=set(level) <= {*facts.competitors.values()} and _firsts(answers) > most_first,
                k=own,
                of=len(answers),
                days=days_of(answers),
                source=first.page.url if first else "",
                carried=len(first.citing) if first else 0,
                cited=len(citing),
                is_own=first is not None and first.page.owner is None,
                is_on_it=first.is_on_it if first else None,
                page=first.page.url if first and first.page.owner is None else "",
                firsts=_firsts(answers),
                other_first=firsts[0][0] if firsts else "",
                other_firsts=most_first,
                weakest=weakest,
                strongest=strongest,
                prompts=list(questions_of(answers).values())[:MOST_PROMPTS],
                lost=lost,
                openings=[] if lost else _openings(facts, led, rivals),
                words=compare(facts, led, rivals),
                goal=least_gain(_firsts(weak), len(weak), planned) if lost else None,
                goal_of=planned,
            ),
            weight=part_of(facts, answers),
            effort=Level.LOW,
            evidence=[piece for each in reasons[:2] for piece in quotes_of(each, 2)]
            or passages(facts, answers, None),
        )

    def end(self, facts: Facts, card: DefendFacts, subject: str) -> str | None:
        return "You lead no topic any more." if facts.answers and not facts.is_unsure else None

    def count(self, facts: Facts, card: DefendFacts, subject: str) -> Count | None:
        answers = [answer for topic in _led(facts) for answer in facts.by_topic[topic]]
        return Count(len(naming(answers, None)), len(answers)) if answers else None


def _led(facts: Facts) -> list[UUID]:
    """The topics that the brand leads, those of most answers first; without one the first on which it is level."""
    if facts.is_unsure:
        return []
    # An engine that mentions the brand and puts it first less often is what there is to defend, no end of the lead.
    claims = (each for each in sure_claims(facts) if each.measure == "mentions" or not each.place.engine)
    behind = {each.place.topic for each in claims}
    leads = {topic: _lead(facts, rows) for topic, rows in facts.field.items() if topic not in behind}
    led = [topic for topic, lead in leads.items() if lead >= 0]
    led.sort(key=lambda topic: (-len(facts.by_topic[topic]), facts.topics[topic].name))
    return [topic for topic in led if leads[topic] > 0] or led[:1]


def _lead(facts: Facts, rows: Sequence[Seen]) -> int:
    """How many more of these answers name the brand than whoever else most of them name; -1 where too few do."""
    own, best = len(naming(rows, None)), max(_others(facts, rows).values(), default=0)
    return own - best if len(rows) >= LEAST_ANSWERS and own >= LEAD_SHARE * len(rows) else -1


def _others(facts: Facts, rows: Sequence[Seen]) -> Counter[str]:
    """In how many answers each other company is named, tracked or not."""
    others = Counter(company for each in rows for company in each.untracked)
    others.update({name: len(naming(rows, rival)) for rival, name in facts.competitors.items()})
    return others


def _firsts(answers: Sequence[Seen]) -> int:
    return sum(each.names_first(None) for each in answers)


def _ends(answers: Sequence[Seen]) -> tuple[FirstCount | None, FirstCount | None]:
    """The engines that put the brand first least and most often, where the one does half as often as the other."""
    of = Counter(each.engine for each in answers)
    hits = Counter(each.engine for each in answers if each.names_first(None))
    ranked = [
        FirstCount(engine=each, k=hits[each], of=of[each])
        for each in sorted(of, key=lambda each: (hits[each] / of[each], each))
    ]
    if ranked and ranked[-1].k and HALF * ranked[0].k * ranked[-1].of <= ranked[-1].k * ranked[0].of:
        return ranked[0], ranked[-1]
    return None, None


def _lost(facts: Facts, answers: Sequence[Seen]) -> list[PromptFirst]:
    """The prompts to which another is named first twice or more, those with the brand first least often first."""
    questions = questions_of(answers)
    found = []
    for version, same in grouped(answers, "version").items():
        others = facts.named_first(same)
        other, number = others.most_common(1)[0] if others else ("", 0)
        if number >= LEAST_LOST and version in questions:
            text = questions[version]
            found.append(PromptFirst(text=text, k=_firsts(same), of=len(same), other=other, other_k=number))
    return sorted(found, key=lambda each: (each.k / each.of, -each.other_k, each.text))[:MOST_PROMPTS]


def _openings(facts: Facts, topics: Sequence[UUID], rivals: Iterable[Subject]) -> list[Opening]:
    """What rivals are the choice for, where answers say so of them most often."""
    found = [
        Opening(heading=each.heading, name=facts.name(rival), k=each.k, n=each.n)
        for rival in rivals
        for each in facts.found(Facet.ROLE, subject=rival, topics=topics)
        if not any(name.casefold() in each.heading.casefold() for name in facts.competitors.values())
    ]
    return sorted(found, key=lambda each: -each.k)[:MOST_PROMPTS]
