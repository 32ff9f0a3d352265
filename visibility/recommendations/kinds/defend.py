"""A lead: why it is there, what carries it, and where it is not asked yet."""

from collections import Counter
from collections.abc import Iterable, Sequence
from uuid import UUID

from apikeys.resources import Resource, UntrustedText
from visibility.models.reading import Facet
from visibility.models.recommendations import Level
from visibility.recommendations.cited import most_cited
from visibility.recommendations.facts import Facts, Seen, days_of, naming, questions_of
from visibility.recommendations.gaps import sure_claims
from visibility.recommendations.kinds.base import Card, CardFacts, Count, Kind, Said, part_of, said
from visibility.recommendations.pieces import passages, quotes_of

LEAD_SHARE = 0.9
LEAST_ANSWERS = 6
HALF = 2
"""An engine that puts the brand first so many times less often than the best one is told."""
MOST_TOPICS, MOST_PROMPTS, NARROWER = 4, 3, 10
LEAD = "lead"


class TopicCount(Resource):
    """A topic, and in how many of its answers the brand is named."""

    name: UntrustedText
    k: int
    of: int


class FirstCount(Resource):
    """In how many of an engine's answers the brand is the first pick."""

    engine: str
    k: int
    of: int


class DefendFacts(CardFacts):
    """The topics that the brand leads, and who is named as often (`level`); the page that most of these answers cite
    (`source`, in `carried` of `cited` answers that cite any; `is_own`); first picks of the brand, of whoever else has
    most, and the engines with the fewest and the most of the brand's."""

    topics: list[TopicCount]
    number: int
    level: list[UntrustedText] = []
    source: UntrustedText = ""
    carried: int = 0
    cited: int = 0
    is_own: bool = False
    firsts: int = 0
    other_first: UntrustedText = ""
    other_firsts: int = 0
    weakest: FirstCount | None = None
    strongest: FirstCount | None = None
    reasons: list[Said] = []
    limits: list[Said] = []
    narrower: int = NARROWER


class Defend(Kind[DefendFacts]):
    """What a leader has to keep."""

    name, order, facts, writes_page, cause = "defend", 8, DefendFacts, True, "You lead: keep it"
    question = (
        "Nine of ten answers on a topic of the brand's field name it, nobody is named more often, and it lags "
        "nowhere there. All such topics are one card."
    )
    over = "It leads no topic any more."

    def find(self, facts: Facts) -> Iterable[Card[DefendFacts]]:
        led = _led(facts)
        if not led:
            return
        answers = [answer for topic in led for answer in facts.by_topic[topic]]
        citing = [each for each in answers if each.cited]
        carriers = most_cited(facts, citing, lambda page: page.owner is None or page.owner == "")
        weakest, strongest = _first_picks(answers)
        firsts = Counter(facts.name(each.first) for each in answers if each.first not in ("", None)).most_common(1)
        own = len(naming(answers, None))
        reasons = facts.found(Facet.REASON, topics=led)
        first = carriers[0] if carriers else None
        yield Card(
            subject=LEAD,
            facts=DefendFacts(
                topics=[
                    TopicCount(name=facts.topics[topic].name, k=len(naming(rows, None)), of=len(rows))
                    for topic in led[:MOST_TOPICS]
                    for rows in [facts.by_topic[topic]]
                ],
                number=len(led),
                topic_id=led[0] if len(led) == 1 else None,
                topic=facts.topics[led[0]].name if len(led) == 1 else "",
                level=sorted(name for name, number in _others(facts, answers).items() if number == own),
                k=own,
                of=len(answers),
                days=days_of(answers),
                source=first.page.url if first else "",
                carried=len(first.citing) if first else 0,
                cited=len(citing),
                is_own=first is not None and first.page.owner is None,
                page=first.page.url if first and first.page.owner is None else "",
                firsts=sum(each.puts_first(None) for each in answers),
                other_first=firsts[0][0] if firsts else "",
                other_firsts=firsts[0][1] if firsts else 0,
                weakest=weakest,
                strongest=strongest,
                reasons=said(facts, reasons, led),
                limits=said(facts, facts.found(Facet.LIMIT, Facet.WARNING, topics=led), led),
                prompts=list(questions_of(answers).values())[:MOST_PROMPTS],
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
    """The topics that the brand leads, those of most answers first."""
    if facts.is_unsure:
        return []
    # An engine that mentions the brand and puts it first less often is what there is to defend, no end of the lead.
    claims = (each for each in sure_claims(facts) if each.measure == "mentions" or not each.place.engine)
    behind = {each.place.topic for each in claims}
    led = [topic for topic, rows in facts.field.items() if topic not in behind and _leads(facts, rows)]
    return sorted(led, key=lambda topic: (-len(facts.by_topic[topic]), facts.topics[topic].name))


def _leads(facts: Facts, rows: Sequence[Seen]) -> bool:
    own, best = len(naming(rows, None)), max(_others(facts, rows).values(), default=0)
    return len(rows) >= LEAST_ANSWERS and own >= LEAD_SHARE * len(rows) and own >= best


def _others(facts: Facts, rows: Sequence[Seen]) -> Counter[str]:
    """In how many answers each other company is named, tracked or not."""
    others = Counter(company for each in rows for company in each.untracked)
    others.update({name: len(naming(rows, rival)) for rival, name in facts.competitors.items()})
    return others


def _first_picks(answers: Sequence[Seen]) -> tuple[FirstCount | None, FirstCount | None]:
    """The engines that put the brand first least and most often, where the one does half as often as the other."""
    of = Counter(each.engine for each in answers)
    hits = Counter(each.engine for each in answers if each.puts_first(None))
    ranked = sorted(of, key=lambda each: (hits[each] / of[each], each))
    least, most = (FirstCount(engine=each, k=hits[each], of=of[each]) for each in (ranked[0], ranked[-1]))
    is_less = HALF * least.k * most.of <= most.k * least.of and most.k > 0
    return (least, most) if is_less else (None, None)
