"""The queue after a scan: all kinds of cards are made of the same material."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import chain
from uuid import UUID

from django.db import transaction

from brands.models import Brand
from visibility.models import Recommendation, Run
from visibility.recommendations import buyers, differences, sources
from visibility.recommendations.diagnosis import write_diagnosis
from visibility.recommendations.material import NAME, Material, gather
from visibility.recommendations.proofs import prove_done
from visibility.recommendations.queue import refresh
from visibility.recommendations.reading import read_cited_pages

CLOSED: Mapping[str, Callable[[Material, Recommendation], str | None]] = {
    NAME: buyers.closed_similar_name,
    differences.FALL: differences.closed_fall,
    differences.ENGINE_GAP: differences.closed_engine_gap,
    differences.ENGINE_FIRST_PICK: differences.closed_engine_gap,
    differences.TOPIC_GAP: differences.closed_topic_lag,
    differences.FIRST_PICK: differences.closed_topic_lag,
    buyers.CRITERION: buyers.closed_criterion,
    buyers.OBJECTION: buyers.closed_objection,
    buyers.TRACK: buyers.closed_track,
    sources.CITED_PAGES: sources.closed_cited_pages,
    sources.OWN_PAGES_LOST: sources.closed_own_pages_lost,
    sources.OWN_PAGE_UNNAMED: sources.closed_own_page_unnamed,
}
COUNT_NAMES = (
    *differences.OF_ENGINES,
    *differences.OF_TOPICS,
    sources.CITED_PAGES,
    sources.OWN_PAGE_UNNAMED,
)
"""Kinds that claim that answers lack the brand."""


def recommend(brand: Brand) -> None:
    """Bring the queue in line with the figures of now; may run twice. The pages of others that cards name are read
    first."""
    run = Run.objects.measured().filter(brand=brand, kind=Run.Kind.VISIBILITY).newest().first()
    if run is None:
        return
    material = gather(brand)
    read_cited_pages(material)
    falls = differences.falls(material)
    days = [each.day for each in sources.lost_pages(material)]
    part_of_falls = [day for day in days if any(differences.is_same_event(card, day) for card in falls)]
    lags = differences.differences(material, differences.fallen_topics(material))
    topics = {UUID(card.payload["topic"]) for card in chain(*lags.values()) if card.payload["topic"]}
    compared = {(hit, UUID(card.subject)) for kind, hit in differences.OF_TOPICS.items() for card in lags[kind]}
    cards = {
        NAME: buyers.similar_name(material),
        differences.FALL: falls,
        **lags,
        buyers.CRITERION: buyers.criteria(material),
        buyers.OBJECTION: buyers.objections(material),
        buyers.TRACK: buyers.track(material),
        sources.CITED_PAGES: sources.cited_pages(material, topics),
        sources.OWN_PAGES_LOST: sources.own_pages_lost(material, part_of_falls),
        sources.OWN_PAGE_UNNAMED: sources.own_pages_unnamed(material),
    }
    with transaction.atomic():
        for kind in CLOSED:
            refresh(brand, run, kind, cards[kind], partial(_closed, material, topics, compared))
        prove_done(brand)
        write_diagnosis(material)


def _closed(
    material: Material,
    lagging: Collection[UUID],
    compared: Collection[tuple[differences.Hit, UUID]],
    row: Recommendation,
) -> str | None:
    """Why a card that is not seen any more is over: it is part of another one, or what it claims is gone. `lagging`
    topics have a card, and in `compared` ones it counts this over all engines."""
    if material.is_unsure and row.kind in COUNT_NAMES:
        return "Answers have a name that may be yours: decide about that first."
    if topic := row.payload.get("topic"):
        known = material.topics.get(UUID(topic))
        if known is None or known.own is False:
            return "The topic is not the site's own any more."
        is_part = row.kind == sources.CITED_PAGES and known.pk in lagging
        if is_part or (differences.OF_ENGINES.get(row.kind), known.pk) in compared:
            return "It is part of the card on the topic now."
    return CLOSED[row.kind](material, row)
