"""What a run consists of: answers of engines, or pages of a site. Whoever ends a run counts either by this."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from django.db.models import Count, QuerySet

from visibility.models import Answer, AuditPage, Run

Reasons = list[tuple[str, int]]
"""Codes of why items failed, with how many, the most frequent first."""
SHOWN_REASONS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """The items of one kind of run, and the words for them.

    `abandon` fails those that wait, with a code and a sentence, and says how many there were; `came_since` counts
    those that came or failed after a time.
    """

    work: str
    """What such a run is called."""
    many: str
    none_done: str
    """What happened where none came, as a sentence about `{total}` without its end."""
    reasons: Callable[[UUID], Reasons]
    abandon: Callable[[UUID, str, str], int]
    came_since: Callable[[UUID, datetime], int]


def items_of(run: Run) -> Items:
    """What the run consists of."""
    return _ITEMS[run.kind]


def _answer_reasons(run_id: UUID) -> Reasons:
    return _counted(Answer.objects.filter(run=run_id, state=Answer.State.FAILED), "error_code")


def _abandon_answers(run_id: UUID, code: str, message: str) -> int:
    pending = Answer.objects.filter(run=run_id, state=Answer.State.PENDING)
    return pending.update(state=Answer.State.FAILED, error_code=code, error_message=message)


def _answers_since(run_id: UUID, moment: datetime) -> int:
    answers = Answer.objects.filter(run=run_id, answered_at__gt=moment)
    return answers.exclude(state=Answer.State.PENDING).count()


def _page_reasons(run_id: UUID) -> Reasons:
    return _counted(AuditPage.objects.filter(run=run_id, state=AuditPage.State.FAILED), "error_code")


def _abandon_pages(run_id: UUID, code: str, message: str) -> int:
    waiting = AuditPage.objects.filter(run=run_id, state=AuditPage.State.WAITING)
    return waiting.update(state=AuditPage.State.FAILED, error_code=code, fetched={"url": "", "detail": message})


def _pages_since(run_id: UUID, moment: datetime) -> int:
    counted = (AuditPage.State.FETCHED, AuditPage.State.FAILED)
    return AuditPage.objects.filter(run=run_id, state__in=counted, fetched_at__gt=moment).count()


def _counted(rows: QuerySet, field: str) -> Reasons:  # type: ignore[type-arg]
    """Equal numbers in the order of their codes, so that a sentence is the same each time."""
    counted = rows.order_by().values_list(field).annotate(number=Count("pk"))
    return sorted(counted, key=lambda row: (-row[1], row[0]))[:SHOWN_REASONS]


_ANSWERS = Items(
    work="scan",
    many="answers",
    none_done="None of {total} questions was answered",
    reasons=_answer_reasons,
    abandon=_abandon_answers,
    came_since=_answers_since,
)
_PAGES = Items(
    work="audit",
    many="pages",
    none_done="None of {total} pages could be read",
    reasons=_page_reasons,
    abandon=_abandon_pages,
    came_since=_pages_since,
)
_ITEMS: Mapping[str, Items] = MappingProxyType(
    {Run.Kind.VISIBILITY: _ANSWERS, Run.Kind.COMPARISON: _ANSWERS, Run.Kind.AUDIT: _PAGES}
)
