"""Reads of what is true now: figures, engines, topics and competitors, over all or for one engine or topic."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Max, Q, QuerySet

from brands.models import Brand
from visibility.metrics import Lead, Verdict, find_leads
from visibility.models import Answer, Cell, DailyScore, Run, RunEngine, Topic
from visibility.scores.days import DayCounts, EngineKey, Summed, count_rows, daily_scores, engine_of, own_rows
from visibility.scores.now import answers_behind, cells_of_now
from visibility.scores.now_resources import (
    DayScore,
    EngineNow,
    LeftOut,
    NowFigures,
    Relation,
    TestedStanding,
    TopicResult,
)
from visibility.scores.resources import TrendItem
from visibility.scores.words import tied_words


@dataclass(frozen=True, slots=True)
class Filter:
    """What figures are restricted to; None: nothing."""

    engine: str | None = None
    topic: Topic | None = None

    @property
    def is_empty(self) -> bool:
        """Whether everything counts."""
        return self.engine is None and self.topic is None

    def apply(self, cells: QuerySet[Cell]) -> QuerySet[Cell]:
        """The cells that count."""
        if self.engine is not None:
            cells = cells.filter(engine__name=self.engine)
        return cells if self.topic is None else cells.filter(version__prompt__topic=self.topic)


@dataclass(frozen=True, slots=True)
class Now:
    """The counts of now. `scores` are by competitor, the brand's own under None; who waits for a recount has none."""

    brand: Brand
    cells: QuerySet[Cell]
    competitors: Mapping[UUID, str]
    rows: Sequence[Summed]
    counted: DayCounts
    scores: Mapping[UUID | None, DailyScore]
    days: Mapping[EngineKey, date]

    @property
    def own(self) -> DailyScore | None:
        """The brand's own figures; None where nothing is measured."""
        return self.scores.get(None) if self.counted.engines else None

    @property
    def answers(self) -> QuerySet[Answer]:
        """The answers that figures count; without those to prompts that name the brand."""
        places = Q(pk=None)
        for engine, surface in self.counted.engines.values():
            places |= Q(engine__name=engine, surface=surface)
        cells = self.cells.filter(places, named=False).exclude(version__prompt__topic__own=False)
        return answers_behind(cells).filter(brand=self.brand)


def now_of(brand: Brand, only: Filter) -> Now:
    """What is true of a brand now: the stored figures, or under a filter those of the cells that pass it."""
    cells = only.apply(cells_of_now(brand))
    rows = own_rows(cells)
    counted = count_rows(brand, rows, [])
    scores = {score.competitor_id: score for score in DailyScore.objects.filter(brand=brand, date=None)}
    if not only.is_empty and counted.engines:
        of_part = daily_scores(brand, None, counted)
        scores = {score.competitor_id: score for score in of_part if score.competitor_id in scores}
    newest = cells.filter(competitor=None).order_by().values_list("engine__name", "surface").annotate(day=Max("day"))
    days = {(engine, surface): day for engine, surface, day in newest}
    return Now(brand, cells, dict(brand.competitors.values_list("pk", "name")), rows, counted, scores, days)


def figures_of_now(now: Now) -> NowFigures | None:
    """The brand's own figures."""
    if now.own is None:
        return None
    return NowFigures(as_of=max(now.days[key] for key in now.counted.engines.values()), **now.own.every_figure)


def engines_of_now(now: Now) -> list[EngineNow]:
    """The brand's own score by engine, the highest first."""
    rows = now.own.figures["engines"] if now.own else []
    days = [(row, now.days.get((row["engine"], row["surface"]))) for row in rows]
    engines = [EngineNow(as_of=day, **row) for row, day in days if day]
    return sorted(engines, key=lambda each: (-(each.score or 0.0), each.engine, each.surface))


def left_out_of_now(now: Now) -> list[LeftOut]:
    """The engines that were ever asked and are not in the figures of now."""
    runs = Run.objects.filter(brand=now.brand, kind=Run.Kind.VISIBILITY).measured()
    engines = RunEngine.objects.filter(run__in=runs).order_by("engine__name", "surface")
    asked = engines.values_list("engine__name", "surface").annotate(day=Max("run__day"))
    counted = set(now.counted.engines.values())
    return [
        LeftOut(engine=engine, surface=surface, last_day=day, reason=_why((engine, surface), now))
        for engine, surface, day in asked
        if (engine, surface) not in counted
    ]


def standings_of(now: Now) -> list[TestedStanding]:
    """The brand and its competitors by their score, with who is ahead of whom beyond chance; competitors that are not
    counted yet come last, without figures."""
    leads = find_leads(now.counted.counts) if now.own else {}
    scores = now.scores if now.own else {}
    subjects: dict[UUID | None, str] = {None: now.brand.name} if now.own else {}
    subjects |= now.competitors.items()
    standings = []
    for key, name in subjects.items():
        score = scores.get(key)
        lead = leads.get(str(key)) if score else None
        standings.append(
            TestedStanding(
                name=name,
                competitor_id=key,
                score=score and score.score,
                low=score and score.low,
                high=score and score.high,
                share_of_voice=score and score.figures["shareOfVoice"],
                site_is=_relation(lead),
                without_brand=lead and lead.rival_alone,
                only_brand=lead and lead.alone,
                chance=None if lead is None or lead.adjusted_p is None else round(lead.adjusted_p, 3),
            )
        )
    return sorted(standings, key=lambda each: (1.0 if each.score is None else -each.score, each.name))


def topics_of_now(now: Now) -> list[TopicResult]:
    """How often answers name the brand, and the competitor that leads, by topic; the topics by name."""
    names = dict(Topic.objects.filter(brand=now.brand).values_list("pk", "name"))
    answers = Counter[UUID]()
    prompts: dict[UUID, set[int]] = defaultdict(set)
    mentioned: dict[UUID, Counter[UUID | None]] = defaultdict(Counter)
    for row in compared_rows(now):
        topic = row["version__prompt__topic"]
        mentioned[topic][row["competitor"]] += row["sum_mentioned"]
        if row["competitor"] is None:
            answers[topic] += row["sum_answers"]
            prompts[topic].add(row["version"])
    results = []
    for topic in answers:
        rivals = {now.competitors[key]: number for key, number in mentioned[topic].items() if key and number}
        number = max(rivals.values(), default=0)
        results.append(
            TopicResult(
                topic=names[topic],
                prompts=len(prompts[topic]),
                mentioned=mentioned[topic][None],
                answers=answers[topic],
                leader=tied_words([name for name in rivals if rivals[name] == number]),
                leader_mentioned=number,
            )
        )
    return sorted(results, key=lambda each: each.topic)


def days_of(brand: Brand, only: Filter, first: date, last: date, *, full: bool) -> list[DayScore | TrendItem]:
    """The measured days of a window, the oldest first. Under a filter they have no verdict."""
    if only.is_empty:
        scores = list(DailyScore.objects.of_brand(brand).between(first, last))
    else:
        cells = only.apply(Cell.objects.filter(brand=brand, run__kind=Run.Kind.VISIBILITY, day__range=(first, last)))
        measured = cells.order_by("day").values_list("day", flat=True).distinct()
        counts = [(day, count_rows(brand, own_rows(cells.filter(day=day)), [])) for day in measured]
        scores = [daily_scores(brand, day, counted)[0] for day, counted in counts if counted.engines]
    if full:
        columns = ("date", "comparable", "change", "runs")
        return [TrendItem(**day.every_figure, **{name: getattr(day, name) for name in columns}) for day in scores]
    return [
        DayScore(date=day.date, verdict=day.change["verdict"] if day.change else None, **day.every_figure)
        for day in scores
    ]


def scored_rows(now: Now) -> list[Summed]:
    """The rows behind the scores over engines: without prompts that name the subject."""
    averaged = {now.counted.engines[str(key)] for key in now.counted.counts.averaged}
    return [row for row in now.rows if engine_of(row) in averaged and not row["named"]]


def compared_rows(now: Now) -> list[Summed]:
    """The same, for the brand and its competitors alike without prompts that name the brand."""
    rows = scored_rows(now)
    unbranded = {row["version"] for row in rows if row["competitor"] is None}
    return [row for row in rows if row["version"] in unbranded]


def _relation(lead: Lead | None) -> Relation | None:
    if lead is None or lead.delta is None:
        return None
    if lead.verdict != Verdict.MOVED:
        return "no_clear_difference"
    return "ahead" if lead.delta > 0 else "behind"


def _why(key: EngineKey, now: Now) -> str:
    if key not in now.days:
        return "not asked lately"
    if any(row["sum_answers"] for row in now.rows if engine_of(row) == key):
        return "fewer than 80 % of its prompts were answered, or it searches stored pages only"
    return "no answer"
