"""Claims of the own pages that answers contradict, and claims with a figure or a source that none of them repeats.

Contradicted. Open: two answers, and more than support it. Closed: no answer contradicts it, or more support it.
Missed. Open: a claim with a source or a figure, on the home page or at most two steps below it, of which none of
twenty answers or more that name the brand says anything: two of them at a time, the best backed first. Closed: an
answer says it. A claim that the pages make no more is closed as soon as evidence was made without it.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from django.utils.formats import date_format

from apikeys.text.sentences import one_line, shortened
from visibility.engines.display import display_name
from visibility.evidence.types import Backing, ClaimKind, EnginesSay, Quote, WeighedClaim
from visibility.insights.recommendations.citing import closed
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
from visibility.insights.recommendations.quoting import of_answer, of_page
from visibility.insights.recommendations.wording import MAX_TITLE, EvidenceText
from visibility.measured.facts import main_topic

MIN_CONTRADICTING = 2
MIN_NAMING = 20
MAX_MISSED = 2
MAX_STEPS = 2
MAX_EVIDENCE = 5
MAX_STORED = 100
"""As many claims as evidence keeps: where it kept fewer, one that is not among them is no longer made."""


class Claims:
    """Claims that engines contradict or miss."""

    id = "claim"
    reason = "Where engines say otherwise than the own pages, buyers believe one of them."
    basis = Basis.EVIDENCE
    proven_by = ProvenBy.NOTHING
    max_open = 5

    def observe(self, material: Material) -> Iterable[Observation]:
        """Each claim that answers speak of, the claims that they miss, and stored ones that are claimed no more."""
        stored = material.claims
        if stored is None:
            return []
        contradicted = [
            _contradicted(material, item) for item in stored.content if item.supporting or item.contradicting
        ]
        missed = [_missed(material, item, place) for place, item in enumerate(filter(_is_missed, stored.content))]
        made = {subject_of(item) for item in stored.content}
        return [
            *contradicted,
            *missed,
            *(
                closed(material, subject, topic, stored.used)
                for subject, topic in material.standing.get(self.id, ())
                if subject not in made and stored.pages and len(made) < MAX_STORED
            ),
        ]

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What is said of each; nothing more is read."""
        return [
            _words_contradicted(material, row) if row.details.contradicting else _words_missed(material, row)
            for row in observations
        ]


def subject_of(item: WeighedClaim) -> str:
    """The claim, however it is spaced and capitalised."""
    return hashlib.sha256(one_line(item.claim.text).casefold().encode()).hexdigest()


def _contradicted(material: Material, item: WeighedClaim) -> Observation:
    against, support = len(item.contradicting), len(item.supporting)
    if item.says is EnginesSay.CONTRADICTED and against >= MIN_CONTRADICTING:
        standing = Standing.OPEN
    else:
        standing = Standing.BETWEEN if against > support else Standing.CLOSED
    return Observation(
        subject=subject_of(item),
        standing=standing,
        factors=Factors(
            answers=against,
            of_answers=against + support,
            engines=len({quote.engine for quote in item.contradicting}),
            of_engines=len(material.engines),
            reach=min(1.0, against / len(material.unbranded)) if material.unbranded else 0.0,
            effect=Effect.LIKELY,
            effort=Effort.LOW,
        ),
        topic=_topic(material, item.contradicting),
        details=item,
    )


def _topic(material: Material, quotes: Iterable[Quote]) -> str:
    """The topic of most answers that are quoted; none where they are no longer those of now."""
    said_in = {quote.answer for quote in quotes}
    prompts = material.subject.prompts if material.basis.engines else {}
    return main_topic(prompts[answer.prompt].topic for answer in material.answers if str(answer.id) in said_in)


def _is_missed(item: WeighedClaim) -> bool:
    claim = item.claim
    backed = claim.backing is Backing.SOURCED or claim.kind is ClaimKind.QUANTIFIED
    steps = [step for step in urlsplit(claim.ours[0].url).path.split("/") if step] if claim.ours else []
    return (
        backed
        and bool(claim.ours)
        and len(steps) <= MAX_STEPS
        and item.says is EnginesSay.ABSENT
        and item.answers >= MIN_NAMING
    )


def _missed(material: Material, item: WeighedClaim, place: int) -> Observation:
    """No answer shows what it would be worth: none of the reach, and no engine."""
    return Observation(
        subject=subject_of(item),
        standing=Standing.OPEN if place < MAX_MISSED else Standing.BETWEEN,
        factors=Factors(
            answers=item.answers,
            of_answers=item.answers,
            engines=0,
            of_engines=len(material.engines),
            reach=0.0,
            effect=Effect.UNKNOWN,
            effort=Effort.LOW,
        ),
        details=item,
    )


def _where(item: WeighedClaim) -> str:
    return "home page" if urlsplit(item.claim.ours[0].url).path in ("", "/") else "pages"


def _words_contradicted(material: Material, row: Observation) -> Words:
    item: WeighedClaim = row.details
    brand, day = one_line(material.brand.name), _day(material)
    topic = f" on {one_line(material.subject.topic_name(row.topic))}" if row.topic else ""
    k, n = row.factors.answers, row.factors.of_answers
    engines = Counter(quote.engine for quote in item.contradicting)
    return Words(
        title=shortened(
            f"Settle a claim of your {_where(item)}{topic}: {k} of {n} answers that speak of it say otherwise of "
            f"{brand}",
            MAX_TITLE,
        ),
        summary=f"Answers that contradict what {brand} claims{day}: "
        f"{'; '.join(f'{display_name(engine)}: {count}' for engine, count in sorted(engines.items()))}. "
        f"Answers that support it: {len(item.supporting)}. One of both has to be corrected.",
        evidence=[of_page(item.claim.ours[0]), *_said(material, item.contradicting)][:MAX_EVIDENCE],
        fix=Fix(
            goal=f"Have the pages of {one_line(material.brand.domain)} and the answers of engines say the same of "
            f"{brand}, and the right thing.",
            tasks=(
                "Find out which is right: what the own page claims, or what the answers say. Ask for the fact where "
                "the own pages do not settle it, as [fact needed: …].",
                "Where the page is right, state the figure in one sentence that stands alone, with unit, conditions, "
                "date and source; say the same on every page that gives it.",
                "Where the answers are right, correct the page, and every other page that repeats the claim.",
                "List other sources that give another figure, and draft a short request to correct each.",
            ),
            keep=("Leave other claims and figures as they are.",),
            done_when="All own pages give one figure with its source; evidence made after the next scan and audit "
            "shows whether answers still contradict it.",
        ),
    )


def _words_missed(material: Material, row: Observation) -> Words:
    item: WeighedClaim = row.details
    brand = one_line(material.brand.name)
    what = "a claim with its source" if item.claim.backing is Backing.SOURCED else "a claim with a figure"
    return Words(
        title=f"Make {what} on your {_where(item)} quotable: none of {item.answers} answers that name {brand} has it",
        summary=f"None of the {item.answers} answers that name {brand} repeats or denies the claim{_day(material)}.",
        evidence=[of_page(item.claim.ours[0])],
        fix=Fix(
            goal=f"Make the claim in the evidence easy to find and to quote for engines that name {brand}.",
            tasks=(
                "State it once in a sentence that stands alone: the brand, the product, the figure with its unit and "
                "conditions, the date.",
                "Link the source that shows it: a test, a standard, own data with their method. Without one, mark it "
                "[source needed] and do not strengthen it.",
                "Put it where the question stands that it answers: under a heading in the words that buyers use.",
            ),
            keep=("Change neither the figure nor its conditions.",),
            done_when="The page says it in one sentence with its source; later evidence shows whether answers do.",
        ),
    )


def _day(material: Material) -> str:
    as_of = material.claims.as_of if material.claims else None
    return f" (pages read on {date_format(as_of)})" if as_of else ""


def _said(material: Material, quotes: Iterable[Quote]) -> list[EvidenceText]:
    prompts = {str(answer.id): answer.prompt for answer in material.answers}
    return [of_answer(quote, prompts.get(quote.answer)) for quote in quotes]
