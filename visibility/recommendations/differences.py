"""Cards that claim a difference: an engine or a topic on which the brand lags, a topic on which it is mentioned and
seldom the first pick, and a fall of its score.

The claims of one look are one family: all of them together are false in one look of twenty at most.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import NamedTuple
from uuid import UUID

from apikeys.text import marked
from visibility.metrics import adjusted, chance_of_fewer, chance_of_lead
from visibility.models import ChangeRecord, Recommendation
from visibility.models.changes import ChangeState
from visibility.models.recommendations import Level
from visibility.recommendations.buyers import most_behind
from visibility.recommendations.fix_prompts import fix_prompt, more_than_chance
from visibility.recommendations.material import (
    Material,
    Seen,
    Subject,
    days_of,
    is_offered,
    naming,
    quotes_at,
    spread,
)
from visibility.recommendations.priority import NEW_PAGE, OWN_PAGE, impact_of, priority_of
from visibility.recommendations.products import first_picks, products_words
from visibility.recommendations.queue import Card
from visibility.recommendations.sources import LostPages, deciding_pages, lost_pages, page_evidence, without_pages
from visibility.scores.words import engine_name

ENGINE_GAP, TOPIC_GAP, FALL = "engine_gap", "topic_gap", "fall"
ENGINE_FIRST_PICK, FIRST_PICK = "engine_first_pick", "first_pick"
ENGINE_POINTS, TOPIC_POINTS, CLOSED_POINTS = 0.20, 0.30, 0.10
LEAST_ANSWERS = 4
LEAST_CITING = 2
"""Answers that cite an own page, for it to be the one to edit."""
SAME_EVENT_DAYS = 1
MOST_PARTS = 3


@dataclass(frozen=True, slots=True)
class Claim:
    """A difference on a topic (None: over all), whether it is large enough to matter, the chance of it without a
    cause, the least chance that these answers could have shown, and its card."""

    kind: str
    subject: str
    topic: UUID | None
    matters: bool
    chance: float
    least: float
    make: Callable[[], Card]


@dataclass(frozen=True, slots=True)
class Gap:
    """How many answers of one part name the brand (`k` of `n`), and of the part it is compared with (`k_other` of
    `n_other`)."""

    k: int
    n: int
    k_other: int
    n_other: int

    @property
    def points(self) -> float:
        """By how much it lags, as a part of 1."""
        return self.k_other / self.n_other - self.k / self.n


class EngineLag(NamedTuple):
    """How an engine's answers differ from the others' to the same questions, the chance of so large a lag, and the
    chance of the largest that there could be."""

    gap: Gap
    chance: float
    least: float
    answers: Sequence[Seen]


class Lag(NamedTuple):
    """How a topic's answers prefer a competitor, and the chance that any competitor seems preferred."""

    gap: Gap
    chance: float
    least: float
    rival: UUID
    answers: Sequence[Seen]


Hit = Callable[[Seen, Subject], bool]
OF_ENGINES: Mapping[str, Hit] = {ENGINE_GAP: Seen.names, ENGINE_FIRST_PICK: Seen.puts_first}
OF_TOPICS: Mapping[str, Hit] = {TOPIC_GAP: Seen.names, FIRST_PICK: Seen.puts_first}
"""What is counted of an answer, by the kind of the card on an engine or a topic. Mentions come first: who is
mentioned less is also the first pick less, so that is no card of its own."""


def differences(material: Material, fallen: Collection[str]) -> dict[str, list[Card]]:
    """The cards on engines and topics, by kind: one event, one card. A topic has none where it lags only on engines
    that have a card over this topic or all, or is part of a fall; an engine has none on a topic that has one, as it
    lags there on other engines, too. There are no cards while it is not sure whether answers lack the brand."""
    opened = [] if material.is_unsure else open_claims(material)
    left = [claim for claim in opened if claim.subject not in fallen and not _is_explained(material, claim, opened)]
    of_topics = {(OF_TOPICS[claim.kind], claim.topic) for claim in left if claim.kind in OF_TOPICS}
    found: dict[str, list[Card]] = {kind: [] for kind in (*OF_ENGINES, *OF_TOPICS)}
    told: set[str] = set()
    for claim in left:
        is_part = claim.kind in OF_ENGINES and (OF_ENGINES[claim.kind], claim.topic) in of_topics
        if claim.subject not in told and not is_part:
            told.add(claim.subject)
            found[claim.kind].append(claim.make())
    return found


def _is_explained(material: Material, claim: Claim, opened: Sequence[Claim]) -> bool:
    """Whether a topic lags only on engines that have a card of their own."""
    if claim.kind in OF_ENGINES:
        return False
    hit = OF_TOPICS[claim.kind]
    engines = [
        each.subject
        for each in opened
        if each.kind in OF_ENGINES and OF_ENGINES[each.kind] is hit and each.topic in (None, claim.topic)
    ]
    again = topic_lag(material, UUID(claim.subject), hit, engines)
    return again is None or again.gap.points < TOPIC_POINTS or again.chance > material.level


def open_claims(material: Material) -> list[Claim]:
    """The differences that matter and are beyond chance, in one family of tests: two for each engine and topic."""
    of_engines = (claim for kind in OF_ENGINES for claim in _engine_claims(material, kind))
    of_topics = (
        Claim(
            kind,
            str(topic),
            topic,
            lag.gap.points >= TOPIC_POINTS,
            lag.chance,
            lag.least,
            partial(_topic_card, material, kind, topic, lag),
        )
        for kind, hit in OF_TOPICS.items()
        for topic in material.field
        if (lag := topic_lag(material, topic, hit))
    )
    # What could not be beyond chance in any case is no test: where every answer names the brand, engines are alike.
    claims = [claim for claim in (*of_engines, *of_topics) if claim.least <= material.level]
    chances = adjusted(claim.chance for claim in claims)
    return [
        claim for claim, chance in zip(claims, chances, strict=True) if claim.matters and chance <= material.level
    ]


def engine_gap(material: Material, engine: str, topic: UUID | None = None, hit: Hit = Seen.names) -> EngineLag | None:
    """How an engine lags behind the others on the questions that both were asked (of a topic, or of all); None where
    they share no question."""
    rows = material.by_topic.get(topic, []) if topic else material.answers
    others = [answer for answer in rows if answer.engine != engine]
    mine = [answer for answer in rows if answer.engine == engine]
    shared = {answer.version for answer in mine} & {answer.version for answer in others}
    mine, others = ([each for each in side if each.version in shared] for side in (mine, others))
    if not shared:
        return None
    of_mine, of_both = Counter(each.version for each in mine), Counter(each.version for each in (*mine, *others))
    hits = Counter(each.version for each in mine if hit(each, None))
    all_hits = hits + Counter(each.version for each in others if hit(each, None))
    gap = Gap(hits.total(), len(mine), all_hits.total() - hits.total(), len(others))
    strata = [(hits[each], of_mine[each], all_hits[each], of_both[each]) for each in shared]
    fewest = [(max(0, total - (both - own)), own, total, both) for _, own, total, both in strata]
    return EngineLag(gap, chance_of_fewer(strata), chance_of_fewer(fewest), mine)


def topic_lag(material: Material, topic: UUID, hit: Hit, without: Collection[str] = ()) -> Lag | None:
    """The competitor that is most surely ahead on a topic; None without any. A brand that is mentioned there as a
    part or a shop is not compared."""
    best: Lag | None = None
    answers = [answer for answer in material.by_topic.get(topic, []) if answer.engine not in without]
    if hit is not Seen.names and not is_offered(answers, None):
        return None
    for rival in material.competitors:
        fair = [answer for answer in answers if rival not in answer.asks_for]
        if len(fair) < LEAST_ANSWERS or not is_offered(fair, rival):
            continue
        hits = [(hit(answer, None), hit(answer, rival)) for answer in fair]
        gap = Gap(sum(own for own, _ in hits), len(fair), sum(theirs for _, theirs in hits), len(fair))
        alone, rival_alone = hits.count((True, False)), hits.count((False, True))
        chance, least = (
            min(1.0, float(chance_of_lead(more, rival_alone + alone - more)) * len(material.competitors))
            for more in (rival_alone, rival_alone + alone)
        )
        if best is None or (chance, -gap.points) < (best.chance, -best.gap.points):
            best = Lag(gap, chance, least, rival, fair)
    return best


def closed_engine_gap(material: Material, row: Recommendation) -> str | None:
    """Why an engine's card is over, if it is."""
    topic = row.payload.get("topic")
    found = engine_gap(material, row.subject, UUID(topic) if topic else None, OF_ENGINES[row.kind])
    if found is None:
        is_asked = row.subject in material.engines
        return None if is_asked else f"{engine_name(row.subject)} is not asked any more."
    return _closed(found.gap, row)


def closed_topic_lag(material: Material, row: Recommendation) -> str | None:
    """Why a topic's card is over, if it is."""
    found = topic_lag(material, UUID(row.subject), OF_TOPICS[row.kind])
    return _closed(found.gap, row) if found else None


def _closed(gap: Gap, row: Recommendation) -> str | None:
    """Why a card is over: the distance is small, on at least as many answers as showed it."""
    if gap.points > CLOSED_POINTS or gap.n < row.payload.get("of", 0):
        return None
    verb = "First" if row.kind in (FIRST_PICK, ENGINE_FIRST_PICK) else "Mentioned"
    return f"{verb} in {gap.k} of {gap.n} answers, {gap.k_other} of {gap.n_other} there."


def _engine_claims(material: Material, kind: str) -> Iterable[Claim]:
    """One claim for each engine: over all topics, or on the one where it lags most."""
    hit = OF_ENGINES[kind]
    several = material.field if len(material.field) > 1 else ()
    topics = [*material.field] if len(material.by_topic) == 1 else [None, *several]
    for engine in sorted(material.by_engine):
        looked = ((topic, engine_gap(material, engine, topic, hit)) for topic in topics)
        found = [(topic, each) for topic, each in looked if each is not None]
        if not found:
            continue
        sure = [
            (topic, lag)
            for topic, lag in found
            if lag.gap.points >= ENGINE_POINTS and lag.chance * len(found) <= material.level
        ]
        # Of those that are sure the widest: where one topic makes the whole difference, that is where to work.
        topic, lag = (
            max(sure, key=lambda each: each[1].gap.points) if sure else min(found, key=lambda each: each[1].chance)
        )
        least = min(each.least for _, each in found) * len(found)
        make = partial(_engine_card, material, kind, engine, topic, lag.gap, lag.answers)
        yield Claim(kind, engine, topic, bool(sure), min(1.0, lag.chance * len(found)), least, make)


def _engine_card(
    material: Material, kind: str, engine: str, topic: UUID | None, gap: Gap, answers: Sequence[Seen]
) -> Card:
    hit, verb = OF_ENGINES[kind], "mention" if kind == ENGINE_GAP else "put"
    place = "" if kind == ENGINE_GAP else " first"
    missing = [answer for answer in answers if not hit(answer, None)]
    of_topic = material.by_topic[topic] if topic else material.answers
    on = f" on {material.topic_name(topic)}" if topic and len(material.by_topic) > 1 else ""
    name, often = engine_name(engine), "rarely" if gap.k else "never"
    priority = priority_of(material, missing, gap.n - gap.k, gap.n, reach=NEW_PAGE)
    rest = [engine_name(each) for each in sorted(material.by_engine) if each != engine]
    others = f"{rest[0]} {verb}s" if len(rest) == 1 else f"the other engines {verb}"
    instead = _instead(material, missing, hit)
    pages, evidence = deciding_pages(material, missing, of_topic)
    leader = Counter(subject for each in missing for subject in each.stances if hit(each, subject)).most_common(1)
    more = _words_on(material, topic, leader[0][0], of_topic) if topic and leader else []
    compared = f"{others} {{}}{place} in {gap.k_other} of {gap.n_other} answers to the same questions{on}"
    facts = [
        f"{name} {verb}s us{place} in {gap.k} of {gap.n} answers ({days_of(answers)}); {compared.format('us')}.",
        instead,
        *more,
    ]
    return Card(
        subject=engine,
        title=f"{name} {often} {verb}s you{place}{on} ({gap.k} of {gap.n})",
        summary=" ".join(
            filter(None, (f"{compared[:1].upper()}{compared[1:].format('you')}.", instead, *more, pages))
        ),
        priority=priority,
        impact=impact_of(priority),
        effort=Level.MEDIUM,
        evidence=[*_instead_evidence(material, missing, hit), *evidence],
        payload={
            "k": gap.k,
            "of": gap.n,
            "topic": str(topic) if topic else None,
            "fixPrompt": fix_prompt(
                material,
                kind,
                facts,
                answers=missing,
                pages=evidence,
                uncited=bool(without_pages(missing)),
                engine=name,
                k=more_than_chance(gap.k, gap.n),
                n=gap.n,
            ),
        },
    )


def _topic_card(material: Material, kind: str, topic: UUID, lag: Lag) -> Card:
    """A topic on which a competitor leads: with what answers associate it, which pages they rest on, what to edit."""
    gap, hit, name, where = lag.gap, OF_TOPICS[kind], material.name(lag.rival), material.topic_name(topic)
    showing = [each for each in lag.answers if hit(each, lag.rival) and not hit(each, None)]
    if kind == FIRST_PICK:
        title, named = f"{name} is picked first on {where}", len(naming(lag.answers, None))
        first = f"{named} of {gap.n} answers mention you, {gap.k or 'none'} first; {name} is first in {gap.k_other}"
    else:
        title = f"{name} is ahead of you on {where}"
        first = f"{len(showing)} of {gap.n} answers mention {name} and not you"
    own = Counter(page.url for each in material.by_topic[topic] for page in each.cited if page.owner is None)
    page = next((url for url, number in own.most_common(1) if number >= LEAST_CITING), None)
    priority = priority_of(material, showing, len(showing), len(showing), reach=OWN_PAGE if page else NEW_PAGE)
    more = _words_on(material, topic, lag.rival, material.by_topic[topic])
    if kind == FIRST_PICK:
        more.insert(0, f"Most often first beside you: {first_picks(material, lag.answers)}.")
    pages, evidence = deciding_pages(material, showing, material.by_topic[topic])
    by_engine = f"; you: {_by_engine(lag.answers, hit)}" if gap.k else ""
    facts = [
        f"{name}: {gap.k_other} of {gap.n} answers, we: {gap.k} ({days_of(lag.answers)}).",
        *more,
    ]
    return Card(
        subject=str(topic),
        title=f"{title}: {gap.k_other} of {gap.n}, you {gap.k}",
        summary=f"On {where} {first} ({days_of(lag.answers)}{by_engine}). " + " ".join(filter(None, (*more, pages))),
        priority=priority,
        impact=impact_of(priority),
        effort=Level.LOW if page else Level.MEDIUM,
        evidence=[*material.quotes(showing, lag.rival), *evidence, *([page_evidence(page)] if page else [])],
        payload={
            "k": gap.k,
            "of": gap.n,
            "topic": str(topic),
            "competitor": name,
            "page": page,
            "fixPrompt": fix_prompt(
                material,
                kind,
                facts,
                answers=showing,
                pages=evidence,
                criteria=topic,
                uncited=bool(without_pages(showing)),
                rival=name,
                topic=where,
                page=f"Edit {marked(page)}, which answers cite already" if page else "Write one page on the topic",
                k=more_than_chance(gap.k, gap.n),
                n=gap.n,
            ),
        },
    )


def _words_on(material: Material, topic: UUID, rival: Subject, answers: Sequence[Seen]) -> list[str]:
    """Which products of the brand and a competitor answers on a topic offer, and what they name with it far more
    often."""
    favourites = products_words(material, answers, [None, rival])
    products = [f"Offered most: {favourites}."] if favourites else []
    behind = most_behind(material, topic, rival)
    return [*products, *([f"{behind.words(material.brand.name)}."] if behind else [])]


def falls(material: Material) -> list[Card]:
    """One card for each fall that has not recovered: of the score, or of one engine where the score did not fall
    at the same time. The pages that answers stopped citing then are part of it."""
    last = max((answer.day for answer in material.answers), default=None)
    records = ChangeRecord.objects.filter(brand=material.brand, state=ChangeState.HOLDS, delta__lt=0)
    rows = list(records.filter(reported_until__gte=last).order_by("engine", "-began")) if last else []
    whole = [row.began for row in rows if not row.engine]
    alone = [row for row in rows if not row.engine or not any(_is_near(row.began, day) for day in whole)]
    lost = lost_pages(material)
    return [
        _fall_card(material, row, next((each for each in lost if _is_near(each.day, row.began)), None))
        for row in alone
    ]


def is_same_event(card: Card, day: date) -> bool:
    """Whether pages that were lost on a day are part of the card of a fall."""
    return _is_near(date.fromisoformat(card.payload["since"]), day)


def _is_near(one: date, other: date) -> bool:
    return abs((one - other).days) <= SAME_EVENT_DAYS


def fallen_topics(material: Material) -> set[str]:
    """The topics that lost so much in a fall that has not recovered that it would make a gap."""
    records = ChangeRecord.objects.filter(brand=material.brand, state=ChangeState.HOLDS, delta__lt=0)
    parts = (part for record in records for part in record.parts.get("topics", []) if part["key"])
    return {part["key"] for part in parts if part["before"] - part["after"] >= 100 * TOPIC_POINTS}


def closed_fall(material: Material, row: Recommendation) -> str | None:
    """Why the card of a fall is over, if it is."""
    records = ChangeRecord.objects.filter(brand=material.brand)
    began, _, engine = row.subject.partition(" ")
    record = records.filter(began=began, engine=engine).first()
    if record is None or record.state != ChangeState.RECOVERED:
        return None
    return f"The score has recovered since {record.state_since}."


def _fall_card(material: Material, record: ChangeRecord, lost: LostPages | None) -> Card:
    day = f"{record.began.day} {record.began:%B}"
    points, of_engine = (
        abs(record.delta),
        f" of {engine_name(record.engine.rpartition(' ')[0])}" if record.engine else "",
    )
    parts = _parts(material, record)
    pages = f"On the same day answers stopped citing {lost.words}." if lost else ""
    share = points / record.before if record.before else 1.0
    priority = max(60, min(89, round(100 * share**0.5)))
    first = f"The score{of_engine} fell from {record.before:.0f} to {record.after:.0f} % on {day}."
    return Card(
        subject=f"{record.began} {record.engine}".strip(),
        title=f"Win back the {points:.0f} points lost on {day}{of_engine}",
        summary=" ".join(part for part in (first, pages, parts) if part),
        priority=priority,
        impact=impact_of(priority),
        effort=Level.LOW if lost else Level.MEDIUM,
        evidence=[
            {"kind": "figure", "text": first},
            *(page_evidence(page.url, page.words) for page in (lost.pages if lost else ())),
        ],
        payload={
            "since": str(record.began),
            "lostPages": len(lost.pages) if lost else 0,
            "fixPrompt": fix_prompt(
                material,
                FALL,
                [first, pages, parts, *(page.line for page in (lost.pages if lost else ()))],
                points=f"{points:.0f}",
                day=day,
            ),
        },
    )


def _parts(material: Material, record: ChangeRecord) -> str:
    """What the fall is made of: the topics with the largest parts, and competitors that moved at the same time."""
    names = {str(pk): marked(topic.name) for pk, topic in material.topics.items()}
    parts = [each for each in record.parts.get("topics", []) if each["key"] in names and each["points"] < 0]
    shown = ", ".join(f"{names[each['key']]} down {abs(each['points']):.0f}" for each in parts[:MOST_PARTS])
    rivals = {str(pk): name for pk, name in material.competitors.items()}
    moved = [each for each in record.context.get("competitors", []) if each["key"] in rivals]
    also = ", ".join(f"{rivals[each['key']]} {each['before']:.0f} → {each['after']:.0f} %" for each in moved[:2])
    sentences = [f"By topic: {shown}." if shown else "", f"At the same time: {also}." if also else ""]
    return " ".join(sentence for sentence in sentences if sentence)


def _instead(material: Material, answers: Sequence[Seen], hit: Hit) -> str:
    """Whom the answers without the brand mention, or put first."""
    if hit is Seen.puts_first:
        firsts = Counter(first for answer in answers if (first := material.first_name(answer)))
        shown = [f"{name} {number}" for name, number in firsts.most_common(3)]
        return f"First in the other {len(answers)}: {', '.join(shown)}." if shown else ""
    named = Counter(material.name(subject) for answer in answers for subject in answer.stances)
    named.update(f"{marked(name)} (not tracked)" for answer in answers for name in answer.untracked)
    shown = [f"{name} {number}" for name, number in named.most_common(4)]
    return f"The {len(answers)} answers without you mention {', '.join(shown)}." if shown else ""


def _instead_evidence(material: Material, answers: Sequence[Seen], hit: Hit) -> list[dict[str, object]]:
    """Quotes of first picks, or of whom most of these answers mention; without any, the answers themselves."""
    if hit is Seen.puts_first:
        return quotes_at({each: place for each in answers if (place := each.first_place)})
    named = Counter(subject for answer in answers for subject in answer.stances)
    for subject, _ in named.most_common(1):
        return material.quotes(answers, subject)
    return [
        {
            "kind": "answer",
            "text": "names nobody who is tracked",
            "engine": each.engine,
            "promptId": str(each.prompt),
            "answerId": each.pk,
        }
        for each in spread(answers, 3)
    ]


def _by_engine(answers: Sequence[Seen], hit: Hit) -> str:
    """ "ChatGPT 0 of 8, Google AI Mode 8 of 12"."""
    of, hits = Counter(each.engine for each in answers), Counter(each.engine for each in answers if hit(each, None))
    return ", ".join(f"{engine_name(engine)} {hits[engine]} of {number}" for engine, number in sorted(of.items()))
