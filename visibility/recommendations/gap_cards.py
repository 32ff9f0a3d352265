"""The card of a lag: who is there instead, on which questions, with which products, and resting on which pages. What
is found decides which steps its prompt has."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median_high

from apikeys.text import marked, unmarked
from visibility.counts.words import engine_name
from visibility.metrics import chance_of_fewer
from visibility.models.recommendations import Level
from visibility.recommendations.differences import (
    ENGINE_GAP,
    HITS,
    LEAST_ANSWERS,
    TOPIC_GAP,
    Claim,
    Hit,
    words_by_pages,
)
from visibility.recommendations.fix_prompts import fix_prompt
from visibility.recommendations.material import (
    Material,
    Seen,
    Subject,
    days_of,
    naming,
    questions_of,
    quotes_at,
    spread,
)
from visibility.recommendations.priority import NEW_PAGE, OWN_PAGE, impact_of, priority_of
from visibility.recommendations.products import above_limit, first_picks, products_words
from visibility.recommendations.queue import Card
from visibility.recommendations.sources import (
    MOST_PAGES,
    PLACES,
    TAKING_IN,
    address_of,
    lists_behind,
    most_cited,
    page_evidence,
    plain_line,
    presence,
)

LEAST_CITING = 2
"""Answers that cite a list or an own page, for it to be told."""
SITE_SHARE = 0.25
"""The part of the answers that has to cite a competitor's site, for it to be told."""
UNCITED_SHARE = 1 / 3
"""The part of an engine's answers without the brand that has to cite no page, for it to be told."""
RARELY = 1 / 3
LEAST_MORE = 2
QUOTE_IN_PROMPT = 120
TOLD, TOP, MOST_SITES, MOST_NAMES = 2, 3, 3, 4


@dataclass(frozen=True)
class Place:
    """Where the brand lags: the answers compared there, and those that offer others only, or put them first."""

    material: Material
    claim: Claim

    @property
    def hit(self) -> Hit:
        """What is counted of an answer."""
        return HITS[self.claim.kind]

    @property
    def is_of_mentions(self) -> bool:
        """Whether mentions are counted; otherwise first picks."""
        return self.hit is Seen.names

    @property
    def answers(self) -> Sequence[Seen]:
        """All answers that were compared."""
        return self.claim.lag.answers

    @property
    def of_topic(self) -> Sequence[Seen]:
        """All answers on its topic, of all engines."""
        return self.material.by_topic[self.claim.topic] if self.claim.topic else self.material.answers

    @cached_property
    def missing(self) -> list[Seen]:
        """Those that offer others only, or put them first; one that offers nobody is not to be won."""
        return [answer for answer in self.answers if not self.hit(answer, None) and not answer.names_nobody]

    @cached_property
    def instead(self) -> list[tuple[str, int]]:
        """Whom `missing` offer, or put first, tracked or not, and how many do; the most frequent first, of these the
        first pick."""
        name, firsts = self.material.name, Counter(filter(None, map(self.material.first_name, self.missing)))
        if not self.is_of_mentions:
            return firsts.most_common()
        offered = Counter(name(subject) for each in self.missing for subject in each.offered if subject)
        offered.update(marked(company) for each in self.missing for company in each.untracked)
        return sorted(offered.items(), key=lambda each: (-each[1], -firsts[each[0]], each[0]))

    @cached_property
    def rival(self) -> Subject:
        """The competitor that is ahead there, or the first of `instead`; None: nobody who is tracked."""
        by_name = {name: subject for subject, name in self.material.competitors.items()}
        return self.claim.lag.rival or next((by_name[name] for name, _ in self.instead if name in by_name), None)

    @property
    def rival_name(self) -> str:
        """How prompts call the one to beat: the competitor that is ahead, or the first of `instead`."""
        if self.claim.lag.rival:
            return self.material.name(self.claim.lag.rival)
        return next((name for name, _ in self.instead), "those that answers offer")

    @property
    def without(self) -> str:
        """What `missing` are."""
        return "that offer others only" if self.is_of_mentions else "that put others first"


@dataclass(frozen=True, slots=True)
class Found:
    """Something that explains a lag: a sentence, the step that it calls for (a key of `fix_prompts.toml`, with its
    words), and pages as evidence."""

    sentence: str = ""
    step: str = ""
    words: Mapping[str, object] = field(default_factory=dict)
    pages: Sequence[dict[str, object]] = ()


def gap_card(material: Material, claim: Claim) -> Card:
    """The card of a lag."""
    place, gap = Place(material, claim), claim.lag.gap
    main, details = ([each(place) for each in group] for group in (_MAIN, _DETAILS))
    found = [*main, *details]
    pages = [page for each in found for page in each.pages][:MOST_PAGES]
    own = _own_page(place)
    reach = OWN_PAGE if own and not claim.engine else NEW_PAGE
    priority = priority_of(material, place.missing, len(place.missing), len(place.missing), reach=reach)
    title, first = _engine_words(place) if claim.engine else _topic_words(place)
    facts = [each.sentence for each in found if not each.pages]
    said = material.quotes([each for each in place.of_topic if None in each.offered], None, most=TOLD)
    if said:
        facts.insert(
            1, f"Answers say of you: {'; '.join(marked(str(each['text'])[:QUOTE_IN_PROMPT]) for each in said)}."
        )
    steps = [(each.step, each.words) for each in found if each.step]
    steps.append(("own_page", {"page": marked(own)}) if own else ("new_page", {}))
    return Card(
        subject=claim.subject,
        title=title,
        summary=" ".join(filter(None, (first, *(each.sentence for each in main)))),
        priority=priority,
        impact=impact_of(priority),
        effort=Level.MEDIUM,
        evidence=[
            *({"kind": "figure", "text": unmarked(each.sentence)} for each in details if each.sentence),
            *_quotes(place),
            *said,
            *pages,
        ],
        payload={
            "k": gap.k,
            "of": gap.n,
            "topic": str(claim.topic) if claim.topic else None,
            "competitor": material.name(place.rival) if place.rival else None,
            "page": own,
            "fixPrompt": fix_prompt(
                material,
                claim.kind,
                [first, *facts],
                questions=_questions(place),
                pages=pages,
                criteria=claim.topic,
                steps=steps,
                rival=place.rival_name,
                engine=engine_name(claim.engine),
                topic=_topic_name(place),
                goal=_goal(place),
            ),
        },
    )


def _engine_words(place: Place) -> tuple[str, str]:
    """Title and first sentence of a card on an engine."""
    material, claim, gap = place.material, place.claim, place.claim.lag.gap
    verb, first = ("mention", "") if claim.kind == ENGINE_GAP else ("put", " first")
    on = f" on {material.topic_name(claim.topic)}" if claim.topic and len(material.by_topic) > 1 else ""
    rest = [engine_name(each) for each in sorted(material.by_engine) if each != claim.engine]
    others = f"{rest[0]} {verb}s" if len(rest) == 1 else f"The other engines {verb}"
    name = engine_name(claim.engine)
    often = "never" if not gap.k else "rarely" if gap.k <= RARELY * gap.n else "less often"
    return (
        f"{name} {often} {verb}s you{first}{on} ({gap.k} of {gap.n})",
        f"{others} you{first} in {gap.k_other} of {gap.n_other} answers to the same questions{on}, {name} in "
        f"{gap.k or 'none'} of {gap.n} ({days_of(place.answers)}).",
    )


def _topic_words(place: Place) -> tuple[str, str]:
    """Title and first sentence of a card on a topic."""
    gap, name = place.claim.lag.gap, place.rival_name
    where, number = _topic_name(place), len(place.answers)
    of = Counter(each.engine for each in place.answers)
    hits = Counter(each.engine for each in place.answers if place.hit(each, None))
    by_engine = ", ".join(f"{engine_name(engine)} {hits[engine]} of {of[engine]}" for engine in sorted(of))
    nobody = sum(each.names_nobody for each in place.answers)
    less = f" Nobody at all is offered in {nobody} of them." if nobody else ""
    if place.claim.kind == TOPIC_GAP:
        alone = sum(each.names(place.rival) for each in place.missing)
        return (
            f"{name} is ahead of you on {where}: {gap.k_other} of {number}, you {gap.k}",
            f"On {where} {alone} of {number} answers mention {name} and not you ({days_of(place.answers)}; you: "
            f"{by_engine}).{less}",
        )
    named = len(naming(place.answers, None))
    first = f"; first: {by_engine}" if gap.k else ""
    return (
        f"{name} is picked first on {where}: {gap.k_other} of {number}, you {gap.k}",
        f"On {where} {named} of {number} answers mention you, {gap.k or 'none'} first ({days_of(place.answers)}"
        f"{first}).{less}",
    )


def _topic_name(place: Place) -> str:
    return place.material.topic_name(place.claim.topic) if place.claim.topic else "all topics"


def _instead(place: Place) -> Found:
    """Whom the answers without the brand mention, or put first, and at which place they put the brand."""
    material = place.material
    if place.is_of_mentions:
        tracked = {*material.competitors.values()}
        shown = ", ".join(
            f"{name}{'' if name in tracked else ' (not tracked)'} {number}"
            for name, number in place.instead[:MOST_NAMES]
        )
        return Found(f"Offered instead, in {len(place.missing)} answers: {shown}." if shown else "")
    shown = first_picks(material, place.answers)
    ranks = [each.ranks[None] for each in place.answers if None in each.ranks]
    usual = f" Your usual place is {median_high(ranks)}." if ranks else ""
    return Found(f"Otherwise first: {shown}.{usual}" if shown else usual.strip())


def _worst_question(place: Place) -> Found:
    """The question on which the brand is missing beyond chance more often than on the others."""
    of = Counter(each.version for each in place.answers)
    found = [(_chance_on(place, version), version) for version in of if len(of) > 1]
    chance, version = min(found, default=(1.0, 0))
    if chance * len(of) > place.material.level:
        return Found()
    k = sum(place.hit(each, None) for each in place.answers if each.version == version)
    question = marked(questions_of(place.answers)[version])
    return Found(f"Least often on {question}: {k or 'none'} of {of[version]}.")


def _chance_on(place: Place, version: int) -> float:
    """The chance of so few hits on a question, beside the same engine's answers to the others."""
    strata = []
    for engine in {each.engine for each in place.answers}:
        rows = [each for each in place.answers if each.engine == engine]
        asked = [each for each in rows if each.version == version]
        hits = [sum(place.hit(each, None) for each in part) for part in (asked, rows)]
        strata.append((hits[0], len(asked), hits[1], len(rows)))
    return chance_of_fewer(strata)


def _products(place: Place) -> Found:
    """The products of the brand and the competitor that answers name first of theirs, and prices above the limit."""
    if place.claim.topic is None:
        return Found()
    shown = products_words(place.material, place.of_topic, [None, place.rival] if place.rival else [None])
    sentences = [f"Leading products: {shown}." if shown else "", above_limit(place.of_topic)]
    step = "products" if products_words(place.material, place.of_topic, [None]) else ""
    return Found(" ".join(filter(None, sentences)), step)


def _lists(place: Place) -> Found:
    """The lists and forum threads behind the answers that lack the brand."""
    found = [
        (page, rows, number, read)
        for page, rows, number, read in lists_behind(place.material, place.answers, place.missing)
        if not (place.is_of_mentions and read and read.names_brand)
    ]
    told = []
    for page, rows, number, read in found[:TOLD]:
        cited = f"; {len(rows)} cite it" if number < len(rows) else ""
        told.append(
            f"{address_of(page)} ({PLACES[page.source_class]}, behind {number}{cited}, {presence(read, rows)})"
        )
    pages = [page_evidence(page.url, plain_line(rows, read)) for page, rows, _, read in found]
    step = "lists" if place.is_of_mentions else "lists_first"
    if told:
        sentence = f"Pages behind the {len(place.missing)} answers {place.without}: {'; '.join(told)}."
        return Found(sentence, step, {}, pages)
    is_cited = any(each.cited for each in place.missing)
    return Found(f"No list is behind several of the answers {place.without}." if is_cited else "")


def _sites(place: Place) -> Found:
    """The competitor's own site where many answers cite it."""
    rival, number = place.rival, len(place.answers)
    if rival is None:
        return Found()
    theirs, own = ([each for each in place.answers if _cites(each, subject)] for subject in (rival, None))
    if len(theirs) < max(LEAST_ANSWERS, SITE_SHARE * number):
        return Found()
    name = place.material.name(rival)  # not `rival_name`, which may be somebody who is not tracked
    most = most_cited(theirs, lambda page: page.owner == rival, least=1)[:TOLD]
    pages = [page_evidence(page.url, f"{name}'s own, cited by {len(rows)} answers") for page, rows in most]
    sentence = f"{len(theirs)} of {number} answers cite {name}'s own site, {len(own) or 'none'} yours."
    return Found(sentence, "site", {"rival_pages": ", ".join(address_of(page) for page, _ in most)}, pages)


def _cites(answer: Seen, subject: Subject) -> bool:
    return any(page.owner == subject and page.owner is not False for page in answer.cited)


def _uncited(place: Place) -> Found:
    """The engines that cite no page in many of these answers, and whether that makes the difference."""
    sentences = []
    for engine in sorted({each.engine for each in place.missing}):
        missing = [each for each in place.missing if each.engine == engine]
        bare = sum(not each.cited for each in missing)
        if bare < max(LEAST_CITING, UNCITED_SHARE * len(missing)):
            continue
        sentences.append(
            f"{engine_name(engine)} cites no page in {'any' if bare == len(missing) else bare} of its {len(missing)} "
            f"answers {place.without}{_by_pages(place, engine)}."
        )
    sites = Counter(
        domain
        for each in place.of_topic
        for domain in {page.domain for page in each.cited if page.owner is False and page.source_class in TAKING_IN}
    )
    most = ", ".join(marked(domain) for domain, _ in sites.most_common(MOST_SITES)) or "shops, forums, Wikipedia"
    return Found(" ".join(sentences), "uncited", {"sites": most}) if sentences else Found()


def _by_pages(place: Place, engine: str) -> str:
    words = words_by_pages(place.material, [each for each in place.answers if each.engine == engine], place.hit)
    return f": {words}" if words else ""


_MAIN: Sequence[Callable[[Place], Found]] = (_instead, _lists)
_DETAILS: Sequence[Callable[[Place], Found]] = (_worst_question, _products, _uncited, _sites)
"""What the summary tells, and what is evidence beside it."""


def _own_page(place: Place) -> str | None:
    """The own page that most answers on the topic cite."""
    own = most_cited(place.of_topic, lambda page: page.owner is None, least=LEAST_CITING)
    return own[0][0].url if own else None


def _quotes(place: Place) -> list[dict[str, object]]:
    """Quotes of first picks, or of what answers without the brand say of the competitor; without any, the answers."""
    if not place.is_of_mentions:
        return quotes_at({each: first for each in place.missing if (first := each.first_place)})
    if place.rival:
        return place.material.quotes(place.missing, place.rival)
    return [
        {
            "kind": "answer",
            "text": "names nobody who is tracked",
            "engine": each.engine,
            "promptId": str(each.prompt),
            "answerId": each.pk,
        }
        for each in spread(place.missing, 3)
    ]


def _questions(place: Place) -> list[str]:
    """The questions, each with how often the brand is there, the worst first."""
    of = Counter(each.version for each in place.answers)
    hits = Counter(each.version for each in place.answers if place.hit(each, None))
    texts, you = questions_of(place.answers), "you" if place.is_of_mentions else "you first"
    return [
        f"{marked(texts[version])} ({you} in {hits[version]} of {of[version]})"
        for version in sorted(of, key=lambda each: (hits[each] / of[each], each))
    ]


def _goal(place: Place) -> str:
    """What the next answers should show: half of the way to those it is compared with, and the first three places
    before the first."""
    gap, name, number = place.claim.lag.gap, place.material.brand.name, len(place.answers)
    k, best = gap.k, number * gap.k_other / gap.n_other
    what = f"mention {name}" if place.is_of_mentions else f"put {name} first"
    top = sum(each.ranks.get(None, TOP + 1) <= TOP for each in place.answers)
    if not place.is_of_mentions and 2 * top < number:
        k, best, what = top, number, f"have {name} among the first three"
    of = f" of {engine_name(place.claim.engine)}" if place.claim.engine else ""
    return f"{k + max(LEAST_MORE, round((best - k) / 2))} of the next {number} such answers{of} {what} (now {k})"
