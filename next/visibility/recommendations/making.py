"""The queue after a scan: every kind looks at the same material, and each writes what it sees."""

from collections.abc import Callable, Mapping
from functools import partial

from django.db import transaction

from brands.models import Brand
from visibility.models import Recommendation, Run
from visibility.recommendations import buyers, differences, sources
from visibility.recommendations.diagnosis import write_diagnosis
from visibility.recommendations.material import Material, gather
from visibility.recommendations.proofs import prove_done
from visibility.recommendations.queue import refresh
from visibility.recommendations.reading import read_cited_pages

CLOSED: Mapping[str, Callable[[Material, Recommendation], str | None]] = {
    differences.FALL: differences.closed_fall,
    differences.ENGINE_GAP: differences.closed_engine_gap,
    differences.TOPIC_GAP: differences.closed_topic_gap,
    buyers.CRITERION: buyers.closed_criterion,
    buyers.OBJECTION: buyers.closed_objection,
    buyers.TRACK: buyers.closed_track,
    sources.CITED_PAGES: sources.closed_cited_pages,
    sources.OWN_PAGES_LOST: sources.closed_own_pages_lost,
    sources.OWN_PAGE_UNNAMED: sources.closed_own_page_unnamed,
}


def recommend(brand: Brand) -> None:
    """Bring the queue in line with what is true now; may run twice. First the pages of others that it would send
    people to are read."""
    run = Run.objects.measured().filter(brand=brand, kind=Run.Kind.VISIBILITY).newest().first()
    if run is None:
        return
    material = gather(brand)
    read_cited_pages(material)
    falls = differences.falls(material)
    days = [each.day for each in sources.lost_pages(material)]
    part_of_falls = [day for day in days if any(differences.is_same_event(card, day) for card in falls)]
    cards = {
        differences.FALL: falls,
        **differences.differences(material, differences.fallen_topics(material)),
        buyers.CRITERION: buyers.criteria(material),
        buyers.OBJECTION: buyers.objections(material),
        buyers.TRACK: buyers.track(material),
        sources.CITED_PAGES: sources.cited_pages(material),
        sources.OWN_PAGES_LOST: sources.own_pages_lost(material, part_of_falls),
        sources.OWN_PAGE_UNNAMED: sources.own_pages_unnamed(material),
    }
    with transaction.atomic():
        for kind, closed in CLOSED.items():
            refresh(brand, run, kind, cards[kind], partial(closed, material))
        prove_done(brand)
        write_diagnosis(material)
