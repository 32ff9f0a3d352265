"""Now: what is true today, of each engine's last counted day. One definition for every door."""

from datetime import date, timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from brands.models import Brand, Cadence
from visibility.models import Answer, Cell, DailyScore, Run, RunEngine
from visibility.scores.days import count_rows, daily_scores, own_rows

LEAST_DAYS = 14
WEEK = timedelta(days=7)
CADENCE_DAYS = {Cadence.MANUAL: 0, Cadence.DAILY: 1, Cadence.WEEKLY: 7, Cadence.MONTHLY: 31}


def cells_of_now(brand: Brand) -> QuerySet[Cell]:
    """The cells that are true now: of each engine those of its last measured day within 14 days (or one and a half
    times the cadence) of the latest, of the prompts that are still active; where all are archived, all stay."""
    cells = Cell.objects.filter(brand=brand, run__kind=Run.Kind.VISIBILITY)
    own = cells.filter(competitor=None)
    latest = own.order_by("-day").values_list("day", flat=True).first()
    if latest is None:
        return cells.none()
    last_days = (
        own.filter(day__gte=latest - reach_of_now(brand))
        .order_by("engine_id", "surface", "-day")
        .distinct("engine_id", "surface")
    )
    places = Q(pk=None)
    for engine, surface, day in last_days.values_list("engine", "surface", "day"):
        places |= Q(engine=engine, surface=surface, day=day)
    asked = cells.filter(places)
    active = asked.filter(version__prompt__archived_at=None)
    return active if active.exists() else asked


def reach_of_now(brand: Brand) -> timedelta:
    """How long before the latest measured day an engine's last day may be, to be true now."""
    return timedelta(days=max(LEAST_DAYS, round(1.5 * CADENCE_DAYS[Cadence(brand.cadence)])))


def counted_competitors(brand: Brand) -> dict[UUID, str]:
    """The names of the competitors that history is counted with, by id; without those that wait for a recount."""
    names = {competitor.pk: competitor.name for competitor in brand.competitors.all()}
    if brand.counted_version == brand.names_version:
        return names
    counted = set(DailyScore.objects.filter(brand=brand, date=None).values_list("competitor", flat=True))
    return {key: name for key, name in names.items() if key in counted}


def cells_of_week(brand: Brand) -> QuerySet[Cell]:
    """The cells of now, and of each engine those of the same wordings and model in the week before; without topics
    that are not the brand's own."""
    now = cells_of_now(brand).exclude(version__prompt__topic__own=False)
    last = dict[tuple[int, str], tuple[date, UUID]]()
    for engine, surface, day, run in now.order_by("day").values_list("engine", "surface", "day", "run").distinct():
        last[engine, surface] = day, run
    first = min((day for day, _ in last.values()), default=date.max)
    asked = Cell.objects.filter(brand=brand, competitor=None, run__kind=Run.Kind.VISIBILITY, day__gt=first - WEEK)
    runs = set(asked.order_by().values_list("run", flat=True))
    engines = RunEngine.objects.filter(run__in=runs).values_list("run", "engine", "surface", "served_models")
    models = {(run, engine, surface): set(names) for run, engine, surface, names in engines}
    places = Q(pk=None)
    for (engine, surface), (day, run) in last.items():
        newest = models[run, engine, surface]
        same = [key[0] for key, names in models.items() if key[1:] == (engine, surface) and names == newest]
        places |= Q(engine=engine, surface=surface, day__gt=day - WEEK, day__lte=day, run__in=same)
    versions = list(now.order_by().values_list("version", flat=True).distinct())
    cells = Cell.objects.filter(brand=brand, run__kind=Run.Kind.VISIBILITY, version__in=versions)
    return cells.filter(places)


def in_answers_of(cells: QuerySet[Cell]) -> Q:
    """The condition for rows (of mentions, citations and the like) whose answers these cells count.

    Lists instead of subqueries: without statistics of fresh rows PostgreSQL would join them for minutes.
    """
    own = cells.filter(competitor=None, answers__gt=0).order_by()
    places = Q(pk=None)
    for run, engine, surface in own.values_list("run", "engine", "surface").distinct():
        places |= Q(answer__run=run, answer__engine=engine, answer__surface=surface)
    return places & Q(answer__version__in=list(own.values_list("version", flat=True).distinct()))


def answers_behind(cells: QuerySet[Cell]) -> QuerySet[Answer]:
    """The answers that these cells count."""
    place = {name: OuterRef(name) for name in ("run", "engine", "surface", "version")}
    own: QuerySet[Cell] = cells.filter(competitor=None, answers__gt=0, **place)
    answers: QuerySet[Answer] = Answer.objects.answered().filter(Exists(own))
    return answers


def write_now(brand: Brand) -> None:
    """Write the figures of now again, in the caller's transaction."""
    DailyScore.objects.filter(brand=brand, date=None).delete()
    cells = cells_of_now(brand)
    if rows := own_rows(cells):
        runs = sorted(set(cells.values_list("run", flat=True)))
        DailyScore.objects.bulk_create(daily_scores(brand, None, count_rows(brand, rows, runs)))
