"""What answers say against the brand, or that they know nothing of it: to be corrected where it is wrong.

Statements are one by the page that they rest on, else by topic where they say the same: where half of the words that
carry the shorter one, and two of them at least, stand in the other. Open: two answers. One answer is no evidence
of anything: what is open stays so. Closed: no answer says it, of six or more on its topic that name the brand.

Whether a statement is out of date is not told: that takes the same fact in a page of the brand, as `claim` has it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import one_line, shortened
from visibility.insights.recommendations.citing import closed, tallies
from visibility.insights.recommendations.kind import (
    Basis,
    Effect,
    Effort,
    Factors,
    Fix,
    Observation,
    ProvenBy,
    Standing,
    Words,
)
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.saying import Group, group_statements
from visibility.insights.recommendations.wording import MAX_QUOTE, MAX_TITLE, EvidenceText, tallies_in_words
from visibility.measured.facts import AnswerFacts
from visibility.measured.statements import read_statements
from visibility.models import Citation

MIN_ANSWERS = 2
MIN_TOPIC_ANSWERS = 6
MAX_EVIDENCE = 5


class Statements:
    """Negative statements of answers about the brand."""

    id = "statement"
    reason = "What an engine says against a brand is read by those who were about to choose it."
    basis = Basis.ANSWERS
    proven_by = ProvenBy.NOTHING
    max_open = 8

    def observe(self, material: Material) -> Iterable[Observation]:
        """Each page and topic with a statement, and those in the queue of which no answer says anything more."""
        answers = {answer.id: answer for answer in material.answers}
        groups = group_statements(material.subject, read_statements(material.basis.compared), answers)
        observations = [_observation(material, group, answers) for group in groups]
        named = _named_by_topic(material, {statement.answer for group in groups for statement in group.statements})
        subjects = {row.subject for row in observations}
        return [
            *observations,
            *(
                closed(material, subject, topic, len(named[topic]))
                for subject, topic in material.standing.get(self.id, ())
                if subject not in subjects and len(named[topic]) >= MIN_TOPIC_ANSWERS
            ),
        ]

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What is said of each; nothing more is read."""
        return [_words(material, row) for row in observations]


def _named_by_topic(material: Material, speaking: set[UUID]) -> Mapping[str, Sequence[AnswerFacts]]:
    """The answers of now that name the brand, or say that they know nothing of it, by topic."""
    named: dict[str, list[AnswerFacts]] = defaultdict(list)
    for answer in material.answers:
        if answer.brand_named or answer.id in speaking:
            named[material.subject.prompts[answer.prompt].topic].append(answer)
    return named


def _observation(material: Material, group: Group, answers: Mapping[UUID, AnswerFacts]) -> Observation:
    saying = [answers[statement.answer] for statement in group.statements]
    named = _named_by_topic(material, {answer.id for answer in saying})[group.topic]
    of_answers = {answer.id: answer for answer in (*saying, *named)}.values()
    return Observation(
        subject=group.subject,
        standing=Standing.OPEN if len(saying) >= MIN_ANSWERS else Standing.BETWEEN,
        factors=Factors(
            answers=len(saying),
            of_answers=len(of_answers),
            engines=len({answer.engine for answer in saying}),
            of_engines=len(material.engines),
            reach=min(1.0, len(saying) / len(material.unbranded)) if material.unbranded else 0.0,
            effect=Effect.LIKELY,
            effort=_effort(group),
        ),
        topic=group.topic,
        tallies=tallies(of_answers, saying),
        prompts=tuple(sorted({answer.prompt for answer in saying}, key=str)),
        details=group,
    )


def _effort(group: Group) -> Effort:
    if group.page is None:
        return Effort.MEDIUM
    return Effort.LOW if group.page.owner == Citation.Owner.OWN else Effort.HIGH


def _words(material: Material, row: Observation) -> Words:
    group: Group = row.details
    facts = material.subject
    brand, topic = one_line(facts.brand), one_line(facts.topic_name(row.topic))
    counts = f"{row.factors.answers} of {row.factors.of_answers} answers on it that name {brand}"
    engines = tallies_in_words(tally for tally in row.tallies if tally.gaps)
    return Words(
        title=shortened(f"{_lead(group, brand, topic)}: {counts} {_says_what(group)}", MAX_TITLE),
        summary=f"Answers that say so, of those on {topic} that name {brand} or know nothing of it "
        f"({date_format(facts.day)}): {engines}. {_whose(group, one_line(facts.domain))}",
        evidence=_evidence(material, group),
        fix=_fix(group, brand, topic, one_line(facts.domain)),
    )


def _lead(group: Group, brand: str, topic: str) -> str:
    if group.is_unknown:
        return f"Give engines something to know {brand} by on {topic}"
    if group.page is None:
        return f"Answer what is said against {brand} on {topic}"
    if group.page.owner == Citation.Owner.OWN:
        return f"Mend what your own {one_line(group.page.domain)} page gives against {brand} on {topic}"
    return f"Check what {one_line(group.page.domain)} says against {brand} on {topic}, and have it corrected if wrong"


def _says_what(group: Group) -> str:
    if group.is_unknown:
        return "say that they know nothing of it"
    return "warn of it or advise against it" + (" by this page" if group.page else "")


def _whose(group: Group, own: str) -> str:
    if group.page is None:
        return f"No source is cited for it: a page of {own} that says what is so can become one."
    if group.page.owner == Citation.Owner.OWN:
        return f"It rests on a page of {own}, so it is yours to correct."
    return f"It rests on a page of {one_line(group.page.domain)}: only its editors can correct it."


def _evidence(material: Material, group: Group) -> list[EvidenceText]:
    """What is said, each wording once, and the page that it rests on."""
    answers = {answer.id: answer for answer in material.answers}
    quotes: dict[str, EvidenceText] = {}
    for statement in group.statements:
        answer, text = answers[statement.answer], shortened(statement.text, MAX_QUOTE)
        quotes.setdefault(text, EvidenceText("answer", text, answer.engine, answer.prompt, answer.id))
    pages = []
    if page := group.page:
        first = answers[group.statements[0].answer]
        caption = shortened(one_line(page.title) or one_line(page.url), MAX_QUOTE)
        pages = [EvidenceText("citation", caption, first.engine, first.prompt, first.id, page.url)]
    return [*pages, *quotes.values()][:MAX_EVIDENCE]


def _fix(group: Group, brand: str, topic: str, own: str) -> Fix:
    if group.is_unknown:
        tasks: tuple[str, ...] = (
            f"Write one page of {own} on what {brand} offers for “{topic}”: what it is, for whom, prices, figures "
            "with their source, each as a sentence that can be quoted alone.",
            f"Link it from the home page and the sitemap, and use the same name of {brand} everywhere.",
        )
    else:
        tasks = (
            "Say of each quote whether it is true today: compare it with the own pages and with what I give you. "
            "Mark what you cannot find as [fact needed: …].",
            "Where it is true, say what would have to change in the product or its terms. Words do not mend that.",
            _correction(group, own),
        )
    return Fix(
        goal=f"Have what engines say of {brand} on “{topic}” be true and up to date.",
        tasks=tasks,
        keep=(
            "Ask nobody to remove a fair criticism, and write no reviews and no comments under other names.",
            "Leave facts, prices and terms as they are: correct only what is shown to be wrong.",
        ),
        done_when="The page says what is so, with a date; the next scans show whether answers still say otherwise.",
    )


def _correction(group: Group, own: str) -> str:
    if group.page is None:
        return (
            f"Where it is wrong or out of date, write the passage of {own} that says what is so: the "
            "statement first, then the fact with source and date, under a heading that asks what buyers would ask."
        )
    if group.page.owner == Citation.Owner.OWN:
        return (
            "Find the passage of the cited page that it rests on, and rewrite it so that it says what is so, dated."
        )
    return (
        "Where it is wrong or out of date, draft a short message to the editors of the page in the evidence: "
        "the sentence, what is so, the proof with its address, and nothing else."
    )
