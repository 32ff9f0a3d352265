"""Reads of sources."""

from uuid import UUID

from django.db.models import Count, Max, Sum

from apikeys.caller import Caller
from brands.access import readable_brand
from visibility.models import Citation
from visibility.scores.now import cells_of_now, in_answers_of
from visibility.sources.cited import first_days
from visibility.sources.resources import SourceDomain, Sources


def list_sources(caller: Caller, brand_id: UUID) -> Sources:
    """The sites that the answers of now cite, without topics that are not the brand's own; most cited first."""
    brand = readable_brand(caller, brand_id)
    cells = cells_of_now(brand).exclude(version__prompt__topic__own=False)
    of_answers = cells.filter(competitor=None).aggregate(total=Sum("answers"))["total"] or 0
    citations = Citation.objects.filter(in_answers_of(cells))
    counted = list(
        citations.order_by()
        .values("domain", "source_class")
        .annotate(
            answers=Count("answer", distinct=True), pages=Count("digest", distinct=True), name=Max("competitor__name")
        )
    )
    first_seen = first_days(brand, [row["domain"] for row in counted])
    rows = sorted(counted, key=lambda row: (-row["answers"], row["domain"], row["source_class"]))
    return Sources(
        brand=brand.pk,
        sources=[
            SourceDomain(
                domain=row["domain"],
                source_class=row["source_class"],
                competitor=row["name"],
                answers=row["answers"],
                of_answers=of_answers,
                pages=row["pages"],
                first_seen=first_seen[row["domain"]],
            )
            for row in rows
        ],
    )
