"""Reads of what a set of answers cites."""

from django.db.models import Count, Max, Min, QuerySet

from visibility.models import Answer, Citation
from visibility.sources.resources import SourceDomain


def cited_domains(answers: QuerySet[Answer]) -> list[SourceDomain]:
    """The domains that these answers cite, those in most of them first; first seen in these answers."""
    columns = {
        "answers": Count("answer", distinct=True),
        "pages": Count("digest", distinct=True),
        "first_seen": Min("day"),
        "competitor": Max("competitor__name"),
    }
    named = {f"of_{name}": column for name, column in columns.items()}
    cited = Citation.objects.filter(answer__in=answers).order_by().values("domain", "source_class").annotate(**named)
    of_answers = answers.count()
    rows = [
        SourceDomain(
            domain=row["domain"],
            source_class=row["source_class"],
            of_answers=of_answers,
            **{name: row[f"of_{name}"] for name in columns},
        )
        for row in cited
    ]
    return sorted(rows, key=lambda row: (-row.answers, row.domain))
