"""The engines that were asked about a brand, and the one that is meant by a name."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from django.db.models import Max, Min
from django.db.models.functions import Coalesce, TruncDate

from apikeys.errors import invalid
from brands.models import Brand
from visibility.counts.sums import EngineKey
from visibility.models import Run, RunEngine

LEAST_PART = 3
"""So many letters of a name have to be given to mean it."""


def asked_engines(brand: Brand) -> list[str]:
    """The names of all engines that were ever asked about a brand."""
    asked = RunEngine.objects.filter(run__brand=brand).order_by("engine__name").distinct()
    return list(asked.values_list("engine__name", flat=True))


class Measured(NamedTuple):
    """The engines whose answers are measured, by name and surface, and the markets that these were asked for, as far
    as known; the first and the last day, None where there is none."""

    engines: Sequence[EngineKey]
    markets: Sequence[str]
    days: tuple[date, date] | None


def measured_of(brand: Brand) -> Measured:
    """What answers of a brand are measured."""
    runs = Run.objects.filter(brand=brand, kind=Run.Kind.VISIBILITY, done__gt=0).measured()
    day = Coalesce("run__day", TruncDate("run__created_at"))
    rows = RunEngine.objects.filter(run__in=runs).order_by("engine__name", "surface")
    spans = list(rows.values_list("engine__name", "surface", "markets").annotate(first=Min(day), last=Max(day)))
    return Measured(
        list(dict.fromkeys((name, surface) for name, surface, *_ in spans)),
        sorted({market for *_, markets, _, _ in spans for market in markets}),
        (min(first for *_, first, _ in spans), max(last for *_, last in spans)) if spans else None,
    )


def engines_like(names: Sequence[str], given: str) -> list[str]:
    """The engine of this name, in whatever case and however its words are joined; else those that have it as a part
    of theirs."""
    wanted = _letters(given)
    same = [name for name in names if _letters(name) == wanted]
    return same or [name for name in names if wanted in _letters(name) and len(wanted) >= LEAST_PART]


def asked_engine(brand: Brand, given: str) -> str:
    """The engine that is meant by a name. Raises invalid_arguments, listing those that were asked, where it is
    unclear."""
    names = asked_engines(brand)
    near = engines_like(names, given)
    if len(near) != 1:
        listed = ", ".join(near or names) or "none yet"
        which = "More than one engine has this name" if near else "This engine was not asked about this brand"
        raise invalid("engine", f"{which}. Asked were: {listed}.")
    return near[0]


def _letters(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())
