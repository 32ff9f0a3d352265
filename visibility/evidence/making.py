"""Making evidence: what is stored becomes the rows of each kind. May run twice, and writes only what has changed."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db import connection, transaction

from apikeys.resources import Resource
from apikeys.text import storable
from brands.models import Brand
from brands.names import BrandNames, names_of
from visibility.audit import ParsedPage
from visibility.evidence.claims import find_claims
from visibility.evidence.criteria import TopicCriterion, Use, find_criteria
from visibility.evidence.decisions import Decisions, stored_decisions
from visibility.evidence.gathering import naming_the_brand, own_pages, unbranded_by_topic
from visibility.evidence.proofs import find_proofs
from visibility.evidence.reading import BRAND, quote_of
from visibility.evidence.resources import Backing, Claim, Criterion, CriterionWinner, Quote
from visibility.evidence.reviews import reviews_of_pages
from visibility.evidence.themes import ReviewText, find_themes
from visibility.evidence.vocabulary import roots
from visibility.evidence.voice import find_voice
from visibility.evidence.weighing import Statement, statements_on_brand, weigh, weighed
from visibility.evidence.winners import Winner, find_winners, winner_of
from visibility.models import EvidenceItem, Review, Topic
from visibility.models.evidence import EvidenceKind

MOST_WINNERS = MOST_QUOTES = 5
LEAST_SAID = 12
"""Characters behind a label that say something."""


class Made(NamedTuple):
    """One finding, to be stored; `topic` is that of a criterion."""

    item: Resource
    topic: UUID | None = None


def make_evidence(brand: Brand) -> None:
    """Make all evidence of a brand again from what is stored. No engine is asked."""
    names, pages, row = names_of(brand), own_pages(brand), stored_decisions(brand)
    decided = Decisions.model_validate(row.item)
    criteria = [Made(each, each.topic_id) for each in _criteria(brand, names, pages, decided)]
    _replace(brand, EvidenceKind.CRITERION, criteria, row.refined_by if decided.same else "")
    claims = list(map(Made, _claims(brand, names, pages, decided)))
    _replace(brand, EvidenceKind.CLAIM, claims, row.refined_by if decided.judged else "")
    make_themes(brand)
    voice = find_voice(brand.pk, pages)
    _replace(brand, EvidenceKind.VOICE, [Made(voice)] if voice else [])


def make_themes(brand: Brand) -> None:
    """Make the themes only, of the imported reviews and those on own pages."""
    rows = Review.objects.filter(brand=brand).order_by("pk").values_list("text", "stars", "day", "pk", "url")
    reviews = {
        review.text: review for review in (*reviews_of_pages(own_pages(brand)), *(ReviewText(*row) for row in rows))
    }
    own = [name.text for name in names_of(brand).brand.names]
    themes = find_themes(list(reviews.values()), naming_the_brand(brand), own) if reviews else []
    _replace(brand, EvidenceKind.THEME, list(map(Made, themes)))


def _replace(brand: Brand, kind: EvidenceKind, made: Sequence[Made], by: str = "") -> None:
    """Write the rows of a kind in place of those that are there, unless they are the same."""
    rows = [(each.topic, storable(each.item.model_dump(mode="json", by_alias=False)), by) for each in made]
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"evidence:{brand.pk}"])
        stored = EvidenceItem.objects.filter(brand=brand, kind=kind).order_by("position")
        if list(stored.values_list("topic", "item", "refined_by")) == rows:
            return
        stored.delete()
        EvidenceItem.objects.bulk_create(
            EvidenceItem(brand=brand, kind=kind, position=position, topic_id=topic, item=item, refined_by=by)
            for position, (topic, item, by) in enumerate(rows)
        )


def _criteria(
    brand: Brand, names: BrandNames, pages: Sequence[ParsedPage], decided: Decisions
) -> Iterator[Criterion]:
    """The criteria of each topic, the weightiest first."""
    others = [name.text for each in names.competitors for name in each.names]
    tracked = [*others, *(name.text for name in names.brand.names)]
    called = {BRAND: brand.name} | {str(pk): name for pk, name in brand.competitors.values_list("pk", "name")}
    for topic, answers in unbranded_by_topic(brand):
        found = find_criteria(answers, tracked, decided.same.get(str(topic.pk), {}))
        winners, proofs = find_winners(answers, found), find_proofs(found, pages, others)
        naming = Counter(subject for answer in answers for subject in answer.offered)
        for each in found:
            proof = proofs.get(each.key)
            yield criterion_of(topic, len(answers), each, winners.get(each.key, ()), naming, called).model_copy(
                update={"own_sentence": proof and proof.quote}
            )


def criterion_of(
    topic: Topic,
    of: int,
    found: TopicCriterion,
    winners: Sequence[Winner],
    naming: Mapping[str, int],
    called: Mapping[str, str],
) -> Criterion:
    """A criterion on a topic with `of` answers. `called` has the names of the tracked brands by their keys, `naming`
    how many answers name each."""
    known = [winner for winner in winners if winner.subject in called]
    first = winner_of(known, naming)
    return Criterion(
        label=found.label,
        topic=topic.name,
        topic_id=topic.pk,
        labelled=found.labelled,
        mentioned=found.mentioned,
        of=of,
        engines=sorted({use.answer.engine for use in found.uses}),
        weight=round(100 * found.labelled / of, 1),
        winners=[
            CriterionWinner(
                subject=called[winner.subject],
                competitor_id=UUID(winner.subject) if winner.subject else None,
                answers=winner.answers,
                naming=naming.get(winner.subject, 0),
                quote=winner.clearest.quote,
            )
            for winner in known[:MOST_WINNERS]
        ],
        winner=called[first.subject] if first else None,
        own_naming=naming.get(BRAND, 0),
        own_sentence=None,
        quotes=_quotes(found.uses),
    )


def _quotes(uses: Sequence[Use]) -> list[Quote]:
    """One quote an answer, first those that say something after the label."""
    chosen: dict[int, Use] = {}
    for use in sorted(uses, key=lambda use: (use.stop - use.end <= LEAST_SAID, use.answer.id, use.start)):
        chosen.setdefault(use.answer.id, use)
    return [quote_of(use.answer, use.start, use.stop) for use in list(chosen.values())[:MOST_QUOTES]]


def _claims(brand: Brand, names: BrandNames, pages: Sequence[ParsedPage], decided: Decisions) -> list[Claim]:
    """What the pages claim, those that answers contradict first, then those that they support."""
    own = [name.text for name in names.brand.names]
    claims, known = find_claims(pages, own), roots(" ".join(own))
    found: list[dict[Backing, list[Statement]]] = [defaultdict(list) for _ in claims]
    answers = 0
    for answer in naming_the_brand(brand) if claims else ():
        answers += 1
        heard = list(statements_on_brand(answer, known))
        for claim, of_claim in zip(claims, found, strict=True):
            backing, best = weigh(claim, heard, known, decided.judged.get(claim.sentence.text, {}))
            if best:
                of_claim[backing].append(best)
    order: Sequence[Backing] = ("contradicted", "supported", "absent")
    made = [weighed(claim, answers, of_claim) for claim, of_claim in zip(claims, found, strict=True)]
    return sorted(made, key=lambda claim: (order.index(claim.says), -claim.supported))
