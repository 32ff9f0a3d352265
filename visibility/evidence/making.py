"""Making evidence: what is stored becomes the rows of each kind. May run twice, and writes only what has changed."""

from collections.abc import Iterator, Sequence

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
from visibility.evidence.pages import Sentence
from visibility.evidence.proofs import find_proofs
from visibility.evidence.reading import BRAND, AnswerText, quote_of
from visibility.evidence.resources import Criterion, CriterionWinner, Quote
from visibility.evidence.reviews import reviews_of_pages
from visibility.evidence.themes import find_themes
from visibility.evidence.vocabulary import roots
from visibility.evidence.voice import find_voice
from visibility.evidence.weighing import weigh
from visibility.evidence.winners import find_winners, winner_of
from visibility.models import EvidenceItem, Review, Topic
from visibility.models.evidence import EvidenceKind

MOST_WINNERS = MOST_QUOTES = 5
LEAST_SAID = 12
"""Characters behind a label that say something."""


def make_evidence(brand: Brand) -> None:
    """Make all evidence of a brand again from what is stored. No engine is asked."""
    names, pages, row = names_of(brand), own_pages(brand), stored_decisions(brand)
    decided = Decisions.model_validate(row.item)
    criteria = list(_criteria(brand, names, pages, decided))
    _replace(brand, EvidenceKind.CRITERION, criteria, row.refined_by if decided.same else "")
    own = [name.text for name in names.brand.names]
    found = find_claims(pages, own)
    claims = weigh(found, naming_the_brand(brand) if found else (), roots(" ".join(own)), decided.judged)
    _replace(brand, EvidenceKind.CLAIM, claims, row.refined_by if decided.judged else "")
    make_themes(brand)
    voice = find_voice(brand.pk, pages)
    _replace(brand, EvidenceKind.VOICE, [voice] if voice else [])


def make_themes(brand: Brand) -> None:
    """Make the themes only, of the imported reviews and those on own pages."""
    stored = Review.objects.filter(brand=brand).order_by("pk")
    reviews = {review.text: review for review in (*reviews_of_pages(own_pages(brand)), *stored)}
    own = [name.text for name in names_of(brand).brand.names]
    themes = find_themes(list(reviews.values()), naming_the_brand(brand), own) if reviews else []
    _replace(brand, EvidenceKind.THEME, themes)


def _replace(brand: Brand, kind: EvidenceKind, made: Sequence[Resource], by: str = "") -> None:
    """Write the rows of a kind in place of those that are there, unless they are the same."""
    rows = [
        (
            each.topic_id if isinstance(each, Criterion) else None,
            storable(each.model_dump(mode="json", by_alias=False)),
            by,
        )
        for each in made
    ]
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
    called = {BRAND: brand.name} | {str(pk): name for pk, name in brand.competitors.values_list("pk", "name")}
    for topic, answers in unbranded_by_topic(brand):
        found = find_criteria(answers, decided.same.get(str(topic.pk), {}))
        winners, proofs = find_winners(answers, found, called), find_proofs(found, pages, others)
        for each in found:
            yield criterion_of(topic, answers, each, winners.get(each.key, ()), proofs.get(each.key))


def criterion_of(
    topic: Topic,
    answers: Sequence[AnswerText],
    found: TopicCriterion,
    winners: Sequence[CriterionWinner],
    proof: Sentence | None,
) -> Criterion:
    """A criterion as it is stored, of the answers on a topic."""
    return Criterion(
        label=found.label,
        topic=topic.name,
        topic_id=topic.pk,
        labelled=found.labelled,
        mentioned=found.mentioned,
        of=len(answers),
        engines=sorted({use.answer.engine for use in found.uses}),
        weight=round(100 * found.labelled / len(answers), 1),
        winners=winners[:MOST_WINNERS],
        winner=winner_of(winners),
        own_naming=sum(BRAND in answer.offered for answer in answers),
        own_sentence=proof.quote if proof else None,
        quotes=_quotes(found.uses),
    )


def _quotes(uses: Sequence[Use]) -> list[Quote]:
    """One quote an answer, first those that say something after the label."""
    chosen: dict[int, Use] = {}
    for use in sorted(uses, key=lambda use: (use.stop - use.end <= LEAST_SAID, use.answer.id, use.start)):
        chosen.setdefault(use.answer.id, use)
    return [quote_of(use.answer, use.start, use.stop) for use in list(chosen.values())[:MOST_QUOTES]]
