"""Measured days before and after the work, pooled on what both sides have, as figures of each topic."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date

import numpy as np

from visibility.detection.types import BRAND
from visibility.metrics.change import Metric
from visibility.metrics.pairs import DayCounts, aligned, named_before
from visibility.metrics.proof.types import WhyNot
from visibility.metrics.table import Flags, Floats, Integers

MIN_CONTROLS = 4
"""Fewer other topics say too little of what topics do by themselves."""
MIN_SHARED = 2 / 3
"""Of the topic's wordings in the baseline, so many must be asked after the work."""


@dataclass(frozen=True, slots=True)
class Side:
    """Answers, and those of them that mention (or cite) the brand, summed over days; [..., engine, prompt]."""

    answers: Floats
    hits: Floats


@dataclass(frozen=True, slots=True)
class Panel:
    """The engines and prompts of some days. `day` is an empty one with all of them; prompts that name the brand are
    not among them. `topic` numbers each prompt's topic: 0 is the one that was worked on, the others are its
    controls."""

    day: DayCounts
    topic: Integers

    @property
    def controls(self) -> int:
        """How many other topics there are."""
        return int(self.topic.max(initial=0))

    def pooled(self, days: Sequence[DayCounts], metric: Metric) -> Side:
        """Days as one. An engine counts on the days on which it is one of the averaged."""
        engines, prompts = len(self.day.engines), len(self.day.prompts)
        answers, hits = np.zeros((engines, prompts)), np.zeros((engines, prompts))
        for day in days:
            counts = aligned(day.narrowed(day.averaged, self.day.subjects), self.day)
            answers += counts.answers
            hits += (counts.cited if metric is Metric.CITATION_RATE else counts.mentioned)[..., 0]
        return Side(answers, hits)

    def kept(self, prompts: Integers, topics: Sequence[str]) -> "Panel":
        """The panel on some prompts; the given topics are its own, in this order."""
        day = self.day
        number = {name: place for place, name in enumerate(topics)}
        names = tuple(day.topics[place] for place in prompts)
        return Panel(
            replace(day, prompts=tuple(day.prompts[place] for place in prompts), topics=names),
            np.array([number[name] for name in names], dtype=np.int64),
        )


@dataclass(frozen=True, slots=True)
class Topics:
    """What each topic's figure did, in parts of 1, shaped [..., topic]; the topic that was worked on stands first.

    `change` is the later figure less the earlier, `level` the figure of both sides' answers together, `chance` the
    variance that answers add to the change by chance; `size` so many answers tell as much of the level.
    """

    change: Floats
    level: Floats
    chance: Floats
    size: Floats

    def with_first(self, place: Integers) -> "Topics":
        """The same with another topic first: one place for each repetition."""
        number = np.arange(self.change.shape[-1])
        order = np.argsort(np.where(number == place[..., None], -1, number), axis=-1)
        return Topics(*(np.take_along_axis(getattr(self, part.name), order, axis=-1) for part in fields(self)))


def all_of(days: Sequence[DayCounts], engines: Collection[str]) -> Panel:
    """Whatever any of the days asked of these engines, without the prompts that name the brand on one of them. A
    prompt has the topic of the latest day that asked it."""
    topics = {
        prompt: topic
        for day in sorted(days, key=_date)
        for prompt, topic in zip(day.prompts, day.topics, strict=True)
    }
    prompts = tuple(sorted(topics))
    shape = (len(engines), len(prompts))
    empty = DayCounts(
        date.min,
        (BRAND,),
        tuple(sorted(engines)),
        frozenset(engines),
        prompts,
        tuple(topics[prompt] for prompt in prompts),
        np.zeros((len(prompts), 1), dtype=bool),
        np.zeros(shape),
        np.zeros((*shape, 1)),
        np.zeros((*shape, 1)),
    )
    named = np.logical_or.reduce([named_before(day.narrowed(day.engines, (BRAND,)), empty) for day in days])
    panel = Panel(empty, np.zeros(len(prompts), dtype=np.int64))
    return panel.kept(np.flatnonzero(~named[:, 0]), sorted(set(empty.topics)))


def with_controls(panel: Panel, places: Integers, topic: str, controls: Collection[str] | None) -> Panel | WhyNot:
    """The panel on the prompts that were asked, the topic first; why there is none where too few others remain.
    `controls` are the topics that may be held against it; None is all others."""
    names = {panel.day.topics[place] for place in places}
    others = sorted(name for name in names - {topic} if controls is None or name in controls)
    if len(others) < MIN_CONTROLS:
        return WhyNot.FEW_CONTROLS if others else WhyNot.NO_CONTROL
    wanted = {topic, *others}
    return panel.kept(np.array([place for place in places if panel.day.topics[place] in wanted]), (topic, *others))


def averaged(days: Sequence[DayCounts]) -> frozenset[str]:
    """The engines that are averaged on any of the days."""
    return frozenset().union(*(day.averaged for day in days))


def line_up(
    baseline: Sequence[DayCounts],
    after: Sequence[DayCounts],
    topic: str,
    metric: Metric,
    controls: Collection[str] | None = None,
) -> tuple[Panel, Side, Side] | WhyNot:
    """Both sides on the engines and prompts that both have; why there are none where they cannot be compared."""
    if not baseline or not after:
        return WhyNot.NO_SCANS if baseline else WhyNot.NO_BASELINE
    engines = averaged(baseline) & averaged(after)
    if not engines:
        return WhyNot.ENGINES_CHANGED
    panel = all_of([*baseline, *after], engines)
    before, later = (panel.pooled(days, metric).answers > 0 for days in (baseline, after))
    own = np.array([name == topic for name in panel.day.topics], dtype=bool)
    earlier, shared = before.any(axis=0), (before & later).any(axis=0)
    if not (own & earlier).any():
        return WhyNot.NO_BASELINE
    if not later.any():
        return WhyNot.NO_SCANS
    if (own & shared).sum() < MIN_SHARED * (own & earlier).sum():
        return WhyNot.PROMPTS_CHANGED
    chosen = with_controls(panel, np.flatnonzero(shared), topic, controls)
    if isinstance(chosen, WhyNot):
        return chosen
    return chosen, chosen.pooled(baseline, metric), chosen.pooled(after, metric)


def topic_figures(before: Side, after: Side, topic: Integers) -> Topics:
    """What each topic's figure did. Prompts of one topic count alike, and so do its engines.

    Chance is that of a score test: a cell (a prompt at an engine) has the variance p(1 - p) of the answers of both
    sides together, each of which has its part in it.
    """
    both = (before.answers > 0) & (after.answers > 0)
    weight = weights(both, topic)
    answers = np.where(both, before.answers + after.answers, 1.0)
    rate = np.where(both, before.hits + after.hits, 0.0) / answers
    within = rate * (1 - rate) * answers / np.maximum(answers - 1, 1.0)
    earlier, later = (np.maximum(side.answers, 1.0) for side in (before, after))
    change = after.hits / later - before.hits / earlier
    return Topics(
        by_topic(weight * change, topic),
        by_topic(weight * rate, topic),
        by_topic(weight**2 * within * (1 / earlier + 1 / later), topic),
        1 / by_topic(weight**2 / answers, topic),
    )


def weights(cells: Flags, topic: Integers) -> Floats:
    """What each cell weighs in its topic's figure: their sum is 1 in each topic."""
    used = np.asarray(cells, dtype=np.float64)
    prompts = used @ _members(topic)
    engines = (prompts > 0).sum(axis=-2, keepdims=True)
    weight: Floats = used / np.maximum(prompts * engines, 1.0)[..., topic]
    return weight


def by_topic(cells: Floats, topic: Integers) -> Floats:
    """Sums over engines and the prompts of each topic."""
    sums: Floats = cells.sum(axis=-2) @ _members(topic)
    return sums


def _members(topic: Integers) -> Floats:
    return np.eye(int(topic.max()) + 1)[topic]


def _date(day: DayCounts) -> date:
    return day.day
