"""Competitors as charts draw them."""

from collections.abc import Sequence

from apikeys.text.sentences import one_line
from visibility.pages.present.charts.intervals import Standing
from visibility.pages.present.charts.series import NOT_COMPARABLE, Measurement, Series
from visibility.resources.figures import SubjectFigures
from visibility.services.reading.rival_days import RivalDay, RivalTrend


def rival_series(trends: Sequence[RivalTrend]) -> list[Series]:
    """A series for each."""
    return [Series(one_line(rival.name), [_of_day(day) for day in rival.days], key=str(rival.id)) for rival in trends]


def _of_day(day: RivalDay) -> Measurement:
    comparable = day.comparable is not False
    return Measurement(
        day.day,
        day.score,
        day.low,
        day.high,
        answers=day.answers,
        interval_of=day.interval,
        comparable=comparable,
        reason="" if comparable else NOT_COMPARABLE,
    )


def standings_of(subjects: Sequence[SubjectFigures]) -> list[Standing]:
    """Where everybody stands, for `interval_figure`: the brand is the subject that is no competitor."""
    return [
        Standing(
            one_line(subject.name),
            subject.overall.score.value,
            subject.overall.score.low,
            subject.overall.score.high,
            answers=subject.overall.answers,
            is_own=subject.competitor is None,
            interval_of=subject.overall.score.interval,
        )
        for subject in subjects
    ]
