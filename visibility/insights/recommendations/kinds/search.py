"""Searches that engines made to answer, and no own page answers: what they look for, they quote from others.

Open: three answers made it or more, two where two engines did, and of what it asks for the best own page holds less
than 60 %. Closed: an own page answers it by now, or none of enough answers makes it any more. Where no own page is
known, nothing is said to be missing. Searches that name a competitor are not the brand's to answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.utils.formats import date_format

from apikeys.text.sentences import counted, one_line, shortened
from visibility.detection.types import BRAND
from visibility.insights.recommendations.citing import is_enough, spread
from visibility.insights.recommendations.kind import Basis, Fix, Observation, ProvenBy, Standing, Words
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.searching import (
    Asked,
    answers_by_topic,
    closed_rows,
    named_by,
    read_asked,
    read_names,
    told,
)
from visibility.insights.recommendations.wording import MAX_QUOTE, MAX_TITLE, EvidenceText, tallies_in_words
from visibility.measured.facts import AnswerFacts
from visibility.measured.own_pages import Match

OPENS_BELOW = 0.6
"""Of what is asked for: where an own page holds more, nothing is told to be missing."""
MAX_ASKED = 200
"""The most frequent ones; each is compared with all own pages."""
MAX_QUERY = 80
MAX_SEARCHES = 3
NEAREST = 0.5
"""Of what is asked for; an own page that holds less is not worth revising for it."""


class Searches:
    """Searches that no own page answers."""

    id = "search"
    reason = "Engines read what their searches find: where no page of yours answers, they quote others."
    basis = Basis.EVIDENCE
    proven_by = ProvenBy.CITATION_RATE
    max_open = 8

    def observe(self, material: Material) -> Iterable[Observation]:
        """Each search of now that a page could answer, and those in the queue that no answer makes any more."""
        if not material.basis.engines or not material.own_pages.pages:
            return []
        names = read_names(material)
        group = [row for row in read_asked(material.searches) if named_by(row.query, names) <= {BRAND}][:MAX_ASKED]
        by_topic = answers_by_topic(material)
        searching = frozenset().union(*(search.made_by for search in material.searches))
        could = {topic: [row for row in rows if row.id in searching] for topic, rows in by_topic.items()}
        rows = [_observation(material, row, by_topic[row.topic]) for row in group if row.topic in by_topic]
        return [*rows, *closed_rows(material, self.id, {row.subject for row in rows}, could)]

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What is said of each search, without a statement."""
        return [_words(material, row) for row in observations]


def _observation(material: Material, group: Asked, answers: Sequence[AnswerFacts]) -> Observation:
    showing = [answer for answer in answers if answer.id in group.answers]
    group = replace(group, match=material.own_pages.best(group.query))
    row = told(material, group.subject, _standing(material, group, showing), group.topic, showing, answers)
    return replace(row, details=(group, showing))


def _standing(material: Material, group: Asked, showing: Sequence[AnswerFacts]) -> Standing:
    if material.own_pages.answers(group.query):
        return Standing.CLOSED
    is_missing = group.match is None or group.match.share < OPENS_BELOW
    return Standing.OPEN if is_missing and is_enough(showing) else Standing.BETWEEN


def _words(material: Material, row: Observation) -> Words:
    group, showing = row.details
    facts = material.subject
    brand, topic, site = one_line(facts.brand), one_line(facts.topic_name(row.topic)), one_line(facts.domain)
    pages = counted(len(material.own_pages.pages), "own page that was read", "own pages that were read")
    engines = tallies_in_words(tally for tally in row.tallies if tally.gaps)
    return Words(
        title=shortened(
            f"Answer “{shortened(one_line(group.query), MAX_QUERY)}” on {site}: engines searched for it in "
            f"{row.factors.answers} of {row.factors.of_answers} answers on {topic}",
            MAX_TITLE,
        ),
        summary=f"Answers on {topic} for which engines made this search ({date_format(facts.day)}): {engines}. Of "
        f"{pages} none answers it.{_nearest(group.match)}",
        evidence=_evidence(group, showing),
        fix=_fix(brand, site, topic, group.match),
    )


def _nearest(match: Match | None) -> str:
    if match is None or match.share < NEAREST:
        return ""
    return f" The nearest holds {round(100 * match.share)} % of what it asks for: it is in the evidence."


def _evidence(group: Asked, showing: Sequence[AnswerFacts]) -> list[EvidenceText]:
    """The search in its wordings with answers that made it, and the own page that comes nearest."""
    examples = spread(showing)
    queries = group.queries[:MAX_SEARCHES]
    made = [
        EvidenceText("search", shortened(one_line(query), MAX_QUOTE), answer.engine, answer.prompt, answer.id)
        for query, answer in zip(queries, [*examples, *examples[:1] * len(queries)], strict=False)
    ]
    match = group.match
    if match is None or match.share < NEAREST:
        return made
    return [*made, EvidenceText("page", shortened(one_line(match.passage), MAX_QUOTE), url=match.page.url)]


def _fix(brand: str, site: str, topic: str, match: Match | None) -> Fix:
    nearest = match is not None and match.share >= NEAREST
    where = "Revise the own page in the evidence, which comes nearest" if nearest else f"Write a page of {site}"
    return Fix(
        goal=f"Have a page of {site} answer the search in the evidence, which engines make to answer about "
        f"“{topic}”.",
        tasks=(
            f"{where}: answer the search in the first two sentences, in its own words, so that they can be quoted "
            "alone.",
            f"Say there what {brand} offers for it, for whom, and for whom not, with figures that can be checked.",
            "Use the words of the search in the title, in one heading and in the address of a new page.",
            "Link the page from the page of its topic, and list it in the sitemap.",
        ),
        keep=("Answer this search alone: what others ask has pages of its own.", "Keep the addresses of pages."),
        done_when=f"The next audit reads a page of {site} that answers the search; later answers about “{topic}” "
        "cite it.",
    )
