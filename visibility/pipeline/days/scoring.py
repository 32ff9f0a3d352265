"""Turns stored answers into scores: of one run, and of one UTC day for the brand and each competitor."""

from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from brands.models import Brand
from visibility.detection.types import BRAND
from visibility.measured.names import TrackedNames
from visibility.measured.sampling import Sample, answers_of_day, answers_of_run, read_sample
from visibility.measured.scoring import score_rows, score_sample
from visibility.metrics.types import Estimate, rounded
from visibility.models import DailyScore, Run
from visibility.pipeline.days.changes import Read, judge_changes
from visibility.pipeline.days.panels import panel_content, store_panel


def score_run(tracked: TrackedNames, run: Run) -> Estimate:
    """The brand's score over the run's own answers, with the topic interval, rounded as it is stored."""
    sample = read_sample(tracked, answers_of_run(run))
    score = score_sample(sample, tracked.subjects)[BRAND].overall.score
    return Estimate(rounded(score.value), rounded(score.low), rounded(score.high))


def day_reader(tracked: TrackedNames, finishing: Run | None = None) -> Read:
    """Reads days for the tracked; `finishing` is the run that is about to end.

    In order of time each day is read once: it is kept while it is scored and compared with its neighbours.
    """

    @lru_cache(maxsize=3)
    def read(day: date) -> Sample:
        return read_sample(tracked, answers_of_day(tracked, day, finishing))

    return read


def score_days(brand: Brand, tracked: TrackedNames, days: Iterable[date], read: Read | None = None) -> None:
    """Write the scores of those UTC days anew, in the tracked names' generation, from all answers that are analysed
    for it, as `read` gives them.

    A day without a single answer has no scores. Also says anew what changed on each of the days, and on the next
    measured one. Call it under the lock of the brand's row, so that runs that end together see each other's answers.
    """
    read = read or day_reader(tracked)
    rows = DailyScore.of_all_generations.filter(generation=tracked.generation)
    for day in sorted(days):
        sample = read(day)
        rows.filter(date=day).delete()
        if sample.answers:
            panel = store_panel(brand, panel_content(sample))
            DailyScore.objects.bulk_create(score_rows(tracked, day, sample, panel))
        judge_changes(rows, day, read)
