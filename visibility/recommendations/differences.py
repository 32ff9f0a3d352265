"""Where the brand lags beyond chance: on an engine or a topic, in mentions or in first picks.

The claims of one look are one family: all of them together are false in one look of twenty at most.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from visibility.counts.words import engine_name
from visibility.metrics import adjusted, chance_of_fewer, chance_of_lead
from visibility.models import Recommendation
from visibility.recommendations.material import Material, Seen, Subject, is_offered
from visibility.recommendations.sources import CITED_PAGES

TOPIC_GAP, ENGINE_GAP = "topic_gap", "engine_gap"
FIRST_PICK, ENGINE_FIRST_PICK = "first_pick", "engine_first_pick"
ENGINE_POINTS, TOPIC_POINTS, CLOSED_POINTS = 0.20, 0.30, 0.10
LEAST_ANSWERS, LEAST_TIMES = 4, 2

Hit = Callable[[Seen, Subject], bool]
HITS: Mapping[str, Hit] = {
    TOPIC_GAP: Seen.names,
    ENGINE_GAP: Seen.names,
    FIRST_PICK: Seen.puts_first,
    ENGINE_FIRST_PICK: Seen.puts_first,
}
"""What is counted of an answer, by the kind of the card. Where several kinds claim something of one topic or engine,
the first of them has the card: who is mentioned less is also the first pick less."""
OF_ENGINES = (ENGINE_GAP, ENGINE_FIRST_PICK)
ORDER = [*HITS, CITED_PAGES]


@dataclass(frozen=True, slots=True)
class Gap:
    """How many answers of one part hit the brand (`k` of `n`), and of what it is compared with (`k_other` of
    `n_other`)."""

    k: int
    n: int
    k_other: int
    n_other: int

    @property
    def points(self) -> float:
        """By how much it lags, as a part of 1."""
        return (self.k_other * self.n - self.k * self.n_other) / (self.n * self.n_other)

    def is_large(self, points: float) -> bool:
        """Whether it is worth a card: of so many points, or hit half as often at most.

        Where few answers hit anybody no gap has many points: 13 % against 28 % loses every second chance. A gap that
        would close its card at once opens none.
        """
        is_half = LEAST_TIMES * self.k * self.n_other <= self.k_other * self.n
        return self.points >= points or (is_half and self.points > CLOSED_POINTS)


@dataclass(frozen=True, slots=True)
class Lag:
    """A gap, the chance of so large a one without a cause, the least chance that these answers could have shown, and
    the answers of the part that lags. `rival`: the competitor it is compared with; None: other engines."""

    gap: Gap
    chance: float
    least: float
    answers: Sequence[Seen]
    rival: UUID | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A lag on a topic (None: over all topics), of one engine or ("") of all; `matters`: it is large enough."""

    kind: str
    engine: str
    topic: UUID | None
    lag: Lag
    matters: bool

    @property
    def subject(self) -> str:
        """What identifies its card among its kind."""
        return self.engine or str(self.topic)


def differences(material: Material, opened: Sequence[Claim], fallen: Collection[str]) -> list[Claim]:
    """Of the lags those that have a card: one event, one card. A topic has none where it lags only on engines that
    have one, or is part of a fall."""
    left = [each for each in opened if each.subject not in fallen and not _is_explained(material, each, opened)]
    return [each for each in left if not is_part(left, each.kind, each.topic, each.engine)]


def is_part(claims: Iterable[Claim], kind: str, topic: UUID | None, engine: str = "") -> bool:
    """Whether a card of an earlier kind tells it: one on the same topic, or on the same engine."""
    return any(
        ORDER.index(each.kind) < ORDER.index(kind)
        and ((topic is not None and each.topic == topic) or (engine != "" and each.engine == engine))
        for each in claims
    )


def _is_explained(material: Material, claim: Claim, opened: Sequence[Claim]) -> bool:
    """Whether a topic lags only on engines that have a card of their own."""
    if claim.engine or claim.topic is None:
        return False
    hit = HITS[claim.kind]
    of_engines = [each for each in opened if each.engine and HITS[each.kind] is hit]
    engines = [each.engine for each in of_engines if each.topic in (None, claim.topic)]
    again = topic_lag(material, claim.topic, hit, engines)
    return again is None or not again.gap.is_large(TOPIC_POINTS) or again.chance > material.level


def sure_claims(material: Material) -> list[Claim]:
    """The lags that are beyond chance, in one family of tests: two for each engine and topic. None while it is not
    sure whether answers lack the brand."""
    if material.is_unsure:
        return []
    claims = [
        claim
        for kind in HITS
        for claim in (_engine_claims(material, kind) if kind in OF_ENGINES else _topic_claims(material, kind))
    ]
    # What could not pass in any case is no test: where every answer names the brand, no engine lags (Tarone 1990).
    tests = next(
        n for n in range(1, len(claims) + 2) if sum(each.lag.least <= material.level / n for each in claims) <= n
    )
    claims = [claim for claim in claims if claim.lag.least <= material.level / tests]
    chances = adjusted(claim.lag.chance for claim in claims)
    return [claim for claim, chance in zip(claims, chances, strict=True) if chance <= material.level]


def _topic_claims(material: Material, kind: str) -> Iterable[Claim]:
    """One claim for each topic of the brand's field."""
    for topic in material.field:
        if lag := topic_lag(material, topic, HITS[kind]):
            yield Claim(kind, "", topic, lag, lag.gap.is_large(TOPIC_POINTS))


def _engine_claims(material: Material, kind: str) -> Iterable[Claim]:
    """One claim for each engine: over all topics, or on the one where it lags most."""
    several = material.field if len(material.field) > 1 else ()
    topics = [*material.field] if len(material.by_topic) == 1 else [None, *several]
    for engine in sorted(material.by_engine):
        looked = ((topic, engine_lag(material, engine, topic, HITS[kind])) for topic in topics)
        lags = {topic: lag for topic, lag in looked if lag}
        if not lags:
            continue
        sure = [
            topic
            for topic, lag in lags.items()
            if lag.gap.is_large(ENGINE_POINTS) and lag.chance * len(lags) <= material.level
        ]
        # Of those that are sure the widest: where one topic makes the whole difference, that is where to work.
        topic = (
            max(sure, key=lambda each: lags[each].gap.points)
            if sure
            else min(lags, key=lambda each: lags[each].chance)
        )
        lag, least = lags[topic], min(each.least for each in lags.values())
        lag = Lag(lag.gap, min(1.0, lag.chance * len(lags)), least * len(lags), lag.answers)
        yield Claim(kind, engine, topic, lag, bool(sure))


def engine_lag(material: Material, engine: str, topic: UUID | None = None, hit: Hit = Seen.names) -> Lag | None:
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
    return Lag(gap, chance_of_fewer(strata), chance_of_fewer(fewest), mine)


def topic_lag(material: Material, topic: UUID, hit: Hit, without: Collection[str] = ()) -> Lag | None:
    """The competitor that is ahead on a topic: of those that surely are, and by much, the one that answers most often
    put first; else the likeliest. None without any, and where the brand is mentioned as a part or a shop."""
    answers = [answer for answer in material.by_topic.get(topic, []) if answer.engine not in without]
    if hit is not Seen.names and not is_offered(answers, None):
        return None
    lags = []
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
        lags.append(Lag(gap, chance, least, fair, rival))
    sure = [each for each in lags if each.chance <= material.level and each.gap.is_large(TOPIC_POINTS)]
    if sure:
        return max(sure, key=lambda each: (sum(row.puts_first(each.rival) for row in each.answers), each.gap.points))
    return min(lags, key=lambda each: (each.chance, -each.gap.points), default=None)


def words_by_pages(material: Material, answers: Sequence[Seen], hit: Hit = Seen.names) -> str:
    """How often an engine hits the brand in answers with and without cited pages; empty: alike, but for chance."""
    bare, cited = [each for each in answers if not each.cited], [each for each in answers if each.cited]
    k, k_cited = (sum(hit(each, None) for each in part) for part in (bare, cited))
    if not bare or not cited:
        return ""
    chance = chance_of_fewer([(k, len(bare), k + k_cited, len(answers))])
    if chance * len(material.by_engine) > material.level:
        return ""
    return f"you in {k_cited} of {len(cited)} answers with cited pages, in {k or 'none'} of {len(bare)} without"


def closed_engine_lag(material: Material, row: Recommendation) -> str | None:
    """Why an engine's card is over, if it is."""
    topic = row.payload.get("topic")
    found = engine_lag(material, row.subject, UUID(topic) if topic else None, HITS[row.kind])
    if found is None:
        is_asked = row.subject in material.engines
        return None if is_asked else f"{engine_name(row.subject)} is not asked any more."
    return _closed(found.gap, row)


def closed_topic_lag(material: Material, row: Recommendation) -> str | None:
    """Why a topic's card is over, if it is."""
    found = topic_lag(material, UUID(row.subject), HITS[row.kind])
    return _closed(found.gap, row) if found else None


def _closed(gap: Gap, row: Recommendation) -> str | None:
    """Why a card is over: the distance is small, on at least as many answers as showed it."""
    if gap.points > CLOSED_POINTS or gap.n < row.payload.get("of", 0):
        return None
    verb = "Mentioned" if HITS[row.kind] is Seen.names else "First"
    return f"{verb} in {gap.k} of {gap.n} answers, {gap.k_other} of {gap.n_other} there."
