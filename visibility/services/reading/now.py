"""*Now* as the doors show it: the figures, the engines with their days, and what is left out, in words."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from apikeys.text.sentences import joined
from visibility.engines.display import display_name
from visibility.engines.surfaces import Surface
from visibility.measured.ages import age
from visibility.measured.basis import MIN_COVERED, WINDOW_DAYS, Basis, EngineDay, LeftOut, Reason
from visibility.measured.now import Coverage, Now
from visibility.measured.reading import older_days
from visibility.metrics.shown import shown
from visibility.models import DailyScore
from visibility.resources.brands import TREND_FIELDS, EngineScore
from visibility.resources.change_records import ChangeRecord
from visibility.resources.now import EngineNow, LeftOutEngine, NowItem
from visibility.services.reading.change_records import told_records
from visibility.services.reading.change_words import development_in_words

_BESIDE = {
    Surface.APP: "its answers were collected from the app, so it counts in the mean only where nothing that is asked "
    "here does",
    Surface.API_IMPORTED: "its answers were asked of the API elsewhere, so it counts in the mean only where nothing "
    "asked here and no app does",
    Surface.IMPORTED: "its answers were imported and nobody says from where, so it counts in the mean only where no "
    "other AI system does",
}
"""Why what stands behind another surface stands beside the mean."""
_UNMEASURED: dict[str, Any] = {**dict.fromkeys(EngineScore.model_fields), "answers": 0, "models": []}


def now_resource(now: Now) -> NowItem | None:
    """None before the first measured day."""
    return item_of_row(now, now.own, told_records(now.basis.brand, now.basis.latest)) if now.own else None


def item_of_row(now: Now, brand_row: DailyScore, told_rows: Sequence[ChangeRecord]) -> NowItem:
    """With the brand's own figures of this row, and what is told as a change."""
    return now_item(now, {name: getattr(brand_row, name) for name in TREND_FIELDS}, told_rows)


def now_item(now: Now, brand_row: Mapping[str, Any], told_rows: Sequence[ChangeRecord]) -> NowItem:
    """With the brand's own figures by the fields of a `TrendItem`, and what is told as a change."""
    basis, today = now.basis, timezone.now().date()
    figures = {row["engine"]: row for row in brand_row["engines"]}
    item = {
        **brand_row,
        "date": basis.latest,
        "engines": [
            _engine(now, engine_day, _UNMEASURED | figures.get(engine_day.engine, {}), today)
            for engine_day in basis.engines
        ],
        "left_out": [_left_out(basis, omission) for omission in (*basis.left_out, *older_days(basis))],
        "development": "",
        "change_records": list(told_rows),
        "based_on": based_on(now.averaged, brand_row["by_locale"]),
        "age": _oldest(basis, now.averaged, today),
    }
    resource = NowItem.model_validate(item)
    resource.development = development_in_words(resource, told_rows)
    return resource


def based_on(engines: Sequence[EngineDay], by_locale: Sequence[Mapping[str, Any]] | None = None) -> str:
    """The engines with their days: “ChatGPT as of 9 Mar 2026, Gemini as of 10 Mar 2026”; and the locales that the
    figure pools, where there are several."""
    by_day: dict[date, list[str]] = {}
    for engine_day in sorted(engines, key=lambda engine_day: (engine_day.day, engine_day.engine)):
        by_day.setdefault(engine_day.day, []).append(display_name(engine_day.engine))
    words = ", ".join(f"{joined(names)} as of {date_format(day)}" for day, names in by_day.items()) or "no engine"
    return f"{words}; {locales_in_words(by_locale)}" if by_locale else words


def locales_in_words(by_locale: Sequence[Mapping[str, Any]]) -> str:
    """That a figure pools these locales, with their prompts: “2 locales pooled (de-DE 12, en-GB 30 prompts)”."""
    named = ", ".join(f"{row['locale'] or 'not stated'} {row['prompts']}" for row in by_locale)
    return f"{len(by_locale)} locales pooled ({named} prompts)"


def _oldest(basis: Basis, engines: Sequence[EngineDay], today: date) -> str | None:
    day = min((engine_day.day for engine_day in engines), default=basis.latest)
    return (age(day, basis.latest, today) or None) if day and basis.latest else None


def _engine(now: Now, engine: EngineDay, figures: Mapping[str, Any], today: date) -> EngineNow:
    reason = now.aside.get(engine.engine)
    notes = [_why_aside(reason, engine, now.coverage)] if reason else []
    if old := age(engine.day, now.basis.latest or engine.day, today):
        notes.append(old)
    fields = {
        "engine": engine.engine,
        "as_of": engine.day,
        "averaged": reason is None,
        "reason": reason.value if reason else None,
        "note": "; ".join(notes) or None,
    }
    return EngineNow.model_validate({**figures, **fields})


def _why_aside(reason: Reason, engine: EngineDay, coverage: Mapping[str, Coverage]) -> str:
    if reason is Reason.LOCAL_SEARCH:
        return "it ranks the site's own pages, so it counts in the mean only where no other engine does"
    if reason is Reason.SURFACE:
        return _BESIDE[engine.surface]
    covered = coverage[engine.engine]
    return (
        f"on {date_format(engine.day)} it answered {covered.answered} of the {covered.prompts} prompts that are "
        f"active now; from {shown(100 * MIN_COVERED, 0)} % on it counts in the mean"
    )


def _left_out(basis: Basis, engine: LeftOut) -> LeftOutEngine:
    last, latest = (date_format(day) if day else "no day" for day in (engine.day, basis.latest))
    words = {
        Reason.TOO_FEW_ANSWERS: f"on {last} too few of its prompts were answered to count",
        Reason.TOO_OLD: f"it was last measured on {last}, more than "
        f"{(basis.latest - basis.first).days if basis.latest and basis.first else WINDOW_DAYS} days before "
        f"{latest}",
        Reason.NOT_IN_USE: f"it is not asked any more; the last time was {last}",
    }
    return LeftOutEngine.model_validate(
        {
            "engine": engine.engine,
            "as_of": engine.day,
            "answers": engine.answers,
            "reason": engine.reason.value,
            "note": words[engine.reason],
        }
    )
