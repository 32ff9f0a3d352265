"""Own pages that answers cite without a word of the brand: the page is used, its maker is not said.

An answer shows the gap when it cites the page and does not name the brand. Open: half of the answers that cite the
page, at least three of them or of two engines. Closed: a fifth or fewer, or no answer on its topic cites it any more,
which is another gap.
"""

from collections.abc import Iterable, Sequence

from django.utils.formats import date_format

from apikeys.text.sentences import one_line, shortened
from visibility.insights.recommendations.citing import (
    CitedText,
    no_longer_cited,
    observation,
    read_cited_texts,
    read_citing,
    rivals_in_words,
)
from visibility.insights.recommendations.kind import Basis, Effect, Effort, Fix, Observation, ProvenBy, Words
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.wording import MAX_TITLE, EvidenceText, tallies_in_words
from visibility.measured.facts import AnswerFacts
from visibility.models import Citation

OPENS, CLOSES = 1 / 2, 1 / 5
MAX_EVIDENCE = 5


class OwnPagesUnnamed:
    """Own pages that are cited, and the brand not named."""

    id = "own_page_unnamed"
    reason = "The page convinces engines already; what is missing is a sentence that carries the brand's name along."
    basis = Basis.ANSWERS
    proven_by = ProvenBy.SCORE
    max_open = 5

    def observe(self, material: Material) -> Iterable[Observation]:
        """Each own page that enough answers cite, and those in the queue that none cites any more."""
        pages = [row for row in read_citing(material, _is_unnamed) if row.page.owner == Citation.Owner.OWN]
        cited = {page.digest for pages_of in material.cited.values() for page in pages_of}
        return [
            *(
                observation(material, row, row.standing(OPENS, CLOSES), Effect.LIKELY, Effort.LOW)
                for row in sorted(pages, key=lambda row: (-len(row.showing), -row.share, row.page.digest))
            ),
            *no_longer_cited(material, self.id, cited),
        ]

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What is said of each page, in one statement for all."""
        texts = read_cited_texts(observations)
        return [_words(material, row, texts.get(row.subject, ())) for row in observations]


def _is_unnamed(answer: AnswerFacts) -> bool:
    return not answer.brand_named


def _words(material: Material, row: Observation, texts: Sequence[CitedText]) -> Words:
    facts, factors = material.subject, row.factors
    brand, site, topic = (
        one_line(facts.brand),
        one_line(row.details.page.domain),
        one_line(facts.topic_name(row.topic)),
    )
    engines = tallies_in_words(row.tallies)
    instead = f" They name {rivals_in_words(row.rivals, facts)} instead." if row.rivals else ""
    return Words(
        title=shortened(
            f"Say {brand} in the sentences of your {site} page on {topic}: {factors.answers} of {factors.of_answers} "
            "answers that cite it do not name you",
            MAX_TITLE,
        ),
        summary=f"Answers that cite this page without naming {brand}, of all that cite it "
        f"({date_format(facts.day)}): {engines}.{instead}",
        evidence=_evidence(texts),
        fix=_fix(brand, topic, material),
    )


def _evidence(texts: Sequence[CitedText]) -> list[EvidenceText]:
    """The page, and the sentences of the answers that rest on it; without them, which question it was cited for."""
    quotes: dict[str, EvidenceText] = {}
    for text in texts:
        for sentence in text.sentences:
            quotes.setdefault(sentence, text.quote(sentence))
    pages = [text.page() for text in texts]
    return [*pages[:1], *(quotes.values() or pages[1:])][:MAX_EVIDENCE]


def _fix(brand: str, topic: str, material: Material) -> Fix:
    return Fix(
        goal=f"Make the own page in the evidence, which answers about “{topic}” cite, name {brand} wherever an "
        "engine could quote it.",
        tasks=(
            "Find the passages of the page that the quoted sentences rest on.",
            f"Rewrite each so that it stands alone: {brand} and the product by name in the same sentence as the "
            "fact, in place of we, our or it.",
            f"Say once near the top what {brand} offers for this, and for whom, in a sentence that can be quoted.",
            "Put the same name into title, main heading and structured data (publisher, brand, product).",
        ),
        keep=(
            "Keep every fact, figure and address of the page, and the substance of the passages that are cited.",
            "Repeat no name where the sentence is clear without it: it has to read well.",
        ),
        done_when=f"Each passage that is cited names {brand}; later answers that cite "
        f"{one_line(material.subject.domain)} name it.",
    )
