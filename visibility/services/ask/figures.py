"""Facts about how often answers name whom: of the engines, prompts and days that a question is about, as k of n."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import product
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import joined
from visibility.measured.basis import EngineDay
from visibility.metrics.shown import shown
from visibility.models import DailyScore, Prompt
from visibility.resources.figures import EngineDetails, Figure, ScoreDetails
from visibility.services.ask.days import Tallies, days_meant, tallies_of
from visibility.services.ask.fact import Fact, QuestionContext, interval, percent
from visibility.services.ask.vocabulary import any_of

MAX_TOPICS = 6
MAX_DAYS = 3
"""More days of one engine are told as one sum with the first and the last."""
_METRICS = re.compile(any_of(lambda words: words.meaning.further_figures), re.IGNORECASE)
_WE_OURSELVES = rf"\b(?:{any_of(lambda words: words.people.we_ourselves)})\b"
_BEHIND = re.compile(rf"\b(?:{any_of(lambda words: words.meaning.behind)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """Who is counted: the brand, without an id, or a competitor."""

    name: str
    id: UUID | None = None


@dataclass(frozen=True, slots=True)
class _Score:
    """What the daily score keeps of one subject on one engine and day."""

    score: Figure
    details: EngineDetails


Scores = Mapping[tuple[str, date, UUID | None], _Score]


def facts_of_figures(
    context: QuestionContext, subjects: Sequence[Subject], *, ranked: bool = False
) -> Iterator[Fact]:
    """A sentence for each engine and day that is meant, about all subjects; the engine that names the first most
    comes first. `ranked`: whom it names most comes first in each."""
    about = context.about
    days = days_meant(about.days, about.basis, about.engines, about.period)
    tallies = tallies_of(
        context.brand,
        days,
        [subject.id for subject in subjects],
        about.narrowing.prompts if about.narrowing else None,
    )
    table = _Table(subjects, tallies, _scores(context, days), ranked, about.narrowing is None)
    by_engine: dict[str, list[EngineDay]] = defaultdict(list)
    for day in sorted(days, key=lambda day: day.day):
        by_engine[day.engine].append(day)
    place = f", on {about.narrowing}" if about.narrowing else ""
    wants_further = _METRICS.search(context.question) is not None
    if wants_further and place:
        yield Fact(
            "Share of voice, prominence and citation rate are not kept by topic: what follows is who is named."
        )
    elif wants_further:
        yield from _further(days[:MAX_DAYS], subjects[:2], table.scores)
    for subject in subjects:
        if not any(key[2] == subject.id for key in table.scores):
            yield Fact(f"{subject.name} is not measured yet.", (str(subject.id),) if subject.id else ())
    for engine in [name for name in about.engines if name in by_engine] or _by_share(by_engine, subjects[0], tallies):
        engine_days = by_engine[engine]
        if len(engine_days) > MAX_DAYS:
            yield _over_days(engine_days, table, place)
        for day in engine_days if len(engine_days) <= MAX_DAYS else ():
            yield _on_day(day, table, place)
    if len(subjects) == len(days) == 1 and about.engines and not wants_further:
        yield from _further(days, subjects, table.scores)


@dataclass(frozen=True, slots=True)
class _Table:
    """What sentences are made of."""

    subjects: Sequence[Subject]
    tallies: Tallies
    scores: Scores
    ranked: bool
    is_whole: bool
    """Of all prompts: the scores are told as well."""


def _by_share(days: Mapping[str, Sequence[EngineDay]], first: Subject, tallies: Tallies) -> list[str]:
    return sorted(days, key=lambda engine: (-tallies.of(days[engine], first.id).share, engine))


def _on_day(day: EngineDay, table: _Table, place: str) -> Fact:
    """Who is named how often; nothing of those whom the day's scores do not hold, who were not looked for."""
    rows = []
    measured = [subject for subject in table.subjects if (day.engine, day.day, subject.id) in table.scores]
    for subject in measured:
        tally, score = table.tallies.of([day], subject.id), table.scores[day.engine, day.day, subject.id].score
        if tally.answers:
            figure = f" ({percent(score.value)}{_with(score)})" if table.is_whole else ""
            rows.append((tally.share, subject.name, f"{tally.named} of {tally.answers}", figure))
        elif table.is_whole:
            share = (score.value or 0.0) / 100
            rows.append((share, subject.name, f"{percent(score.value)} of its", _with(score, " (", ")")))
    if not rows:
        return Fact(f"On {date_format(day.day)} {day.engine} was asked nothing that counts for this{place}.")
    rows = rows[:1] + sorted(rows[1:], key=_share_of) if not table.ranked else sorted(rows, key=_share_of)
    words = [
        f"{name} in {count}{'' if number else ' answers'}{figure}"
        for number, (_, name, count, figure) in enumerate(rows)
    ]
    refs = [str(subject.id) for subject in measured if subject.id] + [str(run) for run in day.runs]
    return Fact(f"On {date_format(day.day)} {day.engine} named {joined(words)}{place}.", tuple(refs))


def _share_of(row: tuple[float, str, str, str]) -> float:
    return -row[0]


def _over_days(days: Sequence[EngineDay], table: _Table, place: str) -> Fact:
    phrases = []
    for subject in table.subjects:
        every, first, last = (table.tallies.of(some, subject.id) for some in (days, days[:1], days[-1:]))
        phrases.append(
            f"{subject.name} in {every.named} of {every.answers} answers (first day {first.named} of "
            f"{first.answers}, "
            f"last day {last.named} of {last.answers})"
        )
    span = f"On {len(days)} measured days from {date_format(days[0].day)} to {date_format(days[-1].day)}"
    return Fact(f"{span} {days[0].engine} named {joined(phrases)}{place}.")


def facts_by_topic(context: QuestionContext, rival: Subject) -> Iterator[Fact]:
    """On which topics a competitor is named more often than the brand, and on which less, the widest gaps first."""
    brand = Subject(context.brand.name)
    days = days_meant(context.about.days, context.about.basis, context.about.engines, context.about.period)
    tallies = tallies_of(context.brand, days, [rival.id, None])
    topics: dict[str, list[UUID]] = defaultdict(list)
    for prompt, topic, text in (
        Prompt.objects.filter(brand=context.brand).tracked().values_list("pk", "topic", "text")
    ):
        topics[topic or text].append(prompt)
    counts = {
        topic: (tallies.of(days, rival.id, prompts), tallies.of(days, None, prompts))
        for topic, prompts in topics.items()
    }
    lead = {
        topic: rival_tally.share - own_tally.share
        for topic, (rival_tally, own_tally) in counts.items()
        if rival_tally.answers and own_tally.answers
    }
    ahead = sorted((topic for topic in lead if lead[topic] > 0), key=lambda topic: (-lead[topic], topic))
    behind = sorted((topic for topic in lead if lead[topic] < 0), key=lambda topic: (lead[topic], topic))
    engine_list = joined([f"{day.engine} on {date_format(day.day)}" for day in days])
    yield Fact(
        f"Of {len(lead)} topics, answers of {engine_list} name {rival.name} more often than {brand.name} on "
        f"{len(ahead)}, less often on {len(behind)}."
    )
    first, then = (behind, ahead) if _asks_of_own_lead(context, rival) else (ahead, behind)
    for topic in [*first[: MAX_TOPICS - min(len(then), 2)], *then[:2]]:
        yield Fact(f"On “{topic}” {'; '.join(_side_by_side(days, (rival, brand), tallies, topics[topic]))}.")


def _side_by_side(
    days: Sequence[EngineDay], subjects: Sequence[Subject], tallies: Tallies, prompts: Sequence[UUID]
) -> Iterator[str]:
    for day in days:
        counts = [(subject.name, tallies.of([day], subject.id, prompts)) for subject in subjects]
        phrases = [f"{name} in {count.named} of {count.answers}" for name, count in counts]
        yield f"{day.engine} named {joined(phrases)} answers"


def _asks_of_own_lead(context: QuestionContext, rival: Subject) -> bool:
    """Whether it is the brand that the question sees in front: "where are we ahead of them"."""
    rival_match = re.search(rf"(?<!\w){re.escape(rival.name)}", context.question, re.IGNORECASE)
    own_match = re.search(rf"{_WE_OURSELVES}|(?<!\w){re.escape(context.brand.name)}", context.question, re.IGNORECASE)
    ours_first = bool(own_match and rival_match and own_match.start() < rival_match.start())
    return ours_first != bool(_BEHIND.search(context.question))


def _further(days: Sequence[EngineDay], subjects: Sequence[Subject], scores: Scores) -> Iterator[Fact]:
    """The figures beside the score, of whole days."""
    for day, subject in product(days, subjects):
        if score := scores.get((day.engine, day.day, subject.id)):
            figures = (
                ("share of voice", score.details.share_of_voice),
                ("prominence", score.details.prominence),
                ("citation rate", score.details.citation_rate),
            )
            phrases = [
                f"a {name} of {percent(figure.value)}{interval(figure)}"
                for name, figure in figures
                if figure.value is not None
            ]
            if phrases:
                yield Fact(f"On {date_format(day.day)} {subject.name} had on {day.engine} {joined(phrases)}.")


def _scores(context: QuestionContext, days: Sequence[EngineDay]) -> Scores:
    """What the daily scores of these days hold of everybody, by engine."""
    engine_days = {(day.engine, day.day) for day in days}
    rows = DailyScore.objects.filter(brand=context.brand, date__in={day.day for day in days})
    scores: dict[tuple[str, date, UUID | None], _Score] = {}
    for day, rival, engines, details in rows.values_list("date", "competitor", "engines", "details"):
        engine_details = ScoreDetails.model_validate(details).engines
        for item in engines:
            if (item["engine"], day) in engine_days and item["score"] is not None:
                score = Figure(value=item["score"], low=item["low"], high=item["high"])
                engine_score = _Score(score, engine_details.get(item["engine"], EngineDetails()))
                scores[item["engine"], day, rival] = engine_score
    return scores


def _with(figure: Figure, before: str = ", ", behind: str = "") -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f"{before}95 % interval {shown(figure.low)} to {shown(figure.high)}{behind}"
