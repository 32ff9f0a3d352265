"""Comparisons that answers make and no own page does: of a competitor with the brand, or with another competitor.

An answer shows it when a sentence puts the competitor beside another tracked name, or a search behind it does. Open:
three such answers on a topic or more, two of two engines, and a tenth of them all. Closed: an own page compares with
that competitor by now, or of enough answers hardly any compares it. Of a topic the competitor that is compared most
is enough. Where no own page is known, nothing is said to be missing.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import counted, one_line, shortened
from visibility.detection.types import BRAND
from visibility.insights.recommendations.citing import MIN_TOPIC_ANSWERS, is_enough, spread
from visibility.insights.recommendations.kind import Basis, Fix, Observation, ProvenBy, Standing, Words
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.searching import answers_by_topic, closed_rows, named_by, read_names, told
from visibility.insights.recommendations.wording import (
    MAX_QUOTE,
    MAX_TITLE,
    EvidenceText,
    sentence_around,
    tallies_in_words,
)
from visibility.measured.facts import AnswerFacts
from visibility.models import Answer, Mention
from visibility.writers.comparing import compared_in, compares, compares_with

OPENS, CLOSES = 1 / 10, 1 / 30
MAX_ANSWERS = 60
"""Answers on one topic whose texts are read, spread over engines and questions."""
MAX_EVIDENCE = 5


@dataclass(frozen=True, slots=True)
class Compared:
    """A competitor that answers on a topic compare: in `places` where in their texts, in `queries` the search that
    does, by answer; `with_brand` of them compare it with the brand."""

    rival: UUID
    showing: tuple[AnswerFacts, ...]
    places: Mapping[UUID, int]
    queries: Mapping[UUID, str]
    with_brand: int


class ComparisonPages:
    """Comparisons that no own page makes."""

    id = "comparison_page"
    reason = "Who decides between two names is told by the page that compares them; today none of yours does."
    basis = Basis.EVIDENCE
    proven_by = ProvenBy.SCORE
    max_open = 5

    def observe(self, material: Material) -> Iterable[Observation]:
        """Each competitor on each topic that answers compare, and those in the queue that none compares any more."""
        if not material.basis.engines or not material.own_pages.pages:
            return []
        by_topic = answers_by_topic(material)
        read = {topic: spread(_naming_two(rows), MAX_ANSWERS) for topic, rows in by_topic.items()}
        searched = _searched(material)
        places = _places({answer.id for rows in read.values() for answer in rows})
        compared_on_site = _own_comparisons(material)
        rows: list[Observation] = []
        for topic, answers in by_topic.items():
            compared = _compared(answers, places, searched)
            rows += _one_of_each_topic(
                _observation(material, topic, row, answers, row.rival in compared_on_site) for row in compared
            )
        return [*rows, *closed_rows(material, self.id, {row.subject for row in rows}, by_topic)]

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What is said of each, in one statement for all."""
        quoted = {row.subject: spread(row.details.showing) for row in observations}
        ids = {answer.id for answers in quoted.values() for answer in answers}
        texts = dict(Answer.objects.filter(pk__in=ids).order_by().values_list("pk", "text"))
        return [_words(material, row, quoted[row.subject], texts) for row in observations]


def subject_of(topic: str, rival: UUID) -> str:
    """The fingerprint of a comparison with a competitor on a topic (a key)."""
    return f"{hashlib.sha256(topic.encode()).hexdigest()[:40]}:{rival}"


def _naming_two(answers: Iterable[AnswerFacts]) -> list[AnswerFacts]:
    return [answer for answer in answers if len(answer.rivals) + answer.brand_named > 1]


def _places(answers: Iterable[UUID]) -> Mapping[UUID, Mapping[UUID, tuple[int, bool]]]:
    """By answer and competitor: where a sentence compares it first, and whether with the brand."""
    ids = sorted(answers, key=str)
    spans: dict[UUID, list[tuple[int, int, str]]] = defaultdict(list)
    mentions = Mention.objects.filter(answer__in=ids).visible().order_by("answer", "start")
    for answer, competitor, start, end in mentions.values_list("answer_id", "competitor_id", "start", "end"):
        spans[answer].append((start, end, str(competitor) if competitor else BRAND))
    places: dict[UUID, dict[UUID, tuple[int, bool]]] = defaultdict(dict)
    rows = Answer.objects.filter(pk__in=ids).order_by().values_list("pk", "text")
    for answer, text in rows.iterator(chunk_size=100):
        for first, second, start in compared_in(text, spans[answer]):
            for rival in {first, second} - {BRAND}:
                places[answer].setdefault(UUID(rival), (start, BRAND in (first, second)))
    return places


def _searched(material: Material) -> Mapping[UUID, Mapping[UUID, tuple[str, bool]]]:
    """By answer and competitor: the search behind it that compares it, and whether with the brand."""
    names = read_names(material)
    searched: dict[UUID, dict[UUID, tuple[str, bool]]] = defaultdict(dict)
    for search in material.searches:
        named = named_by(search.query, names) if compares(search.query) else frozenset()
        for answer in search.made_by:
            for rival in named - {BRAND}:
                searched[answer].setdefault(UUID(rival), (search.query, BRAND in named))
    return searched


def _own_comparisons(material: Material) -> frozenset[UUID]:
    """The competitors with whom an own page compares."""
    texts = [f"{page.title}\n{page.text}" for page in material.own_pages.pages]
    rivals = material.subject.competitors
    return frozenset(rival for rival, name in rivals.items() if compares_with(texts, name))


def _compared(
    answers: Sequence[AnswerFacts],
    places: Mapping[UUID, Mapping[UUID, tuple[int, bool]]],
    searched: Mapping[UUID, Mapping[UUID, tuple[str, bool]]],
) -> list[Compared]:
    """The competitors that these answers compare, the one of most answers first."""
    showing: dict[UUID, list[AnswerFacts]] = defaultdict(list)
    for answer in answers:
        for rival in {*places.get(answer.id, ()), *searched.get(answer.id, ())}:
            showing[rival].append(answer)
    rows = [_of_rival(rival, of_rival, places, searched) for rival, of_rival in showing.items()]
    return sorted(rows, key=lambda row: (-len(row.showing), -row.with_brand, str(row.rival)))


def _of_rival(
    rival: UUID,
    showing: Sequence[AnswerFacts],
    places: Mapping[UUID, Mapping[UUID, tuple[int, bool]]],
    searched: Mapping[UUID, Mapping[UUID, tuple[str, bool]]],
) -> Compared:
    said = {answer.id: places[answer.id][rival] for answer in showing if rival in places.get(answer.id, ())}
    queries = {answer.id: searched[answer.id][rival] for answer in showing if rival in searched.get(answer.id, ())}
    with_brand = {answer for answer, (_, is_brand) in (*said.items(), *queries.items()) if is_brand}
    return Compared(
        rival,
        tuple(showing),
        {answer: place for answer, (place, _) in said.items()},
        {answer: query for answer, (query, _) in queries.items()},
        len(with_brand),
    )


def _observation(
    material: Material, topic: str, row: Compared, answers: Sequence[AnswerFacts], has_page: bool
) -> Observation:
    share = len(row.showing) / len(answers)
    standing = Standing.BETWEEN
    if has_page or (share <= CLOSES and len(answers) >= MIN_TOPIC_ANSWERS):
        standing = Standing.CLOSED
    elif share >= OPENS and is_enough(row.showing):
        standing = Standing.OPEN
    observed = told(material, subject_of(topic, row.rival), standing, topic, row.showing, answers)
    return replace(observed, rivals=(row.rival,), details=row)


def _one_of_each_topic(rows: Iterable[Observation]) -> Iterable[Observation]:
    """The further competitors on a topic open nothing; what is open stays so, or closes by its own answers."""
    is_open = False
    for row in rows:
        yield replace(row, standing=Standing.BETWEEN) if row.standing is Standing.OPEN and is_open else row
        is_open = is_open or row.standing is Standing.OPEN


def _words(material: Material, row: Observation, quoted: Sequence[AnswerFacts], texts: Mapping[UUID, str]) -> Words:
    facts, compared = material.subject, row.details
    brand, topic, site = one_line(facts.brand), one_line(facts.topic_name(row.topic)), one_line(facts.domain)
    rival = one_line(facts.competitors[compared.rival])
    pages = counted(len(material.own_pages.pages), "own page that was read", "own pages that were read")
    engines = tallies_in_words(row.tallies)
    counts = f"{row.factors.answers} of {row.factors.of_answers} answers on it compare {rival}"
    return Words(
        title=shortened(f"Compare {brand} with {rival} for {topic} on a page of {site}: {counts}", MAX_TITLE),
        summary=f"Answers on {topic} that compare {rival} with {brand} or a competitor, in words or in a search "
        f"({date_format(facts.day)}): {engines}; with {brand}: {compared.with_brand}. Of {pages} none compares with "
        f"{rival}.",
        evidence=_evidence(compared, quoted, texts),
        fix=_fix(brand, rival, topic, site),
    )


def _evidence(compared: Compared, quoted: Sequence[AnswerFacts], texts: Mapping[UUID, str]) -> list[EvidenceText]:
    """The sentences that compare, and the searches that do."""
    pieces: dict[str, EvidenceText] = {}
    for answer in quoted:
        place, query = compared.places.get(answer.id), compared.queries.get(answer.id)
        source = (answer.engine, answer.prompt, answer.id)
        if place is not None and (quote := sentence_around(texts.get(answer.id, ""), place)):
            pieces.setdefault(quote, EvidenceText("answer", quote, *source))
        if query:
            text = shortened(one_line(query), MAX_QUOTE)
            pieces.setdefault(text, EvidenceText("search", text, *source))
    return list(pieces.values())[:MAX_EVIDENCE]


def _fix(brand: str, rival: str, topic: str, site: str) -> Fix:
    return Fix(
        goal=f"Publish an honest comparison of {brand} and {rival} for “{topic}” on {site} that engines can quote.",
        tasks=(
            f"Choose the product of {brand} that meets the one of {rival} that the evidence compares.",
            "Compare both in a table by what buyers judge by, each figure with its source; mark what is missing as "
            "[fact needed: …].",
            f"Say in two sentences at the top for whom {brand} is the better choice, and for whom {rival} is.",
            "Put both names into title and main heading, and answer the comparing questions of the evidence.",
        ),
        keep=(
            f"Say of {rival} only what its own pages or independent tests say, with the address and the day.",
            f"Leave in what {rival} does better: a comparison that wins everywhere is not believed.",
        ),
        done_when=f"The next audit reads a page of {site} that compares with {rival}.",
    )
