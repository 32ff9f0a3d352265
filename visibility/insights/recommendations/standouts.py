"""Which topics and questions a brand is strong or weak in, by the answers of now. Pure.

A topic of several questions and four answers or more is held against the brand's own score over all topics and
against the competitor that its answers name most. It is *weak* where that competitor is clearly ahead (the intervals
of exactly these prompts lie apart); or where it is not above the brand's own score, and a third or fewer of the
answers of an engine name the brand, or its interval lies below that score. It is *strong* where no competitor is
clearly ahead, it is not below the brand's own score, and two thirds of the answers of an engine, or more, name the
brand, or its interval lies above that score. Strong topics come by their score, weak ones by how far the competitor
is ahead.

A question stands for itself only where its answers agree: all of them name the brand, or none does; of the latter
those come first whose topic a competitor leads by most. Questions that name the brand are left out: they measure
recognition. So is what rests on a single answer.

    worth = 100 · mean over engines of k/(n+1)

k of n answers name the brand (strong) or do not (weak): three of three weigh more than two of two, and what all
engines show more than what one does. What is worth the same is told by its evidence: more answers, more engines, a
more recent day, more questions; never by its name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from statistics import fmean
from typing import Literal
from uuid import UUID

from visibility.measured.facts import PromptFacts

MIN_ANSWERS = 2
MIN_TOPIC_ANSWERS = 4
MOST = 5


@dataclass(frozen=True, slots=True)
class Naming:
    """In `named` of `answers` answers of an engine the brand is named."""

    engine: str
    named: int
    answers: int


@dataclass(frozen=True, slots=True)
class Rate:
    """A score on one topic with the interval of exactly its prompts; None where there is none."""

    score: float
    low: float | None = None
    high: float | None = None

    def is_clearly_above(self, other: "Rate") -> bool:
        """Whether the intervals lie apart."""
        return self.low is not None and other.high is not None and self.low > other.high


@dataclass(frozen=True, slots=True)
class Rival:
    """The competitor that the answers on a topic name most."""

    id: UUID
    rate: Rate
    named: int
    answers: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How the brand stands on a topic: its rate there, its score over all topics, and the best competitor."""

    own: Rate
    mean: float
    rival: Rival | None = None

    @property
    def behind(self) -> float:
        """How many points the best competitor is ahead."""
        return max(0.0, self.rival.rate.score - self.own.score) if self.rival else 0.0

    @property
    def is_clearly_behind(self) -> bool:
        """Whether that is more than chance."""
        return self.rival is not None and self.rival.rate.is_clearly_above(self.own)


@dataclass(frozen=True, slots=True)
class Standout:
    """A topic or a question: `named` of `answers` answers name the brand; the same by engine. `worth` is 0–100."""

    kind: Literal["topic", "prompt"]
    label: str
    engines: tuple[Naming, ...]
    prompts: tuple[UUID, ...]
    standing: Standing | None = None
    worth: int = 0

    @property
    def named(self) -> int:
        """Answers of all engines that name the brand."""
        return sum(naming.named for naming in self.engines)

    @property
    def answers(self) -> int:
        """Answers of all engines."""
        return sum(naming.answers for naming in self.engines)


_Hits = Callable[[Naming], int]


def find_standouts(
    counts: Mapping[UUID, Sequence[Naming]],
    prompts: Mapping[UUID, PromptFacts],
    days: Mapping[str, date],
    topics: Iterable[Standout] = (),
) -> tuple[list[Standout], list[Standout]]:
    """The strongest and the weakest, five topics and questions each at most; `counts` are by question and engine,
    `days` those of the engines; `topics` are all of them, with their standing."""
    unbranded = {prompt: counts[prompt] for prompt in counts if prompt in prompts and not prompts[prompt].branded}
    questions = [
        Standout("prompt", prompts[prompt].text, tuple(namings), (prompt,)) for prompt, namings in unbranded.items()
    ]
    listed = list(topics)
    behind = {prompt: row.standing.behind for row in listed if row.standing for prompt in row.prompts}
    several = [topic for topic in listed if len(topic.prompts) > 1 and topic.answers >= MIN_TOPIC_ANSWERS]
    return (
        _best(filter(_is_strong, several), _named, _strongest, days)
        + _best((row for row in questions if row.named == row.answers), _named, _most_worth, days),
        _best(filter(_is_weak, several), _unnamed, _weakest, days)
        + _best(
            (row for row in questions if row.named == 0),
            _unnamed,
            lambda row: (-behind.get(row.prompts[0], 0.0), *_most_worth(row)),
            days,
        ),
    )


def _named(naming: Naming) -> int:
    return naming.named


def _unnamed(naming: Naming) -> int:
    return naming.answers - naming.named


def _is_strong(topic: Standout) -> bool:
    standing = topic.standing
    if standing is None or standing.is_clearly_behind or standing.own.score < standing.mean:
        return False
    return _is_shown(topic, _named) or (standing.own.low is not None and standing.own.low > standing.mean)


def _is_weak(topic: Standout) -> bool:
    standing = topic.standing
    if standing is None or standing.is_clearly_behind:
        return standing is not None
    if standing.own.score > standing.mean:
        return False
    return _is_shown(topic, _unnamed) or (standing.own.high is not None and standing.own.high < standing.mean)


def _is_shown(topic: Standout, hits: _Hits) -> bool:
    """Whether two thirds of the answers of any engine show it."""
    return any(naming.answers >= MIN_ANSWERS and 3 * hits(naming) >= 2 * naming.answers for naming in topic.engines)


def _strongest(topic: Standout) -> tuple[float, ...]:
    standing = topic.standing
    return (-standing.own.score, standing.behind) if standing else ()


def _weakest(topic: Standout) -> tuple[float, ...]:
    standing = topic.standing
    return (-standing.behind, standing.own.score) if standing else ()


def _most_worth(question: Standout) -> tuple[float, ...]:
    return (-question.worth,)


def _best(
    group: Iterable[Standout], hits: _Hits, order: Callable[[Standout], tuple[float, ...]], days: Mapping[str, date]
) -> list[Standout]:
    standing = [_worth(standout, hits) for standout in group if standout.answers >= MIN_ANSWERS]
    return sorted(standing, key=lambda standout: (*order(standout), *_evidence(standout, hits, days)))[:MOST]


def _worth(standout: Standout, hits: _Hits) -> Standout:
    share = fmean(hits(naming) / (naming.answers + 1) for naming in standout.engines)
    return replace(standout, worth=round(100 * share))


def _evidence(standout: Standout, hits: _Hits, days: Mapping[str, date]) -> tuple[object, ...]:
    """The most of it first; what nothing tells apart stands by the alphabet."""
    return (
        -sum(map(hits, standout.engines)),
        -len(standout.engines),
        -max(days[naming.engine].toordinal() for naming in standout.engines),
        -len(standout.prompts),
        standout.label.casefold(),
    )
