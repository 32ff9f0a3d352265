"""Making evidence: what is stored becomes the rows of each kind. May run twice, and writes only what has changed."""

from collections.abc import Iterator, Sequence

from django.db import connection, transaction

from apikeys.resources import Resource
from apikeys.text import storable
from brands.models import Brand
from brands.names import names_of
from visibility.audit import ParsedPage
from visibility.evidence.claims import find_sentences
from visibility.evidence.gathering import own_pages, unbranded_by_topic
from visibility.evidence.labels import Use, find_labels, quoted_span
from visibility.evidence.resources import Criterion, Quote
from visibility.evidence.reviews import reviews_of_pages
from visibility.evidence.voice import find_voice
from visibility.models import EvidenceItem, Review
from visibility.models.evidence import EvidenceKind


def make_evidence(brand: Brand) -> None:
    """Make all that is counted of a brand again from what is stored. No engine is asked."""
    names, pages = names_of(brand), own_pages(brand)
    own = [name.text for name in names.brand.names]
    others = [name.text for each in names.competitors for name in each.names]
    _replace(brand, EvidenceKind.CRITERION, list(_labels(brand)))
    _replace(brand, EvidenceKind.CLAIM, find_sentences(pages, own, others))
    voice = find_voice(brand.pk, pages)
    _replace(brand, EvidenceKind.VOICE, [voice] if voice else [])
    _store_reviews(brand, pages)


def _replace(brand: Brand, kind: EvidenceKind, made: Sequence[Resource]) -> None:
    """Write the rows of a kind in place of those that are there, unless they are the same."""
    rows = [
        (
            each.topic_id if isinstance(each, Criterion) else None,
            storable(each.model_dump(mode="json", by_alias=False)),
        )
        for each in made
    ]
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"evidence:{brand.pk}"])
        stored = EvidenceItem.objects.filter(brand=brand, kind=kind).order_by("position")
        if list(stored.values_list("topic", "item")) == rows:
            return
        stored.delete()
        EvidenceItem.objects.bulk_create(
            EvidenceItem(brand=brand, kind=kind, position=position, topic_id=topic, item=item)
            for position, (topic, item) in enumerate(rows)
        )


def _labels(brand: Brand) -> Iterator[Criterion]:
    """The labels of the answers on each topic, as criteria of which only a lower bound is known."""
    for topic, answers in unbranded_by_topic(brand):
        for each in find_labels(answers):
            yield Criterion(
                label=each.name,
                topic=topic.name,
                topic_id=topic.pk,
                basis="labelled",
                answers=each.answers,
                of=len(answers),
                by_engine=dict(sorted(each.by_engine.items())),
                weight=round(100 * each.answers / len(answers), 1),
                winners=[],
                winner=None,
                own_sentence=None,
                quotes=[_quote(use) for use in each.quoted],
            )


def _quote(use: Use) -> Quote:
    answer = use.answer
    start, end = answer.text.seen.raw_span(*quoted_span(use))
    text = answer.text.text[start:end]
    return Quote(text=text, start=start, end=end, answer_id=answer.id, engine=answer.engine)


def _store_reviews(brand: Brand, pages: Sequence[ParsedPage]) -> None:
    """Store the reviews in the structured data of own pages, but for those that were imported already."""
    found = reviews_of_pages(pages)
    known = set(Review.objects.filter(brand=brand, text__in=found).values_list("text", flat=True)) if found else set()
    Review.objects.bulk_create(
        (
            Review(brand=brand, digest=review.digest, day=review.date, **review.model_dump(exclude={"date"}))
            for text, review in found.items()
            if text not in known
        ),
        ignore_conflicts=True,
    )
