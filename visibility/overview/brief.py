"""One brand at a glance: what an agent should know before it does anything else."""

from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Max, Min
from django.utils import timezone

from apikeys.accounts.caller import Caller
from apikeys.resources import Worded
from apikeys.scopes import Scope
from brands.access import readable_brand
from brands.later import is_counted_again
from brands.models import Brand, Cadence
from visibility.counts.figures import engines_of, figures_of, standings_of, topics_of
from visibility.counts.reader import Selection, select_now
from visibility.counts.resources import TopicResult
from visibility.counts.words import score_words, standing_words
from visibility.models import DailyScore, Recommendation, Run
from visibility.overview.reads import roles_of
from visibility.overview.resources import Brief, Week, line_of
from visibility.recommendations.diagnosis import diagnosis_of
from visibility.recommendations.kinds import CHORES
from visibility.recommendations.reads import first_cards
from visibility.runs.reads import latest_runs
from visibility.runs.services import scan_credits
from visibility.scores.change_reads import changes_of
from visibility.scores.changes import stored_change
from visibility.scores.days import counts_of_day
from visibility.scores.resources import Change
from visibility.scores.words import RECOUNTING, change_words

MOST_TOPICS, MOST_COMPETITORS, MOST_CHANGES, MOST_ALIASES = 3, 5, 2, 10
LONGEST_DESCRIPTION = 500
CHANGE_DAYS = 28
NEAR = 0.1
"""A competitor that leads by at most this part of the answers makes no weakness."""
SEES_NO_SCORES = dict.fromkeys(("now", "by_engine", "competitors", "strengths", "weaknesses", "changes", "last_scan"))


def read_brief(caller: Caller, brand_id: UUID, *, week: bool = False, today: date | None = None) -> Brief:
    """A brand with its figures of now, strengths and weaknesses, and the first recommendations; with `week` also the
    facts of the last whole week before `today`. Parts that the key lacks the scope for are null and named."""
    brand = readable_brand(caller, brand_id)
    sees_scores = Scope.READ_VISIBILITY in caller.scopes
    sees_competitors = sees_scores and Scope.READ_COMPETITORS in caller.scopes
    sees_recommendations = Scope.READ_RECOMMENDATIONS in caller.scopes
    sees_diagnosis = sees_recommendations and sees_competitors
    names = list(brand.names.filter(competitor=None, is_main=False).values_list("text", flat=True))
    open_rows = Recommendation.objects.filter(brand=brand, status=Recommendation.Status.OPEN)
    withheld = {
        "scores": sees_scores,
        "competitors": sees_competitors,
        "recommendations": sees_recommendations,
        "diagnosis": sees_diagnosis,
    }
    scores = _scores(brand, sees_competitors=sees_competitors) if sees_scores else {**SEES_NO_SCORES, "summary": []}
    day = today or timezone.now().date()
    last_week = _week(brand, day, sees_recommendations=sees_recommendations) if week and sees_scores else None
    if last_week is not None:
        scores["summary"].append(_week_words(last_week))
    return Brief(
        site_id=brand.pk,
        name=brand.name,
        domain=brand.domain,
        description=brand.description[:LONGEST_DESCRIPTION],
        aliases=names[:MOST_ALIASES],
        cadence=Cadence(brand.cadence),
        role=roles_of(caller, [brand.pk])[brand.pk],
        diagnosis=diagnosis_of(brand) if sees_diagnosis else None,
        recommendations=[line_of(card) for card in first_cards(brand)] if sees_recommendations else None,
        open_recommendations=open_rows.exclude(kind__in=CHORES).count() if sees_recommendations else None,
        open_chores=open_rows.filter(kind__in=CHORES).count() if sees_recommendations else None,
        latest_run=latest_runs(caller, [brand.pk]).get(brand.pk),
        is_recounting=is_counted_again(brand) if sees_scores else None,
        scan_credits=scan_credits([brand]).get(brand.pk),
        week=last_week,
        withheld=[part for part, is_seen in withheld.items() if not is_seen],
        **scores,
    )


def _scores(brand: Brand, *, sees_competitors: bool) -> dict[str, Any]:
    now = select_now(brand)
    figures, by_engine, standings = figures_of(now), engines_of(now), standings_of(now)
    measured = DailyScore.objects.of_brand(brand).aggregate(first=Min("date"), last=Max("date"))
    last = measured["last"]
    changes = changes_of(brand, last - timedelta(days=CHANGE_DAYS), last, full=False) if last else []
    days = 0 if last is None else 1 + (measured["first"] < last)
    sentences = [score_words(brand.name, figures, by_engine)]
    if figures is not None:
        sentences += [
            standing_words(brand.name, standings) if sees_competitors else Worded(""),
            change_words(brand.name, changes, days),
        ]
    if is_counted_again(brand):
        sentences.append(RECOUNTING)
    strengths, weaknesses = _topics(now)
    rivals = [each for each in standings if each.competitor_id]
    return {
        "now": figures,
        "by_engine": by_engine,
        "competitors": rivals[:MOST_COMPETITORS] if sees_competitors else None,
        "strengths": strengths[:MOST_TOPICS] if sees_competitors else None,
        "weaknesses": weaknesses[:MOST_TOPICS] if sees_competitors else None,
        "changes": changes[:MOST_CHANGES],
        "last_scan": last,
        "summary": [sentence for sentence in sentences if sentence],
    }


def _topics(now: Selection) -> tuple[list[TopicResult], list[TopicResult]]:
    """Strengths and weaknesses: topics where no competitor is named more often, the strongest first, and topics where
    one clearly is, the largest distance first."""
    topics = [topic for topic in topics_of(now) if topic.answers]
    strong = [topic for topic in topics if topic.mentioned and topic.mentioned >= topic.leader_mentioned]
    weak = [topic for topic in topics if topic.leader_mentioned - topic.mentioned > NEAR * topic.answers]
    strong.sort(key=lambda topic: (-topic.mentioned / topic.answers, -topic.answers, topic.topic))
    weak.sort(key=lambda topic: ((topic.mentioned - topic.leader_mentioned) / topic.answers, topic.topic))
    return strong, weak


def week_before(day: date) -> tuple[date, date]:
    """Monday and Sunday of the last whole week before a day."""
    first = day - timedelta(days=day.weekday() + 7)
    return first, first + timedelta(days=6)


def _week(brand: Brand, today: date, *, sees_recommendations: bool) -> Week:
    """The last whole week before a day. Recommendations are counted as the page counts them: without housekeeping."""
    first, last = week_before(today)
    days = list(DailyScore.objects.of_brand(brand).between(first, last))
    recommendations = Recommendation.objects.filter(brand=brand).exclude(kind__in=CHORES)
    new = recommendations.filter(created_at__date__range=(first, last))
    closed = recommendations.filter(status_changed_at__date__range=(first, last))
    closed = closed.exclude(status__in=[Recommendation.Status.OPEN, Recommendation.Status.IN_PROGRESS])
    scans = Run.objects.filter(brand=brand, kind=Run.Kind.VISIBILITY, day__range=(first, last)).not_refused()
    return Week(
        first_day=first,
        last_day=last,
        measured_days=len(days),
        score=days[-1].score if days else None,
        change=_change_since(brand, first, days[-1].date) if days and days[-1].date else None,
        scans=scans.count(),
        new_recommendations=new.count() if sees_recommendations else None,
        closed_recommendations=closed.count() if sees_recommendations else None,
    )


def _week_words(week: Week) -> Worded:
    """How the week ended, and whether it differs from the day before it."""
    days = f"Week {week.first_day} to {week.last_day}:"
    if week.score is None:
        return Worded(f"{days} not measured.")
    ended = f"{days} {week.score:.0f} % on its last measured day"
    match week.change:
        case Change(verdict="moved", delta=float(delta)):
            more = "more" if delta > 0 else "less"
            return Worded(f"{ended}, {abs(delta):.0f} points {more} than on {week.change.from_}, beyond chance.")
        case Change(verdict="within_noise"):
            return Worded(f"{ended}; no difference beyond chance is seen to {week.change.from_}.")
        case Change(verdict="cannot_detect"):
            return Worded(f"{ended}; too little was measured to tell a change since {week.change.from_}.")
    return Worded(f"{ended}.")


def _change_since(brand: Brand, first: date, last: date) -> Change | None:
    """The change from the last measured day before `first` to the day `last`; None where there is none before."""
    before = DailyScore.objects.of_brand(brand).filter(date__lt=first).aggregate(day=Max("date"))["day"]
    if before is None:
        return None
    return Change.model_validate(stored_change(before, counts_of_day(brand, before), counts_of_day(brand, last)))
