"""Where the brand lags beyond chance: on an engine, a topic or a prompt, in mentions or in who is named first.

The claims of one look are one family: all of them together are false in one look of twenty at most.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID
from weakref import WeakKeyDictionary

from visibility.metrics import adjusted, chance_of_fewer, chance_of_lead
from visibility.recommendations.facts import Facts, Seen, Subject, grouped, is_offered

LARGE, CLOSED, LEAST_TIMES = 0.20, 0.10, 2
"""A gap that is worth a card is of 20 points, or half of the others' rate; one of 10 is closed."""
LEAST_ANSWERS = 4
REACHABLE = 0.9
"""A goal of more than nine in ten of the answers to come is none."""
Measure = Literal["mentions", "first"]
Hit = Callable[[Seen, Subject], bool]
HITS: Mapping[Measure, Hit] = {"mentions": Seen.names, "first": Seen.names_first}
"""What is counted of an answer. Who is mentioned less is also named first less: mentions come first."""


_SURE: "WeakKeyDictionary[Facts, list[Claim]]" = WeakKeyDictionary()
"""What was tested already of facts that are still in use: several kinds ask for the same claims."""


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

    @property
    def is_large(self) -> bool:
        """Whether it is worth a card. Where few answers hit anybody no gap has many points: 13 % against 28 % loses
        every second chance. A gap that would close its card at once opens none."""
        is_half = LEAST_TIMES * self.k * self.n_other <= self.k_other * self.n
        return self.points >= LARGE or (is_half and self.points > CLOSED)


@dataclass(frozen=True, slots=True)
class Lag:
    """A gap, the chance of so large a one without a cause, the least chance that these answers could have shown, and
    the answers of the part that lags. `rival`: whom the brand is compared with; None: other engines."""

    gap: Gap
    chance: float
    least: float
    answers: Sequence[Seen]
    rival: Subject = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is counted: an engine ("": all), a topic (None: all), a prompt (None: all of the topic)."""

    engine: str = ""
    topic: UUID | None = None
    prompt: UUID | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A lag at a place that is beyond chance; `is_large`: it is worth a card."""

    measure: Measure
    place: Place
    lag: Lag

    @property
    def is_large(self) -> bool:
        """Whether it is worth a card."""
        return self.lag.gap.is_large

    @property
    def subject(self) -> str:
        """What identifies its card."""
        return f"{self.measure} {self.place.engine or self.place.prompt or self.place.topic}"


def sure_claims(facts: Facts) -> Sequence[Claim]:
    """The lags that are beyond chance, in one family of tests. None while it is not sure which answers lack the
    brand."""
    if facts not in _SURE:
        _SURE[facts] = [] if facts.is_unsure else _sure_claims(facts)
    return _SURE[facts]


def _sure_claims(facts: Facts) -> list[Claim]:
    claims = [claim for measure in HITS for claim in _claims(facts, measure)]
    # What could not pass in any case is no test: where every answer names the brand, no engine lags (Tarone 1990).
    leasts = [each.lag.least for each in claims]
    tests = next(n for n in range(1, len(claims) + 2) if sum(least <= facts.level / n for least in leasts) <= n)
    claims = [claim for claim in claims if claim.lag.least <= facts.level / tests]
    chances = adjusted(claim.lag.chance for claim in claims)
    return [claim for claim, chance in zip(claims, chances, strict=True) if chance <= facts.level]


def events(facts: Facts, claims: Sequence[Claim], fallen: Collection[UUID]) -> list[Claim]:
    """Of the sure lags those that have a card: one event, one card. A topic has none where it lags only on engines
    that have one, or fell with the score; a prompt none where its topic has one."""
    large = [each for each in claims if each.is_large and (each.place.engine or each.place.topic not in fallen)]
    left = [each for each in large if not _is_of_engines(facts, each, large)]
    left.sort(key=lambda each: ([*HITS].index(each.measure), each.place.prompt is not None, each.place.engine))
    return [each for number, each in enumerate(left) if not any(_covers(one, each) for one in left[:number])]


def _covers(one: Claim, other: Claim) -> bool:
    """Whether the card of one lag speaks of the other, too: of the same engine, or of the same topic."""
    if one.place.engine and other.place.engine:
        return one.place.engine == other.place.engine
    is_same = one.place.topic is not None and one.place.topic == other.place.topic
    return is_same and one.place.prompt in (None, other.place.prompt)


def _is_of_engines(facts: Facts, claim: Claim, large: Sequence[Claim]) -> bool:
    """Whether a topic or prompt lags only on engines that have a card of their own."""
    if claim.place.engine:
        return False
    of_engines = (each.place for each in large if each.place.engine and each.measure == claim.measure)
    engines = [each.engine for each in of_engines if each.topic in (None, claim.place.topic)]
    others = [each for each in claim.lag.answers if each.engine not in engines]
    again = lag_behind_rivals(facts, others, claim.measure)
    return bool(engines) and (again is None or not again.gap.is_large or again.chance > facts.level)


def _claims(facts: Facts, measure: Measure) -> Iterator[Claim]:
    """One for each engine, each topic of the brand's field, and each of several prompts of these."""
    yield from _engine_claims(facts, measure)
    for topic, rows in facts.field.items():
        if lag := lag_behind_rivals(facts, rows, measure):
            yield Claim(measure, Place(topic=topic), lag)
        prompts = grouped(rows, "prompt")
        for prompt, of_prompt in prompts.items() if len(prompts) > 1 else ():
            if lag := lag_behind_rivals(facts, of_prompt, measure):
                yield Claim(measure, Place(topic=topic, prompt=prompt), lag)


def _engine_claims(facts: Facts, measure: Measure) -> Iterator[Claim]:
    """One claim for each engine: over all topics, or on the one where it lags most."""
    several = facts.field if len(facts.field) > 1 else ()
    topics = [*facts.field] if len(facts.by_topic) == 1 else [None, *several]
    for engine in sorted(facts.by_engine):
        looked = ((topic, lag_of_engine(facts, engine, topic, measure)) for topic in topics)
        lags = {topic: lag for topic, lag in looked if lag}
        if not lags:
            continue
        sure = [topic for topic, lag in lags.items() if lag.gap.is_large and lag.chance * len(lags) <= facts.level]
        # Of those that are sure the widest: where one topic makes the whole difference, that is where to work.
        topic = (
            max(sure, key=lambda each: lags[each].gap.points)
            if sure
            else min(lags, key=lambda each: lags[each].chance)
        )
        lag, least = lags[topic], min(each.least for each in lags.values())
        lag = Lag(lag.gap, min(1.0, lag.chance * len(lags)), least * len(lags), lag.answers)
        yield Claim(measure, Place(engine, topic), lag)


def lag_of_engine(facts: Facts, engine: str, topic: UUID | None, measure: Measure) -> Lag | None:
    """How an engine lags behind the others on the questions that both were asked (of a topic, or of all); None where
    they share no question."""
    hit = HITS[measure]
    rows = facts.by_topic.get(topic, []) if topic else facts.answers
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


def lag_behind_rivals(facts: Facts, answers: Sequence[Seen], measure: Measure) -> Lag | None:
    """Who is ahead in some answers: of those that surely are, and by much, the one most often named first,
    competitors before companies that nobody tracks; else the likeliest. None without anybody, and where the brand is
    mentioned as a part or a shop.

    Competitors are compared one by one; companies that nobody tracks share the chance of one competitor.
    """
    hit = HITS[measure]
    if measure == "first" and not is_offered(answers, None):
        return None
    offered = Counter(name for each in answers for name in each.untracked)
    others = [name for name, number in offered.items() if number >= LEAST_ANSWERS and measure == "mentions"]
    families = len(facts.competitors) + bool(others)
    tests: dict[Subject, int] = dict.fromkeys(facts.competitors, families)
    tests.update(dict.fromkeys(others, families * len(others)))
    lags = [lag for rival, times in tests.items() if (lag := _lag_behind(answers, rival, hit, times))]
    sure = [each for each in lags if each.chance <= facts.level and each.gap.is_large]
    if sure:
        return max(sure, key=_weight)
    return min(lags, key=lambda each: (each.chance, -each.gap.points), default=None)


def _weight(lag: Lag) -> tuple[bool, int, float]:
    firsts = sum(row.names_first(lag.rival) for row in lag.answers)
    return not isinstance(lag.rival, str), firsts, lag.gap.points


def _lag_behind(answers: Iterable[Seen], rival: Subject, hit: Hit, tests: int) -> Lag | None:
    """How the brand lags behind one of them in the same answers, by those that name only one of the two."""
    fair = [answer for answer in answers if rival not in answer.asks_for]
    if len(fair) < LEAST_ANSWERS or not is_offered(fair, rival):
        return None
    hits = [(hit(answer, None), hit(answer, rival)) for answer in fair]
    gap = Gap(sum(own for own, _ in hits), len(fair), sum(theirs for _, theirs in hits), len(fair))
    alone, rival_alone = hits.count((True, False)), hits.count((False, True))
    chance, least = (
        min(1.0, float(chance_of_lead(more, rival_alone + alone - more)) * tests)
        for more in (rival_alone, rival_alone + alone)
    )
    return Lag(gap, chance, least, fair, rival)


def least_gain(k: int, n: int, n_next: int, level: float = 0.05) -> int | None:
    """The fewest of the next `n_next` answers that would differ from k of n beyond chance (one-sided, Fisher); None
    where even nine in ten of them would not."""
    for hits in range(round(k * n_next / n) if n else 0, round(REACHABLE * n_next) + 1):
        if chance_of_fewer([(k, n, k + hits, n + n_next)]) <= level:
            return hits
    return None
