"""Statements of answers that are one: they rest on one page, or say the same on one topic. Pure."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.text.sentences import one_line
from visibility.evidence.positioning.attributes import attributes
from visibility.measured.facts import AnswerFacts, BrandFacts, main_topic
from visibility.measured.statements import RestsOn, Statement

MIN_SHARED = 2
MIN_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Group:
    """Statements that rest on one page, or say the same on one topic; one of each answer."""

    topic: str
    statements: tuple[Statement, ...]
    page: RestsOn | None = None

    @property
    def subject(self) -> str:
        """By the page, else by the topic and what kind of statement it is."""
        if self.page:
            return f"page:{self.page.digest}"
        topic = hashlib.sha256(self.topic.encode()).hexdigest()
        return f"{'unknown' if self.is_unknown else 'against'}:{topic}"

    @property
    def is_unknown(self) -> bool:
        """Whether they say that nothing is known of the brand."""
        return all(statement.is_unknown for statement in self.statements)


def group_statements(
    facts: BrandFacts, statements: Iterable[Statement], answers: Mapping[UUID, AnswerFacts]
) -> list[Group]:
    """The statements by page, of most answers first, and the rest by topic: of those the largest group that says the
    same. An answer counts once in a group, and a statement stands in one group."""
    rest = [statement for statement in statements if statement.answer in answers]
    groups = []
    while best := _largest_of_a_page(rest):
        page, resting = best
        groups.append(Group(_topic(facts, resting, answers), tuple(resting), page))
        rest = [statement for statement in rest if page not in statement.pages]
    by_topic: dict[tuple[str, bool], list[Statement]] = defaultdict(list)
    for statement in rest:
        topic = facts.prompts[answers[statement.answer].prompt].topic
        by_topic[topic, statement.is_unknown].append(statement)
    own = frozenset(one_line(facts.brand).casefold().split())
    for (topic, is_unknown), on_topic in by_topic.items():
        same = on_topic if is_unknown else _largest_alike(on_topic, own)
        groups.append(Group(topic, tuple(_one_of_each_answer(same))))
    return groups


def _largest_of_a_page(statements: Sequence[Statement]) -> tuple[RestsOn, list[Statement]] | None:
    """The page that most answers rest a statement on."""
    by_page: dict[RestsOn, list[Statement]] = defaultdict(list)
    for statement in statements:
        for page in statement.pages:
            by_page[page].append(statement)
    if not by_page:
        return None
    page = min(by_page, key=lambda page: (-len({row.answer for row in by_page[page]}), page.digest))
    return page, _one_of_each_answer(by_page[page])


def _largest_alike(statements: Sequence[Statement], own: frozenset[str]) -> list[Statement]:
    """The statements of most answers that say what one of them says."""
    about = [attributes(statement.text, own).about for statement in statements]
    alike = [[row for row, other in zip(statements, about, strict=True) if _says(stems, other)] for stems in about]
    return max(alike, key=lambda rows: len({row.answer for row in rows}))


def _says(stems: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(stems & other)
    return stems == other or (shared >= MIN_SHARED and shared >= MIN_ALIKE * min(len(stems), len(other)))


def _one_of_each_answer(statements: Iterable[Statement]) -> list[Statement]:
    first: dict[UUID, Statement] = {}
    for statement in statements:
        first.setdefault(statement.answer, statement)
    return list(first.values())


def _topic(facts: BrandFacts, statements: Sequence[Statement], answers: Mapping[UUID, AnswerFacts]) -> str:
    return main_topic(facts.prompts[answers[row.answer].prompt].topic for row in statements)
