"""*Now* as the doors show it: the figures, the engines with their days, and what is left out, in words."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from apikeys.text.sentences import counted, joined
from visibility.engines.display import display_name
from visibility.engines.surfaces import Surface
from visibility.measured.ages import age
from visibility.measured.asked_then import AskedThen, read_asked_then
from visibility.measured.basis import WINDOW_DAYS, Basis, EngineDay, LeftOut, Reason
from visibility.measured.now import Now
from visibility.measured.own_topics import TopicCounts, count_topics
from visibility.measured.reading import older_days
from visibility.models import DailyScore
from visibility.resources.brands import TREND_FIELDS, EngineScore
from visibility.resources.change_records import ChangeRecord
from visibility.resources.now import EngineNow, FewLeft, LeftOutEngine, NowItem
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
    basis, today, counts = now.basis, timezone.now().date(), count_topics(now.basis.brand)
    panel = read_asked_then([basis]).get(basis.brand)
    figures = {row["engine"]: row for row in brand_row["engines"]}
    item = {
        **brand_row,
        "date": basis.latest,
        "engines": [
            _engine(now, engine_day, _UNMEASURED | figures.get(engine_day.engine, {}), panel, today)
            for engine_day in basis.engines
        ],
        "left_out": [_left_out(basis, omission) for omission in (*basis.left_out, *older_days(basis))],
        "own_topics": counts,
        "no_score": None if brand_row["score"] is not None else _why_none(brand_row, counts),
        "development": "",
        "change_records": list(told_rows),
        "based_on": based_on(now.averaged, brand_row["by_locale"]),
        "age": _oldest(basis, now.averaged, today),
        "not_asked_yet": not_asked_yet(now, panel),
        "few_left": few_left(now),
        "prompts_note": prompts_note(now, panel),
    }
    resource = NowItem.model_validate(item)
    resource.development = development_in_words(resource, told_rows)
    return resource


def _why_none(brand_row: Mapping[str, Any], counts: TopicCounts) -> str:
    if brand_row["all_topics"] is not None and not counts.own + counts.undecided:
        return "none of its topics is marked as its own"
    return "too few answers to prompts that do not name it"


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


def not_asked_yet(now: Now, panel: AskedThen | None) -> int | None:
    """How many active prompts no engine of the figure was asked on its day; None where that is not known."""
    return panel.not_asked_yet([row.engine for row in now.averaged or now.basis.engines]) if panel else None


def few_left(now: Now) -> FewLeft | None:
    """How many prompts are left where most of those that the figure was asked are archived."""
    return FewLeft(left=now.thin[None][0], total=now.thin[None][1]) if None in now.thin else None


def prompts_note(now: Now, panel: AskedThen | None) -> str | None:
    """What of the active prompts the figure does not hold yet, or in an earlier wording, and that few of those asked
    are left; None where nothing of it is so."""
    notes = []
    if number := not_asked_yet(now, panel):
        engines = {row.engine: panel.not_asked_yet([row.engine]) for row in now.averaged} if panel else {}
        beside = ", ".join(f"{display_name(name)} {few}" for name, few in engines.items())
        differs = f" (by engine: {beside})" if set(engines.values()) - {number} else ""
        notes.append(f"{counted(number, 'prompt')} not asked yet{differs}")
    if panel and (number := panel.reworded([row.engine for row in now.averaged])):
        notes.append(f"{counted(number, 'prompt counts', 'prompts count')} as worded before")
    if None in now.thin:
        notes.append(_few_in_words(*now.thin[None], now.averaged))
    return "; ".join(notes) or None


def _few_in_words(left: int, total: int, engines: Sequence[EngineDay]) -> str:
    days = {row.day for row in engines}
    when = f"on {date_format(days.pop())}" if len(days) == 1 else "on the engines' last days"
    if left:
        return f"{left} of the {total} prompts asked {when} are still tracked, too few for a margin of error"
    return f"all {total} prompts asked {when} are archived, so this last figure stays until others are answered"


def _engine(
    now: Now, engine: EngineDay, figures: Mapping[str, Any], panel: AskedThen | None, today: date
) -> EngineNow:
    reason = now.aside.get(engine.engine)
    notes = [_why_aside(reason, engine)] if reason else []
    if engine.engine in now.thin:
        notes.append(_few_in_words(*now.thin[engine.engine], [engine]))
    if old := age(engine.day, now.basis.latest or engine.day, today):
        notes.append(old)
    fields = {
        "engine": engine.engine,
        "as_of": engine.day,
        "averaged": reason is None,
        "reason": reason.value if reason else None,
        "not_asked_yet": panel.not_asked_yet([engine.engine]) if panel else None,
        "note": "; ".join(notes) or None,
    }
    return EngineNow.model_validate({**figures, **fields})


def _why_aside(reason: Reason, engine: EngineDay) -> str:
    if reason is Reason.LOCAL_SEARCH:
        return "it ranks the site's own pages, so it counts in the mean only where no other engine does"
    return _BESIDE[engine.surface]


def _left_out(basis: Basis, engine: LeftOut) -> LeftOutEngine:
    last, latest = (date_format(day) if day else "no day" for day in (engine.day, basis.latest))
    words = {
        Reason.TOO_FEW_ANSWERS: f"on {last} too few of its prompts were answered to count",
        Reason.TOO_OLD: f"it was last measured on {last}, more than "
        f"{(basis.latest - basis.first).days if basis.latest and basis.first else WINDOW_DAYS} days before "
        f"{latest}",
        Reason.NOT_IN_USE: f"it is not asked any more; the last time was {last}",
        Reason.PROMPTS_ARCHIVED: f"all that it was asked on {last} is archived",
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
