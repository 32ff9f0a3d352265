"""How often answers name the brand and each competitor: of the engines, prompts and days that a question is about."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand, Competitor
from visibility.measured.basis import Basis, EngineDay
from visibility.measured.now import read_now
from visibility.models import DailyScore
from visibility.resources.figures import EngineDetails, Figure, ScoreDetails
from visibility.services.ask.about import About
from visibility.services.ask.days import Tallies, Tally, days_meant, tallies_of
from visibility.services.ask.types import Subject, Value


@dataclass(frozen=True, slots=True)
class EngineFigures:
    """What the daily score keeps of one subject on one engine and day."""

    score: Figure
    details: EngineDetails


Scores = Mapping[tuple[str, date, UUID | None], EngineFigures]


@dataclass(frozen=True, slots=True)
class Counts:
    """k of n: how many answers of these days name whom. `subjects` are those whom the caller may read of and who were
    looked for, the brand first; `unmeasured` those who were not. `prompts` None: all."""

    brand: Brand
    days: Sequence[EngineDay]
    subjects: Sequence[Subject]
    unmeasured: Sequence[Subject]
    tallies: Tallies
    scores: Scores
    prompts: frozenset[UUID] | None

    @property
    def by_engine(self) -> Mapping[str, Sequence[EngineDay]]:
        """The days of each engine, the earliest first."""
        days: dict[str, list[EngineDay]] = defaultdict(list)
        for day in sorted(self.days, key=lambda day: day.day):
            days[day.engine].append(day)
        return days

    def tally(self, subject: Subject, engine: str = "", prompts: Collection[UUID] | None = None) -> Tally:
        """k of n for one subject, of all engines or of one, on all prompts that are meant or on these."""
        days = self.by_engine[engine] if engine else self.days
        return self.tallies.of(days, subject.id, self.prompts if prompts is None else prompts)

    def figures(self, subject: Subject, engine: str) -> EngineFigures | None:
        """What is kept of an engine's whole day; None where a question is about some prompts or several days."""
        days = self.by_engine.get(engine, [])
        if self.prompts is not None or len(days) != 1:
            return None
        return self.scores.get((engine, days[0].day, subject.id))

    def values(self, subject: Subject, engine: str = "") -> dict[str, Value]:
        """Who is named how often, as the values of a sentence or of a row of one."""
        tally, figures = self.tally(subject, engine), self.figures(subject, engine) if engine else None
        score = figures.score if figures else Figure()
        return {
            "subject": subject.name,
            "competitor": str(subject.id) if subject.id else None,
            "named": tally.named if tally.answers else None,
            "answers": tally.answers or None,
            "score": score.value,
            "low": score.low,
            "high": score.high,
            "onQuestions": figures.details.prompts if figures and score.interval == "questions" else None,
        }

    def ranked(self, subjects: Sequence[Subject] | None = None) -> list[Subject]:
        """These or all, whom most answers name first."""
        those = self.subjects if subjects is None else subjects
        return sorted(those, key=lambda subject: (-self.tally(subject).share, subject.name))

    @property
    def is_whole(self) -> bool:
        """Whether each engine is told of by one day: the sum of several days is no figure of any."""
        return all(len(days) == 1 for days in self.by_engine.values())

    @property
    def span(self) -> dict[str, Value]:
        """The last of the days, and of several days of one engine the first."""
        dates = sorted({day.day for day in self.days})
        return {"day": dates[-1] if dates else None, "first": None if self.is_whole else dates[0]}

    @property
    def runs(self) -> list[UUID]:
        """The runs whose answers are counted."""
        return list(dict.fromkeys(run for day in self.days for run in day.runs))


def counts_of(caller: Caller, brand: Brand, about: About) -> Counts:
    """What is counted for a question. The brand needs read:visibility, competitors read:competitors."""
    days = days_meant(about.days, about.basis, about.engines, about.period)
    subjects = [Subject(brand.name)] if Scope.READ_VISIBILITY in caller.scopes else []
    if Scope.READ_COMPETITORS in caller.scopes:
        rivals = Competitor.objects.restrict(caller, "view").filter(brand=brand).order_by("created_at", "name")
        subjects += [Subject(name, pk) for pk, name in rivals.values_list("pk", "name")]
    prompts = about.narrowing.prompts if about.narrowing else None
    scores = _scores(brand, days, about.basis if about.period is None else None)
    looked_for = {subject for _, _, subject in scores}
    measured = [subject for subject in subjects if subject.id in looked_for]
    return Counts(
        brand=brand,
        days=days,
        subjects=measured,
        unmeasured=[subject for subject in subjects if subject not in measured],
        tallies=tallies_of(brand, days, [subject.id for subject in measured], prompts),
        scores=scores,
        prompts=prompts,
    )


def _scores(brand: Brand, days: Sequence[EngineDay], basis: Basis | None) -> Scores:
    """What the daily scores of these days hold of everybody, by engine; of the days of now, where `basis` is what it
    rests on, what counts now."""
    engine_days = {(day.engine, day.day) for day in days}
    rows = DailyScore.objects.filter(brand=brand, date__in={day.day for day in days})
    scores: dict[tuple[str, date, UUID | None], EngineFigures] = {}
    for row in rows.only("date", "competitor", "engines", "details"):
        for engine, figures in _by_engine(row).items():
            if (engine, row.date) in engine_days:
                scores[engine, row.date, row.competitor_id] = figures
    if basis is not None and not basis.is_latest_day:
        day_of = {row.engine: row.day for row in basis.engines}
        for row in read_now(brand, basis).rows:
            for engine, figures in _by_engine(row).items():
                if (engine, day_of[engine]) in engine_days:
                    scores[engine, day_of[engine], row.competitor.pk if row.competitor else None] = figures
    return scores


def _by_engine(row: DailyScore) -> dict[str, EngineFigures]:
    details = ScoreDetails.model_validate(row.details).engines
    return {
        item["engine"]: EngineFigures(
            Figure.model_validate({"value": item["score"], **item}),
            details.get(item["engine"], EngineDetails()),
        )
        for item in row.engines
        if item["score"] is not None
    }
