"""*Now* as the doors show it: the figures, the engines with their days, and what is left out, in words."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from apikeys.text.sentences import joined
from visibility.measured.ages import age
from visibility.measured.basis import MIN_COVERED, WINDOW_DAYS, Basis, EngineDay, LeftOut, Reason
from visibility.measured.now import Coverage, Now
from visibility.measured.reading import older_days
from visibility.metrics.shown import shown
from visibility.models import DailyScore
from visibility.resources.brands import EngineScore, TrendItem
from visibility.resources.now import NowItem

_NAMES = {name: field.alias or name for name, field in TrendItem.model_fields.items()}
_FIELDS = (field.alias or name for name, field in EngineScore.model_fields.items())
_UNMEASURED: dict[str, Any] = {**dict.fromkeys(_FIELDS), "answers": 0, "models": []}


def now_resource(now: Now) -> NowItem | None:
    """None before the first measured day."""
    return NowItem.model_validate(now_body(now, item_of(now.own))) if now.own else None


def item_of(row: DailyScore) -> dict[str, Any]:
    """The row under the names of a `TrendItem` outside."""
    return {alias: getattr(row, name) for name, alias in _NAMES.items()}


def now_body(now: Now, item: Mapping[str, Any]) -> dict[str, Any]:
    """As `NowItem`, from the brand's own figures under their names outside, `engines` among them as Python values."""
    basis, today = now.basis, timezone.now().date()
    figures = {each["engine"]: each for each in item["engines"]}
    return {
        **item,
        "date": basis.latest,
        "engines": [_engine(now, each, _UNMEASURED | figures.get(each.engine, {}), today) for each in basis.engines],
        "leftOut": [_left_out(basis, each) for each in (*basis.left_out, *older_days(basis))],
        "basedOn": based_on(now.averaged),
        "age": _oldest(basis, now.averaged, today),
    }


def based_on(engines: Sequence[EngineDay]) -> str:
    """The engines with their days: “gpt as of 2026-03-09, gemini and sonar as of 2026-03-10”."""
    by_day: dict[date, list[str]] = {}
    for each in sorted(engines, key=lambda each: (each.day, each.engine)):
        by_day.setdefault(each.day, []).append(each.engine)
    return ", ".join(f"{joined(names)} as of {date_format(day)}" for day, names in by_day.items()) or "no engine"


def _oldest(basis: Basis, engines: Sequence[EngineDay], today: date) -> str | None:
    day = min((each.day for each in engines), default=basis.latest)
    return (age(day, basis.latest, today) or None) if day and basis.latest else None


def _engine(now: Now, engine: EngineDay, figures: Mapping[str, Any], today: date) -> dict[str, Any]:
    reason = now.aside.get(engine.engine)
    told = [_why_aside(reason, engine, now.coverage)] if reason else []
    if old := age(engine.day, now.basis.latest or engine.day, today):
        told.append(old)
    return {
        **figures,
        "engine": engine.engine,
        "asOf": engine.day,
        "averaged": reason is None,
        "reason": reason.value if reason else None,
        "note": "; ".join(told) or None,
    }


def _why_aside(reason: Reason, engine: EngineDay, coverage: Mapping[str, Coverage]) -> str:
    if reason is Reason.LOCAL_SEARCH:
        return "it ranks the site's own pages, so it counts in the mean only where no other engine does"
    covered = coverage[engine.engine]
    return (
        f"on {date_format(engine.day)} it answered {covered.answered} of the {covered.prompts} prompts that are "
        f"active now; from {shown(100 * MIN_COVERED, 0)} % on it counts in the mean"
    )


def _left_out(basis: Basis, engine: LeftOut) -> dict[str, Any]:
    last, latest = (date_format(day) if day else "no day" for day in (engine.day, basis.latest))
    words = {
        Reason.TOO_FEW_ANSWERS: f"on {last} too few of its prompts were answered to count",
        Reason.TOO_OLD: f"it was last measured on {last}, more than "
        f"{(basis.latest - basis.first).days if basis.latest and basis.first else WINDOW_DAYS} days before "
        f"{latest}",
        Reason.NOT_IN_USE: f"it is not asked any more; the last time was {last}",
    }
    return {
        "engine": engine.engine,
        "asOf": engine.day,
        "answers": engine.answers,
        "reason": engine.reason.value,
        "note": words[engine.reason],
    }
