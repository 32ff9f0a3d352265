"""Takes findings over from the figures of before, where nothing has changed that they depend on.

A choice of topics changes nothing that is found in answers. An edit of names leaves citations as they are, and
finding them takes longer than finding the names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from visibility.measured.names import DETECTOR, TrackedNames, found_by
from visibility.models import Answer, Citation, Generation, Mention, Preference, UntrackedName

_Found = TypeVar("_Found", bound=Model)


@dataclass(frozen=True, slots=True)
class Origin:
    """A generation that citations can be taken over from; with `is_all` all that is found in answers, but for the
    untracked names of answers on topics that are `not_own` there."""

    generation: UUID
    is_all: bool
    not_own: frozenset[str]


@dataclass(frozen=True, slots=True)
class Copies:
    """What was found in some answers, unsaved, for another generation."""

    mentions: Sequence[Mention]
    citations: Sequence[Citation]
    untracked: Sequence[UntrackedName]
    preferences: Sequence[Preference]


def origin_of(generation: Generation) -> Origin | None:
    """The brand's current generation, where it was made for the same domains and classes; else None."""
    current = Generation.objects.filter(brand=generation.brand_id, state=Generation.State.CURRENT).first()
    if current is None or any(current.names[part] != generation.names[part] for part in ("domains", "classes")):
        return None
    is_all = not current.is_outdated and found_by(current.names) == found_by(generation.names)
    return Origin(current.pk, is_all, frozenset(current.names.get("not_own", ())))


def copied_citations(
    tracked: TrackedNames, origin: Origin | None, answers: Sequence[Answer]
) -> list[Citation] | None:
    """The citations of the answers as they were found for `origin`, unsaved, for the tracked names' generation.

    None where they have to be found: there is no such generation, or another detector had a hand in it.
    """
    if origin is None or not _is_of_detector(origin):
        return None
    return _copied(Citation.of_all_generations.all(), tracked, origin, answers)


def copied_findings(tracked: TrackedNames, origin: Origin | None, answers: Sequence[Answer]) -> Copies | None:
    """The same of all that is found in answers; None also where it depends on what has changed."""
    if origin is None or not origin.is_all or not _is_of_detector(origin):
        return None
    return Copies(
        mentions=_copied(Mention.of_all_generations.all(), tracked, origin, answers),
        citations=_copied(Citation.of_all_generations.all(), tracked, origin, answers),
        untracked=_copied(UntrackedName.of_all_generations.all(), tracked, origin, answers),
        preferences=_copied(Preference.of_all_generations.all(), tracked, origin, answers),
    )


def _is_of_detector(origin: Origin) -> bool:
    return Generation.objects.filter(pk=origin.generation, detector=DETECTOR).exists()


def _copied(rows: QuerySet[_Found], tracked: TrackedNames, origin: Origin, answers: Sequence[Answer]) -> list[_Found]:
    copies: list[Any] = list(rows.filter(generation=origin.generation, answer__in=answers).order_by("pk"))
    for copy in copies:
        copy.pk, copy.generation_id = None, tracked.generation
    return copies
