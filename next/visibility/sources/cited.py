"""Reads of what a set of answers cites."""

from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, QuerySet

from visibility.models import Answer, Citation


class CitedDomain(NamedTuple):
    """So many answers cite pages of a registrable domain; its owner is the brand, a competitor, or nobody tracked."""

    domain: str
    source_class: str
    is_own: bool
    competitor_id: UUID | None
    answers: int


def cited_domains(answers: QuerySet[Answer]) -> list[CitedDomain]:
    """The domains that these answers cite, those in most of them first."""
    cited: Any = Citation.objects.filter(answer__in=answers).order_by()
    columns = ("domain", "source_class", "is_own", "competitor")
    counted = cited.values_list(*columns).annotate(answers=Count("answer", distinct=True))
    return sorted((CitedDomain(*row) for row in counted), key=lambda row: (-row.answers, row.domain))
