"""Turns stored answers into scores: of one run, and of one UTC day for the brand and each competitor."""

from collections.abc import Callable, Iterable
from datetime import date
from functools import lru_cache

from brands.models import Brand
from visibility.detection.types import BRAND
from visibility.measured.counts import packed
from visibility.measured.names import TrackedNames
from visibility.measured.sampling import Sample, answers_of_day, answers_of_run, read_sample
from visibility.measured.scoring import score_rows, score_sample
from visibility.metrics.pairs import count_day
from visibility.metrics.types import Estimate, rounded
from visibility.models import DailyScore, DayCount, Run
from visibility.pipeline.days.changes import judge_changes
from visibility.pipeline.days.panels import panel_content, store_panel

Read = Callable[[date], Sample]
"""Gives the sample of a day of the brand."""


def score_run(tracked: TrackedNames, run: Run) -> Estimate:
    """The brand's score over the run's own answers, with its interval, rounded as it is stored."""
    sample = read_sample(tracked, answers_of_run(run))
    score = score_sample(sample, tracked.subjects)[BRAND].overall.score
    return Estimate(rounded(score.value), rounded(score.low), rounded(score.high), score.interval)


def day_reader(tracked: TrackedNames) -> Read:
    """Reads days for the tracked. A day that is read before it is scored is kept until then."""

    @lru_cache(maxsize=1)
    def read(day: date) -> Sample:
        return read_sample(tracked, answers_of_day(tracked, day))

    return read


def score_days(
    brand: Brand, tracked: TrackedNames, days: Iterable[date], read: Read | None = None
) -> dict[date, DailyScore]:
    """Write the scores of those UTC days anew, in the tracked names' generation, from all answers that are analysed
    for it, as `read` gives them. Returns the brand's own.

    A day without a single answer has no scores; one without an answer on an own topic has empty ones. Also says anew,
    once for all of the days, what changed on each of them and on the later ones that look back to them. Call it under
    the lock of the brand's row, so that runs that end together see each other's answers.
    """
    read, ordered_days = read or day_reader(tracked), sorted(set(days))
    own_scores: dict[date, DailyScore] = {}
    for day in ordered_days:
        sample = read(day)
        for rows in (DailyScore.of_all_generations, DayCount.of_all_generations):
            rows.filter(generation=tracked.generation, date=day).delete()
        if (sample.all_topics or sample).answers:
            panel = store_panel(brand, panel_content(sample))
            scores = DailyScore.objects.bulk_create(score_rows(tracked, day, sample, panel))
            own_scores |= {row.date: row for row in scores if row.competitor_id is None}
            DayCount.objects.create(
                generation_id=tracked.generation, brand=brand, date=day, content=_counted(tracked, day, sample)
            )
    judge_changes(tracked.generation, brand.pk, ordered_days)
    return own_scores


def _counted(tracked: TrackedNames, day: date, sample: Sample) -> bytes:
    outcomes = [outcome for name in sample.counted for outcome in sample.outcomes[name]]
    return packed(count_day(day, outcomes, tracked.subjects, sample.averaged))
