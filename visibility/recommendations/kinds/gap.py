"""A lag behind others: on an engine, a topic or a prompt. One card an event, with why the others are chosen."""

from collections import Counter
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.utils.translation import gettext_noop

from apikeys.resources import Resource, UntrustedText
from visibility.counts.words import engine_name
from visibility.models.reading import Facet
from visibility.models.recommendations import Level
from visibility.recommendations.cited import OWNERS, Behind, lists_behind, most_cited
from visibility.recommendations.engine_pages import Carrier, Split, carrier_of, splits_of
from visibility.recommendations.facts import Facts, Seen, Subject, days_of, next_answers, questions_of
from visibility.recommendations.findings import Comparison, compare
from visibility.recommendations.gaps import (
    CLOSED,
    HITS,
    Claim,
    Hit,
    Lag,
    Measure,
    events,
    lag_behind_rivals,
    lag_of_engine,
    least_gain,
    sure_claims,
)
from visibility.recommendations.kinds.base import Card, CardFacts, Count, Kind, name_of, part_of
from visibility.recommendations.kinds.fall import fallen_topics
from visibility.recommendations.pieces import distinct, list_page, passages, quotes, quotes_of

LEAST_CITING = 2
"""Answers that cite an own page, for it to be the one to edit."""
LEAST_OFFERED = 3
WORTH_IT = 1 / 6
"""The part of the answers without the brand that has to cite a list, for it to have a task."""
MOST_INSTEAD, MOST_PROMPTS, MOST_LISTS = 4, 4, 5


class Offered(Resource):
    """Who is offered, or first, in so many answers."""

    name: UntrustedText
    answers: int
    is_tracked: bool


class PromptCount(Resource):
    """A prompt, and in how many of its answers the brand is as it should be."""

    text: UntrustedText
    k: int
    of: int


class ListFacts(Resource):
    """A list or thread behind `behind` answers without the brand; `is_on_it` None: it was not read."""

    url: UntrustedText
    domain: UntrustedText
    owner: str
    behind: int
    is_on_it: bool | None


class GapFacts(CardFacts):
    """The brand is counted (`measure`) in `k` of `of` answers at the place, and whom it is compared with (`rival`,
    empty: the other engines) in `other_k` of `other_of`; `rival_alone` answers have the rival and not the brand,
    `nobody` offer no brand at all. Of a rival that nobody tracks offers are counted. `instead`: whom the answers
    without it offer; `words`: what readers found."""

    measure: Measure
    engine: str = ""
    is_doubtful: bool = False
    rival: UntrustedText = ""
    is_rival_tracked: bool = True
    other_k: int
    other_of: int
    rival_alone: int = 0
    nobody: int = 0
    prompt: UntrustedText = ""
    prompt_id: UUID | None = None
    instead: list[Offered] = []
    by_prompt: list[PromptCount] = []
    lists: list[ListFacts] = []
    splits: list[Split] = []
    carrier: Carrier | None = None
    words: Comparison = Comparison()


class Lags(Kind[GapFacts]):
    """A lag beyond chance."""

    name, order, facts, writes_page, claims_absence = "gap", 6, GapFacts, True, True
    cause = gettext_noop("Others win answers")
    question = (
        "The brand is mentioned, or named first, less often on one engine than on the others for the same "
        "prompts, or than one rival (tracked or not) in the same answers on a topic or to a prompt: by 20 points or "
        "half as often, beyond chance in one family of tests (Holm, Tarone). One event has one card: engines explain "
        "topics, mentions explain who is named first, topics explain prompts, a fall explains its topics."
    )
    over = "The distance is 10 points at most, on at least as many answers; or another card speaks of it."

    def find(self, facts: Facts) -> Iterable[Card[GapFacts]]:
        claims = events_of(facts)
        cards = [_card(facts, claim) for claim in claims]
        return sorted(cards, key=lambda each: -each.weight)

    def end(self, facts: Facts, card: GapFacts, subject: str) -> str | None:
        if card.topic_id and (topic := facts.topics.get(card.topic_id)) and topic.own is False:
            return "The topic is not the site's own any more."
        claims = events_of(facts)
        if any(_is_part(card, claim) for claim in claims):
            return "It is part of another card now."
        lag = _lag(facts, card)
        if lag is None:
            is_asked = not card.engine or card.engine in facts.by_engine
            return None if is_asked or not facts.answers else f"{engine_name(card.engine)} is not asked any more."
        if lag.gap.points > CLOSED or lag.gap.n < card.of:
            return None
        verb = "Mentioned" if card.measure == "mentions" else "First"
        return f"{verb} in {lag.gap.k} of {lag.gap.n} answers, {lag.gap.k_other} of {lag.gap.n_other} there."

    def count(self, facts: Facts, card: GapFacts, subject: str) -> Count | None:
        rows = _answers_at(facts, card)
        hit = HITS[card.measure]
        return Count(sum(hit(each, None) for each in rows), len(rows)) if rows else None

    def topic_of(self, card: GapFacts) -> UUID | None:
        is_whole = card.measure == "mentions" and not card.engine and card.prompt_id is None
        return card.topic_id if is_whole else None


def events_of(facts: Facts) -> list[Claim]:
    """The lags that have a card of this kind."""
    return events(facts, sure_claims(facts), fallen_topics(facts))


def _is_part(card: GapFacts, claim: Claim) -> bool:
    """Whether a lag that has a card is of the same engine or topic."""
    if card.engine:
        return claim.place.engine == card.engine
    return claim.place.topic is not None and claim.place.topic == card.topic_id


def _answers_at(facts: Facts, card: GapFacts) -> list[Seen]:
    """The answers at the card's place."""
    rows = facts.by_topic.get(card.topic_id, []) if card.topic_id else facts.answers
    return [each for each in rows if card.engine in ("", each.engine) and card.prompt_id in (None, each.prompt)]


def _lag(facts: Facts, card: GapFacts) -> Lag | None:
    """The lag at the card's place as it is now."""
    if card.engine:
        return lag_of_engine(facts, card.engine, card.topic_id, card.measure)
    return lag_behind_rivals(facts, _answers_at(facts, card), card.measure)


def _card(facts: Facts, claim: Claim) -> Card[GapFacts]:
    lag, place, hit = claim.lag, claim.place, HITS[claim.measure]
    answers = lag.answers
    missing = [each for each in answers if not hit(each, None) and not each.offers_nobody]
    of_topic = facts.by_topic[place.topic] if place.topic else facts.answers
    instead = _instead(facts, missing, claim.measure)
    rival = lag.rival if lag.rival is not None else _rival(facts, instead)
    topics = [place.topic] if place.topic else list(facts.field)
    by_name = {name: pk for pk, name in facts.competitors.items()}
    is_first = claim.measure == "first"  # there, a page may list the brand
    behind = [
        each
        for each in lists_behind(facts, answers, missing)
        if each.lacking >= WORTH_IT * len(missing) and (is_first or not each.is_on_it)
    ]
    own = most_cited(facts, of_topic, lambda page: page.owner is None, least=LEAST_CITING)
    reasons = facts.found(Facet.REASON, subject=rival, topics=topics) if rival is not None else []
    rivals = [rival, *(by_name[each.name] for each in instead if by_name.get(each.name, rival) != rival)]
    planned = next_answers(answers)
    questions = questions_of(answers)
    card = GapFacts(
        measure=claim.measure,
        topic_id=place.topic,
        topic=facts.topics[place.topic].title if place.topic else "",
        engine=place.engine,
        is_doubtful=place.topic is not None and facts.is_doubtful(place.topic),
        rival=name_of(facts, lag.rival) or (instead[0].name if instead else ""),
        is_rival_tracked=not isinstance(lag.rival, str),
        k=lag.gap.k,
        of=lag.gap.n,
        other_k=lag.gap.k_other,
        other_of=lag.gap.n_other,
        rival_alone=sum(hit(each, lag.rival) and not hit(each, None) for each in answers) if lag.rival else 0,
        nobody=sum(each.offers_nobody for each in answers),
        days=days_of(answers),
        prompt_id=place.prompt,
        prompt=next(iter(questions.values()), "") if place.prompt else "",
        instead=instead[:MOST_INSTEAD],
        by_prompt=_by_prompt(answers, questions, hit),
        lists=[_list(each) for each in _one_a_site(behind)[:MOST_LISTS]],
        splits=splits_of(facts, answers, missing, hit),
        carrier=carrier_of(facts, answers, hit),
        words=compare(facts, topics, rivals),
        page=own[0].page.url if own else "",
        goal=least_gain(lag.gap.k, lag.gap.n, planned),
        goal_of=planned,
    )
    evidence = (
        [piece for each in reasons[:2] for piece in quotes_of(each, 2)]
        if reasons
        else passages(facts, answers, rival) or quotes(missing, rival)
    )
    return Card(
        subject=claim.subject,
        facts=card,
        weight=part_of(facts, missing),
        effort=Level.MEDIUM,
        evidence=[*distinct(evidence), *(list_page(each) for each in behind[:MOST_LISTS])],
    )


def _instead(facts: Facts, missing: Sequence[Seen], measure: Measure) -> list[Offered]:
    """Whom the answers without the brand offer, or name first; the most frequent first."""
    firsts = facts.named_first(missing)
    offered = firsts
    if measure == "mentions":
        offered = Counter(facts.name(rival) for each in missing for rival in each.stances if rival is not None)
        offered.update(company for each in missing for company in each.untracked)
    tracked = set(facts.competitors.values())
    # A name that nobody tracks and few answers offer may be no company at all.
    offered = Counter(
        {name: number for name, number in offered.items() if name in tracked or number >= LEAST_OFFERED}
    )
    ranked = sorted(offered, key=lambda name: (-offered[name], -firsts[name], name))
    return [Offered(name=name, answers=offered[name], is_tracked=name in tracked) for name in ranked]


def _rival(facts: Facts, instead: Sequence[Offered]) -> Subject:
    """The competitor that is offered most instead, else whoever is."""
    by_name = {name: pk for pk, name in facts.competitors.items()}
    tracked = (by_name[each.name] for each in instead if each.name in by_name)
    return next(tracked, instead[0].name if instead else None)


def _by_prompt(answers: Sequence[Seen], questions: dict[int, str], hit: Hit) -> list[PromptCount]:
    """The prompts, the worst first, without those to which most answers name no brand: they ask for another thing."""
    of = Counter(each.version for each in answers)
    bare = Counter(each.version for each in answers if each.offers_nobody)
    questions = {each: text for each, text in questions.items() if 2 * bare[each] <= of[each]}
    hits = Counter(each.version for each in answers if hit(each, None))
    worst = sorted(of, key=lambda each: (hits[each] / of[each], each))
    return [PromptCount(text=questions[each], k=hits[each], of=of[each]) for each in worst if each in questions][
        :MOST_PROMPTS
    ]


def _one_a_site(pages: Iterable[Behind]) -> list[Behind]:
    first: dict[str, Behind] = {}
    for each in pages:
        first.setdefault(each.page.domain, each)
    return list(first.values())


def _list(each: Behind) -> ListFacts:
    return ListFacts(
        url=each.page.url,
        domain=each.page.domain,
        owner=OWNERS[each.page.source_class],
        behind=each.lacking,
        is_on_it=each.is_on_it,
    )
