"""The queue after a scan: all kinds of cards are made of the same material."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from uuid import UUID

from django.db import transaction

from brands.models import Brand
from visibility.models import Recommendation, Run
from visibility.recommendations import buyers, differences, falls, own_pages, sources
from visibility.recommendations.diagnosis import write_diagnosis
from visibility.recommendations.differences import Claim
from visibility.recommendations.gap_cards import gap_card
from visibility.recommendations.material import NAME, Material, gather
from visibility.recommendations.proofs import prove_done
from visibility.recommendations.queue import refresh
from visibility.recommendations.reading import read_cited_pages

CLOSED: Mapping[str, Callable[[Material, Recommendation], str | None]] = {
    NAME: buyers.closed_similar_name,
    falls.FALL: falls.closed_fall,
    differences.TOPIC_GAP: differences.closed_topic_lag,
    differences.ENGINE_GAP: differences.closed_engine_lag,
    differences.FIRST_PICK: differences.closed_topic_lag,
    differences.ENGINE_FIRST_PICK: differences.closed_engine_lag,
    buyers.CRITERION: buyers.closed_criterion,
    buyers.OBJECTION: buyers.closed_objection,
    buyers.TRACK: buyers.closed_track,
    sources.CITED_PAGES: sources.closed_cited_pages,
    own_pages.OWN_PAGES_LOST: own_pages.closed_own_pages_lost,
    own_pages.OWN_PAGE_UNNAMED: own_pages.closed_own_page_unnamed,
}
COUNT_NAMES = (
    *differences.HITS,
    sources.CITED_PAGES,
    own_pages.OWN_PAGE_UNNAMED,
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
    fallen = falls.falls(material)
    days = [each.day for each in own_pages.lost_pages(material)]
    part_of_falls = [day for day in days if any(falls.is_same_event(card, day) for card in fallen)]
    claims = differences.sure_claims(material)
    opened = [claim for claim in claims if claim.matters]
    lags = differences.differences(material, opened, falls.fallen_topics(material))
    cards = {
        NAME: buyers.similar_name(material),
        falls.FALL: fallen,
        **{kind: [gap_card(material, lag) for lag in lags if lag.kind == kind] for kind in differences.HITS},
        buyers.CRITERION: buyers.criteria(material),
        buyers.OBJECTION: buyers.objections(material),
        buyers.TRACK: buyers.track(material),
        sources.CITED_PAGES: [
            card
            for card in sources.cited_pages(material)
            if not differences.is_part(lags, sources.CITED_PAGES, UUID(card.subject))
        ],
        own_pages.OWN_PAGES_LOST: own_pages.own_pages_lost(material, part_of_falls),
        own_pages.OWN_PAGE_UNNAMED: own_pages.own_pages_unnamed(material),
    }
    with transaction.atomic():
        for kind in CLOSED:
            refresh(brand, run, kind, cards[kind], partial(_closed, material, lags))
        prove_done(brand)
        write_diagnosis(material, claims)


def _closed(material: Material, lags: Sequence[Claim], row: Recommendation) -> str | None:
    """Why a card that is not seen any more is over: it is part of another one, or what it claims is gone."""
    if material.is_unsure and row.kind in COUNT_NAMES:
        return "Answers have a name that may be yours: decide about that first."
    topic = UUID(row.payload["topic"]) if row.payload.get("topic") else None
    if topic:
        known = material.topics.get(topic)
        if known is None or known.own is False:
            return "The topic is not the site's own any more."
    engine = row.subject if row.kind in differences.OF_ENGINES else ""
    if row.kind in differences.ORDER and differences.is_part(lags, row.kind, topic, engine):
        return "It is part of another card now."
    return CLOSED[row.kind](material, row)
