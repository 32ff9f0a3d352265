"""The diagnosis: five sentences on how a brand stands and why, the same for pages, brief, ask and tools."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, get_args
from uuid import UUID

from django.utils import timezone

from apikeys.resources import Resource, UntrustedText, WordedText
from brands.models import Brand
from visibility.audits.words import SentenceText, WithSentences, to_store
from visibility.models import Diagnosis, Recommendation, Topic
from visibility.recommendations.cards import show
from visibility.recommendations.cited import sites_cited
from visibility.recommendations.facts import Facts, Seen, Subject, days_of, grouped, naming
from visibility.recommendations.findings import Comparison, compare
from visibility.recommendations.gaps import CLOSED, Claim, Measure, sure_claims
from visibility.recommendations.resources import DiagnosisFact, Slot
from visibility.recommendations.words import words_of
from visibility.recommendations.work import work_of

LEAST_CITING = 4
MOST_NAMES, MOST_NEXT = 3, 3
OTHERS_FIELD = 0.5
"""The part of a doubtful topic's answers that has to name one rival, for it to be called somebody else's."""
Verdict = Literal["all", "none", "sure", "small", "unsure", "alike"]


class NameCount(Resource):
    """A rival, and how many answers name it, or name it first."""

    name: UntrustedText
    k: int


class EngineCounts(Resource):
    """An engine: its answers, those that name the brand, and those that put it first."""

    engine: str
    k: int
    first: int
    of: int


class SourceCount(Resource):
    """A cited page: in how many answers, how many of these name the brand, and whether the brand is on it."""

    domain: UntrustedText
    url: UntrustedText
    cited: int
    naming: int
    is_on_it: bool | None


class DiagnosisFacts(WithSentences):
    """All facts of the five sentences, over all topics (`topic` empty) or on one. `place` of `places`: the brand's
    among those who are tracked, `level` those named as often; `widest`: the topic on which the engine `lagging` lags
    most."""

    topic: UntrustedText = ""
    k: int
    of: int
    days: SentenceText
    place: int
    places: int
    level: list[UntrustedText] = []
    rivals: list[NameCount]
    nobody: int
    firsts: int
    others_first: list[NameCount]
    similar: UntrustedText = ""
    similar_k: int = 0
    is_doubtful: bool = False
    best: UntrustedText = ""
    best_k: int = 0
    best_of: int = 0
    best_more: int = 0
    """Other topics with the same share."""
    worst: UntrustedText = ""
    worst_k: int = 0
    worst_of: int = 0
    worst_more: int = 0
    engines: list[EngineCounts]
    verdict: Verdict
    lagging: str = ""
    widest: UntrustedText = ""
    widest_k: int = 0
    widest_of: int = 0
    is_read: bool
    words: Comparison = Comparison()
    source_engine: str = ""
    citing: int = 0
    asked: int = 0
    sources: list[SourceCount]


class NextTask(Resource):
    """A thing to do first, and who does it."""

    owner: str
    title: WordedText


class ShownFacts(DiagnosisFacts):
    """The same with what to do next, as the queue is when they are shown."""

    next: list[NextTask]


def write_diagnosis(facts: Facts) -> None:
    """Write the diagnosis over all topics and of each topic, where it differs from what is stored; in the caller's
    transaction."""
    rows = [(None, facts.answers), *facts.by_topic.items()]
    found = {topic: _facts(facts, topic, answers) for topic, answers in rows if answers}
    stored = {row.topic_id: row for row in Diagnosis.objects.filter(brand=facts.brand)}
    for topic, made in found.items():
        row = stored.pop(topic, None) or Diagnosis(brand=facts.brand, topic_id=topic)
        values = to_store(made.model_dump(by_alias=False))
        if row.facts != values:
            row.facts, row.made_at = values, timezone.now()
            row.save()
    Diagnosis.objects.filter(pk__in=[row.pk for row in stored.values()]).delete()


def diagnosis_of(
    brand: Brand, topic: Topic | None = None, advice: Sequence[Recommendation] | None = None
) -> list[DiagnosisFact]:
    """The sentences for which there are facts, in their order; empty where nothing is measured. `advice`: what is
    to do, where that is read already."""
    row = Diagnosis.objects.filter(brand=brand, topic=topic).first()
    if row is None:
        return []
    advice = work_of(brand).advice if advice is None else advice
    facts = ShownFacts.model_validate({**row.facts, "next": _next(brand, topic, advice)})
    words = words_of("diagnosis", facts)
    engines: dict[str, str | None] = {"split": facts.lagging or None, "sources": facts.source_engine or None}
    slots: Sequence[Slot] = get_args(Slot)
    return [
        DiagnosisFact(slot=slot, sentence=words.part(slot), topic_id=row.topic_id, engine=engines.get(slot))
        for slot in slots
        if words.part(slot)
    ]


def _next(brand: Brand, topic: Topic | None, advice: Sequence[Recommendation]) -> list[NextTask]:
    """The first things to do, each with who does it."""
    of_topic = [row for row in advice if topic is None or row.facts.get("topic_id") == str(topic.pk)]
    cards = [show(row, brand) for row in of_topic[:MOST_NEXT]]
    return [NextTask(owner=(card.owners or [""])[0], title=card.title) for card in cards]


def _facts(facts: Facts, topic: UUID | None, answers: Sequence[Seen]) -> DiagnosisFacts:
    rivals, firsts = _rivals(facts, answers), facts.named_first(answers)
    own = len(naming(answers, None))
    ranked = [number for _, number in rivals]
    topics = [topic] if topic else list(facts.field)
    found = [each for each in facts.findings if each.topic in topics]
    return DiagnosisFacts(
        topic=facts.topics[topic].title if topic else "",
        k=own,
        of=len(answers),
        days=days_of(answers),
        place=1 + sum(number > own for number in ranked),
        level=[facts.name(each) for each, number in rivals if number == own and own],
        places=1 + len(ranked),
        rivals=[NameCount(name=facts.name(each), k=number) for each, number in rivals[:MOST_NAMES]],
        nobody=sum(each.offers_nobody for each in answers),
        firsts=sum(each.names_first(None) for each in answers),
        others_first=[NameCount(name=name, k=number) for name, number in firsts.most_common(MOST_NAMES)],
        similar=facts.similar.name if facts.similar else "",
        similar_k=sum(each.similar is not None for each in answers),
        is_doubtful=topic is not None and _is_of_others(facts, topic),
        **(_best_and_worst(facts) if topic is None else {}),
        **_split(facts, topic, answers),
        is_read=bool(found),
        words=compare(facts, topics, [subject for subject, number in rivals if number]),
        **_sources(facts, topic, answers),
    )


def _rivals(facts: Facts, answers: Sequence[Seen]) -> list[tuple[Subject, int]]:
    """The competitors by how many answers name them, without questions that name them themselves."""
    counted: list[tuple[Subject, int]] = [
        (rival, sum(each.names(rival) for each in answers if rival not in each.asks_for))
        for rival in facts.competitors
    ]
    return sorted(counted, key=lambda each: (-each[1], facts.name(each[0])))


def _is_of_others(facts: Facts, topic: UUID) -> bool:
    """Whether nobody has decided on a topic, and answers name the brand in a tenth at most and one rival mostly."""
    rows = facts.by_topic[topic]
    best = max((len(naming(rows, rival)) for rival in facts.competitors), default=0)
    return facts.is_doubtful(topic) and best >= OTHERS_FIELD * len(rows)


def _best_and_worst(facts: Facts) -> dict[str, object]:
    """The topics with the largest and the smallest share of answers that name the brand."""
    counts = {topic: (len(naming(rows, None)), len(rows)) for topic, rows in facts.field.items()}
    shares = {topic: k / of for topic, (k, of) in counts.items()}
    best, worst = (
        choose(shares, key=lambda topic: (shares[topic], sign * counts[topic][1], facts.topics[topic].name))
        for choose, sign in ((max, 1), (min, -1))
    )
    if shares[best] == shares[worst]:
        return {}
    found: dict[str, object] = {}
    for name, topic in (("best", best), ("worst", worst)):
        found[name] = facts.topics[topic].title
        found[f"{name}_k"], found[f"{name}_of"] = counts[topic]
        found[f"{name}_more"] = sum(share == shares[topic] for share in shares.values()) - 1
    return found


def _split(facts: Facts, topic: UUID | None, answers: Sequence[Seen]) -> dict[str, object]:
    """How often each engine names the brand, and whether they differ beyond chance."""
    engines = sorted(
        (
            EngineCounts(
                engine=engine,
                k=len(naming(rows, None)),
                first=sum(each.names_first(None) for each in rows),
                of=len(rows),
            )
            for engine, rows in grouped(answers, "engine").items()
        ),
        key=lambda each: (-each.k / each.of, each.engine),
    )
    found: dict[str, object] = {"engines": engines, "verdict": _verdict(facts, topic, engines)}
    lags = _engine_lags(sure_claims(facts), "mentions", topic)
    if lags:
        widest = max(lags, key=lambda each: (each.is_large, each.lag.gap.points))
        found["lagging"] = widest.place.engine
        if topic is None and widest.place.topic and len(facts.field) > 1:
            gap = widest.lag.gap
            found |= {"widest": facts.topics[widest.place.topic].title, "widest_k": gap.k, "widest_of": gap.n}
    return found


def _verdict(facts: Facts, topic: UUID | None, engines: Sequence[EngineCounts]) -> Verdict:
    if all(each.k == each.of for each in engines):
        return "all"
    if not any(each.k for each in engines):
        return "none"
    lags = _engine_lags(sure_claims(facts), "mentions", topic)
    if lags:
        return "sure" if any(each.is_large for each in lags) else "small"
    shares = [each.k / each.of for each in engines]
    return "unsure" if max(shares) - min(shares) > CLOSED else "alike"


def _engine_lags(claims: Iterable[Claim], measure: Measure, topic: UUID | None) -> list[Claim]:
    """The engines that lag beyond chance: over all topics, or also on one; for the whole brand on any."""
    return [
        each
        for each in claims
        if each.place.engine and each.measure == measure and (topic is None or each.place.topic in (None, topic))
    ]


def _sources(facts: Facts, topic: UUID | None, answers: Sequence[Seen]) -> dict[str, object]:
    """What an engine rests on, and whether the brand is on those pages: of the engines that lag, if some do, the one
    with most answers that cite."""
    asked = Counter(each.engine for each in answers)
    citing = grouped([each for each in answers if each.cited], "engine")
    telling = [each for each, rows in citing.items() if len(rows) >= max(LEAST_CITING, asked[each] / 2)]
    if not telling:
        return {"sources": []}
    lagging = {each.place.engine for each in _engine_lags(sure_claims(facts), "mentions", topic)}
    engine = max(telling, key=lambda each: (each in lagging, len(citing[each]), each))
    return {
        "source_engine": engine,
        "citing": len(citing[engine]),
        "asked": asked[engine],
        "sources": [
            SourceCount(
                domain=each.page.domain,
                url=each.page.url,
                cited=len(each.citing),
                naming=each.naming,
                is_on_it=each.read.names_brand if each.read and not each.read.error else None,
            )
            for each in sites_cited(facts, citing[engine])
        ],
    }
