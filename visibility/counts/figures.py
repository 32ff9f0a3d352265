"""Figures of a selection as the doors show them: the brand's, by engine, of each competitor, by topic."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Max

from visibility.answers.detect import BRAND
from visibility.counts.reader import Selection
from visibility.counts.resources import (
    EngineNow,
    LeftOut,
    NowFigures,
    SecondaryFigures,
    Shown,
    SiteIs,
    TestedStanding,
    TopicResult,
)
from visibility.counts.rows import CountRow, Relation
from visibility.counts.secondary import credits_a_month, secondary_of
from visibility.counts.sums import name_of, rounded
from visibility.counts.words import tied_words
from visibility.metrics import Figures, Interval
from visibility.models import Run, RunEngine

_SITE_IS: dict[Relation, SiteIs] = {
    "ahead": "behind",
    "behind": "ahead",
    "level": "no_clear_difference",
    "too_close": "no_clear_difference",
}


def figures_of(selection: Selection) -> NowFigures | None:
    """The brand's own figures; None where no answer counts."""
    averaged = selection.averaged
    if not averaged:
        return None
    figures = selection.figures[BRAND].overall
    voice_low, voice_high = ends_of(figures.share_of_voice.topic)
    days = [day for key, span in selection.engines.items() if key in averaged for day in span]
    return NowFigures(
        first_day=min(days),
        as_of=max(days),
        **score_of(figures),
        share_of_voice=rounded(figures.share_of_voice.value),
        share_of_voice_low=voice_low,
        share_of_voice_high=voice_high,
        citation_rate=rounded(figures.citation_rate.value),
        prominence=rounded(figures.prominence.value),
        prompts=figures.prompts,
        topics=figures.topics,
        mentioned=figures.mentioned,
        answers=figures.answers,
        markets=sorted({each.market for each in selection.of_figure.sums if each.market}),
    )


def secondary_figures(selection: Selection) -> SecondaryFigures | None:
    """What stands beside the brand's score; None where no answer counts."""
    if not selection.averaged:
        return None
    secondary, figures = secondary_of(selection), selection.figures[BRAND].overall
    topics = secondary.topics_for_ten
    return SecondaryFigures(
        **dict(secondary),
        recommended_rate=rounded(figures.recommended_rate.value),
        credits_a_month=credits_a_month(selection.brand, topics, figures.topics)
        if topics and figures.topics
        else None,
    )


def engines_of(selection: Selection) -> list[EngineNow]:
    """The brand's own score by engine, the highest first."""
    if not selection.engines:
        return []
    by_engine = selection.figures[BRAND].by_engine
    engines = [
        EngineNow(
            engine=key[0],
            surface=key[1],
            first_day=first,
            as_of=last,
            mentioned=figures.mentioned,
            answers=figures.answers,
            shown=shown_of(figures),
            **score_of(figures),
        )
        for key, (first, last) in selection.engines.items()
        for figures in [by_engine[name_of(key)]]
    ]
    return sorted(engines, key=lambda each: (-(each.score or 0.0), each.engine, each.surface))


def left_out_of(selection: Selection) -> list[LeftOut]:
    """The engines that were ever asked and are not in the figures."""
    runs = Run.objects.filter(brand=selection.brand, kind=Run.Kind.VISIBILITY).measured()
    asked = RunEngine.objects.filter(run__in=runs).order_by("engine__name", "surface")
    rows = asked.values_list("engine__name", "surface").annotate(day=Max("run__day"))
    newest = max((last for _, last in selection.engines.values()), default=None)
    return [
        LeftOut(engine=engine, surface=surface, last_day=day, reason=_why(day, newest))
        for engine, surface, day in rows
        if (engine, surface) not in selection.engines
    ]


def _why(day: date, newest: date | None) -> str:
    if newest is not None and day < newest:
        return "not asked lately, or too few of its prompts were answered"
    return "fewer than 80 % of its prompts were answered for the country asked for, or it searches stored pages only"


def standings_of(selection: Selection, *, firsts: bool = False) -> list[TestedStanding]:
    """The brand and its competitors by their score; those that are not counted yet come last, without figures. With
    `firsts` they are also compared by who is named first."""
    rows = selection.rows("subject")
    standings = [_standing(row, firsts) for row in rows]
    if rows:
        standings += [_unmeasured(pk, name) for pk, name in selection.names.items() if not _has(rows, pk)]
    if not rows or selection.brand.is_recounting:
        counted = selection.names if rows else {}
        others = selection.brand.competitors.exclude(pk__in=counted)
        standings += [_unmeasured(each.pk, each.name) for each in others]
    return sorted(standings, key=lambda each: (1.0 if each.score is None else -each.score, each.name))


def _has(rows: Sequence[CountRow], competitor: UUID) -> bool:
    return any(row.competitor_id == competitor for row in rows)


def _standing(row: CountRow, firsts: bool) -> TestedStanding:
    return TestedStanding(
        name=row.subject,
        competitor_id=row.competitor_id,
        mentioned=row.mentioned,
        of=row.of,
        score=row.score,
        low=row.low,
        high=row.high,
        panel_low=row.panel_low,
        panel_high=row.panel_high,
        share_of_voice=row.share_of_voice,
        relation=row.relation,
        site_is=_SITE_IS[row.relation] if row.relation else None,
        without_brand=None if row.is_own else row.without_brand,
        only_brand=row.only_brand,
        chance=row.chance,
        units=row.units,
        first=row.first if firsts else None,
        first_relation=row.first_relation if firsts else None,
    )


def _unmeasured(competitor: UUID, name: str) -> TestedStanding:
    nothing: dict[str, Any] = dict.fromkeys(TestedStanding.model_fields)
    return TestedStanding(**{**nothing, "name": name, "competitor_id": competitor})


@dataclass(frozen=True, slots=True)
class TopicDuel:
    """One topic: the brand's row, and those of competitors by their ids."""

    topic: str
    topic_id: UUID
    prompts: int
    own: CountRow
    theirs: dict[UUID, CountRow]

    @property
    def best(self) -> int:
        """How many answers mention the competitor that most of them mention."""
        return max((row.mentioned for row in self.theirs.values()), default=0)

    @property
    def worst(self) -> float:
        """The share of answers by which the best competitor is ahead; negative where the brand is."""
        return (self.best - self.own.mentioned) / self.own.of


def duels_of(selection: Selection) -> list[TopicDuel]:
    """The brand against its competitors by topic, those where it is furthest behind first; without prompts that name
    the brand."""
    rows: dict[UUID, list[CountRow]] = {}
    for row in selection.scored.rows("subject", "topic"):
        if row.group.topic is not None:
            rows.setdefault(row.group.topic.pk, []).append(row)
    duels = [
        TopicDuel(
            own.topic or "",
            pk,
            len({each.version for each in own.group.own}),
            own,
            {row.competitor_id: row for row in each_rows if row.competitor_id is not None},
        )
        for pk, each_rows in rows.items()
        for own in each_rows
        if own.is_own
    ]
    return sorted(duels, key=lambda each: (-each.worst, each.topic))


def topics_of(selection: Selection) -> list[TopicResult]:
    """How often answers name the brand, and the competitor that leads, by topic; the topics by name."""
    return sorted((_topic_result(each) for each in duels_of(selection)), key=lambda each: each.topic)


def _topic_result(duel: TopicDuel) -> TopicResult:
    leaders = [row.subject for row in duel.theirs.values() if duel.best and row.mentioned == duel.best]
    return TopicResult(
        topic=duel.topic,
        prompts=duel.prompts,
        mentioned=duel.own.mentioned,
        answers=duel.own.of,
        leader=tied_words(sorted(leaders)),
        leader_mentioned=duel.best,
    )


def score_of(figures: Figures) -> dict[str, float | None]:
    """The score with both intervals, by the names of resources."""
    low, high = ends_of(figures.score.topic)
    panel_low, panel_high = ends_of(figures.score.panel)
    score = rounded(figures.score.value)
    return {"score": score, "low": low, "high": high, "panel_low": panel_low, "panel_high": panel_high}


def shown_of(figures: Figures) -> Shown | None:
    """How often an AI answer was shown; None where each asking had one."""
    if figures.shown is None:
        return None
    (low, high), (panel_low, panel_high) = ends_of(figures.shown.topic), ends_of(figures.shown.panel)
    rate = rounded(figures.shown.value)
    ends = {"low": low, "high": high, "panel_low": panel_low, "panel_high": panel_high}
    return Shown(prompts=figures.prompts, asked=figures.asked, rate=rate, **ends)


def ends_of(interval: Interval | None) -> tuple[float | None, float | None]:
    """The ends of an interval as they are stored."""
    return (rounded(interval.low), rounded(interval.high)) if interval else (None, None)
