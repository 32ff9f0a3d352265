"""The figures beside the main ones: how early, how much of the sources and of the answer, how steadily."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from visibility.metrics.cells import gather
from visibility.metrics.citations import CitationShare, citation_share
from visibility.metrics.intervals import mean_interval
from visibility.metrics.overlap import Stability, stability
from visibility.metrics.ranks import RankFigures, rank_figures
from visibility.metrics.table import Flags, Floats, Table, tabulate
from visibility.metrics.types import AnswerOutcome, Estimate


@dataclass(frozen=True, slots=True)
class FurtherMeasures:
    """Of one subject over one engine or all of them: ranks, and in percent the rest; None where unmeasured.

    `citation_share` is `own_citations` ÷ `citations`. The impression shares are means over prompts: the part of an
    answer that the subject's pages carry, 0 where none is cited. `alike` and `ordered_alike` are the mean Jaccard
    index and RBO of the brand lists of repeated answers, `again` the chance that another answer to the prompt names
    the subject when one does; `repeated` is on how many prompts of an engine they rest.
    """

    ranks: RankFigures
    citation_share: float | None
    own_citations: int
    citations: int
    impression: Estimate
    impression_published: Estimate
    alike: float | None
    ordered_alike: float | None
    again: float | None
    repeated: int


@dataclass(frozen=True, slots=True)
class SubjectFurther:
    """The further figures of one subject on one day: over all counted engines, and by engine."""

    overall: FurtherMeasures
    by_engine: Mapping[str, FurtherMeasures]


def measure_further(outcomes: Sequence[AnswerOutcome], subjects: Sequence[str]) -> dict[str, SubjectFurther]:
    """The further figures of each subject, from the answers of the engines that count.

    Prompts that name the subject are left out; for stability those that name any subject, as for the share of voice.
    An all-engine figure is the plain mean of the engines that have it. An engine that cites nothing at all has no
    impression share. The order of neither outcomes nor subjects matters.
    """
    ordered = sorted(set(subjects))
    table = tabulate(outcomes, ordered)
    sources = _read_sources(table, ordered)
    numbers = np.arange(len(table.engines))
    parts = [_parts(table, numbers == number, ordered) for number in numbers]
    overall = _figures(table, sources, numbers >= 0, parts)
    by_engine = {
        name: _figures(table, sources, numbers == number, [parts[number]])
        for number, name in enumerate(table.engines)
    }
    return {
        subject: SubjectFurther(overall[column], {name: figures[column] for name, figures in by_engine.items()})
        for column, subject in enumerate(ordered)
    }


_Part = tuple[CitationShare, Stability]
"""What has no interval, of one engine."""


def _parts(table: Table, engine: Flags, subjects: Sequence[str]) -> list[_Part]:
    """Citation share and stability of each subject on one engine."""
    rows: list[int] = np.flatnonzero(engine[table.engine]).tolist()
    lists: dict[int, list[list[str]]] = defaultdict(list)
    ordered: dict[int, list[list[str]]] = defaultdict(list)
    for row in rows:
        if not table.named[row].any():
            ranks = table.outcomes[row].ranks
            prompt, names = int(table.prompt[row]), sorted(ranks, key=lambda subject: (ranks[subject] or 0, subject))
            lists[prompt].append(names)
            if None not in ranks.values():
                ordered[prompt].append(names)
    steadiness = stability(list(lists.values()), subjects, list(ordered.values()))
    return [
        (
            citation_share((table.outcomes[row].pages for row in rows if not table.named[row, column]), subject),
            steadiness[subject],
        )
        for column, subject in enumerate(subjects)
    ]


@dataclass(frozen=True, slots=True)
class _Sources:
    """Which engines cite anything, and the part of each answer that each subject's pages carry."""

    citing: Flags
    attached: Floats
    published: Floats

    def mean_parts(self, table: Table, engines: Flags, parts: Floats) -> list[Estimate]:
        """The mean over prompts in percent, with its interval over topics, of each subject."""
        cells = gather(table, parts, (engines & self.citing)[table.engine][:, None] & ~table.named)
        return mean_interval(cells).estimates(cells.value)


def _read_sources(table: Table, subjects: Sequence[str]) -> _Sources:
    pages = [outcome.pages for outcome in table.outcomes]
    cites = np.array([cited_pages.total > 0 for cited_pages in pages], dtype=bool)
    shape = (len(pages), len(subjects))
    return _Sources(
        np.bincount(table.engine, cites, len(table.engines)) > 0,
        np.array(
            [[cited_pages.attached.get(name, 0.0) for name in subjects] for cited_pages in pages], dtype=float
        ).reshape(shape),
        np.array(
            [[cited_pages.published.get(name, 0.0) for name in subjects] for cited_pages in pages], dtype=float
        ).reshape(shape),
    )


def _figures(
    table: Table, sources: _Sources, engines: Flags, parts: Sequence[Sequence[_Part]]
) -> list[FurtherMeasures]:
    """The figures of all subjects over the chosen engines; `parts` of each of these."""
    figures = zip(
        rank_figures(table, engines),
        sources.mean_parts(table, engines, sources.attached),
        sources.mean_parts(table, engines, sources.published),
        strict=True,
    )
    return [
        FurtherMeasures(
            ranks,
            _mean([share.value for share, _ in own]),
            sum(share.own for share, _ in own),
            sum(share.total for share, _ in own),
            attached,
            published,
            _mean([steady.jaccard for _, steady in own]),
            _mean([steady.rbo for _, steady in own]),
            _mean([steady.again for _, steady in own]),
            sum(steady.repeated for _, steady in own),
        )
        for column, (ranks, attached, published) in enumerate(figures)
        for own in [[part[column] for part in parts]]
    ]


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean of what is known, in percent."""
    known = [value for value in values if value is not None]
    return 100 * fmean(known) if known else None
