"""How often the brand is named: the score, the same by engine, and its further figures."""

import re
from collections.abc import Iterator
from datetime import date

from visibility.measured.basis import EngineDay
from visibility.resources.now import NowItem
from visibility.services.ask.days import Tally
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, site_step, unmeasured
from visibility.services.ask.types import Step, Subject, Value
from visibility.services.ask.vocabulary import any_of

_FURTHER = re.compile(
    any_of(lambda words: (*words.meaning.further_figures, *words.meaning.share_of_voice)), re.IGNORECASE
)
MAX_DAYS = 3
"""More days of one engine are told as one sum with the first and the last."""


def told_of_score(context: QuestionContext) -> Told:
    """The brand's figure of what is meant, then the engines, and the figures beside the score."""
    counts = context.counts
    now = context.now
    if not counts.days and (now is None or context.about.days):
        return unmeasured(context)
    first = headline(context, context.own, now)
    support = list(_topics(context)) or list(_days(context))
    if counts.is_whole and len(counts.by_engine) > 1 and not support:
        support = list(_engines(context))
    further = list(_further(context, now))
    facts = [*further, first, *support] if _asks_further(context) else [first, *support, *further]
    return Told(facts[: MOST + 1], _unsure(context, now))


def told_of_engines(context: QuestionContext) -> Told:
    """Each engine that is meant, the one that names the brand most first."""
    counts = context.counts
    if not counts.days:
        return unmeasured(context)
    rows = list(_engines(context))
    if len(rows) < 2:
        return told_of_score(context)
    values = rows[0].statement.values
    least = rows[-1].statement.values
    first = fact(
        "engines",
        *counts.runs,
        **{
            **values,
            "least": least["engine"],
            "leastNamed": least["named"],
            "leastAnswers": least["answers"],
            "topic": context.place["topic"],
        },
    )
    return Told([first, *rows[:MOST]], _unsure(context, None))


def headline(context: QuestionContext, subject: Subject, now: NowItem | None) -> Fact:
    """How often a subject is named, of all that is meant; the brand's score with its interval where that is all."""
    counts, engines = context.counts, list(context.counts.by_engine)
    refs = [*([subject.id] if subject.id else []), *counts.runs]
    values = counts.values(subject, engines[0] if len(engines) == 1 else "")
    if not counts.is_whole or isinstance(context.place["topic"], list):
        return fact(
            "score_in_all",
            *refs,
            **context.place,
            **counts.span,
            subject=subject.name,
            competitor=values["competitor"],
            namedInAll=values["named"],
            answersInAll=values["answers"],
        )
    if now is not None:
        on_questions = now.prompts if now.interval == "questions" else None
        values |= {"score": now.score, "low": now.low, "high": now.high, "onQuestions": on_questions}
    place = context.place | ({"engine": engines[0]} if len(engines) == 1 and context.about.engines else {})
    return fact("score", *refs, **{**values, **place, **counts.span})


def _engines(context: QuestionContext) -> Iterator[Fact]:
    counts = context.counts
    ordered = sorted(counts.by_engine, key=lambda engine: (-_share(context, engine), engine))
    for engine in ordered:
        values = counts.values(context.own, engine)
        if values["answers"] or values["score"] is not None:
            day = counts.by_engine[engine][-1].day
            place = {"topic": context.place["topic"], "engine": engine, "day": day}
            yield fact("by_engine", *counts.runs, **{**values, **place})


def _share(context: QuestionContext, engine: str) -> float:
    tally, figures = context.counts.tally(context.own, engine), context.counts.figures(context.own, engine)
    return tally.share if tally.answers or figures is None else (figures.score.value or 0.0) / 100


def _topics(context: QuestionContext) -> Iterator[Fact]:
    """Each of several topics that are meant."""
    counts, topics = context.counts, context.place["topic"]
    names = topics if isinstance(topics, list) and counts.is_whole else []
    for topic in context.topics.topics if names else ():
        tally = counts.tally(context.own, prompts=topic.prompts)
        if topic.name in names and tally.answers:
            yield fact(
                "topic",
                subject=context.brand.name,
                topic=topic.name,
                engine=context.place["engine"],
                named=tally.named,
                answers=tally.answers,
            )


def _days(context: QuestionContext) -> Iterator[Fact]:
    """Each of a few days of a period by engine, or the first and the last of many."""
    for engine, days in context.counts.by_engine.items():
        for day in days if len(days) <= MAX_DAYS else (days[0], days[-1]):
            if not context.counts.is_whole:
                tally = _tally(context, day)
                yield fact(
                    "on_day",
                    *day.runs,
                    subject=context.brand.name,
                    engine=engine,
                    day=day.day,
                    topic=context.place["topic"],
                    named=tally.named,
                    answers=tally.answers,
                )


def _tally(context: QuestionContext, day: EngineDay) -> Tally:
    return context.counts.tallies.of([day], None, context.counts.prompts)


def _asks_further(context: QuestionContext) -> bool:
    return _FURTHER.search(context.question) is not None


def _further(context: QuestionContext, now: NowItem | None) -> Iterator[Fact]:
    """Share of voice, prominence and citation rate: of now, or of one engine's day; not kept by topic."""
    wants_them = _asks_further(context)
    if now is not None and now.share_of_voice is not None:
        yield fact(
            "further",
            subject=context.brand.name,
            shareOfVoice=now.share_of_voice,
            prominence=now.prominence,
            citationRate=now.citation_rate,
            engine=None,
            day=_latest(now),
        )
    elif context.about.narrowing and wants_them:
        yield fact("not_by_topic", topic=context.place["topic"])
    elif wants_them or len(context.counts.by_engine) == 1:
        for engine, days in context.counts.by_engine.items():
            if figures := context.counts.figures(context.own, engine):
                details = figures.details
                numbers: dict[str, Value] = {
                    "shareOfVoice": details.share_of_voice.value,
                    "prominence": details.prominence.value,
                    "citationRate": details.citation_rate.value,
                }
                if any(number is not None for number in numbers.values()):
                    yield fact(
                        "further", **{**numbers, "subject": context.brand.name, "engine": engine, "day": days[-1].day}
                    )


def _latest(now: NowItem) -> date:
    return now.date


def _first(topics: Value) -> Value:
    return topics[0] if isinstance(topics, list) else topics


def _unsure(context: QuestionContext, now: NowItem | None) -> Step | None:
    """How far the figure holds beyond what was asked, and what would tell."""
    brand, narrowing = context.brand, context.about.narrowing
    if narrowing and narrowing.topics:
        prompts = len(narrowing.prompts)
        return site_step(
            "generate_prompts",
            "beyond_topic",
            brand,
            {"topic": _first(context.place["topic"]), "count": 5},
            topic=context.place["topic"],
            prompts=prompts,
        )
    if now is not None and now.low is not None and now.high is not None and now.interval != "questions":
        return site_step("get_visibility_scores", "beyond_interval", brand, low=now.low, high=now.high)
    return None
