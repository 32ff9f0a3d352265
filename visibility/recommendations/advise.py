"""Advice after a scan, an audit or a reading: every kind looks at the same facts."""

from django.db import transaction

from brands.models import Brand
from visibility.models import Run
from visibility.recommendations.diagnosis import write_diagnosis
from visibility.recommendations.facts import gather
from visibility.recommendations.kinds import KINDS
from visibility.recommendations.page_reading import read_cited_pages
from visibility.recommendations.proofs import prove_done
from visibility.recommendations.queue import refresh


def recommend(brand: Brand) -> None:
    """Bring the queue in line with the figures of now; may run twice. The pages of others that cards name are read
    first, outside of the transaction."""
    scan = Run.objects.measured().filter(brand=brand, kind=Run.Kind.VISIBILITY).newest().first()
    facts = gather(brand)
    if scan is None and facts.audited is None:
        return
    read_cited_pages(facts)
    facts.__dict__.pop("pages_read", None)
    found = {name: list(kind.find(facts)) for name, kind in KINDS.items()}
    with transaction.atomic():
        for name, kind in KINDS.items():
            run = facts.audited.run if kind.of_audit and facts.audited else scan
            if run is not None:
                refresh(facts, run, kind, found[name])
        prove_done(facts)
        write_diagnosis(facts)
