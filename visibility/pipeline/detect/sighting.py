"""Keeps since when each source is cited, as answers are analysed."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from uuid import UUID

from visibility.measured.names import TrackedNames
from visibility.models import Answer, Citation, Run, SourceSighting

_Key = tuple[str, str, str]
"""Domain, owner and page; the page is empty for the domain itself."""


def keep_first_days(
    tracked: TrackedNames, run: Run, answers: Iterable[Answer], citations: Iterable[Citation]
) -> None:
    """Note the days of these citations of the run's answers, where no earlier one is known. Call it while the
    generation is held. Can be repeated."""
    if run.kind != Run.Kind.VISIBILITY:
        return
    first = _first_days({answer.pk: _day(run, answer) for answer in answers}, citations)
    rows = SourceSighting.of_all_generations.filter(
        generation=tracked.generation,
        domain__in={domain for domain, _, _ in first},
        page__in={page for _, _, page in first},
    )
    known = {(row.domain, row.owner, row.page): row for row in rows.order_by()}
    SourceSighting.of_all_generations.bulk_create(
        (
            SourceSighting(generation_id=tracked.generation, domain=key[0], owner=key[1], page=key[2], day=day)
            for key, day in first.items()
            if key not in known
        ),
        batch_size=500,
    )
    later = [row for key, row in known.items() if key in first and first[key] < row.day]
    for row in later:
        row.day = first[row.domain, row.owner, row.page]
    SourceSighting.of_all_generations.bulk_update(later, ["day"], batch_size=500)


def _first_days(days: Mapping[UUID, date], citations: Iterable[Citation]) -> dict[_Key, date]:
    first: dict[_Key, date] = {}
    for citation in citations:
        day = days[citation.answer_id]
        for page in ("", citation.url_digest):
            key = (citation.domain, citation.owner, page)
            first[key] = min(day, first.get(key, day))
    return first


def _day(run: Run, answer: Answer) -> date:
    """A run counts on the day that it was started, imported answers each on their own."""
    moment: datetime = run.created_at
    if run.trigger == Run.Trigger.IMPORT and answer.answered_at:
        moment = answer.answered_at
    return moment.astimezone(UTC).date()
