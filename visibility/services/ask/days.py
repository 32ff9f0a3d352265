"""Which measured days of which engines an answer rests on, and how often answers of them name whom: k of n."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Count

from brands.models import Brand
from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.engines.adapters.local_search import is_local
from visibility.measured.basis import Basis, EngineDay
from visibility.measured.generations import tracked_names_of
from visibility.measured.reading import answers_of
from visibility.models import Answer, DailyScore, Mention
from visibility.services.ask.periods import Period


@dataclass(frozen=True, slots=True)
class Tally:
    """`named` of `answers` answers name a subject; prompts that name it themselves are left out."""

    named: int
    answers: int

    @property
    def share(self) -> float:
        """The part that names it, 0–1; 0 without answers."""
        return self.named / self.answers if self.answers else 0.0


class Tallies:
    """How many answers name whom, by engine, day, prompt and subject (None: the brand)."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, date, UUID | None], dict[UUID, Tally]] = defaultdict(dict)

    def add(self, day: tuple[str, date], prompt: UUID, subject: UUID | None, more: Tally) -> None:
        """Count these answers as well."""
        tallies = self._kept[*day, subject]
        so_far = tallies.get(prompt, Tally(0, 0))
        tallies[prompt] = Tally(so_far.named + more.named, so_far.answers + more.answers)

    def of(self, days: Iterable[EngineDay], subject: UUID | None, prompts: Collection[UUID] | None = None) -> Tally:
        """All answers of these days that count for the subject, to any prompt or to these."""
        tallies_by_day = [self._kept.get((day.engine, day.day, subject), {}) for day in days]
        every = [
            tally
            for tallies in tallies_by_day
            for prompt, tally in tallies.items()
            if prompts is None or prompt in prompts
        ]
        return Tally(sum(tally.named for tally in every), sum(tally.answers for tally in every))


def measured_days(brand: Brand) -> list[EngineDay]:
    """Every measured day of every engine, the latest first, on all that it was asked."""
    rows = DailyScore.objects.filter(brand=brand, competitor=None).order_by("-date")
    return [
        EngineDay(item["engine"], day, tuple(map(UUID, runs)), with_archived=True)
        for day, runs, engines in rows.values_list("date", "runs", "engines")
        for item in engines
        if item["score"] is not None
    ]


def days_meant(
    days: Sequence[EngineDay], basis: Basis | None, engines: Collection[str], period: Period | None
) -> list[EngineDay]:
    """The days that a question is about, of these engines or else of all: those of the period, or those of now.

    `basis` is what now rests on. An engine that is named is told of by its latest measured day where it has none now;
    one that quotes stored pages stands beside no other unless it is named.
    """
    if period is not None:
        others = any(not is_local(day.engine) for day in days)
        meant = [day for day in days if (day.engine in engines if engines else not (others and is_local(day.engine)))]
        chosen_days = [day for day in meant if period.first <= day.day <= period.last]
    elif engines:
        latest = {day.engine: day for day in sorted(days, key=lambda day: day.day)}
        latest |= {day.engine: day for day in (basis.engines if basis else ())}
        chosen_days = [latest[engine] for engine in engines if engine in latest]
    else:
        chosen_days = list(basis.compared) if basis else []
    return sorted(chosen_days, key=lambda day: (-day.day.toordinal(), day.engine))


def tallies_of(
    brand: Brand,
    days: Collection[EngineDay],
    subjects: Collection[UUID | None],
    prompts: Collection[UUID] | None = None,
) -> Tallies:
    """How many answers that count on these days name each subject (None: the brand), of all prompts or of these.
    Prompts that name a subject themselves are left out for it."""
    dates = {run: day.day for day in days for run in day.runs}
    engine_days = {(day.engine, day.day) for day in days}
    answers = answers_of(days).filter(state=Answer.State.ANSWERED)
    if prompts is not None:
        answers = answers.filter(prompt__in=prompts)
    mentions = Mention.objects.visible().filter(answer__in=answers.values("pk")).order_by()
    rows = mentions.values_list("answer__run", "answer__engine", "answer__version", "competitor")
    named = {tuple(key): count for *key, count in rows.annotate(count=Count("answer", distinct=True))}
    dictionary = tracked_names_of(brand).dictionary
    tallies = Tallies()
    answer_rows = answers.values_list("run_id", "engine", "version_id", "prompt_id", "version__text")
    for run, engine, version, prompt, text, count in answer_rows.annotate(count=Count("pk")):
        if (engine, dates[run]) not in engine_days:
            continue
        branded = named_in(text, dictionary)
        for subject in subjects:
            if (BRAND if subject is None else str(subject)) not in branded:
                naming = named.get((run, engine, version, subject), 0)
                tallies.add((engine, dates[run]), prompt, subject, Tally(naming, count))
    return tallies
