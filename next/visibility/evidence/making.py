"""Making evidence: what is stored becomes the rows of each kind. May run twice, and writes only what has changed."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.db import connection, transaction

from apikeys.resources import Resource
from apikeys.text import storable
from brands.models import Brand
from brands.names import BrandNames, names_of
from visibility.audit import ParsedPage
from visibility.evidence.claims import find_claims
from visibility.evidence.criteria import find_criteria
from visibility.evidence.decisions import Decisions, decisions_of
from visibility.evidence.gathering import naming_the_brand, own_pages, unbranded_by_topic
from visibility.evidence.items import claim_of, criterion_of, theme_of, voice_of
from visibility.evidence.proofs import find_proofs
from visibility.evidence.quantities import roots
from visibility.evidence.reading import BRAND
from visibility.evidence.resources import Backing
from visibility.evidence.reviews import reviews_of_pages
from visibility.evidence.themes import ReviewText, find_themes
from visibility.evidence.voice import find_voice
from visibility.evidence.weighing import Statement, statements_on_brand, weigh
from visibility.evidence.winners import count_spoken, find_winners
from visibility.models import EvidenceItem, Review, Topic
from visibility.models.evidence import EvidenceKind

Kind = EvidenceItem.Kind


class Made(NamedTuple):
    """One finding, to be stored; `topic` is that of a criterion."""

    item: Resource
    topic: Topic | None = None


def make_evidence(brand: Brand) -> None:
    """Make all evidence of a brand anew from what is stored. Nothing is asked of anybody."""
    names, pages, decided = names_of(brand), own_pages(brand), decisions_of(brand)
    _replace(brand, Kind.CRITERION, list(_criteria(brand, names, pages, decided)), decided)
    _replace(brand, Kind.CLAIM, list(_claims(brand, names, pages, decided)), decided)
    _replace(brand, Kind.THEME, list(_themes(brand, names, pages, decided)), decided)
    voice = find_voice(pages)
    made = [Made(voice_of(brand, voice, decided.tone))] if voice else []
    _replace(brand, Kind.VOICE, made, decided)


def make_themes(brand: Brand) -> None:
    """Make the themes of reviews alone: after an import of these."""
    decided = decisions_of(brand)
    _replace(brand, Kind.THEME, list(_themes(brand, names_of(brand), own_pages(brand), decided)), decided)


def _replace(brand: Brand, kind: EvidenceKind, made: Sequence[Made], decided: Decisions) -> None:
    """Write the rows of a kind in place of those that are there, unless they are the same."""
    items = (storable(each.item.model_dump(mode="json", by_alias=False)) for each in made)
    by = decided.by.get(kind, "")
    rows = [(each.topic.pk if each.topic else None, item, by) for each, item in zip(made, items, strict=True)]
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


def _criteria(brand: Brand, names: BrandNames, pages: Sequence[ParsedPage], decided: Decisions) -> Iterator[Made]:
    """The criteria of each topic, the weightiest first."""
    others = [name.text for each in names.competitors for name in each.names]
    tracked = [*others, *(name.text for name in names.brand.names)]
    called = {BRAND: brand.name} | {str(pk): name for pk, name in brand.competitors.values_list("pk", "name")}
    for topic, answers in unbranded_by_topic(brand):
        found = find_criteria(answers, tracked, decided.criteria.get(str(topic.pk), {}))
        winners, proofs = find_winners(answers, found), find_proofs(found, pages, others)
        spoken = count_spoken(answers, found)
        naming = Counter(subject for answer in answers for subject in {name.subject for name in answer.named})
        for each in found:
            key = each.key
            made = criterion_of(
                topic, len(answers), each, winners.get(key, ()), spoken[key], naming, called, proofs.get(key)
            )
            yield Made(made, topic)


def _claims(brand: Brand, names: BrandNames, pages: Sequence[ParsedPage], decided: Decisions) -> list[Made]:
    """What the pages claim, those that answers contradict first, then those that they support."""
    own = [name.text for name in names.brand.names]
    claims, known = find_claims(pages, own), roots(" ".join(own))
    statements: list[dict[Backing, list[Statement]]] = [defaultdict(list) for _ in claims]
    answers = 0
    for answer in naming_the_brand(brand) if claims else ():
        answers += 1
        heard = list(statements_on_brand(answer, known))
        for claim, of_claim in zip(claims, statements, strict=True):
            backing, best = weigh(claim, heard, known, decided.claims.get(claim.sentence.text, {}))
            if best:
                of_claim[backing].append(best)
    made = [claim_of(claim, answers, of_claim) for claim, of_claim in zip(claims, statements, strict=True)]
    order: Sequence[Backing] = ("contradicted", "supported", "absent")
    return list(map(Made, sorted(made, key=lambda claim: (order.index(claim.says), -claim.supported))))


def _themes(brand: Brand, names: BrandNames, pages: Sequence[ParsedPage], decided: Decisions) -> Iterator[Made]:
    """What imported reviews and those on own pages speak of."""
    rows = Review.objects.filter(brand=brand).order_by("pk").values_list("text", "stars", "day", "pk", "url")
    imported = [ReviewText(*row) for row in rows]
    texts = {review.text for review in imported}
    reviews = [*imported, *(review for review in reviews_of_pages(pages) if review.text not in texts)]
    own = [name.text for name in names.brand.names]
    found = find_themes(reviews, naming_the_brand(brand), own, decided.themes) if reviews else []
    return (Made(theme_of(each, reviews)) for each in found)
