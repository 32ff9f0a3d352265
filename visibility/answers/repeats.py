"""Answers that repeat others of their day word for word: they count once."""

from datetime import date

from django.db.models.functions import MD5

from visibility.models import Answer, Run


def day_of(run: Run) -> date:
    """The UTC day that a run counts for."""
    return run.day or run.created_at.date()


def repeated_in(run: Run) -> set[int]:
    """The answers whose text an earlier run of the day got for the same wording from the same engine."""
    counted = (*Run.ACTIVE, Run.Status.SUCCEEDED, Run.Status.PARTIAL)
    earlier = Run.objects.filter(brand=run.brand_id, day=day_of(run), kind=run.kind, created_at__lt=run.created_at)
    runs = list(earlier.filter(status__in=counted).values_list("pk", flat=True))
    if not runs:
        return set()
    columns = ("engine", "surface", "version", "digest")
    seen = set(Answer.objects.filter(run__in=runs).answered().annotate(digest=MD5("text")).values_list(*columns))
    again = run.answers.answered().annotate(digest=MD5("text")).values_list("pk", *columns)
    return {pk for pk, *place in again if tuple(place) in seen}
