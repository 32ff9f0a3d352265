"""What changed and when: the line with its events, each change with its parts, two days compared, scans."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import Count
from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy

from apikeys.language import day_words, span_words
from brands.models import Brand
from visibility.metrics import decompose
from visibility.models import Answer, DailyScore, Run, Topic
from visibility.models.notes import LONGEST_NOTE
from visibility.models.prompts import topic_title
from visibility.overview.notes import add_note, delete_note
from visibility.pages.filters import DAY_FORMATS
from visibility.pages.forms import IdForm, PageForm
from visibility.pages.frame import Visit, act, brand_page, day_of
from visibility.pages.panels import MOST_PARTS, drawn_parts
from visibility.pages.subjects import subjects_of
from visibility.pages.tables import Table, wanted
from visibility.pages.trend import trend_of
from visibility.recommendations.work import work_of
from visibility.runs.reads import engine_names, read_scan_status, run_resource
from visibility.runs.resources import RunResource, ScanStatus
from visibility.runs.services import cancel_run
from visibility.scores.change_reads import changes_of
from visibility.scores.changes import stored_change
from visibility.scores.days import counts_of_day
from visibility.scores.now_resources import ChangeResource, Part

MOST_RUNS, SHOWN_RUNS = 60, 10
FIRST_PERIOD = "180"
CAUSES = {
    "prompts": gettext_lazy("Too few of the first day's prompts were asked again."),
    "engines": gettext_lazy("Not the same AI engines answered."),
    "model": gettext_lazy("An AI engine answered with another model."),
    "country": gettext_lazy("An AI engine answered from another country."),
    "market": gettext_lazy("The prompts were asked for another country or language."),
}
STATES = {
    "queued": gettext_lazy("waits"),
    "running": gettext_lazy("works"),
    "succeeded": gettext_lazy("done"),
    "partial": gettext_lazy("done in part"),
    "failed": gettext_lazy("failed"),
    "cancelled": gettext_lazy("cancelled"),
}
CHANGE_STATES = {
    "holds": gettext_lazy("lasts"),
    "recovered": gettext_lazy("recovered"),
    "went_on": gettext_lazy("went further"),
}
KINDS = {
    "visibility": gettext_lazy("Scan"),
    "audit": gettext_lazy("Site audit"),
    "comparison": gettext_lazy("Head-to-head"),
}
TRIGGERS = {
    "schedule": gettext_lazy("planned"),
    "agent": gettext_lazy("by an agent"),
    "web": gettext_lazy("by hand"),
    "operator": gettext_lazy("by the operator"),
    "import": gettext_lazy("imported"),
}
RUN_COLUMNS = ("begun", "ended", "kind", "trigger", "state", "score", "done", "failed", "total", "problem")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two measured days and the change between them, tested as every day is tested against the one before."""

    first: DailyScore
    second: DailyScore
    change: dict[str, Any]
    words: str
    causes: Sequence[str]
    parts: Sequence[tuple[str, float, Any]]


@dataclass(frozen=True, slots=True)
class Scans:
    """The scans and audits: those under way, then the newest, each with its resource, how many of its answers repeat
    others, and why answers failed."""

    active: Sequence[ScanStatus]
    rows: Sequence[tuple[RunResource, int, Sequence[tuple[str, str, int]]]]

    @property
    def first(self) -> Sequence[tuple[RunResource, int, Sequence[tuple[str, str, int]]]]:
        """Those that are shown at once."""
        return self.rows[:SHOWN_RUNS]

    @property
    def later(self) -> Sequence[tuple[RunResource, int, Sequence[tuple[str, str, int]]]]:
        """Those that are folded."""
        return self.rows[SHOWN_RUNS:]


@brand_page
def history(visit: Visit) -> HttpResponse:
    """The line of a figure, what moved the score, two days compared, and the runs behind it."""
    runs = list(Run.objects.filter(brand=visit.brand).newest()[:MOST_RUNS])
    if table := wanted(visit, Table("scans", RUN_COLUMNS, lambda: map(cells_of, runs))):
        return table
    filters = visit.filters(FIRST_PERIOD)
    trend = trend_of(filters, subjects_of(visit.brand, filters.now), work_of(visit.brand))
    days = [each.day for each in trend.points]
    changes = changes_of(visit.brand, days[0], days[-1], full=True) if days else []
    return visit.show(
        "history.html",
        "history",
        filters=filters,
        trend=trend,
        span=span_words(days[0], days[-1]) if days else "",
        changes=[(each, _part_lists(each)) for each in changes],
        states=CHANGE_STATES,
        comparison=_comparison(visit, days),
        scans=_scans(visit, runs),
        names={**STATES, **KINDS, **TRIGGERS},
    )


def _scans(visit: Visit, runs: Sequence[Run]) -> Scans:
    engines, failures = engine_names(runs), _failures(runs)
    return Scans(
        [read_scan_status(visit.caller, visit.brand.pk, run.pk) for run in runs if run.is_active],
        [(run_resource(visit.caller, run, engines[run.pk]), run.repeated, failures[run.pk]) for run in runs],
    )


def _part_lists(change: ChangeResource) -> list[tuple[str, list[tuple[str, float, Any]]]]:
    """What a change is made of, by topic, by engine and by wording."""
    made_of = change.parts
    topics = [
        each.model_copy(update={"name": topic_title(each.name) if each.name else None}) for each in made_of.topics
    ]
    lists = (
        (gettext("By topic"), topics),
        (gettext("By AI engine"), made_of.engines),
        (gettext("By prompt"), made_of.wordings),
    )
    return [(head, drawn_parts(parts)) for head, parts in lists if parts]


def _comparison(visit: Visit, days: Sequence[date]) -> dict[str, Any]:
    """The two days that are chosen, at first the two ends of the period, and what lies between them."""
    chosen = [day_of(visit.query.get(name, "")) for name in "ab"]
    if not any(chosen):
        return {"a": days[0], "b": days[-1]} if days else {}
    form: dict[str, Any] = dict(zip("ab", chosen, strict=True))
    measured = DailyScore.objects.of_brand(visit.brand).filter(date__in=[day for day in chosen if day])
    by_day = {row.date: row for row in measured}
    if len(by_day) < 2:
        missing = [day_words(day) for day in chosen if day and day not in by_day]
        why = [gettext("{day} was not measured.").format(day=day) for day in missing]
        return {**form, "refusal": " ".join([*why, gettext("Choose two measured days.")])}
    return {**form, "found": _compared(visit.brand, *(by_day[day] for day in sorted(by_day, key=str)))}


def _compared(brand: Brand, first: DailyScore, second: DailyScore) -> Comparison | None:
    if first.date is None or second.date is None:
        return None
    before, after = counts_of_day(brand, first.date), counts_of_day(brand, second.date)
    change = stored_change(first.date, before, after)
    causes = [str(CAUSES[str(cause)]) for cause in change["causes"]]  # type: ignore[attr-defined]
    made_of = None if causes else decompose([before.counts], [after.counts])
    names = {str(topic.pk): topic.title for topic in Topic.objects.filter(brand=brand)} if made_of else {}
    parts = [Part(name=names.get(str(part.key)), points=part.points) for part in made_of.topics] if made_of else []
    return Comparison(first, second, change, _verdict_words(change), causes, drawn_parts(parts[:MOST_PARTS]))


def _verdict_words(change: dict[str, Any]) -> str:
    """The verdict on a change, in words."""
    match change["verdict"]:
        case "moved":
            return gettext("a clear change")
        case "not_comparable":
            return gettext("these days cannot be compared")
        case "within_noise" if change["minimumDetectable"] is not None:
            words = gettext("no clear change; {points:.0f} points would have shown")
            return words.format(points=change["minimumDetectable"])
    return gettext("no clear change; too few answers to see a small one")


def _failures(runs: Sequence[Run]) -> dict[UUID, list[tuple[str, str, int]]]:
    """Of each run, why answers failed: engine, reason, how many."""
    failed = Answer.objects.filter(run__in=[run for run in runs if run.failed], state=Answer.State.FAILED)
    rows = failed.values_list("run", "engine__name", "error_code").annotate(number=Count("pk")).order_by("-number")
    found: defaultdict[UUID, list[tuple[str, str, int]]] = defaultdict(list)
    for run, engine, code, number in rows:
        found[run].append((engine, code.replace("_", " "), number))
    return found


def cells_of(run: Run) -> list[Any]:
    """The values of RUN_COLUMNS."""
    begun = (run.started_at or run.created_at).isoformat()
    ended = run.finished_at.isoformat() if run.finished_at else None
    kind, trigger, state = KINDS[run.kind], TRIGGERS[run.trigger], STATES[run.status]
    return [begun, ended, kind, trigger, state, run.score, run.done, run.failed, run.total, run.error_message]


def _cancel(visit: Visit, values: dict[str, Any]) -> str:
    cancel_run(visit.caller, brand_id=visit.brand.pk, run_id=values["id"])
    return gettext("Cancelled. What was answered stays; credits for the rest are given back.")


class NoteForm(PageForm):
    """A note on a day."""

    day = forms.DateField(input_formats=DAY_FORMATS, label=gettext_lazy("Day"))
    text = forms.CharField(max_length=LONGEST_NOTE, label=gettext_lazy("Note"))


def _add_note(visit: Visit, values: dict[str, Any]) -> str:
    add_note(visit.caller, brand_id=visit.brand.pk, day=values["day"], text=values["text"])
    return gettext("The note is on the chart.")


def _delete_note(visit: Visit, values: dict[str, Any]) -> str:
    delete_note(visit.caller, brand_id=visit.brand.pk, note_id=values["id"])
    return gettext("The note is deleted.")


add_note_act = act(_add_note, "brand-history", NoteForm)
delete_note_act = act(_delete_note, "brand-history", IdForm)
cancel_act = act(_cancel, "brand-history", IdForm)
