"""Which topics and questions a brand is strong or weak in, by one day's answers. Pure.

A topic of several questions is *strong* where two thirds of its answers or more name the brand, *weak* where a third
or fewer do. A question stands for itself only where its answers agree: all of them name the brand, or none does.
Questions that name the brand are left out: they measure recognition. So is what rests on a single answer. The
strongest have the highest k/(n+1), the weakest the highest (n-k)/(n+1): three of three weigh more than two of two.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from visibility.recommendations.types import PromptFacts

LEAST_ANSWERS = 2
MOST = 5


@dataclass(frozen=True, slots=True)
class Standout:
    """A topic or a question: `named` of `answers` answers name the brand."""

    kind: Literal["topic", "prompt"]
    label: str
    named: int
    answers: int
    prompts: tuple[UUID, ...]


def find_standouts(
    counts: Mapping[UUID, tuple[int, int]], prompts: Mapping[UUID, PromptFacts]
) -> tuple[list[Standout], list[Standout]]:
    """The strongest and the weakest, five topics and questions each at most; `counts` are k and n by question."""
    asked = {prompt: counts[prompt] for prompt in counts if prompt in prompts and not prompts[prompt].branded}
    alone = [
        Standout("prompt", prompts[prompt].text, named, answers, (prompt,))
        for prompt, (named, answers) in asked.items()
        if named in (0, answers)
    ]
    candidates = [_topics(asked, prompts), alone]
    strong = [each for group in candidates for each in _best(group, lambda one: one.named)]
    weak = [each for group in candidates for each in _best(group, lambda one: one.answers - one.named)]
    return strong, weak


def _topics(asked: Mapping[UUID, tuple[int, int]], prompts: Mapping[UUID, PromptFacts]) -> list[Standout]:
    """The topics of several questions."""
    grouped: dict[str, list[UUID]] = defaultdict(list)
    for prompt in asked:
        grouped[prompts[prompt].topic].append(prompt)
    return [
        Standout(
            "topic",
            topic,
            sum(asked[prompt][0] for prompt in members),
            sum(asked[prompt][1] for prompt in members),
            tuple(sorted(members, key=str)),
        )
        for topic, members in grouped.items()
        if len(members) > 1
    ]


def _best(group: Iterable[Standout], hits: Callable[[Standout], int]) -> list[Standout]:
    found = [each for each in group if each.answers >= LEAST_ANSWERS and 3 * hits(each) >= 2 * each.answers]
    return sorted(found, key=lambda each: (-hits(each) / (each.answers + 1), each.label, each.prompts))[:MOST]
