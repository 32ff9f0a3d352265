"""Which topics and prompts of a brand stand out, with who is ahead there."""

from collections.abc import Collection, Iterator, Mapping
from datetime import date
from uuid import UUID

from django.utils import timezone

from visibility.detection.types import BRAND
from visibility.insights.recommendations.standouts import (
    Naming,
    Rate,
    Rival,
    Standing,
    Standout,
    find_standouts,
)
from visibility.measured.ages import age
from visibility.measured.facts import BrandFacts
from visibility.measured.topic_table import TopicRow, TopicTable
from visibility.metrics.topics import TopicFigures
from visibility.metrics.types import rounded
from visibility.resources.brief import BestRival
from visibility.resources.brief import Standout as StandoutResource
from visibility.resources.prompts import NamedIn
from visibility.services.reading.mention_counts import mention_counts_by_prompt

Standouts = tuple[list[StandoutResource], list[StandoutResource]]
"""Strengths and weaknesses."""


def standouts_of(
    table: TopicTable, subject: BrandFacts, *, prompts: Collection[UUID] | None, with_rivals: bool
) -> Standouts:
    """The strengths and weaknesses now, of these prompts where they are given. Without rivals nobody is held against
    the brand."""
    basis = table.basis
    counts = {
        prompt: [Naming(row.engine, row.named, row.answers) for row in engines]
        for prompt, engines in mention_counts_by_prompt(basis.compared).items()
        if prompts is None or prompt in prompts
    }
    days = {engine_day.engine: engine_day.day for engine_day in basis.engines}
    topics = [topic for topic in _topics(table, with_rivals=with_rivals) if counts.keys() & topic.prompts]
    strong, weak = find_standouts(counts, subject.prompts, days, topics)
    return (
        [_resource(standout, days, table.names) for standout in strong],
        [_resource(standout, days, table.names) for standout in weak],
    )


def _topics(table: TopicTable, *, with_rivals: bool) -> Iterator[Standout]:
    """The topics with their standing; of the engines that findings rest on."""
    prompts = sum(row.own.prompts for row in table.rows if row.own.score.value is not None)
    total = sum((row.own.score.value or 0.0) * row.own.prompts for row in table.rows)
    compared = [engine_day.engine for engine_day in table.basis.compared]
    for row in table.rows:
        if (own := _rate(row.own)) is None:
            continue
        namings = [(engine, row.own.engines[engine]) for engine in compared if engine in row.own.engines]
        yield Standout(
            "topic",
            row.topic.name,
            tuple(Naming(engine, naming.named, naming.answers) for engine, naming in namings if naming.answers),
            tuple(sorted(row.topic.prompts & table.topics.wordings.keys(), key=str)),
            Standing(own, total / prompts, _best_rival(row, table.names) if with_rivals else None),
        )


def _best_rival(row: TopicRow, names: Mapping[str, str]) -> Rival | None:
    """The competitor with the highest score there, of equals the one that more answers name."""
    rates = [
        Rival(UUID(subject), rate, figures.named, figures.answers)
        for subject in names
        if subject != BRAND and (figures := row.figures.get(subject)) and figures.named and (rate := _rate(figures))
    ]
    return max(rates, key=lambda rival: (rival.rate.score, rival.named), default=None)


def _rate(figures: TopicFigures) -> Rate | None:
    score = figures.score
    return None if score.value is None else Rate(score.value, score.low, score.high)


def _resource(standout: Standout, days: Mapping[str, date], names: Mapping[str, str]) -> StandoutResource:
    today, latest = timezone.now().date(), max(days.values())
    standing = standout.standing
    rival = standing.rival if standing else None
    return StandoutResource(
        kind=standout.kind,
        label=standout.label,
        score=rounded(standing.own.score) if standing else None,
        site_score=rounded(standing.mean) if standing else None,
        best_rival=_rival(rival, names) if rival else None,
        named=standout.named,
        answers=standout.answers,
        worth=standout.worth,
        engines=[
            NamedIn(
                engine=naming.engine,
                named=naming.named,
                answers=naming.answers,
                as_of=days[naming.engine],
                age=age(days[naming.engine], latest, today) or None,
            )
            for naming in standout.engines
        ],
        prompts=list(standout.prompts),
    )


def _rival(rival: Rival, names: Mapping[str, str]) -> BestRival:
    return BestRival(
        competitor=rival.id,
        name=names[str(rival.id)],
        named=rival.named,
        answers=rival.answers,
        score=rounded(rival.rate.score),
    )
