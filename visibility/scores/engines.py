"""The engines that were asked about a brand, and the one that is meant by a name."""

from collections.abc import Sequence
from datetime import date

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


def measured_engines(brand: Brand) -> dict[EngineKey, tuple[date, date]]:
    """The engines whose answers are measured, by name and surface, each with its first and last day."""
    runs = Run.objects.filter(brand=brand, kind=Run.Kind.VISIBILITY, done__gt=0).measured()
    day = Coalesce("run__day", TruncDate("run__created_at"))
    rows = RunEngine.objects.filter(run__in=runs).order_by("engine__name", "surface")
    spans = rows.values_list("engine__name", "surface").annotate(first=Min(day), last=Max(day))
    return {(name, surface): (first, last) for name, surface, first, last in spans}


def measured_markets(brand: Brand) -> list[str]:
    """The markets that measured answers were asked for, as far as known."""
    runs = Run.objects.filter(brand=brand, kind=Run.Kind.VISIBILITY, done__gt=0).measured()
    rows = RunEngine.objects.filter(run__in=runs).exclude(markets=[]).order_by().values_list("markets", flat=True)
    return sorted({market for markets in rows.distinct() for market in markets})


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
