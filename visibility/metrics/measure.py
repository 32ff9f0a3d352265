"""The figures of a day: every metric of every subject, over all engines and for each."""

from collections.abc import Sequence

import numpy as np

from visibility.metrics.cells import gather
from visibility.metrics.intervals import panel_interval, rate_interval
from visibility.metrics.ranks import prominences
from visibility.metrics.share_of_voice import shares_of_voice
from visibility.metrics.table import Flags, Table, tabulate
from visibility.metrics.types import AnswerOutcome, Measures, SubjectDay


def measure(outcomes: Sequence[AnswerOutcome], subjects: Sequence[str]) -> dict[str, SubjectDay]:
    """The figures of each subject, from the answers of the engines that count.

    A prompt that names a subject is branded for it: it counts for none of its rates; for share of voice a prompt
    that names any of `subjects` is left out. An all-engine figure is the equal-weight mean of the engines that
    have answers. `prompts`, `topics` and `answers` are those behind the score. The order of neither outcomes nor
    subjects matters. Raises ValueError where a subject is given twice.
    """
    if len(set(subjects)) != len(subjects):
        raise ValueError("subjects must differ")
    ordered = sorted(subjects)
    table = tabulate(outcomes, ordered)
    every = np.ones(len(table.engines), dtype=bool)
    overall = _measures(table, every)
    by_engine = {name: _measures(table, np.arange(len(every)) == number) for number, name in enumerate(table.engines)}
    return {
        subject: SubjectDay(overall[place], {name: measures[place] for name, measures in by_engine.items()})
        for place, subject in enumerate(ordered)
    }


def _measures(table: Table, engines: Flags) -> list[Measures]:
    """The figures of all subjects over the chosen engines."""
    rows = engines[table.engine][:, None] & ~table.named
    mentions, citations = gather(table, table.mentioned, rows), gather(table, table.cited, rows)
    figures = zip(
        rate_interval(mentions).estimates(mentions.value),
        panel_interval(mentions).estimates(mentions.value),
        shares_of_voice(table, engines),
        prominences(table, engines),
        rate_interval(citations).estimates(citations.value),
        mentions.prompts.tolist(),
        mentions.topics.tolist(),
        rows.sum(axis=0).tolist(),
        strict=True,
    )
    return [Measures(*subject) for subject in figures]
