"""How long answers stay: older ones go with all that was found in them, and the scores of their days remain."""

from datetime import date

from django.db import transaction
from django.db.models import Exists, OuterRef

from visibility.models import Answer, Run
from visibility.scores.cells import delete_cells
from visibility.scores.history import lock_history


def delete_answers(before: date) -> int:
    """Delete the answers and counts of ended runs of days `before`, run by run; returns of how many runs.

    A run loses them as a whole, so that no day is ever counted again from a part of its answers.
    """
    old = Run.objects.filter(day__lt=before).exclude(status__in=Run.ACTIVE)
    runs = old.filter(Exists(Answer.objects.filter(run=OuterRef("pk"))))
    number = 0
    for run_id, brand_id in runs.order_by("day", "pk").values_list("pk", "brand"):
        with transaction.atomic():
            lock_history(brand_id)
            delete_cells(run_id)
            Answer.objects.filter(run=run_id).delete()
        number += 1
    return number
