"""A draft sentence by sentence: which sources each names, and whether they say so."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.caller import Caller
from visibility.services.content.judging import task_of
from visibility.services.content.opportunities import readable_draft
from visibility.writers.markup import body_of
from visibility.writers.statements import Fault
from visibility.writers.truth import judged_statements


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence without its marks, the marks of its sources, and what is wrong with it; None where nothing is."""

    text: str
    marks: Sequence[str]
    fault: Fault | None


def judged_sentences(caller: Caller, *, draft_id: UUID) -> list[JudgedSentence]:
    """What the latest text of a draft states, in order. Raises insufficient_scope and not_found."""
    draft = readable_draft(caller, draft_id)
    task = task_of(draft)
    return [
        JudgedSentence(statement.bare, list(dict.fromkeys(statement.marks)), fault)
        for statement, fault in judged_statements(body_of(draft.latest_markdown, task), task)
    ]
