"""What two days share where not all is the same: the same engines on the same prompts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from visibility.metrics.change import Change, Metric, compare
from visibility.metrics.pairs import pair_counts
from visibility.pipeline.days.history import History, MeasuredDay, narrowed
from visibility.pipeline.days.panels import Cause

OTHER_PROMPTS = frozenset({Cause.PROMPTS, Cause.LOCALE})
"""Causes that leave prompts which both days asked in the same wording and locale."""


@dataclass(frozen=True, slots=True)
class Common:
    """The change of each subject's score on what both days have: the engines, and by subject the number of prompts,
    those that name it left out."""

    engines: Sequence[str]
    prompts: Mapping[str, int]
    changes: Mapping[str, Change]


def common_change(history: History, before: MeasuredDay, now: MeasuredDay) -> Common | None:
    """None where no engine was the same on both days, or no prompt was asked of it in the same wording."""
    if before.content is None or now.content is None:
        return None
    earlier, later = history.counts(before.day), history.counts(now.day)
    same = [
        name
        for name in sorted(later.averaged & earlier.averaged)
        if {reason.code for reason in history.engine_causes(before, now, name)} <= OTHER_PROMPTS
    ]
    pair = pair_counts(narrowed(earlier, same, same), narrowed(later, same, same)) if same else None
    if pair is None:
        return None
    changes = {
        change.subject: change
        for change in compare(pair)
        if change.engine is None and change.metric is Metric.SCORE and change.delta is not None
    }
    prompts = dict(zip(pair.subjects, map(int, (~pair.named).sum(axis=0)), strict=True))
    return Common(pair.engines, prompts, changes)
