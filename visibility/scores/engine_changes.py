"""The instrument watched: whether engines themselves changed, by the form of stored answers over all brands."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Count

from brands.later import defer_advise
from visibility.metrics import DAYS_BEFORE, Form, Key, Shift, find_shift, form_of, mean_form
from visibility.models import Answer, ChangeRecord, EngineChange, Run, RunEngine, Surface
from visibility.models.answers import AnswerQuerySet
from visibility.scores.history import lock_history
from visibility.scores.instrument import NEAR, instrument_of

DAYS_LOOKED_AT = 3
"""Days up to yesterday that are looked at: a night without a worker misses none."""
REACH = timedelta(days=DAYS_LOOKED_AT + 2 * DAYS_BEFORE)
"""How far back answers are read: days without any scan make two weeks of days longer."""
MOST_WORDINGS = 200
"""Wordings that are compared of one engine, those asked on most days."""
Place = tuple[int, str, str]
"""An engine's id, the surface that it was asked through, and the market."""


def watch_engines(today: date) -> list[EngineChange]:
    """Find the engines whose answers have another form since one of the last days before today, and write that into
    the change records that it belongs to. A day that was looked at before finds nothing new."""
    since, until = today - REACH, today - timedelta(days=1)
    found = [change for place in _places(since, until) for change in _watch(place, since, until)]
    for change in found:
        _write_into_records(change)
    return found


def _places(since: date, until: date) -> list[Place]:
    rows = RunEngine.objects.filter(run__kind=Run.Kind.VISIBILITY, run__day__range=(since, until))
    asked = rows.exclude(surface=Surface.PAGES).order_by().values_list("engine", "surface", "markets").distinct()
    return sorted({(engine, surface, market) for engine, surface, markets in asked for market in ("", *markets)})


def _watch(place: Place, since: date, until: date) -> list[EngineChange]:
    engine, surface, market = place
    answers: AnswerQuerySet = Answer.objects.answered().in_market()
    answers = answers.filter(engine=engine, surface=surface, market=market, day__range=(since, until))
    answers = answers.filter(run__kind=Run.Kind.VISIBILITY)
    days = _forms(answers)
    known = EngineChange.objects.filter(engine=engine, surface=surface, market=market)
    last = known.order_by("-began").values_list("began", flat=True).first() or date.min
    found = []
    for day in sorted(day for day in days if day > until - timedelta(days=DAYS_LOOKED_AT)):
        shift = find_shift({each: forms for each, forms in days.items() if each >= last}, day)
        if shift is not None:
            found.append(_change(place, shift, day, answers))
            last = shift.began
    return EngineChange.objects.bulk_create(found)


def _change(place: Place, shift: Shift, day: date, answers: AnswerQuerySet) -> EngineChange:
    engine, surface, market = place
    stated = (
        answers.exclude(served_model="").order_by("served_model").values_list("served_model", flat=True).distinct()
    )
    return EngineChange(
        engine_id=engine,
        surface=surface,
        market=market,
        began=shift.began,
        features={name: list(means) for name, means in shift.features.items()},
        wordings=shift.wordings,
        models_before=list(stated.filter(day__lt=shift.began)),
        models_after=list(stated.filter(day__range=(shift.began, day))),
    )


def _forms(answers: AnswerQuerySet) -> Mapping[date, Mapping[Key, Form]]:
    """By day and wording the mean form of these answers."""
    asked = answers.order_by().values("version").annotate(days=Count("day", distinct=True))
    wordings = [row["version"] for row in asked.order_by("-days", "version")[:MOST_WORDINGS]]
    forms: dict[date, dict[int, list[Form]]] = defaultdict(lambda: defaultdict(list))
    rows = answers.filter(version__in=wordings).values_list("day", "version", "text", "sources", "searched")
    for day, version, text, sources, searched in rows.order_by().iterator():
        forms[day][version].append(form_of(text, len(sources), searched))
    return {day: {version: mean_form(each) for version, each in of_day.items()} for day, of_day in forms.items()}


def _write_into_records(change: EngineChange) -> None:
    """Write a change of an engine into the records that it belongs to, and have advice made of them again."""
    for record in ChangeRecord.objects.filter(began__range=(change.began - NEAR, change.began + NEAR)):
        with transaction.atomic():
            lock_history(record.brand_id)
            written = ChangeRecord.objects.filter(pk=record.pk).first()
            if written is None or not (instrument := instrument_of(written)):
                continue
            written.context = {**written.context, "instrument": instrument}
            written.save(update_fields=["context"])
            defer_advise(written.brand_id)
