"""Takes citations over from the figures of before, where nothing has changed that they depend on.

An edit of names leaves them as they are, and finding them takes longer than finding the names.
"""

from collections.abc import Sequence
from uuid import UUID

from visibility.measured.names import DETECTOR, TrackedNames
from visibility.models import Answer, Citation, Generation


def same_citations(generation: Generation) -> UUID | None:
    """The brand's current generation, where it was made for the same domains and classes; else None."""
    current = Generation.objects.filter(brand=generation.brand_id, state=Generation.State.CURRENT).first()
    same = current and all(current.names[part] == generation.names[part] for part in ("domains", "classes"))
    return current.pk if current and same else None


def copied_citations(tracked: TrackedNames, origin: UUID | None, answers: Sequence[Answer]) -> list[Citation] | None:
    """The citations of the answers as they were found for `origin`, unsaved, for the tracked names' generation.

    None where they have to be found: there is no such generation, or another detector had a hand in it.
    """
    if origin is None or not Generation.objects.filter(pk=origin, detector=DETECTOR).exists():
        return None
    copies = list(Citation.of_all_generations.filter(generation=origin, answer__in=answers).order_by("pk"))
    for copy in copies:
        copy.pk, copy.generation_id = None, tracked.generation
    return copies
