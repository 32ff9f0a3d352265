"""How consistently answers show a gap, engine by engine, as the doors show it."""

from django.utils import timezone

from visibility.insights.recommendations.types import Gap
from visibility.measured.ages import age
from visibility.measured.facts import BrandFacts
from visibility.resources.recommendations import EngineCount


def engine_counts(gap: Gap, subject: BrandFacts) -> list[EngineCount]:
    """Each engine's k of n with its own day, and how old that is where it matters."""
    today = timezone.now().date()
    days = {row.engine: subject.day_of(row.engine) for row in gap.tallies}
    return [
        EngineCount(
            engine=row.engine,
            gaps=row.gaps,
            answers=row.answers,
            as_of=days[row.engine],
            age=age(days[row.engine], subject.day, today) or None,
        )
        for row in gap.tallies
    ]
