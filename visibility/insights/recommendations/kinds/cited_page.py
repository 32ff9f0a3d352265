"""Pages of others that answers cite for rivals: lists, tests, threads and reports where the brand could stand, too.

An answer shows the gap when it cites the page, names a competitor that its question does not name, and not the
brand. Open: two thirds of the answers that cite the page, at least three of them or of two engines. Closed: a third
or fewer, or no answer on its topic cites it any more. Of a site one page a topic is enough: its editors are the same;
and of a topic three open at a time, those of most answers first.
Pages of competitors, shops and encyclopedias are left out, those about a competitor alone, as their address or title
says, and of sites of no class those that are no list.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import one_line, shortened
from visibility.detection.types import SourceClass
from visibility.insights.pages.ranking import offers_products
from visibility.insights.recommendations.citing import (
    CitedText,
    Citing,
    no_longer_cited,
    observation,
    read_cited_texts,
    read_citing,
    rivals_in_words,
)
from visibility.insights.recommendations.gaps import shows_gap
from visibility.insights.recommendations.kind import (
    Basis,
    Effect,
    Effort,
    Fix,
    Observation,
    ProvenBy,
    Standing,
    Words,
)
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.wording import MAX_TITLE, EvidenceText, sentence_around, tallies_in_words
from visibility.measured.facts import AnswerFacts
from visibility.measured.sources import PageWords, read_page_words
from visibility.models import Citation, Mention

OPENS, CLOSES = 2 / 3, 1 / 3
MAX_OF_TOPIC = 3
"""Pages of one topic that open."""
MAX_EVIDENCE = 5
_OF_ONE_MAKER = (SourceClass.COMMUNITY, SourceClass.VIDEO)
"""Each thread and video has people of its own: one does not stand for the others."""
_CLASSES = (SourceClass.REVIEW_SITE, SourceClass.NEWS, SourceClass.OTHER, *_OF_ONE_MAKER)
_LIST = re.compile(
    r"(?<![a-z])(?:best|top|vs|versus|compar\w+|guides?|picks?|lists?|rank\w+|reviews?|tested|alternatives?|under"
    r"|besten?|vergleich|testsieger|meilleure?s?|comparatif|mejores|comparativa)(?![a-z])",
    re.IGNORECASE,
)


class CitedPages:
    """Cited pages of others worth being on."""

    id = "cited_page"
    reason = "Engines build answers from a few pages of others; whom these pages name, the answers name."
    basis = Basis.ANSWERS
    proven_by = ProvenBy.SCORE
    max_open = 8

    def observe(self, material: Material) -> Iterable[Observation]:
        """Each page that enough answers cite, and those in the queue that none cites any more."""

        def shows(answer: AnswerFacts) -> bool:
            return shows_gap(answer, material.subject.prompts[answer.prompt])

        pages = [row for row in read_citing(material, shows) if _is_of_others(row)]
        words = read_page_words(material.basis.compared, [row.page for row in pages])
        pages = [row for row in pages if _is_worth_being_on(row, words) and not _is_of_a_rival(row, words, material)]
        rows = [
            observation(material, row, row.standing(OPENS, CLOSES), Effect.LIKELY, Effort.HIGH)
            for row in sorted(pages, key=lambda row: (-len(row.showing), -row.share, row.page.digest))
        ]
        cited = {page.digest for pages_of in material.cited.values() for page in pages_of}
        return [*_few_of_each_topic(_one_of_each_site(rows)), *no_longer_cited(material, self.id, cited)]

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What is said of each page, in two statements for all."""
        texts = read_cited_texts(observations)
        places = _rival_places(text.answer for of_page in texts.values() for text in of_page)
        return [_words(material, row, texts.get(row.subject, ()), places) for row in observations]


def _is_of_others(row: Citing) -> bool:
    return row.page.owner == Citation.Owner.OTHER and row.page.cls in _CLASSES


def _is_worth_being_on(row: Citing, words: Mapping[str, PageWords]) -> bool:
    page = words[row.page.digest]
    if offers_products(row.page, page.url):
        return False
    return row.page.cls is not SourceClass.OTHER or _LIST.search(f"{page.url} {page.title}") is not None


def _is_of_a_rival(row: Citing, words: Mapping[str, PageWords], material: Material) -> bool:
    """Whether its address or title names a competitor, and not the brand: a test of that one's product, mostly."""
    page = words[row.page.digest]
    said = _spaced(f"{urlsplit(page.url).path} {page.title}")
    rivals = material.subject.competitors.values()
    return _spaced(material.subject.brand) not in said and any(_spaced(name) in said for name in rivals)


def _spaced(text: str) -> str:
    """The words in small letters, each between blanks."""
    words = re.findall(r"[^\W_]+", text.casefold())
    return f" {' '.join(words)} "


def _one_of_each_site(rows: Iterable[Observation]) -> Iterable[Observation]:
    """The further pages of a site on a topic open nothing; what is open stays so, or closes by its own answers."""
    opened = set()
    for row in rows:
        page = row.details.page
        site = (page.domain, row.topic, page.digest if page.cls in _OF_ONE_MAKER else "")
        if row.standing is Standing.OPEN and site in opened:
            yield replace(row, standing=Standing.BETWEEN)
            continue
        if row.standing is Standing.OPEN:
            opened.add(site)
        yield row


def _few_of_each_topic(rows: Iterable[Observation]) -> Iterable[Observation]:
    """So many pages of a topic open at a time: one topic does not fill the queue. What is open stays so."""
    opened: Counter[str] = Counter()
    for row in rows:
        if row.standing is Standing.OPEN:
            opened[row.topic] += 1
            if opened[row.topic] > MAX_OF_TOPIC:
                yield replace(row, standing=Standing.BETWEEN)
                continue
        yield row


def _rival_places(answers: Iterable[AnswerFacts]) -> Mapping[UUID, Sequence[tuple[int, UUID]]]:
    """Where each of these answers names competitors, by its id."""
    rows = Mention.objects.filter(answer__in={answer.id for answer in answers}, competitor__isnull=False).visible()
    places: dict[UUID, list[tuple[int, UUID]]] = defaultdict(list)
    for answer, start, rival in rows.order_by("start").values_list("answer_id", "start", "competitor_id"):
        places[answer].append((start, rival))
    return places


def _words(
    material: Material,
    row: Observation,
    texts: Sequence[CitedText],
    places: Mapping[UUID, Sequence[tuple[int, UUID]]],
) -> Words:
    facts, page = material.subject, row.details.page
    brand, site, topic = one_line(facts.brand), one_line(page.domain), one_line(facts.topic_name(row.topic))
    rivals = rivals_in_words(row.rivals, facts)
    counts = f"{row.factors.answers} of {row.factors.of_answers} answers that cite it"
    return Words(
        title=shortened(f"{_lead(page.cls, brand, site, topic)}: {counts} name {rivals}, not {brand}", MAX_TITLE),
        summary=_summary(material, row, brand, rivals),
        evidence=_evidence(row, texts, places),
        fix=_fix(material, row, brand, topic),
    )


def _lead(cls: SourceClass, brand: str, site: str, topic: str) -> str:
    if cls is SourceClass.COMMUNITY:
        return f"Take part in the {site} thread on {topic}"
    if cls is SourceClass.VIDEO:
        return f"Get {brand} to the maker of the {site} video on {topic}"
    return f"Get {brand} onto the {site} page on {topic}"


def _summary(material: Material, row: Observation, brand: str, rivals: str) -> str:
    facts = material.subject
    engines = tallies_in_words(tally for tally in row.tallies if tally.gaps)
    return (
        f"Answers that cite this page and name {rivals} but not {brand}, of all that cite it "
        f"({date_format(facts.day)}): {engines}. Engines take from pages like this one whom they name."
    )


def _evidence(
    row: Observation, texts: Sequence[CitedText], places: Mapping[UUID, Sequence[tuple[int, UUID]]]
) -> list[EvidenceText]:
    """The page, and of each answer the sentence on it that names a competitor, else the first that does."""
    quotes: dict[str, EvidenceText] = {}
    for text in texts:
        starts = [start for start, rival in places.get(text.answer.id, ()) if rival in row.rivals]
        resting = [place for place in starts if any(begin <= place < end for begin, end in text.spans)]
        if starts and (quote := sentence_around(text.text, [*resting, *starts][0])):
            quotes.setdefault(quote, text.quote(quote))
    return [*(text.page() for text in texts[:1]), *quotes.values()][:MAX_EVIDENCE]


_TURNS: Mapping[SourceClass, str] = {
    SourceClass.COMMUNITY: "Draft a contribution that answers the thread's question, says openly that the brand "
    "writes it, and links a page only where that helps. Read the community's rules first.",
    SourceClass.VIDEO: "Draft a short message to the maker of the video: what a next test could look at, the "
    "verified facts with their addresses, the offer of a sample to test, a press contact.",
}
_EDITORS = (
    "Draft a short message to its editors: which product belongs on the page by the page's own criteria, its "
    "verified facts with their addresses, the offer of a sample to test, a press contact."
)


def _fix(material: Material, row: Observation, brand: str, topic: str) -> Fix:
    own, cls = one_line(material.subject.domain), row.details.page.cls
    return Fix(
        goal=f"Have {brand} considered for the page in the evidence, which answers about “{topic}” cite.",
        tasks=(
            "Open the page. Say what it is (a list, a test of one product, a thread, a report), when it was last "
            f"updated, how it chooses, and whether {brand} is on it by now.",
            f"Choose the product of {own} that fits it best. List what the page tells of the others, and the same of "
            "that product from its own pages; mark what is missing as [fact needed: …].",
            _TURNS.get(cls, _EDITORS),
            f"List what {own} has to publish before anyone there can check it.",
        ),
        keep=(
            "Offer no money or favour for a place, and post no review and under no name but the brand's.",
            "Say of competitors only what the page says itself.",
        ),
        done_when=f"The page names {brand}, or its editors have answered; the next scans count the answers that cite "
        f"it and name {brand}.",
    )
