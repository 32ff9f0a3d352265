"""What decides on now, as the database has it: for many brands in a few statements, for one in a single one that is
compiled once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import (
    BigIntegerField,
    BooleanField,
    Case,
    Count,
    DateField,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    FilteredRelation,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    UUIDField,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce

from apikeys.caller import Caller
from apikeys.db.prepared import Prepared, Slot
from brands.models import Brand
from visibility.measured.basis import CADENCE_DAYS, WINDOW_DAYS, days_of_window
from visibility.models import DailyScore, EngineConfig, LeftOutTopic, Page, Prompt, Run

_STATE, _DAY, _CHOICE, _IMPORT = range(4)
_COLUMNS = ("part", "brand", "day", "number", "moment", "yes", "also", "text", "other")
STATE_FIELDS = tuple(f"state_{name}" for name in ("day", "number", "moment", "yes", "also", "other"))
"""What is read of a brand beside its cadence: its latest measured day, how many prompts are active, when one was last
archived, whether there are imports and pages, and the details of the latest day as text."""
_NOTHING = {
    "brand": Cast(Value(None), UUIDField()),
    "day": Cast(Value(None), DateField()),
    "number": Value(0, output_field=BigIntegerField()),
    "moment": Cast(Value(None), DateTimeField()),
    "yes": Value(False, output_field=BooleanField()),
    "also": Value(False, output_field=BooleanField()),
    "text": Value("", output_field=TextField()),
    "other": Value("", output_field=TextField()),
}


@dataclass(slots=True)
class BasisRows:
    """What was read of one brand: the fields of its state (none: there is no such brand), days and choices as the
    querysets here give them."""

    states: list[Sequence[Any]] = field(default_factory=list)
    days: list[Sequence[Any]] = field(default_factory=list)
    choices: list[Sequence[Any]] = field(default_factory=list)


def rows_of_one(brand_id: UUID) -> BasisRows:
    """All that decides for one brand; of the days all of the window and some before it."""
    return _sorted(_ONE.rows(None, brand_id=brand_id))


def _sorted(read: Iterable[Sequence[Any]]) -> BasisRows:
    rows = BasisRows()
    for part, brand, day, number, moment, yes, also, text, other in read:
        if part == _STATE:
            rows.states.append((brand, text, day, number, moment, yes, also, other))
        elif part == _DAY:
            rows.days.append((brand, day, text, other))
        else:
            rows.choices.append((text, yes if part == _CHOICE else None, brand))
    return rows


def states_of(brands: QuerySet[Brand]) -> QuerySet[Brand, Any]:
    """The fields of a `BrandState`, details of the latest day as text in place of the last."""
    return with_state(brands.order_by()).values_list("pk", "cadence", *STATE_FIELDS)


def with_state(brands: QuerySet[Brand]) -> QuerySet[Brand]:
    """Brands with the `STATE_FIELDS`, beside what else is read of them."""
    state = _state_of(OuterRef("pk"))
    return brands.annotate(**{f"state_{name}": value for name, value in state.items()})


def rows_of_many(days: QuerySet[DailyScore], brands: Sequence[UUID]) -> BasisRows:
    """These measured days (with brand, day, and engines and runs as text), and the choices of these brands, in one
    statement: each configured engine with each brand that has chosen it, None where none has; and with null for
    whether they are enabled, the lists of engines whose answers were imported for these brands."""
    first, *others = _days_and_choices(
        days.filter(competitor=None), Q(choices__brand__in=brands), Run.objects.filter(brand__in=brands)
    )
    return _sorted(first.union(*others, all=True))


def _state_of(brand: Any) -> dict[str, Any]:
    latest = DailyScore.objects.filter(brand=brand, competitor=None).order_by("-date")
    prompts = Prompt.objects.filter(brand=brand).order_by()
    left_out = LeftOutTopic.objects.filter(brand=brand).values("topic")
    active = (
        prompts.active().exclude(topic__in=left_out).values("brand").annotate(number=Count("pk")).values("number")
    )
    return {
        "day": Subquery(latest.values("date")[:1]),
        "number": Coalesce(Subquery(active), 0),
        "moment": Subquery(prompts.tracked().values("brand").annotate(last=Max("archived_at")).values("last")),
        "yes": Exists(Run.objects.filter(brand=brand, trigger=Run.Trigger.IMPORT)),
        "also": Exists(Page.objects.filter(brand=brand)),
        "other": Subquery(latest.annotate(text=_text("details")).values("text")[:1]),
    }


def _of_one(caller: Caller | None, brand_id: Slot) -> QuerySet[Any, Any]:
    """One statement. The state comes first, as its columns give the types."""
    brands = Brand.objects.filter(pk=brand_id)
    days = DailyScore.objects.filter(brand=brand_id, competitor=None)
    others = _days_and_choices(
        days.filter(date__gte=_first_day(days)), Q(choices__brand=brand_id), Run.objects.filter(brand=brand_id)
    )
    parts: QuerySet[Any, Any] = _part(
        brands, _STATE, brand=F("pk"), text=_text("cadence"), **_state_of(OuterRef("pk"))
    ).union(*others, all=True)
    return parts


def _days_and_choices(days: QuerySet[DailyScore], chosen_by: Q, runs: QuerySet[Run]) -> list[QuerySet[Any, Any]]:
    engines = EngineConfig.objects.annotate(chosen=FilteredRelation("choices", condition=chosen_by))
    imports = runs.filter(trigger=Run.Trigger.IMPORT)
    return [
        _part(days, _DAY, brand=F("brand_id"), day=F("date"), text=_text("engines"), other=_text("runs")),
        _part(engines, _CHOICE, text=_text("name"), yes=F("enabled"), brand=F("chosen__brand")),
        _part(imports, _IMPORT, brand=F("brand_id"), text=_text("engines")).distinct(),
    ]


def _first_day(days: QuerySet[DailyScore]) -> Any:
    """A day before the window: how dates are counted differs by database, so whoever reads the rows looks again."""
    latest = Subquery(days.order_by("-date").values("date")[:1], output_field=DateField())
    windows = [
        When(brand__cadence=cadence, then=Value(timedelta(days=days_of_window(cadence) + 1)))
        for cadence in CADENCE_DAYS
    ]
    window = Case(*windows, default=Value(timedelta(days=WINDOW_DAYS + 1)))
    return ExpressionWrapper(latest - window, output_field=DateField())


def _part(rows: Any, part: int, **columns: Any) -> Any:
    every = {**_NOTHING, **columns, "part": Value(part)}
    named = {f"basis_{name}": every[name] for name in _COLUMNS}
    return rows.order_by().annotate(**named).values_list(*named)


def _text(column: str) -> Cast:
    return Cast(column, TextField())


_ONE = Prepared(_of_one)
