"""The searches that engines made to answer, counted by topic."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from visibility.measured.basis import EngineDay
from visibility.measured.facts import BrandFacts


@dataclass(frozen=True, slots=True)
class Search:
    """One query, in the wording that is most frequent of those that say the same. `answers` made it, on these
    engines, topics (keys) and prompts, each with its answers."""

    query: str
    answers: int
    engines: Counter[str]
    topics: Counter[str]
    prompts: Counter[UUID]
    example: UUID


def read_searches(engines: Sequence[EngineDay], subject: BrandFacts) -> list[Search]:
    """The searches of the answers of now to unbranded questions, those of most answers first."""
    raise NotImplementedError
