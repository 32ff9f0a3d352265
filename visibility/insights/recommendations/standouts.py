"""Which topics and questions a brand is strong or weak in, by the answers of now. Pure.

A topic of several questions is *strong* where two thirds of the answers of an engine, or more, name the brand, *weak*
where a third or fewer do; engines that differ make it both, and their counts stand side by side. A question stands
for itself only where its answers agree: all of them name the brand, or none does. Questions that name the brand are
left out: they measure recognition. So is what rests on a single answer.

    worth = 100 · mean over engines of k/(n+1)

k of n answers name the brand (strong) or do not (weak): three of three weigh more than two of two, and what all
engines show more than what one does. What is worth the same is told by its evidence: more answers, more engines, a
more recent day, more questions; never by its name.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from statistics import fmean
from typing import Literal
from uuid import UUID

from visibility.measured.facts import PromptFacts

MIN_ANSWERS = 2
MOST = 5


@dataclass(frozen=True, slots=True)
class Naming:
    """In `named` of `answers` answers of an engine the brand is named."""

    engine: str
    named: int
    answers: int


@dataclass(frozen=True, slots=True)
class Standout:
    """A topic or a question: `named` of `answers` answers name the brand; the same by engine. `worth` is 0–100."""

    kind: Literal["topic", "prompt"]
    label: str
    engines: tuple[Naming, ...]
    prompts: tuple[UUID, ...]
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
    counts: Mapping[UUID, Sequence[Naming]], prompts: Mapping[UUID, PromptFacts], days: Mapping[str, date]
) -> tuple[list[Standout], list[Standout]]:
    """The strongest and the weakest, five topics and questions each at most; `counts` are by question and engine,
    `days` those of the engines."""
    unbranded = {prompt: counts[prompt] for prompt in counts if prompt in prompts and not prompts[prompt].branded}
    questions = [_standout("prompt", prompts[prompt].text, [prompt], unbranded) for prompt in unbranded]
    agreed = [question for question in questions if question.named in (0, question.answers)]
    candidates = [_topics(unbranded, prompts), agreed]
    strong = [standout for group in candidates for standout in _best(group, lambda naming: naming.named, days)]
    weak = [
        standout
        for group in candidates
        for standout in _best(group, lambda naming: naming.answers - naming.named, days)
    ]
    return strong, weak


def _topics(counts: Mapping[UUID, Sequence[Naming]], prompts: Mapping[UUID, PromptFacts]) -> list[Standout]:
    """The topics of several questions."""
    grouped: dict[str, list[UUID]] = defaultdict(list)
    for prompt in counts:
        grouped[prompts[prompt].topic].append(prompt)
    return [_standout("topic", topic, members, counts) for topic, members in grouped.items() if len(members) > 1]


def _standout(
    kind: Literal["topic", "prompt"], label: str, members: Iterable[UUID], counts: Mapping[UUID, Sequence[Naming]]
) -> Standout:
    named: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for prompt in members:
        for naming in counts[prompt]:
            named[naming.engine][0] += naming.named
            named[naming.engine][1] += naming.answers
    engines = tuple(Naming(engine, *named[engine]) for engine in sorted(named))
    return Standout(kind, label, engines, tuple(sorted(members, key=str)))


def _best(group: Iterable[Standout], hits: _Hits, days: Mapping[str, date]) -> list[Standout]:
    standing = [
        _worth(standout, hits)
        for standout in group
        if standout.answers >= MIN_ANSWERS and _stands_out(standout, hits)
    ]
    return sorted(standing, key=lambda standout: _order(standout, hits, days))[:MOST]


def _stands_out(standout: Standout, hits: _Hits) -> bool:
    """Whether any engine's answers show it; a question's agree anyway."""
    if standout.kind == "prompt":
        return sum(map(hits, standout.engines)) == standout.answers
    return any(
        naming.answers >= MIN_ANSWERS and 3 * hits(naming) >= 2 * naming.answers for naming in standout.engines
    )


def _worth(standout: Standout, hits: _Hits) -> Standout:
    share = fmean(hits(naming) / (naming.answers + 1) for naming in standout.engines)
    return replace(standout, worth=round(100 * share))


def _order(standout: Standout, hits: _Hits, days: Mapping[str, date]) -> tuple[object, ...]:
    """The most worth first; the last part only keeps the order of what nothing tells apart."""
    return (
        -standout.worth,
        -sum(map(hits, standout.engines)),
        -len(standout.engines),
        -max(days[naming.engine].toordinal() for naming in standout.engines),
        -len(standout.prompts),
        hashlib.sha256("".join(map(str, standout.prompts)).encode()).digest(),
    )
