"""What is measured now as the brand's page shows it below the first screen: figures, engines, changes in words."""

from functools import partial
from typing import Any

from django.utils.formats import date_format

from visibility.pages.present.figure_rows import figure_rows
from visibility.resources.brands import ChangeReport
from visibility.resources.change_records import ChangeRecord
from visibility.resources.figures import FiguresReport
from visibility.resources.now import NowItem
from visibility.services.reading.change_words import (
    causes_in_words,
    common_in_words,
    engine_spans_in_words,
    figure_in_words,
    in_words,
    spans_in_words,
    with_note,
)


def figures_shown(now: NowItem, report: ChangeReport, stands: FiguresReport) -> dict[str, Any]:
    """All figures of now by engine, and the brand's own changes in words."""
    brand_changes = report.subjects[0].changes if report.subjects else []
    told_rows = partial(_told_of, now)
    words = {
        change.engine: with_note(change, told_rows(change.engine))
        for change in brand_changes
        if change.metric == "score"
    }
    figures = {change.metric: figure_in_words(change) for change in brand_changes if change.engine is None}
    own_figures = stands.subjects[0]
    change = now.change
    engine_words = {row.engine: with_note(row, told_rows(row.engine)) for row in change.by_engine} if change else {}
    notes = {row.engine: row.note for row in now.engines}
    return {
        "now": now,
        "changes": {**figures, "score": now.development} if change else {},
        "comparisons": _comparisons(now),
        "engines": [(engine_figures, notes.get(engine_figures.engine)) for engine_figures in own_figures.engines],
        "answers": [now.answers, *(engine_figures.answers for engine_figures in own_figures.engines)],
        "figure_rows": figure_rows(own_figures, alone=len(stands.subjects) == 1),
        "engine_changes": [
            words.get(None, ""),
            *(
                engine_words.get(engine_figures.engine) or words.get(engine_figures.engine, "")
                for engine_figures in own_figures.engines
            ),
        ],
        "budgets": report.budgets,
    }


def _told_of(now: NowItem, engine: str | None) -> list[ChangeRecord]:
    """What is told as a change of the engine's score, or of that over engines."""
    return [record for record in now.change_records if record.engine == engine and not record.topic]


def _comparisons(now: NowItem) -> list[str]:
    """The latest day held against single earlier days, and what part both days share where they differ."""
    change = now.change
    if change is None:
        return []
    if change.verdict == "not_comparable":
        causes = causes_in_words(change.causes)
        day_before = f"since {date_format(change.since)}, which cannot be compared with now"
        sentences = [": ".join(filter(None, [day_before, causes])), common_in_words(change)]
    else:
        day_before = f"since {date_format(change.since)}, the measured day before: {in_words(change)}"
        sentences = [day_before, common_in_words(change)]
    spans = spans_in_words(now) or engine_spans_in_words(change)
    return [sentence for sentence in (*sentences, *spans) if sentence]
