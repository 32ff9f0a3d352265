"""The searches that engines made to answer, counted by topic."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from visibility.engines.adapters.local_search import is_local
from visibility.measured.basis import EngineDay
from visibility.measured.facts import BrandFacts
from visibility.measured.reading import answers_of
from visibility.models import Answer
from visibility.writers.searches import queries_of, query_key, shown_query

MAX_SEARCHES = 500
"""The most frequent ones, after those that say the same are one."""
MAX_KEYS = 50_000
"""Different searches that are counted at all: an engine that asks another thing each time is not let grow."""


@dataclass(frozen=True, slots=True)
class Search:
    """One query, in the wording that is most frequent of those that say the same. `answers` made it, on these
    engines, topics (keys) and prompts, each with its answers; `example` is one of them, `made_by` are all."""

    query: str
    answers: int
    engines: Counter[str]
    topics: Counter[str]
    prompts: Counter[UUID]
    example: UUID
    made_by: frozenset[UUID] = frozenset()


@dataclass(slots=True)
class _Group:
    """The queries that say the same."""

    example: UUID
    made_by: set[UUID] = field(default_factory=set)
    wordings: Counter[str] = field(default_factory=Counter)
    engines: Counter[str] = field(default_factory=Counter)
    topics: Counter[str] = field(default_factory=Counter)
    prompts: Counter[UUID] = field(default_factory=Counter)


def read_searches(engines: Sequence[EngineDay], subject: BrandFacts) -> list[Search]:
    """The searches of the answers of now to unbranded questions, those of most answers first; one statement. What
    looks up stored pages searches nothing that others could."""
    searching = [engine_day for engine_day in engines if not is_local(engine_day.engine)]
    answers = answers_of(searching).filter(state=Answer.State.ANSWERED).exclude(searches=[])
    rows = answers.order_by("engine", "position", "pk").values_list("pk", "prompt_id", "engine", "searches")
    groups: dict[frozenset[str], _Group] = {}
    for answer, prompt_id, engine, searches in rows.iterator():
        prompt = subject.prompts.get(prompt_id)
        if prompt is None or prompt.branded:
            continue
        for key, queries in _by_key(queries_of(searches)).items():
            if key not in groups and len(groups) == MAX_KEYS:
                continue
            group = groups.setdefault(key, _Group(answer))
            group.made_by.add(answer)
            group.wordings.update(queries)
            group.engines[engine] += 1
            group.topics[prompt.topic] += 1
            group.prompts[prompt_id] += 1
    searched = [_search(group) for group in groups.values()]
    return sorted(searched, key=lambda search: (-search.answers, -len(search.engines), search.query))[:MAX_SEARCHES]


def _by_key(queries: Sequence[str]) -> dict[frozenset[str], list[str]]:
    grouped: dict[frozenset[str], list[str]] = defaultdict(list)
    for query in queries:
        grouped[query_key(query)].append(query)
    return grouped


def _search(group: _Group) -> Search:
    query = shown_query(group.wordings.items())
    counts = (group.engines, group.topics, group.prompts)
    return Search(query, len(group.made_by), *counts, group.example, frozenset(group.made_by))
